"""A row of the ledger and the claim on the page lead to each other, however Sphinx reads it."""

import html
import re

import pytest
from sphinx.util.parallel import parallel_available

CONF = """\
extensions = ["myst_nb", "sphinx_design", "everydigit.site"]
myst_enable_extensions = ["colon_fence"]
nb_execution_mode = "off"
suppress_warnings = ["design.card_legacy", "myst-nb.lexer"]
html_theme = "basic"
html_sidebars = {"**": ["localtoc.html"]}
root_doc = "book/index"
exclude_patterns = ["_build", "README.md"]
"""
TITLED = """\
---
# not the title
jupytext: {text_representation: {format_name: myst}}
---

```{code-cell} python
# not the title
x = 3
```

# A title of `code` and {claim}`3 <x>` *words*
"""
LEDGER = "# Ledger\n\n```{claims-ledger}\n```\n"
# Sphinx reads a footnote last and a card's title after its header; a word tells claims apart.
PAGE = """\
# Home

front {claim}`3 <1 + 2>`, with a footnote.[^note]

[^note]: foot {claim}`4 <2 + 2>`
    and toe {claim}`3 <1 + 2>`, both in it.

[^lost]: lost {claim}`3 <1 + 2>`, which nothing refers to.

after {claim}`5 <2 + 3>`, {claim}`6 <2 * 3>` too.

:::{card} title {claim}`6 <2 * 3>`
head {claim}`5 <2 + 3>`
^^^
body {claim}`3 <1 + 2>`

| a | b |
| - | - |
| cell {claim}`4 <2 + 2>` | c |
| row {claim}`3 <1 + 2>` | d |
+++
base {claim}`6 <2 * 3>`
:::

```{claim} [1 + 2]
| table |
| - |
| 3 |
```

::::{grid} 1

:::{grid-item-card} item {claim}`6 <2 * 3>`
inner {claim}`3 <1 + 2>`
:::
::::

last {claim}`3 <1 + 2>`.

```{claim} [1 + 2]
| second |
| - |
| 3 |
```
"""


def build(book, name, *options):
    done = book.command("sphinx-build", "-q", *options, ".", f"_build/{name}")
    return done.stdout


def pages(book, name):
    folder = book.root / "_build" / name / "book"
    return {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.html")}


@pytest.fixture(scope="module")
def placed(new_book):
    book = new_book("placed")
    book.write("conf.py", CONF)
    book.write("book/index.md", PAGE + "\n```{toctree}\nledger\ntitled\n```\n")
    book.write("book/titled.md", TITLED)
    book.write("README.md", "<!--\n# not the title\n-->\n\n# Me\n\n[3](book/r.json#/n)\n")
    book.write("book/r.json", '{"n": 3}')
    book.write("book/ledger.md", LEDGER)
    assert book.pytest().code == 0
    assert build(book, "html", "-nW", "--keep-going") == ""
    return book, pages(book, "html")


def told(page):
    """Of each claim on a page its number, its row and the word before it (or inside it)."""
    found = {}
    for claim in re.finditer(r'<(span|div) class="claim [^>]*>', page):
        number = int(re.search(r'id="claim-(\d+)"', claim[0])[1])
        assert number not in found
        block = claim[1] == "div"
        near = page[claim.end() :][:300] if block else page[: claim.start()][-300:]
        words = re.findall(r"[a-z]+", re.sub(r"<[^>]*>", "", near))
        row = html.unescape(re.search(r'data-ledger="([^"]*)"', claim[0])[1])
        found[number] = (row, words[0] if block else words[-1])
    return found


def test_each_claim_and_its_row_lead_to_each_other(placed):
    book, built = placed
    lines = (book.root / "book/index.md").read_text(encoding="utf-8").splitlines()
    records = book.ledger["pages"]["book/index.md"]["claims"].values()
    claims = told(built["index"])
    assert len(records) == 17
    for record in records:
        number, line = record["index"], record["line"]
        row = built["ledger"].partition(f'id="ledger-book-index-{number}"')[2].partition("</tr>")[0]
        assert f">{line}</a>" in row
        if "lost" in lines[line - 1]:  # a footnote without a reference is not shown
            assert number not in claims
            assert 'href="index.html"' in row
            continue
        assert f'href="index.html#claim-{number}"' in row
        source = lines[line if "[1 + 2]" in lines[line - 1] else line - 1]
        before = source[: record["column"] - 1] if source is lines[line - 1] else source
        assert claims[number] == (
            f"ledger.html#ledger-book-index-{number}",
            re.findall("[a-z]+", re.sub(r"\{claim}`[^`]*`", "", before))[-1],
        )
    assert len(claims) == 16


def test_claims_are_counted_in_the_order_of_the_source_also_where_a_caption_comes_first(read):
    page = read(":::{card}\n:header: x {claim}`3 <a>`\n\n{claim}`3 <b>`\n:::\n\n{claim}`3 <c>`\n")
    assert [claim.target for claim in page.claims] == ["a", "b", "c"]


def test_the_ledger_names_a_page_as_sphinx_does_and_other_files_by_their_name(placed):
    _, built = placed
    headings = re.findall(r"<h2>(.*?)<a", built["ledger"])
    assert headings == ["Home", "README.md", "A title of code and 3 words"]
    contents = re.findall(r'internal" href="#ledger-[^>]*>(.*?)</a>', built["ledger"])
    assert contents == headings
    assert "not the title" not in built["ledger"]


def test_what_the_ledger_page_was_is_forgotten_with_it(new_book):
    book = new_book("moved")
    book.write("conf.py", CONF)
    book.write("book/index.md", "# Home\n\n{claim}`3 <1 + 2>`\n\n```{toctree}\na\nb\n```\n")
    for first, second in ((LEDGER, "# B\n"), ("# A\n", LEDGER), ("# A\n", "# B\n")):
        book.write("book/a.md", first)
        book.write("book/b.md", second)
        book.pytest()
        assert build(book, "html") == ""
        (claim,) = re.findall(r'data-ledger="([^"#]*)', pages(book, "html")["index"])
        assert claim == ("a.html" if first is LEDGER else "b.html" if second is LEDGER else "")


def test_a_title_that_changes_is_changed_in_the_ledger_too(book):
    book.write("conf.py", CONF)
    book.write("book/ledger.md", LEDGER)
    text = "# {}\n\n{{claim}}`3 <1 + 2>`\n\n```{{toctree}}\nledger\n```\n"
    book.write("book/index.md", text.format("First"))
    book.pytest()
    for title in ("Second", "Third"):  # neither is checked
        book.write("book/index.md", text.format(title))
        build(book, "html")
        assert pages(book, "html")["ledger"].count(f">{title}<") == 2  # a heading and the contents


@pytest.mark.skipif(not parallel_available, reason="Sphinx reads in one process here")
def test_a_book_read_in_parallel_is_the_same(book):
    book.write("conf.py", CONF)
    names = [f"p{n}" for n in range(8)]
    toc = "\n".join([*names, "ledger"])
    book.write("book/index.md", PAGE + f"\n```{{toctree}}\n{toc}\n```\n")
    for n, name in enumerate(names):
        book.write(f"book/{name}.md", f"# Page\n\n{{claim}}`{n + 3} <{n} + 3>`\n")
    book.write("book/ledger.md", LEDGER)
    assert book.pytest().code == 0
    assert build(book, "one", "-nW", "--keep-going") == ""
    assert build(book, "two", "-nW", "--keep-going", "-j", "2") == ""
    one, two = pages(book, "one"), pages(book, "two")
    assert 'data-ledger="ledger.html#ledger-book-p3-0"' in one["p3"]
    assert one == two
