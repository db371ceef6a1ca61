"""Numbers about shares: how sure a row is, how much it can still move, how far it has moved.

And how far apart two floats are, counted in floats.
"""

import math
from typing import Any

import numpy as np
from array_api_compat import array_namespace, is_array_api_obj
from jaxtyping import Float, Int

from attention.arguments import (
    Array,
    broadcast_shape,
    first_place,
    float_namespace,
    require_equal,
    require_shares,
    shape_of,
    spelled,
)


def entropy_bits(p: Float[Array, "*rows keys"]) -> Float[Array, "*rows"]:
    """Minus the sum of p · log₂ p over each row, where 0 · log₂ 0 is 0.

    0 when one key has it all, log₂ of the number of keys when all have the same.
    A share above one half is taken as 1 minus the others, which a saturated row holds to more
    digits.

    Formula: `H(p) = −Σ_j p_j log₂ p_j`.

    Shapes: p `(..., keys)`, result `(...)`.

    Units: bits.

    Raises:
        TypeError: p is no array of floats.
        ValueError: a share is negative, NaN or infinite, or a row does not sum to one
            (within √eps: 1.5e-8 in float64).

    Source: Shannon 1948, "A Mathematical Theory of Communication", section 6.

    Examples:
        >>> import numpy as np
        >>> entropy_bits(np.array([[0.5, 0.25, 0.25], [1.0, 0.0, 0.0]]))
        array([1.5, 0. ])

    """
    xp = require_shares(p=p)
    largest, rest = _largest_and_rest(p)
    small = xp.where(rest < 0.5, rest, 0.0)
    logs = xp.where(
        largest & (rest < 0.5),
        xp.log1p(-small) / math.log(2),
        xp.log2(xp.where(p > 0, p, 1.0)),
    )
    return 0.0 - xp.sum(p * logs, axis=-1)


def softmax_jacobian(p: Float[Array, "*rows keys"]) -> Float[Array, "*rows keys keys"]:
    """What each share gains from each score: p_i (1 − p_i) on the diagonal, −p_i p_j beside it.

    Cell (i, j) is the derivative of share i by score j, if the shares are the softmax of scores.
    For the largest share, 1 − p_i is the sum of the others: the subtraction would cancel.

    Formula: `∂p_i/∂s_j = p_i (δ_ij − p_j)`.

    Shapes: p `(..., keys)`, result `(..., keys, keys)`.

    Units: shares per nat of score.

    Raises:
        TypeError, ValueError: as `entropy_bits`.

    Source: p_i = exp(s_i) / Σ exp(s_k), so ∂p_i/∂s_j = p_i (δ_ij − p_j).

    Examples:
        >>> import numpy as np
        >>> softmax_jacobian(np.array([0.75, 0.25]))
        array([[ 0.1875, -0.1875],
               [-0.1875,  0.1875]])

    """
    xp = require_shares(p=p)
    largest, rest = _largest_and_rest(p)
    own = p * xp.where(largest, rest, 1.0 - p)
    diagonal = xp.eye(p.shape[-1], dtype=xp.bool, device=p.device)
    return xp.where(diagonal, own[..., None], 0.0 - p[..., :, None] * p[..., None, :])


def jacobian_norm(p: Float[Array, "*rows keys"]) -> Float[Array, "*rows"]:
    """The root of the sum of the squares of `softmax_jacobian`, which is never built.

    It does not cancel or underflow where a row saturates: everything is in units of 1 − p_max,
    the sum of the other shares.

    Formula: `‖J‖ = √(Σ_ij J_ij²)`.

    Shapes: p `(..., keys)`, result `(...)`.

    Units: shares per nat of score.

    Raises:
        TypeError, ValueError: as `entropy_bits`.

    Source: row i of the Jacobian has the square p_i² ((1 − p_i)² + Σ_{j≠i} p_j²); add the rows.

    Examples:
        >>> import numpy as np
        >>> jacobian_norm(np.array([[0.75, 0.25], [1.0, 1e-200]]))
        array([3.75e-001, 2.00e-200])

    """
    xp = require_shares(p=p)
    largest, rest = _largest_and_rest(p)
    parts = xp.where(largest, 0.0, p) / xp.where(rest > 0, rest, 1.0)
    others = xp.sum(p * p, axis=-1, keepdims=True) - p * p
    rows = xp.where(
        largest,
        p**2 * (1.0 + xp.sum(parts**2, axis=-1, keepdims=True)),
        parts**2 * ((1.0 - p) ** 2 + others),
    )
    return rest[..., 0] * xp.sqrt(xp.sum(rows, axis=-1))


def total_variation(
    p: Float[Array, "*#rows keys"], q: Float[Array, "*#rows keys"]
) -> Float[Array, "*rows"]:
    """Half the sum of |p − q| over each row: the share that has moved from some keys to others.

    0 when nothing moved, 1 when the two rows have no key in common.

    Formula: `d(p, q) = ½ Σ_j |p_j − q_j|`.

    Shapes: p and q `(..., keys)`, leading axes broadcast to the result's.

    Raises:
        TypeError: p and q are no floats, or of two dtypes or two libraries.
        ValueError: as `entropy_bits`, or the shapes do not fit.

    Source: definition.

    Examples:
        >>> import numpy as np
        >>> total_variation(np.array([0.5, 0.5, 0.0]), np.array([0.25, 0.5, 0.25]))
        np.float64(0.25)

    """
    xp = require_shares(p=p, q=q)
    require_equal("row length", p=(p, -1), q=(q, -1))
    broadcast_shape({"p": shape_of(p), "q": shape_of(q)})
    return xp.sum(xp.abs(p - q), axis=-1) / 2


def ulps_between(
    a: Float[Array, "*#shape"] | float, b: Float[Array, "*#shape"] | float
) -> Int[Array, "*shape"]:
    """Count the steps from one float to the next that lead from a to b: 0 means equal.

    The two zeros are one place. A Python float counts as float64.
    Counts are int64 and stop at 2⁶³ − 1, which float64 reaches only between numbers of
    opposite sign.

    Shapes: a and b broadcast to the result's.

    Units: units in the last place (steps between neighbouring floats of that dtype).

    Raises:
        TypeError: a and b are of two dtypes or libraries, or not of float32 or float64.
        ValueError: a cell is NaN or infinite, or the shapes do not broadcast.

    Source: IEEE 754: the bits of a float, read as an integer, count the floats from zero.

    Examples:
        >>> import numpy as np
        >>> int(ulps_between(0.1 + 0.2, 0.3))
        1
        >>> ulps_between(np.array([0.0, 1.0]), np.array([-5e-324, 1.0 + 2.0**-50]))
        array([1, 4])

    """
    a, b = _like(a, b), _like(b, a)
    xp = float_namespace(a=a, b=b)
    for name, array in (("a", a), ("b", b)):
        if array.dtype not in (xp.float32, xp.float64):
            raise TypeError(f"{name} holds {array.dtype}: float32 or float64 belongs here")
        wrong = ~xp.isfinite(array)
        if bool(xp.any(wrong)):
            place = first_place(wrong)
            raise ValueError(f"{name} holds {array[place].item()} at {spelled(place)}")
    broadcast_shape({"a": shape_of(a), "b": shape_of(b)})
    (left, left_negative), (right, right_negative) = _from_zero(a), _from_zero(b)
    room = xp.iinfo(xp.int64).max - left
    apart = left + xp.where(right < room, right, room)
    return xp.where(left_negative == right_negative, xp.abs(left - right), apart)


def _largest_and_rest(p: Array) -> tuple[Array, Array]:
    """Mark the first largest cell of each row, and add up the other cells of that row."""
    xp = array_namespace(p)
    places = xp.arange(p.shape[-1], device=p.device)
    largest = places == xp.argmax(p, axis=-1, keepdims=True)
    return largest, xp.sum(xp.where(largest, 0.0, p), axis=-1, keepdims=True)


def _like(number: Any, other: Any) -> Any:
    """Put a Python float into the library of the other argument, as the float64 it is."""
    if not isinstance(number, float):
        return number
    xp = array_namespace(other) if is_array_api_obj(other) else np
    return xp.asarray(number, dtype=xp.float64)


def _from_zero(array: Array) -> tuple[Array, Array]:
    """Return how many floats lie from zero to each cell, and whether its sign bit is set."""
    xp = array_namespace(array)
    bits = array.view(xp.int32 if array.dtype == xp.float32 else xp.int64)
    return xp.astype(bits & xp.iinfo(bits.dtype).max, xp.int64), bits < 0
