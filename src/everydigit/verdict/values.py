"""What a TARGET gives: a flat list of values, each as exact as it can be known."""

import numbers
import sys
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from math import isinf, isnan
from operator import attrgetter
from typing import Any

import numpy as np

GUARD_DIGITS = 20  # how many digits more than shown an exact value is worked out to
DISGUISED_FLOAT = 2**30  # a power of two above this that divides a denominator was a float's
_ROOTS = range(1, 7)  # a root of a disguised float is one too


class BadTargetError(Exception):
    """TARGET gave something that no number can be compared with."""


@dataclass(frozen=True)
class Value:
    """One number of TARGET: `raw` as computed, `exact` if it is more than a float."""

    raw: Any
    exact: bool
    fraction: Fraction | None  # None: an exact irrational, or an infinity
    infinite: int = 0

    def near(self, digits: int) -> Fraction:
        """The value, to at least `digits` significant digits."""
        if self.fraction is not None:
            return self.fraction
        return _evaluated(self.raw, digits + GUARD_DIGITS)

    def equals(self, number: Fraction) -> bool:
        """Whether the value is exactly `number`."""
        if self.fraction is not None:
            return self.fraction == number
        import sympy

        difference = self.raw - sympy.Rational(number.numerator, number.denominator)
        return bool(difference.equals(0))

    @cached_property
    def disguised(self) -> bool:
        """Whether a rational in here has the denominator of a float."""
        if not self.exact:
            return False
        if self.fraction is not None:
            return _is_float_denominator(self.fraction.denominator)
        import sympy

        return any(map(_has_float_denominator, sympy.preorder_traversal(self.raw)))


def flatten(target: Any) -> tuple[list[Value], list[bool]]:
    """The numbers of TARGET in order, and its truth values apart."""
    values: list[Value] = []
    truths: list[bool] = []
    for item in _leaves(target):
        if isinstance(item, (bool, np.bool_, *_sympy("logic.boolalg.BooleanAtom"))):
            truths.append(bool(item))
        else:
            values.append(_value(item))
    return values, truths


def _sympy(*names: str) -> tuple[Any, ...]:
    """Classes of SymPy, which is not loaded for them: until it is, there are no such objects."""
    loaded = sys.modules.get("sympy")
    return tuple(attrgetter(name)(loaded) for name in names) if loaded else ()


def _leaves(target: Any) -> Iterable[Any]:
    if hasattr(target, "detach"):  # a torch tensor, without importing torch
        target = target.detach().cpu().numpy()
    if isinstance(target, np.ndarray):
        yield from target.ravel() if target.dtype != object else _each(target.ravel().tolist())
    elif isinstance(target, str | bytes):
        raise BadTargetError(f"gives the text {target!r}, not a number")
    elif isinstance(target, _sympy("MatrixBase")):
        yield from target.flat()
    elif isinstance(target, (Mapping, Set, *_sympy("Set"))):
        raise BadTargetError(f"gives a {type(target).__name__}, which has no order to compare")
    elif isinstance(target, Iterable):
        yield from _each(target)
    else:
        yield target


def _each(items: Iterable[Any]) -> Iterable[Any]:
    for item in items:
        yield from _leaves(item)


@lru_cache  # one value is asked for often: in a comparison, in its message, for every changed digit
def _evaluated(expression: Any, digits: int) -> Fraction:
    import sympy

    return Fraction(str(sympy.N(expression, digits)))


def _value(item: Any) -> Value:
    if isinstance(item, Value):  # taken from an earlier comparison
        return item
    if isinstance(item, _sympy("Basic")):
        return _symbolic(item)
    if isinstance(item, numbers.Rational):  # int, numpy integers, Fraction
        return Value(item, True, Fraction(int(item.numerator), int(item.denominator)))
    if isinstance(item, float | np.floating):
        if isnan(item):
            raise BadTargetError("gives NaN")
        if isinf(item):
            return Value(item, False, None, 1 if item > 0 else -1)
        return Value(item, False, Fraction(Decimal(str(item))))  # its shortest decimal
    if isinstance(item, Decimal):
        return _value(float(item)) if not item.is_finite() else Value(item, False, Fraction(item))
    if type(item).__module__.startswith("mpmath"):
        return _mpmath(item)
    raise BadTargetError(f"gives {item!r}, a {type(item).__name__}, which is no real number")


def _symbolic(item: Any) -> Value:
    import sympy

    if item in (sympy.oo, -sympy.oo):
        return Value(item, False, None, 1 if item == sympy.oo else -1)
    if item is sympy.nan:
        raise BadTargetError("gives NaN")
    if not getattr(item, "is_number", False) or item.is_real is False:
        raise BadTargetError(f"gives {item}, which is no real number")
    if item.atoms(sympy.Float):
        return Value(item, False, Fraction(str(sympy.N(item, 17))))
    if item.is_Rational:
        return Value(item, True, Fraction(int(item.p), int(item.q)))
    return Value(item, True, None)


def _mpmath(item: Any) -> Value:
    try:
        number = float(item)
    except TypeError as error:
        raise BadTargetError(f"gives {item}, which is no real number") from error
    if isnan(number) or isinf(number):
        return _value(number)
    sign, mantissa, exponent, _ = item._mpf_
    return Value(item, False, (-1) ** sign * Fraction(mantissa) * Fraction(2) ** exponent)


def _has_float_denominator(part: Any) -> bool:
    """Whether a rational, or a root of one, has the denominator of a float."""
    if not (part.is_Rational or part.is_Mul or part.is_Pow):
        return False
    rational = next((power for n in _ROOTS if (power := part**n).is_Rational), None)
    return rational is not None and _is_float_denominator(int(rational.q))


def _is_float_denominator(denominator: int) -> bool:
    return denominator & -denominator > DISGUISED_FLOAT
