"""The rule: when a number in the text holds for a value."""

from __future__ import annotations

from decimal import ROUND_DOWN, Decimal, localcontext
from fractions import Fraction
from typing import Any

from claims.numbers import Number
from claims.values import BadTargetError, Value, flatten

SHOWN_DIGITS = 18  # of an irrational, in messages and in the ledger
LISTED = 9  # as many numbers as a message lists
PROVABLE_DIGITS = 12  # as many significant digits as a float may vouch for


def judge(numbers: list[Number], target: Any, expression: str) -> list[tuple[int, str]]:
    """Why the `numbers` shown do not hold for `target`: pairs of a number's index and a message.

    The index is −1 where the message is about the claim as a whole.  An empty list: all hold.
    """
    try:
        values, truths = flatten(target)
    except BadTargetError as error:
        return [(-1, f"{expression} {error}")]
    if not all(truths):
        return [(-1, f"{expression} is False")]
    if not numbers and not truths:
        return [(-1, f"text shows no number, so {expression} must be True: it is {target!r}")]
    if len(values) != len(numbers):
        shown = _listed([number.text.strip() for number in numbers])
        given = _listed([plain(value) for value in values[: LISTED + 1]], len(values))
        return [(-1, f"text shows {shown}, {expression} gives {given}")]
    return [
        (i, message)
        for i, (number, value) in enumerate(zip(numbers, values, strict=True))
        if (message := _mismatch(number, value, _name(expression, i, len(values))))
    ]


def holds(number: Number, value: Value) -> bool:
    """Whether `number` as shown holds for `value`."""
    return _mismatch(number, value, "") is None


def differs(number: Number, value: Value) -> bool:
    """Whether `number` fails by its value alone: not by an infinity, nor for want of a proof."""
    finite = number.kind != "infinity" and not value.infinite
    return finite and _unproven(number, value, "") is None and not _holds(number, value)


def _mismatch(number: Number, value: Value, name: str) -> str | None:
    """Why `number` does not hold for `value`, or None if it does."""
    says = f"text says {number.text.strip()}, {name} is "
    if number.kind == "infinity" or value.infinite:
        same = number.kind == "infinity" and value.infinite == number.value
        return None if same else says + plain(value)
    if unproven := _unproven(number, value, name):
        return unproven
    if _holds(number, value):
        return None
    return says + _difference(number, value)


def _unproven(number: Number, value: Value, name: str) -> str | None:
    """Why `value` proves fewer digits than `number` shows, or None if it proves them."""
    if number.digits > PROVABLE_DIGITS and not value.exact:
        return (
            f"text shows {number.digits} digits of {number.text.strip()}, but {name} is a "
            f"{type(value.raw).__name__}, which proves at most {PROVABLE_DIGITS}: "
            "give an int, a Fraction or a SymPy expression without floats"
        )
    if number.digits > PROVABLE_DIGITS and value.disguised:
        return (
            f"text shows {number.digits} digits of {number.text.strip()}, but {name} is a float "
            "in disguise: its denominator is a power of two"
        )
    return None


def _holds(number: Number, value: Value) -> bool:
    factor = 100 if number.percent else 1
    if number.kind in ("integer", "exact") and not (number.approximate or number.truncated):
        return value.equals(number.value / factor)
    found = value.near(number.digits) * factor
    if number.truncated:
        gap = (abs(found) - abs(number.value)) / number.unit
        return 0 <= gap < 1 and (found < 0) == (
            number.value < 0 or number.text.startswith(("−", "-"))
        )
    return abs(found - number.value) <= number.unit / 2


def _difference(number: Number, value: Value) -> str:
    found = value.near(number.digits) * (100 if number.percent else 1)
    percent = " %" if number.percent else ""
    if number.kind in ("integer", "exact") and not number.approximate and not number.truncated:
        rounded = round(found / number.unit) * number.unit
        if rounded != number.value:
            return plain(value, percent) + _digits_apart(number, found)
        written = decimal(found, 3) + percent
        return f"{plain(value, percent)}: an integer must be exact; write {written}"
    places = 0 if number.unit >= 1 and found.denominator == 1 else _places(number.unit) + 2
    if number.truncated:
        return f"{decimal(found, places)}{percent} (… is truncated, not rounded)"
    return f"{decimal(found, places)}{percent}" + _digits_apart(number, found)


def _digits_apart(number: Number, found: Fraction) -> str:
    if found * number.value < 0:
        return " (differs in sign)"
    shown = str(round(abs(number.value) / number.unit))
    true = str(round(abs(found) / number.unit))
    if len(shown) != len(true):
        return " (differs in size)"
    place = next((i for i, (a, b) in enumerate(zip(shown, true, strict=True), 1) if a != b), None)
    return f" (differs in digit {place})" if place else ""


def decimal(value: Fraction, places: int) -> str:
    """`value` rounded to `places` decimals, with the minus sign of the text."""
    with localcontext() as context:
        context.prec = 60 + max(places, 0)
        quotient = Decimal(value.numerator) / Decimal(value.denominator)
        return f"{quotient:.{max(places, 0)}f}".replace("-", "−")


def _places(unit: Fraction) -> int:
    return max(len(str(unit.denominator)) - 1, 0)


def plain(value: Value, percent: str = "") -> str:
    """`value` as a person would write it: a float's shortest form, an irrational's first digits."""
    if value.infinite:
        return "∞" if value.infinite > 0 else "−∞"
    factor = 100 if percent else 1
    if value.fraction is None:
        return f"{_significant(value.near(SHOWN_DIGITS) * factor)}…{percent}"
    scaled = value.fraction * factor
    if scaled.denominator == 1:
        return str(scaled).replace("-", "−") + percent
    if value.exact and not percent:
        return f"{scaled.numerator}/{scaled.denominator}".replace("-", "−")
    return f"{float(scaled)!r}".replace("-", "−") + percent


def _significant(value: Fraction) -> str:
    """The first digits of an irrational, cut and not rounded."""
    with localcontext() as context:
        context.prec, context.rounding = SHOWN_DIGITS, ROUND_DOWN
        quotient = Decimal(value.numerator) / Decimal(value.denominator)
    return f"{quotient:f}".replace("-", "−") if abs(quotient) > Decimal("1e-6") else str(quotient)


def _name(expression: str, i: int, count: int) -> str:
    return expression if count == 1 else f"number {i + 1} of {expression}"


def _listed(words: list[str], count: int | None = None) -> str:
    """How many numbers there are, and which."""
    n = len(words) if count is None else count
    more = ["…"] if n > LISTED else []
    which = f" ({', '.join(words[:LISTED] + more)})" if n else ""
    return f"{n or 'no'} number{'' if n == 1 else 's'}{which}"
