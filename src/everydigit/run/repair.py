"""Repair a claim: the numbers of SHOWN that fail by their value, written as TARGET gives them.

A claim is repaired whole or not at all.  What is written must hold by the rule that failed it,
so the page is read again with the new numbers in it before anything is kept.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

from everydigit.run.chapter import Outcome, compare
from everydigit.run.columns import realigned
from everydigit.run.writing import rewritings
from everydigit.text.markdown import Piece
from everydigit.text.page import Claim, Page, ShownNumber, piece_numbers
from everydigit.verdict.rule import differs, holds, plain
from everydigit.verdict.values import Value


class Edit(NamedTuple):
    """On `line` and `column` of a page (from 1), `old` becomes `new`."""

    line: int
    column: int
    old: str
    new: str


class NoRepairError(Exception):
    """A claim that must be left as it is; the message says why, if its failure does not."""


def repair(page: Page, claim: Claim, outcome: Outcome, read: Callable[[str], Page]) -> list[Edit]:
    """The edits after which `claim` holds; `read` reads another text of the same page.

    Raises
    ------
    NoRepairError
        If no number fails by its value alone, or the claim would still not hold.

    """
    shown = [(p, k) for p in claim.pieces for k, _ in enumerate(piece_numbers(p, every=True))]
    edits: list[Edit] = []
    for (piece, k), number, value in zip(shown, claim.numbers, outcome.values, strict=False):
        if differs(number.number, value):
            edits.append(_edit(piece, k, number, value))
    if not edits:
        raise NoRepairError
    lines = page.text.split("\n")
    _confirm(page, claim, outcome, read("\n".join(rewritten(lines, edits))))
    return edits


def _edit(piece: Piece, k: int, shown: ShownNumber, value: Value) -> Edit:
    """Another text for number `k` of `piece`, which holds where it stands."""
    number = shown.number
    for text in rewritings(number, value, in_math=piece.kind == "math"):
        changed = piece.text[: number.start] + text + piece.text[number.end :]
        numbers = list(piece_numbers(replace(piece, text=changed), every=True))
        if any(
            n.number.start == number.start and n.number.text == text and holds(n.number, value)
            for n in numbers[k : k + 1]
        ):
            return Edit(shown.line, shown.column, number.text, text)
    raise NoRepairError(f"nothing in the form of {number.text.strip()} holds for {plain(value)}")


def _confirm(page: Page, claim: Claim, outcome: Outcome, new: Page) -> None:
    """That in the `new` page the claim holds, and everything else is as it was."""
    known = {(p.line, p.message) for p in page.problems}
    if worse := [p.message for p in new.problems if (p.line, p.message) not in known]:
        raise NoRepairError(f"with the numbers of the target, {worse[0]}")
    if [(c.line, c.target) for c in new.claims] != [(c.line, c.target) for c in page.claims]:
        raise NoRepairError("with other numbers, the page reads differently")
    values = [value.raw for value in outcome.values]
    after = compare(new.claims[page.claims.index(claim)], values)
    if after.failures:
        raise NoRepairError(f"with the numbers of the target, {after.failures[0][2]}")


def rewritten(lines: list[str], edits: Iterable[Edit]) -> list[str]:
    """The `lines` of a page after all `edits`, its tables kept straight.

    Raises
    ------
    NoRepairError
        If a number does not stand where an edit expects it.

    """
    new = list(lines)
    for line, column, old, text in sorted(edits, reverse=True):  # from the right
        row = new[line - 1]
        if not row.startswith(old, column - 1):
            raise NoRepairError(f"{old!r} is not written there as it is read")
        new[line - 1] = row[: column - 1] + text + row[column - 1 + len(old) :]
    return realigned(lines, new, (edit.line - 1 for edit in edits))
