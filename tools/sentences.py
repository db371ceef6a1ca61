"""One sentence a line: say where a line of Markdown prose holds the end of one and more behind it.

    python tools/sentences.py FILE…

A sentence may run over several lines. Tables, headings and code are passed over, and so is a
bold phrase that opens a paragraph, like **this one.**
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from markdown_it.token import Token

from everydigit.text.markdown import parser
from everydigit.text.reading import Reading

MARKDOWN = parser(Reading.of(Path(__file__)).extensions)
_BLOCKS = ("paragraph_open", "dt_open", "dd_open")
_ADMONITION = re.compile(
    r"\{(?:admonition|caution|exercise|hint|important|note|solution|tip|warning)"
)
_NOT_AN_END = re.compile(r"(?:\b(?:e\.g|i\.e|cf|vs|etc|eq|fig|p|pp|St|Dr|Mr|Ms)|^\d+)\.$")
# The end of a sentence, whatever closes it, and the beginning of the next.
_END = re.compile(r"\S*[.!?…][)\]”’\"'*_]*(?=\s+[(“‘\"'*_]*(?:[A-Z0-9É]|\ue000))")
_LEAD = re.compile(r"^\s*(?:[-*+]|\d+\.)?\s*(\*\*.+?\*\*)")
_ROLE = re.compile(r"(?:\{[\w:]+\})?(`+).+?\1(?!`)", re.DOTALL)


def crowded(text: str) -> Iterator[int]:
    """The lines (from 1) of a Markdown text on which a second sentence begins."""
    yield from _crowded(text, 0)


def _crowded(text: str, base: int) -> Iterator[int]:
    tokens = MARKDOWN.parse(text)
    for opening, token in pairwise(tokens):
        if token.type == "inline" and opening.type in _BLOCKS and token.map:
            for offset, line in enumerate(_quiet(token.content).split("\n")):
                if any(_ends(line)):
                    yield base + token.map[0] + offset + 1
    for token in tokens:
        if _is_prose(token) and token.map:
            yield from _crowded(token.content, base + token.map[0] + 1)


def _is_prose(token: Token) -> bool:
    return token.type in ("fence", "colon_fence") and bool(_ADMONITION.match(token.info.strip()))


def _quiet(content: str) -> str:
    """Roles and code as one letter that may begin a sentence, their line breaks kept."""
    return _ROLE.sub(lambda role: "\ue000" + "\n" * role[0].count("\n"), content)


def _ends(line: str) -> Iterator[str]:
    """The sentences that end on a line with more behind them."""
    if lead := _LEAD.match(line):
        line = line[lead.end() :]
    for end in _END.finditer(line):
        word = end[0].strip("()[]”’\"'*_")
        if not _NOT_AN_END.search(word):
            yield word


def main(names: list[str]) -> int:
    """Print each crowded line; the exit code says whether there was one."""
    found = 0
    for name in names:
        for line in sorted(crowded(Path(name).read_text(encoding="utf-8"))):
            print(f"{name}:{line}: a second sentence begins on this line: give it its own")
            found += 1
    return found > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
