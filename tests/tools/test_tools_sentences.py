"""One sentence a line: what is told, and what is rightly left alone."""

from pathlib import Path

import pytest

from tools.sentences import crowded, main

ROOT = Path(__file__).parents[2]

CROWDED = {
    "two sentences": ("It is one. It is two.\n", [1]),
    "the second in a list": ("- One.\n- Two. Three.\n", [2]),
    "a question first": ("A line.\nIs it? It is.\n", [2]),
    "a claim ends the first": ("It is {claim}`0.5 <half>`. Then another.\n", [1]),
    "a claim begins the second": ("It is so. {claim}`0.5 <half>` is there.\n", [1]),
    "emphasis begins the second": ("It is so. *Here* too.\n", [1]),
    "a closing quotation mark": ("He said “no.” She left.\n", [1]),
    "in an exercise": ("```{exercise}\n:label: x\n\nOne. What is two?\n```\n", [4]),
    "in an admonition in another": (
        "````{note}\n```{tip}\nOne. Two.\n```\n````\n",
        [3],
    ),
    "after a bold opening phrase": ("**Why.** It is so. It stays so.\n", [1]),
    "after a role over two lines": ("See {claim}`0.5\n<half>`. It is so. More.\n", [2]),
}
QUIET = {
    "a sentence over two lines": "It runs on\nand on, Alice says.\n",
    "an abbreviation": "Some, e.g. Vaswani et al., wrote eq. 1 and cf. Bahdanau.\n",
    "a bold opening phrase": "**Where it holds.** Wherever it can.\n",
    "code": "`a. B` and ``c. D`` stay.\n",
    "a cell": "```{code-cell} python\nprint('One. Two.')\n```\n",
    "quoted Markdown": "````markdown\nOne. Two.\n````\n",
    "a decimal": "It is 3.4 and 5.6.\n",
    "a table": "| a | b |\n| - | - |\n| One. Two. | c |\n",
}


@pytest.mark.parametrize("name", CROWDED)
def test_a_line_with_a_second_sentence_is_told(name):
    text, lines = CROWDED[name]
    assert list(crowded(text)) == lines


@pytest.mark.parametrize("name", QUIET)
def test_what_is_no_second_sentence_is_left_alone(name):
    assert list(crowded(QUIET[name])) == []


def test_the_exit_code_and_the_place_are_told(tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text("# T\n\nOne. Two.\n", encoding="utf-8")
    assert main([str(page)]) == 1
    assert capsys.readouterr().out.startswith(f"{page}:3: ")
    page.write_text("# T\n\nOne.\nTwo.\n", encoding="utf-8")
    assert main([str(page)]) == 0
