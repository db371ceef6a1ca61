"""Fonts cut down to the characters that the finished site shows."""

from __future__ import annotations

import logging
import re
import unicodedata
from collections.abc import Iterable, Iterator
from html import unescape
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from sphinx.application import Sphinx

logging.getLogger("fontTools").setLevel(logging.WARNING)  # it tells of every table it drops


def cut(source: Path, target: Path, characters: Iterable[int], features: Iterable[str]) -> None:
    """Write the font with the given characters and what its features and formulas make of them.

    The format follows from the name of the target: `.woff` or `.woff2`.
    """
    font = TTFont(source)
    options = subset.Options(layout_features=list(features), hinting=False, notdef_outline=True)
    worker = subset.Subsetter(options)
    worker.populate(unicodes=characters)
    worker.subset(font)
    font.flavor = target.suffix[1:]
    font.save(target)


def characters_of(html: str, tag: str) -> set[str]:
    """The characters inside the elements of one name.

    Examples
    --------
    >>> sorted(characters_of("<p>ab</p><math><mi>x</mi><mo>&#x2211;</mo></math>", "math"))
    ['x', '∑']

    The sign of a root is written nowhere: the browser draws it.

    >>> sorted(characters_of("<math><msqrt><mi>x</mi></msqrt></math>", "math"))
    ['x', '√']

    """
    elements = re.findall(rf"<{tag}[ >].*?</{tag}>", html, flags=re.DOTALL)
    drawn = "√" * any(root in element for element in elements for root in ("<msqrt", "<mroot"))
    return set(drawn + unescape("".join(re.sub("<[^>]+>", "", element) for element in elements)))


def italics(letters: Iterable[str]) -> Iterator[str]:
    """The mathematical italics that a browser puts in place of single letters.

    Examples
    --------
    >>> [unicodedata.name(sign) for sign in italics("x2h")]
    ['MATHEMATICAL ITALIC SMALL X', 'PLANCK CONSTANT']

    """
    for letter in letters:
        words = unicodedata.name(letter, "").split()
        if words[:1] in (["LATIN"], ["GREEK"]):
            size, name = ("SMALL" if letter.islower() else "CAPITAL"), words[-1]
            try:
                yield unicodedata.lookup(f"MATHEMATICAL ITALIC {size} {name}")
            except KeyError:  # no such letter; h alone has its italic under another name
                yield from "ℎ" if letter == "h" else ""


def write_fonts(app: Sphinx, exception: Exception | None) -> None:
    """Cut each font of the setting `pages_fonts`, a font file of `_static` to the tag it sets."""
    if exception or app.builder.format != "html" or app.builder.name == "epub":
        return
    site = Path(app.outdir)
    pages = [page.read_text(encoding="utf-8") for page in site.rglob("*.html")]
    for name, tag in app.config.pages_fonts.items():
        shown = set().union(*(characters_of(page, tag) for page in pages))
        wanted = {ord(sign) for sign in shown | set(italics(shown))}
        font = site / "_static" / name
        whole = next(
            Path(app.confdir, folder, name)
            for folder in app.config.html_static_path
            if Path(app.confdir, folder, name).exists()
        )
        cut(whole, font, wanted, ["*"])
