"""The pytest side: failures of one line each, and the ledger."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from claims import ledger
from claims.chapter import Outcome
from claims.page import Cell, Claim, Page
from claims.repair import NoRepairError, repair
from claims.repairs import Repairs
from claims.sybil import ClaimFailureError, MarkdownDocument, outcome_of

_STASH = pytest.StashKey["_Run"]()
_PROPERTY = "claims"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Say where the ledger goes, what its claims depend on, and that numbers may be repaired."""
    parser.addini("claims_ledger", "where the ledger is written", default=ledger.DEFAULT_PATH)
    parser.addini(
        "claims_depends", "files and folders the claims depend on", type="args", default=[]
    )
    parser.getgroup("claims", "numbers in a text").addoption(
        "--fix-claims",
        action="store_true",
        help="rewrite the numbers of claims that fail by their value, in the pages, at the digits "
        "they had, and show the sentences around them; the run still fails: read them, run again",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Begin a run with nothing recorded."""
    run = _Run(config)
    config.stash[_STASH] = run
    if not hasattr(config, "workerinput"):  # an xdist worker reports to its controller
        config.pluginmanager.register(run, "claims-run")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, Any, Any]:
    """Attach the claim's record to the report, so that it reaches xdist's controller too."""
    report = yield
    example = getattr(item, "example", None)
    if example is None or call.when != "call" or not isinstance(example.document, MarkdownDocument):
        return report
    record = _record(example, item.config.rootpath)
    if isinstance(error := call.excinfo and call.excinfo.value, ClaimFailureError):
        record["lines"] = error.lines
        if item.config.getoption("fix_claims") and isinstance(example.parsed, Claim):
            record |= _repaired(example)
        report.longrepr = str(error)  # without Sybil's own closing line
    report.user_properties.append((_PROPERTY, record))
    return report


def _record(example: Any, root: Path) -> dict[str, Any]:
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


def _repaired(example: Any) -> dict[str, Any]:
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


class _Run:
    """What one run of pytest has seen: on the controller, reports of all workers."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.root = config.rootpath
        self.depends = {  # as they are before anything is run: a later change is not checked
            name: ledger.digest([self.root / name], self.root)
            for name in config.getini("claims_depends")
        }
        self.pages: dict[str, dict[str, Any]] = {}
        self.lines: list[str] = []
        self.repairs = Repairs(self.root)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what a report says of a claim."""
        for name, record in report.user_properties:
            if name != _PROPERTY or not isinstance(record, dict):
                continue
            if record.get("edits"):
                self.repairs.take(record)
            else:
                why = f" (left as it is: {record['left']})" if record.get("left") else ""
                self.lines += [line + why for line in record.get("lines", [])]
            facts = {key: record[key] for key in ("hash", "total", "steps_total", "givens")}
            page = self.pages.setdefault(record["page"], {**facts, "claims": {}, "steps": {}})
            if step := record.get("step"):
                page["steps"][step[0]] = step[1]
            if claim := record.get("claim"):
                page["claims"][str(claim["index"])] = claim

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Write the ledger, once, from all that ran; then the pages that were repaired."""
        if self.pages:
            self._write_ledger()
        if exitstatus == pytest.ExitCode.TESTS_FAILED:
            self.lines += self.repairs.write()
        else:
            self.lines += self.repairs.refuse("the run was broken off")

    def _write_ledger(self) -> None:
        path = self.root / self.config.getini("claims_ledger")
        try:
            before = ledger.load(path)
        except ledger.LedgerError:
            before = {"pages": {}}  # of another format: begun anew
        known = {
            name: page for name, page in before["pages"].items() if (self.root / name).is_file()
        }
        ledger.save(ledger.merge({"pages": known}, self.pages, self.depends), path)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print each failure on a line of its own, uncut, and each sentence that was changed."""
        if self.lines:
            terminalreporter.section("what no longer holds", red=True)
            for line in self.lines:
                terminalreporter.write_line(line)
        if self.config.getoption("fix_claims"):
            failed = sum(len(terminalreporter.stats.get(kind, ())) for kind in ("failed", "error"))
            terminalreporter.section("numbers rewritten")
            for line in self.repairs.told:
                terminalreporter.write_line(line)
            terminalreporter.write_line(self.repairs.summary(failed))
