"""Equations in a claim: each must hold as written."""

import pytest

from claims.arithmetic import broken_equations
from claims.latex import find_math_numbers
from claims.numbers import find_numbers


def broken(text, *, math=False):
    numbers = find_math_numbers(text, every=True) if math else find_numbers(text)
    return list(broken_equations(text, numbers))


HOLDS = [
    "1×1 + 0×0 = 1",
    "2·3 = 6",
    "7 − 2 = 5",
    "1−2 = −1",
    "6/4 = 1.5",
    "6 ÷ 4 = 1.5",
    "(1 + 2)×3 = 9",
    "1/3 = 0.333",
    "0.667 = 2/3",
    "1 + 1 = 2 = 4/2",
    "2³ = 8",
    "½ + ½ = 1",
    "50 % = ½",
    "(1, 2) + (3, 4) = (4, 6)",
    "2×(1, 2) = (2, 4)",
    "(1, 2)×2 = (2, 4)",
    "−(1, 2) = (−1, −2)",
    "(3, 4) − (1, 1) = (2, 3)",
    "(1, 3)/3",
    "so 1+1 = 2, and 2+2 = 4.",
    "one and one: 1 + 1 = 2 nats",
]
BROKEN = [
    "1×1 + 0×1 = 2",
    "2·3 = 7",
    "7 − 2 = 4",
    "6/4 = 1.4",
    "1/3 = 0.334",
    "1+1=3",
    "(1+2)×3=8",
    "2/3 = 0.66",
    "1 + 1 = 2 = 5/2",
    "1 + 1 = 3 = 6/2",
    "2³ = 9",
    "50 % = 0.6",
    "(1, 2) + (3, 4) = (4, 7)",
    "so 1+1 = 2, and 2+2 = 5.",
    "1/0 = 1",
    "(1, 2) = 1",
    "(1, 2) + (3, 4, 5) = (4, 6)",
    "3 −1 = 2",
    "0.9 = 1",
]
# A symbol takes part, or the numbers are said to be no more than near: nothing to compute.
UNSAID = [
    "d = 4",
    "2x = 5",
    "x + 1 = 5",
    "5 = 1 + x",
    "√4 = 3",
    "3! = 7",
    "f(2) = 5",
    "about 4,200 = 4233",
    "1/3 = 0.33…",
    "1 ≈ 2",
    "∞ = 1",
]


@pytest.mark.parametrize("text", HOLDS)
def test_holds(text):
    assert broken(text) == []


@pytest.mark.parametrize("text", BROKEN)
def test_broken(text):
    assert len(broken(text)) == 1


@pytest.mark.parametrize("text", UNSAID)
def test_nothing_to_compute(text):
    assert broken(text) == []


def test_the_message_shows_both_sides():
    assert broken("1×1+0×1 = 2") == ["1 × 1 + 0 × 1 = 2 does not hold: 1 is not 2"]
    assert broken("1/0 = 1") == ["1 / 0 = 1 divides by zero"]


MATH = [
    (r"2 \times 3 = 6", 0),
    (r"2 \times 3 = 7", 1),
    (r"2 \cdot 3 = 7", 1),
    (r"\left(1 + 2\right) \times 3 = 9", 0),
    (r"\left(1 + 2\right) \times 3 = 8", 1),
    (r"\begin{aligned} 1 + 1 &= 2 \\ 2 + 2 &= 4 \end{aligned}", 0),
    (r"\begin{aligned} 1 + 1 &= 3 \\ 2 + 2 &= 4 \end{aligned}", 1),
    (r"\begin{aligned} 1 + 1 &= 2\\ 2 + 2 &= 5 \end{aligned}", 1),
    (r"1 + 1 = 3 \quad x", 1),
    (r"4{,}000 + 233 = 4{,}234", 1),
    (r"x_1 + 1 = 5", 0),
    (r"2^{3} = 9", 0),
]


@pytest.mark.parametrize(("latex", "count"), MATH)
def test_in_a_formula(latex, count):
    assert len(broken(latex, math=True)) == count


def test_every_one_digit_change_of_an_equation_is_noticed():
    text = "1×1 + 0×1 = 1, and 12 − 3×2.5 = 4.5"
    places = [i for i, letter in enumerate(text) if letter.isdigit()]
    survivors = [
        text[:i] + digit + text[i + 1 :]
        for i in places
        for digit in "0123456789"
        if digit != text[i] and not broken(text[:i] + digit + text[i + 1 :])
    ]
    # 0×anything, x×1 for 1×x: the equation still holds, and TARGET has to tell.
    assert all(eval_both(text) for text in survivors)


def eval_both(text):
    left, right = text.replace("×", "*").replace("−", "-").split(", and ")
    return all(eval(side.replace("=", "==")) for side in (left, right))
