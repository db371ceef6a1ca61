"""What a page loads holds all that it shows, and no more."""

import pytest
from fontTools.ttLib import TTFont

from tests.site.reading import CHAPTERS, listen, settle


@pytest.mark.parametrize("way", ["http", "file"])
def test_search_finds_a_word_on_the_web_and_from_disk(page, served, site, way):
    errors, _ = listen(page)
    page.goto((served if way == "http" else site.folder.as_uri()) + "/search.html?q=convolution")
    page.locator("#search-results a[href*='04-where-it-looks']").first.wait_for()
    settle(page)
    assert errors == []


def test_every_icon_that_a_page_shows_is_in_the_small_font(page, site):
    page.goto(site.address(CHAPTERS[0]))
    shown = page.evaluate("""() => [...document.querySelectorAll('i[class*=fa-], span[class*=fa-]')]
      .map(icon => getComputedStyle(icon, '::before').content.replaceAll('"', ''))""")
    signs = TTFont(site.folder / "_static/icons.woff").getBestCmap()
    assert len(shown) > 8
    assert [sign for sign in shown if len(sign) != 1 or ord(sign) not in signs] == []
