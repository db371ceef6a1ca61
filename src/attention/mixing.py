"""The context vector three times: a loop, a loop of loops, one matrix product.

And once more under a mask, where a share of 0 must keep out even NaN.
"""

import numpy as np
from array_api_compat import array_namespace
from jaxtyping import Float

from attention.arguments import (
    Array,
    batch_shape,
    float_namespace,
    require_axes,
    require_equal,
    require_some,
    shape_of,
)


def context_vector(
    weights: Float[Array, " keys"], inputs: Float[Array, "keys width"]
) -> Float[Array, " width"]:
    """Start at zero, walk over the inputs, add weight × input: one query's context vector.

    The zero it starts at is as wide as an input (a value), not as wide as a query.
    `context_vectors` does this for every query, and `mix` gives the same, to rounding, in one
    matrix product.

    Formula: `z = Σ_j w_j x_j`.

    Shapes: weights `(keys,)`, inputs `(keys, width)`, result `(width,)`.

    Units: those of the inputs; weights are dimensionless.

    Raises:
        TypeError: the arrays are no floats, or of two dtypes or two libraries.
        ValueError: weights and inputs are not equally many, there are none, or axes are missing.

    Source: Bahdanau et al. 2014, "Neural Machine Translation by Jointly Learning to Align and
    Translate", eq. 5.

    Examples:
        >>> import numpy as np
        >>> context_vector(np.array([0.25, 0.75]), np.array([[4.0, 0.0, 8.0], [0.0, 4.0, 8.0]]))
        array([1., 3., 8.])

    """
    xp = float_namespace(weights=weights, inputs=inputs)
    _require_exact_axes("weights", weights, ("keys",))
    _require_exact_axes("inputs", inputs, ("keys", "width"))
    require_equal("length", weights=(weights, 0), inputs=(inputs, 0))
    require_some("length", 0, inputs=inputs)
    context = xp.zeros(inputs.shape[1], dtype=inputs.dtype, device=inputs.device)
    for i in range(inputs.shape[0]):
        context = context + weights[i] * inputs[i, :]
    return context


def context_vectors(
    weights: Float[Array, "queries keys"], inputs: Float[Array, "keys width"]
) -> Float[Array, "queries width"]:
    """Walk the inputs once for every query: a loop of loops, one context vector a row.

    Agrees with `mix`, which does it in one matrix product, to rounding.

    Formula: `z_i = Σ_j w_ij x_j`.

    Shapes: weights `(queries, keys)`, inputs `(keys, width)`, result `(queries, width)`.

    Units: those of the inputs; weights are dimensionless.

    Raises:
        TypeError: the arrays are no floats, or of two dtypes or two libraries.
        ValueError: rows of weights and inputs are not equally long, there is no query or no
            input, or axes are missing.

    Source: Bahdanau et al. 2014, eq. 5, once for every position i.

    Examples:
        >>> import numpy as np
        >>> context_vectors(np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([[2.0], [4.0]]))
        array([[2.],
               [3.]])

    """
    xp = float_namespace(weights=weights, inputs=inputs)
    _require_exact_axes("weights", weights, ("queries", "keys"))
    _require_exact_axes("inputs", inputs, ("keys", "width"))
    require_equal("length", weights=(weights, 1), inputs=(inputs, 0))
    require_some("length", 0, weights=weights)
    return xp.stack([context_vector(weights[i, :], inputs) for i in range(weights.shape[0])])


def mix(
    weights: Float[Array, "*#batch queries keys"], inputs: Float[Array, "*#batch keys width"]
) -> Float[Array, "*batch queries width"]:
    """One matrix product, weights times inputs: all context vectors at once.

    Agrees with `context_vectors`, the loop of loops, to rounding.

    Formula: `z = w x, a matrix product: z_i = Σ_j w_ij x_j`.

    Shapes: weights `(..., queries, keys)`, inputs `(..., keys, width)`, result
    `(..., queries, width)`; leading axes broadcast.

    Units: those of the inputs; weights are dimensionless.

    Raises:
        TypeError: the arrays are no floats, or of two dtypes or two libraries.
        ValueError: rows of weights and inputs are not equally long, there is no input, leading
            axes do not broadcast, or axes are missing.

    Source: Vaswani et al. 2017, "Attention Is All You Need", eq. 1 (the product with V).

    Examples:
        >>> import numpy as np
        >>> mix(np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([[2.0], [4.0]]))
        array([[2.],
               [3.]])

    """
    float_namespace(weights=weights, inputs=inputs)
    require_axes(("queries", "keys"), weights=weights)
    require_axes(("keys", "width"), inputs=inputs)
    require_equal("length", weights=(weights, -1), inputs=(inputs, -2))
    require_some("length", -2, inputs=inputs)
    batch_shape(weights=weights, inputs=inputs)
    return weights @ inputs


def finite_part(array: Array) -> Array:
    """Put 0 in place of NaN and infinity, so that a share of exactly 0 times it is 0.

    Shapes: any; the result has that of the array.

    Examples:
        >>> import numpy as np
        >>> finite_part(np.array([1.5, np.nan, -np.inf]))
        array([1.5, 0. , 0. ])

    """
    xp = array_namespace(array)
    return xp.where(xp.isfinite(array), array, 0.0)


def mix_allowed(shares: Array, value: Array, mask: Array | None) -> Array:
    """Mix the values in their shares, keeping 0 × NaN of forbidden cells out of the product.

    Shapes: shares and mask `(..., queries, keys)`, value `(..., keys, value_width)`, result
    `(..., queries, value_width)`; nothing is checked here, `attend` has done it.

    Examples:
        >>> import numpy as np
        >>> value = np.array([[2.0], [np.nan]])
        >>> mix_allowed(np.array([[1.0, 0.0]]), value, np.array([[True, False]]))
        array([[2.]])

    """
    xp = array_namespace(value)
    with np.errstate(all="ignore"):
        if mask is None or bool(xp.all(xp.isfinite(value))):
            return shares @ value
        return shares @ finite_part(value) + _non_finite_part(mask, value)


def _require_exact_axes(name: str, array: Array, axes: tuple[str, ...]) -> None:
    """Raise ValueError unless the array has these axes and no others."""
    if array.ndim != len(axes):
        raise ValueError(f"{name} needs the axes ({', '.join(axes)}): {name} {shape_of(array)}")


def _non_finite_part(mask: Array, value: Array) -> Array:
    """Add up the NaN and infinities each query may attend to: 0 where there are none."""
    xp = array_namespace(value)
    reach = xp.astype(mask, value.dtype)
    total = xp.zeros((1,), dtype=value.dtype, device=value.device)
    for cells, held in (
        (xp.isnan(value), xp.nan),
        (value == xp.inf, xp.inf),
        (value == -xp.inf, -xp.inf),
    ):
        total = xp.where(reach @ xp.astype(cells, value.dtype) > 0, total + held, total)
    return total
