"""The scripts read numbers as the checker does: every number of the book, exactly.

The scripts stand alone on a page, so that no site needs to be built.
"""

from fractions import Fraction
from pathlib import Path

import pytest

from everydigit.number.prose import find_numbers
from everydigit.text.reading import Reading

BOOK = sorted((Path(__file__).parents[2] / "book").glob("*.md"))
CLAIMED = {
    shown.number
    for path in BOOK
    for claim in Reading.of(path).page(path).claims
    for shown in claim.numbers
    if "\\" not in shown.number.text
}
NUMBERS = sorted({n.text: (n.value, n.percent) for n in CLAIMED}.items())
# Forms that no number of the book has: a script may leave one out, but never misread it.
FORMS = [
    *"2³⁰ 1.5² 10⁻⁴ 1½ ½ 1.9E+4 1.9e−4 1.9×10⁻⁴ −2×10³ 1.2×10³ .5 +3 33.0\u202f% 007".split(" "),
    *"twenty-one ninety sixty-four 0.00000000000000000001".split(" "),
    *("1.9 × 10⁻⁴", "33.0 %", "two hundred", "two hundred and five", "sixteen thousand"),
]
FIND = "texts => texts.map((text) => claimsNumbers.find(text))"
JUDGE = """cases => cases.map(([text, over, under]) => {
  const answer = { over: BigInt(over), under: BigInt(under), exact: true };
  try {
    return attentionChecked.judge(text, answer).right;
  } catch (error) {
    return error.message;
  }
})"""


def exact(found):
    """What the search's script read: the value, whether in percent, and from where to where."""
    value = Fraction(found["value"]) * (-1 if found["minus"] else 1)
    return value, found["percent"], found["start"], found["end"]


def test_the_search_reads_every_number_of_the_book_as_the_checker_does(numbers):
    assert len(NUMBERS) > 400
    found = numbers.evaluate(FIND, [text for text, _ in NUMBERS])
    read = [[exact(n) for n in each] for each in found]
    wrong = [(pair, r) for pair, r in zip(NUMBERS, read, strict=True) if r != expected(*pair)]
    assert wrong == []


def expected(text, value_and_percent):
    return [(*value_and_percent, 0, len(text))]


def judged(page, cases):
    typed = [(text, value / (100 if percent else 1)) for text, (value, percent) in cases]
    return page.evaluate(JUDGE, [[t, str(v.numerator), str(v.denominator)] for t, v in typed])


def test_a_self_check_takes_every_number_of_the_book_for_its_value(shared):
    cases = [case for case in NUMBERS if not case[0].isalpha()]
    assert set(judged(shared, cases)) == {True}


@pytest.mark.parametrize("text", FORMS)
def test_no_script_misreads_a_number(numbers, shared, text):
    (number,) = find_numbers(text)
    case = number.text, (number.value, number.percent)
    (found,) = numbers.evaluate(FIND, [number.text])
    assert [exact(n) for n in found if n["start"] == 0] in ([], expected(*case))
    (right,) = judged(shared, [case])
    assert right is True or "no number that can be read" in right
