"""LaTeX as all of this project reads it: what stands at a place of a formula, and of what kind."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

# What a command says that is a single sign in prose.
SAYS = {
    command: sign
    for sign, commands in {
        "×": r"\times \cdot",
        "/": r"\div",
        "≤": r"\le \leq \leqq \leqslant",
        "≥": r"\ge \geq \geqq \geqslant",
        "≠": r"\ne \neq",
        "<": r"\lt",
        ">": r"\gt",
        "≈": r"\approx",
        "|": r"\mid \vert \Vert \|",
        "%": r"\%",
    }.items()
    for command in commands.split()
}
_OF_KIND = {
    "operator": r"+ - − /",
    "product": r"× · ÷ ± ∓ \times \cdot \div \pm \mp",
    "relation": r"""
        = < > ≤ ≥ ≠ ≈ ≡ : \le \leq \leqq \leqslant \ge \geq \geqq \geqslant \ne \neq \lt \gt \ll
        \lll \gg \ggg \lesssim \gtrsim \approx \approxeq \sim \simeq \cong \equiv \propto \asymp
        \doteq \prec \preceq \succ \succeq \in \notin \ni \subset \subseteq \subsetneq \supset
        \supseteq \supsetneq \parallel \perp \models \vdash
    """,
    "arrow": r"""
        \to \gets \mapsto \longmapsto \implies \impliedby \iff \rightarrow \leftarrow
        \leftrightarrow \longrightarrow \longleftarrow \longleftrightarrow \Rightarrow \Leftarrow
        \Leftrightarrow \Longrightarrow \Longleftarrow \Longleftrightarrow \hookrightarrow
    """,
    "space": r"\, \; \: \! \> \thinspace \enspace",
    "wide": r"\quad \qquad",
    "comma": ", . ;",
    "open": r"( [ { \{ \lbrace \lbrack \lvert \lVert \langle \lfloor \lceil",
    "close": r") ] } \} \rbrace \rbrack \rvert \rVert \rangle \rfloor \rceil",
    "bar": r"| \mid \vert \Vert \|",
    "style": r"""
        \left \right \middle \displaystyle \textstyle \hline \big \bigl \bigm \bigr \Big \Bigl
        \Bigm \Bigr \bigg \biggl \biggm \biggr \Bigg \Biggl \Biggm \Biggr
    """,
    "fraction": r"\frac \dfrac \tfrac \cfrac",
    "binomial": r"\binom \dbinom \tbinom",
    "root": r"\sqrt",
}
_KINDS = {text: kind for kind, texts in _OF_KIND.items() for text in texts.split()}
_KINDS |= {"\\ ": "space", "&": "cell"}
_TOKEN = re.compile(
    r"""
    (?P<words>\\(?:text|textrm|textbf|textit|mbox)\s*\{(?P<prose>[^{}]*)\})
    | (?P<silent>\\(?:tag|label|hspace|vspace|color|phantom)\*?\s*\{[^{}]*\})
    | (?P<name>\\(?:ref|eqref|operatorname)\*?\s*\{[^{}]*\})
    | (?P<environment>\\begin\s*\{(?:array|alignedat)\}\s*\{[^{}]*\} | \\(?:begin|end)\s*\{[^{}]*\})
    | (?P<cell>\\\\(?:\*?\[-?[\d.]+\s*[a-z]{2}\])?)
    | (?P<command>\\(?:[A-Za-z]+|.))
    | (?P<blank>[\s~]+)
    | (?P<sign>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_ARGUMENT = re.compile(r"\s*(?:\\[A-Za-z]+|\\.|.)", re.DOTALL)
_OPTION = re.compile(r"\s*\[[^\]]*\]")
NOTHING = {"silent", "style", "space", "blank"}  # kinds that neither say nor name anything


class Token(NamedTuple):
    """What a formula has at `start`: a command by its kind, `words` with their `prose`, a sign."""

    kind: str
    text: str
    start: int
    prose: str = ""

    @property
    def end(self) -> int:
        """Where the next token starts."""
        return self.start + len(self.text)

    @property
    def says(self) -> str:
        """The sign of prose that says the same, if there is one, or the token."""
        return SAYS.get(self.text, self.text)


def token_at(latex: str, position: int) -> Token:
    """The token that starts at `position`."""
    match = _TOKEN.match(latex, position)
    assert match is not None
    assert match.lastgroup is not None
    kind = _KINDS.get(match[0], match.lastgroup)
    return Token(kind, match[0], position, match["prose"] or "")


def tokens(latex: str) -> Iterator[Token]:
    """All tokens of a formula, in order."""
    position = 0
    while position < len(latex):
        yield (token := token_at(latex, position))
        position = token.end


def arguments(latex: str, token: Token) -> list[tuple[int, int]]:
    """From where to where the arguments of a fraction, a binomial or a root reach."""
    option = _OPTION.match(latex, token.end) if token.kind == "root" else None
    places = [option.end() if option else token.end]
    for _ in range({"fraction": 2, "binomial": 2, "root": 1}.get(token.kind, 0)):
        places.append(after_group(latex, places[-1]))
    return list(pairwise(places))


def after_group(latex: str, position: int) -> int:
    """Where the script or argument that starts at `position` ends: one token, or a braced group."""
    match = _ARGUMENT.match(latex, position)
    if match is None:
        return position
    if not match[0].endswith("{") or match[0].endswith("\\{"):
        return match.end()
    depth, position = 1, match.end()
    while position < len(latex) and depth:
        depth += {"{": 1, "}": -1}.get(latex[position], 0)
        position += 2 if latex[position] == "\\" else 1
    return position
