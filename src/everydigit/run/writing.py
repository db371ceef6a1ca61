"""Write another value in the form that a number has: its digits, commas, signs and words."""

import math
import re
from collections.abc import Iterator
from fractions import Fraction

from everydigit.number import parts
from everydigit.number.numeral import Number
from everydigit.number.parts import SCALES, SIGNS, SUPERSCRIPTS, WORDS
from everydigit.verdict.rule import decimal
from everydigit.verdict.values import Value

_FORM = re.compile(
    rf"""
    (?P<sign>[{SIGNS}]\s*)?
    (?P<digits>(?:\d|,|\{{,\}})*(?:\.\d+)?)
    (?:
      (?P<times>[eE]|{parts.TIMES_TEN}|{parts.MATH_TIMES_TEN})?
      (?P<exponent>\{{{parts.INTEGER}\}}|{parts.INTEGER}|{parts.RAISED})
    )?
    (?P<tail>.*)
    """,
    re.VERBOSE | re.DOTALL,
)
_RAISED = {plain: raised for raised, plain in SUPERSCRIPTS.items()}
_NAMES = {n: word for word, n in WORDS.items()}
_LONGEST_UNGROUPED = 3


def rewritings(number: Number, value: Value, *, in_math: bool) -> Iterator[str]:
    """How `value` may be written as `number` is, the best first; the rule must still be asked."""
    if not number.finite or value.infinite or re.search(parts.PART, number.text):
        return
    found = value.near(number.digits) * (100 if number.percent else 1)
    form = _FORM.match(number.text)
    assert form is not None
    if number.text[0].isalpha():
        yield from _in_words(number, found)
    elif form["exponent"] and not form["times"]:
        yield from _power(form, found, in_math)
    elif form["times"] and found and 1 <= _mantissa(form) < 10:
        yield _scientific(number, form, found, in_math)
    else:
        for unit in _units(number, found):
            rounded = _rounded(number, found, unit)
            if rounded or not found or not number.value:  # 0.03 is not 0.0 for want of digits
                yield _plain(number, form, rounded, unit, in_math)


def _units(number: Number, found: Fraction) -> Iterator[Fraction]:
    """The place of the last digit: where it was, or as many significant digits as there were."""
    yield number.unit
    if found and (number.kind == "decimal" or number.approximate):
        unit = Fraction(10) ** (_magnitude(found) - number.digits + 1)
        yield unit if number.kind == "decimal" else max(unit, Fraction(1))


def _rounded(number: Number, found: Fraction, unit: Fraction) -> Fraction:
    steps = found / unit
    return (int(steps) if number.truncated else round(steps)) * unit


def _plain(
    number: Number, form: re.Match[str], rounded: Fraction, unit: Fraction, in_math: bool
) -> str:
    """With the exponent, the scale and the percent sign that follow the digits now."""
    decimals = len(form["digits"].partition(".")[2])
    mantissa = _mantissa(form)
    scale = abs(number.value) / mantissa if mantissa else number.unit * 10**decimals
    places = len(str((unit / scale).denominator)) - 1
    digits = decimal(abs(rounded) / scale, places)
    if form["digits"].startswith("."):
        digits = digits.removeprefix("0")
    rest = number.text[form.end("digits") :]
    return _sign(form, rounded, in_math) + _grouped(digits, form["digits"], in_math) + rest


def _scientific(number: Number, form: re.Match[str], found: Fraction, in_math: bool) -> str:
    """One digit before the point, as many behind it as before, and the exponent that results."""
    places = len(form["digits"].partition(".")[2])
    exponent = _magnitude(found)
    rounded = _rounded(number, found, Fraction(10) ** (exponent - places))
    if _magnitude(rounded) > exponent:  # 9.96 becomes 10.0, that is 1.00×10¹
        exponent += 1
        rounded = _rounded(number, found, Fraction(10) ** (exponent - places))
    digits = decimal(abs(rounded) / Fraction(10) ** exponent, places)
    braced = form["times"].endswith("^")
    raised = form["times"] + _exponent(exponent, form["exponent"], braced=braced)
    return _sign(form, rounded, in_math) + digits + raised + form["tail"]


def _exponent(exponent: int, old: str, *, braced: bool) -> str:
    """An exponent as the `old` one was written: raised, in braces (if need be), or after an e."""
    if ord(old[-1]) in SUPERSCRIPTS:
        return str(exponent).translate(_RAISED)
    minus = "−" if "−" in old else "-"
    plus = "+" if "+" in old else ""
    width = len(old.strip("{}−+-")) if old.strip("{−+-").startswith("0") else 1
    sign = minus if exponent < 0 else plus
    new = sign + str(abs(exponent)).zfill(width)
    return f"{{{new}}}" if old.startswith("{") or (braced and new[1:]) else new


def _power(form: re.Match[str], found: Fraction, in_math: bool) -> Iterator[str]:
    """The same base, raised to another power."""
    base = _mantissa(form)
    if base > 0 and base != 1 and found:
        size = abs(found)
        logarithm = math.log(size.numerator) - math.log(size.denominator)
        power = round(logarithm / math.log(base))
        raised = str(power).translate(_RAISED)
        yield _sign(form, found, in_math) + form["digits"] + raised + form["tail"]


def _in_words(number: Number, found: Fraction) -> Iterator[str]:
    n = int(_rounded(number, found, number.unit))
    if n > 0 and (word := spelled(n)):
        yield word.capitalize() if number.text[0].isupper() else word
    yield f"{n:,}".replace("-", "−")


def spelled(n: int) -> str | None:
    """A positive number as a word or a few, or None where digits are easier to read.

    >>> spelled(21), spelled(205), spelled(3_000_000), spelled(1234)
    ('twenty-one', 'two hundred and five', 'three million', None)
    """
    if n < 100:
        tens, units = divmod(n, 10)
        return _NAMES.get(n) or f"{_NAMES[10 * tens]}-{_NAMES[units]}"
    power, scale = max((power, word) for word, power in SCALES.items() if n >= 10**power)
    whole, rest = divmod(n, 10**power)
    if whole >= 100 or rest >= 100:
        return None
    return f"{spelled(whole)} {scale}" + (f" and {spelled(rest)}" if rest else "")


def _mantissa(form: re.Match[str]) -> Fraction:
    return Fraction(re.sub("[{},]", "", form["digits"]) or 0)


def _magnitude(value: Fraction) -> int:
    """The power of ten of the first significant digit of a value that is not zero."""
    size = abs(value)
    guess = len(str(size.numerator)) - len(str(size.denominator))
    return guess if size >= Fraction(10) ** guess else guess - 1


def _sign(form: re.Match[str], value: Fraction, in_math: bool) -> str:
    old = form["sign"] or ""
    if value < 0:
        return old if old and not old.startswith("+") else "-" if in_math else "−"
    return old if old.startswith("+") else ""


def _grouped(digits: str, old: str, in_math: bool) -> str:
    """With the commas between thousands that the `old` digits had, or would have had."""
    whole, point, decimals = digits.partition(".")
    comma = "{,}" if "{,}" in old else ","
    ungrouped = in_math or len(old.partition(".")[0]) > _LONGEST_UNGROUPED
    if comma not in old and ungrouped:
        return digits
    return f"{int(whole or 0):,}".replace(",", comma)[: None if whole else 0] + point + decimals
