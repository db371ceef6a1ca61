"""Attention within a band, at the price of the band: each query looks at its own window of keys."""

import numpy as np
from array_api_compat import array_namespace
from jaxtyping import Float

from attention.arguments import Array, require_count, require_equal, shares_shape
from attention.core import attend


def attend_band(
    query: Float[Array, "*batch positions width"],
    key: Float[Array, "*batch positions width"],
    value: Float[Array, "*batch positions value_width"],
    reach: int,
    scale: float | None = None,
) -> Float[Array, "*batch positions value_width"]:
    """The output of `attend` under `band(positions, reach)`, without a table of all pairs.

    Every query's window of 2·reach + 1 keys is gathered, and `attend` does the rest with one query
    a window. Time and memory grow with positions × window.

    Shapes: query and key `(..., positions, width)`, value and result
    `(..., positions, value_width)`.

    Units: those of the value; reach is in positions.

    Raises:
        TypeError: as `attend`; reach is no whole number.
        ValueError: as `attend`; reach is below 0, or queries and keys are not equally many.

    Source: definition.

    Examples:
        >>> import numpy as np
        >>> x = np.array([[1.0], [2.0], [6.0]])
        >>> attend_band(x, x, x, reach=1, scale=0.0)
        array([[1.5],
               [3. ],
               [4. ]])

    """
    shares_shape(query, key, value)
    require_equal("length", query=(query, -2), key=(key, -2))
    require_count("reach", reach, 0)
    xp = array_namespace(query)
    length = query.shape[-2]
    places = np.arange(length)[:, None] + np.arange(-reach, reach + 1)
    inside = (places >= 0) & (places < length)
    window = xp.asarray(places.clip(0, length - 1), device=query.device)
    output = attend(
        query[..., None, :], key[..., window, :], value[..., window, :], inside[:, None, :], scale
    ).output
    return output[..., 0, :]
