"""Read a page: its cells, its claims, and the numbers that no claim covers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from markdown_it.token import Token

from everydigit.text import markdown, vocabulary
from everydigit.text.asides import Asides
from everydigit.text.markdown import Directive
from everydigit.text.page import Cell, Page, Problem
from everydigit.text.positions import places
from everydigit.text.sightings import sightings

MYST = "jupytext: {text_representation: {format_name: myst}}"
# What the claims up to the next heading, or the next comment like it, are about.
_ABOUT = re.compile(r"\s*about:\s*(.*)")
_RUNNABLE = {"python"}
_NAMES = ("claim", "given", "code-cell")
_NEAR = 0.8  # how alike a mistyped name is, as difflib counts
_LOOKS_RUNNABLE = {"py", "python3", "ipython", "ipython3", "pycon"}


def read_page(
    path: Path,
    text: str,
    *,
    extensions: frozenset[str] = markdown.EXTENSIONS,
    prose: frozenset[str] = frozenset(),
    verbatim: frozenset[str] = frozenset(),
) -> Page:
    """Read a chapter, or (by its name) a README as GitHub shows it.

    `prose` and `verbatim` name further directives: those whose body is words to read, and
    those whose body is not.
    """
    reader = _Reader(path, text, extensions, prose, verbatim)
    reader.blocks(text, 0)
    page = reader.page
    page.problems += _uncounted(page)
    page.problems += [
        Problem(n.line, n.column, f"{n.number.text.strip()} is neither claimed nor given")
        for n in page.naked
    ]
    page.problems.sort(key=lambda p: (p.line, p.column))
    return page


def _uncounted(page: Page) -> Iterator[Problem]:
    """Found equals run: what looks like a check and was not read as one."""
    read = sorted((s.line, s.what) for s in page.sightings)
    for seen in sightings(page.text):
        if (seen.line, seen.what) in read:
            read.remove((seen.line, seen.what))
        elif not any(p.line == seen.line for p in page.problems):
            yield Problem(
                seen.line,
                seen.column,
                f"this looks like a {seen.what} but would never be checked: {seen.text.strip()}",
            )
    for line, what in read:
        yield Problem(line, 1, f"a {what} was read here that a plain count does not find")


def _is_notebook(text: str) -> bool:
    # Not all pages have front matter, and this takes as long to import as all else here.
    from myst_nb.core.read import is_myst_markdown_notebook  # type: ignore[import-untyped]

    return bool(is_myst_markdown_notebook(text))


class _Reader(Asides):
    """Walks the blocks of a page."""

    notebook = False  # whether the site knows the page for one, by its front matter

    def blocks(self, text: str, base: int) -> None:
        """Walk the blocks of `text`, which begins on page line `base` (from 0)."""
        env: dict[str, Any] = {}
        cell = ""
        cursors: dict[int, int] = {}
        for token in self.md.parse(text, env):
            if token.type in ("th_open", "th_close", "td_open", "td_close"):
                cell = token.tag if token.nesting == 1 else ""
            elif token.type == "inline":
                claim, self.inside = self.inside, None if cell == "th" else self.inside
                self.inline(token, env, places(self.lines, token, base, cursors if cell else None))
                self.inside = claim  # header cells are no part of what a claim binds
            elif token.type in ("fence", "colon_fence"):
                self.fence(token, base)
            elif token.type in ("math_block", "math_block_label", "amsmath"):
                self.math_block(token.content, base + (token.map or [0])[0])
            elif token.type == "heading_open":
                self.topics = ()
            elif token.type == "myst_line_comment" and (about := _ABOUT.match(token.content)):
                self.topics = tuple(about[1].split())
            elif token.type == "front_matter":
                self.notebook = _is_notebook(self.page.text)
                self.front_words(token)
            elif token.type == "ordered_list_open" and "start" in token.attrs:
                self.list_start(str(token.attrs["start"]), base + (token.map or [0])[0])
            elif token.type == "html_block":
                self.html(token, base)
            elif token.type == "code_block":
                self.quote(token.content, base + (token.map or [0])[0])
            elif token.type == "substitution_block":
                self.problem(base + (token.map or [0])[0], "a substitution hides what it shows")

    def fence(self, token: Token, base: int) -> None:
        """Tell a directive, runnable code and quoted text apart."""
        info = token.info.strip()
        line, end = (base + row for row in token.map or [0, 0])
        if len(token.content.splitlines()) == end - line - 1:
            self.problem(line, "this fence is never closed: all below it is inside")
        named = re.match(r"\{([^\s}]+)\}", info)
        if named and not self.github:
            return self.directive(markdown.read_directive(token, named[1], base), token)
        language = info.split()[0].lower() if info else ""
        if info in _RUNNABLE:
            self.sight(line, "cell")
            return self.cell(Cell(token.content, line + 1, line + 2))
        near = get_close_matches(language.strip("{}"), _NAMES, cutoff=_NEAR)
        if near and not any(sightings(self.lines[line])):
            self.problem(line, f"{language!r} looks like {{{near[0]}}}: its body is not checked")
        if language in _RUNNABLE | _LOOKS_RUNNABLE:
            self.sight(line, "cell")
            return self.problem(line, f"code in {info!r} is shown and never run: write python")
        return self.quote(token.content, line + 1)

    def directive(self, block: Directive, token: Token) -> None:
        """Read a directive by its name; an unknown one is a problem, never passed over."""
        if block.problem:
            self.problem(block.line, f"{{{block.name}}}: {block.problem}")
        if block.name == vocabulary.CELL:
            self.code_cell(block, token)
        elif block.name == "claim":
            self.claim_block(block)
        elif block.name in vocabulary.MATH:
            if block.argument:
                self.math_block(block.argument, block.line)
            if block.body:
                self.math_block(block.body, block.body_line)
        elif block.name in self.verbatim:
            self.quote(block.body, block.body_line)
        elif block.name in self.prose:
            if block.name not in vocabulary.UNTITLED:
                self.words(block.argument, block.line)
            self.nested += 1
            self.blocks(block.body, block.body_line)
            self.nested -= 1
        else:
            self.problem(
                block.line, f"unknown directive {{{block.name}}}: its numbers are not read"
            )
        self.option_words(block)

    def code_cell(self, block: Directive, token: Token) -> None:
        """Take in a cell, if the site runs it too."""
        self.sight(block.line, "cell")
        if block.argument not in _RUNNABLE:
            language = repr(block.argument) if block.argument else "without a language"
            return self.problem(
                block.line, f"a code-cell {language} is never checked: write python"
            )
        self.front_matter(block.line)
        if token.type != "fence" or self.nested or token.level or token.info[0] != "{":
            return self.problem(
                block.line, "the site runs a code-cell only at the top level, between backticks"
            )
        if "load" in block.options:
            return self.problem(block.line, "a code-cell with :load: is not checked")
        tags = block.options.get("tags", [])
        tags = tuple(tags.split()) if isinstance(tags, str) else tuple(map(str, tags))
        return self.cell(Cell(block.body + "\n", block.line + 1, block.body_line + 1, tags))

    def front_matter(self, line: int) -> None:
        """Say once, at the first cell, that the site would take this page for plain text."""
        if not self.notebook:
            self.problem(line, f"the site runs no cell of this page: its front matter lacks {MYST}")
        self.notebook = True

    def cell(self, cell: Cell) -> None:
        """Take in code to run."""
        self.page.cells.append(cell)

    def claim_block(self, block: Directive) -> None:
        """Read a claimed table or formula."""
        self.sight(block.line, "claim")
        if not block.argument:
            return self.problem(block.line, "a claim without a target: write it after {claim}")
        column = self._indent(block.line)
        claim = self._claim(block.argument, block.line + 1, column, block.argument)
        with self._filling(claim):
            self.blocks(block.body, block.body_line)
        return None
