"""The rule: a test for each of its sentences."""

import json
import re
from collections import namedtuple
from decimal import Decimal, localcontext
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy as sp
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

F = Fraction
INF = float("inf")
SHARE = 1 / (1 + sp.exp(1 / sp.sqrt(2)))

HOLDS = [
    # correctly rounded to the digits shown: half a unit of the last one
    ("0.333", 1 / 3),
    ("0.667", 2 / 3),
    ("−0.667", -2 / 3),
    ("3.41", 3.4051),
    ("0.3", 0.34999),
    ("1.9e-4", 1.94e-4),
    ("1.9×10⁻⁴", 1.85001e-4),
    ("1.3e5", 130_000),
    ("0.00", 1e-30),
    ("1e-30", 1e-30),
    ("1e30", 10**30),
    ("−0.0", -0.01),
    ("0.0", -0.01),
    # an exact tie may go either way
    ("0.4", 0.45),
    ("0.5", 0.45),
    ("0.12", F(1, 8)),
    ("0.13", F(1, 8)),
    ("−0.12", -0.125),
    ("−0.13", -0.125),
    # a float is read as its shortest decimal: the tie is 0.15, though the float is below it
    ("0.1", 0.15),
    ("0.2", 0.15),
    ("0.3", 0.1 + 0.2),
    # percent: 100 × value
    ("33.0 %", 0.33),
    ("33 %", F(33, 100)),
    ("33.3 %", 1 / 3),
    ("100 %", 1.0),
    ("½ %", F(1, 200)),
    # truncated, not rounded
    ("0.33…", 1 / 3),
    ("0.66…", 2 / 3),
    ("−0.66…", -2 / 3),
    ("1.41…", sp.sqrt(2)),
    ("0.5…", 0.5),
    ("−0.0…", -0.05),
    # an integer is exact
    ("1", 1.0),
    ("1", np.float32(1)),
    ("4,233", 4233.0),
    ("0", -0.0),
    ("sixteen", 16),
    ("two hundred and five", 205),
    ("½", 0.5),
    ("1½", F(3, 2)),
    ("10⁻⁴", 1e-4),
    ("2³⁰", 2**30),
    ("2", sp.sqrt(2) ** 2),
    ("1", sp.sin(1) ** 2 + sp.cos(1) ** 2),
    # about asks for rounding to the last non-zero digit
    ("about 4,200", 4233),
    ("about 4,200", 4150),
    ("about 4,200", 4250),
    ("≈ 4,200", 4233.7),
    ("about 50 %", 0.52),
    ("about three hundred", 320),
    ("about 10³", 1400),
    ("roughly 4,200", 4233),
    ("nearly 4,200", 4199),
    ("almost 4,200", 4199),
    ("around 4,200", 4233),
    ("~4,200", 4233),
    ("~ 4,200", 4233),
    # more than 12 digits: exact values only
    ("0.3302384506733431", SHARE),
    ("3.14159265358979323846", sp.pi),
    ("3.14159265358979…", sp.pi),
    ("0.3333333333333333", F(1, 3)),
    ("12345678901234", 12345678901234),
    ("0.1250000000000000", F(1, 8)),
    ("0.142857142857142857142857142857", sp.Rational(1, 7)),
    ("0.333333333333", 1 / 3),
    ("0.333333333333", F(1 / 3)),
    ("0.00169145586677", sp.sqrt(3) / 1024),  # no float: a small power of two
    ("0.001691455866766", sp.sqrt(3) / 1024),
    # scaled decimals are rounded where they end
    ("1.5 million", 1_460_000),
    ("3 million", 3_400_000),
    ("2.4 thousand", 2390),
    ("4 billion", 4_294_967_296),
    ("three million", 3_000_000),
    # infinities
    ("∞", INF),
    ("−∞", -INF),
    ("∞", sp.oo),
    ("−∞", np.array(-np.inf)),
    # booleans: True, and no number used up
    ("every row sums to one", True),
    ("holds", np.bool_(True)),
    ("holds", sp.true),
    ("holds", torch.tensor(True)),
    ("holds", [True, np.array([True, True])]),
    ("within 2 ulps", (2, True)),
    ("within 2 ulps", (np.True_, 2)),
    # flattened, in order
    ("1, 2, 3", [1, (2, [3])]),
    ("1, 2, 3, 4", np.array([[1, 2], [3, 4]])),
    ("1, 2, 3, 4", sp.Matrix([[1, 2], [3, 4]])),
    ("1, 2, 3, 4", sp.ImmutableMatrix([[1, 2], [3, 4]])),
    ("(0.25, 1)", (0.25, 1)),
    ("0.1, 0.2", np.array([0.1, 0.2], dtype=np.float32)),
    ("0.1, 0.2", torch.tensor([0.1, 0.2])),
    ("0.10000000", np.float32(0.1)),
    ("2", torch.tensor(2)),
    ("0.5", torch.tensor(0.5, requires_grad=True)),
    ("½, 2", np.array([F(1, 2), 2], dtype=object)),
    ("1, 2", namedtuple("Pair", "a b")(1, 2)),
    ("0, 1, 2", range(3)),
    ("0, 1, 4", (n * n for n in range(3))),
    # arithmetic
    ("1×1+0×0 = 1", [1, 1, 0, 0, 1]),
    ("1/3 = 0.333", [1, 3, 1 / 3]),
    # words and units are free
    ("ends at 1.28 nats", 1.2809),
    ("three of E6's 4", [3, 4]),
]


@pytest.mark.parametrize(("shown", "value"), HOLDS)
def test_holds(messages, shown, value):
    assert messages(shown, value) == ""


FAILS = [
    # half a unit, never a whole one
    ("0.334", 1 / 3, "text says 0.334, x is 0.33333 (differs in digit 3)"),
    ("3.60", 3.4051, "text says 3.60, x is 3.4051 (differs in digit 2)"),
    ("3.40", 3.4051, "text says 3.40, x is 3.4051 (differs in digit 3)"),
    ("0.5", 0.44999, "text says 0.5, x is 0.450 (differs in digit 1)"),
    ("33.0 %", 0.33051, "text says 33.0 %, x is 33.051 % (differs in digit 3)"),
    ("1.9×10⁻⁴", 1.96e-4, "text says 1.9×10⁻⁴, x is 0.0001960 (differs in digit 1)"),
    ("0.5", -0.5, "text says 0.5, x is −0.500 (differs in sign)"),
    ("0.5", 50, "text says 0.5, x is 50.000 (differs in size)"),
    ("0.1000000015", np.float32(0.1), "(differs in digit 9)"),
    # truncated
    ("0.34…", 1 / 3, "text says 0.34…, x is 0.3333 (… is truncated, not rounded)"),
    ("0.67…", 2 / 3, "… is truncated"),
    ("0.33…", -1 / 3, "… is truncated"),
    ("0.0…", -0.05, "… is truncated"),
    # an integer is exact
    (
        "1",
        0.9999999999999999,
        "text says 1, x is 0.9999999999999999: an integer must be exact; write 1.000",
    ),
    ("4,233", 4233.4, "an integer must be exact; write 4233.400"),
    ("4,234", 4233, "text says 4,234, x is 4233 (differs in digit 4)"),
    ("sixteen", 17, "text says sixteen, x is 17 (differs in digit 2)"),
    ("33 %", 1 / 3, "x is 33.33333333333333 %: an integer must be exact; write 33.333 %"),
    ("½", 0.4999, "text says ½, x is 0.4999"),
    ("10⁻⁴", 1.1e-4, "text says 10⁻⁴"),
    ("−3", 3, "(differs in sign)"),
    # about
    ("about 4,200", 4251, "text says 4,200, x is 4251 (differs in digit 2)"),
    ("about 4,200", 4149, "text says 4,200, x is 4149 (differs in digit 2)"),
    ("about 50 %", 0.56, "text says 50 %, x is 56 %"),
    ("about 2¹⁰", 1500, "text says 2¹⁰"),
    ("about 10³", 1501, "text says 10³"),
    # more than 12 digits
    ("0.3302384506733431", 1 / (1 + np.exp(1 / np.sqrt(2))), "a float64, which proves at most 12"),
    ("0.3333333333333", 1 / 3, "text shows 13 digits of 0.3333333333333, but x is a float"),
    ("0.3333333333333333", mpmath.mpf(1) / 3, "a mpf, which proves at most 12"),
    ("0.3333333333333333", Decimal(1) / 3, "a Decimal, which proves at most 12"),
    ("0.5000000000000", sp.Float(0.5), "a Float, which proves at most 12"),
    ("0.5000000000000", sp.pi * 0.5 / sp.pi, "which proves at most 12"),
    ("0.0000000000000", 0.0, "text shows 13 digits"),
    ("30,000,000,000,000", 3e13, "a float, which proves at most 12"),
    ("0.3333333333333333", F(1 / 3), "a float in disguise"),
    ("0.33333333333333331", sp.Rational(1 / 3), "a float in disguise"),
    ("0.8414709848078965", sp.sin(sp.Rational(1 / 3) * 3), "a float in disguise"),
    ("3.14159265358979323847", sp.pi, "(differs in digit 21)"),
    ("0.3302384506733432", SHARE, "(differs in digit 16)"),
    ("0.033333333333333335", F(0.1) / 3, "a float in disguise"),
    ("0.033333333333333335", sp.Rational(0.1) / 3, "a float in disguise"),
    ("0.316227766016837944", sp.sqrt(sp.Rational(0.1)), "a float in disguise"),
    ("0.316227766016837944", sp.sqrt(sp.Rational(0.1)) + 0, "a float in disguise"),
    ("1.5 million", 1_560_000, "text says 1.5 million, x is 1560000"),
    ("three million", 3_400_000, "text says three million"),
    # counts
    ("2, 3", 2, "text shows 2 numbers (2, 3), x gives 1 number (2)"),
    ("2", [], "text shows 1 number (2), x gives no numbers"),
    ("2", (2, 3), "text shows 1 number (2), x gives 2 numbers (2, 3)"),
    ("1×1+0×0 = 1", 1, "text shows 5 numbers (1, 1, 0, 0, 1), x gives 1 number (1)"),
    ("2", True, "text shows 1 number (2), x gives no numbers"),
    ("2, 4", [2, 3], "text says 4, number 2 of x is 3 (differs in digit 1)"),
    ("1,2", [1, 2], "write a space after the comma"),
    # arithmetic
    ("1×1+0×1 = 2", [1, 1, 0, 1, 2], "1 × 1 + 0 × 1 = 2 does not hold: 1 is not 2"),
    # … also where markup stands between its numbers
    ("3 + 4 = **8**", [3, 4, 8], "3 + 4 = 8 does not hold: 7 is not 8"),
    ("3 + $4$ = 8", [3, 4, 8], "3 + 4 = 8 does not hold"),
    ("3 +\n4 = 8", [3, 4, 8], "3 + 4 = 8 does not hold"),
    ("2^3 = 9", [2, 3, 9], "2^3 = 9 does not hold: 8 is not 9"),
    ("$2^3 = 9$", [2, 9], "2^3 = 9 does not hold"),
    ("$2^{3} + 1 = 10$", [2, 1, 10], "2^3 + 1 = 10 does not hold"),
    ("$\\frac12 + \\frac12 = 3$", [1, 2, 1, 2, 3], "(1 / 2) + (1 / 2) = 3 does not hold"),
    ("$\\frac{1}{2} + \\frac{1}{2} = 3$", [1, 2, 1, 2, 3], "does not hold: 1 is not 3"),
    ("$\\sqrt4 = 3$", [4, 3], "√4 = 3 does not hold"),
    ("√4 = 3", [4, 3], "√4 = 3 does not hold"),
    ("2 > 3", [2, 3], "2 > 3 does not hold: 2 is not > 3"),
    ("1/3 ≈ 0.34", [1, 3, 0.34], "1 / 3 ≈ 0.34 does not hold"),
    ("3 km = 4 km", [3, 4], "3 = 4 does not hold"),
    # the words one and two are no numbers
    ("two", 2, "the words one and two are not read as numbers: write 1 or 2"),
    (
        "one of 3",
        [1, 3],
        "x gives 2 numbers (1, 3): 1 is missing before 3; the words one and two are not read",
    ),
    # … and where the two part
    ("1, 3", [1, 2, 3], "x gives 3 numbers (1, 2, 3): 2 is missing before 3"),
    ("3", [1, 2, 3], "1, 2 are missing before 3"),
    ("1, 2", [1, 2, 3, 4], "3, 4 are missing after 2"),
    ("1, 2, 3", [1, 3], "text shows 3 numbers (1, 2, 3), x gives 2 numbers (1, 3): 2 is too many"),
    ("1, 2, 3", [1], "2, 3 are too many"),
    ("1, 3, 4", [1, 3], "4 is too many"),
    ("1, 1", [1, 1, 1], "1 is missing after 1"),
    ("1", [SHARE] * 3, "text shows 1 number (1), x gives 3 numbers: they part where"),
    ("0.33, ∞", [1 / 3, 0.5, INF], "0.5 is missing before ∞"),
    ("0.25, 33 %", [0.25, 0.3, 0.33], "0.3 is missing before 33 %"),
    ("1, 3, 9", [1, 2, 3, 4], "they part where text says 3, number 2 of x is 2"),
    ("∞, 3", [1, 2, 4], "they part where text says ∞, number 1 of x is 1"),
    ("3", range(22), "x gives 22 numbers: they part where text says 3, number 1 of x is 0"),
    ("11", range(12), "0, 1, 2, 3, 4, 5, 6, 7, 8, … (11 numbers) are missing before 11"),
    # … by the numbers alone: that a float proves fewer digits comes later
    ("1, 0.3333333333333333", [1, 2, 1 / 3], "2 is missing before 0.3333333333333333"),
    ("$2 \\times 3 = 7$", [2, 3, 7], "2 × 3 = 7 does not hold: 6 is not 7"),
    # truth
    ("holds", False, "x is False"),
    ("holds", [True, False], "x is False"),
    ("within 2 ulps", (2, False), "x is False"),
    ("holds", 3, "text shows no number, so x must be True: it gives 1 number (3)"),
    ("holds", 1, "must be True"),
    ("holds", [], "must be True"),
    ("holds", "yes", "gives the text 'yes', not a number"),
    ("holds", None, "gives None"),
    # NaN and infinities
    ("2", float("nan"), "x gives NaN"),
    ("2, 3", [2, np.nan], "x gives NaN"),
    ("2", sp.nan, "x gives NaN"),
    ("3", INF, "text says 3, x is ∞"),
    ("3", -INF, "text says 3, x is −∞"),
    ("1e308", INF, "x is ∞"),
    ("−∞", INF, "text says −∞, x is ∞"),
    ("∞", 3, "text says ∞, x is 3"),
    ("about ∞", 3, "text says ∞"),
    # more digits than anybody works out: no value makes it hold
    ("9⁹⁹⁹⁹⁹⁹", 9, "text says 9⁹⁹⁹⁹⁹⁹, which has too many digits to be worked out"),
    ("9⁹⁹⁹⁹⁹⁹", 1, "too many digits"),
    ("9⁹⁹⁹⁹⁹⁹", INF, "too many digits"),
    ("about 1e999999", 0.0, "too many digits"),
    ("$3 \\times 10^{999999}$", 3, "too many digits"),
    ("10⁹⁹⁹⁹⁹⁹⁹⁹ = 3", [10, 3], "too many digits"),
    ("2, 9⁹⁹⁹⁹⁹⁹, 3", [2, 9, 9, 3], "they part where text says 9⁹⁹⁹⁹⁹⁹, which has too many digits"),
    # values that are no numbers
    ("3", 3j, "no real number"),
    ("3", sp.I, "no real number"),
    ("3", sp.Symbol("s"), "no real number"),
    ("3", sp.zoo, "no real number"),
    ("3", {3}, "a set, which has no order"),
    ("3", sp.FiniteSet(3), "which has no order"),
    ("3", {"a": 3}, "a dict, which has no order"),
    ("3", "3", "gives the text '3'"),
    ("3", np.array(["3"]), "no real number"),
    ("3", object, "no real number"),
    ("3", torch.tensor(3.0, dtype=torch.bfloat16), "cannot be compared: TypeError"),
]


@pytest.mark.parametrize(("shown", "value", "message"), FAILS)
def test_fails(messages, shown, value, message):
    assert message in messages(shown, value)


TARGETS = [
    ("3", "nowhere", "nowhere: name 'nowhere' is not defined"),
    ("3", "1/0", "1/0 raised ZeroDivisionError: division by zero"),
    ("3", "list()[3]", "list()[3] raised IndexError: list index out of range"),
    ("3", "exit()", "exit() raised SystemExit"),
    ("3", "3 +", "'3 +' is no Python expression"),
    ("3", "x = 3", "no Python expression"),
    ("3", "gone.json#/a", "there is no file gone.json, as seen from the page's folder verdict"),
    ("3", "a/../gone.json#/a", "there is no file a/../gone.json, as seen from"),
    ("3", "media/runs/x.json", "a record needs a pointer: media/runs/x.json#/…"),
    ("3", "display(3)", "name 'display' is not defined: cells run as plain Python"),
    # what is nothing but literals proves nothing
    ("77", "77", "77 is a constant, which proves nothing"),
    ("−77", "-77", "is a constant"),
    ("all of it", "True", "True is a constant"),
    ("2, 1, 0", "[2, 1, 0]", "[2, 1, 0] is a constant"),
    ("2, 1, 0", "2, (1, [0])", "is a constant"),
    ("2", "[2][0]", "is a constant"),
    ("holds", "not False", "is a constant"),
    ("3", "'3'", "is a constant"),
    ("77", "(lambda: 77)()", "(lambda: 77)() is a constant"),
    ("77", "(lambda x: x)(77)", "is a constant"),
    ("77", "(lambda x, *y, **z: [x, y, z][0])(77)", "is a constant"),
    ("77", "[lambda: 77][0]()", "is a constant"),
    ("77", "(f := lambda: 77)()", "is a constant"),
    ("77", "(y := 77, y)[1]", "is a constant"),
    ("77", "[y for y in [77]]", "is a constant"),
    ("77", "77 if True else 0", "is a constant"),
]


@pytest.mark.parametrize(
    ("shown", "target"),
    [
        ("9", "3 * 3"),
        ("1, 16, 0.0625", "[1, 16, 1 / 16]"),
        ("3", "'banana'.count('a')"),
        ("9", "(lambda x: x * x)(3)"),
        ("4", "(lambda: len('four'))()"),
        ("0, 1", "[n for n in range(2)]"),
        ("4", "[len(word) for word in ['four']]"),
    ],
)
def test_a_computed_target_is_no_constant(messages, shown, target):
    assert messages(shown, None, target) == ""


@pytest.mark.parametrize(("shown", "target", "message"), TARGETS)
def test_a_target_that_cannot_be_evaluated(messages, shown, target, message):
    assert message in messages(shown, None, target)


def test_a_record(verdict, tmp_path):
    from everydigit.verdict.targets import LookupFailedError, evaluate

    (tmp_path / "r.json").write_text('{"a": {"b/c": [1.5, 2]}, "": 7}')
    (tmp_path / "bad.json").write_text("{")
    assert evaluate("r.json#/a/b~1c/1", {}, tmp_path) == 2
    assert evaluate("r.json#/", {}, tmp_path) == 7
    assert evaluate("r.json#", {}, tmp_path)["a"]
    (tmp_path / "wide.json").write_text(json.dumps({str(n): n for n in range(99)}))
    for target, message in [
        ("r.json#/a/x", "r.json#/a/x: there is no 'x' at /a, but b/c"),
        ("r.json#/x/y", "r.json#/x/y: there is no 'x' at its top, but a, "),
        ("r.json#/a/b~1c/2", "there is no '2' at /a/b/c, a list of 2"),
        ("r.json#/a/b~1c/0/z", "there is nothing below /a/b/c/0, which is 1.5"),
        ("wide.json#/x", "there is no 'x' at its top, but 0, 1, 2, 3, 4, 5, 6, 7, …"),
        ("bad.json#/a", "bad.json is no JSON"),
    ]:
        with pytest.raises(LookupFailedError) as failure:
            evaluate(target, {}, tmp_path)
        assert message in str(failure.value)


def test_every_message_is_one_line(verdict):
    for value in (sp.Matrix([sp.Symbol("s"), 1]), np.array(["a\nb"]), None):
        for _, _, message in verdict("3", value).failures:
            assert "\n" not in message


@pytest.mark.parametrize(
    ("value", "formatted"),
    [
        (1 / 3, "0.3333333333333333"),
        (np.float32(0.1), "0.1"),
        (4233.0, "4233"),
        (-0.5, "−0.5"),
        (F(1, 3), "1/3"),
        (SHARE, "0.330238450673343074…"),
        (sp.Rational(-1, 7), "−1/7"),
        (INF, "∞"),
        (True, "True"),
        ((2, True), "2"),
        (range(12), "0, 1, 2, 3, 4, 5, 6, 7, 8, … (12 in all)"),
    ],
)
def test_the_value_as_the_ledger_shows_it(verdict, value, formatted):
    assert verdict("anything", value).value == formatted


NUMBERS = st.lists(st.integers(0, 3), min_size=1, max_size=8)


@given(NUMBERS, st.integers(0, 8), st.lists(st.integers(0, 3), min_size=1, max_size=3))
def test_a_gap_in_a_list_is_mended_at_the_place_that_is_named(verdict, values, at, extra):
    """What the message names, put in (or taken out) where it says, gives TARGET's values."""
    longer = values[:at] + extra + values[at:]
    ((_, column, missing),) = verdict(", ".join(map(str, values)), longer).failures
    found = re.search(r": ([\d, ]+) (?:is|are) missing (before|after) \d\Z", missing)
    place = (column - len("{claim}``") - 1) // len("0, ") + (found[2] == "after")
    assert [*values[:place], *map(int, found[1].split(",")), *values[place:]] == longer
    ((_, column, surplus),) = verdict(", ".join(map(str, longer)), values).failures
    found = re.search(r": ([\d, ]+) (?:is|are) too many\Z", surplus)
    place = (column - len("{claim}``") - 1) // len("0, ")
    named = [*map(int, found[1].split(","))]
    assert longer[place : place + len(named)] == named
    assert longer[:place] + longer[place + len(named) :] == values


# Round trips


def moved(text, digits, by):
    """`text` with its last digit moved by one, as a number of the same form."""
    mantissa, mark, exponent = text.partition("e")
    unit = F(1, 10 ** len(mantissa.partition(".")[2]))
    value = F(mantissa) + by * unit
    sign = "-" if value < 0 else ""
    return f"{sign}{float(abs(value)):.{digits}f}{mark}{exponent}"


@given(st.floats(-1e5, 1e5), st.integers(0, 6), st.sampled_from([-1, 1]))
def test_any_float_in_fixed_notation(messages, x, digits, by):
    digits = max(digits, 1)
    text = f"{x:.{digits}f}"
    assert messages(text, x) == ""
    tie = (F(repr(x)) * 10**digits * 2) % 2 == 1
    assume(not tie)
    assert "text says" in messages(moved(text, digits, by), x)


@given(st.floats(1e-200, 1e200), st.integers(1, 10), st.sampled_from([-1, 1]))
def test_any_float_in_scientific_notation(messages, x, digits, by):
    text = f"{x:.{digits}e}"
    assert messages(text, x) == ""
    scaled = F(repr(x)) / F(10) ** (int(text.split("e")[1]) - digits)
    assume((scaled * 2) % 2 != 1)
    assert "text says" in messages(moved(text, digits, by), x)


@given(st.floats(0, 1), st.integers(1, 6), st.sampled_from([-1, 1]))
def test_any_share_in_percent(messages, x, digits, by):
    text = f"{float(F(repr(x)) * 100):.{digits}f}"
    assert messages(f"{text} %", x) == ""
    assume((F(repr(x)) * 10 ** (digits + 2) * 2) % 2 != 1)
    assert "text says" in messages(f"{moved(text, digits, by)} %", x)


@given(st.integers(-(10**15), 10**15), st.sampled_from([-1, 1]))
def test_any_integer(messages, n, by):
    assert messages(f"{n:,}", n) == ""
    assert "text says" in messages(f"{n + by:,}", n)


def to_digits(value, digits, by=0):
    """An exact value to so many significant digits, its last one moved by `by`."""
    text = str(sp.N(value, digits + 25))
    with localcontext() as context:
        context.prec = 80
        number = Decimal(text)
        unit = Decimal(1).scaleb(number.adjusted() - digits + 1)
        return f"{number.quantize(unit) + by * unit:f}"


@given(
    st.fractions(F(1, 1000), 1000, max_denominator=10**6),
    st.integers(13, 30),
    st.sampled_from([-1, 1]),
)
def test_any_fraction_to_many_digits(messages, value, digits, by):
    assume(value.denominator & (value.denominator - 1))  # a power of two may end early
    rational = sp.Rational(value.numerator, value.denominator)
    assume((value * 10**60) % 1 != 0)  # nor one that ends
    assert messages(to_digits(rational, digits), value) == ""
    assert "text says" in messages(to_digits(rational, digits, by), value)


@settings(max_examples=30)
@given(st.integers(2, 10**4), st.integers(13, 30), st.sampled_from([-1, 1]))
def test_any_root_or_exponential_to_many_digits(messages, n, digits, by):
    for value in (sp.sqrt(n), sp.exp(sp.Rational(1, n)), 1 / (1 + sp.exp(1 / sp.sqrt(n)))):
        if value.is_Integer:
            continue
        assert messages(to_digits(value, digits), value) == ""
        assert "text says" in messages(to_digits(value, digits, by), value)


@given(st.lists(st.floats(-100, 100, width=32), min_size=1, max_size=6), st.integers(1, 4))
def test_float32_arrays_and_tensors(messages, values, digits):
    """A float32 is read as its own shortest decimal; made a Python float, it is another number."""
    array = np.array(values, dtype=np.float32)
    for target, decimals in (
        (array, array),
        (torch.from_numpy(array), array),
        (array.tolist(), array.tolist()),
    ):
        shown = ", ".join(f"{Decimal(str(x)):.{digits}f}" for x in decimals)
        assert messages(shown, target) == ""


def test_a_float32_that_became_a_python_float_is_not_the_decimal_it_was(messages):
    array = np.array([0.35], dtype=np.float32)
    assert messages("0.35", array) == ""
    assert messages("0.4", array) == ""  # a tie, which may go either way
    assert messages("0.3", array.tolist()) == ""  # 0.3499999940395355
    assert "text says 0.4" in messages("0.4", array.tolist())


@given(st.lists(st.lists(st.integers(-99, 99), min_size=1, max_size=3), min_size=1, max_size=3))
def test_nested_lists_are_read_in_order(messages, rows):
    flat = [n for row in rows for n in row]
    assert messages(", ".join(map(str, flat)), rows) == ""
    if len(set(flat)) > 1:
        assert messages(", ".join(map(str, flat[1:] + flat[:1])), rows) != ""
