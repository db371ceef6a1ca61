"""The reference: made from the docstrings as they are, of every module there is."""

import inspect
import re
import runpy
import sys
from importlib import import_module
from pathlib import Path

import pytest

from booksite.reference import public_modules
from booksite.reference.docstrings import as_rst, sections
from booksite.reference.signatures import fields, signature
from everydigit.number.prose import find_numbers

ROOT = Path(__file__).parents[2]
INNER = re.search(r"```\{reference\} attention\n(.*?)```", (ROOT / "book/reference.md").read_text(
    encoding="utf-8"), re.DOTALL)[1].split()  # fmt: skip
MODULES = [m for m in public_modules("attention") if m.removeprefix("attention.") not in INNER]


def functions():
    for module in map(import_module, MODULES):
        for name, thing in vars(module).items():
            own = inspect.isfunction(thing) and thing.__module__ == module.__name__
            if own and not name.startswith("_") and name != "main":
                yield f"{module.__name__.removeprefix('attention.')}.{name}", thing


FUNCTIONS = dict(functions())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_public_function_says_what_it_does_and_shows_it_in_an_example_that_is_run(name):
    parts = dict(sections(inspect.getdoc(FUNCTIONS[name]).split("\n")))
    assert parts[""][0].endswith((".", ":"))
    assert any(line.startswith(">>> ") for line in parts.get("Examples", []))


def test_no_file_with_examples_is_passed_over():
    patterns = runpy.run_path(ROOT / "conftest.py")["CODE"]
    files = (ROOT / "src").rglob("*.py")
    with_examples = [path for path in files if ">>> " in path.read_text(encoding="utf-8")]
    assert len(with_examples) > 30
    passed_over = [p for p in with_examples if not any(map(p.match, patterns))]
    assert passed_over == []


MATHEMATICS = ["core", "mixing", "measures", "dropout"]
PLAIN = {"ulps_between", "dropout_problems", "finite_part", "mix_allowed"}  # no formula of a book


@pytest.mark.parametrize("name", [n for n in FUNCTIONS if n.split(".")[0] in MATHEMATICS])
def test_the_mathematics_has_its_formula_its_shapes_its_errors_and_its_source(name):
    if name.split(".")[1] not in PLAIN:
        parts = dict(sections(inspect.getdoc(FUNCTIONS[name]).split("\n")))
        assert set(parts) >= {"Formula", "Shapes", "Raises", "Source", "Examples"}


def test_functions_are_found():
    assert len(FUNCTIONS) > 50


@pytest.mark.parametrize("module", MODULES)
def test_a_number_in_a_docstring_is_a_limit_and_no_measurement(module):
    """What is measured stands in an example, which is run: see book/reference.md."""
    things = [
        import_module(module),
        *(t for n, t in FUNCTIONS.items() if module.endswith(n.split(".")[0])),
    ]
    for thing in things:
        for name, body in sections((inspect.getdoc(thing) or "").split("\n")):
            if name not in ("Examples", "Source"):
                words = re.sub(r"`+[^`]*`+", "", "\n".join(body))
                long = [n.text for n in find_numbers(words) if sum(map(str.isdigit, n.text)) > 4]
                assert long == [], thing


def test_sections_become_fields_and_code_becomes_literal():
    docstring = """Sum |i − j| over rows, not *all* of them: see `a_b`.

More.

Shapes: x `(n,)`,
result `()`.

Raises:
    TypeError: x is
        no array.
    ValueError: x is empty.

Source: Somebody 2017, eq. 1.

Examples:
    >>> 1 + 1
    2
"""
    assert as_rst(docstring.split("\n")) == [
        r"Sum \|i − j\| over rows, not \*all\* of them: see ``a_b``.", "", "More.", "",
        "", ":Shapes: x ``(n,)``, result ``()``.",
        "", ":Raises TypeError: x is", "    no array.", ":Raises ValueError: x is empty.",
        "", ":Source: Somebody 2017, eq. 1.",
        "", ".. rubric:: Examples", "", "", ">>> 1 + 1", "2", "", "",
    ]  # fmt: skip


def test_signatures_are_those_of_the_source():
    written, result = signature(FUNCTIONS["core.softmax"])
    assert "scores: Float[Array, '*rows keys']" in written
    assert result == "Float[Array, '*rows keys']"
    assert fields(import_module("attention.core").Attended)[3] == (
        "   output: Float[Array, '*batch queries value_width']"
    )


MODULE = '''"""A module of numbers."""


def half(x: float) -> float:
    """Give a half, for x up to 7.

    Source: Somebody 2017, eq. 3.

    Examples:
        >>> half(5)
        2.5

    """
    return x / 2


def main() -> None:
    """Run from the command line."""
'''
CONF = """\
extensions = ["myst_nb", "booksite.reference"]
html_theme = "basic"
nitpick_ignore = [("py:class", "float")]
"""


@pytest.fixture
def book(tmp_path, monkeypatch):
    (tmp_path / "things").mkdir()
    for name, text in {"__init__": "", "halves": MODULE, "_inner": MODULE, "kept": MODULE}.items():
        (tmp_path / f"things/{name}.py").write_text(text, encoding="utf-8")
    (tmp_path / "conf.py").write_text(CONF, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] == "things"]:
        del sys.modules[name]


@pytest.fixture
def build(book, capsys):
    """A maker of the site of a text; what was said."""
    from sphinx.cmd.build import build_main

    def make(text):
        (book / "index.md").write_text(text, encoding="utf-8")
        assert build_main(["-qn", str(book), str(book / "_build")]) == 0
        return capsys.readouterr().err

    return make


def test_every_module_is_shown_but_those_left_out_and_a_wrong_name_is_told(book, build):
    said = build(
        "# R\n\n{py:func}`~things.halves.half` {given}`8`\n\n```{reference} things\nkept\n```\n"
    )
    assert [line for line in said.splitlines() if "page not checked" not in line] == []
    page = (book / "_build/index.html").read_text(encoding="utf-8")
    assert 'href="#things.halves.half"' in page
    assert "things._inner" not in page
    assert "things.kept" not in page
    assert "command line" not in page
    limits = re.findall(r'<span class="limit" [^>]*data-state="a limit[^>]*>([^<]*)<', page)
    assert limits == ["7"], "of the words, not of the source or the example"
    assert re.findall(r'class="given"[^>]*>([^<]*)<', page) == ["8"], "as the ledger counts them"
    assert "there is no module things.lost to leave out" in build(
        "# R\n\n```{reference} things\nlost\n```\n"
    )
