"""Docstrings as they are written here, as reStructuredText."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import dedent

_SECTION = re.compile(r"^(Formula|Shapes|Units|Raises|Source|Returns|Examples):(?: +(.*))?$")
_ERROR = re.compile(r"^(\w+): (.*)$")
_CODE = re.compile(r"(`+)(.+?)\1(?!`)")
_MARKUP = re.compile(r"([\\*|_<>])")


def as_rst(lines: Sequence[str]) -> list[str]:
    """The lines of a docstring with its sections as fields and its `code` as literals."""
    found: list[str] = []
    for name, body in sections(lines):
        if name == "":
            found += [_inline(line) for line in body]
        elif name == "Examples":
            found += ["", ".. rubric:: Examples", "", *body]
        elif name == "Raises":
            found += ["", *_errors(body)]
        else:
            words = _inline(" ".join(line.strip() for line in body).strip())
            found += ["", f":{name}: {words}"]
    return [*found, ""]


def sections(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Each section's name and lines, dedented; the words before the first have the name ""."""
    name = ""
    named: list[tuple[str, str]] = []
    for line in lines:
        if match := _SECTION.match(line):
            name = match[1]
            named.append((name, match[2] or ""))
        else:
            named.append((name, line))
    for name, group in groupby(named, key=lambda pair: pair[0]):
        yield name, dedent("\n".join(line for _, line in group)).split("\n")


def _errors(body: Sequence[str]) -> Iterator[str]:
    """Each error and when it is raised, as a field of its own."""
    for line in body:
        if match := _ERROR.match(line):
            yield f":Raises {match[1]}: {_inline(match[2])}"
        elif line.strip():
            yield f"    {_inline(line.strip())}"


def _inline(line: str) -> str:
    """A line of words, what stands between backticks as a literal and nothing else as markup."""
    words: list[str] = []
    end = 0
    for code in _CODE.finditer(line):
        words += [_MARKUP.sub(r"\\\1", line[end : code.start()]), f"``{code[2]}``"]
        end = code.end()
    return "".join([*words, _MARKUP.sub(r"\\\1", line[end:])])
