"""E6, attention over at most 8 positions, and the list of all models.

Weights have a first axis `models`: many models, trained side by side, go through one call; one
model is models = 1. A model reads tokens and gives logits of the next token at every position.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from attention.checks import require_count
from attention.core import attend
from attention.layers import (
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
from attention.masks import causal
from attention.names import POSITIONS
from attention.recurrent import E5_SHAPES, e5

HEADS = 2
HIDDEN = 64  # of the dense expansion
EMBEDDED = 0.3  # standard deviation of first embeddings

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
    """What E6 computes on the way, for the shape table and for looking inside."""

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

    Shapes: as in `Trace`; `table` prints them.

    Units: logits are in nats.

    Raises:
        TypeError: tokens are no whole numbers.
        ValueError: a token id does not exist, there are more than 8 positions, the number of
            models differs, or `looks` is none of the three.

    Source: Vaswani et al. 2017, "Attention Is All You Need"; norm before each branch as in
    Xiong et al. 2020, "On Layer Normalization in the Transformer Architecture".

    Examples:
        >>> tokens = torch.tensor([[[1, 10, 24]]])
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
    attended = stream + linear(weights, "project", join_heads(mixed))
    hidden = torch.relu(linear(weights, "expand", norm(weights, "norm2", attended)))
    dense = attended + linear(weights, "contract", hidden)
    logits = linear(weights, "head", dense)
    return Trace(stream, query, key, value, shares, mixed, attended, hidden, dense, logits)


class Kind(NamedTuple):
    """A model's shapes, the spread of its first weights, and how tokens become logits."""

    shapes: dict[str, tuple[int, ...]]
    spread: float  # of the first matrices, times 1/√inputs
    logits: Callable[[Weights, Tensor], Tensor]


KINDS = {
    "E6": Kind(E6_SHAPES, 0.5, lambda w, x: e6(w, x).logits),
    "E6-positions": Kind(E6_SHAPES, 0.5, lambda w, x: e6(w, x, "positions").logits),
    "E6-uniform": Kind(E6_SHAPES, 0.5, lambda w, x: e6(w, x, "uniform").logits),
    "E5-names": Kind(E5_SHAPES, 1.0, e5),
}


def parameters(kind: str) -> dict[str, int]:
    """Count the numbers to be learned, part by part.

    Raises:
        ValueError: there is no such kind.

    Examples:
        >>> sum(parameters("E6").values()), sum(parameters("E5-names").values())
        (4233, 4049)

    """
    return {name: int(np.prod(shape)) for name, shape in _kind(kind).shapes.items()}


def draw_weights(kind: str, seeds: Sequence[int]) -> Weights:
    """First weights in float64, from uniform numbers, whose bits need no logarithm.

    Their standard deviation is 0.3 in an embedding and spread/√inputs in a matrix, spread being
    0.5 in E6 and 1 in E5-names; scales are one, biases zero.

    Raises:
        ValueError: there is no such kind.

    Source: LeCun et al. 1998, "Efficient BackProp", section 4.6 (1/√inputs).

    Examples:
        >>> draw_weights("E6", [0, 1])["query.weight"].shape
        torch.Size([2, 16, 16])

    """
    shapes, spread, _ = _kind(kind)
    models = []
    for seed in seeds:
        rng = np.random.Generator(np.random.PCG64(require_count("seed", seed, 0)))
        models.append({name: _first(name, shape, spread, rng) for name, shape in shapes.items()})
    return {name: torch.tensor(np.stack([m[name] for m in models])) for name in shapes}


def table(weights: Weights, tokens: Int[Tensor, "models names positions"]) -> str:
    """What goes in and out of each step of E6, and where its parameters are, as text.

    Shapes are names × positions × width, with heads before positions where there are heads.

    Raises:
        TypeError: as `e6`.
        ValueError: as `e6`.

    Examples:
        >>> print(table(draw_weights("E6", [0]), torch.tensor([[[1, 10, 24]]])))
        step                   in             out            parameters
        look up, add position  1 × 3          1 × 3 × 16            528
        norm                   1 × 3 × 16     1 × 3 × 16             32
        queries                1 × 3 × 16     1 × 2 × 3 × 8         272
        keys                   1 × 3 × 16     1 × 2 × 3 × 8         272
        values                 1 × 3 × 16     1 × 2 × 3 × 8         272
        scores, softmax        1 × 2 × 3 × 8  1 × 2 × 3 × 3           0
        mix                    1 × 2 × 3 × 8  1 × 2 × 3 × 8           0
        join, project, add     1 × 2 × 3 × 8  1 × 3 × 16            272
        norm                   1 × 3 × 16     1 × 3 × 16             32
        expand, ReLU           1 × 3 × 16     1 × 3 × 64          1,088
        contract, add          1 × 3 × 64     1 × 3 × 16          1,040
        head                   1 × 3 × 16     1 × 3 × 25            425
        all                                                       4,233

    """
    trace = e6(weights, tokens)
    steps = (
        ("look up, add position", tokens, trace.stream, ("token", "position")),
        ("norm", trace.stream, trace.stream, ("norm1",)),
        ("queries", trace.stream, trace.query, ("query",)),
        ("keys", trace.stream, trace.key, ("key",)),
        ("values", trace.stream, trace.value, ("value",)),
        ("scores, softmax", trace.query, trace.shares, ()),
        ("mix", trace.value, trace.mixed, ()),
        ("join, project, add", trace.mixed, trace.attended, ("project",)),
        ("norm", trace.attended, trace.attended, ("norm2",)),
        ("expand, ReLU", trace.attended, trace.hidden, ("expand",)),
        ("contract, add", trace.hidden, trace.dense, ("contract",)),
        ("head", trace.dense, trace.logits, ("head",)),
    )
    counts = parameters("E6")
    lines = [f"{'step':<23}{'in':<15}{'out':<15}{'parameters':>10}"]
    for step, before, after, parts in steps:
        number = sum(n for name, n in counts.items() if name.split(".")[0] in parts)
        left, right = (" × ".join(map(str, array.shape[1:])) for array in (before, after))
        lines.append(f"{step:<23}{left:<15}{right:<15}{number:>10,}")
    lines.append(f"{'all':<53}{sum(counts.values()):>10,}")
    return "\n".join(lines)


def _first(
    name: str, shape: tuple[int, ...], spread: float, rng: np.random.Generator
) -> Float[np.ndarray, "..."]:
    if len(shape) == 1:
        return np.full(shape, float(name.endswith("scale")))
    deviation = EMBEDDED if name in ("token", "position") else spread / np.sqrt(shape[0])
    return np.asarray(np.sqrt(3.0) * deviation * rng.uniform(-1.0, 1.0, shape))


def _kind(kind: str) -> Kind:
    if kind not in KINDS:
        raise ValueError(f"there is no model {kind!r}: choose from {', '.join(KINDS)}")
    return KINDS[kind]
