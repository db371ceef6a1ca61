"""Backward passes by hand: what a change of each input does to the loss, from what comes after.

`upstream` is always the gradient of the loss by a function's output, and each function here
carries it to the inputs. NumPy only; torch's autograd is the oracle that checks it.
"""

import math
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from attention.arguments import require_axes, require_equal, require_scale, shape_of
from attention.core import scores, softmax

EPSILON = 1e-5  # under the root of layer norm


class LinearGradient(NamedTuple):
    """The loss by the input, the matrix and the bias of a linear map."""

    x: Float[np.ndarray, "*batch inputs"]
    weight: Float[np.ndarray, "inputs outputs"]
    bias: Float[np.ndarray, " outputs"]


class NormGradient(NamedTuple):
    """The loss by the input, the scale and the bias of a layer norm."""

    x: Float[np.ndarray, "*batch width"]
    scale: Float[np.ndarray, " width"]
    bias: Float[np.ndarray, " width"]


class AttendGradient(NamedTuple):
    """The loss by queries, keys and values."""

    query: Float[np.ndarray, "*batch queries width"]
    key: Float[np.ndarray, "*batch keys width"]
    value: Float[np.ndarray, "*batch keys value_width"]


def softmax_backward(
    shares: Float[np.ndarray, "*rows keys"], upstream: Float[np.ndarray, "*rows keys"]
) -> Float[np.ndarray, "*rows keys"]:
    """Each share times how far its upstream lies above the row's average in those shares.

    Every row of the result adds up to 0, as raising all scores alike changes no share. Where a
    share is 0, as under a mask, so is its gradient.

    Shapes: all `(..., keys)`.

    Raises:
        ValueError: the shapes differ.

    Source: the Jacobian diag(p) − p pᵀ times upstream, never formed (definition).

    Examples:
        >>> softmax_backward(np.array([0.25, 0.75]), np.array([1.0, 0.0]))
        array([ 0.1875, -0.1875])

    """
    _require_same(shares=shares, upstream=upstream)
    average = (upstream * shares).sum(axis=-1, keepdims=True)
    return np.asarray(shares * (upstream - average))


def attend_backward(
    query: Float[np.ndarray, "*batch queries width"],
    key: Float[np.ndarray, "*batch keys width"],
    value: Float[np.ndarray, "*batch keys value_width"],
    shares: Float[np.ndarray, "*batch queries keys"],
    upstream: Float[np.ndarray, "*batch queries value_width"],
    scale: float | None = None,
) -> AttendGradient:
    """Carry the loss by the output of `attend` to its queries, keys and values.

    Shares are those that `attend` gave, and they know the mask.

    Shapes: as in `attend`, with the same batch axes on all five.

    Raises:
        ValueError: widths or lengths differ, or scale is not finite.

    Source: product and chain rule on Vaswani et al. 2017, eq. 1.

    Examples:
        >>> from attention import attend
        >>> pairs = np.array([[1.0, 0.0], [0.0, 1.0]])
        >>> output, shares = attend(pairs, pairs, pairs)
        >>> attend_backward(pairs, pairs, pairs, shares, pairs).query.round(3)
        array([[ 0.156, -0.156],
               [-0.156,  0.156]])

    """
    require_scale(scale)
    for name, array in (("query", query), ("key", key), ("value", value)):
        require_axes((name, "width"), **{name: array})
    require_equal("width", query=(query, -1), key=(key, -1))
    _require_same(shares=shares, scores=scores(query, key))
    _require_same(upstream=upstream, output=shares @ value)
    factor = 1.0 / math.sqrt(key.shape[-1]) if scale is None else scale
    by_score = softmax_backward(shares, upstream @ value.mT) * factor
    return AttendGradient(by_score @ key, by_score.mT @ query, shares.mT @ upstream)


def linear_backward(
    x: Float[np.ndarray, "*batch inputs"],
    weight: Float[np.ndarray, "inputs outputs"],
    upstream: Float[np.ndarray, "*batch outputs"],
) -> LinearGradient:
    """Carry the loss by x @ weight + bias to each of the three.

    Shapes: x `(..., inputs)`, weight `(inputs, outputs)`, upstream `(..., outputs)`.

    Raises:
        ValueError: the shapes do not fit.

    Source: definition.

    Examples:
        >>> x, weight = np.array([[3.0, 4.0]]), np.array([[1.0], [2.0]])
        >>> linear_backward(x, weight, np.array([[1.0]]))
        LinearGradient(x=array([[1., 2.]]), weight=array([[3.],
               [4.]]), bias=array([1.]))

    """
    require_equal("width", x=(x, -1), weight=(weight, 0))
    require_equal("width", upstream=(upstream, -1), weight=(weight, 1))
    rows, ups = x.reshape(-1, x.shape[-1]), upstream.reshape(-1, upstream.shape[-1])
    require_equal("rows", x=(rows, 0), upstream=(ups, 0))
    return LinearGradient(upstream @ weight.T, rows.T @ ups, ups.sum(axis=0))


def standardise(x: Float[np.ndarray, "*batch width"]) -> Float[np.ndarray, "*batch width"]:
    """Each row less its mean, over its standard deviation: a layer norm before scale and bias.

    Shapes: x and result `(..., width)`.

    Source: Ba et al. 2016, "Layer Normalization", eq. 4, with 1e-5 under the root.

    Examples:
        >>> standardise(np.array([4.0, 8.0])).round(3)
        array([-1.,  1.])

    """
    return _standardised(x)[0]


def norm_backward(
    x: Float[np.ndarray, "*batch width"],
    scale: Float[np.ndarray, " width"],
    upstream: Float[np.ndarray, "*batch width"],
) -> NormGradient:
    """Carry the loss by a layer norm's output to its input, scale and bias.

    A row's gradient has no part along the ones nor, but for the 1e-5 under the root, along the row
    itself: the norm forgets both.

    Shapes: x and upstream `(..., width)`, scale `(width,)`.

    Raises:
        ValueError: the shapes do not fit.

    Source: chain rule on Ba et al. 2016, "Layer Normalization", eq. 4.

    Examples:
        >>> x, up = np.array([[1.0, 2.0, 6.0]]), np.array([[1.0, 0.0, 0.0]])
        >>> gradient = norm_backward(x, np.ones(3), up)
        >>> gradient.x.round(3)
        array([[ 0.176, -0.22 ,  0.044]])

    """
    _require_same(x=x, upstream=upstream)
    require_equal("width", x=(x, -1), scale=(scale, 0))
    normed, deviation = _standardised(x)
    pulled = upstream * scale
    along_ones = pulled.mean(axis=-1, keepdims=True)
    along_row = (pulled * normed).mean(axis=-1, keepdims=True)
    by_x = (pulled - along_ones - normed * along_row) / deviation
    axes = tuple(range(x.ndim - 1))
    return NormGradient(by_x, (upstream * normed).sum(axis=axes), upstream.sum(axis=axes))


def relu_backward(
    before: Float[np.ndarray, "*shape"], upstream: Float[np.ndarray, "*shape"]
) -> Float[np.ndarray, "*shape"]:
    """Let pass what stands where the input was above 0; at 0 itself nothing passes, as in torch.

    Raises:
        ValueError: the shapes differ.

    Examples:
        >>> relu_backward(np.array([-1.0, 0.0, 2.0]), np.array([5.0, 5.0, 5.0]))
        array([0., 0., 5.])

    """
    _require_same(before=before, upstream=upstream)
    return np.where(before > 0.0, upstream, 0.0)


def cross_entropy_backward(
    logits: Float[np.ndarray, "*rows vocabulary"],
    targets: Int[np.ndarray, "*rows"],
    asked: Float[np.ndarray, "*rows"],
) -> Float[np.ndarray, "*rows vocabulary"]:
    """The loss by the logits: the probabilities, less one at the target, times the row's weight.

    `asked` is the weight of each row in the loss: 1/n for a mean over n rows, 0 for padding.

    Raises:
        ValueError: the shapes do not fit.

    Source: chain rule on −log softmax (definition).

    Examples:
        >>> cross_entropy_backward(np.zeros((1, 4)), np.array([2]), np.array([1.0]))
        array([[ 0.25,  0.25, -0.75,  0.25]])

    """
    _require_same(targets=targets, asked=asked)
    _require_same(targets=targets, rows=logits[..., 0])
    missed = softmax(logits)
    at = targets[..., None]
    np.put_along_axis(missed, at, np.take_along_axis(missed, at, axis=-1) - 1.0, axis=-1)
    return np.asarray(missed * asked[..., None])


def _standardised(
    x: Float[np.ndarray, "*batch width"],
) -> tuple[Float[np.ndarray, "*batch width"], Float[np.ndarray, "*batch 1"]]:
    """`standardise`, and the standard deviations that it divides by."""
    centred = x - x.mean(axis=-1, keepdims=True)
    deviation = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + EPSILON)
    return np.asarray(centred / deviation), np.asarray(deviation)


def _require_same(**named: np.ndarray) -> None:
    """Raise ValueError unless the two shapes are the same."""
    (left, a), (right, b) = named.items()
    if shape_of(a) != shape_of(b):
        raise ValueError(f"{left} {shape_of(a)} and {right} {shape_of(b)} differ in shape")
