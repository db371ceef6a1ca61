"""Equations as written: `1×1 + 0×0 = 1` must hold for the numbers shown.

`=`, `<`, `>`, `≤`, `≥`, `≠` and `≈` are judged where both of their sides are plain arithmetic.

- A side that holds a symbol, or a word, is symbolic and not judged: TARGET checks its numbers.
- Only a unit, words behind a number and before no other, is passed over: `3 km = 4 km` is judged.
- An equation ends at punctuation, and at a word such as *and* or *so* next to which no other
  number stands: in `so 1 + 1 = 2 and 2 + 2 = 4` there are two.
- One decimal alone on a side of `=` is rounded; `≈` holds to the digits of the side with fewer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from claims.evaluate import Amount, UnreadableError, Vector, evaluate
from claims.numbers import last_place
from claims.terms import Term

_CONNECTIVES = set(
    "and so then thus hence therefore or but because since while where with if when as "
    "that is are gives makes".split()
)
# Words behind a number that are no unit: they change it.
_CHANGES = set(
    "squared cubed factorial plus minus times over by of to dozen hundred thousand million "
    "billion trillion".split()
)
_Place = tuple[int, Term]
_ALMOST = Fraction(1, 10**40)  # the error of an irrational root
_HOLDS: dict[str, Callable[[Fraction, Fraction], bool]] = {  # of a difference and its slack
    "=": lambda d, slack: abs(d) <= slack,
    "≈": lambda d, slack: abs(d) <= slack,
    "≠": lambda d, slack: abs(d) > slack,
    "<": lambda d, slack: d < -slack,
    ">": lambda d, slack: d > slack,
    "≤": lambda d, slack: d <= slack,
    "≥": lambda d, slack: d >= -slack,
}


def broken_equations(terms: list[Term]) -> Iterator[tuple[int, str]]:
    """Each relation between two sides of plain arithmetic that does not hold: where, and why."""
    for clause in _clauses(terms):
        cuts = [i for i, (_, term) in enumerate(clause) if term.kind == "relation"]
        for before, cut, after in zip([-1, *cuts], cuts, [*cuts[1:], len(clause)], strict=False):
            left = _side([t for _, t in clause[before + 1 : cut]])
            right = _side([t for _, t in clause[cut + 1 : after]])
            place, relation = clause[cut]
            if left and right and (problem := _problem(left, relation.text, right)):
                yield place, problem


def _clauses(terms: list[Term]) -> Iterator[list[_Place]]:
    """Stretches that may hold an equation, or a chain of them."""
    clause: list[_Place] = []
    depth = 0
    for place, term in enumerate(_unwrapped(terms)):
        depth += {"open": 1, "close": -1}.get(term.kind, 0)
        outside = term.kind == "comma" and not depth
        if term.kind == "break" or outside or (term.kind == "word" and _connects(term, clause)):
            yield clause
            clause = []
        else:
            clause.append((place, term))
    yield clause


def _connects(word: Term, clause: list[_Place]) -> bool:
    kinds = {term.kind for _, term in clause}
    return word.text.lower() in _CONNECTIVES and ("relation" in kinds or "number" not in kinds)


def _unwrapped(terms: list[Term]) -> list[Term]:
    """The terms, with parentheses around an equation (or without a partner) as breaks."""
    unwrapped = list(terms)
    opened: list[list[int]] = []  # the place of a parenthesis, then of what bursts it
    for place, term in enumerate(terms):
        if term.kind == "open":
            opened.append([place])
        elif term.kind in ("relation", "break") and opened:
            opened[-1].append(place)
        elif term.kind == "close":
            start, *bursts = opened.pop() if opened else [place, place]
            if bursts:
                unwrapped[start] = unwrapped[place] = replace(term, kind="break")
                opened[-1:] = [[*opened[-1], place]] if opened else []
    for start, *_ in opened:
        unwrapped[start] = replace(terms[start], kind="break")
    return unwrapped


def _side(terms: list[Term]) -> list[Term]:
    """The arithmetic of a side without its units; empty where a symbol takes part in it."""
    side: list[Term] = []
    unit = False
    for term in terms:
        if term.kind == "symbol":
            return []
        if term.kind == "word":
            if not (unit or _is_unit(term, side)):
                return []
            unit = True
        elif unit and term.kind in ("number", "open"):
            return []  # 50 % of 10
        else:
            unit = False
            side.append(term)
    if not side or side[-1].kind == "operator" or side[0].text[0] in "+×/^":
        return []  # the other operand is a symbol, or stands elsewhere
    return side


def _is_unit(word: Term, side: list[Term]) -> bool:
    if not side or side[-1].kind not in ("number", "close") or word.glued:
        return False
    return len(word.text) > 1 and word.text.lower() not in _CHANGES


def _problem(left: list[Term], relation: str, right: list[Term]) -> str | None:
    if not (_is_exact(left) and _is_exact(right)):
        return None  # not a relation between the numbers as written
    written = f"{_text(left)} {relation} {_text(right)}"
    try:
        a, exact = evaluate([_centred(t) for t in left])
        b, also = evaluate([_centred(t) for t in right])
        places = [_slack(side, near=relation == "≈") for side in (left, right)]
        slack = max(places) if relation in "=≈" else Fraction(0)
        if not (exact and also):
            slack += _ALMOST * (1 + max(abs(part) for part in (*_parts(a), *_parts(b))))
        if _compare(a, relation, b, slack):
            return None
    except ZeroDivisionError:
        return f"{written} divides by zero"
    except UnreadableError:
        return f"{written} cannot be read as arithmetic"
    negated = "" if relation == "=" else f"{relation} "
    return f"{written} does not hold: {_show(a)} is not {negated}{_show(b)}"


def _is_exact(side: list[Term]) -> bool:
    """Whether the numbers of a side are meant as written: not infinite, nor cut in a sum."""
    numbers = [t.number for t in side if t.number]
    cut = any(n.truncated or n.approximate for n in numbers)
    return not any(n.kind == "infinity" for n in numbers) and not (cut and _computes(side))


def _centred(term: Term) -> Term:
    """A truncated number as the middle of where its value may lie."""
    number = term.number
    if number is None or not number.truncated:
        return term
    shift = number.unit / (-2 if number.value < 0 else 2)
    return replace(term, number=replace(number, value=number.value + shift, kind="decimal"))


def _computes(side: list[Term]) -> bool:
    return any(t.kind == "operator" for t in side)


def _slack(side: list[Term], *, near: bool) -> Fraction:
    """Half a unit of the last digit, where a side is one number (or a list) known no better.

    `near` takes integers for rounded too, and decimals within a computation.
    """
    computes = _computes(side)
    slack = Fraction(0)
    for number in (t.number for t in side if t.number):
        if number.kind == "integer" and near and not computes:
            unit = Fraction(last_place(int(number.value)))
        elif (number.kind == "decimal" and (near or not computes)) or number.approximate:
            unit = number.unit
        else:
            unit = Fraction(0)
        slack = max(slack, unit / (200 if number.percent else 2))
    return slack


def _compare(a: Amount, relation: str, b: Amount, slack: Fraction) -> bool:
    pairs = list(zip(_parts(a), _parts(b), strict=False))
    if type(a) is not type(b) or len(_parts(a)) != len(_parts(b)):
        raise UnreadableError
    holds = [_HOLDS[relation](x - y, slack) for x, y in pairs]
    if isinstance(a, Vector) and relation in "<>≤≥":
        return True  # lists have no order
    return any(holds) if relation == "≠" else all(holds)


def _parts(amount: Amount) -> tuple[Fraction, ...]:
    return amount if isinstance(amount, Vector) else (amount,)


def _text(side: list[Term]) -> str:
    words = ""
    for term in side:
        if term.kind == "operator" and term.text in "+−×/" and words:
            words += f" {term.text} "
        elif term.number and words[-1:].isalnum():
            words += f" {term.text}"
        else:
            words += ", " if term.kind == "comma" else term.text
    return words


def _show(value: Amount) -> str:
    if isinstance(value, Vector):
        return f"({', '.join(map(_show, value))})"
    exact = str(value).replace("-", "−")
    return exact if len(exact) < 24 else f"{float(value):.12g}…".replace("-", "−")
