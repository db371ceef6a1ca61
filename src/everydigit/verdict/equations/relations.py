"""A relation between two sides of plain arithmetic: whether it holds, and why not."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction

from everydigit.number.numeral import last_place
from everydigit.verdict.equations.arithmetic import Amount, UnreadableError, Vector, worked_out
from everydigit.verdict.equations.terms import Term

SHOWN_BITS = 75  # of a value that a message gives in full
SHOWN_DIGITS = 12  # of any other
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


def _across(relations: list[str]) -> str | None:
    """What a chain of relations says of its two ends, or None if nothing."""
    said = set(relations) - {"="}
    if len(said) <= 1:
        (relation,) = said or {"="}
        return None if relations.count("≠") > 1 else relation
    return next((strict for strict, weak in ("<≤", ">≥") if said == {strict, weak}), None)


def contradiction(left: list[Term], relations: list[str], right: list[Term]) -> str | None:
    """Why what `relations` say of two sides does not hold, or None; … is what stands between."""
    relation = _across(relations)
    if relation is None or not (_is_exact(left) and _is_exact(right)):
        return None  # not a relation between the numbers as written
    written = f"{_text(left)} {' … '.join(relations)} {_text(right)}"
    try:
        a, exact = worked_out([_centred(t) for t in left])
        b, also = worked_out([_centred(t) for t in right])
        places = [_slack(side, near=relation == "≈") for side in (left, right)]
        slack = max(places) if "=" in relations or relation == "≈" else Fraction(0)
        if relation not in "=≈":
            slack = -slack  # 0.34 = x < 0.338 may be true of an x that was rounded
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
    return all(n.finite for n in numbers) and not (cut and _computes(side))


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
    if value.numerator.bit_length() + value.denominator.bit_length() < SHOWN_BITS:
        return str(value).replace("-", "−")
    with localcontext() as context:
        context.prec = SHOWN_DIGITS
        return f"{(Decimal(value.numerator) / value.denominator).normalize()}…".replace("-", "−")
