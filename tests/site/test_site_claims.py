"""A reader asks a number what checked it: by pointer, by finger, by keyboard, without a script."""

import pytest

TARGET = "1 / (1 + sp.exp(1 / sp.sqrt(2)))"  # of the first claim of the opening page
PHONE = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def opened(page, site):
    page.goto(site.address("index"))
    return page


def first(page):
    return page.locator("article span.claim").first


def focused(page):
    return page.evaluate("document.activeElement.className")


def tab_stops(page):
    return page.evaluate(
        "document.querySelectorAll('.claim a.claim-link, .claim[tabindex]').length"
    )


def test_hovering_tells_what_a_number_was_checked_against(opened):
    tip = opened.locator("#claim-tip")
    assert not tip.is_visible()
    first(opened).hover()
    assert tip.is_visible()
    assert tip.locator("code").inner_text() == TARGET
    assert tip.inner_text().split("\n") == [
        TARGET,
        "= 0.330238450673343074…",
        "✓ checked",
        "In the ledger",
    ]
    opened.mouse.move(5, 890)
    tip.wait_for(state="hidden")


def test_the_tip_can_be_entered_to_follow_its_link(opened, site):
    first(opened).hover()
    opened.locator("#claim-tip a").click()
    opened.wait_for_url("**/ledger.html#ledger-book-index-0")
    row = opened.locator("tr:target")
    assert row.is_visible()
    assert "0.3302384506733431" in row.inner_text()
    row.locator("a").click()
    opened.wait_for_url("**/index.html#claim-0")


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_a_tap_opens_the_tip_and_a_tap_elsewhere_closes_it(opened):
    tip = opened.locator("#claim-tip")
    first(opened).tap()
    assert tip.is_visible()
    box = tip.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 320
    opened.locator("h1").last.tap()
    assert not tip.is_visible()


def test_claims_are_no_tab_stops_until_the_checks_are_shown(opened):
    assert tab_stops(opened) == 0
    switch = opened.get_by_role("button", name="Show the checks")
    switch.focus()
    opened.keyboard.press("Enter")
    assert switch.get_attribute("aria-pressed") == "true"
    assert tab_stops(opened) == opened.locator(".claim").count()
    opened.keyboard.press("Tab")
    assert focused(opened) == "claim-link"
    tip = opened.locator("#claim-tip")
    assert tip.is_visible()
    described = opened.evaluate("document.activeElement.getAttribute('aria-describedby')")
    assert described == "claim-tip"
    opened.keyboard.press("Escape")
    assert not tip.is_visible()
    assert focused(opened) == "claim-link"
    opened.keyboard.press("Enter")
    opened.wait_for_url("**/ledger.html#ledger-book-index-0")


def test_the_switch_is_remembered_and_taken_back_leaves_the_page_as_it_was(opened, site):
    before = opened.locator("article").inner_html()
    switch = opened.get_by_role("button", name="Show the checks")
    switch.click()
    opened.reload()
    switch = opened.get_by_role("button", name="Show the checks")
    assert switch.get_attribute("aria-pressed") == "true"
    switch.click()
    after = opened.locator("article").inner_html().replace(' aria-pressed="false"', "")
    assert after == before.replace(' aria-pressed="false"', "")
    assert tab_stops(opened) == 0


def test_a_check_mark_is_drawn_only_beside_what_was_checked(opened):
    opened.get_by_role("button", name="Show the checks").click()
    marks = "e => getComputedStyle(e, '::after').content"
    claim = first(opened)
    assert "✓" in claim.evaluate(marks)
    claim.evaluate("e => e.classList.replace('claim--checked', 'claim--unchecked')")
    assert "✓" not in claim.evaluate(marks)


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_a_given_says_that_it_is_given(opened):
    opened.locator("article .given").first.tap()
    tip = opened.locator("#claim-tip")
    assert tip.inner_text() == "given: an input that was chosen, not a result"


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_a_tap_asks_also_while_the_checks_are_shown(opened):
    opened.get_by_role("button", name="Show the checks").tap()
    first(opened).tap()
    assert opened.locator("#claim-tip").is_visible()
    assert opened.url.endswith("index.html")
    opened.locator("#claim-tip a").tap()
    opened.wait_for_url("**/ledger.html#ledger-book-index-0")


@pytest.mark.parametrize("fresh", [PHONE, {}], indirect=True, ids=["phone", "laptop"])
def test_the_tip_never_covers_the_table_it_is_about(fresh, site):
    fresh.clock.install()
    fresh.goto(site.address("02-nine-comparisons"))
    tip = fresh.locator("#claim-tip")
    for table in fresh.locator("div.claim--block").all():
        table.scroll_into_view_if_needed()
        table.locator("td").first.click(force=True)
        assert tip.is_visible()
        fresh.clock.run_for(400)  # longer than the tip takes to close by itself
        assert tip.is_visible()
        over, under = tip.bounding_box(), table.bounding_box()
        assert over["y"] >= under["y"] + under["height"] or over["y"] + over["height"] <= under["y"]
        fresh.keyboard.press("Escape")


@pytest.mark.parametrize("page", [{"java_script_enabled": False}], indirect=True)
def test_without_a_script_the_title_says_it(page, site):
    page.goto(site.address("index"))
    title = first(page).get_attribute("title")
    assert title == f"{TARGET} = 0.330238450673343074… (checked)"
    assert page.locator(".claims-switch").count() == 0


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_a_formula_too_wide_for_a_phone_scrolls_from_its_beginning(page, site):
    page.goto(site.address("02-nine-comparisons"))
    formula = page.locator(".math-display").first
    left = "e => e.firstElementChild.getBoundingClientRect().left - e.getBoundingClientRect().left"
    assert formula.evaluate("e => e.scrollWidth > e.clientWidth")
    assert formula.evaluate(left) >= 0
