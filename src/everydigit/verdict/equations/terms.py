"""The terms of an equation: words and formulas taken apart into numbers, signs and symbols."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from everydigit.number import parts
from everydigit.number.formula import find_math_numbers
from everydigit.number.latex import NOTHING, Token, after_group, arguments, token_at
from everydigit.number.numeral import Number
from everydigit.number.prose import find_numbers

Kind = Literal[
    "number", "operator", "relation", "open", "close", "comma", "word", "break", "symbol"
]


@dataclass(frozen=True)
class Term:
    """One term: `glued` if no space stands before it."""

    kind: Kind
    text: str
    number: Number | None = None
    glued: bool = False


OPEN, CLOSE = Term("open", "(", glued=True), Term("close", ")", glued=True)
POWER = Term("operator", "^", glued=True)
SYMBOL = Term("symbol", "?")
END = Term("break", "")
_GOES_ON = {"operator", "relation"}
_OPERATORS = dict(zip("+-−×·*/÷^√!", "+−−×××//^√!", strict=True)) | {"**": "^"}
_RELATIONS = {"==": "=", "<=": "≤", ">=": "≥", "!=": "≠"} | {c: c for c in "=<>≤≥≠≈"}
_BREAKS = {";", "?", "—", "→", "⇒", "=>", "->"}
_TEXT = re.compile(rf"(?<=[\d)])!|\*\*|{parts.RAISED}|[=<>!]=|[=-]>|[^\W\d]\w*|\s+|.", re.DOTALL)
_ENDS_SENTENCE = re.compile(r"[.:](?=\s|\Z)|\s–(?=\s)")


def text_terms(text: str) -> Iterator[Term]:
    """The terms of plain prose."""
    numbers = {n.start: n for n in find_numbers(text)}
    position, glued, before = 0, True, ""
    while position < len(text):
        if number := numbers.get(position):
            yield Term("number", number.text, number, glued)
            position, glued, before = number.end, True, "number"
            continue
        match = _TEXT.match(text, position)
        assert match is not None
        position = match.end()
        if match[0].isspace():
            glued = False
            continue
        term = replace(_term(match[0], text, match.start()), glued=glued)
        raised = before in ("close", "number") and ord(match[0][-1]) in parts.SUPERSCRIPTS
        yield from _raised(match[0]) if raised else (term,)
        glued, before = True, term.kind


def _term(word: str, text: str, start: int) -> Term:
    if word in _OPERATORS:
        return Term("operator", _OPERATORS[word])
    if word == "<" and not re.match(r"\s<\s", text[max(start - 1, 0) :]):
        return SYMBOL  # what looks like a tag or a target
    if word in _RELATIONS:
        return Term("relation", _RELATIONS[word])
    if word in "(),":
        return {"(": OPEN, ")": CLOSE, ",": Term("comma", ",")}[word]
    if word in _BREAKS or _ENDS_SENTENCE.match(text, max(start - (word == "–"), 0)):
        return Term("break", word)
    if word[0].isalpha():
        return Term("word", word)
    return Term("symbol", word)


def _raised(superscript: str) -> Iterator[Term]:
    plain = superscript.translate(parts.SUPERSCRIPTS)
    yield POWER
    yield Term("number", plain, find_numbers(plain)[0], glued=True)


def math_terms(latex: str) -> Iterator[Term]:
    """The terms of a formula; braces are parentheses, and spaces mean nothing."""
    terms = list(_math(latex))
    for i, term in enumerate(terms):
        after = [*terms[i + 1 : i + 3], END, END]
        if term.text == r"\\" and after[0].text == "&" and after[1].text[:1] in set(parts.SIGNS):
            yield SYMBOL  # the next line begins with a summand, or a number: nobody can tell
        elif term.text == r"\\" and (after[0].text == "&" or after[0].kind in _GOES_ON):
            continue  # an aligned equation goes on
        elif term.text == "&" and {after[0].kind, terms[i - 1].kind} & _GOES_ON:
            continue
        else:
            yield term


def _math(latex: str) -> Iterator[Term]:
    numbers = {n.start: n for n in find_math_numbers(latex, every=True)}
    position, before = 0, None
    while position < len(latex):
        if number := numbers.get(position):
            found, position = [Term("number", number.text, number, glued=True)], number.end
        else:
            fraction = token_at(latex, position).kind == "fraction"
            found, position = _construct(latex, position)
            if fraction and before and before.kind == "number":
                found = [SYMBOL]  # a mixed number, or a product: nobody can tell
        yield from found
        before = found[-1] if found else before


def _construct(latex: str, position: int) -> tuple[list[Term], int]:
    """What stands at `position` of a formula and is no number, and where it ends."""
    token = token_at(latex, position)
    reach = arguments(latex, token)
    inner = [_group(latex, start, end) for start, end in reach]
    if token.kind == "fraction":
        return [OPEN, *inner[0], Term("operator", "/"), *inner[1], CLOSE], reach[1][1]
    if token.kind == "root" and reach[0][0] == token.end:  # a square root
        return [Term("operator", "√", glued=True), *inner[0]], reach[0][1]
    if token.text == "^":
        end = after_group(latex, token.end)
        return [POWER, *_group(latex, token.end, end)], end
    if token.text == "_":
        return [SYMBOL], after_group(latex, token.end)
    return list(_said(token)), token.end


def _said(token: Token) -> Iterable[Term]:
    if token.kind == "words":
        return text_terms(token.prose)
    if token.kind in NOTHING:
        return []
    if token.kind in ("environment", "arrow", "wide", "cell"):
        return [Term("break", token.text[:2])]
    word = {"{": "(", "}": ")"}.get(token.text, token.says)
    if word[0].isalpha() or word == ":":
        return [Term("symbol", word)]
    return [replace(_term(word, f" {word} ", 1), glued=True)]


def _group(latex: str, start: int, end: int) -> list[Term]:
    """The terms of an argument; in parentheses, unless it is one number."""
    inner = latex[start:end].strip()
    if inner.startswith("{") and inner.endswith("}"):
        inner = inner[1:-1]
    terms = list(_math(inner))
    return terms if len(terms) == 1 and terms[0].number else [OPEN, *terms, CLOSE]
