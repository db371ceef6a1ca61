"""MyST Markdown with the place of every word kept: what markdown-it-py does not tell."""

from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, Literal

from docutils.parsers.rst import Directive as RstDirective
from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.directives import parse_directive_text
from myst_parser.parsers.mdit import create_md_parser

Kind = Literal["text", "math", "code"]
PLACES = "places"  # in the parser's env: where in its inline source each token began


@dataclass(frozen=True)
class Piece:
    """A stretch of visible words or of a formula that stands on one line of the source."""

    text: str
    kind: Kind
    line: int  # from 1
    column: int  # from 1
    further: tuple[int, ...] = ()  # the columns at which its further lines begin
    group: int = 0  # the paragraph, cell or formula that it is part of
    about: bool = False  # whether "about" or the like stands before it, outside its claim


@dataclass
class Directive:
    """A directive taken apart; `body` starts on line `body_line` (from 0) of the page."""

    name: str
    argument: str
    options: dict[str, Any]
    body: str
    body_line: int
    line: int
    problem: str | None = None
    option_lines: range = field(default_factory=lambda: range(0))


class _State(StateInline):
    """Remembers where each token began, text included."""

    def __init__(self, src: str, md: MarkdownIt, env: Any, out: list[Token]) -> None:
        self._pending = ""
        self._began = 0
        super().__init__(src, md, env, out)

    @property
    def pending(self) -> str:
        return self._pending

    @pending.setter
    def pending(self, text: str) -> None:
        if text and not self._pending:
            self._began = self.pos
        self._pending = text

    def pushPending(self) -> Token:  # noqa: N802 (markdown-it's own name)
        began = self._began
        token = super().pushPending()
        return self._note(token, began)

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        return self._note(super().push(ttype, tag, nesting), self.pos)

    def _note(self, token: Token, position: int) -> Token:
        self.env.setdefault(PLACES, {})[id(token)] = position
        return token


class _Inline(ParserInline):
    def parse(self, src: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> list[Token]:
        state = _State(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


@cache
def parser(extensions: frozenset[str], *, github: bool = False) -> MarkdownIt:
    """The parser of the site (or of GitHub), with places and without joining of texts."""
    config = MdParserConfig(enable_extensions=set(extensions), gfm_only=github)
    md = create_md_parser(config, RendererHTML)
    inline = _Inline()
    inline.ruler, inline.ruler2 = md.inline.ruler, md.inline.ruler2
    md.inline = inline
    md.disable("text_join")
    md.inline.ruler2.disable("fragments_join")
    return md


class _AnyDirective(RstDirective):
    """Lets MyST's own reader take any directive apart: an argument, options, a body."""

    option_spec: ClassVar[Any] = {"any": str}
    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True


def read_directive(token: Token, name: str, line: int) -> Directive:
    """Take a fence token apart as MyST does; it stands on `line` (from 0) of the page."""
    _, _, argument = token.info.strip().partition("}")
    result = parse_directive_text(
        _AnyDirective, argument.strip(), token.content, validate_options=False
    )
    body = "\n".join(result.body).rstrip()
    rows = len(body.split("\n")) if body else 0
    body_line = line + 1 + len(token.content.rstrip().split("\n")) - rows
    return Directive(
        name=name,
        argument=argument.strip(),
        options=result.options,
        body=body,
        body_line=body_line,
        line=line,
        problem=str(result.warnings[0].msg) if result.warnings else None,
        option_lines=range(line + 1, body_line),
    )
