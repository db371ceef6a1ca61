"""The value of plain arithmetic: exact, but for roots and powers that no fraction can hold.

The terms are written as a Python expression, which alone reads precedence; no more of Python is
evaluated than is named here.  Factorials, roots, lists and powers that are irrational stay for
books on probability and geometry, though the book beside this checker needs few of them.
"""

import ast
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from math import factorial, isqrt

from everydigit.number.numeral import LARGEST
from everydigit.verdict.equations.terms import END, Term

_MINUS = Fraction(-1)
PRECISION = 60  # digits of a root that is irrational
_PYTHON = {"−": "-", "×": "*", "^": "**", "√": "root", "!": ".factorial"}


class UnreadableError(Exception):
    """What looks like arithmetic is none."""


class Vector(tuple[Fraction, ...]):
    """A list of numbers in parentheses: added and scaled component by component."""


Amount = Fraction | Vector


def worked_out(terms: list[Term]) -> tuple[Amount, bool]:
    """The value of `terms`, and whether it is exact.

    Raises
    ------
    UnreadableError
        If the terms are no arithmetic.
    ZeroDivisionError
        If they divide by zero.

    """
    walk = _Walk(
        [abs(t.number.value) / (100 if t.number.percent else 1) for t in terms if t.number]
    )
    try:
        tree = ast.parse(_in_python(terms), mode="eval")
    except (SyntaxError, MemoryError) as error:
        raise UnreadableError from error
    return walk.value(tree.body), walk.exact


def _in_python(terms: list[Term]) -> str:
    """The terms in Python, a number as its place in the list of all; −2² is −4, and −3! is −6."""
    words: list[str] = []
    roots = count = 0
    for before, term, after in zip([END, *terms], terms, [*terms[1:], END], strict=False):
        operand = term.number or term.text in ("(", "√")
        if operand and (before.number or before.text in (")", "!")):
            if not term.glued or (term.number and before.text != "!"):
                raise UnreadableError
            words.append("*")  # 2(1 + 2), 2!2!
        elif (before.text == "√" and not operand) or before.text == term.text == "!":
            raise UnreadableError
        if term.number:
            words.append(f"{'-' * (term.number.value < 0)} n{count} {')' * roots}")
            roots, count = 0, count + 1
        else:
            words.append(_PYTHON.get(term.text, term.text))
            if term.text == "√" and after.text != "(":
                words.append("(")
                roots += 1
    return " ".join(words).strip()


@dataclass
class _Walk:
    """Evaluates a tree over the `numbers`, and knows whether the result is exact."""

    numbers: list[Fraction]
    exact: bool = True

    def value(self, node: ast.expr) -> Amount:
        match node:
            case ast.Name(id=name) if name[1:].isdecimal():
                return self.numbers[int(name[1:])]
            case ast.UnaryOp(op=ast.UAdd() | ast.USub() as sign, operand=operand):
                amount = self.value(operand)
                return amount if isinstance(sign, ast.UAdd) else _scaled(amount, _MINUS)
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return self.power(self.value(left), self.value(right))
            case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _COMPUTES:
                return _COMPUTES[type(operator)](self.value(left), self.value(right))
            case ast.Attribute(value=base):
                return _factorial(self.value(base))
            case ast.Call(func=ast.Name(id="root"), args=[radicand]):
                return self.power(self.value(radicand), Fraction(1, 2))
            case ast.Tuple(elts=parts) if parts:
                return Vector(_scalar(self.value(part)) for part in parts)
        raise UnreadableError

    def power(self, a: Amount, b: Amount) -> Fraction:
        base, exponent = _scalar(a), _scalar(b)
        bits = max(base.numerator.bit_length(), base.denominator.bit_length())
        if abs(exponent) * bits > LARGEST:
            raise UnreadableError
        if exponent.denominator == 1:
            return Fraction(base**exponent.numerator)
        if not base and exponent < 0:
            raise ZeroDivisionError
        if base < 0:
            raise UnreadableError
        if exponent == Fraction(1, 2):
            roots = isqrt(base.numerator), isqrt(base.denominator)
            if (roots[0] ** 2, roots[1] ** 2) == base.as_integer_ratio():
                return Fraction(*roots)
        self.exact = False
        with localcontext() as context:
            context.prec = PRECISION
            x, y = (Decimal(n.numerator) / n.denominator for n in (base, exponent))
            return Fraction(x**y)


def _scalar(amount: Amount) -> Fraction:
    if isinstance(amount, Vector):
        raise UnreadableError
    return amount


def _factorial(amount: Amount) -> Fraction:
    base = _scalar(amount)
    if base.denominator != 1 or not 0 <= base * base.numerator.bit_length() <= LARGEST:
        raise UnreadableError
    return Fraction(factorial(base.numerator))


def _added(a: Amount, b: Amount) -> Amount:
    if isinstance(a, Vector) and isinstance(b, Vector) and len(a) == len(b):
        return Vector(x + y for x, y in zip(a, b, strict=True))
    return _scalar(a) + _scalar(b)


def _scaled(a: Amount, b: Amount) -> Amount:
    if isinstance(a, Vector):
        return Vector(x * _scalar(b) for x in a)
    return Vector(a * x for x in b) if isinstance(b, Vector) else a * b


_COMPUTES: dict[type[ast.operator], Callable[[Amount, Amount], Amount]] = {
    ast.Add: _added,
    ast.Sub: lambda a, b: _added(a, _scaled(b, _MINUS)),
    ast.Mult: _scaled,
    ast.Div: lambda a, b: _scaled(a, 1 / _scalar(b)),
}
