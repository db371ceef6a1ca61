"""Another book: the checker is installed alone, from its own wheel, and serves it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STUB = "raise ImportError('the checker must do without the book')\n"


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """An environment in which `everydigit` is the only package of this repository."""
    folder = tmp_path_factory.mktemp("alone")
    sources = tmp_path_factory.mktemp("sources")  # setuptools builds in the tree it is given
    shutil.copytree(ROOT / "tools/everydigit", sources / "tools/everydigit")
    shutil.copytree(ROOT / "src/everydigit", sources / "src/everydigit")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    run(ROOT, *pip, "--target", folder, sources / "tools/everydigit")
    for other in ("attention", "booksite"):
        (folder / f"{other}.py").write_text(STUB, encoding="utf-8")
    return {**os.environ, "PYTHONPATH": str(folder)}


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    folder = tmp_path_factory.mktemp("example") / "book"
    shutil.copytree(ROOT / "tests/example_book", folder)
    return folder


def run(folder, *command, environment=None):
    done = subprocess.run(
        [*map(str, command)],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def python(book, alone, *arguments):
    return run(book, sys.executable, "-m", *arguments, environment=alone)


def test_a_book_is_checked_and_built_with_the_checker_alone(book, alone):
    where = "import everydigit; print(everydigit.__file__)"
    assert run(book, sys.executable, "-c", where, environment=alone).startswith(alone["PYTHONPATH"])
    assert "9 passed" in python(book, alone, "pytest", "-q")
    python(book, alone, "sphinx", "-qnW", "--keep-going", ".", "_build")
    page = (book / "_build/index.html").read_text(encoding="utf-8")
    assert page.count("claim--checked") == 3
    assert "claims-failure" not in page
    assert "5 claims, all checked" in (book / "_build/ledger.html").read_text(encoding="utf-8")


def test_after_an_edit_what_does_not_hold_is_shown_below_the_block_it_stands_in(book, alone):
    index = (book / "index.md").read_text(encoding="utf-8")
    index = index.replace("18.015 g", "18.514 g").replace("of two pages", "of 17 pages")
    (book / "index.md").write_text(index, encoding="utf-8")
    refreshed = python(book, alone, "everydigit", "refresh", ".")
    assert "2 failed, 3 passed" in refreshed, "the page that changed, and no other"
    python(book, alone, "sphinx", "-q", ".", "_build")
    page = (book / "_build/index.html").read_text(encoding="utf-8")
    summary, _, after = page.partition("A book of 17 pages")
    assert "2 things on this page do not hold" in summary
    gate, _, rest = after.partition("hydrogen")
    assert "line 13: 17 is neither claimed nor given" in gate
    assert "line 22: text says 18.514, water is 18.015" in rest
    assert rest.index("18.514 g") < rest.index("claims-failure-2") < rest.index("lakes.html")
