import pytest

from everydigit.site.domain import ASSETS
from tests.site.reading import LAPTOP, PATIENCE, open_context

COMPUTED = """([name, states]) => {
  const { running, specs } = attentionChecked, kit = running[name];
  return states.map((state) => specs[kit.figure.dataset.figure].compute(state, kit.data));
}"""


@pytest.fixture(scope="session")
def visitors(browser):
    """The pages of earlier tests by what they look with: a new one takes a second to warm up."""
    return {}


@pytest.fixture
def page(browser, visitors, request):
    """A page of a laptop in light mode, or as the test's parameter says; it does not glide.

    A test leaves nothing behind but what it adds to the page itself: for scripts that run before
    the page's own, and for another clock, there is `fresh`.
    """
    options = {**LAPTOP, "reduced_motion": "reduce", **getattr(request, "param", {})}
    key = repr(sorted(options.items()))
    if key not in visitors:
        visitors[key] = open_context(browser, **options).new_page()
    yield visitors[key]
    leave(visitors[key])


def leave(page):
    """Forget all that a visit left in the browser."""
    page.evaluate("localStorage.clear(), sessionStorage.clear()")
    page.emulate_media(media="null")
    page.mouse.move(0, 0)
    page.goto("about:blank")


@pytest.fixture
def fresh(browser, request):
    """As `page`, and for one test alone."""
    context = open_context(browser, **{**LAPTOP, **getattr(request, "param", {})})
    yield context.new_page()
    context.close()


def opened(page, address):
    """Open the page of all figures; return the list of what its scripts complain of."""
    page.set_default_timeout(PATIENCE)
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: said.type == "error" and problems.append(said.text))
    page.goto(address)
    return problems


@pytest.fixture
def bare(page, bench):
    """The page of all figures, untouched; an error of a script fails the test."""
    problems = opened(page, bench.address)
    yield page
    assert problems == []


@pytest.fixture(scope="module")
def shared(browser, bench):
    """The same page once for all tests that only ask it to compute, or that fill a field anew."""
    page = browser.new_page()
    problems = opened(page, bench.address)
    yield page
    page.close()
    assert problems == []


@pytest.fixture
def computed(shared):
    """Ask what a figure computes in each of some states."""

    def ask(name, states, page=shared):
        return page.evaluate(COMPUTED, [name, states])

    return ask


@pytest.fixture(scope="module")
def numbers(browser):
    """A page with nothing but the script that reads numbers for the search and the ledger."""
    page = browser.new_page()
    page.add_script_tag(path=ASSETS / "claims_numbers.js")
    yield page
    page.close()
