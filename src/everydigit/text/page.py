"""What is read off a page: cells, claims, and the numbers in its prose."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from everydigit.number.formula import find_math_numbers
from everydigit.number.numeral import Number
from everydigit.number.prose import find_numbers
from everydigit.text.markdown import Piece
from everydigit.text.sightings import Sighting

_TARGET = re.compile(r"(?P<shown>.*?)\s<(?=\S)(?P<target>.*)>\Z", re.DOTALL)


@dataclass(frozen=True)
class ShownNumber:
    """A number with its place on the page."""

    number: Number
    line: int
    column: int


@dataclass
class Cell:
    """A code cell: `line` is its fence, `code_line` the line of its first statement."""

    source: str
    line: int
    code_line: int
    tags: tuple[str, ...] = ()


@dataclass
class Claim:
    """SHOWN and TARGET, and where they stand."""

    target: str
    line: int
    column: int
    key: str  # what the site knows it by: the role's whole content, or the directive's argument
    pieces: list[Piece] = field(default_factory=list)
    topics: tuple[str, ...] = ()  # of the comment `% about: …` in force, for the ledger

    @property
    def shown(self) -> str:
        """SHOWN as plain text, one space where the source breaks a line."""
        words = ("".join(p.text for p in group if p.kind != "code") for group in self.groups)
        return " ".join(" ".join(words).split())

    @property
    def groups(self) -> list[list[Piece]]:
        """The pieces that stand in one paragraph, cell or formula together."""
        return [list(group) for _, group in groupby(self.pieces, lambda piece: piece.group)]

    @property
    def numbers(self) -> list[ShownNumber]:
        """The numbers of SHOWN in reading order."""
        return [n for piece in self.pieces for n in piece_numbers(piece, every=True)]


@dataclass(frozen=True)
class Problem:
    """Something on the page that would otherwise go unchecked."""

    line: int
    column: int
    message: str


@dataclass
class Page:
    """What a page holds, in the order of the source."""

    path: Path
    text: str
    cells: list[Cell] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    givens: list[ShownNumber] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    sightings: list[Sighting] = field(default_factory=list)

    @property
    def naked(self) -> list[ShownNumber]:
        """Numbers in visible prose that neither a claim nor `given` covers."""
        found = [n for piece in self.pieces for n in piece_numbers(piece, every=False)]
        return [n for n in found if n.number.kind != "infinity"]


def piece_numbers(piece: Piece, *, every: bool) -> Iterator[ShownNumber]:
    """The numbers in one piece of text or math, with their places."""
    if piece.kind == "math":
        numbers = find_math_numbers(piece.text, every=every)
    else:
        numbers = find_numbers(piece.text, about=piece.about) if piece.kind == "text" else []
    for number in numbers:
        before = piece.text[: number.start]
        row = before.count("\n")
        column = (piece.column, *piece.further)[row] + number.start - (before.rfind("\n") + 1)
        yield ShownNumber(number, piece.line + row, column)


def normal(content: str) -> str:
    """A role's content as a key: however its lines were broken."""
    return " ".join(content.split())


def split_claim(content: str) -> tuple[str, str] | None:
    """SHOWN and TARGET of a claim's content, or None where there is no TARGET."""
    match = _TARGET.match(content)
    return (match["shown"], normal(match["target"])) if match else None
