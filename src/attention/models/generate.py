"""Let a model write names: one token at a time, each drawn from what it predicts."""

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from attention.arguments import require_count
from attention.models.kinds import KINDS
from attention.models.layers import Weights
from attention.names.grammar import BOS, EOS, PAD, POSITIONS, automaton


def choose(
    logits: Float[Tensor, "*names vocabulary"], uniform: Float[Tensor, "*names"]
) -> Int[Tensor, "*names"]:
    """Turn numbers uniform between 0 and 1 into tokens with the logits' probabilities.

    PAD and BOS, which continue no name, are left out.

    Shapes: logits `(..., 25)`, uniform and result `(...)`.

    Source: inversion of the cumulative distribution (definition).

    Examples:
        >>> choose(torch.zeros(2, 25), torch.tensor([0.0, 0.999]))
        tensor([ 2, 24])

    """
    possible = logits.clone()
    possible[..., [PAD, BOS]] = -torch.inf
    below = possible.softmax(-1).cumsum(-1)
    places = (below <= uniform[..., None] * below[..., -1:]).sum(-1)
    return places.clamp(max=logits.shape[-1] - 1)


def generate(
    kind: str, weights: Weights, count: int, rng: np.random.Generator
) -> Int[np.ndarray, "names tokens"]:
    """Let one model write names, up to their EOS or to all there is room for.

    Shapes: result `(count, 9)`, rows as `grammar.draw` makes them. A row without EOS is a name
    that the model had not ended when no position was left.

    Raises:
        KeyError: there is no such kind.
        TypeError: count is no whole number.
        ValueError: count is below 1, or the weights are those of several models.

    Examples:
        >>> from attention.models.kinds import draw_weights
        >>> generate("E6", draw_weights("E6", [0]), 2, np.random.default_rng(0)).shape
        (2, 9)

    """
    uniform = torch.tensor(rng.random((require_count("count", count, 1), POSITIONS)))
    rows = torch.full((count, POSITIONS + 1), BOS)
    for i in range(POSITIONS):
        with torch.no_grad():
            logits = KINDS[kind].logits(weights, rows[None, :, : i + 1])[0, :, -1]
        ended = (rows[:, i] == EOS) | (rows[:, i] == PAD)
        rows[:, i + 1] = torch.where(ended, PAD, choose(logits, uniform[:, i]))
    return np.asarray(rows.numpy())


def possible(rows: Int[np.ndarray, "names tokens"]) -> np.ndarray:
    """Tell of each row whether it is a whole name that the grammar could have written.

    Shapes: rows `(names, 9)`, result `(names,)`, booleans.

    Examples:
        >>> from attention.names.grammar import encode
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
