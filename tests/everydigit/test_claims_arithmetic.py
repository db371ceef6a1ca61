"""Equations in a claim: each must hold as written."""

import pytest

from everydigit.verdict.equations.check import broken_equations
from everydigit.verdict.equations.terms import math_terms, text_terms


def broken(text, *, math=False):
    terms = math_terms(text) if math else text_terms(text)
    return [message for _, message in broken_equations(list(terms))]


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
    # powers and roots
    "2^3 = 8",
    "2**3 = 8",
    "2^3^2 = 512",
    "−2^2 = −4",
    "−2² = −4",
    "(−2)² = 4",
    "(1 + 2)² = 9",
    "4^(1/2) = 2",
    "2^−1 = ½",
    "√4 = 2",
    "√(9 + 16) = 5",
    "√2 = 1.414",
    "√2 × √2 = 2",
    "2(1 + 2) = 6",
    # factorials
    "3! = 6",
    "6 = 3!",
    "0! = 1",
    "3!=6",
    "3 != 6",
    "(1 + 2)! = 6",
    "−3! = −6",
    "2^3! = 64",
    "3!^2 = 36",
    "3!² = 36",
    "4!/(2! × 2!) = 6",
    "3! ways = 6 ways",
    "2(3!) = 12",
    "1 + 1 = 2!",
    "(3!)! = 720",
    "2!3! = 12",
    # order
    "1 < 2",
    "2 > 1 ≥ 1 ≤ 2",
    "½ ≠ ⅓",
    "√2 < 1.4143",
    # near, to the digits of the side that shows fewer
    "1/3 ≈ 0.33",
    "4233 ≈ 4,200",
    "4,200 ≈ 4233",
    "½ ≈ 0.5",
    "0.667 ≈ 0.67",
    "1/3 = 0.33…",
    # units
    "3 km = 3 km",
    "3 cats + 4 dogs = 7 animals",
    "3 km per hour = 3 km per hour",
    "0×1 = 0 and 2×1 + 0×1 = 2",
    "The result (3 + 4 = 7) holds",
    "1.5 million = 1,500,000",
    # through a symbol
    "2 = x = 2",
    "2 = x = y = 2",
    "2 = n + 1 = 3 − 1",
    "1/3 = x ≈ 0.33",
    "0.333 = x = 1/3",
    "1 < x ≤ 2",
    "2 > x > 1",
    "3 = x ≠ 4",
    "0.34 = x < 0.338",
    "0.34 = x ≠ 0.34",
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
    "2^3 = 9",
    "2**3 = 9",
    "(1 + 2)² = 8",
    "√4 = 3",
    "√2 = 1.415",
    "√2 × √2 < 2",
    "2(1 + 2) = 5",
    "1 < 1",
    "1 > 2",
    "2 ≤ 1",
    "1 ≥ 2",
    "2 ≠ 2",
    "1 <= 0",
    "1 ≈ 2",
    "1/3 ≈ 0.34",
    "4,400 ≈ 4233",
    "1/3 = 0.34…",
    "3 km = 4 km",
    "3 cats + 4 dogs = 8 animals",
    "0×1 = 0 and 2×1 + 0×1 = 3",
    "The result (3 + 4 = 8) holds",
    "(so 1 + 1 = 3)",
    "1 2 = 12",
    "10^10^10 = 3",
    "(1, (2, 3)) = (1, (2, 4))",
    # factorials
    "3! = 7",
    "7 = 3!",
    "3!=7",
    "6 != 3!",
    "2 + 3 = 5!",
    "½! = 1",
    "(−3)! = −6",
    "(1, 2)! = 2",
    "3!! = 3",
    "10,000! = 3",
    "3!! = 720",
    "√−4 = 2",
    "√−−4 = 2",
    "2 × × 3 = 8",
    "2 // 3 = 0",
    "0^(−½) = 1",
    "(1, 2)×(1, 2) = 5",
    "(1, 2)^2 = 1",
    "√(1, 2) = 1",
    "1/(1, 2) = 1",
    "((1, 2), 3)×2 = 1",
    "() = 1",
    "3! × 2 = 13",
    "(1 + 2)! = 7",
    # through a symbol
    "3 = x = 4",
    "x = 2 = 3",
    "3 = x = y = 4",
    "2 = n + 1 = 4",
    "1/3 = x ≈ 0.34",
    "2 < x < 1",
    "2 < x ≤ 2",
    "3 ≤ x = 2",
    "1 ≥ x > 2",
    "3 = x ≠ 3",
    "3 = x < 3",
    "2 = x = 3 = y = 3",
    "0.34 = x < 0.334",
]
# A symbol takes part, or the numbers are said to be no more than near: nothing to compute.
UNSAID = [
    "d = 4",
    "2x = 5",
    "x + 1 = 5",
    "5 = 1 + x",
    "f(2) = 5",
    "about 4,200 = 4233",
    "1/3 = 0.33…",
    "∞ = 1",
    "3 < ∞",
    "x < 3",
    "1<2>",
    "50 % of 10 = 5",
    "log 8 = 3",
    "the sum of 3 and 4 = 7",
    "9 = 3 squared",
    "1 + 2 + … + 10 = 55",
    "6:3 = 2",
    "(1, 2) < (0, 0)",
    "+ 1 = 3",
    "5 = 5 cats! Good",
    "! = 3",
    "n! = 7",
    "3 = n! / 2 = m",
    # … nor do these say anything of their ends
    "1 < x > 1",
    "3 ≠ x ≠ 3",
    "3 ≈ x < 2",
    "3 = x, 4 = y",
    "3 = x and 4 = x + 1",
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
    assert broken("2 + 3 < 1") == ["2 + 3 < 1 does not hold: 5 is not < 1"]
    assert broken("1 2 = 12") == ["1 2 = 12 cannot be read as arithmetic"]
    assert broken("3! = 7") == ["3! = 7 does not hold: 6 is not 7"]
    assert broken("2 = x = 3") == ["2 = … = 3 does not hold: 2 is not 3"]
    assert broken("2 < x ≤ y ≤ 1") == ["2 < … ≤ … ≤ 1 does not hold: 2 is not < 1"]
    assert broken("1/3 = 1") == ["1 / 3 = 1 does not hold: 1/3 is not 1"]
    assert broken("√2 = 1") == ["√2 = 1 does not hold: 1.41421356237… is not 1"]
    assert broken("10^400 = 3") == ["10^400 = 3 does not hold: 1E+400… is not 3"]
    assert broken("10^3000 × 10^3000 = −3") == [
        "10^3000 × 10^3000 = −3 does not hold: 1E+6000… is not −3"
    ]
    assert broken("3 km = 4 km") == ["3 = 4 does not hold: 3 is not 4"]


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
    (r"1 + 1 = 3 \Leftarrow x", 1),
    (r"1 + 1 = 3 \mapsto x", 1),
    (r"1 + 1 = 2 \leftarrow 3", 0),
    (r"2 \leqq 1", 1),
    (r"\begin{aligned} 1 + 1 &= 2 \\[3pt] 2 + 2 &= 5 \end{aligned}", 1),
    (r"1\phantom{0} + 1 = 3", 1),
    (r"1 + \operatorname{f}(1) = 3", 0),
    (r"4{,}000 + 233 = 4{,}234", 1),
    (r"x_1 + 1 = 5", 0),
    (r"2^{3} = 9", 1),
    (r"2^3 = 8", 0),
    (r"2^{3} + 1 = 10", 1),
    (r"2^{3} + 1 = 9", 0),
    (r"2^{-1} = \frac12", 0),
    (r"\frac12 + \frac12 = 1", 0),
    (r"\frac12 + \frac12 = 3", 1),
    (r"\frac{1}{2} + \frac{1}{2} = 3", 1),
    (r"\left(\frac12\right)^2 = \frac14", 0),
    (r"\left(\frac12\right)^2 = \frac15", 1),
    (r"\frac{1 + 2}{3} = 2", 1),
    (r"\sqrt4 = 3", 1),
    (r"\sqrt{16} = 4", 0),
    (r"2\sqrt4 = 5", 1),
    (r"\sqrt[3]{8} = 3", 0),
    (r"3\frac12 = 7", 0),
    (r"1 < 0", 1),
    (r"3! = 6", 0),
    (r"3! = 7", 1),
    (r"\frac{4!}{2!\,2!} = 6", 0),
    (r"\frac{4!}{2!\,2!} = 7", 1),
    (r"n! = 7", 0),
    (r"2 = x = 3", 1),
    (r"\begin{aligned} 2 &= x \\ &= 3 \end{aligned}", 1),
    (r"\begin{aligned} 2 &= x \\ y &= 3 \end{aligned}", 0),
    (r"0 < p_1 \le -1", 1),
    (r"2 \le 1", 1),
    (r"2 \ne 2", 1),
    (r"\frac13 \approx 0.34", 1),
    (r"3 \approx \pi", 0),
    (r"3 \text{ km} = 4 \text{ km}", 1),
    (r"\log_2 8 = 4", 0),
    (r"2 \cdot 3^\top = 7", 0),
    (r"50\,\% = 0.6", 1),
    (r"6 : 3 = 2", 0),
    (r"\begin{aligned} 1 + 1 &= 2 \\ &= 3 \end{aligned}", 1),
    (r"\begin{aligned} 3 &= 1 + 1 \\ &+ 1 = 3 \end{aligned}", 0),
    (r"\begin{aligned} 1 + 1 &= 3 \\ -1 + 2 &= 1 \end{aligned}", 1),
    (r"\begin{pmatrix} 1 & 2 \\ -1 & 4 \end{pmatrix} = 3", 0),
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
