"""What the ledger says of the claims on a page, and whether it may still say so."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any

from everydigit import ledger

NO_LEDGER = "no record of it: run pytest"
CELL_FAILED = "a cell above it failed"
STALE = "the page or what it depends on has changed since: run pytest"


@dataclass(frozen=True)
class State:
    """One claim, as a reader is told of it."""

    name: str  # checked, failed or unchecked
    sentence: str
    number: int  # its record's, or one that no record of its page has
    anchor: str = ""  # its row on the ledger page
    value: str = ""


class Checks:
    """The ledger, seen from the site."""

    def __init__(self, book: Mapping[str, Any], root: Path) -> None:
        self._pages: Mapping[str, Any] = book["pages"]
        self._root = root
        self._seen: dict[str, PageChecks] = {}

    def page(self, source: str) -> "PageChecks":
        """The checks of the page with this source path."""
        if source not in self._seen:
            self._seen[source] = PageChecks(source, self._pages.get(source), self._root)
        return self._seen[source]

    def pages(self) -> list["PageChecks"]:
        """All pages that the ledger knows and that still exist."""
        return [self.page(name) for name in self._pages if (self._root / name).is_file()]

    def digest(self, source: str | None = None) -> str:
        """A hash that changes when what a page (or any page) may show changes."""
        pages = self.pages() if source is None else [self.page(source)]
        facts = [(p.source, p.current, p.entry) for p in pages]
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


class PageChecks:
    """The records of one page."""

    def __init__(self, source: str, entry: Mapping[str, Any] | None, root: Path) -> None:
        self.source = source
        self.entry = entry
        self._root = root

    @cached_property
    def current(self) -> bool:
        """Whether nothing that the records depend on has changed since."""
        return self.entry is not None and ledger.current(self.entry, self.source, self._root)

    @property
    def complete(self) -> bool:
        """Whether a current run has been through all of the page, whatever came of it."""
        if self.entry is None or not self.current:
            return False
        seen = len(self.entry["steps"]), len(self.entry["claims"])
        return seen == (self.entry["steps_total"], self.entry["total"])

    @cached_property
    def records(self) -> list[dict[str, Any]]:
        """The page's records in the order of the page."""
        found = self.entry["claims"].values() if self.entry else ()
        return sorted(found, key=lambda record: int(record["index"]))

    def states(self, claims: Sequence[tuple[str, int]]) -> list[State]:
        """The state of each of `claims`, those of the page as the site read it.

        A claim is what it says and the line its block begins on, in the order of the lines.
        """
        found = list(self._found(claims))
        taken = {record["index"] for record in found if record}
        free = (number for number in count() if number not in taken)
        why = f"not checked: {STALE if self.entry and not self.current else NO_LEDGER}"
        return [
            self.told(record) if record else State("unchecked", why, next(free)) for record in found
        ]

    def _found(self, claims: Sequence[tuple[str, int]]) -> Iterator[dict[str, Any] | None]:
        """The record of each claim: of those that say the very same, the first not taken.

        One in a footnote that nothing refers to is not on the page: where there are more records
        than claims, those of lines above the claim's are passed over.
        """
        twins: dict[str, dict[int, dict[str, Any]]] = {key: {} for key, _ in claims}
        for record in self.records:
            twins.setdefault(record["key"], {})[record["twin"]] = record
        left, next_ = Counter(key for key, _ in claims), Counter[str]()
        for key, line in claims:
            while (
                max(twins[key], default=0) + 1 - next_[key] > left[key]
                and twins[key].get(next_[key], {"line": line})["line"] < line
            ):
                next_[key] += 1
            yield twins[key].get(next_[key])
            next_[key] += 1
            left[key] -= 1

    def told(self, record: Mapping[str, Any]) -> State:
        """The state that a record stands for, now."""
        name, sentence, value = self._said(record)
        stem = Path(self.source).with_suffix("").as_posix().replace("/", "-").lower()
        number = record["index"]
        return State(name, sentence, number, f"ledger-{stem}-{number}", value)

    def _said(self, record: Mapping[str, Any]) -> tuple[str, str, str]:
        if not self.current:
            return "unchecked", f"not checked: {STALE}", ""
        value = "" if record["value"] == "True" else record["value"]
        if record["outcome"] == "not checked":
            return "unchecked", f"not checked: {CELL_FAILED}", ""
        if record["outcome"] != "checked":
            why = "; ".join(message for _, message in record["failures"])
            return "failed", f"does not hold: {why}", value
        return "checked", "checked", value

    def trouble(self) -> str:
        """What keeps the page as a whole from being called checked; empty if nothing does.

        A number that no claim covers, or a cell that failed, belongs to no claim.
        """
        if not self.entry:
            return NO_LEDGER
        if not self.current:
            return STALE
        steps: Iterable[list[list[Any]]] = self.entry["steps"].values()
        if found := [f"line {line}: {message}" for step in steps for line, message in step]:
            return found[0] + (f" (and {len(found) - 1} more)" if found[1:] else "")
        left = self.entry["steps_total"] - len(self.entry["steps"])
        return f"{left} of its cells and its gate were not run: run pytest" if left else ""

    def failures(self) -> list[tuple[int, str]]:
        """What does not hold on the page as it is now: the line, and why.

        What a failed cell keeps from being checked is not repeated: the cell is in the list.
        """
        if not self.entry or not self.current:
            return []
        found = [failure for step in self.entry["steps"].values() for failure in step]
        for record in self.records:
            found += record["failures"] if record["outcome"] == "failed" else []
        return sorted((line, why) for line, why in found if not why.startswith("not checked: "))
