"""Everyone can read and operate the pages: axe-core, the keyboard alone, no script."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from reading import CHAPTERS, LAPTOP, NAMES, PHONE

RULES = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]},
    "resultTypes": ["violations"],
    "selectors": False,  # not needed, and slow
}
# What is alike by the hundred costs axe minutes and tells it nothing. Boxes that may scroll stay.
ALIKE = """() => {
  const spare = (what, few) => [...document.querySelectorAll(what)].slice(few);
  for (const what of ['.claims-ledger tr', 'dl.py', 'article p math'])
    spare(what, 12).forEach((each) => each.remove());
  document.querySelectorAll('article tbody tr:nth-child(n+7)').forEach((row) => row.remove());
  spare('article pre', 6).forEach((pre) => { pre.textContent = pre.textContent; });
}"""
# Colours take axe four fifths of its time. What a page shows as it opens it shows operated too.
COLOURS_LATER = {**RULES, "rules": {"color-contrast": {"enabled": False}}}
STILL = """*, *::before, *::after { transition: none !important; animation: none !important;
  scroll-behavior: auto !important; }"""


def violations(page, rules=RULES):
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate("rules => axe.run(document, rules)", rules)["violations"]
    return [(each["id"], [node["html"][:150] for node in each["nodes"]][:4]) for each in found]


def operate(page, menu):
    """Use every figure, show the checks, open every solution, a tip, and a menu."""
    for figure in page.locator("figure.operable").all():
        use(figure)
    closed = page.locator(".claims-switch, article .toggle-button")
    closed.evaluate_all("all => all.forEach((button) => button.click())")
    if page.locator("article .claim").count():
        page.locator("article .claim").first.hover()
        assert page.locator("#claim-tip").is_visible()
    opener = page.locator(menu)
    if opener.count():
        opener.first.click()


def use(figure):
    """Change a few of a figure's controls of each sort, and have it say what it makes of that."""
    figure.get_by_role("checkbox").evaluate_all("all => all.forEach((box) => box.click())")
    for slider in figure.get_by_role("slider").all()[:1]:
        slider.press("ArrowRight")
    for field in figure.get_by_role("textbox").all()[:1]:
        field.fill("3")
        field.press("Enter")
    figure.get_by_role("button").evaluate_all("all => all.slice(0, 6).forEach((b) => b.click())")
    assert figure.get_by_role("status").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
@pytest.mark.parametrize("part", range(2))
def test_axe_finds_nothing_wrong_with_any_page(browser, site, part, size, scheme):
    """As it opens, and in operated state."""
    context = browser.new_context(**size, color_scheme=scheme)
    page = context.new_page()
    addresses = {name: site.address(name) for name in NAMES}
    addresses |= {name: site.top(name) for name in ("search", "genindex")}
    for name in list(addresses)[part::2]:
        page.goto(addresses[name])
        page.add_style_tag(content=STILL)
        assert page.evaluate("document.documentElement.dataset.theme") == scheme
        if name in CHAPTERS and (size, scheme) == (LAPTOP, "light"):
            assert violations(page) == [], f"{name}, whole"
        page.evaluate(ALIKE)
        assert violations(page, COLOURS_LATER) == [], name
        operate(page, ".article-header-buttons .dropdown-toggle")
        assert violations(page) == [], f"{name}, operated"
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
