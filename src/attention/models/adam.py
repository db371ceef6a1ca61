"""Adam in NumPy: a step for every weight, as long as the rate and not as the gradient."""

from typing import NamedTuple, TypeAlias

import numpy as np
from jaxtyping import Float

from attention.arguments import require_count

Numbers: TypeAlias = dict[str, Float[np.ndarray, "..."]]

MEAN, SQUARE, TINY = 0.9, 0.999, 1e-8  # Adam's two memories, and what keeps it from dividing by 0


class State(NamedTuple):
    """Weights, and Adam's running means of their gradients and of the squares of these."""

    weights: Numbers
    mean: Numbers
    square: Numbers


def start(weights: Numbers) -> State:
    """Begin Adam: both memories 0.

    Examples:
        >>> start({"w": np.array([1.0, 2.0])}).mean
        {'w': array([0., 0.])}

    """
    nothing = {name: np.zeros_like(w) for name, w in weights.items()}
    return State(weights, nothing, nothing)


def adam(state: State, gradients: Numbers, step: int, rate: float) -> State:
    """Make step number `step`, counted from 1: against the mean gradient, over its usual size.

    Raises:
        TypeError: step is no whole number.
        ValueError: step is below 1.

    Source: Kingma and Ba 2015, "Adam: A Method for Stochastic Optimization", algorithm 1.

    Examples:
        >>> state = start({"w": np.array([1.0, 1.0])})
        >>> adam(state, {"w": np.array([5.0, -0.001])}, 1, 0.1).weights["w"].round(4)
        array([0.9, 1.1])

    """
    require_count("step", step, 1)
    mean = {n: m + (gradients[n] - m) * (1.0 - MEAN) for n, m in state.mean.items()}
    square = {n: SQUARE * s + (1.0 - SQUARE) * gradients[n] ** 2 for n, s in state.square.items()}
    length, spread = rate / (1.0 - MEAN**step), np.sqrt(1.0 - SQUARE**step)
    weights = {
        n: w - length * mean[n] / (np.sqrt(square[n]) / spread + TINY)
        for n, w in state.weights.items()
    }
    return State(weights, mean, square)
