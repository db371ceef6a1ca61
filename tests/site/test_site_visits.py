"""Every page is visited three times, and each visit looks at all that it can show.

A phone on the web; a laptop whose files come late; a phone in the dark, from disk.
Axe judges each page with all open that opens: its structure once a size, its colours once a theme.
"""

import functools
import gzip
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.site.axe import ALIKE, COLOURS, RULES, SIGNS, STRUCTURE, operate, violations
from tests.site.reading import (
    CHAPTERS,
    LAPTOP,
    NAMES,
    PHONE,
    SHIFTS,
    Quiet,
    listen,
    open_context,
    settle,
)

PAGES = [*NAMES, "search", "genindex"]
LATE = (".woff", ".woff2", ".png", ".svg", ".js")
LIMIT = 300_000  # bytes, compressed, of everything a chapter loads
ANSWER = """name => {
  const { over, under } = attentionChecked.running[name].data.answer;
  return [String(over), String(under)];
}"""


@dataclass
class Visit:
    """A page that was opened, and what was noticed meanwhile."""

    page: Any
    name: str
    errors: list[str]
    asked: list[str]


def go(page, root, name):
    seen = Visit(page, name, *listen(page))
    page.goto(f"{root}/book/{name}.html" if name in NAMES else f"{root}/{name}.html")
    settle(page)
    return seen


@pytest.fixture
def first_visit(browser, served):
    """Open a page of the web as one who never came before."""
    contexts = []

    def visit(name, **options):
        contexts.append(open_context(browser, **options))
        page = contexts[-1].new_page()
        page.add_init_script(SHIFTS)
        return go(page, served, name)

    yield visit
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_phone_on_the_web_is_shown_a_light_still_and_sound_page(first_visit, served, site, name):
    seen = first_visit(name, **PHONE)
    nothing_is_missing_or_asked_of_others(seen, served, "data:")
    nothing_moved(seen)
    a_chapter_is_light(seen, served, site)
    it_is_no_wider_than_the_screen(seen)
    every_figure_is_live(seen)
    cut(seen)
    operate(seen.page)
    assert violations(seen.page, STRUCTURE) == [], f"{name}, operated"
    it_is_no_wider_than_the_screen(seen)
    nothing_is_missing_or_asked_of_others(seen, served, "data:")


@pytest.mark.parametrize("name", PAGES)
def test_a_laptop_with_late_files_is_shown_a_light_still_and_sound_page(
    first_visit, served, site, monkeypatch, name
):
    monkeypatch.setattr(Quiet, "late", LATE)
    seen = first_visit(name, **LAPTOP, color_scheme="light")
    nothing_is_missing_or_asked_of_others(seen, served, "data:")
    nothing_moved(seen)
    a_chapter_is_light(seen, served, site)
    it_is_no_wider_than_the_screen(seen)
    every_figure_is_live(seen)
    it_has_the_theme(seen, "light")
    cut(seen)
    operate(seen.page)
    assert violations(seen.page, RULES) == [], f"{name}, operated"
    nothing_is_missing_or_asked_of_others(seen, served, "data:")


@pytest.mark.parametrize("page", [{**PHONE, "color_scheme": "dark"}], indirect=True, ids=[""])
@pytest.mark.parametrize("name", PAGES)
def test_from_disk_in_the_dark_a_page_is_complete_and_its_self_checks_are_right(page, site, name):
    seen = go(page, site.folder.as_uri(), name)
    nothing_is_missing_or_asked_of_others(seen, "file:", "data:")
    it_is_no_wider_than_the_screen(seen)
    every_figure_is_live(seen)
    it_has_the_theme(seen, "dark")
    the_right_answers_are_right(seen)
    seen.page.evaluate(ALIKE)
    seen.page.evaluate(SIGNS)
    operate(seen.page)
    assert violations(seen.page, COLOURS) == [], f"{name}, operated"
    nothing_is_missing_or_asked_of_others(seen, "file:", "data:")


def nothing_is_missing_or_asked_of_others(seen, *ours):
    assert seen.errors == [], f"{seen.name}: an error, or something missing"
    assert seen.asked, f"{seen.name}: nothing was asked for"
    foreign = [address for address in seen.asked if not address.startswith(ours)]
    assert foreign == [], f"{seen.name}: asked of others"


def nothing_moved(seen):
    assert seen.page.evaluate("window.shift") < 0.02, f"{seen.name}: its layout moved"


def a_chapter_is_light(seen, served, site):
    if seen.name in CHAPTERS:
        ours = [address for address in seen.asked if address.startswith(served)]
        total = sum(compressed(site.folder / urlsplit(address).path[1:]) for address in ours)
        assert 50_000 < total <= LIMIT, f"{seen.name}: {total} bytes"  # below, something is missing


@functools.cache
def compressed(path):
    packed = path.suffix in (".woff", ".woff2", ".png")
    return path.stat().st_size if packed else len(gzip.compress(path.read_bytes()))


def it_is_no_wider_than_the_screen(seen):
    width = seen.page.evaluate("document.documentElement.scrollWidth")
    assert width <= seen.page.viewport_size["width"], f"{seen.name} is too wide"


def it_has_the_theme(seen, theme):
    assert seen.page.evaluate("document.documentElement.dataset.theme") == theme, seen.name


def every_figure_is_live(seen):
    figures = seen.page.locator("figure.operable")
    names = figures.evaluate_all("all => all.map(figure => figure.dataset.name)")
    live = seen.page.locator("figure.operable.is-live")
    assert live.count() == len(names), f"{seen.name}: not every figure is live"
    assert len(names) == len(set(names)), f"{seen.name}: two figures have one name"


def the_right_answers_are_right(seen):
    checks = seen.page.locator("figure.self-check").all()
    assert checks or seen.name not in CHAPTERS, f"{seen.name} has no self-check"
    for check in checks:
        over, under = seen.page.evaluate(ANSWER, check.get_attribute("data-name"))
        check.get_by_role("textbox").fill(f"{int(over) / int(under):.6f}")
        check.get_by_role("button", name="Check").click()
        check.get_by_role("status").filter(has_text="Right, to the").wait_for()


def cut(seen):
    """Leave out what is alike by the hundred: signs of code and, but in a chapter, rows."""
    seen.page.evaluate(SIGNS)
    if seen.name not in CHAPTERS:
        seen.page.evaluate(ALIKE)
