"""A number as shown: its value, read without rounding, and what its last digit stands for."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Kind = Literal["integer", "decimal", "exact", "infinity", "huge"]
LARGEST = 14_000  # bits of a number that is worked out: what Python itself writes as digits


@dataclass(frozen=True)
class Number:
    """A number as shown: its value, and the size of one unit of its last digit.

    One that is `huge` is not worked out, and has no value: no claim about it can hold.
    """

    text: str
    start: int
    value: Fraction
    kind: Kind = "integer"
    unit: Fraction = Fraction(1)
    percent: bool = False
    truncated: bool = False
    approximate: bool = False

    @property
    def end(self) -> int:
        """Where the number ends in the text it was found in."""
        return self.start + len(self.text)

    @property
    def finite(self) -> bool:
        """Whether the number has a value to compute with."""
        return self.kind not in ("infinity", "huge")

    @property
    def digits(self) -> int:
        """Significant digits shown; a shown zero counts its decimals."""
        if not self.finite:
            return 0
        scaled = abs(self.value / self.unit)
        return len(str(int(scaled))) if scaled else len(str(self.unit.denominator)) - 1 or 1


def read_decimal(
    shown: str,
    start: int,
    sign: int,
    mantissa: str,
    exponent: int | None = None,
    power: int | None = None,
    **marks: bool,
) -> Number:
    """The number whose digits are `mantissa`, scaled by 10^exponent or raised to `power`."""
    if 4 * (len(mantissa) * abs(power or 1) + abs(exponent or 0)) > LARGEST:  # four a digit
        return Number(shown, start, Fraction(sign), "huge")
    value = sign * Fraction(mantissa)
    decimals = len(mantissa.partition(".")[2])
    if power is not None and value:
        value = sign * Fraction(mantissa) ** power
        near = marks["approximate"] and mantissa == "10"  # only then does it say to which digit
        marks |= {"approximate": near, "truncated": False}
        return Number(shown, start, value, "exact", abs(value), **marks)
    unit = Fraction(1, 10**decimals)
    kind: Kind = "decimal" if decimals or exponent is not None else "integer"
    if marks["approximate"] and kind == "integer":
        unit = last_place(int(value))
    scale = Fraction(10) ** (exponent or 0)
    return Number(shown, start, value * scale, kind, unit * scale, **marks)


def last_place(value: int) -> Fraction:
    """The place of the last non-zero digit of an integer: 4,200 is shown to hundreds."""
    digits = str(abs(value))
    return Fraction(10 ** (len(digits) - len(digits.rstrip("0")))) if value else Fraction(1)
