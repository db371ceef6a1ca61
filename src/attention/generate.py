"""Let a model write names: one token at a time, each drawn from what it predicts."""

import numpy as np
import torch
from jaxtyping import Float, Int

from attention.checks import require_count
from attention.core import softmax
from attention.layers import VOCABULARY, Weights
from attention.models import KINDS
from attention.names import BOS, EOS, PAD, POSITIONS, automaton

WRITTEN = np.array([token not in (PAD, BOS) for token in range(VOCABULARY)])


def next_token(
    kind: str, weights: Weights, tokens: Int[np.ndarray, "names tokens"]
) -> Float[np.ndarray, "names vocabulary"]:
    """How probable one model finds each next token; PAD and BOS, which nobody writes, are excluded.

    Shapes: tokens `(names, positions)`, each row from BOS on; result `(names, 25)`.

    Raises:
        KeyError: there is no such kind.
        TypeError: as the model.
        ValueError: as the model, or the weights are those of several models.

    Source: definition; softmax over allowed tokens only, as `attention.softmax`.

    Examples:
        >>> from attention.models import draw_weights
        >>> next_token("E6", draw_weights("E6", [0]), np.array([[BOS, 10]])).sum().round(12)
        np.float64(1.0)

    """
    with torch.no_grad():
        logits = KINDS[kind].logits(weights, torch.tensor(tokens)[None])[0, :, -1]
    return np.asarray(softmax(logits.numpy(), WRITTEN[None]))


def generate(
    kind: str, weights: Weights, count: int, rng: np.random.Generator
) -> Int[np.ndarray, "names tokens"]:
    """Let one model write names, up to their EOS or to all there is room for.

    Shapes: result `(count, 9)`, rows as `names.draw` makes them. A row without EOS is a name
    that the model had not ended when no position was left.

    Raises:
        TypeError: count is no whole number.
        ValueError: count is below 1.

    Examples:
        >>> from attention.models import draw_weights
        >>> generate("E6", draw_weights("E6", [0]), 2, np.random.default_rng(0)).shape
        (2, 9)

    """
    uniform = rng.random((require_count("count", count, 1), POSITIONS))
    rows = np.full((count, POSITIONS + 1), BOS)
    for i in range(POSITIONS):
        reached = np.cumsum(next_token(kind, weights, rows[:, : i + 1]), axis=1)
        drawn = (reached / reached[:, -1:] <= uniform[:, i, None]).sum(axis=1)
        ended = np.isin(rows[:, i], (EOS, PAD))
        rows[:, i + 1] = np.where(ended, PAD, drawn)
    return rows


def possible(rows: Int[np.ndarray, "names tokens"]) -> np.ndarray:
    """Tell of each row whether it is a whole name that the grammar could have written.

    Shapes: rows `(names, 9)`, result `(names,)`, booleans.

    Examples:
        >>> from attention.names import encode
        >>> possible(encode(["davayis", "dddd"]))
        array([ True, False])

    """
    law, following = automaton()
    state = np.zeros(len(rows), int)
    fits = np.ones(len(rows), bool)
    for i in range(1, POSITIONS + 1):
        fits &= law[state, rows[:, i]] > 0.0
        state = following[state, rows[:, i]]
    return fits & np.isin(rows[:, -1], (EOS, PAD))
