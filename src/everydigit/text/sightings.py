"""An independent count, by regular expression, of what a page asks to have checked.

It reads characters, not Markdown, and on purpose knows none of the parser's rules.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

# A role, even if a line break stands in it or one of its braces is missing.
_ROLE = re.compile(
    r"\{[ \t]*(?P<role>claim|given)[ \t]*\}?[ \t]*(?:\n[ \t>]*)?`"
    r"|(?<![\w{`-])(?P<claim>claim)\}?`+[^`\n]+? <[^`\n]+>`"
    r"|(?<![\w{`-])(?P<given>given)\}?`+[−+-]?[.\d][\d.,]*`",
    re.IGNORECASE,
)
_FENCE = re.compile(
    r"^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(?:`{3,}|~{3,}|:{3,})[ \t]*"
    r"(?:(?P<cell>\{?[ \t]*code[-_ ]?cell\b.*|(?:i?py(?:thon)?\d?|pycon)[ \t]*(?:\{.*)?)"
    r"|(?P<claim>\{?[ \t]*claim\b(?!-).*))$",
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
    number, done = 1, 0
    for role in _ROLE.finditer(text):
        number += text.count("\n", done, role.start())
        done = role.start()
        column = done - text.rfind("\n", 0, done)
        what = (role["role"] or role["claim"] or role["given"]).lower()
        yield Sighting(number, column, what, role[0] + text[role.end() : role.end() + 40])
