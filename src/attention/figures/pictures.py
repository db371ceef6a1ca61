"""Pictures of attention: each is plain HTML or SVG that stands without any script.

Colours come from the page (`book/assets/book.css`), so a figure reads in light and in dark.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from jaxtyping import Float

WIDTH, HEIGHT, MARGIN = 360, 240, 24  # of a drawing, in its own units
LETTER = 8.5  # how wide a letter of a name is at most
Point = Sequence[float]


@dataclass(frozen=True)
class Element:
    """HTML that a notebook cell shows."""

    html: str
    caption: str

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return f"<figure: {self.caption}>"


def shares_table(
    shares: Float[np.ndarray, "queries keys"],
    *,
    queries: Sequence[str],
    keys: Sequence[str],
    caption: str,
    digits: int = 4,
    corner: str = "query",
) -> Element:
    """Show a row for each query, a column for each key; the darker a cell, the larger its share.

    Raises:
        ValueError: there are not as many names as rows or columns.

    Examples:
        >>> shares_table(np.array([[1.0]]), queries=["a"], keys=["a"], caption="one token")
        <figure: one token>

    """
    if shares.shape != (len(queries), len(keys)):
        raise ValueError(
            f"shares {shares.shape} need as many names: "
            f"{len(queries)} queries, {len(keys)} keys were named"
        )
    head = "".join(f'<th scope="col">{escape(key)}</th>' for key in keys)
    rows = "".join(
        f'<tr><th scope="row">{escape(query)}</th>{_cells(row, digits)}</tr>'
        for query, row in zip(queries, shares, strict=True)
    )
    return Element(
        '<figure class="shares"><table>'
        f'<thead><tr><th scope="col">{escape(corner)}</th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table><figcaption>{escape(caption)}</figcaption></figure>",
        caption,
    )


def _cells(row: Float[np.ndarray, " keys"], digits: int) -> str:
    cells = []
    for share in row.tolist():
        shown = f"{share:.{digits}f}".replace("-", "−")
        cells.append(f'<td style="--share: {max(0.0, min(1.0, share)):.3f}">{shown}</td>')
    return "".join(cells)


def plane(
    values: Mapping[str, Point],
    mixtures: Mapping[str, Point],
    *,
    caption: str,
    description: str,
) -> Element:
    """Draw values of width 2 as corners and mixtures of them as dots in between.

    `description` says in words what the drawing shows, for those who do not see it.

    Raises:
        ValueError: a point is not of width 2, or there is none.

    Examples:
        >>> plane({"v1": (0, 0), "v2": (1, 0)}, {"z": (0.5, 0)}, caption="halfway", description="")
        <figure: halfway>

    """
    points = {**values, **mixtures}
    for name, point in points.items():
        if len(point) != 2:
            raise ValueError(f"a plane shows vectors of width 2; {name} has width {len(point)}")
    if not values:
        raise ValueError("a plane needs at least one value")
    side = 16 + LETTER * max(map(len, points))  # room for a name on either side
    place = _placer(list(points.values()), side)
    corners = " ".join("{:.1f},{:.1f}".format(*place(point)) for point in _hull(values))
    marks = [_mark(name, place(point), "value") for name, point in values.items()]
    marks += [_mark(name, place(point), "mixture") for name, point in mixtures.items()]
    return Element(
        f'<figure class="plane"><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(description)}">'
        f'<polygon class="hull" points="{corners}"/>{"".join(marks)}</svg>'
        f"<figcaption>{escape(caption)}</figcaption></figure>",
        caption,
    )


def _placer(points: list[Point], side: float) -> Callable[[Point], tuple[float, float]]:
    """Map the plane to the drawing: each axis fills its side, up is up."""
    low = np.min(np.array(points, dtype=float), axis=0)
    high = np.max(np.array(points, dtype=float), axis=0)
    room = np.array([WIDTH - 2 * side, HEIGHT - 2 * MARGIN])
    scale = room / np.maximum(high - low, 1e-9)

    def place(point: Point) -> tuple[float, float]:
        x, y = (np.asarray(point, dtype=float) - low) * scale
        return float(side + x), float(HEIGHT - MARGIN - y)

    return place


def _hull(values: Mapping[str, Point]) -> list[Point]:
    """The corners around the values, in order (Andrew's monotone chain)."""
    points = sorted({(float(x), float(y)) for x, y in values.values()})

    def half(path: list[tuple[float, float]]) -> list[tuple[float, float]]:
        kept: list[tuple[float, float]] = []
        for x, y in path:
            while len(kept) > 1:
                (x0, y0), (x1, y1) = kept[-2:]
                if (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) > 0:
                    break
                kept.pop()
            kept.append((x, y))
        return kept[:-1]

    return [*half(points), *half(points[::-1])] or list(points)


def _mark(name: str, place: tuple[float, float], kind: str) -> str:
    """A dot with its name beside it: a corner's outwards, a mixture's to the left."""
    x, y = place
    outwards = kind == "value" and x >= WIDTH / 2
    anchor, shift = ("start", 10) if outwards else ("end", -10)
    return (
        f'<g class="{kind}"><circle cx="{x:.1f}" cy="{y:.1f}" r="6"/>'
        f'<text x="{x + shift:.1f}" y="{y + 5:.1f}" text-anchor="{anchor}">{escape(name)}</text>'
        "</g>"
    )
