"""How the pages of a book are read: by what its configuration says, for whoever reads them."""

import ast
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import yaml

from everydigit.text.blocks import Blocks
from everydigit.text.builder import PageBuilder
from everydigit.text.markdown import parser
from everydigit.text.page import Page
from everydigit.text.vocabulary import PROSE, VERBATIM

# The extensions Jupyter Book turns on by itself, and those that only add block structure.
EXTENSIONS = frozenset({"colon_fence", "dollarmath", "linkify", "substitution", "tasklist"})


@dataclass(frozen=True)
class Reading:
    """The extensions of MyST that the site turns on, and further directives.

    `prose` names those whose body is words to read, `verbatim` those whose body is not.
    """

    extensions: frozenset[str] = EXTENSIONS
    prose: frozenset[str] = frozenset()
    verbatim: frozenset[str] = frozenset()

    @classmethod
    def of(cls, path: Path) -> Self:
        """As the nearest `_config.yml` or `conf.py` beside or above `path` says, if there is one.

        Of a `conf.py` only lists that are written out are read: nothing is run.
        """
        beside = (f / n for f in path.resolve().parents for n in ("_config.yml", "conf.py"))
        config = next(filter(Path.is_file, beside), None)
        said = _settings(config) if config else {}
        return cls(
            frozenset(said.get("myst_enable_extensions", EXTENSIONS)),
            *(frozenset(said.get(f"claims_{body}", ())) for body in ("prose", "verbatim")),
        )

    def page(self, path: Path, text: str | None = None) -> Page:
        """Read a chapter, or (by its name) a README as GitHub shows it."""
        builder = PageBuilder(path, path.read_text(encoding="utf-8") if text is None else text)
        md = parser(self.extensions, github=builder.github)
        blocks = Blocks(builder, md, PROSE | self.prose, VERBATIM | self.verbatim)
        blocks.walk(builder.page.text, 0)
        return builder.done()


def _settings(config: Path) -> dict[str, Any]:
    """What the configuration tells Sphinx."""
    text = config.read_text(encoding="utf-8")
    if config.suffix == ".yml":
        book = yaml.safe_load(text) or {}
        return {**(book.get("parse") or {}), **((book.get("sphinx") or {}).get("config") or {})}
    found: dict[str, Any] = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            with suppress(ValueError):
                found[node.targets[0].id] = ast.literal_eval(node.value)
    return found
