"""Break the mathematics, and the chapters notice: in many places, not in one."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BREAKS = {
    "the factor of dropout is 1/p": (
        "dropout.py",
        "xp.where(kept, shares / (1.0 - rate), 0.0)",
        "xp.where(kept, shares / (rate or 1.0), 0.0)",
        ["06-dropout.md", "errata.md"],
    ),
    "scores are not divided": (
        "core.py",
        "product / math.sqrt(key.shape[-1]) if scale is None",
        "product if scale is None",
        ["02-nine-comparisons.md", "03-not-seen.md"],
    ),
    "the causal mask is shifted by one": (
        "masks.py",
        "np.arange(rows)[:, None] + (columns - rows)",
        "np.arange(rows)[:, None] + (columns - rows) + 1",
        ["03-not-seen.md", "06-dropout.md"],
    ),
    "E6 forgets where its letters stand": (
        "models.py",
        'stream = rows(weights["token"], tokens) + places',
        'stream = rows(weights["token"], tokens) + 0 * places',
        ["07-shapes.md", "08-training.md"],
    ),
    "keys are zeroed after softmax": (
        "core.py",
        "kept = scores if mask is None else xp.where(mask, scores, -xp.inf)\n"
        "        top = xp.max(kept, axis=-1, keepdims=True)\n"
        "        require_finite_maximum(kept, top)\n"
        "        grown = xp.exp(kept - top)\n"
        "        return grown / xp.sum(grown, axis=-1, keepdims=True)",
        "grown = xp.exp(scores - xp.max(scores, axis=-1, keepdims=True))\n"
        "        shares = grown / xp.sum(grown, axis=-1, keepdims=True)\n"
        "        return shares if mask is None else xp.where(mask, shares, 0.0)",
        ["03-not-seen.md", "errata.md"],
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_break_in_the_mathematics_fails_several_claims(name, tmp_path):
    module, right, wrong, chapters = BREAKS[name]
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "book", tmp_path / "book")
    for part in ("_config.yml", "conftest.py", "pyproject.toml"):
        shutil.copy2(ROOT / part, tmp_path / part)
    broken = tmp_path / "src/attention" / module
    code = broken.read_text(encoding="utf-8")
    assert right in code, "the line to break has moved: name it anew"
    broken.write_text(code.replace(right, wrong), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *(f"book/{chapter}" for chapter in chapters)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    summary = done.stdout.partition("what no longer holds")[2]
    assert done.returncode == 1, done.stdout[-3000:]
    found = re.findall(r"^book/(.*\.md):\d+:\d+: (?!not checked)", summary, re.MULTILINE)
    assert set(found) == set(chapters), summary
    assert len(found) >= 4, f"{name}: only {found}"
