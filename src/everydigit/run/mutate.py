"""Mutation: a claim that holds must fail as soon as one digit of it is another.

Every changed number is judged as the number itself was, against the very value it passed with.
A change that goes unnoticed says that the check behind the number is too weak.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from everydigit.number.parts import SCALES, WORDS
from everydigit.run.chapter import Outcome, compare
from everydigit.text.markdown import Piece
from everydigit.text.page import Claim, ShownNumber, piece_numbers
from everydigit.verdict.values import Value

Failure = tuple[int, int, str]
_WORD = re.compile(r"[^\W\d]+")
# A word becomes another of its kind, so that "twenty-one" stays a number.
_OTHERS = (("three", "four"), ("eleven", "twelve"), ("twenty", "thirty"), ("thousand", "million"))


@dataclass(frozen=True)
class Change:
    """A number of a claim with one digit or word changed: `text`, and the `piece` it is in now."""

    shown: ShownNumber
    text: str
    piece: Piece

    @property
    def place(self) -> tuple[int, int]:
        """The line and column of the number."""
        return self.shown.line, self.shown.column

    @property
    def rounds_otherwise(self) -> bool:
        """Whether both numbers are near a value, but to different digits: about 50, about 52."""
        number = self.shown.number
        found = [n.number for n in piece_numbers(self.piece, every=True)]
        return number.approximate and any(
            other.start == number.start and other.unit != number.unit for other in found
        )


def compare_mutated(claim: Claim, target: Any) -> Outcome:
    """Compare a claim with the value of its TARGET and, if it holds, all changes of it too."""
    outcome = compare(claim, target)
    if outcome.passed:
        outcome.tried = sum(1 for piece in claim.pieces for _ in changes(piece))
        outcome.failures = sorted([*_unnoticed(claim, outcome), *_one_too_many(claim, target)])
    return outcome


def changes(piece: Piece) -> Iterator[Change]:
    """Every digit of every number in `piece` as each of the others, every word as another."""
    for shown in piece_numbers(piece, every=True):
        number = shown.number
        for text in _variants(number.text):
            changed = piece.text[: number.start] + text + piece.text[number.end :]
            yield Change(shown, text, replace(piece, text=changed))


def _variants(text: str) -> Iterator[str]:
    for place, sign in enumerate(text):
        if sign.isdecimal():
            for digit in "0123456789".replace(sign, ""):
                yield text[:place] + digit + text[place + 1 :]
    for word in _WORD.finditer(text):
        if other := _another(word[0].lower()):
            yield text[: word.start()] + other + text[word.end() :]


def _another(word: str) -> str | None:
    """Another number word of the same kind, or None if `word` is none."""
    value = WORDS.get(word, 0)
    kind = 3 if word in SCALES else (value > 9) + (value > 19)
    return next(w for w in _OTHERS[kind] if w != word) if value or word in SCALES else None


def _unnoticed(claim: Claim, outcome: Outcome) -> Iterator[Failure]:
    """The numbers of a claim of which some change is not reported at their own place.

    A cell or formula is judged by itself, with its part of the values: the others have no say in
    what is reported of it, and a long table would take the square of its length.
    """
    values = iter(outcome.values)
    for group in claim.groups:
        part = replace(claim, pieces=group)
        yield from _unnoticed_in(part, list(islice(values, len(part.numbers))))


def _unnoticed_in(claim: Claim, values: list[Value]) -> Iterator[Failure]:
    told: set[tuple[int, int]] = set()
    for index, piece in enumerate(claim.pieces):
        for change in changes(piece):
            if change.place in told:
                continue
            pieces = [*claim.pieces[:index], change.piece, *claim.pieces[index + 1 :]]
            failures = compare(replace(claim, pieces=pieces), values).failures
            places = {failure[:2] for failure in failures}
            if change.place not in places and not (not places and change.rounds_otherwise):
                told.add(change.place)
                yield (*change.place, _message(claim, change, places))


def _message(claim: Claim, change: Change, places: set[tuple[int, int]]) -> str:
    old, new = change.shown.number.text.strip(), change.text.strip()
    if places:
        line, column = min(places)
        return f"text says {old}, and {new} would be reported at {line}:{column}, not here"
    return (
        f"text says {old}, and {new} would pass too: "
        f"let {claim.target} tell the two apart, or show one digit more"
    )


def _one_too_many(claim: Claim, target: Any) -> Iterator[Failure]:
    """The claim as a whole, if one more number behind its last word would pass."""
    last = claim.pieces[-1] if claim.pieces else Piece("", "text", claim.line, claim.column)
    more = Piece(" 7", "text", last.line, last.column, group=last.group)
    if compare(replace(claim, pieces=[*claim.pieces, more]), target).passed:
        said = f"text says {claim.shown!r}, and one more number behind it would pass too: "
        yield claim.line, claim.column, f"{said}let {claim.target} give as many as are shown"
