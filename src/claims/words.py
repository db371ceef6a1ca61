"""Read the words of a page: roles, links, math and text, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from claims import markup
from claims.counts import Sighting, sightings
from claims.markup import PLACES, Piece
from claims.numbers import SIGNS, find_numbers, is_sign
from claims.page import Claim, Page, Problem, ShownNumber, normal, split_claim
from claims.places import Where, joined

_TAG = re.compile(r"<!--.*?-->|<[^>]*>", re.DOTALL)
_ALT = re.compile(r"""\balt=(["'])(?P<words>.*?)\1""", re.DOTALL)
_POINTER_LINK = re.compile(r"\.json#(/|$)")
GIVEN_DIGITS = 4


class Words:
    """Reads inline Markdown into pieces, claims and givens of `page`."""

    def __init__(
        self,
        path: Path,
        text: str,
        extensions: frozenset[str],
        prose: frozenset[str],
        verbatim: frozenset[str],
    ) -> None:
        self.github = path.name == "README.md"
        self.md: MarkdownIt = markup.parser(extensions, github=self.github)
        self.page = Page(path, text)
        self.lines = text.split("\n")
        self.prose = markup.PROSE | prose
        self.verbatim = markup.VERBATIM | verbatim
        self.inside: Claim | None = None  # the claim whose SHOWN is being read
        self.topics: tuple[str, ...] = ()
        self.nested = 0

    def words(self, text: str, line: int) -> None:
        """Inline Markdown that stands on one line of the page, outside the block structure."""
        start = max(self.lines[line].find(text), 0)
        env: dict[str, Any] = {}
        for token in self.md.parseInline(text, env):
            self.inline(token, env, lambda offset: (line + 1, start + offset + 1))

    def inline(self, token: Token, env: dict[str, Any], where: Where) -> None:
        """Sort one inline token's children into words, math, links and roles."""
        places = env.get(PLACES, {})
        link: str | None = None
        claimed = False
        for child, place in joined(token.children or [], places):
            if child.type == "link_open":
                link = (
                    "auto" if child.markup in ("autolink", "linkify") else str(child.attrs["href"])
                )
                claimed = self.open_link(link, where(max(place - 1, 0)))
            elif child.type == "link_close":
                link = None
                if claimed:
                    self.close_link()
                claimed = False
            elif (child.type == "text" and link != "auto") or child.type == "text_special":
                self.add(Piece(child.content, "text", *where(place)))
            elif child.type.startswith("math_inline"):
                self.stretch(child.content, "math", place + len(child.markup), where)
            elif child.type == "image":
                self.stretch(child.content, "text", place + 2, where)
            elif child.type == "html_inline":
                self.stretch(html_words(child.content), "text", place, where)
            elif child.type == "code_inline":
                self.quote(child.content, where(place)[0] - 1)
            elif child.type == "myst_role":
                self.role(child, place, token.content, where)
            elif child.type == "substitution_inline":
                self.problem(where(place)[0] - 1, "a substitution hides what it shows")

    def role(self, token: Token, place: int, source: str, where: Where) -> None:
        """Read a role by its name; an unknown one is a problem, never passed over."""
        name = token.meta["name"]
        line, column = where(place)
        start = source.index("`", place)
        while source[start] == "`":
            start += 1
        content = source[start : start + len(token.content)]  # with its line breaks
        inner: Where = lambda offset: where(start + offset)  # noqa: E731
        signed = place > 0 and source[place - 1] in SIGNS and is_sign(source, place - 1)
        if signed and name in ("claim", "given"):
            self.problem(line - 1, f"the sign before this {name} is no part of it", column - 1)
        if name == "claim":
            self.sight(line - 1, "claim")
            self.claim_role(content, line, column, inner)
        elif name == "given":
            self.sight(line - 1, "given")
            self.given(content, line, column)
        elif name == "math":
            self.stretch(content, "math", start, where)
        elif name in markup.SPOKEN:
            self.stretch(content, "text", start, where)
        elif name not in markup.REFERENCES and ":" not in name:
            self.problem(line - 1, f"unknown role {{{name}}}: its numbers are not read")

    def claim_role(self, content: str, line: int, column: int, inner: Where) -> None:
        """Read SHOWN of a claim as inline Markdown of its own."""
        parts = split_claim(content)
        if parts is None:
            return self.problem(
                line - 1,
                f"a claim without a target: {content!r} has no <TARGET> at its end",
                column,
            )
        claim = self._claim(parts[1], line, column, content)
        env: dict[str, Any] = {}
        tokens = self.md.parseInline(parts[0], env)
        with self._filling(claim):
            for shown in tokens:
                self.inline(shown, env, inner)
        return None

    def given(self, content: str, line: int, column: int) -> None:
        """Read a stipulated number."""
        numbers = find_numbers(content)
        digits = sum(map(str.isdigit, content))
        if self.inside:
            return self.problem(line - 1, "a given inside a claim: the claim checks it", column)
        if len(numbers) != 1 or digits > GIVEN_DIGITS:
            return self.problem(
                line - 1,
                f"given holds one number of at most {GIVEN_DIGITS} digits, not {content!r}",
                column,
            )
        self.page.givens.append(ShownNumber(numbers[0], line, column))
        return None

    def open_link(self, href: str, place: tuple[int, int]) -> bool:
        """Begin a claim at a README's link to a record."""
        if not _POINTER_LINK.search(href):
            return False
        if not self.github:
            self.problem(
                place[0] - 1, "a link to a record becomes a download here: write a claim", place[1]
            )
            return False
        self.inside = self._claim(href, place[0], place[1], href)
        return True

    def close_link(self) -> None:
        """End the claim that a link began."""
        assert self.inside is not None
        self.page.claims.append(self.inside)
        self.inside = None

    @contextmanager
    def _filling(self, claim: Claim) -> Iterator[None]:
        """What is read meanwhile is SHOWN of `claim`."""
        if self.inside is not None:
            self.problem(claim.line - 1, "a claim inside a claim", claim.column)
        outer, self.inside = self.inside, claim
        yield
        self.inside = outer
        self.page.claims.append(claim)

    def stretch(self, text: str, kind: markup.Kind, start: int, where: Where) -> None:
        """Words or a formula from `start` of an inline source on, maybe over several lines."""
        breaks = [match.end() for match in re.finditer("\n", text)]
        further = tuple(where(start + position)[1] for position in breaks)
        self.add(Piece(text, kind, *where(start), further))

    def add(self, piece: Piece) -> None:
        """Put a piece where it belongs: to the claim being read, or to the page."""
        (self.inside.pieces if self.inside else self.page.pieces).append(piece)

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


def html_words(html: str) -> str:
    """Raw HTML with its tags blanked, alternative texts excepted: what a reader sees or hears."""

    def blank(tag: re.Match[str]) -> str:
        letters = list(re.sub(r"[^\n]", " ", tag[0]))
        for alt in _ALT.finditer(tag[0]) if not tag[0].startswith("<!--") else ():
            letters[slice(*alt.span("words"))] = alt["words"]
        return "".join(letters)

    return _TAG.sub(blank, html)
