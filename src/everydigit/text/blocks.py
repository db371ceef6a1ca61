"""Read the blocks of a page: paragraphs and tables, cells and other directives."""

import re
from difflib import get_close_matches
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from everydigit.text import asides, vocabulary
from everydigit.text.builder import PageBuilder
from everydigit.text.inlines import Inlines
from everydigit.text.markdown import Directive, read_directive
from everydigit.text.page import Cell
from everydigit.text.positions import places
from everydigit.text.sightings import sightings

MYST = "jupytext: {text_representation: {format_name: myst}}"
# What the claims up to the next heading, or the next comment like it, are about.
_ABOUT = re.compile(r"\s*about:\s*(.*)")
_CELLS = ("th_open", "th_close", "td_open", "td_close")
_RUNNABLE = {"python"}
_NAMES = ("claim", "given", "code-cell")
_NEAR = 0.8  # how alike a mistyped name is, as difflib counts
_LOOKS_RUNNABLE = {"py", "python3", "ipython", "ipython3", "pycon"}


def _is_notebook(text: str) -> bool:
    # Not all pages have front matter, and this takes as long to import as all else here.
    from myst_nb.core.read import is_myst_markdown_notebook  # type: ignore[import-untyped]

    return bool(is_myst_markdown_notebook(text))


class Blocks:
    """Walks the blocks of a page and notes its cells and claimed blocks.

    `prose` and `verbatim` name the directives whose body is words to read, and those whose
    body is not.
    """

    def __init__(
        self, builder: PageBuilder, md: MarkdownIt, prose: set[str], verbatim: set[str]
    ) -> None:
        self.builder, self.md = builder, md
        self.inlines = Inlines(builder, md)
        self.prose, self.verbatim = prose, verbatim
        self.nested = 0
        self.notebook = False  # whether the site knows the page for one, by its front matter

    def walk(self, text: str, base: int) -> None:
        """Walk the blocks of `text`, which begins on page line `base` (from 0)."""
        env: dict[str, Any] = {}
        cell = ""
        cursors: dict[int, int] = {}
        builder = self.builder
        for token in self.md.parse(text, env):
            line = base + (token.map or [0])[0]
            if token.type in _CELLS:
                cell = token.tag if token.nesting == 1 else ""
            elif token.type == "inline":
                claim, builder.inside = builder.inside, None if cell == "th" else builder.inside
                where = places(builder.lines, token.content, line, cursors if cell else None)
                self.inlines.walk(token, env, where)
                builder.inside = claim  # header cells are no part of what a claim binds
            else:
                self.block(token, line)

    def block(self, token: Token, line: int) -> None:
        """Read a block that is no paragraph; it begins on `line` (from 0) of the page."""
        if token.type in ("fence", "colon_fence"):
            self.fence(token, line)
        elif token.type in ("math_block", "math_block_label", "amsmath"):
            asides.math_block(self.builder, token.content, line)
        elif token.type == "heading_open":
            self.builder.topics = ()
        elif token.type == "myst_line_comment" and (about := _ABOUT.match(token.content)):
            self.builder.topics = tuple(about[1].split())
        elif token.type == "front_matter":
            self.notebook = _is_notebook(self.builder.page.text)
            asides.front_words(self.inlines, token, line)
        elif token.type == "ordered_list_open" and "start" in token.attrs:
            asides.list_start(self.builder, str(token.attrs["start"]), line)
        elif token.type == "html_block":
            asides.html(self.builder, token.content, line)
        elif token.type == "code_block":
            self.builder.quote(token.content, line)
        elif token.type == "substitution_block":
            self.builder.problem(line, "a substitution hides what it shows")

    def fence(self, token: Token, line: int) -> None:
        """Tell a directive, runnable code and quoted text apart."""
        info = token.info.strip()
        first, end = token.map or [0, 0]
        if len(token.content.splitlines()) == end - first - 1:
            self.builder.problem(line, "this fence is never closed: all below it is inside")
        named = re.match(r"\{([^\s}]+)\}", info)
        if named and not self.builder.github:
            return self.directive(read_directive(token, named[1], line), token)
        if info in _RUNNABLE:
            self.builder.sight(line, "cell")
            return self.builder.page.cells.append(Cell(token.content, line + 1, line + 2))
        language = info.split()[0].lower() if info else ""
        near = get_close_matches(language.strip("{}"), _NAMES, cutoff=_NEAR)
        if near and not any(sightings(self.builder.lines[line])):
            message = f"{language!r} looks like {{{near[0]}}}: its body is not checked"
            self.builder.problem(line, message)
        if language in _RUNNABLE | _LOOKS_RUNNABLE:
            self.builder.sight(line, "cell")
            message = f"code in {info!r} is shown and never run: write python"
            return self.builder.problem(line, message)
        return self.builder.quote(token.content, line + 1)

    def directive(self, block: Directive, token: Token) -> None:
        """Read a directive by its name; an unknown one is a problem, never passed over."""
        name, line = block.name, block.line
        if block.problem:
            self.builder.problem(line, f"{{{name}}}: {block.problem}")
        if name == vocabulary.CELL:
            self.cell(block, token)
        elif name == "claim":
            self.claim(block)
        elif name in vocabulary.MATH:
            for latex, row in ((block.argument, line), (block.body, block.body_line)):
                if latex:
                    asides.math_block(self.builder, latex, row)
        elif name in self.verbatim:
            self.builder.quote(block.body, block.body_line)
        elif name in self.prose:
            if name not in vocabulary.UNTITLED:
                self.inlines.words(block.argument, line)
            self.nested += 1
            self.walk(block.body, block.body_line)
            self.nested -= 1
        else:
            self.builder.problem(line, f"unknown directive {{{name}}}: its numbers are not read")
        asides.option_words(self.inlines, block)

    def cell(self, block: Directive, token: Token) -> None:
        """Take in a cell, if the site runs it too."""
        self.builder.sight(block.line, "cell")
        if block.argument not in _RUNNABLE:
            language = repr(block.argument) if block.argument else "without a language"
            message = f"a code-cell {language} is never checked: write python"
            return self.builder.problem(block.line, message)
        if not self.notebook:
            message = f"the site runs no cell of this page: its front matter lacks {MYST}"
            self.builder.problem(block.line, message)
        self.notebook = True  # it is said once, at the first cell
        if token.type != "fence" or self.nested or token.level or token.info[0] != "{":
            message = "the site runs a code-cell only at the top level, between backticks"
            return self.builder.problem(block.line, message)
        if "load" in block.options:
            return self.builder.problem(block.line, "a code-cell with :load: is not checked")
        tags = block.options.get("tags", [])
        tags = tuple(tags.split()) if isinstance(tags, str) else tuple(map(str, tags))
        cell = Cell(block.body + "\n", block.line + 1, block.body_line + 1, tags)
        return self.builder.page.cells.append(cell)

    def claim(self, block: Directive) -> None:
        """Read a claimed table or formula."""
        builder, line, target = self.builder, block.line, block.argument
        builder.sight(line, "claim")
        if not target:
            return builder.problem(line, "a claim without a target: write it after {claim}")
        with builder.filling(builder.claim(target, line + 1, builder.indent(line), target)):
            self.walk(block.body, block.body_line)
        return None
