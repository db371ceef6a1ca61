import os
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.site.reading import serve

# A slow example is no failure on a busy machine. In CI, Hypothesis draws the same each time.
settings.register_profile(
    "book", settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
)
settings.load_profile("book")


def pytest_collection_modifyitems(items):
    """Among workers, what needs the site first: one builds it while the others need none."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        items.sort(key=lambda item: "site" not in getattr(item, "fixturenames", ()))


@dataclass(frozen=True)
class Site:
    folder: Path

    def page(self, name):
        return self.folder / "book" / f"{name}.html"

    def top(self, name):
        return (self.folder / f"{name}.html").as_uri()

    def address(self, name):
        return self.page(name).as_uri()


@pytest.fixture(scope="session")
def site():
    """The site of this checkout, checked and built if anything that it is made from has changed."""
    from tests.site.making import make

    return Site(make())


@pytest.fixture(scope="session")
def served(site):
    with serve(site.folder) as address:
        yield address


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    from booksite.pages.joined import FLAGS, find_chromium

    try:
        executable = find_chromium()
    except FileNotFoundError as missing:
        if os.environ.get("CI"):
            pytest.fail(f"{missing}: in CI the browser tests must run")
        pytest.skip(str(missing))

    quiet = [*FLAGS, "--disable-background-networking", "--disable-component-update"]
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=executable, args=quiet)
        yield started
        started.close()


@pytest.fixture(scope="session")
def bench(tmp_path_factory):
    """The page of all figures; what it is made with takes seconds to import."""
    from tests.site.benches import make_bench

    return make_bench(tmp_path_factory.mktemp("bench"))
