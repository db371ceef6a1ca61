"""Break the mathematics, and the chapters notice: in many places, not in one."""

import importlib
import shutil
import sys
from pathlib import Path

import pytest

from everydigit.run.chapter import Chapter
from everydigit.text.reading import Reading

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "book"
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
        "models/e6.py",
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


@pytest.fixture
def broken_copy(tmp_path, monkeypatch):
    """Have `attention` imported anew from a copy, in which a line is replaced."""

    def break_line(module, right, wrong):
        package = tmp_path / "attention"
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "src/attention", package, ignore=ignored)
        code = (package / module).read_text(encoding="utf-8")
        assert right in code, "the line to break has moved: name it anew"
        (package / module).write_text(code.replace(right, wrong), encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        assert Path(importlib.import_module("attention").__file__).parent == package

    sound = {name: sys.modules.pop(name) for name in loaded()}
    yield break_line
    for name in loaded():
        del sys.modules[name]
    sys.modules.update(sound)


def loaded():
    """The modules of the package that are imported."""
    return [name for name in sys.modules if name.partition(".")[0] == "attention"]


def failures_of(chapter):
    """The claims and cells of a chapter that fail by themselves."""
    path = BOOK / chapter
    page = Reading.of(path).page(path)
    run = Chapter(page, {})
    outcomes = [run.outcome(step) for step in (*page.cells, *page.claims)]
    return [o for o in outcomes if not o.passed and o.kind != "not checked"]


@pytest.mark.parametrize("name", BREAKS)
def test_a_break_in_the_mathematics_fails_several_claims(name, broken_copy):
    module, right, wrong, chapters = BREAKS[name]
    broken_copy(module, right, wrong)
    found = {chapter: len(failures_of(chapter)) for chapter in chapters}
    assert all(found.values()), found
    assert sum(found.values()) >= 4, found


def test_without_a_break_the_same_chapters_hold(broken_copy):
    module, right, _, chapters = BREAKS["keys are zeroed after softmax"]
    broken_copy(module, right, right)
    assert [failures_of(chapter) for chapter in chapters] == [[], []]
