"""What axe-core has against a page, and a page with all open that opens."""

import re

from axe_playwright_python.sync_playwright import Axe

RULES = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]},
    "resultTypes": ["violations"],
    "selectors": False,  # not needed, and slow
    "preload": False,  # of style sheets, which no rule of these asks for, from wrong addresses
}
# What is alike by the hundred costs axe minutes and tells it nothing. Boxes that may scroll stay.
ALIKE = """() => {
  const spare = (what, few) => [...document.querySelectorAll(what)].slice(few);
  for (const what of ['.claims-ledger tr', 'dl.py', 'article p math'])
    spare(what, 12).forEach((each) => each.remove());
  document.querySelectorAll('article tbody tr:nth-child(n+7)').forEach((row) => row.remove());
  spare('article pre', 6).forEach((pre) => { pre.textContent = pre.textContent; });
}"""
# The signs of code have a few colours, each a hundred times: three of a sort are judged.
SIGNS = """() => {
  const judged = {};
  for (const sign of document.querySelectorAll('article pre span:not(:has(*))')) {
    const sort = `${sign.className} in ${sign.closest('div').className}`;
    judged[sort] = (judged[sort] || 0) + 1;
    if (!sign.className || judged[sort] > 3) sign.replaceWith(sign.textContent);
  }
}"""
# Colours take axe nine tenths of its time. What a page shows as it opens it shows operated too.
BY_COLOUR = ["color-contrast", "link-in-text-block"]
STRUCTURE = {**RULES, "rules": {rule: {"enabled": False} for rule in BY_COLOUR}}
COLOURS = {**RULES, "runOnly": {"type": "rule", "values": BY_COLOUR}}
STILL = """*, *::before, *::after { transition: none !important; animation: none !important;
  scroll-behavior: auto !important; }"""


def violations(page, rules=RULES):
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate("rules => axe.run(document, rules)", rules)["violations"]
    return [(each["id"], [node["html"][:150] for node in each["nodes"]][:4]) for each in found]


def operate(page):
    """Use every figure, show the checks, open every solution, a tip, and a menu."""
    page.add_style_tag(content=STILL)
    for figure in page.locator("figure.operable").all():
        use(figure)
    closed = page.locator(".claims-switch, article .toggle-button")
    closed.evaluate_all("all => all.forEach((button) => button.click())")
    if page.locator("article .claim").count():
        page.locator("article .claim").first.hover()
        page.locator("#claim-tip").wait_for()
    opener = page.locator(".article-header-buttons .dropdown-toggle")
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
    figure.get_by_role("status").filter(has_text=re.compile(r"\S")).wait_for()
