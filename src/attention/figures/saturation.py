"""Saturation: what a wider key makes of the shares, with and without the division."""

import numpy as np
from jaxtyping import Float

from attention.arguments import require_count
from attention.core import scores, softmax
from attention.figures.operable import Cell, operable, shown, table
from attention.figures.pictures import Element
from attention.figures.random_bits import uniform
from attention.measures import entropy_bits, jacobian_norm

KEYS = 16
WIDEST = 1024
SUMMED = 12  # uniform numbers a component


def components(seed: int) -> Float[np.ndarray, "vectors width"]:
    """Draw a query and 16 keys of the greatest width: components of mean zero and variance one.

    Each component is the sum of 12 uniform numbers, less 6: nearly normal, and exact in float64,
    so that a page draws the same bits. A narrower head uses the first components.

    Shapes: result `(17, 1024)`; row 0 is the query.

    Raises:
        TypeError, ValueError: as `uniform`.

    Source: a uniform number has variance 1/12.

    Examples:
        >>> components(1).shape
        (17, 1024)

    """
    drawn = uniform(seed, (1 + KEYS) * WIDEST * SUMMED)
    summed: Float[np.ndarray, "vectors width"] = (
        drawn.reshape(1 + KEYS, WIDEST, SUMMED).sum(axis=-1) - SUMMED / 2
    )
    return summed


def saturation(
    *, caption: str, width: int = 64, seed: int = 1, name: str = "saturation"
) -> Element:
    """Show the shares of one query over 16 keys at a width, undivided and divided by its root.

    Units: entropy in bits; the norm of the Jacobian in shares per nat of score.

    Raises:
        TypeError: width or seed is no whole number.
        ValueError: width is no power of two up to 1024, or the seed is out of range.

    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.2.1 and its footnote 4.

    Examples:
        >>> saturation(caption="one draw")
        <figure: one draw>

    """
    if require_count("width", width, 1) not in (widths := [2**i for i in range(11)]):
        raise ValueError(f"width is {width}: one of {', '.join(map(str, widths))} belongs here")
    drawn = components(seed)
    pairs = [
        softmax(scores(drawn[:1, :width], drawn[1:, :width], scale)[0]) for scale in (1.0, None)
    ]
    rows: list[tuple[str, list[Cell]]] = [
        ("entropy, bits", [(shown(float(entropy_bits(p))), None) for p in pairs]),
        ("Jacobian norm", [(shown(float(jacobian_norm(p))), None) for p in pairs]),
    ]
    rows += [(f"key {i + 1}", [(shown(p[i]), float(p[i])) for p in pairs]) for i in range(KEYS)]
    heading = f"Shares at a width of {width}"
    data = {"keys": KEYS, "widths": widths, "summed": SUMMED, "width": width, "seed": seed}
    default = table(heading, ["undivided", "divided"], rows)
    return operable("saturation", name, default=default, data=data, caption=caption)
