"""What stands so close to a claim that a reader takes it for part of its number."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby

from everydigit.number import parts
from everydigit.number.latex import Token, tokens
from everydigit.number.prose import find_numbers
from everydigit.text.markdown import Piece

_MORE = "…%‰"  # what belongs to the number before it
_ENDS = re.compile(rf"(?:\d|∞|{parts.RAISED}|{parts.PART}|[{_MORE}])\Z")
_BEGINS = re.compile(rf"[{parts.SIGNS}]?[.,]?(?:\d|∞|{parts.PART})")
_AFTER = re.compile(rf"[^\W_]+|[ ]\^10|[{_MORE}^√_]|\.\.\.|{parts.PERCENT}|[.,'’]\d+")
_BEFORE = re.compile(rf"[^\W_]+\Z|[√^_]\Z|\d[.,'’]\Z|(?:\A|[^\w)\]{_MORE}])\.\Z")
_SIGN = re.compile(rf"[±∓{parts.SIGNS}]\Z")
_HYPHENATED = re.compile(r"[^\W\d]{2,}-\Z")  # top-5: no minus

# A formula as it looks next to a number: what continues one is `^`, what names something `x`.
_SEEN = {"product": "^", "space": " ", "~": " ", "open": "(", "close": ")"} | {
    **dict.fromkeys(["relation", "arrow", "wide", "cell"], "="),
    **dict.fromkeys(["name", "environment", "fraction", "binomial", "root"], "x"),
    **dict.fromkeys(["style", "silent", "blank", r"\!", "{", "}"], ""),
}


@dataclass
class _Mark:
    start: int
    end: int
    name: str
    line: int
    column: int


@dataclass
class Flow:
    """One inline text as a reader sees it, and where its claims stand in it."""

    text: str = ""
    marks: list[_Mark] = field(default_factory=list)

    @contextmanager
    def mark(self, name: str, line: int, column: int) -> Iterator[None]:
        """What is added meanwhile is a claim or a given."""
        mark = _Mark(len(self.text), -1, name, line, column)
        self.marks.append(mark)
        yield
        mark.end = len(self.text)

    def problems(self) -> Iterator[tuple[int, int, str]]:
        """What changes a number by touching its claim: line, column, message."""
        told: set[int] = set()
        for mark in self.marks:
            shown = self.text[mark.start : mark.end]
            before, after = self.text[: mark.start], self.text[mark.end :]
            if _ends_in_number(shown) and (touch := _AFTER.match(after)):
                told.add(mark.end)
                yield mark.line, mark.column, _message(touch[0], "after", mark.name)
            if not _begins_with_number(shown) or mark.start in told:
                continue
            if touch := _BEFORE.search(before):
                yield mark.line, mark.column, _message(touch[0], "before", mark.name)
            elif _ends_in_sign(before):
                text = f"the sign before this {mark.name} is no part of it: put it inside"
                yield mark.line, mark.column - 1, text


def _message(touch: str, side: str, name: str) -> str:
    return (
        f"{touch.strip()!r} directly {side} this {name} changes the number read: "
        f"put it inside the {name}, or part them"
    )


def _ends_in_number(text: str) -> bool:
    numbers = find_numbers(text)
    return bool(_ENDS.search(text) or (numbers and numbers[-1].end == len(text)))


def _begins_with_number(text: str) -> bool:
    numbers = find_numbers(text)
    return bool(_BEGINS.match(text) or (numbers and numbers[0].start == 0))


def _ends_in_sign(before: str) -> bool:
    """Whether the text ends in a sign of what follows, rather than in an operator or a hyphen."""
    if not _SIGN.search(before) or _HYPHENATED.search(before):
        return False
    return not (_ends_in_number(before[:-1]) or before[:-1].endswith((")", "]", "}", "`")))


def seen(latex: str) -> str:
    """A formula reduced to how it may join up with what touches it."""
    return "".join(map(_looks, tokens(latex)))


def _looks(token: Token) -> str:
    looks = _SEEN.get(token.text, _SEEN.get(token.kind, token.prose or token.says))
    return "x" if looks.startswith("\\") and looks[-1:].isalpha() else looks


def split_number(pieces: list[Piece]) -> str | None:
    """A number of a claim that markup or a line break takes apart, or None."""
    run: list[Piece] = []
    for piece in [*pieces, Piece("", "code", 0, 0)]:
        if piece.kind == "text":
            run.append(piece)
            continue
        found = [n.text for part in run for n in find_numbers(part.text)]
        whole = "".join(" " if part.text.isspace() else part.text for part in run)
        joined = [n.text for n in find_numbers(whole)]
        if found != joined:
            return " ".join(whole.split())
        run = []
    return _glued_formula(pieces)


def _glued_formula(pieces: list[Piece]) -> str | None:
    """Words and formulas of a claim that together read as another number, or None."""
    flow = Flow()
    for is_math, run in groupby(pieces, lambda piece: piece.kind == "math"):
        for words in (seen(p.text) for p in run) if is_math else ("".join(p.text for p in run),):
            with flow.mark("formula", 0, 0):
                flow.text += words
    return flow.text if any(True for _ in flow.problems()) else None
