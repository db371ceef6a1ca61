"""The value of plain arithmetic: exact, but for roots and powers that no fraction can hold."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from math import factorial, isqrt

from everydigit.number.numeral import LARGEST
from everydigit.verdict.equations.terms import END, Term

PRECISION = 60  # digits of a root that is irrational


class UnreadableError(Exception):
    """What looks like arithmetic is none."""


class Vector(tuple[Fraction, ...]):
    """A list of numbers in parentheses: added and scaled component by component."""


Amount = Fraction | Vector


class _Reader:
    """Reads terms from left to right, by the usual precedence."""

    def __init__(self, terms: list[Term]) -> None:
        self.terms = [*terms, END]
        self.position = 0
        self.exact = True

    @property
    def next(self) -> Term:
        return self.terms[self.position]

    def take(self) -> Term:
        self.position += 1
        return self.terms[self.position - 1]

    def accept(self, *texts: str) -> str | None:
        """The next sign, taken, if it is one of `texts`."""
        return self.take().text if not self.next.number and self.next.text in texts else None

    def sum(self) -> Amount:
        total = self.product()
        while sign := self.accept("+", "−"):
            term = self.product()
            total = _added(total, term if sign == "+" else _scaled(term, Fraction(-1)))
        return total

    def product(self) -> Amount:
        total = self.factor()
        while True:
            if sign := self.accept("×", "/"):
                factor = self.factor()
                total = _scaled(total, factor) if sign == "×" else _divided(total, factor)
            elif self.next.glued and (self.next.text in ("(", "√") or self.follows_factorial()):
                total = _scaled(total, self.factor())  # 2(1 + 2), 2!2!
            else:
                return total

    def factor(self) -> Amount:
        if sign := self.accept("+", "−"):
            return _scaled(self.factor(), Fraction(-1 if sign == "−" else 1))
        signed = bool(self.next.number and self.next.number.value < 0)
        sign_of_base = Fraction(-1 if signed else 1)  # −2² is −4, and −3! is −6
        base = _scaled(self.atom(), sign_of_base)
        if self.accept("!"):
            base = _factorial(base)
        if self.accept("^"):
            exponent = self.factor()
            if not isinstance(base, Fraction) or not isinstance(exponent, Fraction):
                raise UnreadableError
            base = self.power(base, exponent)
        return _scaled(base, sign_of_base)

    def follows_factorial(self) -> bool:
        return bool(self.next.number and self.terms[self.position - 1].text == "!")

    def atom(self) -> Amount:
        if number := self.next.number:
            self.position += 1
            return number.value / (100 if number.percent else 1)
        if self.accept("√"):
            radicand = self.atom()
            if not isinstance(radicand, Fraction):
                raise UnreadableError
            return self.power(radicand, Fraction(1, 2))
        if not self.accept("("):
            raise UnreadableError
        parts = [self.sum()]
        while self.accept(","):
            parts.append(self.sum())
        if not self.accept(")"):
            raise UnreadableError
        if len(parts) == 1:
            return parts[0]
        numbers = [part for part in parts if isinstance(part, Fraction)]
        if len(numbers) < len(parts):
            raise UnreadableError
        return Vector(numbers)

    def power(self, base: Fraction, exponent: Fraction) -> Fraction:
        bits = max(base.numerator.bit_length(), base.denominator.bit_length())
        if abs(exponent) * bits > LARGEST:
            raise UnreadableError
        if exponent.denominator == 1:
            return Fraction(base**exponent.numerator)
        if base < 0:
            raise UnreadableError
        if exponent == Fraction(1, 2):
            roots = isqrt(base.numerator), isqrt(base.denominator)
            if (roots[0] ** 2, roots[1] ** 2) == base.as_integer_ratio():
                return Fraction(*roots)
        self.exact = False
        with localcontext() as context:
            context.prec = PRECISION
            return Fraction(as_decimal(base) ** as_decimal(exponent))


def _factorial(base: Amount) -> Fraction:
    if not isinstance(base, Fraction) or base.denominator != 1 or base < 0:
        raise UnreadableError
    if base * base.numerator.bit_length() > LARGEST:
        raise UnreadableError
    return Fraction(factorial(base.numerator))


def as_decimal(value: Fraction) -> Decimal:
    """A fraction, however large, as a decimal."""
    return Decimal(value.numerator) / Decimal(value.denominator)


def _added(a: Amount, b: Amount) -> Amount:
    if isinstance(a, Vector) and isinstance(b, Vector) and len(a) == len(b):
        return Vector(x + y for x, y in zip(a, b, strict=True))
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a + b
    raise UnreadableError


def _scaled(a: Amount, b: Amount) -> Amount:
    if isinstance(a, Fraction):
        return a * b if isinstance(b, Fraction) else Vector(a * x for x in b)
    if isinstance(b, Fraction):
        return Vector(x * b for x in a)
    raise UnreadableError


def _divided(a: Amount, b: Amount) -> Amount:
    if isinstance(b, Vector):
        raise UnreadableError
    return _scaled(a, 1 / b)


def evaluate(terms: list[Term]) -> tuple[Amount, bool]:
    """The value of `terms`, and whether it is exact.

    Raises
    ------
    UnreadableError
        If the terms are no arithmetic.
    ZeroDivisionError
        If they divide by zero.

    """
    reader = _Reader(terms)
    amount = reader.sum()
    if reader.next is not END:
        raise UnreadableError
    return amount, reader.exact
