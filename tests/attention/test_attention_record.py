import json
import subprocess
import sys
from pathlib import Path

import numpy as np

from attention import hand

ROOT = Path(__file__).parents[2]


def test_the_record_is_what_its_command_gives_today(tmp_path):
    recorded = json.loads((ROOT / hand.RECORD).read_text(encoding="utf-8"))
    assert next(iter(recorded)) == "command"
    program, *arguments = recorded["command"].split()
    assert program == "python"
    made = tmp_path / "again.json"
    subprocess.run([sys.executable, *arguments, str(made)], check=True, capture_output=True)
    again = json.loads(made.read_text(encoding="utf-8"))
    assert again["config"] == recorded["config"]
    assert again["values"].keys() == recorded["values"].keys()
    for name, values in recorded["values"].items():
        np.testing.assert_allclose(again["values"][name], values, rtol=1e-15, atol=0, err_msg=name)
