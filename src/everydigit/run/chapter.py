"""Run a page once, in order: each cell, and each claim where it stands among them."""

import ast
import contextlib
import linecache
import re
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from everydigit.number.prose import unreadable
from everydigit.text.markdown import Piece
from everydigit.text.page import Cell, Claim, Page
from everydigit.verdict.equations.check import broken_equations
from everydigit.verdict.equations.terms import SYMBOL, Term, math_terms, text_terms
from everydigit.verdict.judge import judge
from everydigit.verdict.rule import plain
from everydigit.verdict.targets import RECORD, LookupFailedError, evaluate, first_line
from everydigit.verdict.values import BadTargetError, Value, flatten

_TERMS: dict[str, Callable[[str], Iterable[Term]]] = {
    "text": text_terms,
    "math": math_terms,
    "code": lambda _: [SYMBOL],
}
_UNREAD = re.compile(r"\b(one|two)\b", re.IGNORECASE)
SHOWN_VALUES = 9  # how many numbers of a value the ledger keeps to show


@dataclass
class Outcome:
    """What came of a cell or a claim: `failures` are (line, column, message).

    `values` are those that a claim's numbers were compared with, one by one, if they could be;
    `tried` is how many changes of them were tried, if any were.
    """

    failures: list[tuple[int, int, str]] = field(default_factory=list)
    detail: str = ""
    value: str = ""
    kind: str = "value"
    values: list[Value] = field(default_factory=list)
    tried: int = 0

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return not self.failures


Compare = Callable[[Claim, Any], Outcome]


class Chapter:
    """A page and its namespace.

    Steps run in the order of the page and only once, so that any test of it may be asked for
    alone, last, or on another worker, and sees the names as they are at its place.
    """

    def __init__(self, page: Page, namespace: dict[str, Any]) -> None:
        self.page = page
        self.namespace = namespace
        self.compare = compare
        namespace.setdefault("__name__", "__main__")
        steps: list[Cell | Claim] = [*page.cells, *page.claims]
        self._waiting = iter(sorted(steps, key=lambda s: (s.line, getattr(s, "column", 0))))
        self._outcomes: dict[int, Outcome] = {}
        self._failed_cell: int | None = None

    def outcome(self, step: Cell | Claim) -> Outcome:
        """The outcome of `step`, after everything before it on the page."""
        while id(step) not in self._outcomes:
            following = next(self._waiting)
            self._outcomes[id(following)] = self._run(following)
        return self._outcomes[id(step)]

    def _run(self, step: Cell | Claim) -> Outcome:
        if self._failed_cell is not None:
            cell = f"the cell at line {self._failed_cell} failed"
            column = step.column if isinstance(step, Claim) else 1
            return Outcome([(step.line, column, f"not checked: {cell}")], kind="not checked")
        with contextlib.chdir(self.page.path.parent):
            if isinstance(step, Cell):
                return self._run_cell(step)
            return check(step, self.namespace, self.page.path.parent, self.compare)

    def _run_cell(self, cell: Cell) -> Outcome:
        if "skip-execution" in cell.tags:
            return Outcome(kind="skipped")
        must_raise = "raises-exception" in cell.tags
        try:
            exec(_compiled(cell, self.page.path), self.namespace)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            if must_raise:
                return Outcome()
            self._failed_cell = cell.line
            return _broken(error, cell, self.page.path)
        if must_raise:
            return Outcome([(cell.line, 1, "this cell is tagged raises-exception and raised none")])
        return Outcome()


def check(
    claim: Claim, namespace: dict[str, Any], folder: Path, comparing: Compare | None = None
) -> Outcome:
    """Compare SHOWN of `claim` with its TARGET, evaluated in `namespace`."""
    try:
        target = evaluate(claim.target, namespace, folder)
        return (comparing or compare)(claim, target)
    except LookupFailedError as error:
        message = str(error)
    except Exception as error:  # whatever an object of the chapter's own may do when looked at
        message = f"{claim.target} cannot be compared: {first_line(error)}"
    return Outcome([(claim.line, claim.column, message)])


def compare(claim: Claim, target: Any) -> Outcome:
    """Compare SHOWN of `claim` with the value `target` of its TARGET."""
    try:
        outcome = _judged(claim, *flatten(target))
    except BadTargetError as error:
        failure = (claim.line, claim.column, f"{claim.target} {error}")
        outcome = Outcome([failure], value=str(error))
    if RECORD.match(claim.target):
        outcome.kind = "record"
    for piece in claim.pieces:
        if piece.kind == "text" and (problem := unreadable(piece.text)):
            outcome.failures.append((piece.line, piece.column, problem))
    for group in claim.groups:
        outcome.failures += _broken_equations(group)
    outcome.failures.sort(key=lambda failure: failure[:2])
    return outcome


def _judged(claim: Claim, values: list[Value], truths: list[bool]) -> Outcome:
    """What comes of the numbers of SHOWN alone."""
    shown = claim.numbers
    matched = all(truths) and len(values) == len(shown)
    outcome = Outcome(
        value=_formatted(values, truths),
        kind=_kind(values, truths),
        values=values if matched else [],
    )
    for index, message in judge([n.number for n in shown], values, truths, claim.target):
        place = claim if index is None else shown[index]
        if len(values) != len(shown) and _UNREAD.search(claim.shown):
            message += "; the words one and two are not read as numbers: write 1 or 2"
        outcome.failures.append((place.line, place.column, message))
    return outcome


def _broken_equations(group: list[Piece]) -> Iterator[tuple[int, int, str]]:
    """Each equation that does not hold, at the place of the words or formula it stands in."""
    terms: list[Term] = []
    places: list[Piece] = []
    for piece in group:
        found = _TERMS[piece.kind](piece.text)
        terms += found
        places += [piece] * (len(terms) - len(places))
    for place, message in broken_equations(terms):
        yield places[place].line, places[place].column, message


def _compiled(cell: Cell, path: Path) -> Any:
    """The cell's code: at its true lines, and with pytest's own words for a failed assert."""
    source = "\n" * (cell.code_line - 1) + cell.source
    tree = ast.parse(source, filename=str(path))
    with contextlib.suppress(ImportError):
        from _pytest.assertion.rewrite import rewrite_asserts

        rewrite_asserts(tree, source.encode(), str(path))
    return compile(tree, str(path), "exec")


def _broken(error: BaseException, cell: Cell, path: Path) -> Outcome:
    """The failure of a cell, at the line of the page that raised."""
    linecache.checkcache(str(path))
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == str(path)]
    line = frames[-1].lineno if frames else getattr(error, "lineno", None)
    detail = "".join(traceback.format_exception(error, limit=-max(len(frames), 1)))
    return Outcome([(line or cell.line, 1, f"the cell raised {first_line(error)}")], detail)


def _kind(values: list[Value], truths: list[bool]) -> str:
    if not values:
        return "truth" if truths else "value"
    return "exact" if all(v.exact for v in values) else "value"


def _formatted(values: list[Value], truths: list[bool]) -> str:
    """The value as the ledger shows it: at most nine numbers."""
    shown = [plain(value) for value in values[:SHOWN_VALUES]]
    if len(values) > SHOWN_VALUES:
        shown.append(f"… ({len(values)} in all)")
    return ", ".join(shown + [str(t) for t in truths[:1] if not values])
