"""Train every kind at the look-up task, and record who succeeds: `python -m attention.longrange`.

For each kind and length the rate is the best of a grid, by seeds that are not used again.
"""

import argparse
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from attention.runs.command import record
from attention.runs.records import versions
from attention.tasks.lookup import VALUES
from attention.tasks.lookup_models import (
    BATCH,
    LEARNERS,
    REACH,
    STEPS,
    TESTED,
    WIDTH,
    fit,
    right,
    shapes,
)

PAIRS = (2, 4, 8, 16)
CASES = {
    "attention": PAIRS,
    "band": PAIRS,
    "recurrence": PAIRS,
    "wide recurrence": (16,),
}
GRID = (3e-3, 1e-2, 3e-2)
SEEDS = tuple(range(10))
TUNING = (100, 101, 102)


def case(
    kind: str,
    pairs: int,
    *,
    grid: Sequence[float] = GRID,
    tuning: Sequence[int] = TUNING,
    seeds: Sequence[int] = SEEDS,
    steps: int = STEPS,
) -> dict[str, Any]:
    """Choose a rate, train every seed at it, and say how often each is right.

    `by_distance` is the share right, over all seeds, of questions whose answer stands 1, 2, …
    positions back.

    Raises:
        TypeError: a seed or steps is no whole number.
        ValueError: there is no such kind, or a number is too small.

    Examples:
        >>> done = case("band", 2, grid=[0.01], tuning=[5], seeds=[0, 1], steps=1)
        >>> done["parameters"], len(done["accuracy"]), len(done["by_distance"])
        (1128, 2, 2)

    """
    tried = [
        right(kind, fit(kind, pairs, tuning, rate, steps), pairs)[0].mean(axis=1) for rate in grid
    ]
    rate = grid[int(np.argmax([accuracy.mean() for accuracy in tried]))]
    found, distance = right(kind, fit(kind, pairs, seeds, rate, steps), pairs)
    return {
        "kind": kind,
        "pairs": pairs,
        "parameters": sum(int(np.prod(shape)) for shape in shapes(kind, pairs).values()),
        "tuning": [accuracy.tolist() for accuracy in tried],
        "rate": rate,
        "accuracy": found.mean(axis=1).tolist(),
        "by_distance": [float(found[:, distance == d].mean()) for d in range(1, pairs + 1)],
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Go through all kinds and lengths, and write one record."""
    parser = argparse.ArgumentParser(prog="python -m attention.longrange", description=__doc__)
    return record(parser, arguments, lambda _: {"longrange.json": _content()})


def _content() -> dict[str, Any]:
    """Train every kind at every length; what is recorded of it."""
    cases = []
    for kind, lengths in CASES.items():
        for pairs in lengths:
            cases.append(case(kind, pairs))
            accuracy = np.mean(cases[-1]["accuracy"])
            print(f"{kind}, {pairs} pairs: {accuracy:.3f} right", file=sys.stderr)
    return {
        "config": {
            "steps": STEPS,
            "batch": BATCH,
            "optimiser": "Adam",
            "schedule": "linear to 0",
            "dtype": "float64",
            "values": VALUES,
            "width": WIDTH,
            "reach": REACH,
            "memory": {kind: learner.memory for kind, learner in LEARNERS.items()},
            "sequences_tested": TESTED,
        },
        "seeds": list(SEEDS),
        "tuning_seeds": list(TUNING),
        "rates": list(GRID),
        "versions": versions(),
        "values": {"chance": 1.0 / VALUES, "cases": cases},
    }
