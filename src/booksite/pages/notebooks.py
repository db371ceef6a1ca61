"""Each chapter as an executed notebook that any Jupyter shows without knowing this book's roles."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import nbformat
from docutils import nodes
from markdown_it.token import Token
from sphinx.application import Sphinx

from everydigit.text.markdown import PLACES, Directive, parser, read_directive
from everydigit.text.page import split_claim
from everydigit.text.positions import places
from everydigit.text.reading import EXTENSIONS
from everydigit.text.vocabulary import MATH, VERBATIM

_ROLE = re.compile(r"\{[^}]+\}(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_DIRECTIVE = re.compile(r"\s*\{([^\s}]+)\}")
_NAMED = {"exercise": "**Exercise.**", "solution": "**Solution.**", "math": "$$"}
_CLOSED = {"math": "$$"}
# From a line and a column to a line and a column, all from 0, and what takes the place.
Edit = tuple[int, int, int, int, str]


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
    lines = [*markdown.split("\n"), ""]  # an edit may end where the last line does
    for first, start, last, end, text in sorted(_edits(lines, markdown, 0), reverse=True):
        lines[first : last + 1] = (lines[first][:start] + text + lines[last][end:]).split("\n")
    return "\n".join(lines[:-1])


def _edits(lines: list[str], markdown: str, base: int) -> Iterator[Edit]:
    """The edits of a part that begins at line `base`."""
    env: dict[str, Any] = {}
    cursors: dict[int, int] = {}
    found = parser(EXTENSIONS).parse(markdown, env)
    for before, token in pairwise([Token("", "", 0), *found]):
        first, end = (base + row for row in token.map or (0, 0))
        if token.type in ("myst_target", "myst_line_comment"):
            yield first, 0, end, 0, ""
        elif token.type in ("fence", "colon_fence") and (name := _DIRECTIVE.match(token.info)):
            yield from _directive(lines, token, read_directive(token, name[1], first), end - 1)
        elif token.type == "inline":
            within = cursors if before.tag in ("td", "th") else None
            where = places(lines, token.content, first, within)
            for child in token.children or []:
                if child.type == "myst_role":
                    start = env[PLACES][id(child)]
                    source = _ROLE.match(token.content, start)
                    assert source is not None
                    (row, column), (last, stop) = where(start), where(source.end())
                    titled = split_claim(child.content)
                    shown = titled[0] if titled else child.content
                    yield row - 1, column - 1, last - 1, stop - 1, shown


def _directive(lines: list[str], token: Token, block: Directive, last: int) -> Iterator[Edit]:
    """A directive's name in place of its first lines, and its body as it would stand alone."""
    name = block.name
    mark = "" if name == "claim" else _NAMED.get(name, f"**{name.capitalize()}.**") + "\n"
    blank = block.body_line > block.line + 1 and not lines[block.body_line - 1].strip()
    margin = max(lines[block.line].find(token.markup), 0) if mark else 0
    yield block.line, margin, block.body_line, 0, mark + ("\n" if blank else "")
    yield last, margin, last, len(lines[last]), _CLOSED.get(name, "")
    if name not in VERBATIM | MATH:
        yield from _edits(lines, block.body, block.body_line)


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


def offer_notebook(
    app: Sphinx, pagename: str, _template: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Write the notebook of a page with cells, for the theme's download button to name."""
    executed = Path(app.outdir).parent / "jupyter_execute" / f"{pagename}.ipynb"
    if doctree is None or not executed.exists():
        return
    target = Path(app.outdir) / "_sources" / f"{pagename}.ipynb"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(notebook(executed, app.config.project), encoding="utf-8")
    context["ipynb_source"] = f"{pagename}.ipynb"
