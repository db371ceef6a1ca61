"""What the ledger says of the claims on a page, and whether it may still say so."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
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
    anchor: str = ""
    value: str = ""


class Checks:
    """The ledger, seen from the site."""

    def __init__(self, book: Mapping[str, Any], root: Path) -> None:
        self._pages: Mapping[str, Any] = book["pages"]
        self._root = root
        self._seen: dict[str, PageChecks] = {}

    def page(self, source: str) -> PageChecks:
        """The checks of the page with this source path."""
        if source not in self._seen:
            self._seen[source] = PageChecks(source, self._pages.get(source), self._root)
        return self._seen[source]

    def pages(self) -> list[PageChecks]:
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

    @cached_property
    def _by_key(self) -> dict[tuple[str, int], dict[str, Any]]:
        return {(record["key"], record["twin"]): record for record in self.records}

    def state(self, keys: Sequence[str], number: int) -> State:
        """The state of claim `number` among `keys`, the claims of the page as the site read it.

        A claim that stands more than once on a page is told apart by how many came before.
        """
        key = keys[number]
        if record := self._by_key.get((key, keys[:number].count(key))):
            return self.told(record)
        known = self.entry and not self.current
        return State("unchecked", f"not checked: {STALE if known else NO_LEDGER}")

    def told(self, record: Mapping[str, Any]) -> State:
        """The state that a record stands for, now."""
        anchor = self.anchor(record)
        if not self.current:
            return State("unchecked", f"not checked: {STALE}", anchor)
        value = "" if record["value"] == "True" else record["value"]
        if record["outcome"] == "not checked":
            return State("unchecked", f"not checked: {CELL_FAILED}", anchor)
        if record["outcome"] != "checked":
            why = "; ".join(message for _, message in record["failures"])
            return State("failed", f"does not hold: {why}", anchor, value)
        return State("checked", "checked", anchor, value)

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

    def anchor(self, record: Mapping[str, Any]) -> str:
        """The record's place on the ledger page."""
        stem = Path(self.source).with_suffix("").as_posix().replace("/", "-").lower()
        return f"ledger-{stem}-{record['index']}"

    def unchecked(self, keys: Sequence[str]) -> Iterator[tuple[str, str]]:
        """The claims that may not be called checked, each with the reason."""
        for number, key in enumerate(keys):
            state = self.state(keys, number)
            if state.name != "checked":
                yield key, state.sentence
