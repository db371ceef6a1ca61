"""A reader types a number, a word or a term, on the web and from disk, and is led to the place."""

import random
from decimal import ROUND_HALF_EVEN, Decimal
from urllib.parse import quote

import pytest

from everydigit.text.reading import Reading
from tests.site.axe import STILL, violations
from tests.site.reading import (
    CHAPTERS,
    LAPTOP,
    PHONE,
    SHIFTS,
    Quiet,
    listen,
    open_context,
    sentences,
    settle,
)

WAYS = ["http", "file"]
RANK = "([typed, shown]) => claimsNumbers.best(claimsNumbers.typed(typed).numbers[0], shown)?.rank"
NAMES = [*CHAPTERS, "index", "gradient", "errata"]


@pytest.fixture(params=WAYS)
def searched(request, page, site):
    """Search for a query, on the web or from disk; what is found."""
    root = request.getfixturevalue("served") if request.param == "http" else site.folder.as_uri()

    def search(query):
        page.goto(f"{root}/search.html?q={quote(query)}")
        page.locator("p[role=status]", has_text="found").or_(
            page.locator("p[role=status]", has_text="Nothing")
        ).wait_for()
        return page.locator("ul.search > li")

    return search


@pytest.mark.parametrize(
    ("typed", "shown", "rank"),
    [
        ("0.3302", "a = 0.3302", 0),
        ("0,3302", "a = 0.3302", 0),
        (".3302", "a = 0.3302", 0),
        ("4233", "4,233 parameters", 0),
        ("4,233", "4233 parameters", 0),
        ("4", "4.0", 1),
        ("33 %", "33.0 %", 1),
        ("33%", "0.33 of it", 1),
        ("33", "33 %", 1),
        ("1.9e-4", "1.9×10⁻⁴", 0),
        ("0.00019", "1.9e-4", 1),
        ("0.33", "0.3302384506733431", 2),
        ("0.34", "0.3352", 2),
        ("0.3302384", "0.3302", 3),
        ("−0.5", "−0.5", 0),
        ("-0.5", "−0.5", 0),
        ("0.5", "−0.5", 0),
        ("-0.5", "0.5", None),
        ("4", "4.2", None),
        ("4", "E4", None),
        ("4", "14", None),
        ("233", "4,233", None),
        ("4", "1.4", None),
        ("0.34", "0.33", None),
        ("0.3302384", "0.3", None),
        ("0.33", "3.3e-1 of 0.44", 1),
        ("2", "1.2.2", None),
        ("0", "3.7e-348", None),
        ("3.7e-348", "0", None),
        ("0.1", "0.10000000000000000001", 2),
        ("9", "Nine comparisons", 0),
        ("3", "twenty-three", None),
        ("3", "three hundred", None),
        ("6", "sixteen", None),
        ("20", "the twenty-first", None),
        ("2", "2³⁰", None),
        ("1", "1½", None),
    ],
)
def test_a_number_is_recognised_however_it_is_written(numbers, typed, shown, rank):
    assert numbers.evaluate(RANK, [typed, shown]) == rank


def test_a_value_is_found_by_its_first_digits_rounded_or_cut(numbers):
    rng = random.Random(0)
    pairs = []
    for _ in range(300):
        value = Decimal(rng.randrange(1, 10**9)).scaleb(-8)
        unit = Decimal(1).scaleb(-rng.randrange(1, 7))
        for mode in (ROUND_HALF_EVEN, "ROUND_DOWN"):
            pairs.append([str(value.quantize(unit, mode)), f"{value:f}"])
        pairs.append([str(value.quantize(unit) + 2 * unit), f"{value:f}"])
    ranks = numbers.evaluate(f"pairs => pairs.map(pair => ({RANK})(pair))", pairs)
    assert set(ranks[0::3]) | set(ranks[1::3]) <= {0, 1, 2}
    assert set(ranks[2::3]) == {None}


@pytest.mark.parametrize(
    ("query", "says", "name"),
    [
        ("0.3302", "0.3302", "03-not-seen"),
        ("4233", "4,233", "07-shapes"),
        ("4,233", "4,233", "07-shapes"),
        ("4,233 parameters", "4,233 parameters", "08-training"),
        ("0.3302384506733431", "0.3302384506733431", "index"),
    ],
)
def test_a_number_leads_to_its_claim_and_shows_its_sentence(searched, page, query, says, name):
    found = searched(query).filter(has=page.locator(f"a[href*='{name}.html#claim-']"))
    assert says in found.first.locator("p").inner_text()
    assert found.first.locator("mark").first.inner_text().startswith(says.partition(" ")[0])
    found.first.locator("a").click()
    target = page.locator(":target")
    target.wait_for()
    assert says.partition(" ")[0] in target.inner_text()


def test_a_solution_comes_last_and_is_opened_by_the_link_to_it(searched, page):
    found = searched("0.3302")
    assert found.count() > 3
    found.last.locator("a").click()
    target = page.locator(".solution :target")
    target.wait_for()
    assert "0.3302" in target.inner_text()
    assert target.evaluate("e => e.getBoundingClientRect().top < innerHeight")


def test_a_percentage_is_found_as_the_part_it_is(searched):
    found = searched("33 %")
    assert found.count() > 3
    assert "0.33" in found.first.locator("mark").first.inner_text()


def test_what_is_not_in_the_book_is_said(searched, page):
    assert searched("98765.4321").count() == 0
    assert "Nothing in the book" in page.locator("p[role=status]").inner_text()
    assert searched("convolution 98765.4321").count() > 0
    assert "The number is not in the book" in page.locator("p[role=status]").inner_text()


def test_many_places_are_counted_and_the_first_are_listed(searched, page):
    assert searched("2").count() == 60
    assert "The first 60 are listed" in page.locator("p[role=status]").inner_text()


@pytest.mark.parametrize("query", ["attention head", "Attention heads", "causal masks"])
def test_a_term_is_the_first_hit_by_its_name_with_its_definition(searched, page, query):
    first = searched(query).first
    term = query.lower().removesuffix("s")
    assert first.locator("a").inner_text() == term
    href = first.locator("a").get_attribute("href")
    assert href == f"book/glossary.html#term-{term.replace(' ', '-')}"
    assert len(first.locator("p").inner_text()) > 20
    first.locator("a").click()
    assert page.locator(":target").inner_text().startswith(term)


def test_no_hit_is_called_glossary_where_it_is_a_word_of_it(searched):
    names = searched("softmax").locator("a").all_inner_texts()
    assert "softmax" in names
    assert "Glossary" not in names


def test_a_word_is_quoted_where_it_stands_and_no_page_is_fetched(searched, page):
    errors, asked = listen(page)
    found = searched("convolution").filter(has=page.locator("a[href*='04-where-it-looks.html#']"))
    assert "convolution" in found.first.locator("p mark").inner_text().lower()
    settle(page)
    assert errors == []
    assert [address for address in asked if "/book/" in address] == []


def test_an_object_of_the_package_is_quoted_by_its_first_sentence(searched):
    first = searched("attend_band").first
    assert "function" in first.inner_text()
    assert len(first.locator("p").inner_text()) > 20


@pytest.mark.parametrize("name", NAMES)
def test_every_claim_of_a_page_can_be_found_at_its_own_place(site, name):
    source = site.folder.parents[1] / "book" / f"{name}.md"
    claims = Reading.of(source).page(source).claims
    (page,) = (page for page in sentences(site)["pages"] if page["page"] == f"book/{name}")
    labels = {passage[1] for passage in page["passages"]}
    labels |= {claim[2] for passage in page["passages"] for claim in passage[4:]}
    assert len(claims) > 0
    assert [n for n in range(len(claims)) if f"claim-{n}" not in labels] == []


def test_a_chapter_loads_nothing_of_the_search(site):
    for name in CHAPTERS:
        html = site.page(name).read_text(encoding="utf-8")
        assert "sentences.js" not in html
        assert "claims_numbers.js" not in html


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
@pytest.mark.parametrize("query", ["0.3302", "softmax", ""])
def test_nothing_moves_on_the_search_page(browser, served, monkeypatch, size, query):
    monkeypatch.setattr(Quiet, "late", (".woff", ".woff2", ".js"))
    context = open_context(browser, **size)
    page = context.new_page()
    page.add_init_script(SHIFTS)
    page.goto(f"{served}/search.html?q={quote(query)}")
    if query:
        page.locator("p[role=status]", has_text="found").wait_for()
    settle(page)
    assert bool(query) == bool(page.locator("ul.search > li").count())
    assert page.evaluate("window.shift") < 0.02
    context.close()


@pytest.mark.parametrize(
    ("size", "scheme"), [(PHONE, "light"), (LAPTOP, "dark")], ids=["phone", "laptop, dark"]
)
def test_axe_finds_nothing_wrong_with_what_is_found(browser, site, size, scheme):
    context = open_context(browser, **size, color_scheme=scheme)
    page = context.new_page()
    for address in (
        *(site.top("search") + f"?q={query}" for query in ("0.3302", "softmax", "98765.4321")),
        site.address("ledger") + "?find=0.3302",
    ):
        page.goto(address)
        page.locator("[role=status]", has_text=".").wait_for()
        page.add_style_tag(content=STILL)
        page.evaluate("document.querySelectorAll('tr[hidden]').forEach((row) => row.remove())")
        assert page.evaluate("document.documentElement.scrollWidth") <= size["viewport"]["width"]
        assert violations(page) == [], address
    context.close()


def test_the_search_shows_the_way_to_the_ledger(searched, page):
    searched("0.3302")
    page.get_by_role("link", name="Find it in the ledger").click()
    page.wait_for_url("**/ledger.html?find=0.3302")
    page.locator("[role=status]", has_text="claims.").wait_for()
    assert page.locator("#ledger-find").input_value() == "0.3302"


def rows(page):
    return page.locator("table.claims-ledger tbody tr").filter(visible=True)


def test_the_ledger_keeps_the_rows_with_what_is_typed_by_keyboard_alone(page, site):
    page.goto(site.address("ledger"))
    every = rows(page).count()
    page.locator("#ledger-find").focus()
    page.keyboard.type("4233")
    status = page.locator(".ledger-filter [role=status]")
    status.filter(has_text=f"of {every} claims").wait_for()
    left = rows(page).all_inner_texts()
    assert 0 < len(left) < every
    assert status.inner_text() == f"{len(left)} of {every} claims."
    assert all("4,233" in text or "4233" in text for text in left)
    assert page.locator("article h2").filter(visible=True).count() <= len(left)
    page.keyboard.press("Enter")
    assert rows(page).count() == len(left)
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    assert rows(page).count() == every


def test_the_ledger_finds_words_of_what_was_checked_and_says_when_there_are_none(page, site):
    page.goto(site.address("ledger"))
    page.locator("#ledger-find").fill("np.allclose causal")
    assert rows(page).count() > 0
    assert all("np.allclose" in text for text in rows(page).all_inner_texts())
    page.locator("#ledger-find").fill("98765.4321")
    page.locator("[role=status]", has_text="No claim has this.").wait_for()
    assert rows(page).count() == 0


def test_a_link_to_a_row_finds_it_whatever_is_in_the_field(page, site):
    page.goto(site.address("ledger"))
    page.locator("#ledger-find").fill("4233")
    page.evaluate("location.hash = 'ledger-book-index-0'")
    page.locator("tr:target").wait_for()
    assert page.locator("tr:target").is_visible()
    assert page.locator("#ledger-find").input_value() == ""


@pytest.mark.parametrize("page", [{**PHONE, "java_script_enabled": False}], indirect=True)
def test_without_a_script_the_whole_ledger_stands(page, site):
    page.goto(site.address("ledger"))
    assert rows(page).count() > 600
    assert not page.locator("#ledger-find").is_visible()
