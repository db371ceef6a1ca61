"""Dropout over many masks: with one factor the mean comes near the shares, with the other not."""

import numpy as np
from jaxtyping import Bool, Float

from attention.arguments import require_count, require_shares
from attention.figures.operable import Cell, operable, shown, table
from attention.figures.pictures import Element
from attention.figures.random_bits import uniform

MOST = 100_000  # masks a page draws


def kept(seed: int, masks: int, keys: int, rate: float) -> Bool[np.ndarray, "masks keys"]:
    """Draw masks: a key is kept where its uniform number is at least the rate.

    Shapes: result `(masks, keys)`, drawn row by row; more masks begin with the same ones.

    Raises:
        TypeError, ValueError: as `uniform`.

    Source: `attention.dropout.dropout`.

    Examples:
        >>> kept(1, 2, 3, 0.5)
        array([[ True, False,  True],
               [False, False,  True]])

    """
    drawn: Bool[np.ndarray, "masks keys"] = uniform(seed, masks * keys).reshape(masks, keys) >= rate
    return drawn


def dropout_means(
    shares: Float[np.ndarray, " keys"],
    *,
    caption: str,
    rate: float = 0.2,
    masks: int = 1000,
    seed: int = 1,
    name: str = "dropout",
) -> Element:
    """Show one row under its latest mask, and its mean over all masks with 1/(1−p) and with 1/p.

    Shapes: shares `(keys,)`.

    Raises:
        TypeError: shares are no floats, or masks or seed is no whole number.
        ValueError: shares do not sum to one, the rate is not between 0.05 and 0.95, or there are
            more than 100,000 masks.

    Source: as `attention.dropout.dropout`.

    Examples:
        >>> dropout_means(np.array([0.25, 0.75]), caption="a row of two")
        <figure: a row of two>

    """
    require_shares(shares=shares)
    if not 0.05 <= rate <= 0.95:
        raise ValueError(f"rate is {rate}: it must be from 0.05 to 0.95")
    if require_count("masks", masks, 1) > MOST:
        raise ValueError(f"masks is {masks}: a page draws at most {MOST}")
    mask = kept(seed, masks, shares.size, rate)
    columns = [
        shares,
        shares * mask[-1] / (1 - rate),
        shares * mask.mean(axis=0) / (1 - rate),
        shares * mask.mean(axis=0) / rate,
    ]
    rows: list[tuple[str, list[Cell]]] = [
        ("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i], [(shown(c[i]), float(c[i])) for c in columns])
        for i in range(shares.size)
    ]
    rows.append(("sum", [(shown(c.sum()), None) for c in columns]))
    default = table(
        f"Rate {rate}, {masks:,} masks",
        ["share", "latest mask", "mean, 1/(1−p)", "mean, 1/p"],
        rows,
        corner="key",
    )
    data = {"shares": shares.tolist(), "rate": rate, "masks": masks, "seed": seed, "most": MOST}
    return operable("dropout-means", name, default=default, data=data, caption=caption)
