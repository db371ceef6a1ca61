"""Curves and histograms in the book's one style: SVG that reads in light and in dark.

Matplotlib draws with a few marker colours, and each becomes a colour of the page: the ink is
the page's own text colour, the series colours are declared in `book/assets/book.css`.
"""

import io
import re
from html import escape
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from attention.figures import Element

INK = "#010203"  # becomes the text colour of the page
FIRST, SECOND, THIRD = "#010211", "#010212", "#010213"  # become the page's series colours
_COLOURS = {
    INK: "currentColor",
    FIRST: "var(--series-1)",
    SECOND: "var(--series-2)",
    THIRD: "var(--series-3)",
}
_UNSAID = ("Date", "Creator", "Format", "Type")  # who drew it, when and how
_STYLE: Any = {
    "svg.fonttype": "none",  # words stay words
    "font.family": "sans-serif",
    "font.size": 9,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "xtick.color": INK,
    "ytick.color": INK,
    "lines.linewidth": 1.5,
}


def axes(width: float = 3.6, height: float = 2.4) -> tuple[Figure, Axes]:
    """Begin a drawing, sized in inches for a phone's width; a larger page enlarges it.

    Examples:
        >>> figure, ax = axes(width=3.0)
        >>> float(figure.get_figwidth())
        3.0

    """
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        return figure, figure.subplots()


def drawing(figure: Figure, *, caption: str, description: str) -> Element:
    """Show a figure as SVG in the page's colours.

    `description` says in words what the picture shows, for those who do not see it.

    Raises:
        ValueError: the description is empty.

    Examples:
        >>> figure, ax = axes()
        >>> lines = ax.plot([0, 1], [0, 1], color=FIRST)
        >>> drawing(figure, caption="a line", description="A line that rises.")
        <figure: a line>

    """
    if not description.strip():
        raise ValueError("a drawing needs a description for those who do not see it")
    for legend in filter(None, (ax.get_legend() for ax in figure.axes)):
        legend.set_frame_on(False)
        for text in legend.get_texts():
            text.set_color(INK)
    buffer = io.StringIO()
    # The same picture is the same file, and no two on a page share a name.
    with mpl.rc_context({**_STYLE, "svg.hashsalt": caption}):
        figure.savefig(buffer, format="svg", metadata=dict.fromkeys(_UNSAID), transparent=True)
    svg = buffer.getvalue()
    svg = _without_unused_names(svg[svg.index("<svg") :])
    for marker, colour in _COLOURS.items():
        svg = svg.replace(marker, colour)
    label = escape(description, quote=True)
    svg = re.sub(r'<svg[^>]*viewBox="([^"]*)"[^>]*>', _opening(label), svg, count=1)
    return Element(
        f'<figure class="drawing">{svg}<figcaption>{escape(caption)}</figcaption></figure>', caption
    )


def _without_unused_names(svg: str) -> str:
    used = set(re.findall(r'(?:href="|url\()#([^")]+)', svg))
    return re.sub(r' id="([^"]+)"', lambda name: name[0] if name[1] in used else "", svg)


def _opening(label: str) -> str:
    label = label.replace("\\", r"\\")
    namespaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return rf'<svg {namespaces} viewBox="\1" role="img" aria-label="{label}">'
