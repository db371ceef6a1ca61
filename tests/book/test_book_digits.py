"""Change any digit of any claim, or write a number anywhere: the book's own tests notice.

Not a sample: every digit of every claimed number on every page, each turned into all nine others.
"""

import copy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from claims import chapter as chapters
from claims.numbers import WORDS
from claims.source import read_page

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "book").glob("*.md"))]
IDS = [page.name for page in PAGES]
CLAIMING = [page.name for page in PAGES if b"{claim}" in page.read_bytes()] + ["README.md"]


def read(path, text):
    """Read a page as conftest.py has pytest read it."""
    return read_page(path, text, verbatim=frozenset({"reference"}))


def digits_of(page):
    """Of each number of each claim: the claim's index, its place, and its digits' places."""
    for i, claim in enumerate(page.claims):
        for shown in claim.numbers:
            line, column = shown.line - 1, shown.column - 1
            signs = enumerate(shown.number.text)
            digits = [(line, column + k) for k, sign in signs if sign.isdecimal()]
            yield i, (shown.line, shown.column), digits


class Run:
    """A page with the value that each of its targets had at its place."""

    def __init__(self, path):
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        self.page = read(path, self.text)
        self.values = []
        chapter = chapters.Chapter(self.page, {})
        evaluate = chapters.evaluate
        chapters.evaluate = lambda *given: self._keep(evaluate(*given))
        try:
            self.outcomes = [chapter.outcome(claim) for claim in self.page.claims]
        finally:
            chapters.evaluate = evaluate

    def _keep(self, value):
        self.values.append(copy.deepcopy(value))
        return value

    def changed(self, places, change):
        """The page with the character at each of the places changed."""
        lines = self.text.split("\n")
        for line, column in places:
            row = lines[line]
            lines[line] = row[:column] + change(row[column]) + row[column + 1 :]
        return read(self.path, "\n".join(lines))


@pytest.fixture(scope="module", params=PAGES, ids=IDS)
def run(request):
    return Run(request.param)


def test_the_page_holds_as_it_stands(run):
    assert all(outcome.passed for outcome in run.outcomes)
    assert run.page.problems == []
    assert len(run.values) == len(run.page.claims)
    assert bool(run.values) == (run.path.name in CLAIMING)


@pytest.mark.parametrize("step", range(1, 10))
def test_every_digit_counts(run, step):
    """All numbers of the page have their first digit changed, then their second, and so on.

    Each is judged by itself, so each must be reported at its own line and column.
    """
    numbers = list(digits_of(run.page))
    for k in range(max((len(digits) for *_, digits in numbers), default=0)):
        touched = [(i, place, digits[k]) for i, place, digits in numbers if k < len(digits)]
        places = [digit for *_, digit in touched]
        page = run.changed(places, lambda digit: str((int(digit) + step) % 10))
        assert len(page.claims) == len(run.page.claims)
        reported = {
            (i, failure[:2])
            for i, (claim, value) in enumerate(zip(page.claims, run.values, strict=True))
            for failure in chapters.compare(claim, value).failures
        }
        unnoticed = [place for i, place, _ in touched if (i, place) not in reported]
        assert not unnoticed, f"{run.path.name}: nobody noticed digit {k + 1} of {unnoticed}"


def test_every_number_word_counts(run):
    for claim, value in zip(run.page.claims, run.values, strict=True):
        for shown in claim.numbers:
            if (word := shown.number.text.lower()) in WORDS:
                other = next(w for w in ("three", "four") if w != word)
                lines = run.text.split("\n")
                row, start = lines[shown.line - 1], shown.column - 1
                lines[shown.line - 1] = row[:start] + other + row[start + len(word) :]
                page = read(run.path, "\n".join(lines))
                changed = page.claims[run.page.claims.index(claim)]
                assert not chapters.compare(changed, value).passed, claim.shown


def test_a_new_number_is_noticed_wherever_it_is_written(run):
    pieces = [piece for piece in run.page.pieces if piece.kind == "text" and piece.text.strip()]
    assert pieces
    lines = run.text.split("\n")
    expected = set()
    for piece in sorted(pieces, key=lambda p: (p.line, p.column), reverse=True):
        end = piece.column - 1 + len(piece.text.rstrip())
        row = lines[piece.line - 1]
        assert row[piece.column - 1 : end] == piece.text.rstrip(), "the piece is not where it says"
        lines[piece.line - 1] = f"{row[:end]} 7 {row[end:]}"
        expected.add(piece.line)
    problems = read(run.path, "\n".join(lines)).problems
    assert {p.line for p in problems if p.message.startswith("7 is neither")} == expected
    assert len(problems) == len(pieces)


def test_a_new_number_inside_a_claim_is_noticed(run):
    for i, (claim, value) in enumerate(zip(run.page.claims, run.values, strict=True)):
        piece = claim.pieces[-1]
        lines = run.text.split("\n")
        end = piece.column - 1 + len(piece.text.rstrip())
        row = lines[piece.line - 1]
        lines[piece.line - 1] = f"{row[:end]} 7 {row[end:]}"
        changed = read(run.path, "\n".join(lines)).claims[i]
        assert not chapters.compare(changed, value).passed, claim.shown


def test_pytest_itself_fails_and_names_file_and_line(tmp_path):
    """The whole way, once: a digit changed and a number added on every page that claims."""
    for part in ("README.md", "_config.yml", "conftest.py", "pyproject.toml"):
        shutil.copy2(ROOT / part, tmp_path / part)
    shutil.copytree(ROOT / "book", tmp_path / "book")
    named = []
    for name in CLAIMING:
        path = next(tmp_path.rglob(name))
        text = path.read_text(encoding="utf-8")
        lines = text.split("\n")
        line, column = next(digits[0] for *_, digits in digits_of(read(path, text)) if digits)
        digit = lines[line][column]
        lines[line] = lines[line][:column] + str((int(digit) + 1) % 10) + lines[line][column + 1 :]
        lines.append("\nAll of 77 numbers.")
        path.write_text("\n".join(lines), encoding="utf-8")
        shown = path.relative_to(tmp_path).as_posix()
        named += [f"{shown}:{line + 1}:", f"{shown}:{len(lines) + 1}:8: 77 is neither"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "README.md", "book"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    summary = done.stdout.partition("what no longer holds")[2]
    missing = [place for place in named if f"\n{place}" not in summary]
    assert not missing, done.stdout[-4000:]
