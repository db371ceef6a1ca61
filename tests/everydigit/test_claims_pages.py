"""A page is checked as a whole: a naked number and a failed cell belong to no claim."""

import pytest

from everydigit import ledger
from everydigit.site.states import NO_LEDGER, STALE, Checks

GOOD = "{claim}`3 <1 + 2>` holds.\n\n```{code-cell} python\nx = 1\n```\n"
BUILD = ("-W", "-n", "--keep-going")


def trouble(book, name="one"):
    checks = Checks(ledger.load(book.root / ledger.DEFAULT_PATH), book.root)
    return checks.page(f"book/{name}.md").trouble()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD, ""),
        ("No claim and no number.\n", ""),
        (GOOD + "\nThere are 77 of them.\n", "77 is neither claimed nor given"),
        (GOOD + "\n```{code-cell} python\n1 / 0\n```\n", "ZeroDivisionError"),
        (GOOD + "\n```{code-cell} python\n:tags: [raises-exception]\nx\n```\n", "raised none"),
        (GOOD + "\n77 and 88.\n", "(and 1 more)"),
    ],
)
def test_what_belongs_to_no_claim_is_told_of_the_page(book, text, said):
    book.page("one", text)
    book.pytest()
    assert said in trouble(book)
    assert bool(trouble(book)) == bool(said)


def test_a_page_that_was_not_run_whole_is_not_checked(book):
    book.page("one", GOOD)
    assert trouble(book) == NO_LEDGER
    book.pytest("-k", "line:0")
    assert "were not run" in trouble(book)
    book.pytest()
    assert trouble(book) == ""
    book.page("one", GOOD + "\nMore words.\n")
    assert trouble(book) == STALE


def test_the_build_fails_for_a_naked_number_at_every_run(book):
    book.site("index", "ledger")
    book.write("book/index.md", "# Home\n\n{claim}`3 <1 + 2>` holds, and 77 of them.\n")
    book.page("ledger", "```{claims-ledger}\n```\n")
    book.pytest()
    for _ in range(2):
        built = book.build(*BUILD)
        assert built.returncode != 0
        assert "77 is neither claimed nor given" in built.stdout
    assert "77 is neither claimed nor given" in book.html("ledger")
    assert "all checked (but not every page)" in book.html("ledger")
