"""A chapter runs in order, once, with true lines."""

import json
import random
from pathlib import Path

import pytest

from everydigit.run.chapter import Chapter
from everydigit.text.reading import Reading
from everydigit.verdict.targets import evaluate

FRONT = """\
---
jupytext: {text_representation: {format_name: myst}}
kernelspec: {name: python3}
---
"""


def cell(code, *options):
    return "\n".join(["```{code-cell} python", *options, code, "```", ""])


@pytest.fixture
def chapter(tmp_path):
    def make(text, namespace=None):
        page = Reading().page(tmp_path / "page.md", FRONT + text)
        (tmp_path / "page.md").write_text(FRONT + text)
        return Chapter(page, {} if namespace is None else namespace)

    return make


def outcomes(chapter, steps=None):
    steps = steps or [*chapter.page.cells, *chapter.page.claims]
    return [chapter.outcome(step) for step in steps]


def failures(chapter):
    return [f for outcome in outcomes(chapter) for f in outcome.failures]


COUNTING = "\n".join(
    f"{cell(f'x = {n}')}\nHere {{claim}}`{n} <x>`, {{claim}}`{n + 1} <x + 1>`.\n" for n in range(5)
)


def test_a_claim_sees_the_names_as_they_are_at_its_place(chapter):
    assert failures(chapter(COUNTING)) == []


def test_any_order_gives_the_same_outcomes(chapter):
    for seed in range(10):
        run = chapter(COUNTING)
        steps = [*run.page.cells, *run.page.claims]
        random.Random(seed).shuffle(steps)
        assert all(outcome.passed for outcome in outcomes(run, steps))


def test_any_claim_alone(chapter):
    for i in range(10):
        run = chapter(COUNTING)
        assert run.outcome(run.page.claims[i]).passed


def test_cells_run_once(chapter):
    log = []
    run = chapter(cell("log.append(1)"), {"log": log})
    outcomes(run)
    outcomes(run)
    assert log == [1]


def test_cells_and_claims_run_in_the_chapters_folder(chapter, tmp_path):
    (tmp_path / "r.json").write_text('{"a": 7}')
    text = cell("n = open('r.json').read().count('7')")
    here = Path.cwd()
    assert failures(chapter(text + "{claim}`1 <n>` {claim}`7 <r.json#/a>`\n")) == []
    assert Path.cwd() == here


def test_a_cell_is_the_main_module(chapter):
    assert failures(chapter(cell("assert __name__ == '__main__'"))) == []


def test_after_a_failed_cell_nothing_below_is_checked(chapter):
    run = chapter(
        "{claim}`1 <2-1>`\n\n" + cell("y = 1\n1/0") + "\n" + cell("z = 1") + "{claim}`2 <y>`\n"
    )
    assert failures(run) == [
        (9, 1, "the cell raised ZeroDivisionError: division by zero"),
        (12, 1, "not checked: the cell at line 7 failed"),
        (15, 1, "not checked: the cell at line 7 failed"),
    ]
    assert run.outcome(run.page.claims[0]).passed


TAGS = [
    ("1/0", ":tags: [raises-exception]", []),
    ("1/0", ":tags: [skip-execution]", []),
    ("1/0", ":tags: [hide-input]", [(7, 1, "the cell raised ZeroDivisionError: division by zero")]),
    (
        "x = 1",
        ":tags: [raises-exception]",
        [(5, 1, "this cell is tagged raises-exception and raised none")],
    ),
]


@pytest.mark.parametrize(("code", "tags", "expected"), TAGS)
def test_tags(chapter, code, tags, expected):
    assert failures(chapter(cell(code, tags))) == expected


def test_a_cell_that_should_raise_stops_nothing(chapter):
    run = chapter(cell("y = 1\n1/0", ":tags: [raises-exception]") + "{claim}`1 <y>`\n")
    assert failures(run) == []


OPTIONS = [
    ([], 6),
    ([":tags: [hide-input]"], 7),
    ([":tags: [hide-input]", ""], 8),
    (["---", "tags: [hide-input]", "---"], 9),
    (["---", "mystnb:", "  figure:", "    caption: x", "---", ""], 12),
    (["", ""], 8),
]


@pytest.mark.parametrize(("options", "line"), OPTIONS)
@pytest.mark.parametrize(
    ("code", "error", "below"),
    [
        ("x = 1\n\ny = x / 0", "ZeroDivisionError", 2),
        ("def f():\n    raise KeyError('k')\nf()", "KeyError", 1),
        ("x = (1,\n  2\ny = 3", "SyntaxError", 0),
        ("import sys; sys.exit(3)", "SystemExit", 0),
    ],
)
def test_option_lines_do_not_shift_lines(chapter, options, line, code, error, below):
    ((found, _, message),) = failures(chapter(cell(code, *options)))
    assert found == line + below
    assert error in message


def test_a_name_of_notebooks_only_is_told_apart(chapter):
    ((_, _, message),) = failures(chapter(cell("display(3)")))
    assert message == (
        "the cell raised NameError: name 'display' is not defined: "
        "cells run as plain Python, not in a notebook"
    )


ABOUT = [
    ("about {claim}`4,200 <4233 + 0>`", True),
    ("Roughly {claim}`4,200 <4233 + 0>`", True),
    ("~{claim}`4,200 <4233 + 0>`", True),
    ("is about\n{claim}`4,200 <4233 + 0>`", True),
    ("about the {claim}`4,200 <4233 + 0>`", False),
    ("about {claim}`4,200, 4,200 <[4233, 4233 + 0]>`", False),
    ("about {claim}`4,200 <4300 + 0>`", False),
]


@pytest.mark.parametrize(("text", "holds"), ABOUT)
def test_about_may_stand_before_the_claim(chapter, text, holds):
    run = chapter(text + "\n")
    assert (failures(run) == []) is holds


def test_an_equation_fails_at_the_line_it_stands_on(chapter):
    text = "{claim}`1 + 1 = 2,\n2 + 2 = *5* <[1, 1, 2, 2, 2, 2 + 3]>`\n"
    assert failures(chapter(text)) == [(6, 1, "2 + 2 = 5 does not hold: 4 is not 5")]


def test_cells_of_a_claimed_table_are_no_one_equation(chapter):
    text = "```{claim} [3, 4, 5, 6 + 0]\n| a | b |\n|---|---|\n| 3 | 4 = x |\n| 5 = | 6 |\n```\n"
    assert failures(chapter(text)) == []


def test_the_traceback_shows_the_page(chapter):
    run = chapter(cell("def f():\n    return 1 / 0\n\nf()", ":tags: [x]"))
    detail = outcomes(run)[0].detail
    assert 'page.md", line 10, in <module>' in detail
    assert 'page.md", line 8, in f' in detail
    assert "return 1 / 0" in detail
    assert "chapter.py" not in detail


def test_a_bare_assert_shows_its_values(chapter):
    run = chapter(cell("x = [1, 2]\nassert x == [1, 3]"))
    (outcome,) = outcomes(run)
    assert outcome.failures[0][:2] == (7, 1)
    assert "assert [1, 2] == [1, 3]" in outcome.failures[0][2]


def test_a_claim_does_not_change_the_names(chapter):
    run = chapter(cell("x = 1") + "{claim}`1 <x>` {claim}`2 <x + 1>` {claim}`1 <x>`\n")
    assert failures(run) == []


def test_failures_stand_at_their_number(chapter):
    text = cell("p = [1, 2, 3]") + "Now {claim}`1, 5\nand *7* <p>`.\n"
    assert failures(chapter(text)) == [
        (8, 16, "text says 5, number 2 of p is 2 (differs in digit 1)"),
        (9, 6, "text says 7, number 3 of p is 3 (differs in digit 1)"),
    ]


def test_a_claimed_table_fails_at_its_cell(chapter):
    text = cell("p = [1, 2]") + "```{claim} p\n| a | b |\n|---|---|\n| 1 | 5 |\n```\n"
    ((line, column, message),) = failures(chapter(text))
    assert (line, column) == (11, 7)
    assert "text says 5, number 2 of p is 2" in message


TABLE = """\
```{claim} rows
| n | a | b |
|---|---|---|
| i | 0.39 | 0.33 |
| j | 0.27 | 0.5 |
```
"""
PARTED = [  # what rows gives besides, and where the table is told to part from it
    ([[0.39, 0.33], [0.8], [0.27, 0.5]], (9, 7), "0.8 is missing before 0.27"),
    ([[0.39, 0.33], [0.27, 0.5], [0.8, 0.2]], (9, 14), "0.8, 0.2 are missing after 0.5"),
    ([[0.39, 0.33], [0.5]], (9, 7), "0.27 is too many"),
    ([[0.39], [0.25, 0.5]], (8, 14), "they part where text says 0.33, number 2 of rows is 0.2500"),
]


@pytest.mark.parametrize(("rows", "place", "message"), PARTED)
def test_a_claimed_table_with_a_gap_fails_at_the_cell_behind_it(chapter, rows, place, message):
    ((*found, words),) = failures(chapter(TABLE, {"rows": rows}))
    assert tuple(found) == place
    assert message in words


KINDS = [("2 - 1", "exact"), ("2 - 1.0", "value"), ("1 == 1.0", "truth"), ("r.json#/a", "record")]


@pytest.mark.parametrize(("target", "kind"), KINDS)
def test_kinds(chapter, tmp_path, target, kind):
    (tmp_path / "r.json").write_text('{"a": 1}')
    shown = "holds" if kind == "truth" else "1"
    (outcome,) = outcomes(chapter(f"{{claim}}`{shown} <{target}>`\n"))
    assert (outcome.passed, outcome.kind) == (True, kind)


def test_a_syntax_warning_in_a_target_is_an_error(tmp_path):
    with pytest.raises(Exception, match="no Python expression"):
        evaluate("1 is 1", {}, tmp_path)


def test_a_value_that_misbehaves_is_a_failure_of_its_claim(chapter):
    class Odd:
        def __iter__(self):
            raise RuntimeError("not today")

    text = "{claim}`3 <odd>` {claim}`3 <1+2>`\n"
    assert failures(chapter(text, {"odd": Odd()})) == [
        (5, 1, "odd cannot be compared: RuntimeError: not today")
    ]


def test_a_keyboard_interrupt_is_passed_on(chapter):
    with pytest.raises(KeyboardInterrupt):
        outcomes(chapter(cell("raise KeyboardInterrupt")))


def test_a_record_is_read_beside_its_page(chapter, tmp_path):
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs/E6.json").write_text(json.dumps({"values": {"a/b": 1.2809}}))
    assert failures(chapter("{claim}`1.28 <runs/E6.json#/values/a~1b>`\n")) == []
    for target, message in [
        ("runs/E7.json#/a", "there is no file runs/E7.json, as seen from the page's folder"),
        ("runs/E6.json#/a", "there is no 'a' at its top, but values"),
    ]:
        ((_, _, found),) = failures(chapter(f"{{claim}}`1.28 <{target}>`\n"))
        assert message in found
