import json
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

from attention.runs import hand_example

ROOT = Path(__file__).parents[2]


def test_the_record_is_what_its_command_gives_today(tmp_path, monkeypatch):
    recorded = json.loads((ROOT / hand_example.RECORD).read_text(encoding="utf-8"))
    assert next(iter(recorded)) == "command"
    program, flag, module = recorded["command"].split()
    assert (program, flag) == ("python", "-m")
    made = tmp_path / "again.json"
    monkeypatch.delitem(sys.modules, module, raising=False)  # or runpy warns
    monkeypatch.setattr(sys, "argv", [module, str(made)])
    with pytest.raises(SystemExit, match=r"^0$"):
        runpy.run_module(module, run_name="__main__")
    again = json.loads(made.read_text(encoding="utf-8"))
    assert again["config"] == recorded["config"]
    assert again["values"].keys() == recorded["values"].keys()
    for name, values in recorded["values"].items():
        np.testing.assert_allclose(again["values"][name], values, rtol=1e-15, atol=0, err_msg=name)
