"""Numbers in a formula: which of them say something, and which are notation."""

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from everydigit.number import parts
from everydigit.number.latex import NOTHING, Token, after_group, arguments, token_at
from everydigit.number.numeral import Number, read_decimal
from everydigit.number.prose import find_numbers

_NUMBER = re.compile(
    rf"""
    (?P<mantissa>{parts.MATH_DIGITS})
      (?:{parts.MATH_TIMES_TEN}(?:\{{(?P<exponent>{parts.INTEGER})\}}|(?P<digit>\d)))?
      (?P<percent>(?:\\[,;\ ])?\\%)?(?P<truncated>\s*(?:\\l?dots\b|…))?
    | \\infty(?![A-Za-z])
    """,
    re.VERBOSE,
)
_EDGES = set("words environment cell comma relation arrow wide open close bar style".split())
_BEFORE_SIGN = _EDGES - {"close"} | {"operator", "product"}
_PASSED_OVER = NOTHING - {"style"} | {"name"}


class _Place(NamedTuple):
    """A token on the line, or a number: one that is `alone` is an argument without braces."""

    token: Token
    number: re.Match[str] | None = None
    alone: bool = False


_END = _Place(Token("cell", "&", 0))


def find_math_numbers(latex: str, *, every: bool) -> list[Number]:
    """The numbers of a formula, in reading order; sub- and superscripts are notation.

    With `every`, all that stand on the line (what a claim around the formula binds).
    Otherwise those a reader takes for a statement: a decimal point, or a number alone as a
    matrix cell, an argument, or a side of a relation.
    """
    line = [place for place in _line(latex) if place.token.kind not in _PASSED_OVER]
    line = [_END, _END, *line, _END]
    found: list[Number] = []
    for i, (token, number, alone) in enumerate(line):
        if token.kind == "words":
            shift = token.end - 1 - len(token.prose)
            found += [replace(n, start=n.start + shift) for n in find_numbers(token.prose)]
        elif number:
            before, further = line[i - 1].token, line[i - 2].token
            sign = before if before.text in parts.SIGNS and further.kind in _BEFORE_SIGN else None
            left, right = further if sign else before, line[i + 1].token
            if every or alone or "." in token.text or {left.kind, right.kind} <= _EDGES:
                found.append(_number(token, number, sign, latex, near=left.says == "≈"))
    return found


def _line(latex: str) -> Iterator[_Place]:
    """What stands on the line: scripts are passed over whole."""
    position = 0
    unbraced: set[int] = set()  # where arguments end that are one digit: the 1 and 2 of \\frac12
    while position < len(latex):
        alone = position + 1 in unbraced
        if number := _NUMBER.match(latex, position, position + 1 if alone else len(latex)):
            yield _Place(Token("number", number[0], position), number, alone)
            position = number.end()
            continue
        token = token_at(latex, position)
        unbraced |= {end for start, end in arguments(latex, token) if latex[end - 1].isdecimal()}
        yield _Place(token)
        position = after_group(latex, token.end) if token.text in ("_", "^") else token.end


def _number(
    token: Token, match: re.Match[str], sign: Token | None, latex: str, *, near: bool
) -> Number:
    start = (sign or token).start
    shown = latex[start : token.end]
    factor = -1 if sign and sign.text != "+" else 1
    if not match["mantissa"]:
        return Number(shown, start, Fraction(factor), "infinity")
    return read_decimal(
        shown,
        start,
        factor,
        match["mantissa"].replace("{,}", ""),
        exponent=parts.integer(match["exponent"] or match["digit"]),
        percent=bool(match["percent"]),
        truncated=bool(match["truncated"]),
        approximate=near,
    )
