"""Who learns to look up: attention, attention in a band, a recurrence, each one layer.

Attention has every pair one step away; a band has only what is near; a recurrence must carry
every pair in its memory. All are trained alike.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn import functional

from attention.arguments import require_count
from attention.core import attend
from attention.masks import band
from attention.models.e5 import recur
from attention.models.fitting import one_thread
from attention.models.layers import Weights, linear, rows
from attention.tasks.lookup import VALUES, lookups

WIDTH = 16
REACH = 4  # of the band, in positions
STEPS, BATCH = 1_500, 32
TESTED = 4_000  # sequences, the same for all


class Learner(NamedTuple):
    """How one kind mixes positions: attention within a reach, or a memory that is carried."""

    reach: int | None
    memory: int | None


LEARNERS = {
    "attention": Learner(None, None),
    "band": Learner(REACH, None),
    "recurrence": Learner(None, 11),  # about as many parameters as attention
    "wide recurrence": Learner(None, 48),  # seven times as many
}


def shapes(kind: str, pairs: int) -> dict[str, tuple[int, ...]]:
    """What one kind learns.

    Raises:
        ValueError: there is no such kind.

    Examples:
        >>> [sum(int(np.prod(s)) for s in shapes(kind, 16).values()) for kind in LEARNERS]
        [1352, 1352, 1453, 10296]

    """
    memory = _learner(kind).memory
    if memory is None:
        maps = dict.fromkeys(("query", "key", "value"), (WIDTH, WIDTH))
    else:
        maps = {"input": (WIDTH, 3 * memory), "memory": (memory, 3 * memory)}
    maps["head"] = (memory or WIDTH, VALUES)
    found: dict[str, tuple[int, ...]] = {"keys": (pairs, WIDTH), "values": (VALUES + 1, WIDTH)}
    for part, shape in maps.items():
        found[f"{part}.weight"], found[f"{part}.bias"] = shape, shape[1:]
    return found


def logits(
    kind: str,
    weights: Weights,
    keys: Int[Tensor, "models sequences positions"],
    values: Int[Tensor, "models sequences positions"],
) -> Float[Tensor, "models sequences answers"]:
    """What each model says the answer is, at the last position.

    Units: nats.

    Raises:
        ValueError: there is no such kind.

    Examples:
        >>> from attention.tasks.lookup import UNKNOWN
        >>> keys, values = torch.tensor([[[1, 0, 1]]]), torch.tensor([[[3, 5, UNKNOWN]]])
        >>> logits("band", draw_weights("band", 2, [0]), keys, values).shape
        torch.Size([1, 1, 8])

    """
    learner = _learner(kind)
    stream = rows(weights["keys"], keys) + rows(weights["values"], values)
    if learner.memory is not None:
        read = recur(weights, linear(weights, "input", stream))[:, :, -1:]
    else:
        query = linear(weights, "query", stream[:, :, -1:])
        key, value = (linear(weights, part, stream) for part in ("key", "value"))
        length = keys.shape[-1]
        allowed = None if learner.reach is None else band(length, learner.reach)[-1:]
        read = attend(query, key, value, allowed).output
    return linear(weights, "head", read)[:, :, 0]


def draw_weights(kind: str, pairs: int, seeds: Sequence[int]) -> Weights:
    """First weights: standard deviation 0.5 in the tables, 1/√inputs in a matrix; biases zero.

    Raises:
        ValueError: there is no such kind.

    Examples:
        >>> draw_weights("attention", 4, [0, 1])["keys"].shape
        torch.Size([2, 4, 16])

    """
    models = []
    for seed in seeds:
        rng = np.random.Generator(np.random.PCG64(require_count("seed", seed, 0)))
        model = {}
        for name, shape in shapes(kind, pairs).items():
            deviation = 0.5 if name in ("keys", "values") else 1.0 / np.sqrt(shape[0])
            deviation = 0.0 if len(shape) == 1 else deviation
            model[name] = np.sqrt(3.0) * deviation * rng.uniform(-1.0, 1.0, shape)
        models.append(model)
    return {name: torch.tensor(np.stack([m[name] for m in models])) for name in models[0]}


@one_thread()
def fit(kind: str, pairs: int, seeds: Sequence[int], rate: float, steps: int = STEPS) -> Weights:
    """Train one model a seed, side by side, with Adam at a rate that falls linearly to 0.

    Raises:
        TypeError: steps, pairs or a seed is no whole number.
        ValueError: there is no such kind, or a number is too small.

    Source: Kingma and Ba 2015, "Adam: A Method for Stochastic Optimization", algorithm 1.

    Examples:
        >>> fit("recurrence", 2, [0], 0.01, steps=1)["memory.weight"].shape
        torch.Size([1, 11, 33])

    """
    weights = draw_weights(kind, pairs, seeds)
    count = require_count("steps", steps, 1) * BATCH
    drawn = [lookups(count, pairs, np.random.default_rng([seed, 1])) for seed in seeds]
    keys, values, answer = (
        torch.tensor(np.stack([of[i].reshape(steps, BATCH, *of[i].shape[1:]) for of in drawn]))
        for i in range(3)
    )
    learned = [w.requires_grad_() for w in weights.values()]
    adam = torch.optim.Adam(learned, lr=rate, foreach=False, fused=False)
    for step in range(steps):
        said = logits(kind, weights, keys[:, step], values[:, step])
        loss = functional.cross_entropy(
            said.flatten(0, 1), answer[:, step].flatten(), reduction="sum"
        )
        adam.param_groups[0]["lr"] = rate * (1.0 - step / steps)
        adam.zero_grad()
        torch.autograd.backward(loss / BATCH)
        adam.step()
    return {name: w.detach() for name, w in weights.items()}


@one_thread()
def right(
    kind: str, weights: Weights, pairs: int
) -> tuple[Bool[np.ndarray, "models sequences"], Int[np.ndarray, " sequences"]]:
    """Whether each model's likeliest answer is right on new sequences, and how far back it stood.

    The sequences are the same for all kinds and seeds.

    Raises:
        ValueError: there is no such kind.

    Examples:
        >>> found, distance = right("band", draw_weights("band", 4, [0, 1]), 4)
        >>> found.shape, distance.min(), distance.max()
        ((2, 4000), np.int64(1), np.int64(4))

    """
    keys, values, answer, distance = lookups(TESTED, pairs, np.random.default_rng(12_345))
    models = len(weights["keys"])
    everyone = (torch.tensor(x).expand(models, *x.shape) for x in (keys, values))
    with torch.no_grad():
        said = logits(kind, weights, *everyone).argmax(-1).numpy()
    return said == answer, distance


def _learner(kind: str) -> Learner:
    if kind not in LEARNERS:
        raise ValueError(f"there is no learner {kind!r}: choose from {', '.join(LEARNERS)}")
    return LEARNERS[kind]
