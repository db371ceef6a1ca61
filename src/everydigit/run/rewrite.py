"""The repairs of one run: collected, written page by page, and told with their sentences."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from everydigit import ledger
from everydigit.files import write_whole
from everydigit.run.repair import Edit, NoRepairError, rewritten

_LINE_END = re.compile(r"(\r\n|\r|\n)")
_SENTENCE_ENDS = re.compile(r"[.!?:][)\"'*_]*\s*\Z")
# A line that no sentence runs on from, or into: blank, a row, a fence, a heading, an item.
_ALONE = re.compile(r"[ >]*(?:\Z|[|#%]|`{3}|:{3}|~{3}|\$\$)")
_BEGINS = re.compile(r"[ >]*(?:[-*+]|\d+[.)])\s")


class Repairs:
    """What the claims of a run ask to be rewritten, and what became of it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.told: list[str] = []
        self.rewritten = 0
        self.repaired = 0  # failed tests whose claim was rewritten
        self._pages: dict[str, list[dict[str, Any]]] = {}

    def take(self, record: dict[str, Any]) -> None:
        """Keep the record of a claim that can be repaired."""
        self._pages.setdefault(record["page"], []).append(record)

    def write(self) -> Iterator[str]:
        """Write every page; yield the failures on a page that had to be left as it is."""
        for name, records in sorted(self._pages.items()):
            try:
                self._write(name, records)
            except NoRepairError as error:
                for record in records:
                    yield from (f"{line} (left as it is: {error})" for line in record["lines"])

    def refuse(self, why: str) -> Iterator[str]:
        """Write nothing; yield all failures."""
        for records in self._pages.values():
            for record in records:
                yield from (f"{line} (left as it is: {why})" for line in record["lines"])

    def summary(self, failed: int) -> str:
        """What was done and what is left, of the `failed` tests of the run."""
        numbers = "1 number" if self.rewritten == 1 else f"{self.rewritten or 'no'} numbers"
        left = failed - self.repaired
        failures = "1 failure is" if left == 1 else f"{left or 'no'} failures are"
        then = "; read the sentences, then run pytest again" if self.rewritten else ""
        return f"{numbers} rewritten, {failures} left{then}"

    def _write(self, name: str, records: list[dict[str, Any]]) -> None:
        path = self.root / name
        if {record["hash"] for record in records} != {ledger.digest([path], self.root)}:
            raise NoRepairError("the page changed during the run")
        edits = sorted({Edit(*edit) for record in records for edit in record["edits"]})
        pieces = _LINE_END.split(path.read_bytes().decode("utf-8"))
        old = pieces[::2]
        pieces[::2] = new = rewritten(old, edits)
        write_whole(path, "".join(pieces))
        self.rewritten += len(edits)
        self.repaired += len(records)
        self.told += _told(name, old, new, {edit.line - 1 for edit in edits})


def _told(name: str, old: list[str], new: list[str], changed: Iterable[int]) -> Iterator[str]:
    """Each sentence with a number rewritten, before and after; `old` and `new` are lines."""
    done = 0
    for line in sorted(changed):
        if line < done:
            continue
        first, done = _sentence(old, line)
        yield f"{name}:{line + 1}:"
        for row in range(first, done):
            yield f"- {old[row]}" if old[row] != new[row] else f"  {old[row]}"
        yield from (f"+ {new[row]}" for row in range(first, done) if old[row] != new[row])


def _sentence(lines: list[str], line: int) -> tuple[int, int]:
    """The lines, from the first to before the last, that the sentence around `line` takes up."""
    first, end = line, line + 1
    while first and _goes_on(lines[first - 1], lines[first]):
        first -= 1
    while end < len(lines) and _goes_on(lines[end - 1], lines[end]):
        end += 1
    return first, end


def _goes_on(line: str, following: str) -> bool:
    if _ALONE.match(line) or _ALONE.match(following) or _BEGINS.match(following):
        return False
    return not _SENTENCE_ENDS.search(line)
