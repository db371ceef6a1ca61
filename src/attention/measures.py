"""How far apart two floats are, counted in floats."""

from typing import Any

import numpy as np
from array_api_compat import array_namespace, is_array_api_obj
from jaxtyping import Float, Int

from attention.checks import (
    Array,
    broadcast_shape,
    first_place,
    float_namespace,
    shape_of,
    spelled,
)


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
