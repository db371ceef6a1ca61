"""Read what stands beside the paragraphs: front matter, options, formulas, raw HTML."""

import re
from collections.abc import Iterator
from typing import Any

import yaml
from markdown_it.token import Token

from everydigit.text.builder import PageBuilder
from everydigit.text.html import html_words
from everydigit.text.inlines import Inlines
from everydigit.text.markdown import Directive, Piece

_PLAIN = {"alt", "link-alt"}
_SEEN = {"caption", "title", "subtitle", "header", "footer"} | _PLAIN
_TITLES = {"title", "subtitle", "short_title", "description", "abstract"}
# Keys of the front matter that the tests know nothing of, and what the site does by them.
_REFUSED = dict.fromkeys(("myst", "substitutions"), "reads this page") | dict.fromkeys(
    ("mystnb", "execution"), "runs or shows the cells of this page"
)


def math_block(builder: PageBuilder, latex: str, line: int) -> None:
    """A displayed formula: its text is found again in the source, to place it."""
    rows = latex.strip("\n").split("\n")
    lines = builder.lines
    top = next((i for i in range(line, len(lines)) if rows[0] in lines[i]), line)
    source = lines[top : top + len(rows)]
    columns = [max(raw.find(row), 0) + 1 for raw, row in zip(source, rows, strict=True)]
    builder.group += 1
    builder.add(Piece("\n".join(rows), "math", top + 1, columns[0], tuple(columns[1:])))


def html(builder: PageBuilder, content: str, line: int) -> None:
    """Read the words of raw HTML."""
    shown = html_words(content).split("\n")
    for row, (words, source) in enumerate(zip(shown, content.split("\n"), strict=True), line):
        column = max(builder.lines[row].find(source), 0) + 1 if source else 1
        builder.group += 1
        builder.add(Piece(words, "text", row + 1, column))


def list_start(builder: PageBuilder, start: str, line: int) -> None:
    """The number that an ordered list begins with, if it is not one."""
    found = re.search(rf"0*{start}(?=[.)])", builder.lines[line])
    builder.group += 1
    builder.add(Piece(start, "text", line + 1, found.end() - len(start) + 1 if found else 1))


def option_words(inlines: Inlines, block: Directive) -> None:
    """Read captions and alternative texts among a directive's options."""
    builder = inlines.builder
    for option, text in _captions(block.options):
        for words in text.splitlines():
            found = (line for line in block.option_lines if words in builder.lines[line])
            line = next(found, block.line)
            if option in _PLAIN:  # read as it is, without roles
                column = max(builder.lines[line].find(words), 0) + 1
                builder.add(Piece(words, "text", line + 1, column))
            else:
                inlines.words(words, line)


def _captions(options: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Words a reader sees (or hears) among a directive's options."""
    for key, value in options.items():
        if isinstance(value, dict):
            yield from _captions(value)
        elif key in _SEEN and value is not None:
            for words in value if isinstance(value, list) else [value]:
                yield key, str(words)


def front_words(inlines: Inlines, token: Token, line: int) -> None:
    """Read titles in the front matter, and refuse what the site alone obeys."""
    lines = inlines.builder.lines
    first, end = token.map or [0, 0]
    rows = range(len(lines))[line : line + end - first]
    try:
        front = yaml.safe_load(token.content)
    except yaml.YAMLError as error:
        return inlines.builder.problem(line, f"the front matter is no YAML: {error}")
    for key, value in front.items() if isinstance(front, dict) else ():
        named = re.compile(rf"[\s{{\"']*{re.escape(str(key))}[\"']?\s*:")
        row = next((i for i in rows if named.match(lines[i])), line)
        if key in _REFUSED:
            message = f"{key!r} here changes how the site {_REFUSED[key]}, and not what is tested"
            inlines.builder.problem(row, message)
        elif key in _TITLES and value is not None:
            for words in str(value).splitlines():
                below = (i for i in rows if i >= row and words in lines[i])
                inlines.words(words, next(below, row))
    return None
