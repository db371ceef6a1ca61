"""What the site may say of a claim, given the ledger."""

import pytest

from everydigit import ledger
from everydigit.site.ledger_page import _totals
from everydigit.site.states import Checks

PAGE = """\
```{code-cell} python
x = 3
```

{claim}`3 <x>` {claim}`4 <x>` {claim}`holds <x == 3>`

```{code-cell} python
x += 1
```

{claim}`3 <x>` and {claim}`4
<x>` once more

```{code-cell} python
1/0
```

{claim}`5 <2+3>`
"""
KEYS = ["3 <x>", "4 <x>", "holds <x == 3>", "3 <x>", "4 <x>", "5 <2+3>"]


def states(book, name="book/one.md"):
    checks = Checks(ledger.load(book.root / ledger.DEFAULT_PATH), book.root).page(name)
    return checks.states([(key, 0) for key in KEYS])


@pytest.fixture(scope="module")
def known(new_book):
    book = new_book("known")
    book.page("one", PAGE)
    book.pytest()
    return states(book)


def test_each_claim_has_a_state_of_its_own(known):
    assert [(state.name, state.sentence) for state in known] == [
        ("checked", "checked"),
        ("failed", "does not hold: text says 4, x is 3 (differs in digit 1)"),
        ("checked", "checked"),
        ("failed", "does not hold: text says 3, x is 4 (differs in digit 1)"),
        ("checked", "checked"),
        ("unchecked", "not checked: a cell above it failed"),
    ]


def test_a_state_carries_the_value(known):
    assert [state.value for state in known] == ["3", "3", "", "4", "4", ""]


def test_a_state_leads_to_the_ledger(known):
    assert [state.anchor for state in known] == [f"ledger-book-one-{n}" for n in range(6)]


def test_a_partial_run_vouches_for_what_it_ran_only(book):
    book.page("one", PAGE)
    book.pytest("book/one.md::line:18,column:20")
    assert [state.name for state in states(book)] == ["unchecked"] * 4 + ["checked", "unchecked"]


def test_nothing_is_known_without_a_ledger(book):
    assert {state.sentence for state in states(book)} == {
        "not checked: no record of it: run pytest"
    }


def test_nothing_is_known_of_a_page_that_changed(book):
    path = book.page("one", PAGE)
    book.pytest()
    path.write_text(path.read_text() + "\n")
    assert {state.name for state in states(book)} == {"unchecked"}
    assert {state.value for state in states(book)} == {""}


def test_the_digest_changes_with_what_may_be_shown(book):
    path = book.page("one", PAGE)
    book.page("two", "{claim}`3 <1+2>`\n")

    def digests():
        checks = Checks(ledger.load(book.root / ledger.DEFAULT_PATH), book.root)
        return [checks.digest("book/one.md"), checks.digest("book/two.md"), checks.digest()]

    none = digests()
    book.pytest()
    full = digests()
    assert all(a != b for a, b in zip(none, full, strict=True))
    path.write_text(path.read_text() + "\n")
    stale = digests()
    assert [a == b for a, b in zip(full, stale, strict=True)] == [False, True, False]


def test_totals_count_what_was_not_run(book):
    book.page("one", "{claim}`3 <1+2>` {claim}`4, 5 <4, 2+3>` {given}`8`\n")
    totals = []
    for column in (1, 18):
        book.pytest(f"book/one.md::line:8,column:{column}")
        checks = Checks(ledger.load(book.root / ledger.DEFAULT_PATH), book.root)
        totals.append(_totals(checks.pages()).partition(":")[0])
    assert totals == ["2 claims, 1 of them checked", "2 claims, all checked (but not every page)"]
