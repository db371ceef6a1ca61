"""The coverage gate, and found equals run."""

import re
from pathlib import Path

import pytest

from everydigit.run.chapter import Chapter
from everydigit.text.reading import Reading

FRONT = """\
---
jupytext: {text_representation: {format_name: myst}}
kernelspec: {name: python3}
---
"""
NUMBER = re.compile(r"4[2-9]|sixteen")


def places(text):
    """Line and column of each of the numbers that stand for a naked one."""
    return [
        (line, match.start() + 1)
        for line, row in enumerate(text.split("\n"), 1)
        for match in NUMBER.finditer(row)
    ]


def naked(page):
    return [(n.line, n.column) for n in page.naked]


def figure(caption):
    options = f"---\nmystnb:\n  figure:\n    caption: {caption}\n---"
    return f"{FRONT}```{{code-cell}} python\n{options}\nx=5\n```\n"


# Each 42 … 49 and each "sixteen" in here is seen by a reader, and found where it stands.
VISIBLE = {
    "a paragraph": "Row 42 here.\nAnd 43 there,\n  and 44, sixteen.\n",
    "heading": "# Head 42\n\n### Head 42 ###\n\n## Of sixteen\n\nTitle 43\n========\n",
    "title with a target": "(label-7)=\n# Head 42\n",
    "list": "- item 42\n  - sub 43\n\n    para 44\n\n1. one 45\n2. b 46\n",
    "task list": "- [ ] task 42\n",
    "quote": "> quote 42\n> more 43\n\n> - in 44\n",
    "lazy quote": "> a\n  lazy 42\nlazy 43\n",
    "table": "| a 42 | b |\n|---|---|\n| 43 | 43 |\n| x | 43 |\n",
    "no outer bars": "a | b\n--|--\n42 | 42\nx | 42\n",
    "equal cells": "| a | b |\n|---|---|\n| 42 | 42 |\n| 42 | 42 |\n| x | 42 |\n",
    "table with a bar": "| a \\| b | 42 |\n|--|--|\n| \\| | 43 |\n",
    "footnote": "foot[^1]\n\n[^1]: note 42\n",
    "definition list": "Term 42\n: Def 43\n",
    "raw HTML": "<div>raw 42 <b>43</b>\nand 44</div>\n",
    "HTML in a list": "- <div>\n  42\n  </div>\n",
    "HTML in a line": "text <b>42</b> here\n",
    "alt text of several lines": "![alt\n42](a7.png) {abbr}`A\n43` <img\nalt='x\n44'>\n",
    "alt text in HTML": '<img src="a7.png" alt="42">\n\ntext <img alt="43" src="a7.png">\n',
    "emphasis": "*em 42* **bold 43** ***x*** 44 ~~x~~ 45\n",
    "after escapes": "\\*42\\* \\_ 43 and &amp; 44 \\# 45\n",
    "after code": "`x` and ``a `` 42\n",
    "after math": "$x$ and 42 $y$ 43\n",
    "line breaks": "Hard\\\nbreak 42  \nb 43\n",
    "dashes": "A --- 42—43\n",
    "link text": "[link 42](https://a/7) [](#eq-7) [text 43](#x) [ref 44][r]\n\n[r]: u\n",
    "alt text": "![alt 42](a7.png) ![alt *em* 43](a7.png)\n",
    "admonition": "```{note}\nBody 42\n```\n",
    "admonition title": "```{admonition} Title 42\nBody 43\n```\n",
    "body from the first line": "```{note} first 42\nline 43\n```\n",
    "options of both forms": "```{note}\n:class: x7\n\nBody 42\n\n\n```\n\n"
    "```{note}\n---\nclass: x7\n---\n\n\nBody 43\n```\n",
    "nested": "::::{note}\nA\n:::{tip}\nDeep 42\n:::\n\n```{warning}\nDeep 43\n```\n::::\n",
    "in a list": "- a\n\n  ```{note}\n  In list 42\n  ```\n",
    "in a quote": "> ```{note}\n> In quote 42\n> ```\n",
    "quote in a directive in a list": "1. a\n\n   ```{note}\n   > - x 42\n   ```\n",
    "figure": "```{figure} a7.png\n:alt: alt 42\n:width: 300px\n\nCaption 43\n```\n",
    "caption of a cell": figure("Cap 42\n    name: x7"),
    "caption on several lines": figure("|\n      Cap 42\n      two 43"),
    "list-table": "```{list-table} Title 42\n\n* - a 43\n  - b\n* - 44\n  - 45\n```\n",
    "table directive": "```{table} Title 42\n| a |\n|---|\n| 43 |\n```\n",
    "csv-table": "```{csv-table} T 42\n:header: a 43, b\n44, 45\n```\n",
    "exercise": "```{exercise} Title 42\n:label: ex-7\nDo 43\n```\n",
    "solution": "```{solution} ex-7\nAns 42\n```\n",
    "glossary": "```{glossary}\nterm 42\n  def 43\n```\n",
    "dropdown": "```{dropdown} T 42\n:open:\nb 43\n```\n",
    "margin": "```{margin} T 42\nm 43\n```\n",
    "listing": "```{literalinclude} x7.py\n:caption: cap 42\n```\n",
    "titles of cross-references": "{ref}`x 42 <y7>` {numref}`Figure 43 <x7>` {doc}`A 44 <x7>`\n"
    "{term}`of 45` {term}`a 46<b>` {download}`x 47 <a7.csv>` {any}`x\n48 <y>` {eq}`x 49 <y>`\n",
    "more titles": "{prf:ref}`x 42 <y7>` {std:ref}`x 43 <y7>` {index}`x 44` {index}`45 x <y>`\n",
    "raised and lowered": "H{sub}`42` x{sup}`43` y{subscript}`44` z{superscript}`45`\n",
    "link and image titles": "[a](u7 '42') ![a](u7.png \"of 43\")\n\n[x\ny](u 'b 44')\n",
    "numbers as options": "```{figure} a7.png\n:alt: 42\n\nC\n```\n\n"
    "```{figure} b7.png\n---\nalt: 43\n---\nC\n```\n\n"
    "```{literalinclude} x.py\n:caption: 44\n```\n",
    "attributes in HTML": "<img title='42' src=a7.png>\n\nx <a aria-label=\"43\" href=u7>y</a>\n"
    "<img src=a7.png alt=44> <img alt=45>\n",
    "ordered list": "42. a\n7. b\n\nText\n\n> - x\n>   43) y\n",
    "math directive in one line": "```{math} x = 42\n```\n\n```{math} y = 43\nz = 44\n```\n",
    "title in the front matter": "---\ntitle: 42 cats\nsubtitle: of 43\nshort_title: 44\n"
    "description: |\n  a\n  46\nversion: 7\n---\n",
    "abbreviation": "{abbr}`A 42 (B 43)`\n",
    "math": "$x = 42$ and {math}`y = 43`\n\n$$\nz = 44\n$$\n",
    "math on a later line": "$$\nx_1 \\\\\ny = 42\n$$\n\n> $$\n> x \\\\\n> y = 43\n> $$\n",
    "math in a list": "- a\n\n  $$\n  x \\\\\n  y = 42\n  $$\n- b $x\n  = 43$ c 44\n",
    "the same formula twice": "$$\nx = 42\n$$\n\n$$\nx = 42\n$$\n",
    "math directive": "```{math}\n:label: eq-7\nx \\\\\ny = 42\n```\n",
    "after a claim": "{claim}`3 <x>`-{claim}`3 <x>` 42 {claim}`a \\* 3 <x>` 43 {given}`8` 44\n",
    "after a claim of two lines": "a {claim}`3\nto 4 <x>` 42\n43\n",
    "header of a claimed table": "```{claim} x\n| a 42 |\n|---|\n| 7 |\n```\n",
    "unclosed code span": "`unclosed 42\n",
    "after a comment": "text <!-- 7 --> 42\n",
    "block break": "+++\nblock 42\n",
    "entity": "&#34; 42\n",
    "umlauts": "Für drei Äpfel 42, über 43\n",
    "tab": "Tab\there 42\n",
    "no newline at the end": "text 42",
}


@pytest.mark.parametrize("text", VISIBLE.values(), ids=VISIBLE.keys())
def test_a_naked_number_is_found_where_it_stands(read, text):
    page = read(text)
    assert sorted(naked(page)) == places(text)
    assert [(p.line, p.column) for p in page.problems] == places(text)


HIDDEN = {
    "code span": "`42` and ``a 43``\n",
    "indented code": "text\n\n    indented 42\n",
    "code block": "```console\n$ x 42\n```\n\n```{code-block} python\nx=43\n```\n",
    "cell": FRONT + "```{code-cell} python\n:tags: [hide-42]\n\nx = 43\n```\n",
    "references": "{ref}`x <y42>` {numref}`fig-43` {eq}`e42` {doc}`A<x44>` {doc}`a-42` [](#a-42)\n"
    "{download}`x42.csv` {any}`t42` {prf:ref}`th-42` {std:ref}`a <b42>`\n",
    "code": "{code}`x=42` {kbd}`43` {file}`a/44` {samp}`45` {py:func}`f <m.f42>`\n",
    "citations": "{cite}`vaswani2042` {cite:t}`a43` {cite:p}`b44`\n",
    "URLs": "https://a.b/42 <https://x.y/43> www.x.com/44 [a](https://b/45 'x') ![a](42.png)\n",
    "list from one": "1. a\n2. b\n42. c\n\n1) d\n",
    "option that is no words": "```{figure} a.png\n:width: 42\n:name: fig-43\nC\n```\n",
    "attribute that is no words": "<img width=42 data-alt=43 src='a44.png'>\n",
    "link definition": "[link]: http://x/42\n\nsee [link]\n",
    "labels": "(label-42)=\n# Head\n\n```{exercise}\n:label: ex-42\nDo\n```\n",
    "names": "E42 and a_43, float44, x²\n",
    "one and two": "one of two, first and second\n",
    "HTML attribute": '<span id="e42">x</span> and <div class="w42">y</div>\n',
    "comments": "<!-- 42 -->\n\n% 43\n",
    "front matter": "---\nversion: 42\n---\n\ntext\n",
    "footnote mark": "Text[^a42].\n\n[^a42]: x\n",
    "scripts": "$x_{42}$ and $\\mathbb{R}^{43 \\times 44}$\n",
    "coefficients": "$42x + y$ and $\\log_{43} n$\n",
    "infinity": "from −∞ to ∞\n",
    "toctree": "```{toctree}\nx42\n```\n",
    "given": "{given}`42` and {given}`sixteen` and {given}`−4.25`\n",
    "claimed": "{claim}`42 <x>` **{claim}`43 <x>`** [{claim}`44 <y>`](u)\n",
    "claimed table": "```{claim} x\n| a | b |\n|---|---|\n| 42 | 43 |\n```\n",
    "claimed formula": "```{claim} x\n$$\n42 & 43 \\\\\n44\n$$\n```\n",
    "claim with math": "{claim}`it is $x = 42$ <x>`\n",
}


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN.keys())
def test_what_is_no_prose(read, text):
    assert read(text).problems == []


def test_a_naked_number_says_so(read):
    (problem,) = read("Row 42.\n").problems
    assert problem.message == "42 is neither claimed nor given"


@pytest.mark.parametrize("content", ["12345", "x", "1 and 2", "1.2345"])
def test_a_given_holds_one_number_of_four_digits(read, content):
    problems = read(f"{{given}}`{content}`\n").problems
    assert any("given holds one number" in p.message for p in problems)


def test_a_given_in_a_claim_is_refused(read):
    (problem,) = read("{claim}``{given}`3` <x>``\n").problems
    assert "a given inside a claim" in problem.message


def test_givens_are_counted(read):
    assert [n.number.value for n in read("{given}`8` x {given}`16`\n").givens] == [8, 16]


# Claims


CLAIMS = [
    ("{claim}`3 <x>`", "3", "x"),
    ("{claim}``3 <f(`a`)>``", "3", "f(`a`)"),
    ("{claim}`a < b, 3 <x>`", "a < b, 3", "x"),
    ("{claim}`3 <a > b>`", "3", "a > b"),
    ("{claim}`3 <a <b>`", "3", "a <b"),
    ('{claim}`3 <f("<")>`', "3", 'f("<")'),
    ("{claim}`*3* and $0.5$ <x>`", "3 and 0.5", "x"),
    ("{claim}`4\nand 5 <y\n+1>`", "4 and 5", "y +1"),
    ("{claim}`4 and 5\n<y>`", "4 and 5", "y"),
    ("{claim}`Every row sums to one <ok>`", "Every row sums to one", "ok"),
    ("```{claim} f(x, 1)\n| a |\n|---|\n| 1 |\n```", "1", "f(x, 1)"),
]


@pytest.mark.parametrize(("text", "shown", "target"), CLAIMS)
def test_shown_and_target(read, text, shown, target):
    page = read(text + "\n")
    assert [(c.shown, c.target) for c in page.claims] == [(shown, target)]
    assert page.problems == []


CLAIMED = [
    "a {claim}`42 <x>` b {claim}`43 <x>`\n",
    "a {claim}`at 42\nand 43\n  and *44* <x>` b\n",
    "- a {claim}`at 42\n  and 43 <x>`\n",
    "> a {claim}`at 42\n> and $x_1\n> = 43$ <x>`\n",
    "# Head {claim}`42 <x>`\n",
    "| a | b |\n|---|---|\n| {claim}`42 <x>` | {claim}`42 <x>` |\n",
    "- a\n\n  ```{note}\n  b {claim}`42 <x>`\n  ```\n",
    "```{claim} x\n| a | b |\n|---|---|\n| 42 | 43 |\n```\n",
    "```{claim} x\n$$\n42 & 43 \\\\\n44\n$$\n```\n",
    figure("C {claim}`42 <x>`"),
]


@pytest.mark.parametrize("text", CLAIMED)
def test_numbers_of_a_claim_are_placed(read, text):
    page = read(text)
    assert page.problems == []
    assert [(n.line, n.column) for c in page.claims for n in c.numbers] == places(text)


# Found equals run: what fails, at its line, and with which words.
NEVER_RUN = [
    ("```{code-cell} ipython3\nx\n```\n", 1, "a code-cell 'ipython3' is never checked"),
    ("```{code-cell}\nx\n```\n", 1, "a code-cell without a language is never checked"),
    (":::{code-cell} python\nx\n:::\n", 1, "only at the top level, between backticks"),
    ("- a\n\n  ```{code-cell} python\n  x\n  ```\n", 3, "only at the top level"),
    ("````{note}\n```{code-cell} python\nx\n```\n````\n", 2, "only at the top level"),
    ("``` {code-cell} python\nx\n```\n", 1, "only at the top level"),
    ("```{code-cell} python\n:load: x.py\n```\n", 1, "a code-cell with :load: is not checked"),
    ("```{code-cel} python\nx\n```\n", 1, "unknown directive {code-cel}"),
    ("```{code_cell} python\nx\n```\n", 1, "unknown directive {code_cell}"),
    ("```{Claim} x\n|a|\n|-|\n|7|\n```\n", 1, "unknown directive {Claim}"),
    ("```{ claim } x\n$$7$$\n```\n", 1, "looks like a claim"),
    ("```{claim}\n$$7$$\n```\n", 1, "a claim without a target"),
    ("```{include} x.md\n```\n", 1, "unknown directive {include}"),
    ("```{raw} html\n<b>7</b>\n```\n", 1, "unknown directive {raw}"),
    ("```py\nx\n```\n", 1, "code in 'py' is shown and never run"),
    ("```python3\nx\n```\n", 1, "never run"),
    ("```{claim} x\n{claim}`3 <y>`\n```\n", 2, "a claim inside a claim"),
    ("{claim} `3 <x>`\n", 1, "looks like a claim but would never be checked"),
    ("{ claim }`3 <x>`\n", 1, "looks like a claim"),
    ("{Claim}`3 <x>`\n", 1, "unknown role {Claim}"),
    ("{clam}`3 <x>`\n", 1, "unknown role {clam}"),
    ("{eval}`x`\n", 1, "unknown role {eval}"),
    ("{given} `3`\n", 1, "looks like a given"),
    ("{claim}`3`\n", 1, "a claim without a target"),
    ("{claim}`3 < x>`\n", 1, "a claim without a target"),
    ("{claim}`3<x>`\n", 1, "a claim without a target"),
    ("{claim}`3 <x>\n", 1, "looks like a claim"),
    ("a\n<!-- {claim}`3 <x>` -->\n", 2, "looks like a claim"),
    ("% {claim}`3 <x>`\n", 1, "looks like a claim"),
    ("<!--\n```{code-cell} python\nx\n```\n-->\n", 2, "looks like a cell"),
    ("\\{claim}`3 <x>`\n", 1, "looks like a claim"),
    ("```\nopen\n\n{claim}`3 <x>`\n", 1, "this fence is never closed"),
    ("~~~\nopen", 1, "never closed"),
    (":::{note}\nopen", 1, "never closed"),
    ("```{code-cell} python\nx = 1\n", 1, "never closed"),
    ("````{note}\n```\nopen\n````\n", 2, "never closed"),
    ("```{figure} a.png\n:alt: {claim}`3 <x>`\n```\n", 2, "looks like a claim"),
    ("![{claim}`3 <x>`](a.png)\n", 1, "looks like a claim"),
    ("- > ```python\n  > x\n  > ```\n", 1, "that a plain count does not find"),
    # a line break or a missing brace in a claim
    ("{claim}\n`6 <5>`\n", 1, "looks like a claim"),
    ("> {claim}\n> `6 <5>`\n", 1, "looks like a claim"),
    ("claim`6 <5>`\n", 1, "looks like a claim"),
    ("a claim}`6 <5>`\n", 1, "looks like a claim"),
    ("{claim`6 <5>`\n", 1, "looks like a claim"),
    ("given`6`\n", 1, "looks like a given"),
    ("```claim 44\nx\n```\n", 1, "looks like a claim"),
    (":::claim 44\nx\n:::\n", 1, "looks like a claim"),
    ("```{claim\nx\n```\n", 1, "looks like a claim"),
    ("```cliam x\n7\n```\n", 1, "'cliam' looks like {claim}"),
    ("```{claims x\n7\n```\n", 1, "'{claims' looks like {claim}"),
    ("```codecell python\nx\n```\n", 1, "looks like a cell"),
    ("```code-cell\nx\n```\n", 1, "looks like a cell"),
    ("```{codecell} python\nx\n```\n", 1, "unknown directive {codecell}"),
    ("```codecel python\nx\n```\n", 1, "'codecel' looks like {code-cell}"),
    ("{cliam}`6 <5>`\n", 1, "unknown role {cliam}"),
    ("{foo:bar}`77 cats`\n", 1, "unknown role {foo:bar}"),
    ("{cite:x}`77 cats`\n", 1, "unknown role {cite:x}"),
    ("{{ sub }}\n", 1, "a substitution hides what it shows"),
    ("[7](runs/a.json#/b)\n", 1, "a link to a record becomes a download here"),
]


@pytest.mark.parametrize(("text", "line", "message"), NEVER_RUN)
def test_what_would_never_be_checked(read, text, line, message):
    page = read(FRONT + text)
    found = [(p.line, p.message) for p in page.problems]
    assert any(at == line + 4 and message in words for at, words in found), found


def test_a_page_that_the_site_takes_for_plain_text(read):
    cell = "```{code-cell} python\nx\n```\n"
    for front in ("", "---\nkernelspec: {name: python3}\n---\n"):
        (problem,) = read(front + cell + "\n" + cell).problems
        assert "the site runs no cell of this page" in problem.message
        assert problem.line == front.count("\n") + 1
    assert read("---\nfile_format: mystnb\n---\n" + cell).problems == []


CELLS = [
    ("```{code-cell} python\nx = 1\n```\n", 5, 6, "x = 1\n", ()),
    ("```{code-cell} python \nx = 1\n```\n", 5, 6, "x = 1\n", ()),
    ("~~~{code-cell} python\nx = 1\n~~~\n", 5, 6, "x = 1\n", ()),
    ("```{code-cell} python\n:tags: [a, b]\nx\n```\n", 5, 7, "x\n", ("a", "b")),
    ("```{code-cell} python\n:tags: a\n\nx\n\n\n```\n", 5, 8, "x\n", ("a",)),
    ("```{code-cell} python\n---\ntags: [a]\n---\n\nx\n```\n", 5, 10, "x\n", ("a",)),
    ("```{code-cell} python\n\nif x:\n    y\n```\n", 5, 7, "if x:\n    y\n", ()),
    ("```python\nx = 1\n```\n", 5, 6, "x = 1\n", ()),
]


@pytest.mark.parametrize(("text", "line", "code_line", "source", "tags"), CELLS)
def test_cells(read, text, line, code_line, source, tags):
    (cell,) = read(FRONT + text).cells
    assert (cell.line, cell.code_line, cell.source, cell.tags) == (line, code_line, source, tags)


QUOTED = [
    "````\n```{code-cell} python\nx\n```\n{claim}`3 <x>`\n````\n",
    "````markdown\n```{claim} x\n| 7 |\n```\n````\n",
    "`` {claim}`3 <x>` `` and `` {given}`3` ``\n",
    "    {claim}`3 <x>`\n",
    "```{code-block} markdown\n{claim}`3 <x>`\n```\n",
    "`` claim`6 <5>` `` and `` given`6` ``\n",
    "A claim `a <b>`, `the claim`, and `a claim` and `x <y>`, `given`, a given `x`.\n",
    "````\n```claim 44\n```\n````\n",
    "```text claim\nx\n```\n",
]


@pytest.mark.parametrize("text", QUOTED)
def test_quoted_examples_are_fine(read, text):
    page = read(text)
    assert (page.problems, page.claims, page.cells) == ([], [], [])


CLOSED = [
    "```text\nx\n```",
    "```text\n```\n",
    "```text\n\n\n```\n",
    "```text\n\n\n````\n\nx\n",
    "- a\n\n  ```text\n  x\n  ```\n- b\n",
    "- ```text\n  x\n  ```\n\n\n- b\n",
    "> ```text\n> x\n> ```\n\nx\n",
    "> - ```text\n>   x\n>   ```\n",
    "   ```text\n   x\n   ```\n",
    "::::{note}\n```text\nx\n```\n::::\n",
    "::::{note}\n:class: x\n\n:::{tip}\nx\n\n:::\n\n\n::::\n",
    "````{note}\n```text\n```\n````",
    "1. a\n   :::{note}\n   x\n   :::\n",
]


@pytest.mark.parametrize("text", CLOSED)
def test_a_closed_fence_is_fine(read, text):
    assert read(text).problems == []


def test_a_quoted_example_does_not_hide_a_claim_beside_it(read):
    page = read("`` {claim}`3 <x>` `` and {claim}`3 <x>` and {claim} `3 <x>`\n")
    assert len(page.claims) == 1
    assert [p.message[:18] for p in page.problems] == ["this looks like a "]


def test_further_directives_are_named(read):
    text = "```{theorem}\nBody 42\n```\n"
    path = Path("page.md")
    assert "unknown directive" in Reading().page(path, text).problems[0].message
    assert naked(Reading(prose=frozenset({"theorem"})).page(path, text)) == [(2, 6)]
    assert Reading(verbatim=frozenset({"theorem"})).page(path, text).problems == []


# README.md


def test_a_readme_reads_links_to_records_as_claims(read):
    text = "It has [**42** of 43](runs/a.json#/b/0), a [link](x.md).\n\n[44][r]\n\n[r]: c.json#/d\n"
    page = read(text, "README.md")
    assert [(c.shown, c.target) for c in page.claims] == [
        ("42 of 43", "runs/a.json#/b/0"),
        ("44", "c.json#/d"),
    ]
    assert [(n.line, n.column) for c in page.claims for n in c.numbers] == places(text)
    assert page.problems == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{claim}`3 <x>`\n", "looks like a claim"),
        ("{given}`3`\n", "looks like a given"),
        ("```{code-cell} python\nx\n```\n", "looks like a cell"),
        ("Row 42\n", "42 is neither"),
        ("[42](a.json)\n", "42 is neither"),
        ("![alt 42](a.png)\n", "42 is neither"),
        ("<p>42</p>\n", "42 is neither"),
        ("$x = 42$\n", "42 is neither"),
    ],
)
def test_a_readme_refuses(read, text, message):
    assert message in read(text, "README.md").problems[0].message


def test_a_readme_runs_its_python(read):
    page = read("```python\nx = 1\n```\n", "README.md")
    assert len(page.cells) == 1


REFUSED_FRONT = [
    ("---\nmyst:\n  title_to_header: true\n---\n", 2, "'myst' here changes"),
    ("---\na: 1\n'myst': {}\n---\n", 3, "'myst' here changes"),
    ("---\n{myst: {substitutions: {a: b}}}\n---\n", 2, "'myst' here changes"),
    ("---\nsubstitutions:\n  a: 42\n---\n", 2, "'substitutions' here changes"),
    (
        "---\na: 1\nmystnb:\n  execution_mode: 'off'\n---\n",
        3,
        "'mystnb' here changes how the site runs",
    ),
    ("---\nmystnb: {remove_code_outputs: true}\n---\n", 2, "shows the cells of this page"),
    (
        "---\nexecution: {allow_errors: true}\n---\n",
        2,
        "'execution' here changes how the site runs",
    ),
    ("---\na: [\n---\n", 1, "the front matter is no YAML"),
]


@pytest.mark.parametrize(("text", "line", "message"), REFUSED_FRONT)
def test_front_matter_that_changes_the_page(read, text, line, message):
    found = [(p.line, p.message) for p in read(text).problems]
    assert any(at == line and message in words for at, words in found), found


# Mutations of a rich page. ¤ stands where a reader sees words, § where none do.

SAMPLE = (
    FRONT
    + """\
(label-§)=
# Shares {claim}`0.5 <1/2>` ¤

Text ¤ with *¤* and **¤**, [¤](https://a/§), `§`, {ref}`¤ <label-§>`
and {claim}`0.25 <1/4>` ¤ over
two lines ¤ with $x_{§}$ and $y = ¤$ \\* ¤.

```{code-cell} python
---
mystnb:
  figure:
    caption: Shares ¤ by row
    name: fig-§
---
p = [0.5, 0.25, 0.25]  # §
```

- item ¤
  - deeper ¤ {claim}`1×0.5+2×0.25 = 1.0 <1, p[0], 2, p[1], 1>`

    ```{note}
    Body ¤ of {claim}`three <len(p)>`
    ```

> quote ¤
> and ¤

::::{admonition} Title ¤
Body ¤
:::{tip}
Deeper ¤, {claim}`33.3 % <1/3>`, {claim}`exactly 1,296 <6**4>`
:::
::::

| ¤ | b ¤ |
|---|---|
| ¤ | ¤ {claim}`0.33… <1/3>` |
| ¤ | {given}`8` |

```{claim} p
| h ¤ | i | j |
|---|---|---|
| 0.5 | 0.25 | 0.25 |
```

```{claim} range(1, 5)
$$
\\begin{bmatrix} 1 & 2 \\\\ 3 & 4 \\end{bmatrix}_{§}
$$
```

```{figure} a§.png
:alt: alt ¤
:width: §px

Caption ¤
```

$$
x_§ = ¤
$$

Term ¤
: Definition ¤[^§]

[^§]: Note ¤

<div class="w§">raw ¤</div>

```text
§
```
"""
)
PLACES = [m.start() for m in re.finditer("[¤§]", SAMPLE)]
CLEAN = re.sub("[¤§]", "x", SAMPLE)
DIGITS = [
    m.start(1) + i
    for m in re.finditer(r"\{claim\}`(.*?) <|^\| ([\d. |]+) \|$", CLEAN, re.MULTILINE)
    if m[1]
    for i, letter in enumerate(m[1])
    if letter.isdigit()
]


def run(text, tmp_path):
    page = Reading().page(tmp_path / "page.md", text)
    chapter = Chapter(page, {})
    outcomes = [chapter.outcome(step) for step in [*page.cells, *page.claims]]
    return page.problems, [failure for o in outcomes for failure in o.failures]


def test_the_sample_is_clean(tmp_path):
    assert run(CLEAN, tmp_path) == ([], [])
    assert len(PLACES) > 40
    assert len(DIGITS) > 20


SLIPPED = [
    (place, number)
    for place in PLACES
    for number in ("47", "sixteen")
    if SAMPLE[place] == "¤" and not (number == "sixteen" and SAMPLE[place - 2] == "=")
]


@pytest.mark.parametrize(("place", "number"), SLIPPED)
def test_a_number_slipped_in_is_noticed_where_it_is(tmp_path, place, number):
    text = CLEAN[:place] + number + CLEAN[place + 1 :]
    row = CLEAN[:place].count("\n") + 1
    column = place - CLEAN.rfind("\n", 0, place)
    problems, _ = run(text, tmp_path)
    assert [(p.line, p.column) for p in problems] == [(row, column)]


def test_numbers_where_nobody_reads_are_no_problem(tmp_path):
    assert run(SAMPLE.replace("§", "47").replace("¤", "x"), tmp_path) == ([], [])


@pytest.mark.parametrize("place", DIGITS)
def test_every_changed_digit_of_a_claim_is_noticed(tmp_path, place):
    for digit in "0123456789":
        if digit != CLEAN[place]:
            text = CLEAN[:place] + digit + CLEAN[place + 1 :]
            problems, failures = run(text, tmp_path)
            assert problems or failures, text[place - 20 : place + 20]


def test_every_changed_digit_of_a_claimed_table_or_formula_is_noticed(tmp_path):
    for old in ("| 0.5 | 0.25 | 0.25 |", "1 & 2 \\\\ 3 & 4"):
        start = CLEAN.index(old)
        for i in (i for i, letter in enumerate(old) if letter.isdigit()):
            digit = str((int(old[i]) + 1) % 10)
            text = CLEAN[: start + i] + digit + CLEAN[start + i + 1 :]
            assert run(text, tmp_path)[1], old[:i] + digit


def test_a_claim_or_cell_taken_away_shows(tmp_path):
    for match in re.finditer(r"\{claim\}`([^`]*?) <[^`]*>`", CLEAN):
        text = CLEAN[: match.start()] + match[1] + CLEAN[match.end() :]
        assert run(text, tmp_path)[0], match[0]
