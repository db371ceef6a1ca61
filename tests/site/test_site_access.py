"""Everyone can read and operate the pages: the menu of a phone, the keyboard alone, no script."""

import pytest

from tests.site.axe import STILL, violations
from tests.site.reading import CHAPTERS, LAPTOP, PHONE

TIMERS_RUN = "new Promise((done) => setTimeout(() => setTimeout(done)))"


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_the_open_menu_of_a_phone_passes_axe_and_closes_with_escape(page, site):
    page.goto(site.address(CHAPTERS[0]))
    page.add_style_tag(content=STILL)
    page.locator(".primary-toggle").click()
    menu = page.locator("nav.bd-links a").first
    assert menu.is_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    menu.wait_for(state="hidden")


def test_the_keyboard_alone_reads_a_chapter(page, site):
    page.goto(site.address(CHAPTERS[1]))
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Skip to main content"
    page.keyboard.press("Enter")
    reached = tab_through(page, 80)
    assert {"claims-switch", "preview", "toggle-button"} <= reached
    theme = page.locator(".bd-header-article .theme-switch-button")
    theme.focus()
    page.keyboard.press("Enter")
    page.evaluate(TIMERS_RUN)
    assert theme.evaluate("e => e === document.activeElement")
    page.keyboard.press("Control+k")
    page.keyboard.type("softmax")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=softmax*")


def tab_through(page, steps):
    """The classes of what the Tab key reaches; each must show that it has the focus."""
    reached = set()
    for _ in range(steps):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):  # past the last one
            break
        here = page.evaluate("""() => {
          const e = document.activeElement, s = getComputedStyle(e);
          const seen = s.outlineStyle !== 'none' || s.boxShadow !== 'none';
          return [[...e.classList], seen, e.outerHTML];
        }""")
        assert here[1], f"no visible focus: {here[2][:120]}"
        reached |= set(here[0])
    return reached


def test_a_link_into_the_book_says_what_is_there(page, site):
    page.goto(site.address(CHAPTERS[0]))
    link = page.locator("article a.preview[href*='glossary']").first
    said = link.get_attribute("title")
    tip = page.locator("#preview-tip")
    link.hover()
    assert tip.is_visible()
    assert tip.inner_text() == said
    page.keyboard.press("Escape")
    assert not tip.is_visible()
    assert link.get_attribute("title") == said


@pytest.mark.parametrize(
    "page",
    [{**PHONE, "java_script_enabled": False}, {**LAPTOP, "java_script_enabled": False}],
    indirect=True,
    ids=["phone", "laptop"],
)
def test_without_a_script_everything_is_there_to_read(page, site):
    page.goto(site.address(CHAPTERS[0]))
    for solution in page.locator(".solution").all():
        assert solution.locator("p").last.is_visible()
    assert page.locator("nav.bd-links a").last.is_visible()
    for dead in (".primary-toggle", ".btn-fullscreen-button", ".search-button", ".claims-switch"):
        assert not page.locator(dead).filter(visible=True).count(), dead
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
