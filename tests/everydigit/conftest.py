"""Small books in temporary folders, and what the checker makes of them."""

import contextlib
import io
import json
import os
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import everydigit
from everydigit import ledger
from everydigit.run.chapter import Outcome, check
from everydigit.text.page import Page
from everydigit.text.reading import Reading

NOTEBOOK = """\
---
jupytext:
  text_representation:
    format_name: myst
kernelspec:
  name: python3
---
"""
CONFTEST = """\
from sybil import Sybil
from everydigit.run.document import MarkdownDocument, pages

pytest_plugins = ["everydigit.run.plugin"]
pytest_collect_file = Sybil(
    parsers=[pages()],
    patterns=["**/*.md", "*.md"],
    document_types={".md": MarkdownDocument},
).pytest()
"""
# What is left out collects the garbage of this whole process, twice a run and for longer than it,
# or takes longer to import, in each process and worker, than a tiny book to check.
INI = """\
[pytest]
testpaths = README.md book
claims_depends = src book/runs
addopts = -ra --import-mode=importlib -p no:cacheprovider -p no:unraisableexception
    -p no:hypothesispytest -p no:anyio -p no:jaxtyping
"""
# Two versions of a module written within one second look the same to Python's own cache.
QUIET = {"PYTHONDONTWRITEBYTECODE": "1"}
CONFIG = """\
title: Tiny
author: nobody
only_build_toc_files: true
exclude_patterns: [_build, src]
execute: {execute_notebooks: force}
parse:
  myst_enable_extensions: [colon_fence, deflist, dollarmath]
sphinx:
  extra_extensions: [everydigit.site]
  config: {nb_execution_raise_on_error: true}
"""


@dataclass
class Run:
    """What one run of pytest over a book came to."""

    code: int
    outcomes: dict[str, str]
    text: str

    @property
    def failed(self) -> list[str]:
        return sorted(name for name, outcome in self.outcomes.items() if outcome == "failed")


class _Recorder:
    def __init__(self) -> None:
        self.outcomes: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or report.outcome != "passed":
            self.outcomes[report.nodeid] = report.outcome


class Book:
    """A tiny book: pages are written, pytest and Jupyter Book are run on it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write("conftest.py", CONFTEST)
        self.write("pytest.ini", INI)

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def page(self, name: str, text: str) -> Path:
        """A chapter, with the front matter that makes it a notebook."""
        return self.write(f"book/{name}.md", NOTEBOOK + text)

    def pytest(self, *arguments: str) -> Run:
        """Run in this process: fast."""
        recorder, text = _Recorder(), io.StringIO()
        modules, path = dict(sys.modules), list(sys.path)
        sys.path[:0] = [str(self.root / "src"), str(self.root)]
        with contextlib.chdir(self.root), contextlib.redirect_stdout(text):
            code = pytest.main(list(arguments), plugins=[recorder])
        for name in set(sys.modules) - set(modules):
            if name.startswith(("tiny", "conftest")):
                del sys.modules[name]
        sys.path[:] = path
        return Run(int(code), recorder.outcomes, text.getvalue())

    def command(
        self, program: str, *arguments: str, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Run as a reader would, in a process of its own, with the sources that are tested."""
        return subprocess.run(
            [str(Path(sys.executable).with_name(program)), *arguments],
            cwd=self.root,
            env={**os.environ, **self.environment, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    @property
    def environment(self) -> dict[str, str]:
        """What processes need: the sources that are tested, and QUIET."""
        sources = [str(self.root / "src"), str(Path(everydigit.__file__).parents[1])]
        return {"PYTHONPATH": os.pathsep.join(sources), **QUIET}

    def build(self, *options: str) -> subprocess.CompletedProcess[str]:
        """Run Jupyter Book's command in this process; the kernels have processes of their own."""
        from jupyter_book.cli.main import main

        arguments = ["build", ".", *options]
        with contextlib.chdir(self.root), warnings.catch_warnings(action="ignore"):
            done = CliRunner(env=self.environment).invoke(main, arguments)
        text = done.output + "".join(traceback.format_exception(done.exception))
        return subprocess.CompletedProcess(arguments, done.exit_code, text)

    def html(self, name: str) -> str:
        return (self.root / "_build/html/book" / f"{name}.html").read_text(encoding="utf-8")

    @property
    def ledger(self) -> dict[str, Any]:
        return json.loads((self.root / ledger.DEFAULT_PATH).read_text(encoding="utf-8"))

    def claims(self, page: str) -> list[tuple[str, str]]:
        """What the ledger says of a page: SHOWN and outcome."""
        found = self.ledger["pages"][f"book/{page}.md"]["claims"].values()
        return [(claim["shown"], claim["outcome"]) for claim in found]

    def site(self, *pages: str) -> None:
        """Add what Jupyter Book needs."""
        chapters = "".join(f"  - file: book/{page}\n" for page in pages[1:])
        self.write("_config.yml", CONFIG)
        toc = f"format: jb-book\nroot: book/{pages[0]}\n"
        self.write("_toc.yml", toc + (f"chapters:\n{chapters}" if chapters else ""))


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return Book(tmp_path)


@pytest.fixture(scope="module")
def new_book(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Book]:
    """A maker of books that live as long as the module's tests."""
    return lambda name: Book(tmp_path_factory.mktemp(name))


@pytest.fixture(scope="session")
def read() -> Callable[..., Page]:
    """Read Markdown as a page; a chapter's front matter is added behind its last line."""

    def reader(text: str, name: str = "page.md") -> Page:
        return Reading().page(Path("/nowhere") / name, text)

    return reader


@pytest.fixture(scope="session")
def verdict(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Outcome]:
    """Judge a claim that shows `shown` of the value `value`."""
    folder = tmp_path_factory.mktemp("verdict")

    def judge(shown: str, value: Any = None, target: str = "x") -> Outcome:
        page = Reading().page(folder / "page.md", f"{{claim}}``{shown} <{target}>``\n")
        assert not page.problems, page.problems
        return check(page.claims[0], {"x": value}, folder)

    return judge


@pytest.fixture(scope="session")
def messages(verdict: Callable[..., Outcome]) -> Callable[..., str]:
    """The messages of a claim that fails, as one text; empty where it holds."""

    def judge(shown: str, value: Any = None, target: str = "x") -> str:
        return "\n".join(message for _, _, message in verdict(shown, value, target).failures)

    return judge


@pytest.fixture(autouse=True, scope="session")
def _no_bytecode() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "dont_write_bytecode", True)
        yield
