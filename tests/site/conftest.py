import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PARTS = [
    *("README.md", "_config.yml", "_toc.yml", "conftest.py", "pyproject.toml"),
    *("requirements.txt", "constraints.txt", "book", "src", "tests/example_book"),
]


@dataclass(frozen=True)
class Site:
    folder: Path

    def page(self, name):
        return self.folder / "book" / f"{name}.html"

    def address(self, name):
        return self.page(name).as_uri()


def copy_book(target):
    """The book's sources alone, as a reader of the repository has them."""
    unwanted = shutil.ignore_patterns("__pycache__", "*.egg-info", ".ipynb_checkpoints")
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, target / part, ignore=unwanted)
        else:
            shutil.copy2(source, target / part)


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The book, checked and built in a folder of its own, with warnings as errors."""
    folder = tmp_path_factory.mktemp("book")
    copy_book(folder)
    run(folder, "pytest", "-q", "README.md", "book")
    run(folder, "jupyter-book", "build", ".", "-W", "-n", "--keep-going")
    return Site(folder / "_build/html")


def run(folder, program, *arguments):
    """A program of this environment, as a reader would call it; its failure shows its output."""
    done = subprocess.run(
        [Path(sys.executable).with_name(program), *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    output = done.stdout + done.stderr
    assert done.returncode == 0, f"{program} gave {done.returncode}:\n{output[-6000:]}"


def chromium():
    named = os.environ.get("CHROMIUM")
    found = named or next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    if found is None:
        reason = "no chromium in PATH (nor in the variable CHROMIUM)"
        if os.environ.get("CI"):
            pytest.fail(f"{reason}: in CI the browser tests must run")
        pytest.skip(reason)
    return found


@pytest.fixture(scope="session")
def browser():
    executable = chromium()
    from playwright.sync_api import sync_playwright

    quiet = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"]
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=executable, args=quiet)
        yield started
        started.close()


@pytest.fixture
def page(browser, request):
    """A page of a laptop in light mode, or as the test's parameter says."""
    options = {"viewport": {"width": 1280, "height": 900}, **getattr(request, "param", {})}
    context = browser.new_context(**options)
    yield context.new_page()
    context.close()
