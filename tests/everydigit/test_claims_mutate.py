"""`--mutate-claims`: every digit of every claim that holds is changed, and must be noticed."""

import re

import pytest

from everydigit.run import chapter, mutate
from everydigit.run.chapter import Outcome, compare
from everydigit.text.page import piece_numbers
from everydigit.verdict import judge

WEAK = """\
```{code-cell} python
import sympy
class Anything(sympy.Symbol):
    is_number = True
    def __sub__(self, other): return self
    def equals(self, other): return True
    def _eval_evalf(self, prec): return sympy.Integer(7)
x = 3.4049
anything = Anything("anything")
```

"""
SOUND = (
    WEAK
    + """\
It is {claim}`3.40 <x>`, {claim}`sixteen <4 * 4>`, {claim}`so <x > 3>`,
{claim}`1×1 + 0×1 = 1 <[1 * 1, 1, 0, 1, 1]>` and {claim}`$\\frac{1}{4}$ <[1, 2 * 2]>`.

```{claim} [x, 12, -1.5]
| a    |        b |
|------|----------|
| 3.40 | 12, −1.5 |
```

```{claim} range(10, 14)
$$
\\begin{bmatrix} 10 & 11 \\\\ 12 & 13 \\end{bmatrix}
$$
```
"""
)


def tried(run):
    return int(re.search(r"([\d,]+) changes of numbers in claims were tried", run.text)[1])


def test_a_sound_page_holds_and_all_its_digits_are_tried(book):
    book.page("one", SOUND)
    run = book.pytest("--mutate-claims")
    assert run.code == 0, run.text
    assert tried(run) == 9 * (3 + 5 + 2 + 7 + 8) + 1
    assert "were tried" not in book.pytest().text


def test_a_readme_and_its_links(book):
    book.write("runs/r.json", '{"n": 4233}')
    book.write("README.md", "It has [4,233](runs/r.json#/n) of them.\n")
    run = book.pytest("--mutate-claims")
    assert (run.code, tried(run)) == (0, 36)


def test_a_weak_claim_fails_in_one_line_at_its_number(book):
    book.page("one", WEAK + "It is {claim}`3.40, 12 and *sixteen* <[x, anything, anything]>`.\n")
    assert book.pytest().code == 0
    run = book.pytest("--mutate-claims")
    *_, summary = run.text.partition("what no longer holds")
    said = "would pass too: let [x, anything, anything] tell the two apart, or show one digit more"
    assert summary.splitlines()[1:3] == [
        f"book/one.md:19:21: text says 12, and 02 {said}",
        f"book/one.md:19:29: text says sixteen, and eleven {said}",
    ]
    assert book.claims("one") == [("3.40, 12 and sixteen", "failed")]


def test_a_value_is_the_one_at_its_place_also_where_a_cell_changes_it_below(book):
    changes = "```{code-cell} python\ny[0] = 4.0\n```\n\nNow {claim}`4.0 <y[0]>`.\n"
    start = "```{code-cell} python\ny = [3.0]\n```\n\nOnce {claim}`3.0 <y>`.\n\n"
    book.page("one", start + changes)
    run = book.pytest("--mutate-claims")
    assert (run.code, tried(run)) == (0, 36)


def test_a_claim_that_fails_says_so_once_and_is_not_tried(book):
    book.page("one", WEAK + "It is {claim}`3.41 <x>`.\n")
    run = book.pytest("--mutate-claims")
    assert tried(run) == 0
    assert run.text.count("book/one.md:19:15:") == 1


# Without pytest: what the comparison must have done


def mutated(read, text, target):
    return mutate.compare_mutated(read(text).claims[0], target)


def test_a_judge_that_accepts_everything_is_told_of_every_number_and_of_one_more(read, monkeypatch):
    monkeypatch.setattr(chapter, "judge", lambda *_: [])
    outcome = mutated(read, "{claim}`3.40 and *12* <x>`\n", [3.4, 12])
    assert [failure[:2] for failure in outcome.failures] == [(1, 1), (1, 9), (1, 19)]
    assert "one more number behind it would pass too" in outcome.failures[0][2]


def test_a_failure_that_is_reported_elsewhere_is_told(read, monkeypatch):
    monkeypatch.setattr(
        chapter, "judge", lambda *given: [(None, why) for _, why in judge.judge(*given)]
    )
    (failure,) = mutated(read, "{claim}`about 12 <x>`\n", 12).failures
    assert failure[:2] == (1, 15)
    assert "12, and 02 would be reported at 1:1, not here" in failure[2]


def test_every_change_is_compared_alone_and_the_rest_of_its_group_as_it_was(read, monkeypatch):
    compared = []

    def noted(claim, target):
        compared.append(claim.shown)
        return compare(claim, target)

    monkeypatch.setattr(mutate, "compare", noted)
    outcome = mutated(read, "{claim}`5 of *three* <x>`\n", [5, 3])
    assert outcome.passed
    assert compared == [
        "5 of three", *(f"{digit} of three" for digit in "012346789"), "5 of four", "5 of three 7"
    ]  # fmt: skip
    assert outcome.tried == len(compared) - 2


WORDS = {
    "three": ["four"],
    "twenty-one": ["thirty-one", "twenty-three"],
    "two hundred and five": ["three hundred and five", "two thousand and five",
                             "two hundred and three"],
    "Sixteen": ["eleven"],
    "three million": ["four million", "three thousand"],
}  # fmt: skip


@pytest.mark.parametrize("word", WORDS)
def test_a_word_becomes_another_number(read, word):
    (claim,) = read(f"{{claim}}`{word} <x>`\n").claims
    found = [change for piece in claim.pieces for change in mutate.changes(piece)]
    assert [change.text for change in found] == WORDS[word]
    values = {claim.numbers[0].number.value}
    for change in found:
        (number,) = piece_numbers(change.piece, every=True)
        assert number.number.text == change.text
        values.add(number.number.value)
    assert len(values) == 1 + len(found)


@pytest.mark.parametrize(
    ("shown", "value"),
    [("about 50", 52.3), ("about 52", 52.3), ("about 52", 52), ("≈ 4,200", 4204)],
)
def test_behind_about_a_number_may_be_as_true_to_another_digit(read, shown, value):
    assert mutated(read, f"{{claim}}`{shown} <x>`\n", value).failures == []


@pytest.mark.parametrize(
    ("shown", "value", "other"), [("0.12", 0.125, "3"), ("about 52", 52.5, "3")]
)
def test_a_value_halfway_between_two_numbers_is_told(read, shown, value, other):
    (failure,) = mutated(read, f"{{claim}}`{shown} <x>`\n", value).failures
    assert f"{other} would pass too" in failure[2]


def test_a_claim_without_a_number_is_tried_with_one(read):
    assert mutated(read, "{claim}`it holds <x>`\n", True) == Outcome(value="True", kind="truth")
