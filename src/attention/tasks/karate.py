"""Guess a member's club from whom they met: `python -m attention.karate` trains and records it.

One layer mixes along the edges: attention, a mean over neighbours, or, with no edges, each node
alone. Every node starts as a vector of its own, with nothing known about it; the clubs of two
members on each side are given, and those of the other thirty are to be guessed.
"""

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import networkx as nx
import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn import functional

from attention.arguments import require_count
from attention.core import Attended, attend
from attention.masks import band
from attention.measures import total_variation
from attention.models.fitting import one_thread
from attention.models.layers import Weights
from attention.runs.command import record
from attention.runs.records import versions
from attention.tasks.graph import dropped, karate, neighbours, rewired

KINDS = ("attention", "mean", "no edges")
WIDTH, STEPS, RATE = 8, 200, 0.02
KNOWN = 2  # labels a club
DECAYS = (0.0, 1e-3, 5e-3, 2e-2)  # of the weights, as part of the gradient
SEEDS = tuple(range(40))
TUNING = tuple(range(100, 120))
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
SWAPS = (0, 10, 20, 39, 78)


class Outcome(NamedTuple):
    """The share of unknown clubs each seed guessed right, and the shares that mixed its nodes."""

    accuracy: Float[np.ndarray, " seeds"]
    shares: Float[np.ndarray, "seeds queries keys"]


def layer(kind: str, weights: Weights, allowed: Bool[np.ndarray, "*seeds nodes nodes"]) -> Attended:
    """One layer over all nodes: attention, or with all scores 0 the mean over what is allowed.

    Raises:
        ValueError: there is no such kind, or a row of allowed is empty.

    Source: Vaswani et al. 2017, eq. 1, under the mask of Veličković et al. 2018, section 2.1.

    Examples:
        >>> weights = draw_weights(3, [0])
        >>> layer("mean", weights, neighbours(np.array([[0, 1]]), 3)).shares[0]
        tensor([[0.5000, 0.5000, 0.0000],
                [0.5000, 0.5000, 0.0000],
                [0.0000, 0.0000, 1.0000]], dtype=torch.float64)

    """
    if kind not in KINDS:
        raise ValueError(f"there is no kind {kind!r}: choose from {', '.join(KINDS)}")
    query, key, value = (weights["node"] @ weights[part] for part in ("query", "key", "value"))
    alone = band(allowed.shape[-1], 0)
    scale = 0.0 if kind == "mean" else None
    return attend(query, key, value, alone if kind == "no edges" else allowed, scale)


def draw_weights(nodes: int, seeds: Sequence[int]) -> Weights:
    """First weights: nodes of standard deviation 0.3, matrices of 1/√inputs.

    Raises:
        TypeError: nodes or a seed is no whole number.
        ValueError: nodes is below 1 or a seed below 0.

    Examples:
        >>> {name: tuple(w.shape) for name, w in draw_weights(34, [0]).items()}["node"]
        (1, 34, 8)

    """
    require_count("nodes", nodes, 1)
    shapes = {"node": (nodes, WIDTH), **dict.fromkeys(("query", "key", "value"), (WIDTH, WIDTH))}
    shapes["head"] = (WIDTH, 2)
    models = []
    for seed in seeds:
        rng = np.random.Generator(np.random.PCG64(require_count("seed", seed, 0)))
        models.append(
            {
                name: np.sqrt(3.0)
                * (0.3 if name == "node" else 1.0 / np.sqrt(WIDTH))
                * rng.uniform(-1.0, 1.0, shape)
                for name, shape in shapes.items()
            }
        )
    return {name: torch.tensor(np.stack([m[name] for m in models])) for name in shapes}


def choose_known(seeds: Sequence[int]) -> Bool[np.ndarray, "seeds nodes"]:
    """Choose each seed's members whose club is given, equally many on both sides.

    Examples:
        >>> choose_known([0, 1]).sum(axis=1)
        array([4, 4])

    """
    classes = karate().classes
    known = np.zeros((len(seeds), len(classes)), bool)
    for row, seed in zip(known, seeds, strict=True):
        rng = np.random.default_rng([seed, 1])
        for club in (0, 1):
            row[rng.choice(np.flatnonzero(classes == club), KNOWN, replace=False)] = True
    return known


@one_thread()
def fit(
    kind: str,
    seeds: Sequence[int],
    decay: float,
    change: Callable[..., np.ndarray] = lambda edges, **_: edges,
    steps: int = STEPS,
) -> Outcome:
    """Train one model a seed, side by side; `change` drops or rewires each seed's edges first.

    Raises:
        TypeError: a seed or steps is no whole number.
        ValueError: there is no such kind or no seed, or steps is below 1.

    Source: Kingma and Ba 2015, "Adam: A Method for Stochastic Optimization", algorithm 1.

    Examples:
        >>> fit("mean", [0, 1], 0.0, steps=1).accuracy.shape
        (2,)

    """
    require_count("steps", steps, 1)
    if not seeds:
        raise ValueError("there is no seed: a model needs one")
    edges, classes = karate()
    changed = [change(edges, rng=np.random.default_rng([seed, 2])) for seed in seeds]
    allowed = np.stack([neighbours(each, len(classes)) for each in changed])
    known, weights = choose_known(seeds), draw_weights(len(classes), seeds)
    targets, asked = torch.tensor(classes).expand(known.shape), torch.tensor(known)
    learned = [w.requires_grad_() for w in weights.values()]
    adam = torch.optim.Adam(learned, lr=RATE, weight_decay=decay, foreach=False, fused=False)
    for _ in range(steps):
        each = _losses(layer(kind, weights, allowed).output @ weights["head"], targets)
        adam.zero_grad()
        torch.autograd.backward(each[asked].sum() / (2 * KNOWN))
        adam.step()
    with torch.no_grad():
        output, shares = layer(kind, weights, allowed)
        right = ((output @ weights["head"]).argmax(-1) == targets).numpy()
    return Outcome((right & ~known).sum(axis=1) / (~known).sum(axis=1), shares.numpy())


def results(
    kind: str, seeds: Sequence[int] = SEEDS, tuning: Sequence[int] = TUNING, steps: int = STEPS
) -> dict[str, Any]:
    """What one kind reaches on the whole graph, and on one with edges dropped or rewired.

    The weight decay is the best of the grid by the tuning seeds. `far_from_mean` is each seed's
    mean total variation between its shares and equal shares for all neighbours.

    Raises:
        TypeError: as `fit`.
        ValueError: as `fit`.

    Examples:
        >>> results("mean", [0, 1], [100], steps=1)["far_from_mean"]
        [0.0, 0.0]

    """
    tried = [fit(kind, tuning, decay, steps=steps).accuracy for decay in DECAYS]
    decay = DECAYS[int(np.argmax([accuracy.mean() for accuracy in tried]))]
    whole = fit(kind, seeds, decay, steps=steps)
    graph = karate()
    allowed = neighbours(graph.edges, len(graph.classes)).astype(float)
    equal = np.broadcast_to(allowed / allowed.sum(axis=1, keepdims=True), whole.shares.shape)

    def changed(how: Callable[..., np.ndarray]) -> list[float]:
        accuracy: list[float] = fit(kind, seeds, decay, how, steps).accuracy.tolist()
        return accuracy

    return {
        "tuning": [accuracy.tolist() for accuracy in tried],
        "decay": decay,
        "accuracy": whole.accuracy.tolist(),
        "dropped": [changed(partial(dropped, share=share)) for share in SHARES],
        "rewired": [changed(partial(rewired, swaps=swaps)) for swaps in SWAPS],
        "far_from_mean": total_variation(whole.shares, equal).mean(axis=1).tolist(),
        "shares_of_first_seed": whole.shares[0].tolist(),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Train every kind on every graph, and write one record."""
    parser = argparse.ArgumentParser(prog="python -m attention.karate", description=__doc__)
    return record(parser, arguments, lambda _: {"karate.json": _content()})


def _content() -> dict[str, Any]:
    """Train every kind on every graph; what is recorded of it."""
    return {
        "config": {
            "steps": STEPS,
            "optimiser": "Adam",
            "rate": RATE,
            "decays": list(DECAYS),
            "dtype": "float64",
            "width": WIDTH,
            "known_a_club": KNOWN,
            "dropped_shares": list(SHARES),
            "swaps": list(SWAPS),
        },
        "seeds": list(SEEDS),
        "tuning_seeds": list(TUNING),
        "versions": {**versions(), "networkx": nx.__version__},
        "values": {kind: results(kind) for kind in KINDS},
    }


def _losses(
    logits: Float[Tensor, "seeds nodes classes"], targets: Tensor
) -> Float[Tensor, "seeds nodes"]:
    flat = functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none")
    return flat.reshape(targets.shape)
