"""Numbers in a formula: which of them say something, and which are notation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from everydigit.number.prose import Number, find_numbers, read_decimal

_TOKEN = re.compile(
    r"""
    (?P<text>\\(?:text|textrm|textbf|textit|mbox)\s*\{(?P<prose>[^{}]*)\})
    | (?P<skip>\\(?:tag|label|ref|eqref|operatorname|hspace|vspace|phantom|color)\*?\s*\{[^{}]*\}
        | \\begin\s*\{array\}\s*\{[^{}]*\})
    | (?P<edge>\\(?:begin|end)\s*\{[^{}]*\} | \\\\\*?\[-?[\d.]+\s*[a-z]{2}\])
    | (?P<script>[_^])
    | (?P<mantissa>\d{1,3}(?:\{,\}\d{3})+(?!\d)(?:\.\d+)? | \d+(?:\.\d+)? | \.\d+)
      (?:\s*(?:\\times|\\cdot|×)\s*10\^(?:\{(?P<exponent>[-+−]?\d+)\}|(?P<digit>\d)))?
      (?P<percent>(?:\\[,;\ ])?\\%)?(?P<truncated>\s*(?:\\l?dots\b|…))?
    | (?P<infinity>\\infty)
    | (?P<command>\\(?:[A-Za-z]+|.))
    | (?P<space>[\s~]+)
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_DELIMITERS = set("&()[]{},.;|=<>≤≥≠≈≡:") | set(
    r"""
    \\ \{ \} \le \leq \leqslant \ge \geq \geqslant \ne \neq \lt \gt \approx \sim \equiv
    \to \gets \mapsto \in \notin \implies \iff \Rightarrow \Leftrightarrow \propto \ll \gg \simeq
    \cong \hline \displaystyle \textstyle \left \right \middle \big \Big \bigl \bigr
    \Bigl \Bigr \quad \qquad \mid \vert \lvert \rvert \Vert \lVert \rVert \langle \rangle
    \lfloor \rfloor \lceil \rceil
    """.split()
)
_OPERATORS = {"+", "-", "−", "/", "×", "·", r"\times", r"\cdot"}
SPACES = {r"\,", r"\;", r"\:", r"\!", r"\ "}
_ARGUMENTS = {r"\frac": 2, r"\dfrac": 2, r"\tfrac": 2, r"\cfrac": 2, r"\binom": 2, r"\sqrt": 1}


@dataclass
class _Token:
    kind: str
    text: str
    start: int
    match: re.Match[str]
    alone: bool = False  # an argument of one digit, without braces: the 1 and the 2 of \\frac12


class _Arguments:
    """How many arguments the last command still awaits: an unbraced one is a single digit."""

    def __init__(self) -> None:
        self.due = 0
        self._open: list[tuple[str, int]] = []  # what closes a group, and what is due after it

    def passed(self, text: str) -> None:
        """Take note of a token."""
        if text == "{":
            self._open.append(("}", max(self.due - 1, 0)))
            self.due = 0
        elif text == "[" and self.due:
            self._open.append(("]", self.due))
            self.due = 0
        elif self._open and text == self._open[-1][0]:
            self.due = self._open.pop()[1]
        elif not text.isspace():
            self.due = _ARGUMENTS.get(text, max(self.due - 1, 0))


def find_math_numbers(latex: str, *, every: bool) -> list[Number]:
    """The numbers of a formula, in reading order; sub- and superscripts are notation.

    With `every`, all that stand on the line (what a claim around the formula binds).
    Otherwise those a reader takes for a statement: a decimal point, or a number alone as a
    matrix cell, an argument, or a side of a relation.
    """
    tokens = [t for t in _line(latex) if t.kind != "space" and t.text not in SPACES]
    found: list[Number] = []
    for i, token in enumerate(tokens):
        before = tokens[i - 1] if i else None
        if token.kind == "text":
            shift = token.match.start("prose")
            found += [_moved(n, shift) for n in find_numbers(token.match["prose"])]
        elif token.kind in ("mantissa", "infinity"):
            signed = before is not None and _is_sign(tokens, i - 1)
            after = tokens[i + 1] if i + 1 < len(tokens) else None
            left = (tokens[i - 2] if i > 1 else None) if signed else before
            alone = token.alone or (_is_edge(left) and _is_edge(after))
            if every or alone or "." in token.text:
                found.append(_number(token, before if signed else None, left, latex))
    return found


def _line(latex: str) -> Iterator[_Token]:
    """Tokens that stand on the line: scripts are passed over whole."""
    position, arguments = 0, _Arguments()
    while position < len(latex):
        match = _TOKEN.match(latex, position)
        assert match is not None
        alone = bool(arguments.due and match["mantissa"])
        if alone:
            match = _TOKEN.match(latex, position, position + 1) or match
        arguments.passed(match[0])
        position = match.end()
        if match.lastgroup == "script":
            yield _Token("script", match[0], match.start(), match)
            position = after_group(latex, position)
        elif match["skip"] is None:
            yield _Token(_kind(match), match[0], match.start(), match, alone)


def _kind(match: re.Match[str]) -> str:
    kinds = ("text", "edge", "mantissa", "infinity", "command", "space")
    return next((kind for kind in kinds if match[kind] is not None), "other")


def after_group(latex: str, position: int) -> int:
    """Where the script or argument that starts at `position` ends: one token, or a braced group."""
    match = re.compile(r"\s*(?:\\[A-Za-z]+|\\.|.)", re.DOTALL).match(latex, position)
    if match is None:
        return position
    if not match[0].endswith("{") or match[0].endswith("\\{"):
        return match.end()
    depth, position = 1, match.end()
    while position < len(latex) and depth:
        depth += {"{": 1, "}": -1}.get(latex[position], 0)
        position += 2 if latex[position] == "\\" else 1
    return position


def _is_edge(token: _Token | None) -> bool:
    return token is None or token.kind in ("edge", "text") or token.text in _DELIMITERS


def _is_sign(tokens: list[_Token], i: int) -> bool:
    if tokens[i].text not in ("-", "−", "+"):
        return False
    before = tokens[i - 1] if i else None
    if before is None or before.text in _OPERATORS:
        return True
    return _is_edge(before) and before.text not in (")", "]", "}", r"\}", r"\right")


def _number(token: _Token, sign: _Token | None, left: _Token | None, latex: str) -> Number:
    start = sign.start if sign else token.start
    shown = latex[start : token.start + len(token.text)]
    negative = sign is not None and sign.text != "+"
    factor = -1 if negative else 1
    match = token.match
    if token.kind == "infinity":
        return Number(shown, start, read_decimal("", 0, factor, "1").value, "infinity")
    exponent = match["exponent"] or match["digit"]
    return read_decimal(
        shown,
        start,
        factor,
        match["mantissa"].replace("{,}", ""),
        exponent=int(exponent.replace("−", "-")) if exponent else None,
        percent=bool(match["percent"]),
        truncated=bool(match["truncated"]),
        approximate=left is not None and left.text in (r"\approx", "≈"),
    )


def _moved(number: Number, by: int) -> Number:
    return replace(number, start=number.start + by)
