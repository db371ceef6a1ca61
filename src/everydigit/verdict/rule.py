"""The rule: when a number in the text holds for a value."""

from decimal import ROUND_DOWN, Decimal, localcontext
from fractions import Fraction

from everydigit.number.numeral import Number
from everydigit.verdict.values import Value

SHOWN_DIGITS = 18  # of an irrational, in messages and in the ledger
PROVABLE_DIGITS = 12  # as many significant digits as a float may vouch for


def holds(number: Number, value: Value) -> bool:
    """Whether `number` as shown holds for `value`."""
    return mismatch(number, value, "") is None


def differs(number: Number, value: Value) -> bool:
    """Whether `number` fails by its value alone: not by an infinity, nor for want of a proof."""
    finite = number.finite and not value.infinite
    return finite and _unproven(number, value, "") is None and not _holds(number, value)


def fits(number: Number, value: Value) -> bool:
    """Whether `number` is the value as shown, be it proved or not."""
    if number.kind == "huge":
        return False
    if number.kind == "infinity" or value.infinite:
        return number.kind == "infinity" and value.infinite == number.value
    return _holds(number, value)


def mismatch(number: Number, value: Value, name: str) -> str | None:
    """Why `number` does not hold for `value`, which is called `name`, or None if it does."""
    if number.kind == "huge":
        return f"text says {number.text.strip()}, which has too many digits to be worked out"
    finite = number.finite and not value.infinite
    if finite and (unproven := _unproven(number, value, name)):
        return unproven
    if fits(number, value):
        return None
    found = _difference(number, value) if finite else plain(value)
    return f"text says {number.text.strip()}, {name} is {found}"


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
    places = (
        0 if number.unit >= 1 and found.denominator == 1 else len(str(number.unit.denominator)) + 1
    )
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
