"""Where it looks: the table of how much position i takes from position j, for three mechanisms.

A convolution's and a recurrence's are fixed; attention's is computed from its input.
"""

import numpy as np
from jaxtyping import Bool, Float

from attention.arguments import (
    Array,
    batch_shape,
    float_namespace,
    require_axes,
    require_count,
    require_equal,
    require_finite,
    require_some,
)
from attention.core import scores, softmax
from attention.masks import band


def convolution_table(n: int, reach: int = 1) -> Float[np.ndarray, "positions positions"]:
    """Take equal shares from every position at most `reach` away, whatever stands there.

    The kernel is a box of size 2·reach + 1. At an edge the positions that exist share alike.

    Shapes: result `(n, n)`; every row sums to one.

    Units: n and reach are positions; shares are dimensionless.

    Raises:
        TypeError: a count is no whole number.
        ValueError: n is below 1 or reach below 0.

    Source: definition.

    Examples:
        >>> convolution_table(4).round(2)
        array([[0.5 , 0.5 , 0.  , 0.  ],
               [0.33, 0.33, 0.33, 0.  ],
               [0.  , 0.33, 0.33, 0.33],
               [0.  , 0.  , 0.5 , 0.5 ]])

    """
    near = band(n, require_count("reach", reach, 0))
    table: Float[np.ndarray, "positions positions"] = near / near.sum(axis=-1, keepdims=True)
    return table


def recurrence_table(n: int) -> Float[np.ndarray, "positions positions"]:
    """Take everything from one step back, whatever stands there; position 0 has only itself.

    This is what one step reads. What stands further back arrives through the steps between.

    Shapes: result `(n, n)`; every row sums to one.

    Raises:
        TypeError: n is no whole number.
        ValueError: n is below 1.

    Source: definition.

    Examples:
        >>> recurrence_table(3)
        array([[1., 0., 0.],
               [1., 0., 0.],
               [0., 1., 0.]])

    """
    places = np.arange(require_count("n", n, 1))
    return np.eye(places.size)[np.maximum(places - 1, 0)]


def attention_table(
    x: Float[Array, "*#batch positions width"],
    w_query: Float[Array, "*#batch width head"],
    w_key: Float[Array, "*#batch width head"],
    allowed: Bool[Array, "*#batch #positions #positions"] | None = None,
) -> Float[Array, "*batch positions positions"]:
    """Make queries and keys of the input by one matrix each; the table is their shares.

    With the same matrix twice, one vector plays both roles. `allowed` is the mask of `attend`.

    Shapes: x `(..., positions, width)`, w_query and w_key `(..., width, head)`, allowed broadcasts
    to the result `(..., positions, positions)`; leading axes broadcast; every row sums to one.

    Raises:
        TypeError: the arrays are no floats, or of two dtypes or two libraries; allowed is no
            boolean array.
        ValueError: shapes do not fit, a row of allowed is empty, or a cell is NaN or infinite.

    Source: Vaswani et al. 2017, "Attention Is All You Need", eq. 1, with the projections of
    section 3.2.2.

    Examples:
        >>> import numpy as np
        >>> x, w = np.array([[1.0, 0.0], [0.0, 1.0]]), np.diag([2.0, 0.0])
        >>> attention_table(x, w, w, allowed=None).round(2)
        array([[0.94, 0.06],
               [0.5 , 0.5 ]])

    """
    float_namespace(x=x, w_query=w_query, w_key=w_key)
    require_axes(("positions", "width"), x=x)
    require_axes(("width", "head"), w_query=w_query, w_key=w_key)
    require_equal("width", x=(x, -1), w_query=(w_query, -2))
    require_equal("width", x=(x, -1), w_key=(w_key, -2))
    require_equal("head width", w_query=(w_query, -1), w_key=(w_key, -1))
    require_some("length", -2, x=x)
    require_some("width", -1, x=x)
    require_some("head width", -1, w_query=w_query)
    batch_shape(x=x, w_query=w_query, w_key=w_key)
    for name, array in (("x", x), ("w_query", w_query), ("w_key", w_key)):
        require_finite(name, array)
    with np.errstate(all="ignore"):
        query, key = x @ w_query, x @ w_key
    return softmax(scores(query, key), allowed)
