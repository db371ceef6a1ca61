"""Who may attend to whom. True = may attend, everywhere.

Masks are NumPy arrays of booleans; `attend` and `softmax` take them with torch tensors too.
"""

import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from jaxtyping import Bool, Int

from attention.arguments import (
    Array,
    broadcast_shape,
    first_place,
    require_arrays,
    require_bool,
    require_count,
    shape_of,
)


def causal(n_queries: int, n_keys: int | None = None) -> Bool[np.ndarray, "queries keys"]:
    """Let a query see its own position and those before: key j iff j ≤ i + n_keys − n_queries.

    The last query stands at the last key, as when the newest tokens ask and older keys are kept.
    The other convention puts the first query at the first key (j ≤ i, top-left aligned), as
    torch's `is_causal=True` does; for n_queries = n_keys, the default, the two are one.
    With more queries than keys the first rows are empty, and `attend` refuses them.

    Shapes: result `(n_queries, n_keys)`.

    Raises:
        TypeError: a count is no whole number.
        ValueError: a count is below 1.

    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.2.3.

    Examples:
        >>> causal(3)
        array([[ True, False, False],
               [ True,  True, False],
               [ True,  True,  True]])
        >>> causal(2, 3)
        array([[ True,  True, False],
               [ True,  True,  True]])

    """
    rows = require_count("n_queries", n_queries, 1)
    columns = rows if n_keys is None else require_count("n_keys", n_keys, 1)
    return np.arange(columns) <= np.arange(rows)[:, None] + (columns - rows)


def band(n: int, width: int) -> Bool[np.ndarray, "queries keys"]:
    """Let a query see the positions at most `width` away: |i − j| ≤ width; at 0 only its own.

    Shapes: result `(n, n)`.

    Units: n and width are positions.

    Raises:
        TypeError: a count is no whole number.
        ValueError: n is below 1 or width below 0.

    Source: the reach of one convolution of kernel size 2·width + 1 (definition).

    Examples:
        >>> band(3, 1)
        array([[ True,  True, False],
               [ True,  True,  True],
               [False,  True,  True]])

    """
    places = np.arange(require_count("n", n, 1))
    reach = require_count("width", width, 0)
    near: Bool[np.ndarray, "queries keys"] = np.abs(places[:, None] - places) <= reach
    return near


def padding(
    lengths: Int[np.ndarray, "*batch"] | Sequence[int], n: int
) -> Bool[np.ndarray, "*batch 1 keys"]:
    """Keys beyond a sequence's own length are padding, and seen by nobody: key j iff j < length.

    The axis of length 1 stands for the queries: it broadcasts, so every query has the same keys.
    With a head axis, give lengths one too: `padding(lengths[:, None], n)` is `(batch, 1, 1, n)`.
    A length of 0 leaves a row empty, and `attend` refuses it.

    Shapes: lengths `(...)`, result `(..., 1, n)`.

    Units: lengths and n are positions.

    Raises:
        TypeError: lengths are no whole numbers, or neither a NumPy array nor a list.
        ValueError: a length is below 0 or above n, or n is below 1.

    Source: definition.

    Examples:
        >>> padding([1, 3], 3)
        array([[[ True, False, False]],
        <BLANKLINE>
               [[ True,  True,  True]]])

    """
    keys = np.arange(require_count("n", n, 1))
    each = _whole_numbers("lengths", lengths)
    wrong = (each < 0) | (each > keys.size)
    if wrong.any():
        place = first_place(wrong)
        where = f"lengths[{', '.join(map(str, place))}]" if place else "lengths"
        raise ValueError(f"{where} is {each[place]}: a length is between 0 and n = {keys.size}")
    real: Bool[np.ndarray, "*batch 1 keys"] = keys < each[..., None, None]
    return real


def from_edges(
    edges: Int[np.ndarray, "edges 2"] | Sequence[tuple[int, int]], n: int
) -> Bool[np.ndarray, "queries keys"]:
    """Node i may attend to node j iff the directed edge (i, j) is listed: query first, then key.

    No edge is added: for a node to see itself as well, take `either(from_edges(edges, n),
    band(n, 0))`; for an undirected graph, list each edge both ways.
    A node without an edge has an empty row, and `attend` refuses it.

    Shapes: edges `(edges, 2)`, result `(n, n)`.

    Raises:
        TypeError: edges are no whole numbers, or neither a NumPy array nor a list.
        ValueError: edges are no pairs, a node is not in 0 … n − 1, or n is below 1.

    Source: Veličković et al. 2018, "Graph Attention Networks", section 2.1 (masked attention).

    Examples:
        >>> from_edges([(0, 1), (1, 0), (1, 1)], 2)
        array([[False,  True],
               [ True,  True]])

    """
    count = require_count("n", n, 1)
    pairs = _whole_numbers("edges", edges)
    if pairs.size == 0:
        pairs = pairs.reshape(0, 2)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise ValueError(f"edges are pairs (query, key), of shape (edges, 2): edges {pairs.shape}")
    wrong = ((pairs < 0) | (pairs >= count)).any(axis=1)
    if wrong.any():
        (place,) = first_place(wrong)
        edge = tuple(int(node) for node in pairs[place])
        raise ValueError(f"edges[{place}] is {edge}: nodes are 0 to {count - 1} (n = {count})")
    allowed = np.zeros((count, count), dtype=bool)
    allowed[pairs[:, 0], pairs[:, 1]] = True
    return allowed


def both(*masks: Bool[Array, "*#shape"]) -> Bool[Array, "*shape"]:
    """Allow what every mask allows, as `&` does, broadcast together.

    Shapes: any that broadcast, such as `(batch, 1, keys)` with `(queries, keys)`.

    Raises:
        TypeError: a mask is no boolean array, or two libraries meet.
        ValueError: no mask is given, or the shapes do not broadcast.

    Source: definition.

    Examples:
        >>> both(padding([2], 3), causal(3))
        array([[[ True, False, False],
                [ True,  True, False],
                [ True,  True, False]]])

    """
    return _combined("both", operator.and_, masks)


def either(*masks: Bool[Array, "*#shape"]) -> Bool[Array, "*shape"]:
    """Allow what at least one mask allows, as `|` does, broadcast together.

    Shapes: any that broadcast.

    Raises:
        TypeError: a mask is no boolean array, or two libraries meet.
        ValueError: no mask is given, or the shapes do not broadcast.

    Source: definition.

    Examples:
        >>> either(from_edges([(0, 1)], 2), band(2, 0))
        array([[ True,  True],
               [False,  True]])

    """
    return _combined("either", operator.or_, masks)


def _combined(name: str, operation: Callable[[Any, Any], Any], masks: Sequence[Array]) -> Array:
    """Fold the masks by `operation`, after every check of its arguments."""
    if not masks:
        raise ValueError(f"{name}() needs at least one mask")
    named = {f"mask {i}": mask for i, mask in enumerate(masks)}
    for which, mask in named.items():
        require_bool(which, mask)
    require_arrays(**named)
    broadcast_shape({which: shape_of(mask) for which, mask in named.items()})
    return functools.reduce(operation, masks)


def _whole_numbers(name: str, numbers: Any) -> Int[np.ndarray, "..."]:
    """Return a NumPy array of integers made of an array or a list; TypeError for anything else."""
    if not isinstance(numbers, np.ndarray | list | tuple):
        raise TypeError(f"{name} is a {type(numbers).__name__}: use a NumPy array or a list")
    try:
        array = np.asarray(numbers)
    except ValueError:
        raise ValueError(f"{name} is ragged: {numbers!r}") from None
    if array.size == 0 and not isinstance(numbers, np.ndarray):
        return array.astype(int)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} holds {array.dtype}: whole numbers belong here")
    return array
