"""Read what stands beside the paragraphs: front matter, options, formulas, raw HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml  # type: ignore[import-untyped]
from markdown_it.token import Token

from everydigit.text.html import html_words
from everydigit.text.inlines import Words
from everydigit.text.markdown import Directive, Piece

_PLAIN = {"alt", "link-alt"}
_SEEN = {"caption", "title", "subtitle", "header", "footer"} | _PLAIN
_TITLES = {"title", "subtitle", "short_title", "description", "abstract"}
# Keys of the front matter that the tests know nothing of, and what the site does by them.
_REFUSED = dict.fromkeys(("myst", "substitutions"), "reads this page") | dict.fromkeys(
    ("mystnb", "execution"), "runs or shows the cells of this page"
)


class Asides(Words):
    """Reads words that Markdown does not parse."""

    def math_block(self, latex: str, line: int) -> None:
        """A displayed formula: its text is found again in the source, to place it."""
        rows = latex.strip("\n").split("\n")
        top = next((i for i in range(line, len(self.lines)) if rows[0] in self.lines[i]), line)
        source = self.lines[top : top + len(rows)]
        columns = [max(raw.find(row), 0) + 1 for raw, row in zip(source, rows, strict=True)]
        self.group += 1
        self.add(Piece("\n".join(rows), "math", top + 1, columns[0], tuple(columns[1:])))

    def html(self, token: Token, base: int) -> None:
        """Read the words of raw HTML."""
        first = base + (token.map or [0])[0]
        sources = token.content.split("\n")
        shown = html_words(token.content).split("\n")
        for row, (words, source) in enumerate(zip(shown, sources, strict=True), first):
            column = max(self.lines[row].find(source), 0) + 1 if source else 1
            self.group += 1
            self.add(Piece(words, "text", row + 1, column))

    def option_words(self, block: Directive) -> None:
        """Read captions and alternative texts among a directive's options."""
        for option, text in _captions(block.options):
            for words in text.splitlines():
                found = (line for line in block.option_lines if words in self.lines[line])
                line = next(found, block.line)
                if option in _PLAIN:  # read as it is, without roles
                    column = max(self.lines[line].find(words), 0) + 1
                    self.add(Piece(words, "text", line + 1, column))
                else:
                    self.words(words, line)

    def front_words(self, token: Token) -> None:
        """Read titles in the front matter, and refuse what the site alone obeys."""
        first, end = token.map or [0, 0]
        rows = range(first, min(end, len(self.lines)))
        try:
            front = yaml.safe_load(token.content)
        except yaml.YAMLError as error:
            return self.problem(first, f"the front matter is no YAML: {error}")
        for key, value in front.items() if isinstance(front, dict) else ():
            named = re.compile(rf"[\s{{\"']*{re.escape(str(key))}[\"']?\s*:")
            line = next((i for i in rows if named.match(self.lines[i])), first)
            if key in _REFUSED:
                message = (
                    f"{key!r} here changes how the site {_REFUSED[key]}, and not what is tested"
                )
                self.problem(line, message)
            elif key in _TITLES and value is not None:
                for words in str(value).splitlines():
                    below = (i for i in rows if i >= line and words in self.lines[i])
                    self.words(words, next(below, line))
        return None

    def list_start(self, start: str, line: int) -> None:
        """The number that an ordered list begins with, if it is not one."""
        found = re.search(rf"0*{start}(?=[.)])", self.lines[line])
        self.group += 1
        self.add(Piece(start, "text", line + 1, found.end() - len(start) + 1 if found else 1))


def _captions(options: Any) -> Iterator[tuple[str, str]]:
    """Words a reader sees (or hears) among a directive's options."""
    if not isinstance(options, dict):
        return
    for key, value in options.items():
        if isinstance(value, dict):
            yield from _captions(value)
        elif key in _SEEN and value is not None:
            for words in value if isinstance(value, list) else [value]:
                yield key, str(words)
