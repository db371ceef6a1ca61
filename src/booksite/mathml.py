"""Formulas as MathML, made when the site is built: no script, nothing fetched, readable offline.

latex2mathml sets plain formulas well and passes over in silence what it does not know.
So its result is looked through, and a construct that it cannot set fails the build.
"""

import re
from typing import Any
from xml.etree import ElementTree

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

# Set wrongly, without a word: rows are lost, numbers doubled, weights dropped.
_MISSET = re.compile(
    r"\\(?:begin\s*\{(?:aligned|align|alignat|gather|gathered|split|multline|eqnarray)\*?\}"
    r"|tag|boldsymbol|bm|lVert|rVert)(?![A-Za-z])"
)
_LEFT_OVER = re.compile(r"[\\&]")


class CannotSetError(ValueError):
    """A formula that would be shown wrongly; the message quotes it."""


def to_mathml(latex: str, *, display: bool) -> str:
    """The formula as a `<math>` element.

    Raises
    ------
    CannotSetError
        If the formula holds a construct that is not set faithfully.

    Examples
    --------
    >>> to_mathml("x_1", display=False).partition("<mrow>")[2]
    '<msub><mi>x</mi><mn>1</mn></msub></mrow></math>'

    """
    if found := _MISSET.search(latex):
        raise CannotSetError(f"cannot set {found[0]} of the formula {latex.strip()!r}")
    bare = re.sub(r"\\.", "", latex)
    if bare.count("{") != bare.count("}"):
        raise CannotSetError(f"braces do not match in the formula {latex.strip()!r}")
    try:
        mathml = convert(latex.strip(), display="block" if display else "inline")
        words = ElementTree.fromstring(mathml).itertext()
    except Exception as error:
        raise CannotSetError(f"cannot set the formula {latex.strip()!r}: {error!r}") from error
    for word in words:
        if _LEFT_OVER.search(word):
            raise CannotSetError(f"cannot set {word!r} of the formula {latex.strip()!r}")
    # Infinity is a number and no operator, which would be set with room around it.
    return str(mathml).replace("<mo>&#x0221E;</mo>", "<mi>&#x0221E;</mi>")


def _set(translator: Any, node: nodes.Element, *, display: bool) -> str:
    try:
        return to_mathml(node.astext(), display=display)
    except CannotSetError as error:
        raise ExtensionError(f"{translator.builder.current_docname}: {error}") from error


def _inline(translator: Any, node: nodes.Element) -> None:
    translator.body.append(_set(translator, node, display=False))
    raise nodes.SkipNode


def _display(translator: Any, node: nodes.Element) -> None:
    translator.body.append(translator.starttag(node, "div", CLASS="math math-display"))
    if node["number"]:
        translator.body.append(f'<span class="eqno">({node["number"]})</span>')
    translator.body.append(_set(translator, node, display=True) + "</div>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Offer `html_math_renderer = "mathml"`."""
    app.add_html_math_renderer("mathml", (_inline, None), (_display, None))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
