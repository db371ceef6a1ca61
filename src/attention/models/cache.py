"""E6 one token at a time, keeping keys and values: the same logits, without the same work twice."""

from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from attention.arguments import require_count
from attention.core import attend
from attention.models.e6 import HEADS, after_mixing
from attention.models.generate import choose
from attention.models.layers import Weights, linear, norm, require_tokens, rows, split_heads
from attention.names.grammar import BOS, EOS, PAD, POSITIONS


class Cache(NamedTuple):
    """Keys and values of the positions read so far."""

    key: Float[Tensor, "models names heads positions head_width"]
    value: Float[Tensor, "models names heads positions head_width"]


def empty_cache(weights: Weights, names: int) -> Cache:
    """No position read yet, for so many names.

    Raises:
        TypeError: names is no whole number.
        ValueError: names is below 1.

    Examples:
        >>> from attention.models.kinds import draw_weights
        >>> empty_cache(draw_weights("E6", [0]), 3).key.shape
        torch.Size([1, 3, 2, 0, 8])

    """
    models, width, _ = weights["key.weight"].shape
    shape = (models, require_count("names", names, 1), HEADS, 0, width // HEADS)
    nothing = weights["token"].new_zeros(shape)
    return Cache(nothing, nothing)


def step(
    weights: Weights, cache: Cache, tokens: Int[Tensor, "models names"]
) -> tuple[Float[Tensor, "models names vocabulary"], Cache]:
    """Read one more token of every name: its logits, and the cache with its key and value.

    Only this token's query is made: what earlier tokens asked is of no use any more. Under a causal
    mask, what earlier positions computed does not depend on it.

    Shapes: tokens `(models, names)`, logits `(models, names, 25)`; the cache grows by 1 position.

    Units: logits are in nats.

    Raises:
        TypeError: tokens are no whole numbers.
        ValueError: a token id does not exist, all 8 positions are read, or the cache is that of
            other names or models.

    Source: Shazeer 2019, "Fast Transformer Decoding: One Write-Head is All You Need", section 2.4.

    Examples:
        >>> from attention.models.kinds import draw_weights
        >>> weights = draw_weights("E6", [0])
        >>> logits, cache = step(weights, empty_cache(weights, 1), torch.tensor([[BOS]]))
        >>> logits.shape, cache.key.shape[3]
        (torch.Size([1, 1, 25]), 1)

    """
    require_tokens(tokens[..., None], weights)
    place = cache.key.shape[3]
    if place >= POSITIONS:
        raise ValueError(f"the cache holds {place} positions and there are {POSITIONS}")
    if cache.key.shape[:2] != tokens.shape:
        held, asked = tuple(cache.key.shape[:2]), tuple(tokens.shape)
        raise ValueError(f"the cache is of models × names {held}, tokens are {asked}")
    here = weights["position"][:, None, place : place + 1]
    stream = rows(weights["token"], tokens[..., None]) + here
    normed = norm(weights, "norm1", stream)
    query, key, value = (
        split_heads(linear(weights, part, normed), HEADS) for part in ("query", "key", "value")
    )
    grown = Cache(torch.cat([cache.key, key], dim=3), torch.cat([cache.value, value], dim=3))
    mixed = attend(query, *grown).output
    return after_mixing(weights, stream, mixed)[-1][:, :, 0], grown


def generate(
    weights: Weights, count: int, rng: np.random.Generator
) -> Int[np.ndarray, "names tokens"]:
    """Let one E6 write names with the cache: what `generate.generate` writes, for less work.

    Shapes: result `(count, 9)`, as `grammar.encode` makes rows.

    Raises:
        TypeError: count is no whole number.
        ValueError: count is below 1, or the weights are those of several models.

    Examples:
        >>> from attention.models.kinds import draw_weights
        >>> generate(draw_weights("E6", [0]), 4, np.random.default_rng(0)).shape
        (4, 9)

    """
    if (models := len(weights["token"])) != 1:
        raise ValueError(f"the weights are those of {models} models: take one")
    cache = empty_cache(weights, count)
    uniform = torch.tensor(rng.random((count, POSITIONS)))
    rows = torch.full((count, POSITIONS + 1), BOS)
    for i in range(POSITIONS):
        with torch.no_grad():
            logits, cache = step(weights, cache, rows[None, :, i])
        ended = (rows[:, i] == EOS) | (rows[:, i] == PAD)
        rows[:, i + 1] = torch.where(ended, PAD, choose(logits[0], uniform[:, i]))
    return np.asarray(rows.numpy())
