"""The pytest side: failures of one line each, and the ledger."""

from collections.abc import Generator, Iterator
from typing import Any

import pytest

from everydigit import ledger
from everydigit.run.document import ClaimFailureError, MarkdownDocument
from everydigit.run.mutate import compare_mutated
from everydigit.run.record import record_of, repair_of
from everydigit.run.rewrite import Repairs
from everydigit.text.page import Claim

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
    parser.getgroup("claims").addoption(
        "--mutate-claims",
        action="store_true",
        help="change every digit of every claim that holds, one at a time, and fail where the "
        "check behind it does not notice",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Begin a run with nothing recorded."""
    run = _Run(config)
    config.stash[_STASH] = run
    if not hasattr(config, "workerinput"):  # an xdist worker reports to its controller
        config.pluginmanager.register(run, "claims-run")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Have the claims of a page judged with all their changes, if that was asked for."""
    document = getattr(getattr(item, "example", None), "document", None)
    if item.config.getoption("mutate_claims") and isinstance(document, MarkdownDocument):
        assert document.chapter is not None
        document.chapter.compare = compare_mutated


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, Any, Any]:
    """Attach the claim's record to the report, so that it reaches xdist's controller too."""
    report = yield
    example = getattr(item, "example", None)
    if example is None or call.when != "call" or not isinstance(example.document, MarkdownDocument):
        return report
    record = record_of(example, item.config.rootpath)
    if isinstance(error := call.excinfo and call.excinfo.value, ClaimFailureError):
        record["lines"] = error.lines
        if item.config.getoption("fix_claims") and isinstance(example.parsed, Claim):
            record |= repair_of(example)
        report.longrepr = str(error)  # without Sybil's own closing line
    report.user_properties.append((_PROPERTY, record))
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: Any) -> Generator[None, Any, Any]:
    """Keep out of pytest's own sections the failures whose lines are printed in ours.

    They stay failures: of the exit code, of `--lf`, and in the last line's count.
    """
    stats = terminalreporter.stats
    failed = stats.get("failed", [])
    if failed:
        stats["failed"] = [report for report in failed if not _is_told(report)]
    try:
        return (yield)
    finally:
        if failed:
            stats["failed"] = failed


def _is_told(report: pytest.TestReport) -> bool:
    """Whether a report says no more than its lines: no traceback, no captured output."""
    told = ["\n".join(record.get("lines", [])) for record in _records(report)]
    return report.longrepr in told and not report.sections


def _records(report: pytest.TestReport) -> Iterator[dict[str, Any]]:
    """What `pytest_runtest_makereport` attached to a report."""
    for name, record in report.user_properties:
        if name == _PROPERTY and isinstance(record, dict):
            yield record


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
        self.failed = 0
        self.tried = 0
        self.unwritten = ""
        self.repairs = Repairs(self.root)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what a report says of a claim."""
        for record in _records(report):
            if record.get("edits"):
                self.repairs.take(record)
            else:
                why = f" (left as it is: {record['left']})" if record.get("left") else ""
                self.lines += [line + why for line in record.get("lines", [])]
            self.tried += record["tried"]
            facts = {key: record[key] for key in ("hash", "total", "steps_total", "givens")}
            page = self.pages.setdefault(record["page"], {**facts, "claims": {}, "steps": {}})
            if step := record.get("step"):
                page["steps"][step[0]] = step[1]
            if claim := record.get("claim"):
                page["claims"][str(claim["index"])] = claim

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Write the ledger, once, from all that ran; then the pages that were repaired."""
        self.failed = session.testsfailed
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
        try:
            ledger.save(ledger.merge({"pages": known}, self.pages, self.depends), path)
        except OSError as error:  # the verdict is told all the same
            self.unwritten = f"ledger not written: {error}"

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print each failure on a line of its own, uncut, and each sentence that was changed."""
        if self.lines:
            terminalreporter.write_sep("=", "what no longer holds", red=True)
            for line in self.lines:
                terminalreporter.write_line(line)
        if self.unwritten:
            terminalreporter.write_line(self.unwritten)
        if self.config.getoption("mutate_claims"):
            terminalreporter.write_line(f"{self.tried:,} changes of numbers in claims were tried")
        if self.config.getoption("fix_claims"):
            terminalreporter.write_sep("=", "numbers rewritten")
            for line in self.repairs.told:
                terminalreporter.write_line(line)
            terminalreporter.write_line(self.repairs.summary(self.failed))
