"""No number of the book goes unchecked: wherever one is changed or written, the tests notice.

That the claims of every page notice each changed digit is what `pytest --mutate-claims` tries.
Here: that it tries every digit there is, what the gate notices, and once the whole way.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from everydigit.run.mutate import changes
from everydigit.text.reading import Reading

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "book").glob("*.md"))]
CHEAP = ["README.md", "book/index.md", "book/01-shares.md", "book/errata.md"]

# SHOWN of every claim, from the text alone: nothing here knows how a page is read.
FENCE = re.compile(r"^`{3,}(.*)$", re.MULTILINE)
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\.json#")
ROLE = re.compile(r"\{claim\}(`+)(?P<shown>.*?)\s<\S[^`]*?>\1", re.DOTALL)
QUOTED = re.compile(r"``.*?``")
HEADER = re.compile(r"^\|.*\n(?=\|[-:| ]+$)", re.MULTILINE)
NO_NUMBER = re.compile(r"`[^`]*`|[_^](?:\{[^{}]*\}|.)|(?<![\w{])[^\W\d]\w*")


def read(path, text=None):
    """Read a page as conftest.py has pytest read it."""
    return Reading.of(path).page(path, text)


def shown_on(path):
    """SHOWN of every claim of a page, as it is written."""
    text = path.read_text(encoding="utf-8")
    if path.name == "README.md":
        return LINK.findall(text)
    prose, *fences = FENCE.split(text)
    tables = []
    for info, body, after in zip(fences[::4], fences[1::4], fences[3::4], strict=True):
        if info.startswith("{claim}"):
            tables.append(HEADER.sub("", body))
        elif info.startswith(("{exercise}", "{solution}", "{glossary}")):
            prose += body
        prose += after
    return [*tables, *(role["shown"] for role in ROLE.finditer(QUOTED.sub("", prose)))]


def end_of(piece):
    """The line and the column behind the last word of a piece."""
    *above, last = piece.text.rstrip().split("\n")
    return piece.line + len(above), (piece.column, *piece.further)[len(above)] + len(last)


def with_sevens(text, places):
    """The text with a 7 written at each of the places."""
    lines = text.split("\n")
    for line, column in sorted(places, reverse=True):
        row = lines[line - 1]
        lines[line - 1] = f"{row[: column - 1]} 7 {row[column - 1 :]}"
    return "\n".join(lines)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_digit_of_every_claim_is_tried_as_each_of_the_nine_others(path):
    claims = read(path).claims
    shown = shown_on(path)
    assert len(shown) == len(claims)
    digits = sum(len(re.findall(r"\d", NO_NUMBER.sub(" ", words))) for words in shown)
    tried = [change for claim in claims for piece in claim.pieces for change in changes(piece)]
    of_digits = [c for c in tried if form(c.text) == form(c.shown.number.text)]
    assert len(set(of_digits)) == len(of_digits) == 9 * digits


def form(number):
    return re.sub(r"\d", "0", number)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_new_number_is_noticed_wherever_it_is_written(path):
    page = read(path)
    outside = [piece for piece in page.pieces if piece.kind == "text" and piece.text.strip()]
    inside = [next(p for p in reversed(c.pieces) if p.kind != "code") for c in page.claims]
    assert outside
    lines = page.text.split("\n")
    for piece in outside:
        start, (line, end) = piece.column - 1, end_of(piece)
        assert lines[line - 1][start : end - 1] == piece.text.rstrip(), "not where it says"
    changed = read(path, with_sevens(page.text, map(end_of, outside + inside)))
    naked = [p.line for p in changed.problems if p.message.startswith("7 is neither")]
    assert sorted(naked) == sorted(piece.line for piece in outside)
    assert len(changed.problems) == len(naked)
    counts = [[len(claim.numbers) for claim in read.claims] for read in (page, changed)]
    assert counts[1] == [count + 1 for count in counts[0]]


def test_pytest_itself_fails_and_names_file_and_line(tmp_path):
    """The whole way, once: a digit changed and a number added on some pages."""
    for part in ("_config.yml", "conftest.py", "pyproject.toml"):
        shutil.copy2(ROOT / part, tmp_path / part)
    shutil.copytree(ROOT / "book/media/runs", tmp_path / "book/media/runs")
    named = []
    for name in CHEAP:
        page = read(ROOT / name)
        change = next(c for claim in page.claims for p in claim.pieces for c in changes(p))
        lines = page.text.split("\n")
        line, column = change.place
        old, row = change.shown.number.text, lines[line - 1]
        lines[line - 1] = row[: column - 1] + change.text + row[column - 1 + len(old) :]
        lines.append("\nAll of 77 numbers.")
        (tmp_path / name).write_text("\n".join(lines), encoding="utf-8")
        named += [f"{name}:{line}:{column}: text says", f"{name}:{len(lines) + 1}:8: 77 is neither"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *CHEAP],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    summary = done.stdout.partition("what no longer holds")[2].splitlines()
    missing = [place for place in named if not any(line.startswith(place) for line in summary)]
    assert not missing, done.stdout[-4000:]
