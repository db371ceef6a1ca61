"""Dropout: shares set to zero at random while training, and how to tell that it was done right."""

import numbers

import numpy as np
from array_api_compat import array_namespace
from jaxtyping import Float

from attention.arguments import (
    Array,
    first_place,
    float_namespace,
    require_finite,
    shape_of,
    spelled,
)


def dropout(
    shares: Float[Array, "*shape"],
    rate: float,
    rng: np.random.Generator | None,
    *,
    training: bool,
) -> Float[Array, "*shape"]:
    """Set each share to zero with probability `rate`, and divide the survivors by 1 − rate.

    The mean over masks is the share; a row that went through one mask no longer sums to one.
    The mask is drawn with NumPy, so NumPy and torch get the same one; torch's gradient flows
    through the survivors. A share that was zero stays zero.
    Without training the very array comes back, no copy, nothing is drawn, and rng may be None.

    Formula: `w'_j = w_j / (1 − rate) with probability 1 − rate, else 0`.

    Shapes: any; the result has that of shares.

    Units: rate is the probability that a share is dropped (p in Srivastava et al. is the one that
    a unit is kept).

    Raises:
        TypeError: shares are no floats, rate is no number, or training has no generator.
        ValueError: rate is not at least 0 and below 1.

    Source: Srivastava et al. 2014, "Dropout: A Simple Way to Prevent Neural Networks from
    Overfitting", JMLR 15; dividing while training, not multiplying afterwards, is what
    `torch.nn.functional.dropout` does.

    Examples:
        >>> dropout(np.full(8, 0.125), 0.5, np.random.default_rng(0), training=True)
        array([0.25, 0.  , 0.  , 0.  , 0.25, 0.25, 0.25, 0.25])

    """
    xp = float_namespace(shares=shares)
    rate = _require_rate(rate)
    if not training:
        return shares
    drawn = _require_generator(rng).random(shape_of(shares))
    kept = xp.asarray(drawn >= rate, device=shares.device)
    return xp.where(kept, shares / (1.0 - rate), 0.0)


def dropout_problems(
    result: Float[Array, "..."], shares: Float[Array, "..."], rate: float
) -> list[str]:
    """Say in sentences why `result` cannot be `shares` after dropout; an empty list: it can be.

    It can be if the shapes are the same, what was zero is zero, and every other cell is zero or
    share / (1 − rate), to within two epsilons of the dtype. (At rate 0 no other cell is zero.)
    How many were dropped, and where, proves nothing.

    Raises:
        TypeError: the arrays are no floats, or of two dtypes or two libraries; rate is no number.
        ValueError: a share is NaN or infinite, or rate is not at least 0 and below 1.

    Source: as `dropout`.

    Examples:
        >>> shares = np.array([0.5, 0.5, 0.0])
        >>> dropout_problems(np.array([0.625, 0.0, 0.0]), shares, 0.2)
        []
        >>> dropout_problems(np.array([2.5, 0.0, 0.0]), shares, 0.2)
        ['the result at 0 is 2.5: neither 0 nor 0.5 / (1 − 0.2) = 0.625']

    """
    xp = float_namespace(result=result, shares=shares)
    rate = _require_rate(rate)
    require_finite("shares", shares)
    if shape_of(result) != shape_of(shares):
        return [f"the result has shape {shape_of(result)}, the shares have {shape_of(shares)}"]
    expected = shares / (1.0 - rate)
    dropped, nothing = result == 0, shares == 0
    problems = []
    for wrong, sentence in (
        (nothing & ~dropped, "{}, where the share is 0"),
        (dropped & ~nothing & (rate == 0), "{}, but at rate 0 nothing is dropped"),
        (
            ~dropped & ~nothing & ~_near(result, expected),
            "{}: neither 0 nor {} / (1 − {rate}) = {}",
        ),
    ):
        if bool(xp.any(wrong)):
            place = first_place(wrong)
            held = (array[place].item() for array in (result, shares, expected))
            said = sentence.format(*held, rate=rate)
            problems.append(f"the result at {spelled(place)} is {said}")
    return problems


def _near(result: Array, expected: Array) -> Array:
    """Mark the cells within two epsilons of what is expected; NaN and infinity are near nothing."""
    xp = array_namespace(result)
    limits = xp.finfo(result.dtype)
    with np.errstate(all="ignore"):
        size = xp.clip(xp.abs(expected), min=limits.smallest_normal)
        return xp.abs(result - expected) <= 2 * limits.eps * size


def _require_rate(rate: float) -> float:
    """Return the rate as a Python float, which changes no dtype; raise unless 0 ≤ rate < 1."""
    if not isinstance(rate, numbers.Real):
        raise TypeError(f"rate is {rate!r}: a number belongs here")
    if not 0 <= rate < 1:
        raise ValueError(f"rate is {rate}: it must be at least 0 and below 1")
    return float(rate)


def _require_generator(rng: np.random.Generator | None) -> np.random.Generator:
    """Return the generator, or raise TypeError if there is none."""
    if not isinstance(rng, np.random.Generator):
        raise TypeError(
            f"rng is {rng!r}: training needs a generator, such as np.random.default_rng(seed)"
        )
    return rng
