"""Each chapter as an executed notebook that any Jupyter shows without knowing this book's roles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from docutils import nodes
from sphinx.application import Sphinx

_ROLE = re.compile(r"\{[a-z:]+\}(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_TITLE = re.compile(r"(.+?)\s<(?=\S).*>\Z", re.DOTALL)
_FENCE = re.compile(r"\s*(`{3,}|:{3,})(?:\{([\w:-]+)\})?(.*)")
_UNSEEN = re.compile(r"%|\([\w-]+\)=\s*$")  # comments and labels
_OPTION = re.compile(r":[a-z-]+:")
_NAMED = {"exercise": "**Exercise.**", "solution": "**Solution.**", "math": "$$"}
_UNNAMED = {"claim"}
_CLOSED = {"math": "$$"}


def plain(markdown: str) -> str:
    r"""Markdown without MyST's roles, directives, labels and comments; code stays as it is.

    Examples
    --------
    >>> plain("(a)=\n# {claim}`Nine <3 * 3>` of {ref}`them <b>`")
    '# Nine of them'
    >>> plain("```{exercise}\n:label: ex\n\nWhy?\n```")
    '**Exercise.**\n\nWhy?\n'
    >>> plain("```python\n% kept\n```")
    '```python\n% kept\n```'

    """
    return _ROLE.sub(_title, "\n".join(_lines(markdown)))


def _title(role: re.Match[str]) -> str:
    titled = _TITLE.match(role[2])
    return titled[1] if titled else role[2]


def _lines(markdown: str) -> Iterator[str]:
    opened: list[tuple[str, str | None]] = []  # of each open fence, its mark and its directive
    options = False
    for line in markdown.split("\n"):
        fence = _FENCE.fullmatch(line)
        verbatim = bool(opened) and opened[-1][1] is None
        if fence and opened and fence[1] == opened[-1][0] and not fence[2] and not fence[3].strip():
            name = opened.pop()[1]
            yield line if name is None else _CLOSED.get(name, "")
        elif fence and not verbatim:
            name = fence[2]
            opened.append((fence[1], name))
            options = name is not None
            if name not in _UNNAMED:
                yield line if name is None else _NAMED.get(name, f"**{name.capitalize()}.**")
        elif verbatim or not (_UNSEEN.match(line) or (options and _OPTION.match(line))):
            options = False
            yield line


def notebook(executed: Path, title: str) -> str:
    """The executed notebook with plain Markdown and a first cell that says what it needs."""
    book: Any = nbformat.read(executed, as_version=4)  # type: ignore[no-untyped-call]
    for cell in book.cells:
        if cell.cell_type == "markdown":
            cell.source = plain(cell.source)
    said = (
        f"*A chapter of {title}, as it ran when the site was built. To run it again, "
        "install the book's package (`make book`) and open this file in the folder `book/`.*"
    )
    book.cells.insert(0, nbformat.v4.new_markdown_cell(said, id="about"))  # type: ignore[no-untyped-call]
    return str(nbformat.writes(book))  # type: ignore[no-untyped-call]


def offer(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Write the notebook of a page with cells, for the theme's download button to name."""
    executed = Path(app.outdir).parent / "jupyter_execute" / f"{pagename}.ipynb"
    if doctree is None or not executed.exists():
        return
    target = Path(app.outdir) / "_sources" / f"{pagename}.ipynb"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(notebook(executed, app.config.project), encoding="utf-8")
    context["ipynb_source"] = f"{pagename}.ipynb"
