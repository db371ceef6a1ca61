"""Numbers in prose: which words are numbers, and what they are worth."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everydigit.number import prose
from everydigit.number.prose import find_numbers, unreadable

F = Fraction

ONE_NUMBER = [
    ("4,233", 4233),
    ("1,234,567.25", F("1234567.25")),
    ("12", 12),
    ("007", 7),
    (".5", F(1, 2)),
    ("−0.5", F(-1, 2)),
    ("-0.5", F(-1, 2)),
    ("+3", 3),
    ("33.0 %", 33),
    ("33.0%", 33),
    ("33.0\u00a0%", 33),
    ("1.9e-4", F(19, 10**5)),
    ("1.9e−4", F(19, 10**5)),
    ("1.9E+4", 19000),
    ("1.9×10⁻⁴", F(19, 10**5)),
    ("1.9 × 10⁻⁴", F(19, 10**5)),
    ("−2×10³", -2000),
    ("10⁻⁴", F(1, 10**4)),
    ("2³⁰", 2**30),
    ("1.5²", F(9, 4)),
    ("0²", 0),
    ("1.5 million", 1_500_000),
    ("2.4 thousand", 2400),
    ("3 Billion", 3 * 10**9),
    ("a billion", 10**9),
    ("½", F(1, 2)),
    ("−½", F(-1, 2)),
    ("⅞", F(7, 8)),
    ("1½", F(3, 2)),
    ("0.33…", F(33, 100)),
    ("three", 3),
    ("Sixteen", 16),
    ("twenty-one", 21),
    ("twenty one", 21),
    ("a hundred", 100),
    ("two hundred and five", 205),
    ("two hundred five", 205),
    ("thirteen hundred", 1300),
    ("one thousand two hundred and five", 1205),
    ("sixty-four thousand", 64_000),
    ("two hundred and five thousand", 205_000),
    ("two million three hundred thousand and five", 2_300_005),
    ("the 3rd", 3),
    ("16-wide", 16),
    ("5 nats", 5),
    ("2d", 2),
    ("p=3", 3),
    ("(−3)", -3),
    ("E6 has 4,233.", 4233),
]


@pytest.mark.parametrize(("text", "value"), ONE_NUMBER)
def test_one_number(text, value):
    (number,) = find_numbers(text)
    assert number.value == value
    assert text[number.start : number.end] == number.text


NONE = """
E6|float64|a_1|x²|x₂|v|one|two|threefold|seventeenth|often|hundreds|the first|a third|no|zero|x_10_y
|Q4_K|softmax|the twenty-first
"""


def test_the_list_of_words_that_are_no_numbers_is_true():
    listed = re.findall(r"^    (.+)$", prose.__doc__, re.MULTILINE)
    words = " ".join(listed).split()
    assert len(words) == len(set(words)) == 25
    assert [word for word in words if find_numbers(word)] == []
    assert [len(find_numbers(f"{word} cats")) for word in ("three", "sixteen", "twenty-one")] == [
        1
    ] * 3


@pytest.mark.parametrize("text", NONE.replace("\n", "").split("|"))
def test_names_are_no_numbers(text):
    assert find_numbers(text) == []


MANY = [
    ("(0.25, 1)", [F(1, 4), 1]),
    ("(−1, −0.5)", [-1, F(-1, 2)]),
    ("1−2b", [1, 2]),
    ("1-2", [1, 2]),
    ("5−3", [5, 3]),
    ("3–4", [3, 4]),
    ("16×16", [16, 16]),
    ("16 × 16", [16, 16]),
    ("1×1+0×0 = 1", [1, 1, 0, 0, 1]),
    ("(2) −3", [2, -3]),
    ("1/3", [1, 3]),
    ("2026-11-29", [2026, 11, 29]),
    ("three of 4", [3, 4]),
    ("three four", [3, 4]),
    ("½ and ⅓", [F(1, 2), F(1, 3)]),
]


@pytest.mark.parametrize(("text", "values"), MANY)
def test_several_numbers(text, values):
    assert [n.value for n in find_numbers(text)] == values


KINDS = [
    ("4,233", "integer"),
    ("33 %", "integer"),
    ("sixteen", "integer"),
    ("33.0 %", "decimal"),
    ("1e3", "decimal"),
    ("2×10³", "decimal"),
    ("10⁻⁴", "exact"),
    ("3 million", "decimal"),
    ("three million", "integer"),
    ("½", "exact"),
    ("∞", "infinity"),
    ("−∞", "infinity"),
]


@pytest.mark.parametrize(("text", "kind"), KINDS)
def test_kinds(text, kind):
    assert [n.kind for n in find_numbers(text)] == [kind]


def test_infinity_has_a_sign():
    assert [n.value for n in find_numbers("∞, −∞")] == [1, -1]


@pytest.mark.parametrize(
    ("text", "unit"),
    [("3", 1), ("0.50", F(1, 100)), ("1.9e-4", F(1, 10**5)), ("2×10³", 1000), ("4,200", 1)],
)
def test_the_unit_of_the_last_digit(text, unit):
    assert find_numbers(text)[0].unit == unit


@pytest.mark.parametrize(
    ("text", "digits"),
    [("0.330", 3), ("4,233", 4), ("0.0012", 2), ("0.000", 3), ("0", 1), ("1.000", 4), ("3e5", 1)],
)
def test_significant_digits(text, digits):
    assert find_numbers(text)[0].digits == digits


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("about 4,200", 100),
        ("About 4,200", 100),
        ("≈ 4,200", 100),
        ("≈4,200", 100),
        ("about three hundred", 100),
        ("about 4,230", 10),
        ("about 7", 1),
        ("about 0", 1),
        ("about −4,200", 100),
        ("about 10³", 1000),
        ("roughly 4,200", 100),
        ("nearly 4,200", 100),
        ("almost 4,200", 100),
        ("around 4,200", 100),
        ("~4,200", 100),
    ],
)
def test_about(text, unit):
    (number,) = find_numbers(text)
    assert number.approximate
    assert number.unit == unit


@pytest.mark.parametrize("text", ["4,200", "roundabout 4,200", "about the 4,200", "about 2¹⁰"])
def test_not_about(text):
    assert not find_numbers(text)[0].approximate


@pytest.mark.parametrize(("text", "truncated"), [("0.33…", True), ("0.33", False), ("3 …", False)])
def test_truncated(text, truncated):
    assert find_numbers(text)[0].truncated is truncated


@pytest.mark.parametrize(
    "text", ["1,2", "1,2,3", "(0.25,1)", "12,34", "1,2345", "0,5", "1,234,56", "1,−2", "0.5,.5"]
)
def test_a_list_without_spaces_is_refused(text):
    assert "write a space after the comma" in unreadable(text)


@pytest.mark.parametrize("text", ["4,233", "1, 2", "1,234, 5", "1,234,567", "(0.25, 1)", "a,b"])
def test_readable(text):
    assert unreadable(text) is None


@given(st.integers(-(10**30), 10**30))
def test_any_integer_reads_back(n):
    for text in (f"{n:,}", f"{n}", f"{n:,}".replace("-", "−")):
        (number,) = find_numbers(text)
        assert number.value == n
        assert number.kind == "integer"


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 20), st.sampled_from("feE"))
def test_any_float_reads_back_as_formatted(x, precision, form):
    text = f"{x:.{precision}{form}}"
    (number,) = find_numbers(text)
    assert number.value == F(text)
    assert number.text == text


@given(st.floats(-1e6, 1e6), st.integers(0, 8))
def test_any_percentage_reads_back_as_formatted(x, precision):
    text = f"{x:,.{precision}%}"
    (number,) = find_numbers(text)
    assert number.percent
    assert number.value == F(text.rstrip("%").replace(",", ""))


@given(st.integers(3, 999_999))
def test_any_number_in_words_reads_back(n):
    (number,) = find_numbers(_in_words(n))
    assert number.value == n


def _in_words(n):
    units = """one two three four five six seven eight nine ten eleven twelve thirteen fourteen
        fifteen sixteen seventeen eighteen nineteen""".split()
    tens = "twenty thirty forty fifty sixty seventy eighty ninety".split()
    if n < 20:
        return units[n - 1]
    if n < 100:
        return tens[n // 10 - 2] + (f"-{units[n % 10 - 1]}" if n % 10 else "")
    name, size = ("thousand", 1000) if n >= 1000 else ("hundred", 100)
    rest = (" and " if n % size < 100 else " ") + _in_words(n % size) if n % size else ""
    return f"{_in_words(n // size)} {name}{rest}"


HUGE = ["9⁹⁹⁹⁹⁹⁹", "−10⁻⁹⁹⁹⁹⁹⁹⁹⁹⁹", "1e999999999", "3×10⁹⁹⁹⁹⁹⁹⁹", "9" * 5000, f"0.{'3' * 5000}"]


@pytest.mark.parametrize("text", HUGE)
def test_a_number_of_too_many_digits_is_found_and_never_worked_out(text):
    (number,) = find_numbers(f"so {text} of them")
    assert (number.text, number.kind, number.finite) == (text, "huge", False)


@pytest.mark.parametrize("text", ["2¹⁰²⁴", "10⁻³⁰⁸", "1e308", "1.8×10³⁰⁸", "9" * 1000])
def test_a_number_of_many_digits_is_worked_out(text):
    (number,) = find_numbers(text)
    assert number.finite
    assert number.value > 0
