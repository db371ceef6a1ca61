"""Fonts cut down to the characters that the finished site shows."""

import logging
import re
import unicodedata
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from pathlib import Path
from typing import Any
from zlib import crc32

from fontTools import subset
from fontTools.ttLib import TTFont
from sphinx.application import Sphinx

logging.getLogger("fontTools").setLevel(logging.WARNING)  # it tells of every table it drops

_HAND_OVER = """// A font of the page, there before its first line is set.
document.fonts.add(new FontFace("%s",
  Uint8Array.from(atob("%s"), (sign) => sign.charCodeAt(0))));
"""


def subset_font(
    source: Path, target: Path, characters: Iterable[int], features: Iterable[str]
) -> None:
    """Write the font with the given characters and what its features and formulas make of them.

    The format follows from the name of the target: `.woff` or `.woff2`.
    """
    font = TTFont(source, recalcTimestamp=False)  # the same bytes, whenever it is cut
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


def preload_fonts(
    app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    """Put each font that the page needs in place before its first line is set.

    A font that comes with a style sheet, even inside it, comes after the first lines were set
    without it, and they move. A script before them can hand it over at once; without scripts the
    font comes as it can.
    """
    for name, font in app.config.pages_fonts.items():
        if f"<{font['tag']}" in context.get("body", ""):
            script, file = (context["pathto"](f"_static/{one}", 1) for one in (_script(name), name))
            face = f'font-family: "{font["family"]}"; font-display: swap; src: url("{file}")'
            context["metatags"] = (
                f'{context.get("metatags", "")}\n<script src="{script}"></script>'
                f"<noscript><style>@font-face {{ {face} }}</style></noscript>"
            )


def _script(name: str) -> str:
    return f"{Path(name).stem}-font.js"


def write_fonts(app: Sphinx, exception: Exception | None) -> None:
    """Cut each font of the setting `pages_fonts` to what its tag sets, and write its script.

    The setting names, for a font file of `_static`, the `tag` and the `family` of its style.
    """
    if exception or app.builder.format != "html" or app.builder.name == "epub":
        return
    site = Path(app.outdir)
    pages = {page: page.read_text(encoding="utf-8") for page in site.rglob("*.html")}
    checksums: dict[str, str] = {}
    for name, font in app.config.pages_fonts.items():
        shown = set().union(*(characters_of(html, font["tag"]) for html in pages.values()))
        wanted = {ord(sign) for sign in shown | set(italics(shown))}
        whole = next(
            Path(app.confdir, folder, name)
            for folder in app.config.html_static_path
            if Path(app.confdir, folder, name).exists()
        )
        file = site / "_static" / name
        subset_font(whole, file, wanted, ["*"])
        packed = b64encode(file.read_bytes()).decode("ascii")
        script = file.with_name(_script(name))
        script.write_text(_HAND_OVER % (font["family"], packed), encoding="utf-8")
        checksums |= {made.name: f"{crc32(made.read_bytes()):08x}" for made in (file, script)}
    for page, html in pages.items():
        if (new := with_checksums(html, checksums)) != html:
            page.write_text(new, encoding="utf-8")


def with_checksums(html: str, checksums: Mapping[str, str]) -> str:
    """The page with each file's checksum in its address, so that no browser keeps an old one.

    Examples
    --------
    >>> with_checksums('<script src="a/f.js?v=old"></script>', {"f.js": "new"})
    '<script src="a/f.js?v=new"></script>'

    """
    for name, checksum in checksums.items():
        html = re.sub(rf'(/{re.escape(name)})(\?v=\w*)?"', rf'\1?v={checksum}"', html)
    return html
