"""What a reader relies on holds in every engine; what goes deeper is tests/site's."""

import io
import json

import numpy as np
import pytest
from matplotlib.image import imread

STATES = ["checked", "failed", "unchecked"]
MARK = """(() => {
  const { textDecorationLine: line, textDecorationStyle: style, textDecorationColor: colour } =
    getComputedStyle(document.querySelector("#claim-0"));
  return [line, style, colour];
})()"""
CROP = """(() => {
  const { x, y, width, height } = document.querySelector("#claim-0").getBoundingClientRect();
  return [y - 4, y + height + 8, x, x + width].map(Math.round);
})()"""
DRAWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))"
TIP = "document.querySelector('#claim-tip:not([hidden])')"
SAID = ["1 / (1 + sp.exp(1 / sp.sqrt(2)))", "= 0.330238450673343074…", "✓ checked", "In the ledger"]
# The page, the figure, what is focused in it, the keys, and what the figure then says.
FIGURES = [
    ("03-not-seen", "hand-example", "[type=checkbox]", ["Space"], "others are allowed"),
    ("04-where-it-looks", "where-it-looks", "[type=text]", ["End", "Backspace", "z"], "From “"),
    ("05-why-divide", "saturation", "[type=range]", ["End"], "At a width of 1024"),
    ("06-dropout", "dropout-means", "[type=range]", ["End"], "at a rate of 0.95"),
    ("09-reading", "e6-live", "[type=radio]", ["ArrowRight"], "Head 1: query"),
    ("01-shares", "self-check", "[type=text]", [*"0.9", "Enter"], "Not yet."),
]
WIDTH = """new Promise((found) => {
  const frame = document.querySelector("iframe") || document.createElement("iframe");
  frame.style.cssText = "width: 320px; height: 640px; border: 0";
  frame.onload = () => found(frame.contentDocument.documentElement.scrollWidth);
  frame.src = %s;
  if (!frame.isConnected) document.body.append(frame);
})"""
FRACTION = """(() => {
  const fraction = document.querySelector("math mfrac"), [above, below] = fraction.children;
  const box = (element) => element.getBoundingClientRect();
  const style = getComputedStyle(fraction);
  const stacked = box(above).bottom <= box(below).top + 1;
  return [style.fontFamily, stacked, box(fraction).height / parseFloat(style.fontSize)];
})()"""


@pytest.fixture
def opening(engine, address):
    engine.open(f"{address}/book/index.html")
    return engine


def picture_of_claim(engine):
    top, bottom, left, right = engine.run(CROP)
    engine.run(DRAWN)
    return imread(io.BytesIO(engine.screenshot()))[top:bottom, left:right]


def differ(one, other):
    """By more than the smoothing of letters, which is not the same on every layer."""
    return one.shape != other.shape or np.abs(one - other).max() > 0.1


def put_in_state(engine, state, style=""):
    name = f"claim claim--{state}"
    claim = "document.querySelector('#claim-0')"
    engine.run(f"({claim}.className = '{name}', {claim}.style.cssText = '{style}')")


def test_each_state_of_a_claim_has_a_mark_of_its_own_that_is_drawn(opening):
    marks, pictures = [], []
    for state in STATES:
        put_in_state(opening, state)
        marks.append(opening.run(MARK))
        pictures.append(picture_of_claim(opening))
    assert [line for line, *_ in marks] == ["underline"] * 3
    assert [style for _, style, _ in marks] == ["dotted", "wavy", "wavy"]
    assert len({colour for *_, colour in marks}) == 3
    put_in_state(opening, "checked", "text-decoration: none")
    pictures.append(picture_of_claim(opening))
    for number, picture in enumerate(pictures):
        assert all(differ(picture, other) for other in pictures[:number])


def test_the_checks_are_shown_and_that_is_remembered(opening):
    quiet = picture_of_claim(opening)
    opening.click(".claims-switch")
    opening.until("document.querySelector('.claims-switch[aria-pressed=true]')?.matches('*')")
    opening.point(0, 0)
    assert opening.run(MARK)[:2] == ["underline", "solid"]
    assert "✓" in opening.run(
        "getComputedStyle(document.querySelector('#claim-0'), '::after').content"
    )
    assert differ(picture_of_claim(opening), quiet)
    opening.open(opening.run("location.href"))
    assert opening.run(MARK)[1] == "solid"


def test_a_claim_that_has_become_a_link_has_one_line_under_it(opening):
    opening.click(".claims-switch")
    opening.point(0, 0)
    linked = picture_of_claim(opening)
    opening.run("document.querySelector('#claim-0 a').replaceWith('0.3302384506733431')")
    assert not differ(picture_of_claim(opening), linked)


def test_a_pointer_asks_a_claim(opening):
    opening.hover("#claim-0")
    assert opening.until(f"{TIP}?.innerText").split("\n") == SAID
    opening.point(0, 0)
    opening.until(f"!{TIP}")


def test_a_tap_asks_a_claim_and_a_tap_elsewhere_is_enough(opening):
    opening.tap("#claim-0")
    assert opening.until(f"{TIP}?.innerText").split("\n") == SAID
    opening.tap("article h1")
    opening.until(f"!{TIP}")


def test_the_keyboard_asks_a_claim_and_follows_it_to_the_ledger(opening):
    opening.run("document.querySelector('.claims-switch').focus()")
    for key in ("Enter", "Tab"):
        opening.press(key)
    assert opening.until(f"{TIP}?.innerText").split("\n") == SAID
    opening.press("Escape")
    opening.until(f"!{TIP}")
    opening.press("Enter")
    opening.until("document.querySelector('tr:target')?.innerText.includes('0.330238')")


@pytest.mark.parametrize(("page", "kind", "control", "keys", "said"), FIGURES)
def test_a_figure_is_operated_by_keyboard(engine, address, page, kind, control, keys, said):
    engine.open(f"{address}/book/{page}.html")
    figure = f"document.querySelector('figure.is-live[data-figure={kind}]')"
    engine.run(f"{figure}.querySelector('.figure-live {control}').focus()")
    for key in keys:
        engine.press(key)
    status = f"{figure}.querySelector('.figure-status').innerText"
    engine.until(f"{status}.includes({json.dumps(said)})")


def test_a_number_is_searched_for_from_any_page(opening):
    opening.press("Control+k")
    opening.until("document.activeElement.name === 'q'")
    opening.type("0.3302")
    opening.press("Enter")
    opening.until("document.querySelector('p[role=status]')?.innerText.includes('places found')")
    marked = opening.run("document.querySelector('ul.search > li mark').innerText")
    assert marked.startswith("0.3302")


def test_a_fraction_is_set_high_in_the_book_s_own_font(engine, address):
    engine.open(f"{address}/book/05-why-divide.html")
    engine.until("document.fonts.status === 'loaded'")
    loaded = "[...document.fonts].filter(f => f.status === 'loaded').map(f => f.family).join()"
    family, stacked, height = engine.run(FRACTION)
    assert "Book Math" in family
    assert "Book Math" in engine.run(loaded)
    assert stacked
    assert 1.5 < height < 4, height


def test_dark_mode_darkens_the_ground_and_keeps_the_mark(opening):
    light = picture_of_claim(opening)
    for _ in ("auto", "light", "dark"):
        if opening.run("document.documentElement.dataset.theme") != "dark":
            opening.click(".article-header-buttons .theme-switch-button")
    opening.point(0, 0)
    dark = picture_of_claim(opening)
    assert dark[..., :3].mean() < 0.4
    assert light[..., :3].mean() > 0.8
    put_in_state(opening, "checked", "text-decoration: none")
    assert differ(picture_of_claim(opening), dark)


def test_no_page_complains_or_scrolls_sideways_on_a_phone(engine, address, site):
    pages = [path.relative_to(site.folder) for path in site.folder.glob("**/*.html")]
    pages = [str(page) for page in pages if "_static" not in page.parts]
    assert len(pages) > 20
    widths = {page: engine.run(WIDTH % f"'{address}/{page}'") for page in pages}
    assert {page: width for page, width in widths.items() if width > 320} == {}


def test_what_a_page_complains_of_is_heard(engine, address):
    engine.open(f"{address}/404.html")
    engine.run("(setTimeout(() => { throw Error('a slip'); }), 0)")
    engine.until("sessionStorage.complaints?.includes('a slip')")
    engine.run("sessionStorage.clear()")
