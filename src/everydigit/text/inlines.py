"""Read the words of a page: roles, links, math and text, each with its place."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from markdown_it.token import Token

from everydigit.number.prose import find_numbers, is_about
from everydigit.text import vocabulary
from everydigit.text.builder import Notes
from everydigit.text.html import html_words
from everydigit.text.markdown import PLACES, Piece
from everydigit.text.neighbours import Flow, seen
from everydigit.text.page import ShownNumber, split_claim
from everydigit.text.positions import Where, joined

_POINTER_LINK = re.compile(r"\.json#(/|$)")
_TITLE = re.compile(r"(.+?)\s*<[^<]*>\Z", re.DOTALL)
OBJECT = "\N{OBJECT REPLACEMENT CHARACTER}"  # something seen that is no word
GIVEN_DIGITS = 4


class Words(Notes):
    """Reads inline Markdown into pieces, claims and givens of `page`."""

    def words(self, text: str, line: int) -> None:
        """Inline Markdown that stands on one line of the page, outside the block structure."""
        start = max(self.lines[line].find(text), 0)
        env: dict[str, Any] = {}
        for token in self.md.parseInline(text, env):
            self.inline(token, env, lambda offset: (line + 1, start + offset + 1))

    def inline(self, token: Token, env: dict[str, Any], where: Where) -> None:
        """Sort one inline token's children into words, math, links and roles."""
        outer, self.flow = self.flow, Flow()
        self.group += 1
        link, claimed = "", False
        for child, place in joined(token.children or [], env.get(PLACES, {})):
            if child.type == "link_open":
                auto = child.markup in ("autolink", "linkify")
                link = "auto" if auto else str(child.attrs["href"])
                claimed = self.open_link(link, where(max(place - 1, 0)))
                self.title(child, place, token.content, where)
            elif child.type == "link_close":
                if claimed:
                    self.close_link()
                link, claimed = "", False
            elif child.type == "text" and link == "auto":
                self.flow.text += child.content
            else:
                self.child(child, place, token.content, where)
        for line, column, message in self.flow.problems():
            self.problem(line - 1, message, column)
        self.flow = outer

    def child(self, child: Token, place: int, source: str, where: Where) -> None:
        """Read one piece of inline Markdown."""
        if child.type in ("text", "text_special"):
            self.flow.text += child.content
            self.add(Piece(child.content, "text", *where(place)))
        elif child.type in ("softbreak", "hardbreak"):
            self.flow.text += " "
            if self.inside:
                self.add(Piece(" ", "text", *where(place)))
        elif child.type.startswith("math_inline"):
            self.formula(child.content, place + len(child.markup), where)
        elif child.type == "image":
            self.flow.text += OBJECT
            self.stretch(child.content, "text", place + 2, where)
            self.title(child, place, source, where)
        elif child.type == "html_inline":
            if (words := html_words(child.content)).strip():
                self.stretch(words, "text", place, where)
        elif child.type == "code_inline":
            self.code(child.content, place, where)
            self.quote(child.content, where(place)[0] - 1)
        elif child.type == "myst_role":
            self.role(child, place, source, where)
        elif child.type == "footnote_ref":
            self.flow.text += OBJECT
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
        if name == "claim":
            self.sight(line - 1, "claim")
            self.claim_role(content, line, column, lambda offset: where(start + offset))
        elif name == "given":
            self.sight(line - 1, "given")
            self.given(content, line, column)
        elif name == "math":
            self.formula(content, start, where)
        elif name in vocabulary.SPOKEN | vocabulary.TITLED:
            self.spoken(name, content, start, where)
        elif name in vocabulary.SILENT:
            self.code(content, start, where)
        else:
            self.problem(line - 1, f"unknown role {{{name}}}: its numbers are not read")

    def spoken(self, name: str, content: str, start: int, where: Where) -> None:
        """Read the words of a role; of a cross-reference its title, if it has one."""
        titled = _TITLE.match(content) if name in vocabulary.TITLED else None
        if titled:
            content = titled[1]
        elif name in vocabulary.TITLED and name not in vocabulary.NAMES:
            self.code(OBJECT, start, where)
            return
        self.flow.text += content
        self.stretch(content, "text", start, where)

    def formula(self, latex: str, start: int, where: Where) -> None:
        """Read a formula in a line."""
        self.flow.text += seen(latex)
        self.stretch(latex, "math", start, where)

    def code(self, text: str, place: int, where: Where) -> None:
        """Pass over what is no prose, but parts (or touches) what is."""
        self.flow.text += text
        if self.inside:
            self.add(Piece(text, "code", *where(place)))

    def title(self, token: Token, place: int, source: str, where: Where) -> None:
        """Read what is shown when one points at a link or an image."""
        if title := str(token.attrs.get("title", "")):
            offset = source.find(title, place)
            line, column = where(max(offset, place))
            self.page.pieces.append(Piece(title, "text", line, column))

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
        about = is_about(self.flow.text)
        env: dict[str, Any] = {}
        tokens = self.md.parseInline(parts[0], env)
        self.flow.open("claim", line, column)
        with self._filling(claim):
            for shown in tokens:
                self.inline(shown, env, inner)
        self.flow.text += "".join(
            seen(p.text) if p.kind == "math" else p.text for p in claim.pieces
        )
        self.flow.close()
        if about and claim.pieces:
            claim.pieces[0] = replace(claim.pieces[0], about=True)
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
        self.flow.open("given", line, column)
        self.flow.text += content
        self.flow.close()
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
        self.flow.open("claim", *place)
        return True

    def close_link(self) -> None:
        """End the claim that a link began."""
        assert self.inside is not None
        self.flow.close()
        self._take(self.inside)
        self.inside = None
