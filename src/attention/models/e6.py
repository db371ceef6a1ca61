"""E6: attention over at most 8 positions.

Weights have a first axis `models`: many models, trained side by side, go through one call; one
model is models = 1. A model reads tokens and gives logits of the next token at every position.
"""

from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from attention.arguments import shape_of
from attention.core import attend
from attention.masks import causal
from attention.mixing import mix
from attention.models.layers import (
    VOCABULARY,
    WIDTH,
    Weights,
    join_heads,
    linear,
    norm,
    require_tokens,
    rows,
    split_heads,
)
from attention.names.grammar import POSITIONS

HEADS = 2
HIDDEN = 64  # of the dense expansion

E6_SHAPES = {
    "token": (VOCABULARY, WIDTH),
    "position": (POSITIONS, WIDTH),
    "norm1.scale": (WIDTH,),
    "norm1.bias": (WIDTH,),
    **{
        f"{part}.{what}": (WIDTH, WIDTH)[: 2 if what == "weight" else 1]
        for part in ("query", "key", "value", "project")
        for what in ("weight", "bias")
    },
    "norm2.scale": (WIDTH,),
    "norm2.bias": (WIDTH,),
    "expand.weight": (WIDTH, HIDDEN),
    "expand.bias": (HIDDEN,),
    "contract.weight": (HIDDEN, WIDTH),
    "contract.bias": (WIDTH,),
    "head.weight": (WIDTH, VOCABULARY),
    "head.bias": (VOCABULARY,),
}


class Trace(NamedTuple):
    """What E6 computes on the way, for the table of shapes and for looking inside."""

    stream: Float[Tensor, "models names positions width"]  # token + position
    query: Float[Tensor, "models names heads positions head_width"]
    key: Float[Tensor, "models names heads positions head_width"]
    value: Float[Tensor, "models names heads positions head_width"]
    shares: Float[Tensor, "models names heads queries keys"]
    mixed: Float[Tensor, "models names heads positions head_width"]
    attended: Float[Tensor, "models names positions width"]  # the stream after branch 1
    hidden: Float[Tensor, "models names positions hidden"]
    dense: Float[Tensor, "models names positions width"]  # the stream after branch 2
    logits: Float[Tensor, "models names positions vocabulary"]


def e6(
    weights: Weights, tokens: Int[Tensor, "models names positions"], looks: str = "content"
) -> Trace:
    """Token + position; norm, attention, add; norm, dense with ReLU, add; head.

    `looks` says what scores are made from: "content", the stream; "positions", the position
    vectors alone; "uniform", nothing (all scores 0, so all allowed keys share alike).

    Shapes: as in `Trace`; `steps.table` prints them.

    Units: logits are in nats.

    Raises:
        TypeError: tokens are no whole numbers.
        ValueError: a token id does not exist, there are more than 8 positions, the number of
            models differs, or `looks` is none of the three.

    Source: Vaswani et al. 2017, "Attention Is All You Need"; norm before each branch as in
    Xiong et al. 2020, "On Layer Normalization in the Transformer Architecture".

    Examples:
        >>> tokens = torch.tensor([[[1, 10, 24]]])
        >>> from attention.models.kinds import draw_weights
        >>> e6(draw_weights("E6", [0]), tokens).logits.shape
        torch.Size([1, 1, 3, 25])

    """
    if looks not in ("content", "positions", "uniform"):
        raise ValueError(f"looks is {looks!r}: content, positions or uniform belongs here")
    require_tokens(tokens, weights)
    places = weights["position"][:, None, : tokens.shape[-1]]
    stream = rows(weights["token"], tokens) + places
    normed = norm(weights, "norm1", stream)
    asking = normed if looks != "positions" else norm(weights, "norm1", places.expand_as(stream))
    query, key, value = (
        split_heads(linear(weights, part, x), HEADS)
        for part, x in (("query", asking), ("key", asking), ("value", normed))
    )
    scale = 0.0 if looks == "uniform" else None
    mixed, shares = attend(query, key, value, causal(tokens.shape[-1]), scale)
    return Trace(stream, query, key, value, shares, mixed, *after_mixing(weights, stream, mixed))


def resume(
    weights: Weights,
    trace: Trace,
    *,
    shares: Float[Tensor, "models names heads queries keys"] | None = None,
    value: Float[Tensor, "models names heads positions head_width"] | None = None,
) -> Trace:
    """What follows in E6 if its shares or values were others: the same weights go on from there.

    Shapes: as in the trace, which is left as it is.

    Raises:
        ValueError: the shares or values have not the shape of the trace's own.

    Source: definition; such an edit is an intervention, Pearl 2009, "Causality", section 1.3.

    Examples:
        >>> from attention.models.kinds import draw_weights
        >>> weights = draw_weights("E6", [0])
        >>> trace = e6(weights, torch.tensor([[[1, 10, 24]]]))
        >>> resume(weights, trace, shares=0 * trace.shares).mixed.abs().max()
        tensor(0., dtype=torch.float64)

    """
    shares = _like("shares", shares, trace.shares)
    value = _like("value", value, trace.value)
    mixed = mix(shares, value)
    after = after_mixing(weights, trace.stream, mixed)
    return Trace(trace.stream, trace.query, trace.key, value, shares, mixed, *after)


def after_mixing(
    weights: Weights,
    stream: Float[Tensor, "models names positions width"],
    mixed: Float[Tensor, "models names heads positions head_width"],
) -> tuple[Tensor, ...]:
    """The rest of E6, from mixtures on: join, project, add; norm, dense with ReLU, add; head.

    Shapes: as in `Trace`, whose last four fields are the result.

    Source: as `e6`.

    Examples:
        >>> from attention.models.kinds import draw_weights
        >>> weights = draw_weights("E6", [0])
        >>> trace = e6(weights, torch.tensor([[[1, 10, 24]]]))
        >>> attended, hidden, dense, logits = after_mixing(weights, trace.stream, trace.mixed)
        >>> torch.equal(logits, trace.logits)
        True

    """
    attended = stream + linear(weights, "project", join_heads(mixed))
    hidden = torch.relu(linear(weights, "expand", norm(weights, "norm2", attended)))
    dense = attended + linear(weights, "contract", hidden)
    return attended, hidden, dense, linear(weights, "head", dense)


def _like(name: str, given: Tensor | None, own: Tensor) -> Tensor:
    if given is None:
        return own
    if given.shape != own.shape:
        raise ValueError(f"{name} {shape_of(given)} must have the trace's shape {shape_of(own)}")
    return given
