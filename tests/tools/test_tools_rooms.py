"""The contract of the rooms, tried: an import that leads up, or past a wall, is named."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def house(tmp_path):
    """A copy of the code and its contract, that may be broken."""
    shutil.copy2(ROOT / "pyproject.toml", tmp_path)
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("assets"))
    return tmp_path


def judge(house):
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache"]
    environment = {**os.environ, "PYTHONPATH": str(house / "src")}
    done = subprocess.run(
        command, cwd=house, env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_the_house_as_it_stands_keeps_its_contract(house):
    code, said = judge(house)
    assert (code, "0 broken" in said) == (0, True), said


@pytest.mark.parametrize(
    ("module", "forbidden"),
    [
        ("everydigit/number/prose", "everydigit.text.page"),
        ("everydigit/verdict/judge", "everydigit.text.page"),
        ("everydigit/text/page", "everydigit.verdict.rule"),
        ("everydigit/site/failures", "everydigit.run.plugin"),
        ("everydigit/site/failures", "everydigit.verdict.rule"),
        ("everydigit/ledger", "everydigit.run.plugin"),
        ("everydigit/run/record", "attention.core"),
        ("booksite/pages/lean", "attention.core"),
        ("attention/core", "attention.models.e6"),
        ("attention/models/e6", "attention.runs.records"),
        ("attention/names/grammar", "everydigit.number.prose"),
    ],
)
def test_an_import_that_leads_up_or_past_a_wall_is_named(house, module, forbidden):
    path = house / "src" / f"{module}.py"
    path.write_text(f"{path.read_text(encoding='utf-8')}\nimport {forbidden}\n", encoding="utf-8")
    code, said = judge(house)
    assert code == 1
    assert f"{module.replace('/', '.')} -> {forbidden}" in " ".join(said.split())


def test_a_new_room_has_to_be_given_its_floor(house):
    (house / "src/everydigit/attic.py").write_text("", encoding="utf-8")
    code, said = judge(house)
    assert code == 1
    assert "attic" in said


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"])
def test_a_guide_names_what_is_there(page):
    guide = (ROOT / page).read_text(encoding="utf-8")
    tour = "book/90-tour"  # the chapter that a newcomer makes
    named = re.findall(rf"`(?!{tour})((?:src|tests|tools|book|benchmarks)/[\w./-]*)`", guide)
    assert len(named) > 3
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_the_plan_names_every_room():
    plan = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for package in ("everydigit", "attention"):
        rooms = [path.parent.name for path in (ROOT / "src" / package).glob("*/__init__.py")]
        assert [room for room in rooms if f"{room}/" not in plan] == []
