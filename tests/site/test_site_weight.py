"""A first visit is light and still, asks nobody but the site itself, and logs no error."""

import gzip

import pytest
from bs4 import BeautifulSoup
from fontTools.ttLib import TTFont
from reading import CHAPTERS, LAPTOP, NAMES, PHONE, SHIFTS, Quiet, listen

LIMIT = 300_000  # bytes, compressed, of everything a chapter loads


def compressed(response):
    body = response.body()
    packed = response.url.partition("?")[0].endswith((".woff", ".woff2", ".png"))
    return len(body) if packed else len(gzip.compress(body))


@pytest.mark.parametrize(
    ("size", "late"),
    [(PHONE, ()), (LAPTOP, (".woff", ".woff2", ".png", ".svg", ".js"))],
    ids=["phone", "laptop, files late"],
)
@pytest.mark.parametrize("name", NAMES)
def test_a_first_visit_is_light_still_and_silent(browser, served, monkeypatch, name, size, late):
    monkeypatch.setattr(Quiet, "late", late)
    context = browser.new_context(**size)
    page = context.new_page()
    errors, asked = listen(page)
    weights = []
    page.on("response", lambda response: weights.append(response))
    page.add_init_script(SHIFTS)
    page.goto(f"{served}/book/{name}.html", wait_until="networkidle")
    assert errors == []
    assert [address for address in asked if not address.startswith((served, "data:"))] == []
    assert page.evaluate("window.shift") < 0.02
    if name in CHAPTERS:
        total = sum(map(compressed, weights))
        assert 50_000 < total <= LIMIT, f"{total} bytes"  # below the first, something is missing
    context.close()


@pytest.mark.parametrize("name", NAMES)
def test_a_page_from_disk_is_complete(page, site, name):
    errors, asked = listen(page)
    page.goto(site.address(name), wait_until="load")
    page.evaluate("document.fonts.ready")
    assert errors == []
    assert {address.partition(":")[0] for address in asked} <= {"file", "data"}


@pytest.mark.parametrize("way", ["http", "file"])
def test_search_finds_a_word_on_the_web_and_from_disk(page, served, site, way):
    errors, _ = listen(page)
    page.goto((served if way == "http" else site.folder.as_uri()) + "/search.html?q=convolution")
    page.locator("#search-results a[href*='04-where-it-looks']").first.wait_for()
    page.wait_for_timeout(300)  # quotations would be fetched after the titles
    assert errors == []


def test_every_icon_that_a_page_shows_is_in_the_small_font(page, site):
    page.goto(site.address(CHAPTERS[0]))
    shown = page.evaluate("""() => [...document.querySelectorAll('i[class*=fa-], span[class*=fa-]')]
      .map(icon => getComputedStyle(icon, '::before').content.replaceAll('"', ''))""")
    signs = TTFont(site.folder / "_static/icons.woff").getBestCmap()
    assert len(shown) > 8
    assert [sign for sign in shown if len(sign) != 1 or ord(sign) not in signs] == []


def test_every_sign_of_the_formulas_is_in_the_small_font(site):
    font = TTFont(site.folder / "_static/math.woff2")
    signs = font.getBestCmap()
    shown = set("".join(
        "".join(formula.strings)
        for name in CHAPTERS
        for formula in BeautifulSoup(site.page(name).read_bytes(), "html.parser").find_all("math")
    ))  # fmt: skip
    assert len(shown) > 20
    assert [sign for sign in shown if sign.isprintable() and ord(sign) not in signs] == []
    assert ord("𝑥") in signs  # what a browser makes of a single x
    assert any(b"<msqrt" in site.page(name).read_bytes() for name in CHAPTERS)
    assert ord("√") in signs  # a browser draws it, and no page writes it
    assert "MATH" in font
