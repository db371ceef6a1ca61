"""Where a convolution, a recurrence and attention look, for a word that the reader types."""

import numpy as np
from jaxtyping import Float

from attention.figures.operable import operable, packed, shares_rows, table
from attention.figures.pictures import Element
from attention.tables import attention_table, convolution_table, recurrence_table

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
LONGEST = 8  # letters that fit a phone
TITLES = ("Convolution", "Recurrence, one step", "Attention")


def where_it_looks(
    letters: Float[np.ndarray, "letters width"],
    w_query: Float[np.ndarray, "width head"],
    w_key: Float[np.ndarray, "width head"],
    *,
    caption: str,
    word: str = "banana",
    name: str = "looks",
) -> Element:
    """Show three tables for a word: a band, one step back, and shares computed from its letters.

    Shapes: letters `(26, width)`, a vector for each of a to z; w_query and w_key `(width, head)`.

    Raises:
        TypeError: the arrays are no floats.
        ValueError: shapes do not fit, or the word is no 1 to 8 letters from a to z.

    Source: `attention.tables`.

    Examples:
        >>> rng = np.random.default_rng(0)
        >>> letters, matrices = rng.normal(size=(26, 4)), rng.normal(size=(2, 4, 3))
        >>> where_it_looks(letters, *matrices, caption="three layers")
        <figure: three layers>

    """
    if len(letters) != len(ALPHABET):
        raise ValueError(f"letters needs a row for each of a to z: letters {letters.shape}")
    if not 1 <= len(word) <= LONGEST or not set(word) <= set(ALPHABET):
        raise ValueError(f"word is {word!r}: 1 to {LONGEST} letters from a to z belong here")
    x = letters[[ALPHABET.index(letter) for letter in word]]
    tables = (
        convolution_table(len(word)),
        recurrence_table(len(word)),
        attention_table(x, w_query, w_key),
    )
    default = "".join(
        table(title, list(word), shares_rows(word, shares, 2))
        for title, shares in zip(TITLES, tables, strict=True)
    )
    data = {
        "word": word,
        "longest": LONGEST,
        "shape": [*w_query.shape],
        "letters": packed(letters),
        "query": packed(w_query),
        "key": packed(w_key),
    }
    return operable("where-it-looks", name, default=default, data=data, caption=caption)
