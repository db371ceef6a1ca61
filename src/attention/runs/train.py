"""Train a model from nothing, and record the run: `python -m attention.train E6`."""

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from attention.models.e6 import e6
from attention.models.fitting import BATCH, RATES, SCHEDULE, STEPS, Run, fit, one_thread
from attention.models.kinds import KINDS, parameters
from attention.models.layers import Weights
from attention.names.corpus import Corpus, Side, corpus, floor, loss_on, validation_side
from attention.names.grammar import TOKENS, encode
from attention.runs.command import Files, record
from attention.runs.records import versions

PROBES = ("davayis", "mulves", "gamolot", "izpilur", "elamar", "davas")


def one(weights: Weights, model: int) -> Weights:
    """Take one model out of many; the axis stays, with length 1.

    Examples:
        >>> from attention.models.kinds import draw_weights
        >>> one(draw_weights("E6", [0, 1]), 1)["head.bias"].shape
        torch.Size([1, 25])

    """
    return {name: w[model : model + 1] for name, w in weights.items()}


@one_thread()
def validation_loss(kind: str, weights: Weights, side: Side) -> float:
    """One model's loss on a side.

    Units: nats a token.

    Raises:
        ValueError: the weights are those of several models.

    Examples:
        >>> from attention.models.kinds import draw_weights
        >>> untrained, side = draw_weights("E6", [0]), Side(encode(["davas"]), np.ones(1))
        >>> round(validation_loss("E6", untrained, side) / np.log(25))  # as if all were alike
        1

    """
    if (models := len(weights["token"])) != 1:
        raise ValueError(f"the weights are those of {models} models: take one")
    log_probability = np.zeros(side.rows[:, 1:].shape)
    with torch.no_grad():
        for i in range(0, len(side.rows), 2_000):
            rows = torch.tensor(side.rows[None, i : i + 2_000].astype(int))
            logits = KINDS[kind].logits(weights, rows[..., :-1])
            of_next = logits.log_softmax(-1).gather(-1, rows[..., 1:, None])
            log_probability[i : i + 2_000] = of_next[0, ..., 0].numpy()
    return loss_on(side, log_probability)


def _summary(kind: str, seed: int, steps: int, data: Corpus, run: Run) -> dict[str, Any]:
    """Say what was trained, on what, and what came of it; losses are in nats a token."""
    side = validation_side()
    loss, least = validation_loss(kind, run.weights, side), floor(side)
    return {
        "config": {
            "model": kind,
            "steps": steps,
            "batch": BATCH,
            "optimiser": "Adam",
            "rate": RATES[kind],
            "schedule": SCHEDULE,
            "dtype": "float64",
            "training_draws": len(data.rows),
            "validation": "every name on the validation side, weighted by its probability",
        },
        "seed": seed,
        "versions": versions(),
        "corpus": {"seed": 0, "sha256": data.sha256},
        "parameters": sum(parameters(kind).values()),
        "values": {
            f"loss_at_{steps}": float(run.series[0, steps]),
            "final_val_loss": loss,
            "floor": least,
            "excess": loss - least,
        },
        "series": run.series[0].tolist(),
    }


def attention_arrays(weights: Weights) -> dict[str, Any]:
    """E6's shares on fixed names, with the token labels of both axes of every grid.

    Shapes: weights of one model.

    Examples:
        >>> from attention.models.kinds import draw_weights
        >>> arrays = attention_arrays(draw_weights("E6", [0]))
        >>> arrays["axes"], arrays["labels"][-1]
        (['probe', 'head', 'query', 'key'], ['BOS', 'd', 'a', 'v', 'a', 's', 'EOS', 'PAD'])

    """
    tokens = torch.tensor(encode(PROBES))[None, :, :-1]
    with torch.no_grad():
        shares = e6(weights, tokens).shares[0]
    return {
        "axes": ["probe", "head", "query", "key"],
        "probes": list(PROBES),
        "labels": [[TOKENS[i] for i in row] for row in tokens[0].tolist()],
        "shares": shares.tolist(),
    }


def bar(steps: int) -> Callable[[int, float], None]:
    """Make a progress bar of one line on stderr, drawn some hundred times.

    Examples:
        >>> show = bar(3_000)
        >>> show(1, 3.2)  # draws nothing yet

    """

    def show(step: int, loss: float) -> None:
        if step % max(steps // 100, 1) == 0:
            done = "█" * (20 * step // steps)
            end = "\n" if step == steps else ""
            print(f"\r{done:░<20} {step}/{steps}  loss {loss:.3f}", end=end, file=sys.stderr)

    return show


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, then write summary, weights and, for E6, attention arrays."""
    parser = argparse.ArgumentParser(prog="python -m attention.train", description=__doc__)
    parser.add_argument("model", choices=KINDS)
    parser.add_argument("--seed", type=int, default=0, help="default: %(default)s")
    parser.add_argument("--steps", type=int, default=STEPS, help="default: %(default)s")
    return record(parser, arguments, _made)


def _made(asked: argparse.Namespace) -> Files:
    """Train, and hand over what is to be written."""
    kind, data = asked.model, corpus()
    run = fit(kind, [asked.seed], data.rows, steps=asked.steps, progress=bar(asked.steps))
    files = {f"{kind}.weights.npz": {name: w[0].numpy() for name, w in run.weights.items()}}
    if kind == "E6":
        files["E6.attention.json"] = attention_arrays(run.weights)
    summary = _summary(kind, asked.seed, asked.steps, data, run)
    print(f"excess {summary['values']['excess']:.4f} nats")
    return {**files, f"{kind}.summary.json": summary}
