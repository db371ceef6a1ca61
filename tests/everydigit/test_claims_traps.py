"""The site of a tiny book: marks that were earned, and none that were not."""

import html
import re
from dataclasses import dataclass

import pytest

ONE = """\
# Shares {claim}`0.5 <p[0]>`

```{code-cell} python
import tiny
p = tiny.shares()
print("value", tiny.MARK)
```

Then {claim}`0.25 <p[1]>`, *all of* {claim}`*1.0* <sum(p)>`, {given}`8`,
{claim}`holds <p[0] > p[1]>`,
{claim}`1.28 <runs/r.json#/loss>`, {claim}`0.5 <p[0]>` again.

```{claim} p
| a | b | c |
|---|---|---|
| 0.5 | 0.25 | 0.25 |
```

```{claim} range(1, 5)
$$
\\begin{bmatrix} 1 & 2 \\\\ 3 & 4 \\end{bmatrix}
$$
```
"""
_, REST = ONE.split("\n", 1)
MODULE = "MARK = 'mark-{}'\n\ndef shares():\n    return [0.5, 0.25, 0.25]\n"
CLAIM = re.compile(r'<(?:span|div) class="(claim[^"]*)"[^>]*?id="claim-(\d+)"[^>]*>')


@dataclass
class Built:
    """What a build left behind."""

    code: int
    text: str
    one: str
    index: str
    ledger: str
    plain: str

    def states(self):
        """The states of the claims on page one, in order."""
        return [re.search(r"claim--(\w+)", match[1])[1] for match in CLAIM.finditer(self.one)]


@pytest.fixture(scope="module")
def builds(new_book):
    """The book in all its states, each built on top of the one before."""
    book = new_book("site")
    book.site("index", "one", "two", "plain", "ledger")
    book.write("src/tiny.py", MODULE.format("a"))
    book.write("book/runs/r.json", '{"loss": 1.2809}')
    book.write("book/index.md", "# Home\n\nWelcome.\n")
    book.page("one", ONE_PAGE)
    book.write("book/two.md", "# Second\n\n{claim}`sixteen <4 * 4>`\n")
    book.page("plain", "# No claims\n\n```{code-cell} python\nimport tiny\nprint(tiny.MARK)\n```\n")
    book.write("book/ledger.md", "# Ledger\n\n```{claims-ledger}\n```\n")
    found = {}

    def build(name):
        run = book.build("-W", "--keep-going", "-n")
        pages = map(book.html, ("one", "index", "ledger", "plain"))
        found[name] = Built(run.returncode, run.stdout, *pages)

    build("no ledger")
    assert book.pytest().code == 0
    build("checked")
    book.write("book/runs/r.json", '{"loss": 1.2809 }')
    build("record changed")
    book.write("book/runs/r.json", '{"loss": 1.2809}')
    book.page("one", ONE_PAGE.replace("again", "anew"))
    build("page changed")
    book.page("one", ONE_PAGE)
    book.write("src/tiny.py", MODULE.format("b"))
    build("module changed")
    book.write("src/tiny.py", MODULE.format("c"))
    build("module changed twice")
    book.pytest()
    build("checked again")
    return found


ONE_PAGE = "# Shares of {claim}`0.5 <1/2>`\n" + REST
STALE = ["module changed", "module changed twice", "record changed", "page changed"]
CLAIMS = 8


@pytest.mark.parametrize("name", ["checked", "checked again"])
def test_after_pytest_all_is_checked(builds, name):
    built = builds[name]
    assert built.code == 0, built.text
    assert built.states() == ["checked"] * CLAIMS
    assert "not checked" not in built.one


@pytest.mark.parametrize("name", ["no ledger", *STALE])
def test_what_was_not_earned_is_not_shown(builds, name):
    built = builds[name]
    assert built.states() == ["unchecked"] * CLAIMS
    assert "claim--checked" not in built.one
    assert f"{CLAIMS} of {CLAIMS} claims not checked" in built.text
    assert built.code != 0


def test_why_it_is_not_checked(builds):
    assert "no record of it: run pytest" in builds["no ledger"].one
    assert "has changed since: run pytest" in builds["module changed"].one


def test_a_page_that_did_not_change_keeps_its_marks(builds):
    text = builds["page changed"].text
    assert "claims not checked: '0.5" in text
    assert "'sixteen" not in text
    assert "'sixteen" in builds["module changed"].text


def attributes(page, number):
    tag = next(match[0] for match in CLAIM.finditer(page) if match[2] == str(number))
    return {k: html.unescape(v) for k, v in re.findall(r'([\w-]+)="([^"]*)"', tag)}


def test_a_claim_carries_its_target_and_value(builds):
    found = attributes(builds["checked"].one, 1)
    assert found["class"] == "claim claim--checked"
    assert found["data-target"] == "p[1]"
    assert found["data-state"] == "checked"
    assert found["data-value"] == "0.25"
    assert found["title"] == "p[1] = 0.25 (checked)"
    assert attributes(builds["checked"].one, 4)["data-target"] == "runs/r.json#/loss"


def test_shown_is_inline_markdown(builds):
    assert re.search(r'id="claim-2"[^>]*><em>1.0</em></span>', builds["checked"].one)


def test_a_given_says_that_it_is(builds):
    assert re.search(r'<span class="given"[^>]*>8</span>', builds["checked"].one)


def test_a_claimed_table_and_formula_are_rendered(builds):
    page = builds["checked"].one
    table = page[page.index('id="claim-6"') : page.index('id="claim-7"')]
    assert "claim--block" in attributes(page, 6)["class"]
    assert re.findall(r"<td><p>(.*?)</p></td>", table) == ["0.5", "0.25", "0.25"]
    formula = page[page.index('id="claim-7"') :]
    assert "bmatrix" in formula[: formula.index("</div>\n</div>")]


def test_a_claim_in_a_heading_is_text_elsewhere(builds):
    for built in (builds["checked"], builds["no ledger"]):
        assert built.one.count('id="claim-0"') == 1
        assert "<title>Shares of 0.5" in built.one
        sidebar = [line for line in built.index.splitlines() if "Shares of" in line]
        assert sidebar
        assert 'class="claim' not in built.index
        assert "not checked" not in built.index


@pytest.mark.parametrize("letter", "abc")
def test_a_change_in_src_shows_no_stale_output(builds, letter):
    names = {"a": "checked", "b": "module changed", "c": "module changed twice"}
    built = builds[names[letter]]
    for page in (built.one, built.plain):
        assert set(re.findall(r"mark-(\w)", page)) == {letter}


def test_the_ledger_page_lists_all_claims(builds):
    page = builds["checked"].ledger
    rows = re.findall(r'<tr[^>]*id="(ledger-book-\w+-\d+)"', page)
    assert rows == [f"ledger-book-one-{n}" for n in range(CLAIMS)] + ["ledger-book-two-0"]
    assert "9 claims, all checked: 13 numbers bound to a check, and 1 given." in page
    assert "1 claim, all checked: 1 number bound to a check, and 0 given." in page
    assert "Shares of 0.5" in page


@pytest.mark.parametrize("name", ["no ledger", "module changed", "module changed twice"])
def test_the_ledger_page_calls_nothing_checked_that_is_not(builds, name):
    page = builds[name].ledger
    assert "all checked" not in page
    assert "claim-state--checked" not in page
    assert ("no record yet" if name == "no ledger" else "9 claims, 0 of them checked") in page


def test_links_lead_both_ways(builds):
    built = builds["checked"]
    for n in range(CLAIMS):
        anchor = attributes(built.one, n)["data-ledger"]
        assert anchor == f"ledger.html#ledger-book-one-{n}"
        row = built.ledger[built.ledger.index(f'id="{anchor.partition("#")[2]}"') :]
        row = row[: row.index("</tr>")]
        assert f'href="one.html#claim-{n}"' in row


def test_scripts_wait_and_come_from_one_place(builds):
    page = builds["checked"].one
    (script,) = re.findall(r"<script[^>]*claims\.js[^>]*>", page)
    assert "defer" in script
    assert "module" not in script
    assert len(re.findall(r"claims\.css", page)) == 1


@pytest.fixture(scope="module")
def broken(new_book):
    book = new_book("broken")
    book.site("index")
    book.page("index", "# Home\n\n```{code-cell} python\n1 / 0\n```\n")
    return [book.build() for _ in range(2)]


@pytest.mark.parametrize("run", [0, 1])
def test_a_failing_cell_fails_the_build_each_time(broken, run):
    assert broken[run].returncode != 0
    assert "ZeroDivisionError" in broken[run].stdout
