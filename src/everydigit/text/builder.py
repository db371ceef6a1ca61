"""What is noted while a page is read: its words, its claims, and its problems."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from markdown_it import MarkdownIt

from everydigit.text import markdown, vocabulary
from everydigit.text.markdown import Piece
from everydigit.text.neighbours import Flow, split_number
from everydigit.text.page import Claim, Page, Problem, normal
from everydigit.text.positions import Where
from everydigit.text.sightings import Sighting, sightings


class Notes:
    """Takes notes of a page, each with its place."""

    def __init__(
        self,
        path: Path,
        text: str,
        extensions: frozenset[str],
        prose: frozenset[str],
        verbatim: frozenset[str],
    ) -> None:
        self.github = path.name == "README.md"
        self.md: MarkdownIt = markdown.parser(extensions, github=self.github)
        self.page = Page(path, text)
        self.lines = text.split("\n")
        self.prose = vocabulary.PROSE | prose
        self.verbatim = vocabulary.VERBATIM | verbatim
        self.inside: Claim | None = None  # the claim whose SHOWN is being read
        self.topics: tuple[str, ...] = ()
        self.nested = 0
        self.flow = Flow()  # the line of text being read, as a reader sees it
        self.group = 0  # counts such texts, and formulas

    @contextmanager
    def _filling(self, claim: Claim) -> Iterator[None]:
        """What is read meanwhile is SHOWN of `claim`."""
        if self.inside is not None:
            self.problem(claim.line - 1, "a claim inside a claim", claim.column)
        outer, self.inside = self.inside, claim
        yield
        self.inside = outer
        self._take(claim)

    def _take(self, claim: Claim) -> None:
        for group in claim.groups:
            if broken := split_number(group):
                message = (
                    f"markup or a line break takes a number apart in {broken!r}: put it around"
                )
                self.problem(
                    claim.line - 1,
                    f"{message} the whole number; for a product write ×",
                    claim.column,
                )
        self.page.claims.append(claim)

    def stretch(self, text: str, kind: markdown.Kind, start: int, where: Where) -> None:
        """Words or a formula from `start` of an inline source on, maybe over several lines."""
        breaks = [match.end() for match in re.finditer("\n", text)]
        further = tuple(where(start + position)[1] for position in breaks)
        self.add(Piece(text, kind, *where(start), further))

    def add(self, piece: Piece) -> None:
        """Put a piece where it belongs: to the claim being read, or to the page."""
        pieces = self.inside.pieces if self.inside else self.page.pieces
        pieces.append(replace(piece, group=self.group))

    def sight(self, line: int, what: str) -> None:
        """Note that something to check was read on this line."""
        self.page.sightings.append(Sighting(line + 1, 1, what, ""))

    def problem(self, line: int, message: str, column: int | None = None) -> None:
        """Note what would otherwise go unchecked."""
        self.page.problems.append(Problem(line + 1, column or self._indent(line), message))

    def _claim(self, target: str, line: int, column: int, key: str) -> Claim:
        return Claim(target, line, column, normal(key), topics=self.topics)

    def _indent(self, line: int) -> int:
        return len(self.lines[line]) - len(self.lines[line].lstrip()) + 1

    def quote(self, text: str, line: int) -> None:
        """Text shown as it is: what looks like a claim in it is counted as quoted."""
        self.page.sightings += [replace(s, line=s.line + line) for s in sightings(text)]
