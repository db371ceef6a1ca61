"""Train a model from nothing, and record the run: `python -m attention.train E6`."""

import argparse
import contextlib
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional

from attention.checks import require_count
from attention.corpus import Corpus, Side, corpus, floor, loss_on, validation_side
from attention.layers import Weights
from attention.models import KINDS, draw_weights, e6, parameters
from attention.names import PAD, TOKENS, encode
from attention.records import RUNS, versions, write_arrays, write_json

STEPS, BATCH = 3_000, 32
WARM_UP = 200  # updates
SCHEDULE = f"linear up over {WARM_UP} updates, then linear to 0"
RATES = {"E6": 1e-2, "E6-positions": 1e-2, "E6-uniform": 1e-2, "E5-names": 3e-2}  # tuned
PROBES = ("davayis", "mulves", "gamolot", "izpilur", "elamar", "davas")


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Compute on one thread: at this size two gain little, and beside a busy process lose much."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


class Run(NamedTuple):
    """Weights after the last step, and the loss on each batch; entry k is met after k updates."""

    weights: Weights
    series: Float[Tensor, "models steps_and_one"]


def losses(
    logits: Float[Tensor, "models names positions vocabulary"],
    targets: Int[Tensor, "models names positions"],
) -> Float[Tensor, " models"]:
    """Each model's mean −log p of the tokens that do come; PAD targets are ignored.

    Units: nats a token.

    Examples:
        >>> targets = torch.tensor([[[5, 2, 0]]])
        >>> losses(torch.zeros(1, 1, 3, 25), targets)  # log 25
        tensor([3.2189])

    """
    each = functional.cross_entropy(
        logits.flatten(0, 2), targets.flatten(), ignore_index=PAD, reduction="none"
    ).reshape(targets.shape)
    return each.sum((1, 2)) / (targets != PAD).sum((1, 2))


def height(step: int, steps: int) -> float:
    """What part of the full rate update number `step` of `steps` is made with, counted from 0.

    It rises linearly over the first 200 updates, then falls linearly to 0, which the update after
    the last would have. A run of at most 200 updates only rises.

    Raises:
        ValueError: step is not one of the steps.

    Source: Devlin et al. 2019, "BERT: Pre-training of Deep Bidirectional Transformers for Language
    Understanding", appendix A.2 (the shape, at another length).

    Examples:
        >>> [height(step, 3_000) for step in (0, 99, 199, 200, 1_600)]
        [0.005, 0.5, 1.0, 1.0, 0.5]

    """
    if not 0 <= step < steps:
        raise ValueError(
            f"step is {step}: of {steps} steps, the first is 0 and the last {steps - 1}"
        )
    if step < WARM_UP:
        return (step + 1) / WARM_UP
    return 1.0 - (step - WARM_UP) / (steps - WARM_UP)


def batches(seed: int, names: int, steps: int) -> Int[np.ndarray, "steps_and_one batch"]:
    """Draw the places of each batch's names, one batch more than there are updates.

    Examples:
        >>> batches(0, 100, 2).shape
        (3, 32)

    """
    rng = np.random.Generator(np.random.PCG64([seed, 1]))
    return rng.integers(names, size=(steps + 1, BATCH))


@one_thread()
def fit(
    kind: str,
    seeds: Sequence[int],
    rows: Int[np.ndarray, "names tokens"],
    *,
    steps: int = STEPS,
    rate: float | None = None,
    progress: Callable[[int, float], None] = lambda step, loss: None,
) -> Run:
    """Train one model a seed, side by side, with Adam at a rate that rises, then falls.

    A seed decides first weights and batches, and its model is the one it would be without the
    others. `rate`, the highest reached, is the kind's tuned one unless given; `height` says how it
    rises and falls.

    Raises:
        TypeError: a seed or steps is no whole number.
        ValueError: there is no such kind or no seed, steps is below 1, or training diverged.

    Source: Kingma and Ba 2015, "Adam: A Method for Stochastic Optimization", algorithm 1.

    Examples:
        >>> run = fit("E6", [0], corpus(0, 100).rows, steps=2)
        >>> run.series.shape
        torch.Size([1, 3])

    """
    require_count("steps", steps, 1)
    if not seeds:
        raise ValueError("there is no seed: a model needs one")
    weights = draw_weights(kind, seeds)
    rate = RATES[kind] if rate is None else rate
    chosen = torch.tensor(rows[np.stack([batches(s, len(rows), steps) for s in seeds], axis=1)])
    # Not fused: the fused kernel rounds the last few numbers of a tensor in another way, so that a
    # model's bits would depend on how many are trained beside it.
    learned = [w.requires_grad_() for w in weights.values()]
    adam = torch.optim.Adam(learned, lr=rate, foreach=False, fused=False)
    series = []
    for step, batch in enumerate(chosen):
        loss = losses(KINDS[kind].logits(weights, batch[..., :-1]), batch[..., 1:])
        series.append(loss.detach())
        progress(step, float(loss.detach().mean()))
        if step < steps:
            adam.param_groups[0]["lr"] = rate * height(step, steps)
            adam.zero_grad()
            torch.autograd.backward(loss.sum())
            adam.step()
    return Run({name: w.detach() for name, w in weights.items()}, torch.stack(series, dim=1))


def one(weights: Weights, model: int) -> Weights:
    """Take one model out of many; the axis stays, with length 1."""
    return {name: w[model : model + 1] for name, w in weights.items()}


@one_thread()
def validation_loss(kind: str, weights: Weights, side: Side) -> float:
    """One model's loss on a side.

    Units: nats a token.

    Raises:
        ValueError: the weights are those of several models.

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


def summary(kind: str, seed: int, steps: int, data: Corpus, run: Run) -> dict[str, Any]:
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
    """E6's shares on fixed names, with the token labels of both axes of every grid."""
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
    """Make a progress bar of one line on stderr, drawn some hundred times."""

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
    parser.add_argument("--out", type=Path, default=RUNS, help="a folder; default: %(default)s")
    asked = parser.parse_args(arguments)
    words = ["python", "-m", "attention.train", asked.model]
    words += ["--seed", str(asked.seed)] * (asked.seed != 0)
    words += ["--steps", str(asked.steps)] * (asked.steps != STEPS)
    command, kind = shlex.join(words), asked.model
    try:
        data = corpus()
        run = fit(kind, [asked.seed], data.rows, steps=asked.steps, progress=bar(asked.steps))
        content = summary(kind, asked.seed, asked.steps, data, run)
    except KeyboardInterrupt:
        print("\nstopped: nothing was written", file=sys.stderr)
        return 130
    except (TypeError, ValueError) as error:
        parser.error(str(error))
    arrays = {name: w[0].numpy() for name, w in run.weights.items()}
    write_arrays(asked.out / f"{kind}.weights.npz", arrays)
    if kind == "E6":
        write_json(asked.out / "E6.attention.json", command, attention_arrays(run.weights))
    write_json(asked.out / f"{kind}.summary.json", command, content)
    print(f"wrote {asked.out / kind}.summary.json: excess {content['values']['excess']:.4f} nats")
    return 0


if __name__ == "__main__":
    sys.exit(main())
