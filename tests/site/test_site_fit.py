"""A page fits a phone in whatever face and size of text its reader has."""

import itertools
from pathlib import Path

import pytest

from tests.site.faces import FACES, enlarge, wear
from tests.site.reading import NAMES
from tests.site.test_site_figures import OPERATED, PHONE

FIT = Path(__file__).with_name("fit.js")


@pytest.fixture(scope="module")
def phone(browser):
    """A page of a phone, for all tests of this module: each goes where it wants."""
    context = browser.new_context(**PHONE)
    context.add_init_script(path=FIT)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("query", ["", OPERATED], ids=["default", "operated"])
@pytest.mark.parametrize("size", [100, 200])
@pytest.mark.parametrize("face", FACES)
def test_a_figure_fits_a_phone_in_any_face_and_size_of_text(phone, bench, face, size, query):
    address = f"{bench.address}?{query}"
    if phone.url != address:
        phone.goto(address)
    if query:  # the last figure to say what it made of the address
        phone.locator("#figure-third [role=status]").filter(has_text="Right").wait_for()
    enlarge(phone, size)
    wear(phone, face)
    assert phone.evaluate("getComputedStyle(document.body).fontSize") == f"{16 * size // 100}px"
    assert phone.evaluate("document.documentElement.scrollWidth") == 320
    for name in bench.names:
        figure = phone.locator(f"#figure-{name}")
        assert figure.evaluate("fit.misfits") == [], name
        assert size == 200 or figure.evaluate("fit.scrolling") == [], name


def test_the_tables_that_stand_without_a_script_fit_a_phone_too(phone, bench):
    phone.goto(bench.address)
    phone.evaluate("Object.values(attentionChecked.running).forEach((kit) => kit.giveUp())")
    for size, face in itertools.product((200, 100), FACES):
        enlarge(phone, size)
        wear(phone, face)
        assert phone.evaluate("document.documentElement.scrollWidth") == 320, (face, size)
        for figure in phone.locator("figure").all():
            assert figure.evaluate("fit.outside") == [], (face, size)
            assert size == 200 or figure.evaluate("fit.scrolling") == [], face


@pytest.mark.parametrize("name", [*(f"book/{name}" for name in NAMES), "search", "genindex"])
def test_a_page_fits_a_phone_in_any_face_and_size_of_text(phone, site, name):
    enlarge(phone, 200)
    phone.goto(f"{site.top(name)}?q=softmax")
    if name == "search":
        phone.locator("#search-results li").first.wait_for()
    for size, face in itertools.product((200, 100), reversed(FACES)):  # a wide one comes late
        wear(phone, face)
        enlarge(phone, size)
        assert phone.evaluate("document.documentElement.scrollWidth") == 320, (face, size)
        for judge in ("fit.outside", "fit.unreached", "fit.named"):
            assert phone.locator(".bd-article-container").evaluate(judge) == [], (face, size)
