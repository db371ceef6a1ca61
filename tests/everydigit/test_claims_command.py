"""`python -m everydigit`: numbers counted, and the pages to be checked anew."""

import subprocess
from types import SimpleNamespace

import pytest

from everydigit import ledger
from everydigit.__main__ import main

PAGES = {"a.md": "# A\n\nIt is 3.5 km.\n", "b/c.md": "# C\n\nNo number.\n"}


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """The commands that were run, in a folder with two pages; `asked.code` is what they give."""
    asked = SimpleNamespace(commands=[], code=0)

    def run(command, **_):
        asked.commands.append(command)
        return SimpleNamespace(returncode=asked.code)

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.chdir(tmp_path)
    for name, text in {**PAGES, "_build/d.md": "9", ".hidden/e.md": "9"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return asked


def pages(asked):
    return [[word for word in command if word.endswith(".md")] for command in asked.commands]


def record(root, name, **changes):
    page = {"hash": ledger.digest([root / name], root), "depends": {}, "claims": {}, "total": 0}
    return page | {"steps": {"gate": []}, "steps_total": 1, "givens": 0} | changes


def test_what_no_current_and_whole_record_vouches_for_is_run(asked, tmp_path):
    def refresh(**changes):
        book = {name: record(tmp_path, name) for name in PAGES} | changes
        ledger.save({"format": ledger.FORMAT, "pages": book}, tmp_path / ledger.DEFAULT_PATH)
        asked.commands.clear()
        assert main(["refresh", "."]) == 0
        return pages(asked)

    assert refresh() == []
    assert refresh(**{"a.md": record(tmp_path, "a.md", hash="of an earlier day")}) == [["a.md"]]
    assert refresh(**{"a.md": record(tmp_path, "a.md", total=1)}) == [["a.md"]]
    assert refresh(**{"b/c.md": record(tmp_path, "b/c.md", steps={})}) == [["b/c.md"]]
    failing = record(tmp_path, "a.md", steps={"gate": [[3, "3.5 is neither claimed nor given"]]})
    assert refresh(**{"a.md": failing}) == [], "what fails is known: nothing is gained by a run"


def test_without_a_record_or_with_one_of_another_format_every_page_is_run(asked, tmp_path):
    assert main(["refresh", "."]) == 0
    path = tmp_path / ledger.DEFAULT_PATH
    path.parent.mkdir()
    path.write_text('{"format": 1}', encoding="utf-8")
    assert main(["refresh", "a.md", "b"]) == 0
    assert pages(asked) == [["a.md", "b/c.md"]] * 2


@pytest.mark.parametrize(("pytest_gave", "code"), [(0, 0), (1, 0), (2, 2), (4, 4)])
def test_a_page_that_fails_is_no_failure_of_refresh_and_a_broken_run_is(asked, pytest_gave, code):
    asked.code = pytest_gave
    assert main(["refresh", "."]) == code


def test_numbers_are_counted_by_file_without_running_anything(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    texts = {
        "plain.md": "# Rivers\n\nThe Spey is 172 km long.\n\nIt has three mouths.\n",
        "bound.md": "It is {claim}`1 + 1 = 2 <undefined>` of {given}`8`.\n",
        "README.md": "It is [4.5](runs.json#/a).\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert main(["coverage", "--naked", "."]) == 0
    listed, _, table = capsys.readouterr().out.partition("  numbers")
    rows = {line.split()[0]: line.split()[1:] for line in table.splitlines()[1:]}
    assert rows == {
        "README.md": ["1", "1", "0", "0"],
        "bound.md": ["4", "3", "1", "0"],
        "plain.md": ["2", "0", "0", "2"],
        "total": ["7", "4", "1", "2"],
    }
    assert listed.split("\n")[:2] == ["plain.md:3:13: 172", "plain.md:5:8: three"]


def test_a_path_that_leads_to_nothing_is_named(asked, capsys):
    with pytest.raises(SystemExit):
        main(["coverage", "lost.md"])
    assert "there is no lost.md" in capsys.readouterr().err
