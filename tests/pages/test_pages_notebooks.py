"""A downloaded notebook shows what the page shows, without the book's own markup."""

import nbformat
from hypothesis import given
from hypothesis import strategies as st

from booksite.pages.notebooks import notebook, plain

words = st.text("abc xyz.,", min_size=1).map(str.strip).filter(bool)


@given(words, words, st.sampled_from(["claim", "ref", "cite:t"]))
def test_a_role_becomes_what_it_shows(before, shown, role):
    assert plain(f"{before} {{{role}}}`{shown} <target[0] < 1>`.") == f"{before} {shown}."


@given(words)
def test_code_in_prose_and_in_fences_stays(code):
    for markdown in (f"see `{code}`", f"```python\n{{claim}} {code}\n(a)=\n% b\n```"):
        assert plain(markdown) == markdown


def test_what_shows_how_something_is_written_is_left_as_it_is():
    for shown in (
        "Write `` {claim}`SHOWN <TARGET>` ``, or `% x`.",
        "```python\nx = '{given}`8`'\n```",
        "    % {given}`8`\n    (a)=",
        "````markdown\n```{exercise}\n:label: a\n```\n````",
    ):
        assert plain(shown) == shown


def test_roles_are_found_in_tables_lists_quotations_and_directives():
    source = "| {given}`8` | {given}`8` |\n| - | - |\n\n> - {claim}`a\n>   b <c>`: {given}`8`\n"
    assert plain(source) == "| 8 | 8 |\n| - | - |\n\n> - a b: 8\n"
    source = "- one\n\n  :::{note}\n  {given}`8` of {term}`them <it>`\n  :::\n"
    assert plain(source) == "- one\n\n  **Note.**\n  8 of them\n  \n"


def test_directives_labels_and_comments_leave_no_trace():
    source = (
        "(here)=\n## One\n\n% about: A1\n```{claim} x\n| a |\n| - |\n```\n\n"
        "````{exercise}\n:label: e\n\n```python\n1\n```\n````"
    )
    assert plain(source) == "## One\n\n| a |\n| - |\n\n\n**Exercise.**\n\n```python\n1\n```\n"


def test_a_displayed_formula_keeps_its_dollars():
    assert plain("```{math}\n:label: eq\nx_1\n```") == "$$\nx_1\n$$"


def test_a_notebook_says_first_what_it_needs(tmp_path):
    book = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_markdown_cell("{given}`8` words"),
            nbformat.v4.new_code_cell("'{given}`8`'"),
        ]
    )
    nbformat.write(book, tmp_path / "a.ipynb")
    made = nbformat.reads(notebook(tmp_path / "a.ipynb", "The Book"), as_version=4)
    nbformat.validate(made)
    assert "The Book" in made.cells[0].source
    assert [cell.source for cell in made.cells[1:]] == ["8 words", "'{given}`8`'"]
