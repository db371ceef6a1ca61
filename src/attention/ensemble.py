"""Train many seeds side by side and record each: `python -m attention.ensemble E6`.

A statement about training is about a distribution, so no seed is left out.
Losses are on draws from the validation side, the same for all, and so is the floor.
"""

import argparse
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from jaxtyping import Float

from attention.corpus import VALIDATION_DRAWS, corpus, floor, validation_draws
from attention.models import KINDS, parameters
from attention.records import RUNS, versions, write_json
from attention.train import BATCH, RATES, STEPS, bar, fit, one, validation_loss

SEEDS = tuple(range(10))


def ensemble(
    kind: str,
    seeds: Sequence[int] = SEEDS,
    *,
    corpus_seed: int = 0,
    rate: float | None = None,
    steps: int = STEPS,
    progress: Callable[[int, float], None] = lambda step, loss: None,
) -> Float[np.ndarray, " seeds"]:
    """Train a model for every seed; return each one's loss over the floor, in order.

    Units: nats a token.

    Raises:
        TypeError: a seed or steps is no whole number.
        ValueError: there is no such kind or no seed, or steps is below 1.

    Examples:
        >>> ensemble("E6-uniform", [0, 1], steps=1).shape
        (2,)

    """
    rows, draws = corpus(corpus_seed).rows, validation_draws()
    weights = fit(kind, seeds, rows, steps=steps, rate=rate, progress=progress).weights
    least = floor(draws)
    return np.array(
        [validation_loss(kind, one(weights, i), draws) - least for i in range(len(seeds))]
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Train every seed at every rate asked for, and write one record."""
    parser = argparse.ArgumentParser(prog="python -m attention.ensemble", description=__doc__)
    parser.add_argument("model", choices=KINDS)
    parser.add_argument("--corpus", type=int, default=0, help="its seed; default: %(default)s")
    parser.add_argument("--seeds", type=int, nargs="+", default=SEEDS, help="default: 0 to 9")
    parser.add_argument("--rates", type=float, nargs="+", help="default: the tuned one")
    parser.add_argument("--steps", type=int, default=STEPS, help="default: %(default)s")
    parser.add_argument("--name", help="of the record; default: MODEL.seeds")
    parser.add_argument("--out", type=Path, default=RUNS, help="a folder; default: %(default)s")
    asked = parser.parse_args(arguments)
    given = sys.argv[1:] if arguments is None else list(arguments)
    if "--out" in given:  # where a record lies does not change it
        del given[given.index("--out") : given.index("--out") + 2]
    rates = asked.rates or [RATES[asked.model]]
    excess = []
    try:
        for rate in rates:
            excess.append(
                ensemble(
                    asked.model,
                    asked.seeds,
                    corpus_seed=asked.corpus,
                    rate=rate,
                    steps=asked.steps,
                    progress=bar(asked.steps),
                ).tolist()
            )
        data = corpus(asked.corpus)
    except KeyboardInterrupt:
        print("\nstopped: nothing was written", file=sys.stderr)
        return 130
    except (TypeError, ValueError) as error:
        parser.error(str(error))
    content = {
        "config": {
            "model": asked.model,
            "steps": asked.steps,
            "batch": BATCH,
            "optimiser": "Adam",
            "schedule": "linear to 0",
            "dtype": "float64",
            "validation_draws": VALIDATION_DRAWS,
        },
        "seeds": list(asked.seeds),
        "rates": rates,
        "versions": versions(),
        "corpus": {"seed": asked.corpus, "sha256": data.sha256},
        "parameters": sum(parameters(asked.model).values()),
        "values": {
            "floor": floor(validation_draws()),
            "excess": excess if asked.rates else excess[0],
        },
    }
    path = asked.out / f"{asked.name or asked.model + '.seeds'}.json"
    write_json(path, shlex.join(["python", "-m", "attention.ensemble", *given]), content)
    print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
