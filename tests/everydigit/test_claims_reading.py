"""How pages are read: as the configuration beside or above them says, by pytest and the count."""

import pytest

from everydigit.text.coverage import count
from everydigit.text.reading import EXTENSIONS, Reading

YML = """\
parse: {myst_enable_extensions: [deflist]}
sphinx: {config: {claims_prose: [theorem], claims_verbatim: [mermaid]}}
"""
CONF = """\
import os
assert False, "nothing is run"
myst_enable_extensions = ["deflist"]
claims_prose, other = ["theorem"], 1
claims_prose = ["theorem"]
claims_verbatim = ["mermaid"]
"""
ALL = Reading(frozenset({"deflist"}), frozenset({"theorem"}), frozenset({"mermaid"}))
PAGE = "```{theorem}\nIt is 42.\n```\n\n```{mermaid}\nIt is 43.\n```\n\nTerm\n: It is 44.\n"


@pytest.mark.parametrize(("name", "text"), [("_config.yml", YML), ("conf.py", CONF)])
def test_the_configuration_beside_a_page_says_how_it_is_read(tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert Reading.of(tmp_path / "page.md") == ALL


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("_config.yml", ""),
        ("_config.yml", "title: T\nparse:\nsphinx:\n"),
        ("conf.py", "myst_enable_extensions = [*BASE, 'deflist']\n"),
    ],
)
def test_what_is_not_said_or_not_written_out_is_as_without_a_configuration(tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert Reading.of(tmp_path / "page.md") == Reading() == Reading(EXTENSIONS)


def test_sphinx_has_the_last_word_on_the_extensions(tmp_path):
    text = YML.replace("config: {", "config: {myst_enable_extensions: [], ")
    (tmp_path / "_config.yml").write_text(text, encoding="utf-8")
    assert Reading.of(tmp_path / "page.md").extensions == frozenset()


def test_the_nearest_configuration_counts(tmp_path):
    (tmp_path / "_config.yml").write_text(YML, encoding="utf-8")
    inner = tmp_path / "inner" / "deep"
    inner.mkdir(parents=True)
    assert Reading.of(inner / "page.md") == ALL
    (inner.parent / "conf.py").write_text("claims_prose = ['lemma']\n", encoding="utf-8")
    assert Reading.of(inner / "page.md") == Reading(prose=frozenset({"lemma"}))
    (inner.parent / "_config.yml").write_text(YML, encoding="utf-8")
    assert Reading.of(inner / "page.md") == ALL, "a conf.py beside it is made from it"


def test_the_count_and_pytest_see_the_same_numbers(book):
    page = book.page("page", PAGE)
    assert "unknown directive {theorem}" in book.pytest("book").text
    book.write("_config.yml", YML)
    conftest = (book.root / "conftest.py").read_text(encoding="utf-8")
    conftest = conftest.replace("pages()", "pages(Reading.of(Path(__file__)))")
    imports = "from pathlib import Path\nfrom everydigit.text.reading import Reading\n"
    book.write("conftest.py", imports + conftest)
    naked = [place.split(": ") for place in count(page).naked]
    assert [number for _, number in naked] == ["42", "44"]
    told = [
        line for line in book.pytest("book").text.splitlines() if line.startswith("book/page.md:")
    ]
    assert told == [f"book/page.md:{at}: {n} is neither claimed nor given" for at, n in naked]


def test_an_author_may_change_part_of_what_the_configuration_says(book):
    book.page("page", PAGE)
    conftest = (book.root / "conftest.py").read_text(encoding="utf-8")
    changes = "pages(prose=['theorem'], verbatim={'mermaid'}, extensions=['deflist'])"
    book.write("conftest.py", conftest.replace("pages()", changes))
    text = book.pytest("book").text
    assert ["42 is" in text, "43 is" in text, "44 is" in text] == [True, False, True]
    assert "unknown" not in text
