"""The record of one test of a page: plain data, which xdist may carry and the ledger keeps."""

from collections import Counter
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from everydigit import ledger
from everydigit.run.chapter import Outcome
from everydigit.run.document import MarkdownDocument, outcome_of
from everydigit.run.repair import NoRepairError, repair
from everydigit.text.page import Cell, Claim, Page


class Numbered:
    """What all records of a page have in common, and the number of each of its steps.

    It is worked out once a page: a long one is not read again for each of its claims.
    """

    def __init__(self, page: Page, root: Path) -> None:
        unchanged = page.path.read_text(encoding="utf-8") == page.text
        self.facts = {
            "page": page.path.relative_to(root).as_posix(),
            "hash": ledger.digest([page.path], root) if unchanged else "changed during the run",
            "total": len(page.claims),
            "steps_total": 1 + len(page.cells),
            "givens": len(page.givens),
        }
        steps: tuple[list[Cell], list[Claim]] = (page.cells, page.claims)
        self.index = {id(step): index for kind in steps for index, step in enumerate(kind)}
        self.twin: dict[int, int] = {}  # how many claims before say the very same
        seen: Counter[str] = Counter()
        for claim in page.claims:
            self.twin[id(claim)] = seen[claim.key]
            seen[claim.key] += 1


_pages: WeakKeyDictionary[MarkdownDocument, Numbered] = WeakKeyDictionary()


def record_of(example: Any, root: Path) -> dict[str, Any]:
    """What the ledger keeps of an example: its page, and the step or claim that it is."""
    document: MarkdownDocument = example.document
    assert document.page is not None
    numbered = _pages.get(document) or _pages.setdefault(document, Numbered(document.page, root))
    record: dict[str, Any] = dict(numbered.facts)
    outcome = outcome_of(example)
    record["tried"] = outcome.tried
    if isinstance(example.parsed, Page):
        record["step"] = ("gate", _failures(outcome))
    elif isinstance(example.parsed, Cell):
        record["step"] = (f"cell {numbered.index[id(example.parsed)]}", _failures(outcome))
    else:
        claim: Claim = example.parsed
        record["claim"] = {
            "index": numbered.index[id(claim)],
            "twin": numbered.twin[id(claim)],
            "line": claim.line,
            "column": claim.column,
            "shown": claim.shown,
            "target": claim.target,
            "key": claim.key,
            "topics": list(claim.topics),
            "numbers": len(claim.numbers),
            "value": outcome.value,
            "kind": outcome.kind,
            "outcome": _word(outcome),
            "failures": _failures(outcome),
        }
    return record


def _failures(outcome: Outcome) -> list[list[Any]]:
    return [[line, " ".join(message.split())] for line, _, message in outcome.failures]


def repair_of(example: Any) -> dict[str, Any]:
    """The edits that repair a failed claim, or why it is left as it is."""
    document: MarkdownDocument = example.document
    assert document.page is not None
    assert document.read is not None
    try:
        edits = repair(document.page, example.parsed, outcome_of(example), document.read)
        return {"edits": [tuple(edit) for edit in edits]}
    except NoRepairError as error:
        return {"left": str(error)}


def _word(outcome: Outcome) -> str:
    if outcome.passed:
        return "checked"
    return "not checked" if outcome.kind == "not checked" else "failed"
