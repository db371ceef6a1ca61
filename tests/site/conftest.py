import functools
import math
import os
import shutil
import subprocess
import sys
import threading
from dataclasses import dataclass
from fractions import Fraction
from http.server import ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock
from reading import Quiet

from attention import attend, figures
from attention.models import E6_SHAPES
from attention.records import RUNS, read_arrays
from attention.train import PROBES
from pages.scripts import wanted

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

    def top(self, name):
        return (self.folder / f"{name}.html").as_uri()

    def address(self, name):
        return self.page(name).as_uri()


# The first has the site built while the others need none; what takes long does not come last.
LONG = ["test_site_access.py", "test_attention_train.py", "test_book_digits.py"]
LONG += ["test_site_search.py", "test_site_weight.py", "test_site_figures.py"]


def pytest_collection_modifyitems(items):
    """Among workers, with --no-loadscope-reorder, the long files first."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        items.sort(key=lambda item: [*LONG, item.path.name].index(item.path.name))


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
def site(tmp_path_factory, worker_id):
    """The book, checked and built in a folder of its own: once, for all workers of a run."""
    above = tmp_path_factory.getbasetemp()
    folder = (above if worker_id == "master" else above.parent) / "built-book"
    with FileLock(folder.with_suffix(".lock")):
        if not (folder / "built").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            build(folder)
            (folder / "built").touch()
    return Site(folder / "_build/html")


@pytest.fixture(scope="module")
def served(site):
    handler = functools.partial(Quiet, directory=str(site.folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def build(folder):
    """Check and build the book, with warnings as errors."""
    copy_book(folder)
    run(folder, "pytest", "-q", "README.md", "book")
    run(folder, "jupyter-book", "build", ".", "-W", "-n", "--keep-going")


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
    """A page of a laptop in light mode, or as the test's parameter says; it does not glide."""
    laptop = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"}
    options = {**laptop, **getattr(request, "param", {})}
    context = browser.new_context(**options)
    yield context.new_page()
    context.close()


ASSETS = ROOT / "book/assets"
COMPUTED = """([name, states]) => {
  const { running, specs } = attentionChecked, kit = running[name];
  return states.map((state) => specs[kit.figure.dataset.figure].compute(state, kit.data));
}"""
BARE = """<!doctype html><html lang="en" data-theme="{theme}">
<meta charset="utf-8"><title>Figures</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
{styles}<style>body {{ font-family: sans-serif; margin: 1rem; }}
html[data-theme="dark"] body {{ background: #121212; color: #e6e9ee; }}</style>
<div class="bd-content"><a href="#end">to the end</a>{figures}
<h2 id="end">The end</h2></div>{scripts}"""


def write_bare_page(path, shown, theme="light"):
    """Write a page with these figures, their scripts and styles, and nothing else."""
    html = "".join(figure.html for figure in shown)
    scripts = "".join(
        f'<script defer src="{(ASSETS / name).as_uri()}"></script>' for name in wanted(html)
    )
    styles = "".join(
        f'<link rel="stylesheet" href="{(ASSETS / name).as_uri()}">'
        for name in ("book.css", "figures.css")
    )
    page = BARE.format(figures=html, scripts=scripts, styles=styles, theme=theme)
    path.write_text(page, encoding="utf-8")
    return path.as_uri()


@dataclass(frozen=True)
class Bench:
    """The address of a page with one figure of each kind, and what the figures were made from."""

    address: str
    names: tuple[str, ...]
    row: np.ndarray  # of shares, in the figure of dropout
    letters: np.ndarray
    roles: np.ndarray


@pytest.fixture(scope="session")
def bench(tmp_path_factory):
    pairs, value = np.array([[1.0, 0], [0, 1], [1, 1]]), np.array([[1.0, 0], [0, 2], [1, 1]])
    rng = np.random.default_rng(0)
    letters, roles = rng.normal(size=(26, 16)), rng.normal(size=(2, 16, 8)) / 4
    row = attend(pairs, pairs, value).shares[2]
    e6 = read_arrays(ROOT / RUNS / "E6.weights.npz", E6_SHAPES)
    shown = {
        "hand": figures.hand_example(pairs, pairs, value, caption="the hand example"),
        "e6": figures.e6_live(e6, probes=PROBES, caption="E6 live"),
        "saturation": figures.saturation(caption="saturation"),
        "dropout": figures.dropout_means(row, caption="dropout"),
        "looks": figures.where_it_looks(letters, *roles, caption="where it looks"),
        "third": figures.self_check(Fraction(1, 3), ask="One third, as a decimal?", name="third"),
        "root": figures.self_check(math.sqrt(2), ask="The root of two?", name="root"),
    }
    address = write_bare_page(tmp_path_factory.mktemp("bench") / "figures.html", shown.values())
    return Bench(address, tuple(shown), row, letters, roles)


def opened(page, address):
    """Open the page of all figures; return the list of what its scripts complain of."""
    page.set_default_timeout(5000)
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
