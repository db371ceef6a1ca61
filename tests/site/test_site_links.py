"""Every link inside the site leads somewhere, and the pages say where they belong."""

import posixpath
from collections import Counter
from urllib.parse import unquote, urldefrag, urlsplit

import nbformat
import pytest
from bs4 import BeautifulSoup
from fontTools.ttLib import TTFont

from booksite.pages.icons import names_in
from booksite.pages.pdf import join
from tests.site.reading import CHAPTERS, sentences


@pytest.fixture(scope="module")
def soups(site):
    """Every page of the site by its path."""
    return {
        path.relative_to(site.folder).as_posix(): BeautifulSoup(path.read_bytes(), "html.parser")
        for path in site.folder.rglob("*.html")
    }


def ids(soup):
    return {element["id"] for element in soup.find_all(id=True)}


def test_every_internal_link_and_anchor_resolves(site, soups):
    labels = {name: ids(soup) for name, soup in soups.items()}
    checked, broken = 0, []
    for name, soup in soups.items():
        for element in soup.find_all(["a", "link", "script", "img"]):
            address = element.get("href") or element.get("src") or ""
            if not address or urlsplit(address).scheme or address == "#":
                continue
            path, label = urldefrag(unquote(address))
            path = path.partition("?")[0]
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
            target = (path.lstrip("/") if path.startswith("/") else target) if path else name
            checked += 1
            if not (site.folder / target).is_file() or (
                label and target in labels and label not in labels[target]
            ):
                broken.append((name, address))
    assert broken == []
    assert checked > 1000


def test_a_label_is_given_once_on_a_page(soups):
    for name, soup in soups.items():
        counts = Counter(element["id"] for element in soup.find_all(id=True))
        assert [label for label, count in counts.items() if count > 1] == [], name


def test_a_chapter_offers_its_notebook_and_its_source(site, soups):
    for name in CHAPTERS:
        offered = [a["href"] for a in soups[f"book/{name}.html"].select(".dropdown-menu a")]
        assert offered == [f"../_sources/book/{name}.ipynb", f"../_sources/book/{name}.md"]
        notebook = nbformat.read(site.folder / f"_sources/book/{name}.ipynb", as_version=4)
        nbformat.validate(notebook)
        assert any(cell.get("outputs") for cell in notebook.cells)
        prose = "".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
        assert not [role for role in ("{claim}", "{given}", "{ref}", "{term}") if role in prose]


def test_without_an_address_no_page_claims_one(site, soups):
    assert not (site.folder / "sitemap.xml").exists()
    for name, soup in soups.items():
        assert soup.select("link[rel=canonical], meta[property='og:url'], a[href*='/edit/']") == []
        assert "example.org" not in str(soup), name


def test_a_chapter_introduces_itself_to_others_and_has_neighbours(soups):
    for name in CHAPTERS:
        soup = soups[f"book/{name}.html"]
        for wanted in ("meta[property='og:title']", "meta[name=description]"):
            assert len(soup.select_one(wanted)["content"]) > 10
        assert len(soup.select(".prev-next-footer a")) == 2
        assert soup.select("a.headerlink")


def test_the_page_for_a_wrong_address_has_the_menu(soups):
    page = soups["404.html"]
    assert page.select_one("article h1").get_text() == "No such page"
    assert [a["href"] for a in page.select("nav.bd-links a")][1:]


def test_the_small_font_has_a_rule_for_every_icon(site, soups):
    css = (site.folder / "_static/styles/pydata-sphinx-theme.css").read_text(encoding="utf-8")
    used = set().union(*(names_in(str(soup)) for soup in soups.values()))
    sizes = {"fa-solid", "fa-lg"}
    assert len(used - sizes) > 8
    assert [name for name in used - sizes if f".{name}:before" not in css] == []
    assert css.count("@font-face") == 1


def test_every_sign_of_the_formulas_is_in_the_small_font(site, soups):
    font = TTFont(site.folder / "_static/math.woff2")
    signs = font.getBestCmap()
    shown = set("".join(
        "".join(formula.strings)
        for name in CHAPTERS
        for formula in soups[f"book/{name}.html"].find_all("math")
    ))  # fmt: skip
    assert len(shown) > 20
    assert [sign for sign in shown if sign.isprintable() and ord(sign) not in signs] == []
    assert ord("𝑥") in signs  # what a browser makes of a single x
    assert any(b"<msqrt" in site.page(name).read_bytes() for name in CHAPTERS)
    assert ord("√") in signs  # a browser draws it, and no page writes it
    assert "MATH" in font


def test_the_sentences_stand_on_their_pages_at_labels_that_are_there(site, soups):
    for page in sentences(site)["pages"]:
        labels = {label for label, _ in page["sections"] if label}
        labels |= {passage[1] for passage in page["passages"] if passage[1]}
        assert labels <= ids(soups[f"{page['page']}.html"]), page["page"]


@pytest.fixture(scope="module")
def joined(site):
    """The address of the folder that the joined book stands in, and its page."""
    start, html = join(site.folder)
    return (site.folder / start).parent.as_uri(), html


def test_the_joined_book_holds_every_page_of_the_menu_and_no_dead_link(soups, joined):
    whole = BeautifulSoup(joined[1], "html.parser")
    assert len(whole.find_all("article")) == len(soups["book/index.html"].select("nav.bd-links a"))
    labels = ids(whole)
    links = [a["href"][1:] for a in whole.select("a[href^='#']")]
    assert len(links) > 100
    assert [label for label in links if label not in labels] == []
    assert not whole.select("script, [role=search]")


def test_the_joined_book_brings_the_font_of_its_formulas(joined, page, tmp_path):
    folder, html = joined
    path = tmp_path / "joined.html"
    path.write_text(html.replace("<head>", f'<head><base href="{folder}/">', 1), encoding="utf-8")
    page.goto(path.as_uri())
    fonts = page.evaluate(
        "document.fonts.ready.then(all => [...all].map(f => [f.family, f.status]))"
    )
    assert ["Book Math", "loaded"] in [[family.strip('"'), status] for family, status in fonts]
