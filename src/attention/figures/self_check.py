"""Self-checks: a reader types a number, and the page judges it as the book's claims are judged."""

import base64
import math
import numbers
from fractions import Fraction
from html import escape

from attention.figures.operable import operable
from attention.figures.pictures import Element


def self_check(answer: float | Fraction, *, ask: str, name: str) -> Element:
    """Ask for one number; right is what the answer is when correctly rounded to the digits typed.

    An exact tie may go either way, and an integer must be exact. A float is read as its shortest
    decimal and judges at most 12 digits. The page does not show the answer.

    Raises:
        TypeError: the answer is no number.
        ValueError: the answer is NaN or infinite, or nothing is asked.

    Source: the rule for claims, `everydigit.verdict.rule`.

    Examples:
        >>> self_check(Fraction(1, 3), ask="One third, as a decimal?", name="third")
        <figure: One third, as a decimal?>

    """
    if not isinstance(answer, numbers.Real) or isinstance(answer, bool):
        raise TypeError(f"answer is {answer!r}: an int, a float or a Fraction belongs here")
    if not math.isfinite(answer):
        raise ValueError(f"answer is {answer!r}: nobody can type it")
    if not ask.strip():
        raise ValueError("a self-check needs a question")
    exact = isinstance(answer, numbers.Rational)
    value = Fraction(answer) if exact else Fraction(repr(float(answer)))
    folded = base64.b64encode(f"{value} {'exact' if exact else 'float'}".encode()).decode()
    default = f"<p>{escape(ask)} Work it out, then open the solution below.</p>"
    data = {"ask": ask, "folded": folded}
    return operable("self-check", name, default=default, data=data, caption=ask, scripts=())
