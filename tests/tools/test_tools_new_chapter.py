"""A new chapter holds as it is, is built as it is, and shows every device of the book."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from everydigit.text.reading import Reading
from tools.new_chapter import NotAChapterError, main, new_chapter

ROOT = Path(__file__).parents[2]
NAME = "12-many-heads"
TEMPLATE = ROOT / "templates/chapter.md"
STUBS = {"index": "# Book\n", "01-shares": "(shares)=\n# Shares\n"}


@pytest.fixture
def book(tmp_path):
    """The book's settings, with the pages alone that the template links to."""
    for part in ("_config.yml", "conftest.py", "pyproject.toml", "requirements.txt"):
        shutil.copy2(ROOT / part, tmp_path / part)
    for part in ("src", "templates", "book/assets", "book/media"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    for part in ("notation.md", "bibliography.md", "references.bib"):
        shutil.copy2(ROOT / "book" / part, tmp_path / "book" / part)
    for name, text in STUBS.items():
        (tmp_path / "book" / f"{name}.md").write_text(text, encoding="utf-8")
    others = [*(name for name in STUBS if name != "index"), "notation", "bibliography"]
    chapters = "".join(f"      - file: book/{name}\n" for name in others)
    (tmp_path / "_toc.yml").write_text(
        f"format: jb-book\nroot: book/index\nparts:\n  - chapters:\n{chapters}", encoding="utf-8"
    )
    return tmp_path


def run(folder, *command):
    program, *arguments = command
    done = subprocess.run(
        [Path(sys.executable).with_name(program), *arguments],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]


def test_a_new_chapter_is_checked_and_built_without_a_warning(book):
    new_chapter(NAME, book)
    run(book, "pytest", "-q", "book")
    run(book, "jupyter-book", "build", ".", "-W", "-n", "--keep-going")
    page = (book / f"_build/html/book/{NAME}.html").read_text(encoding="utf-8")
    assert page.count("claim--checked") == 10
    assert "claim--unchecked" not in page
    assert "claim--failed" not in page


def test_it_stands_in_the_contents_after_the_last_numbered_chapter(book):
    before = yaml.safe_load((book / "_toc.yml").read_text(encoding="utf-8"))["parts"]
    new_chapter(NAME, book)
    after = yaml.safe_load((book / "_toc.yml").read_text(encoding="utf-8"))["parts"]
    before[0]["chapters"].insert(1, {"file": f"book/{NAME}"})
    assert after == before


def test_its_labels_are_its_own(book):
    text = new_chapter(NAME, book).read_text(encoding="utf-8")
    assert "(many-heads)=" in text
    assert ":label: ex-many-heads-half" in text
    assert "template" not in text
    with pytest.raises(NotAChapterError, match="exists already"):
        new_chapter(NAME, book)
    with pytest.raises(NotAChapterError, match=r"the label \(many-heads\)= is taken"):
        new_chapter("13-many-heads", book)


@pytest.mark.parametrize("name", ["heads", "7-heads", "07-Heads", "07-heads.md", "../07-x", "07_x"])
def test_a_name_that_no_chapter_can_have_is_named(name, book):
    with pytest.raises(NotAChapterError, match=re.escape(repr(name))):
        new_chapter(name, book)


def test_the_command_says_what_comes_next_or_what_is_wrong(book, monkeypatch, capsys):
    monkeypatch.chdir(book)
    assert main([]) == 2
    assert main([NAME]) == 0
    assert main([NAME]) == 1
    said = capsys.readouterr()
    assert "make live" in said.out
    assert "exists already" in said.err


def test_the_template_shows_every_device_that_chapters_use():
    """A directive or role that a chapter uses and the template does not is missing there."""
    used = set()
    for chapter in (ROOT / "book").glob("[0-9][0-9]-*.md"):
        used |= devices(chapter)
    assert used - devices(TEMPLATE) <= {
        "{figure}",
        "{py:func}",
        "{py:class}",
        "{py:mod}",
        "{doc}",
        "{term}",
    }


def devices(path):
    text = path.read_text(encoding="utf-8")
    page = Reading.of(path).page(path, text)
    tags = {f"tag {tag}" for cell in page.cells for tag in cell.tags}
    return tags | set(re.findall(r"(?<![\w^\\])\{[a-z][\w:-]*\}(?=`|[ ]\S|$)", text, re.MULTILINE))
