"""Begin a chapter: `python tools/new_chapter.py 12-many-heads`, or `make new-chapter NAME=…`.

Copies the template to `book/` under that name, with labels of its own, and names the chapter in
the table of contents after the last numbered one.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

_NAME = re.compile(r"\d\d-([a-z][a-z0-9]*(?:-[a-z0-9]+)*)")
_ENTRY = re.compile(r"^( *)- file: book/\d\d-.*\n", re.MULTILINE)
_LABEL = re.compile(r"^\((.+)\)=$", re.MULTILINE)


class NotAChapterError(ValueError):
    """A name no chapter can have; the message says why."""


def new_chapter(name: str, root: Path) -> Path:
    """Write the chapter `name` into the book at `root`; where it is.

    Raises:
        NotAChapterError: the name is not two digits and words, or it is taken.

    """
    match = _NAME.fullmatch(name)
    if not match:
        raise NotAChapterError(f"{name!r} is not two digits and words, like 12-many-heads")
    label, page, contents = match[1], root / f"book/{name}.md", root / "_toc.yml"
    if page.exists():
        raise NotAChapterError(f"{page.relative_to(root).as_posix()} exists already")
    if label in _labels(root):
        raise NotAChapterError(f"the label ({label})= is taken: choose other words")
    toc = contents.read_text(encoding="utf-8")
    *_, last = _ENTRY.finditer(toc)
    entry = f"{last[1]}- file: book/{name}\n"
    template = (root / "templates/chapter.md").read_text(encoding="utf-8")
    page.write_text(_renamed(template, label), encoding="utf-8")
    contents.write_text(toc[: last.end()] + entry + toc[last.end() :], encoding="utf-8")
    return page


def _labels(root: Path) -> set[str]:
    pages = (root / "book").glob("*.md")
    return {label for page in pages for label in _LABEL.findall(page.read_text(encoding="utf-8"))}


def _renamed(template: str, label: str) -> str:
    """The template with the new chapter's labels."""
    return template.replace("(template)=", f"({label})=").replace("ex-template-", f"ex-{label}-")


def main(names: list[str]) -> int:
    """Begin one chapter and say what comes next."""
    if len(names) != 1 or not names[0]:
        print("name one chapter: make new-chapter NAME=12-many-heads", file=sys.stderr)
        return 2
    try:
        page = new_chapter(names[0], Path.cwd())
    except NotAChapterError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"book/{page.name} is there, and in _toc.yml.")
    print("Write it with `make live`, and name it in the list of book/index.md.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
