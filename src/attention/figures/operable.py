"""What all figures have in common that a reader can operate.

Such a figure holds its default state as a table, and the data from which a script in
`book/assets/` computes every other state. `data-scripts` names the scripts; a page loads those of
the figures it shows. Without a script the table stands alone.
"""

import base64
import json
import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
from jaxtyping import Float

from attention.figures.pictures import Element

Cell = tuple[str, float | None]  # what is written, and how dark: a share, or None


def operable(
    kind: str,
    name: str,
    *,
    default: str,
    data: Mapping[str, Any],
    caption: str,
    scripts: Sequence[str] = ("mathematics.js",),
) -> Element:
    """Wrap a default state and its data; `name` tells figures of one page apart in its address.

    `scripts` come before those that all figures need and the one named after the kind.

    Raises:
        ValueError: the name is not of small letters, digits and hyphens.

    Examples:
        >>> operable("saturation", "wide", default="<p>…</p>", data={}, caption="wide heads")
        <figure: wide heads>

    """
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        raise ValueError(f"name is {name!r}: small letters, digits and hyphens belong here")
    needed = " ".join([*scripts, "figure.js", "controls.js", f"{kind.replace('-', '_')}.js"])
    held = json.dumps(data, allow_nan=False, ensure_ascii=False).replace("<", "\\u003c")
    return Element(
        f'<figure class="operable {kind}" id="figure-{name}" data-figure="{kind}" '
        f'data-name="{name}" data-scripts="{needed}">'
        f'<div class="figure-default">{default}</div>'
        f'<script type="application/json">{held}</script>'
        f"<figcaption>{escape(caption)}</figcaption></figure>",
        caption,
    )


def table(
    caption: str,
    columns: Sequence[str],
    rows: Mapping[str, Sequence[Cell]] | Sequence[tuple[str, Sequence[Cell]]],
    *,
    corner: str = "",
) -> str:
    """Write a table of cells, each as dark as its share.

    Examples:
        >>> table("one", ["key A"], {"query A": [("1.0000", 1.0)]})[:74]
        '<div class="figure-scroll"><table class="figure-table"><caption>one</capti'

    """
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    first = f'<th scope="col">{escape(corner)}</th>' if corner else "<td></td>"
    pairs = rows.items() if isinstance(rows, Mapping) else rows
    body = "".join(
        f'<tr><th scope="row">{escape(row)}</th>{"".join(map(_cell, cells))}</tr>'
        for row, cells in pairs
    )
    return (
        '<div class="figure-scroll">'
        f'<table class="figure-table"><caption>{escape(caption)}</caption>'
        f"<thead><tr>{first}{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def shown(number: float, digits: int = 4) -> str:
    """Write a number with so many decimals and the minus sign of the text.

    Examples:
        >>> shown(-0.5, 2)
        '−0.50'

    """
    return f"{number:.{digits}f}".replace("-", "−")


def shares_rows(
    names: Sequence[str], shares: Float[np.ndarray, "queries keys"], digits: int = 4
) -> list[tuple[str, list[Cell]]]:
    """Make a row of cells for each query.

    Examples:
        >>> shares_rows("A", np.array([[0.25]]))
        [('A', [('0.2500', 0.25)])]

    """
    return [
        (name, [(shown(share, digits), share) for share in row])
        for name, row in zip(names, shares.tolist(), strict=True)
    ]


def packed(array: Float[np.ndarray, "..."]) -> str:
    """Write the bits of an array as text: float64, little-endian, in base 64.

    Examples:
        >>> packed(np.array([1.0]))
        'AAAAAAAA8D8='

    """
    return base64.b64encode(np.ascontiguousarray(array, dtype="<f8").tobytes()).decode()


def _cell(cell: Cell) -> str:
    text, share = cell
    if share is None:
        return f"<td>{escape(text)}</td>"
    return f'<td style="--share: {max(0.0, min(1.0, share)):.3f}">{escape(text)}</td>'
