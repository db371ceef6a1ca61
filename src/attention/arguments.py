"""The questions every function asks of its arguments first, and what it says when the answer is no.

Every message carries the caller's own names, shapes and places.
"""

import math
import operator
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from array_api_compat import array_namespace, is_array_api_obj, is_numpy_array

# A NumPy array or a torch tensor: the same code serves both, and neither library is named.
Array: TypeAlias = Any


def shape_of(array: Array) -> tuple[int, ...]:
    """Return the shape as a plain tuple, which both libraries then print alike."""
    return tuple(array.shape)


def require_arrays(**named: Array) -> None:
    """Raise TypeError unless all arguments are arrays of one library."""
    first_name, first = next(iter(named.items()))
    for name, array in named.items():
        kind = type(array).__name__
        if not is_array_api_obj(array):
            raise TypeError(f"{name} is a {kind}: use np.array(...) or torch.tensor(...)")
        if is_numpy_array(array) != is_numpy_array(first):
            raise TypeError(
                f"{first_name} is a {type(first).__name__} but {name} is a {kind}: use one library"
            )


def float_namespace(**named: Array) -> Any:
    """Return the array namespace the arguments share; TypeError unless all hold one float dtype."""
    require_arrays(**named)
    first_name, first = next(iter(named.items()))
    xp = array_namespace(first)
    for name, array in named.items():
        if not xp.isdtype(array.dtype, "real floating"):
            raise TypeError(f"{name} holds {array.dtype}: floats belong here")
        if array.dtype != first.dtype:
            raise TypeError(f"{first_name} holds {first.dtype} but {name} holds {array.dtype}")
    return xp


def require_bool(name: str, mask: Array) -> None:
    """Raise TypeError unless the mask is an array of booleans."""
    require_arrays(**{name: mask})
    if not array_namespace(mask).isdtype(mask.dtype, "bool"):
        raise TypeError(f"{name} holds {mask.dtype}, not bool: True = may attend")


def require_axes(axes: tuple[str, ...], **named: Array) -> None:
    """Raise ValueError unless every array has at least the axes listed."""
    for name, array in named.items():
        if array.ndim < len(axes):
            wanted = f"{len(axes)} {'axis' if len(axes) == 1 else 'axes'} ({', '.join(axes)})"
            raise ValueError(f"{name} needs at least {wanted}: {name} {shape_of(array)}")


def require_equal(what: str, **named: tuple[Array, int]) -> None:
    """Raise ValueError unless the axes that must meet, each given as (array, axis), are as long."""
    (left, (left_array, left_axis)), (right, (right_array, right_axis)) = named.items()
    left_size, right_size = left_array.shape[left_axis], right_array.shape[right_axis]
    if left_size != right_size:
        raise ValueError(
            f"{left} has {what} {left_size} but {right} has {what} {right_size}: "
            f"{left} {shape_of(left_array)}, {right} {shape_of(right_array)}"
        )


def require_some(what: str, axis: int, **named: Array) -> None:
    """Raise ValueError if the named axis of any array is empty."""
    for name, array in named.items():
        if array.shape[axis] == 0:
            raise ValueError(f"{name} has {what} 0: {name} {shape_of(array)}")


def broadcast_shape(shapes: dict[str, tuple[int, ...]]) -> tuple[int, ...]:
    """Return the shape all of these broadcast to; ValueError naming each if they do not."""
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        listed = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise ValueError(f"these shapes do not broadcast: {listed}") from None


def batch_shape(**named: Array) -> tuple[int, ...]:
    """Return what the leading (batch, head) axes broadcast to; ValueError if they do not."""
    try:
        return np.broadcast_shapes(*(shape_of(array)[:-2] for array in named.values()))
    except ValueError:
        listed = ", ".join(f"{name} {shape_of(array)}" for name, array in named.items())
        raise ValueError(f"the batch axes do not broadcast: {listed}") from None


def shares_shape(query: Array, key: Array, value: Array) -> tuple[int, ...]:
    """Return `(..., queries, keys)`, or say which of the three does not fit the others."""
    float_namespace(query=query, key=key, value=value)
    require_axes(("queries", "width"), query=query)
    require_axes(("keys", "width"), key=key, value=value)
    require_equal("width", query=(query, -1), key=(key, -1))
    require_equal("length", key=(key, -2), value=(value, -2))
    require_some("length", -2, key=key)
    batch_shape(query=query, key=key, value=value)
    return (*batch_shape(query=query, key=key), query.shape[-2], key.shape[-2])


def first_place(cells: Array) -> tuple[int, ...]:
    """Return the index of the first True cell."""
    if cells.ndim == 0:
        return ()
    return tuple(int(places[0]) for places in array_namespace(cells).nonzero(cells))


def spelled(place: Sequence[int]) -> str:
    """Write an index the way a reader says it: `2` on one axis, `(1, 2)` on two."""
    return str(place[0]) if len(place) == 1 else str(tuple(place))


def mask_for(shape: tuple[int, ...], allowed: Array, like: Array) -> Array:
    """Return `allowed` as booleans of `shape`, in the library and on the device of `like`.

    A NumPy mask is copied over to torch, since a mask carries no gradient; never the reverse.
    """
    require_bool("allowed", allowed)
    if is_numpy_array(like) and not is_numpy_array(allowed):
        raise TypeError(f"the scores are NumPy's but allowed is a {type(allowed).__name__}")
    xp = array_namespace(like)
    if not is_numpy_array(like) and is_numpy_array(allowed):
        allowed = xp.asarray(np.array(allowed), device=like.device)
    require_axes(("queries", "keys")[-len(shape) :], allowed=allowed)
    try:
        full = xp.broadcast_to(allowed, shape)
    except (ValueError, RuntimeError):
        raise ValueError(
            f"allowed {shape_of(allowed)} does not broadcast to the scores {shape}"
        ) from None
    require_no_empty_row(allowed)
    return full


def require_no_empty_row(allowed: Array) -> None:
    """Raise ValueError if a query may attend to nothing; no shares of nothing sum to one."""
    xp = array_namespace(allowed)
    empty = ~xp.any(allowed, axis=-1)
    if bool(xp.any(empty)):
        place = first_place(empty)
        row = f"row {spelled(place)} of allowed" if place else "allowed"
        raise ValueError(f"{row} has no key to attend to: allowed {shape_of(allowed)}")


def require_finite_maximum(kept: Array, top: Array) -> None:
    """Raise ValueError unless every row's largest allowed score is a finite number.

    NaN outranks every number, so one look at the maximum finds it, +inf, and rows of only −inf.
    """
    xp = array_namespace(kept)
    if bool(xp.all(xp.isfinite(top))):
        return
    wrong = xp.isnan(kept) | (kept == xp.inf)
    if bool(xp.any(wrong)):
        place = first_place(wrong)
        raise ValueError(
            f"the score at {spelled(place)} is {kept[place].item()} and its key is allowed: "
            f"scores {shape_of(kept)}"
        )
    place = first_place(top[..., 0] == -xp.inf)
    row = f"row {spelled(place)} of the scores" if place else "the row of scores"
    raise ValueError(f"{row} holds only -inf where a key is allowed: scores {shape_of(kept)}")


def require_finite(name: str, array: Array, rows: Array | None = None) -> None:
    """Raise ValueError at the first cell that is NaN or infinite, in the rows that matter."""
    xp = array_namespace(array)
    wrong = ~xp.isfinite(array)
    if rows is not None:
        wrong = wrong & rows[..., None]
    if bool(xp.any(wrong)):
        place = first_place(wrong)
        value = xp.broadcast_to(array, wrong.shape)[place].item()
        why = "" if rows is None else " and a query may attend to it"
        raise ValueError(f"{name} holds {value} at {spelled(place)}{why}: {name} {shape_of(array)}")


def require_shares(**named: Array) -> Any:
    """Return the namespace of arrays whose every row is shares: not negative, adding up to one.

    The sum may miss one by the square root of the dtype's epsilon: 1.5e-8 in float64.
    """
    xp = float_namespace(**named)
    for name, array in named.items():
        require_axes(("keys",), **{name: array})
        require_some("row length", -1, **{name: array})
        require_finite(name, array)
        if bool(xp.any(array < 0)):
            place = first_place(array < 0)
            where = f"{name} holds {array[place].item()} at {spelled(place)}"
            raise ValueError(f"{where}, but no share is negative: {name} {shape_of(array)}")
        _require_sum_one(name, array)
    return xp


def _require_sum_one(name: str, array: Array) -> None:
    """Raise ValueError at the first row that does not sum to one."""
    xp = array_namespace(array)
    tolerance = math.sqrt(xp.finfo(array.dtype).eps)
    with np.errstate(over="ignore"):
        sums = xp.sum(array, axis=-1)
    wrong = xp.abs(sums - 1.0) > tolerance
    if bool(xp.any(wrong)):
        place = first_place(wrong)
        row = f"row {spelled(place)} of {name}" if place else name
        raise ValueError(
            f"{row} sums to {sums[place].item()}, not to one within {tolerance:.1e}: "
            f"{name} {shape_of(array)}"
        )


def require_scale(scale: float | None) -> None:
    """Raise ValueError unless the factor, if there is one, is a finite number."""
    if scale is not None and not math.isfinite(scale):
        raise ValueError(f"scale is {scale}: it multiplies every score, so it must be finite")


def require_count(name: str, number: int, least: int) -> int:
    """Return the number as an int; TypeError if it is none, ValueError if it is below `least`."""
    try:
        count = operator.index(number)
    except TypeError:
        raise TypeError(f"{name} is {number!r}: a whole number belongs here") from None
    if count < least:
        raise ValueError(f"{name} is {count}: it must be at least {least}")
    return count
