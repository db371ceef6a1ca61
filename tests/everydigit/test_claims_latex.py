"""Numbers in formulas: which say something, and which are notation."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everydigit.number.formula import find_math_numbers

F = Fraction

RELATIONS = r"""
    \leqq \lesssim \asymp \subset \ni \succ \doteq \Leftarrow \rightarrow \longmapsto \impliedby
""".split()
# A formula, and the numbers in it that a reader takes for a statement.
STATED = [
    # alone on a side of a relation
    (r"x = 1", [1]),
    (r"x = -1", [-1]),
    (r"x = {3}", [3]),
    (r"x = 3.", [3]),
    (r"7 = x", [7]),
    ("7\n= x", [7]),
    (r"1 \le i \le 4", [1, 4]),
    (r"a\;=\;7", [7]),
    (r"x &= 7 \\ y &= 8", [7, 8]),
    (r"x \ll 3", [3]),
    *((rf"x {relation} 3", [3]) for relation in RELATIONS),
    (r"4 \times 3 = 12", [12]),
    # alone as an argument, or in delimiters
    (r"f(3)", [3]),
    (r"\sqrt{2}", [2]),
    (r"\frac{1}{2}", [1, 2]),
    (r"\frac12", [1, 2]),  # an argument without braces is one digit
    (r"\tfrac 1{23}", [1, 23]),
    (r"\frac{1}2", [1, 2]),
    (r"\sqrt4", [4]),
    (r"\sqrt[3]8", [3, 8]),
    (r"\{1, 2\}", [1, 2]),
    (r"x \in [0, 1]", [0, 1]),
    (r"\left(3\right)", [3]),
    (r"\bigl(3\bigr)", [3]),
    (r"\lVert 3 \rVert", [3]),
    (r"(-1)^n", [-1]),
    (r"\biggl(3\biggr)", [3]),
    (r"\langle 3 \rangle", [3]),
    # alone as a cell of a matrix
    (r"\begin{bmatrix} 1 & 0 \\ -1 & 5 \end{bmatrix}", [1, 0, -1, 5]),
    (r"\begin{bmatrix} 1 & 0 \\[3pt] -1 & 5 \end{bmatrix}", [1, 0, -1, 5]),
    (r"\begin{array}{c2} 1 & 2 \end{array}", [1, 2]),
    # anywhere, with a decimal point
    (r"0.5x + y", [F(1, 2)]),
    (r"y - .5", [F(1, 2)]),
    # words inside a formula
    (r"\text{row 3}", [3]),
    (r"x \text{ of three, } y", [3]),
    # forms
    (r"4{,}233", [4233]),
    (r"1{,}234{,}567.5", [F("1234567.5")]),
    (r"1.9\times10^{-4}", [F(19, 10**5)]),
    (r"1.9 \times 10^{-4}", [F(19, 10**5)]),
    (r"1.9\cdot10^4", [19000]),
    (r"-\infty < x", [-1]),
]
# Formulas without a statement: scripts, coefficients, names, labels.
NOTATION = [
    r"x_1^2",
    r"x_{10}",
    r"x^{a_{1}}",
    r"\mathbb{R}^{4 \times 3}",
    r"e^{-2.5 x}",
    r"\sum_{i=1}^{4} x_i",
    r"\log_2 n",
    r"2x",
    r"1 - 2b",
    r"4 \times 3",
    r"10^{-4}",
    r"\tag{3} x",
    r"\label{eq-3} x",
    r"\operatorname{d2}(x)",
    r"\hspace{3em} x",
    r"x \\[2.5mm] y",
    r"x_\alpha",
    r"\alpha^\beta",
]
# All numbers on the line: what a claim around the formula binds.
ON_THE_LINE = [
    (r"1 - 2b", [1, 2]),
    (r"4 \times 3 = 12", [4, 3, 12]),
    (r"x_1 + 1 = 2", [1, 2]),
    (r"2^{10} = 1024", [2, 1024]),
    (r"x_{10} + 10", [10]),
    (r"x^\alpha 3", [3]),
    (r"5 - -3", [5, -3]),
    (r"x - 1 = 3", [1, 3]),
    (r"f(1) - 1", [1, 1]),
    (r"\{1\} - 1", [1, 1]),
    (r"\lfloor x \rfloor - 3", [3]),
    (r"\lVert x \rVert - 3", [3]),
    (r"6 \div -3", [6, -3]),
    (r"x^{\{3\}} 4", [4]),
    (r"x^", []),
    (r"\frac123", [1, 2, 3]),
    (r"\sqrt42", [4, 2]),
    (r"\frac{x_1}2 + 34", [2, 34]),
]


def values(latex, *, every):
    return [n.value for n in find_math_numbers(latex, every=every)]


@pytest.mark.parametrize(("latex", "expected"), STATED)
def test_stated(latex, expected):
    assert values(latex, every=False) == expected


@pytest.mark.parametrize("latex", NOTATION)
def test_notation(latex):
    assert values(latex, every=False) == []


@pytest.mark.parametrize(("latex", "expected"), ON_THE_LINE)
def test_on_the_line(latex, expected):
    assert values(latex, every=True) == expected


@pytest.mark.parametrize("latex", ["33\\%", r"33\,\%", r"33\ \%", r"33.0\%"])
def test_percent(latex):
    (number,) = find_math_numbers(latex, every=True)
    assert number.percent
    assert number.value == 33


@pytest.mark.parametrize("latex", [r"0.33\ldots", r"0.33\dots", "0.33…"])
def test_truncated(latex):
    (number,) = find_math_numbers(latex, every=True)
    assert (number.truncated, number.value) == (True, F(33, 100))


@pytest.mark.parametrize(
    ("latex", "unit"), [(r"x \approx 4200", 100), (r"x ≈ 4{,}200", 100), (r"\approx -30", 10)]
)
def test_approximate(latex, unit):
    (number,) = find_math_numbers(latex, every=True)
    assert (number.approximate, number.unit) == (True, unit)


@pytest.mark.parametrize(("latex", "expected"), STATED)
def test_each_number_is_found_where_it_stands(latex, expected):
    for number in find_math_numbers(latex, every=True):
        assert latex[number.start : number.end] == number.text


@given(st.integers(-(10**20), 10**20))
def test_any_integer_reads_back(n):
    assert values(f"{n:,}".replace(",", "{,}"), every=False) == [n]


@given(st.floats(-1e9, 1e9), st.integers(0, 12))
def test_any_float_reads_back_as_formatted(x, precision):
    mantissa, exponent = f"{x:.{precision}e}".split("e")
    latex = rf"{mantissa}\times10^{{{int(exponent)}}}"
    assert values(f"x = {latex}", every=False) == [F(f"{mantissa}e{exponent}")]
