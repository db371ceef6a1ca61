"""The record of one test of a page: plain data, which xdist may carry and the ledger keeps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from claims import ledger
from claims.chapter import Outcome
from claims.page import Cell, Claim, Page
from claims.repair import NoRepairError, repair
from claims.sybil import MarkdownDocument, outcome_of


def record_of(example: Any, root: Path) -> dict[str, Any]:
    """What the ledger keeps of an example: its page, and the step or claim that it is."""
    page: Page = example.document.page
    unchanged = page.path.read_text(encoding="utf-8") == page.text
    record: dict[str, Any] = {
        "page": page.path.relative_to(root).as_posix(),
        "hash": ledger.digest([page.path], root) if unchanged else "changed during the run",
        "total": len(page.claims),
        "steps_total": 1 + len(page.cells),
        "givens": len(page.givens),
    }
    outcome = outcome_of(example)
    record["tried"] = outcome.tried
    if isinstance(example.parsed, Page):
        record["step"] = ("gate", _failures(outcome))
    elif isinstance(example.parsed, Cell):
        record["step"] = (f"cell {page.cells.index(example.parsed)}", _failures(outcome))
    else:
        claim: Claim = example.parsed
        record["claim"] = {
            "index": (index := page.claims.index(claim)),
            "twin": sum(earlier.key == claim.key for earlier in page.claims[:index]),
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


def repaired(example: Any) -> dict[str, Any]:
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
