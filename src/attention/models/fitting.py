"""How a model is fitted: the loss, the batches, a rate that rises and falls, and Adam."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional

from attention.arguments import require_count
from attention.models.kinds import KINDS, draw_weights
from attention.models.layers import Weights
from attention.names.grammar import PAD

STEPS, BATCH = 3_000, 32
WARM_UP = 200  # updates
SCHEDULE = f"linear up over {WARM_UP} updates, then linear to 0"
RATES = {"E6": 1e-2, "E6-positions": 1e-2, "E6-uniform": 1e-2, "E5-names": 3e-2}  # tuned


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Compute on one thread: at this size two gain little, and beside a busy process lose much.

    Examples:
        >>> with one_thread():
        ...     torch.get_num_threads()
        1

    """
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
    progress: Callable[[int, float], None] = lambda *_: None,
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
        >>> from attention.names.corpus import corpus
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
