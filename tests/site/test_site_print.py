"""On paper a page shows its solutions and the marks of its checks, and nothing to press."""

import pytest

from tests.site.reading import CHAPTERS


@pytest.fixture
def printed(page, site):
    page.goto(site.address(CHAPTERS[0]))
    assert page.locator(".solution.toggle-hidden").count()  # folded on the screen
    page.emulate_media(media="print")
    return page


def test_print_shows_the_solutions(printed):
    for solution in printed.locator(".solution").all():
        text = solution.locator("p").last
        assert text.is_visible()
        assert text.evaluate("e => e.getBoundingClientRect().height") > 10


def test_print_marks_what_was_checked(printed):
    mark = "e => getComputedStyle(e, '::after').content"
    assert "✓" in printed.locator("span.claim--checked").first.evaluate(mark)
    assert "✓" in printed.locator("div.claim--checked").first.evaluate(mark)


def test_print_leaves_out_what_only_a_screen_needs(printed):
    screen = ".bd-header-article, .bd-sidebar-primary, .prev-next-footer, .claims-switch, button"
    assert printed.locator(screen).filter(visible=True).count() == 0
