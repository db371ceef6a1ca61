"""E6 in NumPy alone: forward, backward and Adam by hand, for one model.

It follows the torch run of `attention.models.fitting.fit` step by step.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from attention.arguments import require_count
from attention.core import attend
from attention.gradient import (
    attend_backward,
    cross_entropy_backward,
    linear_backward,
    norm_backward,
    relu_backward,
    standardise,
)
from attention.masks import causal
from attention.models.adam import Numbers, adam, start
from attention.models.e6 import HEADS
from attention.models.fitting import RATES, STEPS, batches, height
from attention.models.kinds import draw_weights
from attention.names.grammar import PAD


class Tape(NamedTuple):
    """What the forward pass keeps for the backward pass."""

    stream: Float[np.ndarray, "names positions width"]
    normed: Float[np.ndarray, "names positions width"]
    query: Float[np.ndarray, "names heads positions head_width"]
    key: Float[np.ndarray, "names heads positions head_width"]
    value: Float[np.ndarray, "names heads positions head_width"]
    shares: Float[np.ndarray, "names heads queries keys"]
    joined: Float[np.ndarray, "names positions width"]
    attended: Float[np.ndarray, "names positions width"]
    normed_again: Float[np.ndarray, "names positions width"]
    before: Float[np.ndarray, "names positions hidden"]  # the ReLU
    dense: Float[np.ndarray, "names positions width"]
    logits: Float[np.ndarray, "names positions vocabulary"]


class HandRun(NamedTuple):
    """Weights after the last step, and the loss on each batch; entry k is met after k updates."""

    weights: Numbers
    series: Float[np.ndarray, " steps_and_one"]


def forward(weights: Numbers, tokens: Int[np.ndarray, "names positions"]) -> Tape:
    """E6's forward pass for one model, everything kept.

    Shapes: weights as in `e6.E6_SHAPES`, the rest as in `Tape`.

    Raises:
        IndexError: a token id does not exist.
        ValueError: there are more than 8 positions.

    Source: `attention.models.e6.e6`, which does it in torch.

    Examples:
        >>> weights = {name: w[0].numpy() for name, w in draw_weights("E6", [0]).items()}
        >>> forward(weights, np.array([[1, 10, 24]])).logits.shape
        (1, 3, 25)

    """
    stream = weights["token"][tokens] + weights["position"][: tokens.shape[-1]]
    normed = _norm(weights, "norm1", stream)
    query, key, value = (_split(_linear(weights, p, normed)) for p in ("query", "key", "value"))
    mixed, shares = attend(query, key, value, causal(tokens.shape[-1]))
    joined = _join(mixed)
    attended = stream + _linear(weights, "project", joined)
    again = _norm(weights, "norm2", attended)
    before = _linear(weights, "expand", again)
    dense = attended + _linear(weights, "contract", np.maximum(before, 0.0))
    logits = _linear(weights, "head", dense)
    return Tape(
        stream, normed, query, key, value, shares, joined, attended, again, before, dense, logits
    )


def loss_and_gradients(
    weights: Numbers, rows: Int[np.ndarray, "names tokens"]
) -> tuple[float, Numbers]:
    """The mean −log p of the tokens that come, PAD aside, and the loss by every weight.

    Shapes: rows as `grammar.encode` makes them; each gradient as its weight.

    Units: nats a token.

    Raises:
        IndexError: a token id does not exist.
        ValueError: there are more than 8 positions to predict.

    Source: chain rule, from the head back to the embeddings.

    Examples:
        >>> weights = {name: w[0].numpy() for name, w in draw_weights("E6", [0]).items()}
        >>> loss, gradients = loss_and_gradients(weights, np.array([[1, 10, 24, 2]]))
        >>> gradients.keys() == weights.keys()
        True

    """
    tokens, targets = rows[:, :-1], rows[:, 1:]
    tape = forward(weights, tokens)
    asked = (targets != PAD) / (targets != PAD).sum()
    shifted = tape.logits - tape.logits.max(axis=-1, keepdims=True)
    logs = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    loss = -(asked * np.take_along_axis(logs, targets[..., None], axis=-1)[..., 0]).sum()
    upstream = cross_entropy_backward(tape.logits, targets, asked)
    return float(loss), backward(weights, tokens, tape, upstream)


def backward(
    weights: Numbers,
    tokens: Int[np.ndarray, "names positions"],
    tape: Tape,
    upstream: Float[np.ndarray, "names positions vocabulary"],
) -> Numbers:
    """Carry the loss by the logits to every weight, the last step first.

    A sum passes its gradient to both of its terms, so that each branch adds to the stream's.

    Shapes: upstream as the logits; each gradient as its weight.

    Raises:
        ValueError: upstream has not the shape of the logits.

    Source: chain rule, as in `attention.gradient`.

    Examples:
        >>> weights = {name: w[0].numpy() for name, w in draw_weights("E6", [0]).items()}
        >>> tokens = np.array([[1, 10, 24]])
        >>> tape = forward(weights, tokens)
        >>> backward(weights, tokens, tape, np.ones_like(tape.logits))["head.bias"][:2]
        array([3., 3.])

    """
    found: Numbers = {}
    by_dense = _back(found, weights, "head", tape.dense, upstream)
    by_hidden = _back(found, weights, "contract", np.maximum(tape.before, 0.0), by_dense)
    by_before = relu_backward(tape.before, by_hidden)
    by_again = _back(found, weights, "expand", tape.normed_again, by_before)
    by_attended = by_dense + _back_norm(found, weights, "norm2", tape.attended, by_again)
    by_joined = _back(found, weights, "project", tape.joined, by_attended)
    three = attend_backward(tape.query, tape.key, tape.value, tape.shares, _split(by_joined))
    by_normed = np.zeros_like(tape.normed)
    for part, by_part in zip(("query", "key", "value"), three, strict=True):
        by_normed += _back(found, weights, part, tape.normed, _join(by_part))
    by_stream = by_attended + _back_norm(found, weights, "norm1", tape.stream, by_normed)
    found["token"], found["position"] = (np.zeros_like(weights[n]) for n in ("token", "position"))
    np.add.at(found["token"], tokens, by_stream)  # a token that occurs twice gathers both
    found["position"][: tokens.shape[-1]] = by_stream.sum(axis=0)
    return {name: found[name] for name in weights}


def fit_by_hand(seed: int, rows: Int[np.ndarray, "names tokens"], steps: int = STEPS) -> HandRun:
    """Train E6 as `fitting.fit` does, with the same first weights, batches and rates.

    Units: the series is in nats a token.

    Raises:
        TypeError: seed or steps is no whole number.
        ValueError: steps is below 1 or seed below 0.

    Source: as `adam`.

    Examples:
        >>> from attention.names.corpus import corpus
        >>> fit_by_hand(0, corpus(0, 100).rows, steps=2).series.shape
        (3,)

    """
    require_count("steps", steps, 1)
    state = start({name: w[0].numpy() for name, w in draw_weights("E6", [seed]).items()})
    series = []
    for step, chosen in enumerate(batches(seed, len(rows), steps)):
        loss, gradients = loss_and_gradients(state.weights, rows[chosen].astype(int))
        series.append(loss)
        if step < steps:
            state = adam(state, gradients, step + 1, RATES["E6"] * height(step, steps))
    return HandRun(state.weights, np.array(series))


def _linear(weights: Numbers, part: str, x: np.ndarray) -> np.ndarray:
    return x @ weights[f"{part}.weight"] + weights[f"{part}.bias"]


def _norm(weights: Numbers, part: str, x: np.ndarray) -> np.ndarray:
    return standardise(x) * weights[f"{part}.scale"] + weights[f"{part}.bias"]


def _back(found: Numbers, weights: Numbers, part: str, x: np.ndarray, up: np.ndarray) -> np.ndarray:
    """Note a linear map's gradients, and pass on its input's."""
    by_x, found[f"{part}.weight"], found[f"{part}.bias"] = linear_backward(
        x, weights[f"{part}.weight"], up
    )
    return by_x


def _back_norm(
    found: Numbers, weights: Numbers, part: str, x: np.ndarray, up: np.ndarray
) -> np.ndarray:
    """Note a layer norm's gradients, and pass on its input's."""
    by_x, found[f"{part}.scale"], found[f"{part}.bias"] = norm_backward(
        x, weights[f"{part}.scale"], up
    )
    return by_x


def _split(x: np.ndarray) -> np.ndarray:
    """Cut vectors into heads, heads before positions."""
    return x.reshape(*x.shape[:-1], HEADS, -1).swapaxes(-2, -3)


def _join(x: np.ndarray) -> np.ndarray:
    """Put the heads side by side again."""
    swapped = x.swapaxes(-2, -3)
    return swapped.reshape(*swapped.shape[:-2], -1)
