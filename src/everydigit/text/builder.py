"""What is noted while a page is read: its words, its claims, and its problems."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from everydigit.text.markdown import Kind, Piece
from everydigit.text.neighbours import split_number
from everydigit.text.page import Claim, Page, Problem, normal
from everydigit.text.positions import Where
from everydigit.text.sightings import Sighting, sightings


class PageBuilder:
    """Builds a page from what is noted of it, each thing with its place."""

    def __init__(self, path: Path, text: str) -> None:
        self.page = Page(path, text)
        self.lines = text.split("\n")
        self.github = path.name == "README.md"  # whether GitHub shows it, not the site
        self.inside: Claim | None = None  # the claim whose SHOWN is being read
        self.topics: tuple[str, ...] = ()
        self.group = 0  # counts paragraphs, cells and formulas

    def claim(self, target: str, line: int, column: int, key: str) -> Claim:
        """A claim about the topics at hand, whose SHOWN is yet to be read."""
        return Claim(target, line, column, normal(key), topics=self.topics)

    @contextmanager
    def filling(self, claim: Claim) -> Iterator[None]:
        """What is read meanwhile is SHOWN of `claim`."""
        if self.inside is not None:
            self.problem(claim.line - 1, "a claim inside a claim", claim.column)
        outer, self.inside = self.inside, claim
        yield
        self.inside = outer
        for broken in filter(None, map(split_number, claim.groups)):
            message = f"markup or a line break takes a number apart in {broken!r}: put it around"
            message += " the whole number; for a product write ×"
            self.problem(claim.line - 1, message, claim.column)
        self.page.claims.append(claim)

    def stretch(self, text: str, kind: Kind, start: int, where: Where) -> None:
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

    def quote(self, text: str, line: int) -> None:
        """Text shown as it is: what looks like a claim in it is counted as quoted."""
        self.page.sightings += [replace(s, line=s.line + line) for s in sightings(text)]

    def problem(self, line: int, message: str, column: int | None = None) -> None:
        """Note what would otherwise go unchecked."""
        self.page.problems.append(Problem(line + 1, column or self.indent(line), message))

    def indent(self, line: int) -> int:
        """The column at which a line begins."""
        return len(self.lines[line]) - len(self.lines[line].lstrip()) + 1

    def done(self) -> Page:
        """The page, with what its reading alone could not tell among its problems."""
        page = self.page
        page.problems += _uncounted(page)
        page.problems += [
            Problem(n.line, n.column, f"{n.number.text.strip()} is neither claimed nor given")
            for n in page.naked
        ]
        page.problems.sort(key=lambda p: (p.line, p.column))
        page.claims.sort(key=lambda c: (c.line, c.column))  # a caption is read after its figure
        return page


def _uncounted(page: Page) -> Iterator[Problem]:
    """Found equals run: what looks like a check and was not read as one."""
    read = sorted((s.line, s.what) for s in page.sightings)
    for seen in sightings(page.text):
        if (seen.line, seen.what) in read:
            read.remove((seen.line, seen.what))
        elif not any(p.line == seen.line for p in page.problems):
            never = f"but would never be checked: {seen.text.strip()}"
            yield Problem(seen.line, seen.column, f"this looks like a {seen.what} {never}")
    for line, what in read:
        yield Problem(line, 1, f"a {what} was read here that a plain count does not find")
