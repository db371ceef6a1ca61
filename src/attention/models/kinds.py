"""The models that are trained on names, each by its kind.

Weights have a first axis `models`: many models, trained side by side, go through one call; one
model is models = 1. A model reads tokens and gives logits of the next token at every position.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from attention.arguments import require_count
from attention.models.e5 import E5_SHAPES, e5
from attention.models.e6 import E6_SHAPES, e6
from attention.models.layers import Weights

EMBEDDED = 0.3  # standard deviation of first embeddings


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
