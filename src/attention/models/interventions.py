"""Interventions on a trained E6: put other shares in the place of its own, and see what it costs.

A change takes shares `(models, names, heads, queries, keys)` and gives others of the same shape.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from attention.masks import causal
from attention.models.e6 import Trace, e6, resume
from attention.models.layers import Weights
from attention.names.grammar import (
    ENDINGS,
    FAMILIES,
    NONE,
    PAD,
    POSITIONS,
    TOKENS,
    VOWELS,
    State,
    follow,
)

Shares: TypeAlias = Float[Tensor, "models names heads queries keys"]
Change: TypeAlias = Callable[[Shares], Shares]


def zero(shares: Shares) -> Shares:
    """Mix nothing: every share 0, so that rows no longer sum to one.

    Examples:
        >>> zero(torch.ones(1, 1, 1, 1, 1)).item()
        0.0

    """
    return torch.zeros_like(shares)


def uniform(shares: Shares) -> Shares:
    """Every allowed key gets the same share.

    Examples:
        >>> uniform(torch.eye(2)[None, None, None]).squeeze().tolist()
        [[1.0, 0.0], [0.5, 0.5]]

    """
    allowed = torch.tensor(causal(shares.shape[-1]), dtype=shares.dtype)
    return (allowed / allowed.sum(dim=-1, keepdim=True)).expand_as(shares)


def average(shares: Shares) -> Shares:
    """Every name gets the mean pattern over all names: what is left when content is averaged out.

    Examples:
        >>> average(torch.tensor([0.2, 0.4]).reshape(1, 2, 1, 1, 1)).flatten()
        tensor([0.3000, 0.3000])

    """
    return shares.mean(dim=1, keepdim=True).expand_as(shares)


def borrowed(shares: Shares) -> Shares:
    """Every name gets the pattern of the name before it in the batch; the first, the last's.

    Examples:
        >>> borrowed(torch.tensor([0.2, 0.4, 0.6]).reshape(1, 3, 1, 1, 1)).flatten()
        tensor([0.6000, 0.2000, 0.4000])

    """
    return shares.roll(1, dims=1)


def permuted(rng: np.random.Generator) -> Change:
    """Make a change that deals each row's shares anew to its allowed keys, at random.

    Examples:
        >>> shares = torch.tensor([[1.0, 0.0], [0.25, 0.75]])[None, None, None]
        >>> permuted(np.random.default_rng(0))(shares).squeeze().sort().values.tolist()
        [[0.0, 1.0], [0.25, 0.75]]

    """

    def change(shares: Shares) -> Shares:
        lots = torch.tensor(rng.random(tuple(shares.shape)))
        lots = lots.masked_fill(~torch.tensor(causal(shares.shape[-1])), 2.0)  # forbidden: last
        return shares.gather(-1, lots.argsort(dim=-1))

    return change


def without(removed: Bool[np.ndarray, "names queries keys"], heads: Sequence[int]) -> Change:
    """Make a change that takes keys away from some heads and fills their rows up to one again.

    A query that has given everything to what is removed then has all shares 0.

    Shapes: removed `(names, queries, keys)`.

    Examples:
        >>> removed = np.array([[[False, False], [True, False]]])
        >>> without(removed, [0])(torch.full((1, 1, 1, 2, 2), 0.5))[0, 0, 0, 1].tolist()
        [0.0, 1.0]

    """
    kept = torch.tensor(~removed)[None, :, None]

    def change(shares: Shares) -> Shares:
        left = torch.where(kept, shares, 0.0)
        whole = left.sum(dim=-1, keepdim=True)
        filled = torch.where(whole > 0.0, left / whole, 0.0)
        filled = torch.where(kept.all(dim=-1, keepdim=True), shares, filled)
        return only(lambda _: filled, heads)(shares)

    return change


def only(change: Change, heads: Sequence[int]) -> Change:
    """Restrict a change to some heads.

    Examples:
        >>> only(zero, [1])(torch.ones(1, 1, 2, 1, 1)).flatten()
        tensor([1., 0.])

    """

    def restricted(shares: Shares) -> Shares:
        chosen = torch.zeros(shares.shape[2], 1, 1, dtype=torch.bool)
        chosen[list(heads)] = True
        return torch.where(chosen, change(shares), shares)

    return restricted


def surprise(
    weights: Weights,
    rows: Int[np.ndarray, "names tokens"],
    change: Change | None = None,
    trace: Trace | None = None,
) -> Float[np.ndarray, "models names positions"]:
    """−log p of each token that does come, from E6 with its shares changed.

    A `trace` of E6 on these very rows, left as it is, saves many changes the way up to it.

    Shapes: rows `(names, 9)`, read by every model; result `(models, names, 8)`. What stands where
    PAD comes is of no meaning.

    Units: nats.

    Raises:
        TypeError: as `e6`.
        ValueError: as `e6` and `resume`.

    Source: definition of cross-entropy, token by token.

    Examples:
        >>> from attention.models.kinds import draw_weights
        >>> from attention.names.grammar import encode
        >>> surprise(draw_weights("E6", [0]), encode(["os"])).shape
        (1, 1, 8)

    """
    tokens = torch.tensor(rows.astype(int)).expand(len(weights["token"]), -1, -1)
    with torch.no_grad():
        trace = trace or e6(weights, tokens[..., :-1])
        if change is not None:
            trace = resume(weights, trace, shares=change(trace.shares))
        of_next = trace.logits.log_softmax(-1).gather(-1, tokens[..., 1:, None])
    return -np.asarray(of_next[..., 0].numpy())


class Places(NamedTuple):
    """Where in rows of names the two rules are asked for: booleans `(names, positions)`.

    `asked` is the position of the consonant that the content rule looks back at, −1 elsewhere.
    """

    every: Bool[np.ndarray, "names positions"]
    content: Bool[np.ndarray, "names positions"]
    position: Bool[np.ndarray, "names positions"]
    asked: Int[np.ndarray, "names positions"]


def places(rows: Int[np.ndarray, "names tokens"]) -> Places:
    """Find the tokens that the content rule and the position rule predict, by the grammar itself.

    Content: a vowel after a consonant whose question has an answer. Position: the ending.

    Shapes: rows `(names, 9)`; results `(names, 8)`, by the position that predicts.

    Examples:
        >>> from attention.names.grammar import encode
        >>> found = places(encode(["davayis"]))
        >>> found.content[0].nonzero()[0], found.asked[0, 5], found.position[0].nonzero()[0]
        (array([5]), np.int64(1), array([6]))

    """
    every = rows[:, 1:] != PAD
    content, position = np.zeros_like(every), np.zeros_like(every)
    asked = np.full(every.shape, -1)
    for i, row in enumerate(rows):
        state, latest = State(), [-1, -1, -1]
        for j in range(POSITIONS):
            after = TOKENS[row[j + 1]]
            position[i, j] = after in ENDINGS
            if state.answer != NONE and after in VOWELS:
                content[i, j] = True
                asked[i, j] = latest[(_family(TOKENS[row[j]]) + 1) % 3]
            if after in ("EOS", "PAD"):
                break
            state = follow(state, after)
            if _family(after) >= 0:
                latest[_family(after)] = j + 1
    return Places(every, content, position, asked)


def _family(token: str) -> int:
    """Which family a consonant is of; −1 for what is no consonant."""
    return next((i for i, members in enumerate(FAMILIES) if token in members), -1)
