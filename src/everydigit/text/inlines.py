"""Read the words of a page: roles, links, math and text, each with its place."""

import re
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from everydigit.number.prose import find_numbers, is_about
from everydigit.text import vocabulary
from everydigit.text.builder import PageBuilder
from everydigit.text.html import html_words
from everydigit.text.markdown import PLACES, Kind, Piece
from everydigit.text.neighbours import Flow, seen
from everydigit.text.page import ShownNumber, split_claim
from everydigit.text.positions import Where, joined

_POINTER_LINK = re.compile(r"\.json#(/|$)")
_TITLE = re.compile(r"(.+?)\s*<[^<]*>\Z", re.DOTALL)
OBJECT = "\N{OBJECT REPLACEMENT CHARACTER}"  # something seen that is no word
GIVEN_DIGITS = 4
# What is read into a sentence for what has no words of its own.
_FLOWS = {"softbreak": " ", "hardbreak": " ", "image": OBJECT, "footnote_ref": OBJECT}


@dataclass
class Inlines:
    """Walks inline Markdown and notes its pieces, claims and givens."""

    builder: PageBuilder
    md: MarkdownIt
    flow: Flow = field(default_factory=Flow)  # the text being read, as a reader sees it

    def words(self, text: str, line: int) -> None:
        """Inline Markdown that stands on one line of the page, outside the block structure."""
        start = max(self.builder.lines[line].find(text), 0)
        self.parse(text, lambda offset: (line + 1, start + offset + 1))

    def parse(self, text: str, where: Where) -> None:
        """Inline Markdown that is not yet taken apart."""
        env: dict[str, Any] = {}
        for token in self.md.parseInline(text, env):
            self.walk(token, env, where)

    def walk(self, token: Token, env: dict[str, Any], where: Where) -> None:
        """Sort one inline token's children into words, math, links and roles."""
        outer, self.flow = self.flow, Flow()
        self.builder.group += 1
        auto, link = False, ExitStack()
        for child, place in joined(token.children or [], env.get(PLACES, {})):
            if child.type == "link_open":
                auto = child.markup in ("autolink", "linkify")
                if not auto:
                    self.link(str(child.attrs["href"]), where(max(place - 1, 0)), link)
                self.title(child, place, token.content, where)
            elif child.type == "link_close":
                auto = False
                link.close()
            elif child.type == "text" and auto:
                self.flow.text += child.content
            else:
                self.child(child, place, token.content, where)
        for line, column, message in self.flow.problems():
            self.builder.problem(line - 1, message, column)
        self.flow = outer

    def child(self, child: Token, place: int, source: str, where: Where) -> None:
        """Read one piece of inline Markdown."""
        self.flow.text += _FLOWS.get(child.type, "")
        if child.type in ("text", "text_special"):
            self.say(child.content, place, where)
        elif child.type in ("softbreak", "hardbreak"):
            self.part(" ", place, where, "text")
        elif child.type.startswith("math_inline"):
            self.say(child.content, place + len(child.markup), where, "math")
        elif child.type == "image":
            self.flow.text += OBJECT
            self.builder.stretch(child.content, "text", place + 2, where)
            self.title(child, place, source, where)
        elif child.type == "html_inline":
            if (words := html_words(child.content)).strip():
                self.builder.stretch(words, "text", place, where)
        elif child.type == "code_inline":
            self.part(child.content, place, where)
            self.builder.quote(child.content, where(place)[0] - 1)
        elif child.type == "myst_role":
            self.role(child, place, source, where)
        elif child.type == "substitution_inline":
            self.builder.problem(where(place)[0] - 1, "a substitution hides what it shows")

    def say(self, text: str, start: int, where: Where, kind: Kind = "text") -> None:
        """Read words or a formula in a line."""
        self.flow.text += seen(text) if kind == "math" else text
        self.builder.stretch(text, kind, start, where)

    def part(self, text: str, place: int, where: Where, kind: Kind = "code") -> None:
        """Pass over what is no prose, but parts (or touches) what is."""
        self.flow.text += text
        if self.builder.inside:
            self.builder.add(Piece(text, kind, *where(place)))

    def title(self, token: Token, place: int, source: str, where: Where) -> None:
        """Read what is shown when one points at a link or an image."""
        if title := str(token.attrs.get("title", "")):
            offset = source.find(title, place)
            self.builder.page.pieces.append(Piece(title, "text", *where(max(offset, place))))

    def role(self, token: Token, place: int, source: str, where: Where) -> None:
        """Read a role by its name; an unknown one is a problem, never passed over."""
        name = token.meta["name"]
        line, column = where(place)
        quoted = source[source.index("`", place) :]
        start = len(source) - len(quoted.lstrip("`"))
        content = source[start : start + len(token.content)]  # with its line breaks
        if name == "claim":
            self.claim(content, line, column, lambda offset: where(start + offset))
        elif name == "given":
            self.given(content, line, column)
        elif name == "math":
            self.say(content, start, where, "math")
        elif name in vocabulary.SPOKEN:
            self.say(content, start, where)
        elif name in vocabulary.TITLED:
            self.titled(name, content, start, where)
        elif name in vocabulary.SILENT:
            self.part(content, start, where)
        else:
            self.builder.problem(line - 1, f"unknown role {{{name}}}: its numbers are not read")

    def titled(self, name: str, content: str, start: int, where: Where) -> None:
        """Read the title of a cross-reference, if it has one."""
        title = _TITLE.match(content)
        if title or name in vocabulary.NAMES:
            self.say(title[1] if title else content, start, where)
        else:
            self.part(OBJECT, start, where)

    def claim(self, content: str, line: int, column: int, inner: Where) -> None:
        """Read SHOWN of a claim as inline Markdown of its own."""
        self.builder.sight(line - 1, "claim")
        parts = split_claim(content)
        if parts is None:
            message = f"a claim without a target: {content!r} has no <TARGET> at its end"
            return self.builder.problem(line - 1, message, column)
        claim = self.builder.claim(parts[1], line, column, content)
        about = is_about(self.flow.text)
        with self.flow.mark("claim", line, column):
            with self.builder.filling(claim):
                self.parse(parts[0], inner)
            shown = (seen(p.text) if p.kind == "math" else p.text for p in claim.pieces)
            self.flow.text += "".join(shown)
        if about and claim.pieces:
            claim.pieces[0] = replace(claim.pieces[0], about=True)
        return None

    def given(self, content: str, line: int, column: int) -> None:
        """Read a stipulated number."""
        self.builder.sight(line - 1, "given")
        numbers = find_numbers(content)
        digits = sum(map(str.isdigit, content))
        if self.builder.inside:
            message = "a given inside a claim: the claim checks it"
            return self.builder.problem(line - 1, message, column)
        if len(numbers) != 1 or digits > GIVEN_DIGITS:
            message = f"given holds one number of at most {GIVEN_DIGITS} digits, not {content!r}"
            return self.builder.problem(line - 1, message, column)
        self.builder.page.givens.append(ShownNumber(numbers[0], line, column))
        with self.flow.mark("given", line, column):
            self.flow.text += content
        return None

    def link(self, href: str, place: tuple[int, int], link: ExitStack) -> None:
        """Begin a claim at a README's link to a record; it ends when `link` is closed."""
        if _POINTER_LINK.search(href) and self.builder.github:
            link.enter_context(self.flow.mark("claim", *place))
            link.enter_context(self.builder.filling(self.builder.claim(href, *place, href)))
        elif _POINTER_LINK.search(href):
            message = "a link to a record becomes a download here: write a claim"
            self.builder.problem(place[0] - 1, message, place[1])
