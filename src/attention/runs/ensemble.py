"""Train many seeds side by side and record each: `python -m attention.ensemble E6`.

A statement about training is about a distribution, so no seed is left out.
Losses are on draws from the validation side, the same for all, and so is the floor.
"""

import argparse
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

from attention.models.fitting import BATCH, RATES, SCHEDULE, STEPS, fit
from attention.models.kinds import KINDS, parameters
from attention.models.layers import Weights
from attention.names.corpus import VALIDATION_DRAWS, corpus, floor, validation_draws
from attention.runs.command import Files, record
from attention.runs.records import versions
from attention.runs.train import bar, one, validation_loss

SEEDS = tuple(range(10))


class Ensemble(NamedTuple):
    """Each seed's loss over the floor, in nats a token, and all weights, in the order of seeds."""

    excess: Float[np.ndarray, " seeds"]
    weights: Weights


def ensemble(
    kind: str,
    seeds: Sequence[int] = SEEDS,
    *,
    corpus_seed: int = 0,
    rate: float | None = None,
    steps: int = STEPS,
    progress: Callable[[int, float], None] = lambda *_: None,
) -> Ensemble:
    """Train a model for every seed, side by side, and measure each on the same draws.

    Units: nats a token.

    Raises:
        TypeError: a seed or steps is no whole number.
        ValueError: there is no such kind or no seed, or steps is below 1.

    Examples:
        >>> ensemble("E6-uniform", [0, 1], steps=1).excess.shape
        (2,)

    """
    rows, draws = corpus(corpus_seed).rows, validation_draws()
    weights = fit(kind, seeds, rows, steps=steps, rate=rate, progress=progress).weights
    least = floor(draws)
    each = [validation_loss(kind, one(weights, i), draws) for i in range(len(seeds))]
    return Ensemble(np.array(each) - least, weights)


def _contents(
    asked: argparse.Namespace, rates: list[float], made: list[Ensemble]
) -> dict[str, Any]:
    """Say what was trained, on what, and how far over the floor each seed ended."""
    excess = [run.excess.tolist() for run in made]
    return {
        "config": {
            "model": asked.model,
            "steps": asked.steps,
            "batch": BATCH,
            "optimiser": "Adam",
            "schedule": SCHEDULE,
            "dtype": "float64",
            "validation_draws": VALIDATION_DRAWS,
        },
        "seeds": list(asked.seeds),
        "rates": rates,
        "versions": versions(),
        "corpus": {"seed": asked.corpus, "sha256": corpus(asked.corpus).sha256},
        "parameters": sum(parameters(asked.model).values()),
        "values": {
            "floor": floor(validation_draws()),
            "excess": excess if asked.rates else excess[0],
        },
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Train every seed at every rate asked for, and write one record."""
    parser = argparse.ArgumentParser(prog="python -m attention.ensemble", description=__doc__)
    parser.add_argument("model", choices=KINDS)
    parser.add_argument("--corpus", type=int, default=0, help="its seed; default: %(default)s")
    parser.add_argument("--seeds", type=int, nargs="+", default=SEEDS, help="default: 0 to 9")
    parser.add_argument("--rates", type=float, nargs="+", help="default: the tuned one")
    parser.add_argument("--steps", type=int, default=STEPS, help="default: %(default)s")
    parser.add_argument("--name", help="of the record; default: MODEL.seeds")
    parser.add_argument("--weights", action="store_true", help="record the weights too")
    return record(parser, arguments, _made)


def _made(asked: argparse.Namespace) -> Files:
    """Train, and hand over what is to be written."""
    rates = asked.rates or [RATES[asked.model]]
    if asked.weights and len(rates) > 1:
        raise ValueError("--weights records those of one rate: name one, or none for the tuned one")
    how = {"corpus_seed": asked.corpus, "steps": asked.steps, "progress": bar(asked.steps)}
    made = [ensemble(asked.model, asked.seeds, rate=rate, **how) for rate in rates]
    name = asked.name or f"{asked.model}.seeds"
    files = {f"{name}.json": _contents(asked, rates, made)}
    if asked.weights:
        weights = made[0].weights.items()
        files[f"{name}.weights.npz"] = {part: w.numpy() for part, w in weights}
    return files
