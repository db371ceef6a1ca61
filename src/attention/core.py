"""Scaled dot-product attention: scores, softmax, and the mixture of values.

One body of code for NumPy arrays and torch tensors; gradients flow through torch's.
What a mask forbids may hold anything, NaN and infinity included, and changes neither output nor
gradient.
"""

import math
from typing import NamedTuple

import numpy as np
from array_api_compat import array_namespace
from jaxtyping import Bool, Float

from attention.arguments import (
    Array,
    batch_shape,
    float_namespace,
    mask_for,
    require_axes,
    require_equal,
    require_finite,
    require_finite_maximum,
    require_scale,
    require_some,
    shape_of,
    shares_shape,
)
from attention.mixing import finite_part, mix_allowed


class Attended(NamedTuple):
    """What attention gives: the mixtures of the values, and the shares that mixed them."""

    output: Float[Array, "*batch queries value_width"]
    shares: Float[Array, "*batch queries keys"]


def softmax(
    scores: Float[Array, "*rows keys"], allowed: Bool[Array, "*#rows #keys"] | None = None
) -> Float[Array, "*rows keys"]:
    """Each exponential over the sum of the exponentials of its row, over the allowed cells only.

    Excluded cells do not enter the sum and get exactly 0.0, whatever they hold.
    The row's largest allowed score is subtracted first, which changes nothing but overflow.
    An allowed score of −inf gets share 0.0, unless its whole row is −inf.

    Formula: `p_j = exp(s_j) / Σ_k exp(s_k), k over the allowed keys`.

    Shapes: scores `(..., queries, keys)`, or one row `(keys,)`; allowed broadcasts to the scores.
    A NumPy mask may go with torch scores: it is copied over, since a mask carries no gradient.

    Units: scores are in nats (a difference of log 2 doubles a share); shares are dimensionless.

    Raises:
        TypeError: scores are no floats, or allowed is no boolean array.
        ValueError: allowed does not broadcast to the scores, a row has nothing allowed,
            or an allowed score is NaN or +inf.

    Source: Vaswani et al. 2017, "Attention Is All You Need", eq. 1 and section 3.2.3 (the mask).

    Examples:
        >>> import numpy as np
        >>> softmax(np.array([0.0, np.log(3.0)])).round(2)
        array([0.25, 0.75])
        >>> softmax(np.array([0.0, 1.0, np.nan]), np.array([True, False, False]))
        array([1., 0., 0.])

    """
    float_namespace(scores=scores)
    require_axes(("keys",), scores=scores)
    require_some("row length", -1, scores=scores)
    mask = None if allowed is None else mask_for(shape_of(scores), allowed, scores)
    return _softmax(scores, mask)


def scores(
    query: Float[Array, "*#batch queries width"],
    key: Float[Array, "*#batch keys width"],
    scale: float | None = None,
) -> Float[Array, "*batch queries keys"]:
    """Every query's dot product with every key, divided by the square root of the key's width.

    `scale` replaces the division by a factor: `scale=1.0` leaves the dot products as they are.
    Nothing is masked here: a NaN in a key makes its scores NaN, and the query's gradient with them.
    `attend` keeps forbidden keys out of both.

    Formula: `s_ij = q_i · k_j / √width`.

    Shapes: query `(..., queries, width)`, key `(..., keys, width)`, result `(..., queries, keys)`;
    leading axes broadcast as in a matrix product.

    Raises:
        TypeError: the arrays are no floats, or of two dtypes or two libraries.
        ValueError: the widths differ or are 0, there is no key, the leading axes do not
            broadcast, or scale is not finite.

    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.2.1, inside eq. 1.

    Examples:
        >>> import numpy as np
        >>> pairs = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
        >>> scores(pairs, pairs, scale=1.0)
        array([[1., 0., 1.],
               [0., 1., 1.],
               [1., 1., 2.]])
        >>> scores(pairs[:1], pairs)
        array([[0.70710678, 0.        , 0.70710678]])

    """
    float_namespace(query=query, key=key)
    require_axes(("queries", "width"), query=query)
    require_axes(("keys", "width"), key=key)
    require_equal("width", query=(query, -1), key=(key, -1))
    require_some("width", -1, key=key)
    require_some("length", -2, key=key)
    batch_shape(query=query, key=key)
    require_scale(scale)
    with np.errstate(all="ignore"):
        product = query @ key.mT
        return product / math.sqrt(key.shape[-1]) if scale is None else product * scale


def attend(
    query: Float[Array, "*#batch queries width"],
    key: Float[Array, "*#batch keys width"],
    value: Float[Array, "*#batch keys value_width"],
    allowed: Bool[Array, "*#batch #queries #keys"] | None = None,
    scale: float | None = None,
) -> Attended:
    """Each query's mixture of the values, in shares that are the softmax of its scores.

    A key or value a query may not attend to has no effect on its output nor on any gradient.
    A non-finite query, or a non-finite key some query may attend to, is an error;
    a non-finite value reaches exactly the outputs of the queries that may attend to it, and
    under a mask its own gradient is 0.

    Formula: `output = softmax(query keyᵀ / √width) value`.

    Shapes: query `(..., queries, width)`, key `(..., keys, width)`, value
    `(..., keys, value_width)`, allowed broadcasts to `(..., queries, keys)`;
    output `(..., queries, value_width)`, shares `(..., queries, keys)`.
    Leading (batch, head) axes of query, key and value broadcast as in a matrix product.

    Units: the output has the value's; shares are dimensionless.

    Raises:
        TypeError: the arrays are no floats, or of two dtypes or two libraries; allowed is no
            boolean array.
        ValueError: shapes do not fit, a row of allowed is empty, or an allowed score is no number.

    Source: Vaswani et al. 2017, "Attention Is All You Need", eq. 1.

    Examples:
        >>> import numpy as np
        >>> from attention import causal
        >>> pairs = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
        >>> value = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
        >>> output, shares = attend(pairs, pairs, value, causal(3))
        >>> output.round(4)
        array([[1.    , 0.    ],
               [0.3302, 1.3395],
               [0.7517, 1.    ]])

    """
    shape = shares_shape(query, key, value)
    mask = None if allowed is None else mask_for(shape, allowed, query)
    xp = array_namespace(query)
    require_finite("query", query)
    if not bool(xp.all(xp.isfinite(key))):
        require_finite("key", key, None if mask is None else xp.any(mask, axis=-2))
        key = finite_part(key)
    shares = _softmax(scores(query, key, scale), mask)
    return Attended(mix_allowed(shares, value, mask), shares)


def _softmax(scores: Array, mask: Array | None) -> Array:
    """Divide exponentials by their row's sum, with the mask already checked."""
    xp = array_namespace(scores)
    with np.errstate(all="ignore"):
        kept = scores if mask is None else xp.where(mask, scores, -xp.inf)
        top = xp.max(kept, axis=-1, keepdims=True)
        require_finite_maximum(kept, top)
        grown = xp.exp(kept - top)
        return grown / xp.sum(grown, axis=-1, keepdims=True)
