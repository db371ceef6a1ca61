"""Repair: what is rewritten, in which form, and all that is left alone."""

import os
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
import sympy as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from everydigit import ledger
from everydigit.files import write_whole
from everydigit.number.prose import find_numbers
from everydigit.run.chapter import check
from everydigit.run.repair import NoRepairError, repair, rewritten
from everydigit.run.writing import spelled
from everydigit.text.reading import Reading

F = Fraction
INF = float("inf")
HERE = Path("/nowhere/page.md")
MATH = r"$1.9 \times 10^{-4}$"


def read(text):
    return Reading().page(HERE, text)


def repaired(text, **names):
    """The page after the repair of its first claim, which holds then as it did not before."""
    page = read(text)
    claim, folder = page.claims[0], Path()
    outcome = check(claim, names, folder)
    assert not outcome.passed
    edits = repair(page, claim, outcome, read)
    new = "\n".join(rewritten(text.split("\n"), edits))
    assert check(read(new).claims[0], names, folder).passed
    return new


def shown(old, value, before=""):
    """What a claim that shows `old` shows after its repair."""
    new = repaired(f"{before}{{claim}}``{old} <x>``\n", x=value)
    return re.fullmatch(rf"{re.escape(before)}{{claim}}``(.*) <x>``\n", new)[1]


FORMS = [
    # as many decimals
    ("0.3303", 1 / 3, "0.3333"),
    ("3.60", 3.4051, "3.41"),
    ("0.500", 1.0, "1.000"),
    ("9.99", 10.0, "10.00"),
    ("−0.5", 0.25001, "0.3"),
    ("0.5", -0.26, "−0.3"),
    ("-0.5", -0.26, "-0.3"),
    ("+0.5", 0.7, "+0.7"),
    ("+0.5", -0.7, "−0.7"),
    (".5", 0.7, ".7"),
    (".5", 1.7, "1.7"),
    ("0.30", 0.0, "0.00"),
    ("0.00", 0.3, "0.30"),
    ("0.3302384506733431", 1 / (1 + sp.exp(1 / sp.sqrt(3))), "0.3595425243193725"),
    # or as many significant digits, where nothing (or more than a float knows) would be left
    ("0.31", 0.001234, "0.0012"),
    ("0.31…", 0.001287, "0.0012…"),
    ("1.23456789012", 12345.678901234567, "12,345.6789012"),
    # an integer
    ("4,233", 4240, "4,240"),
    ("4,233", 980, "980"),
    ("4,233", 1_234_567.0, "1,234,567"),
    ("4233", 5240, "5240"),
    ("12", 1024, "1,024"),
    ("3", -2, "−2"),
    ("1,234.5", 2345.67, "2,345.7"),
    # percent
    ("33.0 %", 0.351, "35.1 %"),
    ("33%", F(35, 100), "35%"),
    ("33.0 %", 0.00012, "0.0120 %"),
    # powers of ten
    ("1.9e-4", 2.34e-4, "2.3e-4"),
    ("1.9e-4", 9.96e-4, "1.0e-3"),
    ("1.9e-04", 9.96e-7, "1.0e-06"),
    ("1.9E+5", 2.34e12, "2.3E+12"),
    ("1.9e−4", 2.34e-7, "2.3e−7"),
    ("1.9×10⁻⁴", 2.34e-12, "2.3×10⁻¹²"),
    ("1.9 × 10⁴", -2.34e5, "−2.3 × 10⁵"),
    ("0.12×10⁻⁴", 3.4e-3, "34.00×10⁻⁴"),
    ("1.9×10⁻⁴", 0.0, "0.0×10⁻⁴"),
    ("1.5 million", 2_260_000, "2.3 million"),
    ("3 million", 4_400_000, "4 million"),
    ("2³⁰", 2**31, "2³¹"),
    ("10⁻⁴", F(1, 10**12), "10⁻¹²"),
    (MATH, 2.34e-6, r"$2.3 \times 10^{-6}$"),
    (r"$1.9 \times 10^4$", 2.34e12, r"$2.3 \times 10^{12}$"),
    (r"$4{,}233$", 5240, r"$5{,}240$"),
    (r"$- 0.5$", -0.7, r"$- 0.7$"),
    (r"$- 0.5$", 0.7, r"$0.7$"),
    (r"$0.5$", -0.7, r"$-0.7$"),
    (r"$33\,\%$", F(35, 100), r"$35\,\%$"),
    (r"$0.33\dots$", 2 / 3, r"$0.66\dots$"),
    # cut, not rounded
    ("0.33…", 2 / 3, "0.66…"),
    ("−0.33…", -2 / 3, "−0.66…"),
    # to the last digit that is not zero
    ("about 4,200", 5049, "about 5,000"),
    ("about 4,200", 5160, "about 5,200"),
    ("about 4,200", 31, "about 31"),
    ("about 4,200", 3.4, "about 3"),
    ("≈ 50 %", 0.72, "≈ 70 %"),
    ("about 10³", 14_000, "about 10⁴"),
    # words
    ("sixteen", 17, "seventeen"),
    ("Sixteen", 40, "Forty"),
    ("sixteen", 21, "twenty-one"),
    ("sixteen", 2, "2"),
    ("sixteen", 0, "0"),
    ("sixteen", -3, "−3"),
    ("sixteen", 205, "two hundred and five"),
    ("sixteen", 1234, "1,234"),
    ("two hundred and five", 16, "sixteen"),
    ("about three hundred", 420, "about four hundred"),
    ("three million", 4_000_000, "four million"),
    # lists and equations: the numbers that fail, and only these
    ("(0.25, 1, 0.33)", [0.25, 2, 0.33], "(0.25, 2, 0.33)"),
    ("1×1 + 0×1 = 1", [1, 1, 1, 1, 2], "1×1 + 1×1 = 2"),
    ("1/2 = 0.50", [1, 4, 0.25], "1/4 = 0.25"),
    ("**0.25** of *16*", [0.5, 17], "**0.50** of *17*"),
    ("5, 6", [100, 2000], "100, 2,000"),
    ("5 of 16", [(6, True), [17]], "6 of 17"),
]


@pytest.mark.parametrize(("old", "value", "new"), FORMS)
def test_the_form_is_kept(old, value, new):
    assert shown(old, value) == new


def test_what_stands_before_a_claim_says_about():
    assert shown("4,200", 5160, before="About ") == "5,200"
    assert shown("4,200", 5160) == "5,160"


LEFT = [
    ("3", 3.4051, "nothing in the form of 3 holds for 3.4051"),
    ("1", 0.9999999999999999, "nothing in the form of 1 holds"),
    ("½", 0.3, "nothing in the form of ½ holds for 0.3"),
    ("½", F(1, 3), "nothing in the form of ½ holds for 1/3"),
    ("1½", 3, "nothing in the form of 1½ holds for 3"),
    ("2³⁰", 1000, "nothing in the form"),
    ("10⁴", -3, "nothing in the form"),
    ("16", 12345678901234.0, "nothing in the form"),
    ("0.5, 1", [0.7, INF], "text says 1"),
    ("0.5, 0.1234567890123", [0.7, 0.5], "13 digits"),
    ("1 + 2 = 3", [1, 2, 4], "1 + 2 = 4 does not hold"),
    ("*sixteen* three", [40, 3], "takes a number apart in 'forty three'"),
    ("about 4,200", 0.3, "nothing in the form"),
    ("1 + 2 = 4", [1, 2, 4], ""),
    ("0.5", INF, ""),
    ("∞", 0.5, ""),
    ("∞", -INF, ""),
    ("0.5", float("nan"), ""),
    ("0.1234567890123", 0.5, ""),
    ("0.5", [0.5, 0.5], ""),
    ("0.5, 1", 0.7, ""),
    ("0.5", (0.7, False), ""),
    ("0.5", True, ""),
    ("holds", False, ""),
    ("0.5", "0.7", ""),
]


@pytest.mark.parametrize(("old", "value", "why"), LEFT)
def test_what_is_left_alone(old, value, why):
    with pytest.raises(NoRepairError) as error:
        shown(old, value)
    assert why in str(error.value)
    assert bool(why) == bool(str(error.value))


@pytest.mark.parametrize("target", ["y", "1 / 0", "0.7", "runs/none.json#/x"])
def test_a_target_that_gives_nothing_is_left_alone(target):
    with pytest.raises(NoRepairError):
        repaired(f"{{claim}}`0.5 <{target}>`\n")


def test_a_claim_is_left_alone_if_its_number_does_not_stand_as_it_is_read():
    with pytest.raises(NoRepairError, match="not written there as it is read"):
        repaired("| a |\n| - |\n| {claim}`\\|&nbsp;5\\| of 1 <x>` |\n", x=[6, 1])


def test_a_target_is_never_rewritten():
    page = read("{claim}`5 <x[5]>`\n")
    claim = page.claims[0]
    outcome = check(claim, {"x": range(10, 20)}, Path())
    claim.pieces[0] = replace(claim.pieces[0], column=page.text.index("5]") + 1)
    with pytest.raises(NoRepairError, match="reads differently"):
        repair(page, claim, outcome, read)


TABLES = [
    # straight: it grows, and stays straight
    (
        "| a   | b    |\n| --- | ---- |\n| cat | 1.5  |\n| dog | 2.25 |",
        "| a   | b     |\n| --- | ----- |\n| cat | 100.5 |\n| dog | 2.25  |",
        [100.5, 2.25],
    ),
    # numbers to the right
    (
        "| a |    b |\n|---|-----:|\n| x |  9.5 |\n| y | 2.25 |",
        "| a |    b |\n|---|-----:|\n| x | 10.5 |\n| y | 2.25 |",
        [10.5, 2.25],
    ),
    (
        "| a |    b |\n|---|-----:|\n| x |  9.5 |\n| y | 2.25 |",
        "| a |     b |\n|---|------:|\n| x | −19.5 |\n| y |  2.25 |",
        [-19.5, 2.25],
    ),
    # in the middle, indented, and shorter than it was
    (
        "> | a     |\n> |:-----:|\n> | 10.25 |\n> |  5.5  |",
        "> | a     |\n> |:-----:|\n> | 1.25  |\n> |  5.5  |",
        [1.25, 5.5],
    ),
    # not straight: nothing but the number changes
    (
        "| a | b |\n|-|-|\n| x | 9.5 |\n| y | 2.25 |",
        "| a | b |\n|-|-|\n| x | 10.5 |\n| y | 2.25 |",
        [10.5, 2.25],
    ),
    ("a|b\n-|-\n1|9.5\n2|3", "a|b\n-|-\n1|10.5\n2|3", [1, 10.5, 2, 3]),
]


@pytest.mark.parametrize(("old", "new", "value"), TABLES)
def test_a_table_stays_as_straight_as_it_was(old, new, value):
    fence = "```{{claim}} x\n{}\n```\n"
    assert repaired(fence.format(old), x=value) == fence.format(new)


def test_a_claim_in_a_cell_of_a_table_keeps_it_straight():
    table = "| a                | b |\n| ---------------- | - |\n| {claim}`9.5 <x>` | c |\n"
    new = repaired(table, x=100.5)
    assert new.splitlines()[2] == "| {claim}`100.5 <x>` | c |"
    assert {len(row) for row in new.splitlines()} == {len("| {claim}`100.5 <x>` | c |")}


def test_a_formula_of_several_lines():
    matrix = "\\begin{{pmatrix}}\n  {} & 2 \\\\\n  3 & {}\n\\end{{pmatrix}}"
    block = f"```{{{{claim}}}} x\n$$\n{matrix}\n$$\n```\n"
    assert repaired(block.format("1.5", "4.25"), x=[-1, 2, 3, 44]) == block.format("-1.0", "44.00")


# Whatever is written holds

TEMPLATES = [
    *["{:.0f}", "{:.1f}", "{:.4f}", "{:,.0f}", "{:,.2f}", "{:+.2f}", "{:.0e}", "{:.3e}"],
    *["{:.1f} %", "{:.0f}%", "{:.2f}…", "about {:.0f}", "≈ {:,.0f}", "{:.2f} million"],
    *["{:.1f}×10⁻³", "{:.1f} × 10⁵", "${:.2f}$", r"${:.1f} \%$", r"${:.1f} \times 10^{{-3}}$"],
]
SAID = ["sixteen", "two hundred", "three million", "½", "2½", "2³⁰", "10⁻⁴"]
NUMBERS = st.one_of(st.floats(-1e6, 1e6), st.integers(-(10**6), 10**6))
WRITTEN = st.builds(str.format, st.sampled_from(TEMPLATES), NUMBERS) | st.sampled_from(SAID)
VALUES = st.one_of(
    st.integers(-(10**9), 10**9),
    st.floats(-1e9, 1e9),
    st.floats(-1e-3, 1e-3),
    st.fractions(-1000, 1000, max_denominator=1000),
    st.sampled_from([sp.pi, sp.sqrt(2) / 1000, -(sp.E**20), sp.Rational(1, 3), INF, -INF]),
)


def form_of(text):
    """What a reader would call the form: all but the digits, signs and commas."""
    return re.sub(r"[\d⁰¹²³⁴⁵⁶⁷⁸⁹⁻+,.−{}-]+", "#", text)


@settings(max_examples=300)
@given(WRITTEN, VALUES)
def test_a_repaired_number_passes_the_rule(old, value):
    assume(not check(read(f"{{claim}}``{old} <x>``\n").claims[0], {"x": value}, Path()).passed)
    try:
        new = shown(old, value)  # which asks the rule
    except NoRepairError:
        return
    assert new != old
    if not old[0].isalpha() and not set("½²⁻") & set(old):
        assert form_of(new).lstrip("#") == form_of(old).lstrip("#")


@settings(max_examples=200)
@given(st.integers(1, 6), st.floats(-1e5, 1e5), st.floats(-1e5, 1e5))
def test_a_decimal_is_always_repaired(places, old, value):
    text = f"{old:.{places}f}"
    assume(f"{value:.{places}f}" != text)
    assume(not check(read(f"{{claim}}`{text} <x>`\n").claims[0], {"x": value}, Path()).passed)
    new = shown(text, value)
    assert abs(float(new.replace("−", "-").replace(",", "")) - value) <= 0.51 * 10**-places
    assert len(new.partition(".")[2]) >= places


@given(st.integers(3, 10**7))
def test_a_number_spelled_is_read_again(n):
    if (word := spelled(n)) is not None:
        (number,) = find_numbers(word)
        assert (number.text, number.value) == (word, n)


def test_every_small_number_has_a_word():
    assert all(spelled(n) for n in range(3, 1000) if n < 100 or n % 100 < 100)


# Through pytest

CELL = "```{code-cell} python\nx = 3\ny = 3.4051\n```\n\n"
STALE = (
    CELL
    + "It ends at {claim}`3.60 <y>` bits\nof {claim}`4 <x>`, not {given}`4`.\n\n- {claim}`4 <x>`\n"
)
FRESH = STALE.replace("`3.60 ", "`3.41 ").replace("{claim}`4 ", "{claim}`3 ")


def text_of(path):
    return path.read_bytes().decode("utf-8")


def test_the_numbers_are_rewritten_and_shown_and_then_hold(book):
    path = book.page("one", STALE)
    book.page("two", "{claim}`3 <1 + 2>`\n")
    run = book.pytest("--fix-claims")
    assert run.code == 1
    assert text_of(path).endswith(FRESH)
    lines = run.text.splitlines()
    start = lines.index("book/one.md:13:")
    assert lines[start : start + 9] == [
        "book/one.md:13:",
        "- It ends at {claim}`3.60 <y>` bits",
        "- of {claim}`4 <x>`, not {given}`4`.",
        "+ It ends at {claim}`3.41 <y>` bits",
        "+ of {claim}`3 <x>`, not {given}`4`.",
        "book/one.md:16:",
        "- - {claim}`4 <x>`",
        "+ - {claim}`3 <x>`",
        "3 numbers rewritten, no failures are left; read the sentences, then run pytest again",
    ]
    assert "what no longer holds" not in run.text
    page = book.ledger["pages"]["book/one.md"]
    assert not ledger.current(page, "book/one.md", book.root)
    again = book.pytest("--fix-claims")
    assert again.code == 0
    assert "no numbers rewritten, no failures are left" in again.text


def test_without_the_option_nothing_is_written(book):
    path = book.page("one", STALE)
    assert book.pytest().code == 1
    assert text_of(path).endswith(STALE)


@pytest.mark.parametrize(
    ("arguments", "numbers"),
    [
        (["book/one.md"], 3),
        (["book/one.md::line:13,column:12"], 1),
        (["book/one.md", "-k", "line:14 or line:16"], 2),
        (["-x", "book/one.md"], 1),
    ],
)
def test_a_part_of_the_tests(book, arguments, numbers):
    path, other = book.page("one", STALE), book.page("two", STALE)
    before = text_of(path)
    run = book.pytest("--fix-claims", *arguments)
    assert f"{numbers} number{'s' * (numbers > 1)} rewritten, no failures are left" in run.text
    rows = zip(before.split("\n"), text_of(path).split("\n"), strict=True)
    assert sum(a != b for a, b in rows) == numbers
    assert text_of(other).endswith(STALE)


def test_xdist(book):
    path = book.page("one", STALE)
    run = book.pytest("--fix-claims", "-n2")
    assert run.code == 1
    assert text_of(path).endswith(FRESH)
    assert run.text.count("book/one.md:13:\n") == 1
    assert "3 numbers rewritten, no failures are left" in run.text


def test_what_is_left_says_why(book):
    path = book.page("one", CELL + "{claim}`3 <y>` {claim}`no <x > 3>` {claim}`5 <x>` and 7\n")
    book.write("test_other.py", "def test_other():\n    assert False\n")
    run = book.pytest("--fix-claims", "book", "test_other.py")
    assert "{claim}`3 <y>` {claim}`no <x > 3>` {claim}`3 <x>` and 7\n" in text_of(path)
    _, _, left = run.text.partition("what no longer holds")
    assert left.splitlines()[1:4] == [
        "book/one.md:13:55: 7 is neither claimed nor given",
        "book/one.md:13:9: text says 3, y is 3.4051: an integer must be exact; write 3.405 "
        "(left as it is: nothing in the form of 3 holds for 3.4051)",
        "book/one.md:13:16: x > 3 is False",
    ]
    assert "1 number rewritten, 4 failures are left" in run.text


def test_a_readme_and_its_links(book):
    book.write("runs/r.json", '{"n": 4240, "x": [0.351]}')
    path = book.write("README.md", "It has [4,233](runs/r.json#/n), [33 %](runs/r.json#/x/0).\n")
    run = book.pytest("--fix-claims")
    assert text_of(path).startswith("It has [4,240](runs/r.json#/n), [33 %](runs")
    assert "1 number rewritten, 1 failure is left" in run.text


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encoding_line_ends_and_mode_are_kept(book, end):
    path = book.page("one", "")
    text = (text_of(path) + "Übung — ≈\n\n" + STALE).removesuffix("\n").replace("\n", end)
    path.write_bytes(text.encode("utf-8"))
    path.chmod(0o640)
    book.pytest("--fix-claims")
    new = text.replace("`3.60 ", "`3.41 ").replace("{claim}`4 ", "{claim}`3 ")
    assert path.read_bytes() == new.encode("utf-8")
    assert path.stat().st_mode & 0o777 == 0o640
    assert [p.name for p in path.parent.iterdir()] == ["one.md"]


def test_a_page_on_which_nothing_changes_is_not_touched(book):
    path = book.page("one", CELL + "{claim}`3 <x>` {claim}`3 <y>`\n")
    os.utime(path, (1, 1))
    book.pytest("--fix-claims")
    assert path.stat().st_mtime == 1


def test_a_page_changed_during_the_run_is_left_alone(book):
    code = "from pathlib import Path\np = Path('one.md')\np.write_text(p.read_text() + 'More.')\n"
    path = book.page("one", f"```{{code-cell}} python\n{code}```\n\n{{claim}}`4 <1 + 2>`\n")
    run = book.pytest("--fix-claims")
    assert text_of(path).endswith("{claim}`4 <1 + 2>`\nMore.")
    assert "is 3 (differs in digit 1) (left as it is: the page changed during the run)" in run.text
    assert "no numbers rewritten, 1 failure is left" in run.text


def test_a_run_broken_off_writes_nothing(book):
    path = book.page("one", STALE)
    book.write("test_stop.py", "def test_stop():\n    raise KeyboardInterrupt\n")
    run = book.pytest("--fix-claims", "book", "test_stop.py")
    assert run.code == pytest.ExitCode.INTERRUPTED
    assert text_of(path).endswith(STALE)
    assert run.text.count("(left as it is: the run was broken off)") == 3


def test_two_sybil_objects_over_one_book(book):
    path = book.page("one", STALE)
    book.write("tiny_second.py", (book.root / "conftest.py").read_text())
    run = book.pytest("-p", "tiny_second", "--fix-claims")
    assert text_of(path).endswith(FRESH)
    assert "3 numbers rewritten, no failures are left" in run.text


def test_a_name_that_changes_later_is_taken_as_it_was(book):
    changes = "```{code-cell} python\nx.append(9)\nx[0] = 7\n```\n"
    path = book.page("one", CELL.replace("x = 3", "x = [3]") + "{claim}`4 <x>`\n\n" + changes)
    book.pytest("--fix-claims")
    assert "{claim}`3 <x>`" in text_of(path)


def test_help_tells_of_it(book):
    assert "--fix-claims" in book.pytest("--help").text


# Files


def test_a_crash_leaves_the_file_whole(tmp_path, monkeypatch):
    path = tmp_path / "a.md"
    write_whole(path, "old")
    monkeypatch.setattr(os, "replace", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_whole(path, "new")
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("a.md", "old")]


def test_a_link_stays_a_link(tmp_path):
    path, link = tmp_path / "a.md", tmp_path / "b.md"
    path.write_text("old")
    link.symlink_to(path)
    write_whole(link, "new")
    assert link.is_symlink()
    assert path.read_text() == "new"
