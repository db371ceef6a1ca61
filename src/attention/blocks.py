"""Attention one block of keys at a time: the numbers of `attend`, and never a table of all pairs.

A block leaves three things behind: the largest score so far, the sum of exponentials, and the
values in the same exponentials. Two such parts merge into one, so no block has to stay in memory.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
from array_api_compat import array_namespace
from jaxtyping import Bool, Float

from attention.arguments import (
    Array,
    first_place,
    float_namespace,
    mask_for,
    require_bool,
    require_count,
    require_finite,
    require_some,
    shape_of,
    shares_shape,
    spelled,
)
from attention.core import scores

# True where the query at position i may attend to the key at position j: columns i, a row j.
Rule: TypeAlias = Callable[[np.ndarray, np.ndarray], np.ndarray]


class Part(NamedTuple):
    """What attention over some of the keys leaves behind, for each query.

    Its output is numerator / denominator. Where no key was allowed, largest is −inf and both
    others are 0.
    """

    largest: Float[Array, "*batch queries 1"]
    denominator: Float[Array, "*batch queries 1"]
    numerator: Float[Array, "*batch queries value_width"]


def merge(left: Part, right: Part) -> Part:
    """Attention over the keys of both parts, from the parts alone.

    The exponentials of each part are rescaled to the larger of the two largest scores, then
    denominators and numerators add. The order of parts does not matter, to rounding.

    Shapes: both parts alike, as in `Part`.

    Raises:
        TypeError: the parts are no floats, or of two dtypes or two libraries.
        ValueError: the shapes of the two parts differ.

    Source: Milakov and Gimelshein 2018, "Online Normalizer Calculation for Softmax", section 3.1.

    Examples:
        >>> import numpy as np
        >>> one, three = (np.array([[x]]) for x in (1.0, 3.0))
        >>> left = Part(np.log(one), one, 4.0 * one)  # score log 1, value 4
        >>> right = Part(np.log(three), one, 8.0 * one)  # score log 3, value 8
        >>> largest, denominator, numerator = merge(left, right)
        >>> (numerator / denominator).round(6)  # shares 1/4 and 3/4
        array([[7.]])

    """
    for name in Part._fields:
        first, second = getattr(left, name), getattr(right, name)
        float_namespace(**{f"left.{name}": first, f"right.{name}": second})
        if shape_of(first) != shape_of(second):
            raise ValueError(
                f"{name} of the two parts differ: left {shape_of(first)}, right {shape_of(second)}"
            )
    xp = array_namespace(left.largest)
    largest = xp.maximum(left.largest, right.largest)
    with np.errstate(all="ignore"):
        grow, more = (xp.exp(part.largest - _finite(largest)) for part in (left, right))
    return Part(
        largest,
        left.denominator * grow + right.denominator * more,
        left.numerator * grow + right.numerator * more,
    )


def blockwise(
    query: Float[Array, "*#batch queries width"],
    key: Float[Array, "*#batch keys width"],
    value: Float[Array, "*#batch keys value_width"],
    allowed: Bool[Array, "*#batch #queries #keys"] | Rule | None = None,
    block: int = 64,
    scale: float | None = None,
) -> Float[Array, "*batch queries value_width"]:
    """The output of `attend`, with no more than `block` × `block` scores in memory at a time.

    `allowed` may be a rule of positions in place of an array, since an array of all pairs would
    itself grow with their number: `lambda i, j: j <= i` is causal, and i counts queries, j keys,
    from 0. The rule is asked for one block at a time, with i a column and j a row, both NumPy's.
    A block in which nothing is allowed is left out. Every key and value must be finite, unlike in
    `attend`, even where no query may look.

    Shapes: as in `attend`; a rule's answer broadcasts to `(queries, keys)` of its block.

    Units: those of the value.

    Raises:
        TypeError: the arrays are no floats, or of two dtypes or two libraries; allowed, or what
            the rule answers, is no boolean array; block is no whole number.
        ValueError: shapes do not fit, block is below 1, a number is not finite, or a query has
            nothing to attend to.

    Source: Dao et al. 2022, "FlashAttention: Fast and Memory-Efficient Exact Attention with
    IO-Awareness", algorithm 1, with each query's division put off to the end.

    Examples:
        >>> import numpy as np
        >>> pairs = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
        >>> value = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
        >>> blockwise(pairs, pairs, value, lambda i, j: j <= i, block=2).round(4)
        array([[1.    , 0.    ],
               [0.3302, 1.3395],
               [0.7517, 1.    ]])

    """
    shape = shares_shape(query, key, value)
    require_some("length", -2, query=query)
    require_count("block", block, 1)
    for name, array in (("query", query), ("key", key), ("value", value)):
        require_finite(name, array)
    mask = None if allowed is None or callable(allowed) else mask_for(shape, allowed, query)
    rule = allowed if callable(allowed) else None
    xp = array_namespace(query)
    outputs = []
    for rows in _blocks(shape[-2], block):
        asking, part = query[..., rows, :], None
        for columns in _blocks(shape[-1], block):
            here = _block_mask(mask, rule, rows, columns, query)
            if here is not None and not bool(xp.any(here)):
                continue
            new = _part(asking, key[..., columns, :], value[..., columns, :], here, scale)
            part = new if part is None else merge(part, new)
        outputs.append(_output(part, rows))
    return xp.concat(outputs, axis=-2)


def _part(query: Array, key: Array, value: Array, mask: Array | None, scale: float | None) -> Part:
    """Attend to one block of keys, without dividing."""
    xp = array_namespace(query)
    kept = scores(query, key, scale)
    if mask is not None:
        kept = xp.where(mask, kept, -xp.inf)
    wrong = xp.isnan(kept) | (kept == xp.inf)
    if bool(xp.any(wrong)):
        found = kept[first_place(wrong)].item()
        raise ValueError(f"an allowed score is {found}: query {shape_of(query)}")
    largest = xp.max(kept, axis=-1, keepdims=True)
    with np.errstate(all="ignore"):
        grown = xp.exp(kept - _finite(largest))
        return Part(largest, xp.sum(grown, axis=-1, keepdims=True), grown @ value)


def _finite(largest: Array) -> Array:
    """Put 0 for the largest of no scores, so that exp(−inf − largest) is 0 and not NaN."""
    xp = array_namespace(largest)
    return xp.where(largest == -xp.inf, 0.0, largest)


def _output(part: Part | None, rows: slice) -> Array:
    """Divide, once a query's last block is in; ValueError if there was none for some query."""
    empty = None if part is None else part.denominator[..., 0] == 0.0
    if part is None or bool(array_namespace(empty).any(empty)):
        place = (0,) if part is None else first_place(empty)
        query = spelled((*place[:-1], rows.start + place[-1]))
        raise ValueError(f"query {query} has no key to attend to, or scores of only -inf")
    return part.numerator / part.denominator


def _blocks(length: int, block: int) -> Iterator[slice]:
    return (slice(i, min(i + block, length)) for i in range(0, length, block))


def _block_mask(
    mask: Array | None, rule: Rule | None, rows: slice, columns: slice, like: Array
) -> Array | None:
    """Cut the block out of the mask, or ask the rule for it."""
    if mask is not None:
        return mask[..., rows, columns]
    if rule is None:
        return None
    answer = rule(np.arange(rows.start, rows.stop)[:, None], np.arange(columns.start, columns.stop))
    require_bool("what the rule answers", answer)
    shape = (rows.stop - rows.start, columns.stop - columns.start)
    try:
        whole = np.array(np.broadcast_to(answer, shape))
    except ValueError:
        raise ValueError(
            f"the rule answers {shape_of(answer)} for a block of queries × keys {shape}"
        ) from None
    return array_namespace(like).asarray(whole, device=like.device)
