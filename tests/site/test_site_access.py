"""Everyone can read and operate the pages: axe-core, the keyboard alone, no script."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from reading import CHAPTERS, LAPTOP, NAMES, PHONE

RULES = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]},
    "resultTypes": ["violations"],
    "selectors": False,  # not needed, and slow
}
# Hundreds of rows and entries that are alike cost axe minutes and tell it nothing.
ALIKE = """document.querySelectorAll('.claims-ledger tr:nth-child(n+4), dl.py:nth-of-type(n+4)')
  .forEach(each => each.remove())"""
STILL = "*, *::before, *::after { transition: none !important; animation: none !important; }"


def violations(page):
    page.evaluate(ALIKE)
    found = Axe().run(page, options=RULES).response["violations"]
    return [(each["id"], [node["html"][:150] for node in each["nodes"]][:4]) for each in found]


def operate(page, menu):
    """Show the checks, open every solution, a tip, and a menu."""
    for button in page.locator(".claims-switch, article .toggle-button").all():
        button.click()
    if page.locator("article .claim").count():
        page.locator("article .claim").first.hover()
        assert page.locator("#claim-tip").is_visible()
    opener = page.locator(menu)
    if opener.count():
        opener.first.click()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_axe_finds_nothing_wrong_with_any_page(browser, site, scheme, size):
    """As it opens, and in operated state."""
    context = browser.new_context(**size, color_scheme=scheme)
    page = context.new_page()
    for address in [*map(site.address, NAMES), *map(site.top, ("search", "genindex"))]:
        page.goto(address)
        page.add_style_tag(content=STILL)
        assert page.evaluate("document.documentElement.dataset.theme") == scheme
        assert violations(page) == [], address
        operate(page, ".article-header-buttons .dropdown-toggle")
        assert violations(page) == [], f"{address}, operated"
    context.close()


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
    page.wait_for_timeout(50)
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
