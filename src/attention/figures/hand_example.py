"""The hand example, each of whose coordinates a reader can edit."""

import numpy as np
from jaxtyping import Float

from attention.core import attend, scores
from attention.figures.operable import Cell, operable, shares_rows, shown, table
from attention.figures.pictures import Element
from attention.masks import causal


def hand_example(
    query: Float[np.ndarray, "tokens width"],
    key: Float[np.ndarray, "tokens width"],
    value: Float[np.ndarray, "tokens value_width"],
    *,
    caption: str,
    masked: bool = True,
    scaled: bool = True,
    name: str = "hand",
) -> Element:
    """Show scores, shares and outputs of a few tokens; the reader edits what they come from.

    Shapes: query and key `(tokens, width)`, value `(tokens, value_width)`; at most 26 tokens.

    Raises:
        TypeError: the arrays are no floats.
        ValueError: shapes do not fit, or there are more tokens than letters.

    Source: Vaswani et al. 2017, "Attention Is All You Need", eq. 1.

    Examples:
        >>> pairs = np.array([[1.0, 0.0], [0.0, 1.0]])
        >>> hand_example(pairs, pairs, pairs, caption="two tokens")
        <figure: two tokens>

    """
    if len(query) != len(key) or len(query) > 26:
        raise ValueError(
            f"each token, of at most 26, has one query and one key: query {query.shape}, "
            f"key {key.shape}"
        )
    tokens = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: len(query)]
    allowed = causal(len(query)) if masked else np.ones((len(query), len(query)), bool)
    scale = None if scaled else 1.0
    output, shares = attend(query, key, value, allowed, scale)
    products = scores(query, key, scale)
    keys = [f"key {token}" for token in tokens]
    compared = [
        (
            token,
            [(shown(x), None) if may else ("—", None) for x, may in zip(row, mask, strict=True)],
        )
        for token, row, mask in zip(tokens, products.tolist(), allowed, strict=True)
    ]
    given = table(
        "Vectors",
        ["query", "key", "value"],
        {token: [_vector(x[i]) for x in (query, key, value)] for i, token in enumerate(tokens)},
    )
    default = (
        given
        + table("Scores", keys, compared, corner="query")
        + table("Shares", keys, shares_rows(tokens, shares), corner="query")
        + table(
            "Outputs", ["output"], {t: [_vector(z, 4)] for t, z in zip(tokens, output, strict=True)}
        )
    )
    vectors = {"query": query.tolist(), "key": key.tolist(), "value": value.tolist()}
    data = {**vectors, "masked": masked, "scaled": scaled}
    return operable("hand-example", name, default=default, data=data, caption=caption)


def _vector(x: Float[np.ndarray, " width"], digits: int | None = None) -> Cell:
    numbers = [
        f"{c:g}".replace("-", "−") if digits is None else shown(c, digits) for c in x.tolist()
    ]
    return f"({', '.join(numbers)})", None
