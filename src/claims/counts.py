"""An independent count, by regular expression, of what a page asks to have checked.

It reads lines, not Markdown, and on purpose knows none of the parser's rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_ROLE = re.compile(r"\{[ \t]*(claim|given)[ \t]*\}[ \t]*`", re.IGNORECASE)
_FENCE = re.compile(
    r"^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(?:`{3,}|~{3,}|:{3,})[ \t]*"
    r"(?:(?P<cell>\{[ \t]*code[-_ ]?cell\b.*|(?:i?py(?:thon)?\d?|pycon)[ \t]*(?:\{.*)?)"
    r"|(?P<claim>\{[ \t]*claim[ \t]*\}.*))$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Sighting:
    """Something on a line (from 1) that asks to be checked: a cell, a claim or a given."""

    line: int
    column: int
    what: str
    text: str


def sightings(text: str) -> Iterator[Sighting]:
    """Everything in `text` that looks like a cell, a claim or a given."""
    for number, line in enumerate(text.split("\n"), 1):
        if fence := _FENCE.match(line):
            yield Sighting(number, 1, "cell" if fence["cell"] else "claim", line)
        for role in _ROLE.finditer(line):
            yield Sighting(number, role.start() + 1, role[1].lower(), line[role.start() :])
