"""Equations as written: `1×1 + 0×0 = 1` must hold for the numbers shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from claims.numbers import Number

_OPERATORS = {"+": "+", "-": "-", "−": "-", "×": "*", "·": "*", "*": "*", "/": "/", "÷": "/"}
_LATEX = {r"\times": "×", r"\cdot": "·", r"\left": "", r"\right": "", r"\,": "", r"\;": ""}
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|&\s*=|=\s*&|[^\W\d]\w*|.", re.DOTALL)
_BREAKS = set(".;:!?…&") | {
    r"\\",
    r"\quad",
    r"\qquad",
}  # may touch an equation without being part of it


@dataclass(frozen=True)
class _Token:
    kind: str  # number, operator, open, close, comma, equals, space, break, other
    text: str
    number: Number | None = None


class _Vector(tuple[Fraction, ...]):
    """A list of numbers in parentheses: added and scaled component by component."""

    def __add__(self, other: Any) -> _Vector:
        return _Vector(a + b for a, b in zip(self, other, strict=True))

    def __sub__(self, other: Any) -> _Vector:
        return _Vector(a - b for a, b in zip(self, other, strict=True))

    def __mul__(self, other: Any) -> _Vector:
        return _Vector(a * other for a in self)

    __rmul__ = __mul__

    def __neg__(self) -> _Vector:
        return _Vector(-a for a in self)


def broken_equations(text: str, numbers: list[Number]) -> Iterator[str]:
    """Each `=` of `text` between two sides of plain arithmetic that does not hold."""
    tokens = list(_tokens(text, numbers))
    for i, token in enumerate(tokens):
        if token.kind != "equals":
            continue
        left, right = _run(tokens[:i][::-1])[::-1], _run(tokens[i + 1 :])
        if left and right and (problem := _compare(left, right)):
            yield problem


def _tokens(text: str, numbers: list[Number]) -> Iterator[_Token]:
    starts = {n.start: n for n in numbers}
    position = 0
    while position < len(text):
        if number := starts.get(position):
            yield _Token("number", number.text, number)
            position = number.end
            continue
        match = _TOKEN.match(text, position)
        assert match is not None
        position = match.end()
        word = _LATEX.get(match[0], match[0])
        if word:
            yield _Token(_kind(word), word)


def _kind(word: str) -> str:
    if word in _OPERATORS:
        return "operator"
    named = {"(": "open", ")": "close", ",": "comma"}
    if word in named:
        return named[word]
    if "=" in word:  # an aligned one too, `&=`
        return "equals"
    return "space" if word.isspace() else "break" if word in _BREAKS else "other"


def _run(tokens: list[_Token]) -> list[_Token]:
    """The arithmetic next to an equals sign; empty where a symbol takes part in it."""
    run: list[_Token] = []
    depth = 0
    for i, token in enumerate(tokens):
        depth += {"open": 1, "close": -1}.get(token.kind, 0)
        outside = token.kind == "comma" and not depth
        if token.kind in ("equals", "break", "other") or outside:
            touching = i > 0 and tokens[i - 1].kind != "space"
            if token.kind == "other" and (touching or not run):
                return []
            break
        run.append(token)
    run = [t for t in run if t.kind != "space"]
    if not run or "operator" in (run[0].kind, run[-1].kind):
        return []  # the other operand is a symbol
    return run


def _compare(left: list[_Token], right: list[_Token]) -> str | None:
    shown = [t.number for t in left + right if t.number]
    if any(n.truncated or n.approximate or n.kind == "infinity" for n in shown):
        return None  # not an equation between the numbers as written
    written = f"{_text(left)} = {_text(right)}"
    try:
        a, b = _evaluate(left), _evaluate(right)
        if _close(a, b, max(_slack(left), _slack(right))):
            return None
    except ZeroDivisionError:
        return f"{written} divides by zero"
    except (SyntaxError, TypeError, ValueError):
        return f"{written} cannot be read as arithmetic"
    return f"{written} does not hold: {_show(a)} is not {_show(b)}"


def _evaluate(run: list[_Token]) -> Any:
    source, names = "", dict[str, Any](V=_Vector)
    depth_has_comma = _lists(run)
    for i, token in enumerate(run):
        if token.number:
            names[f"n{i}"] = token.number.value / (100 if token.number.percent else 1)
            source += f" n{i} "
        elif token.kind == "open" and i in depth_has_comma:
            source += "V(("
        elif token.kind == "close" and i in depth_has_comma:
            source += "))"
        else:
            source += _OPERATORS.get(token.text, token.text)
    return eval(source, {"__builtins__": {}}, names)


def _lists(run: list[_Token]) -> set[int]:
    """Indices of the parentheses that hold a list."""
    opened: list[list[int]] = []
    lists: set[int] = set()
    for i, token in enumerate(run):
        if token.kind == "open":
            opened.append([i])
        elif token.kind == "comma" and opened:
            opened[-1].append(i)
        elif token.kind == "close" and opened:
            start, *commas = opened.pop()
            lists |= {start, i} if commas else set()
    return lists


def _slack(run: list[_Token]) -> Fraction:
    """Half a unit of the last digit, where a side is one decimal (or a list of them)."""
    if any(t.kind == "operator" for t in run):
        return Fraction(0)
    decimals = [t.number for t in run if t.number and t.number.kind == "decimal"]
    return max((n.unit / (200 if n.percent else 2) for n in decimals), default=Fraction(0))


def _close(a: Any, b: Any, slack: Fraction) -> bool:
    if isinstance(a, tuple) or isinstance(b, tuple):
        return all(abs(x - y) <= slack for x, y in zip(a, b, strict=True))
    return bool(abs(a - b) <= slack)


def _text(run: list[_Token]) -> str:
    words = "".join(f" {t.text} " if t.kind == "operator" else t.text for t in run)
    return words.replace(",", ", ")


def _show(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_show, value))})"
    return str(value).replace("-", "−")
