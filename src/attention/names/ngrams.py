"""Count models, from unigram to 4-gram: what can be had without learning anything."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from attention.arguments import require_count
from attention.names.grammar import BOS, PAD, TOKENS

STRENGTH = 30.0  # tuned: no other of 1, 3, 10 does better by the 4-gram


class Counts(NamedTuple):
    """How often each token followed each context of 0, 1, … order − 1 tokens."""

    tables: tuple[Float[np.ndarray, "contexts tokens"], ...]
    strength: float


def count(rows: Int[np.ndarray, "names tokens"], order: int, strength: float = STRENGTH) -> Counts:
    """Count what follows each context of up to order − 1 tokens; order 1 is the unigram.

    `strength` is how many observations the shorter context's prediction weighs as.

    Raises:
        TypeError: order is no whole number.
        ValueError: order is below 1, or strength is not above 0.

    Source: MacKay and Peto 1995, "A Hierarchical Dirichlet Language Model", eq. 24, with one
    strength for all orders.

    Examples:
        >>> from attention.names.grammar import encode
        >>> bigram = count(encode(["os", "oz"]), 2)
        >>> [int(table.sum()) for table in bigram.tables]
        [6, 6]

    """
    require_count("order", order, 1)
    if not strength > 0.0:
        raise ValueError(f"strength is {strength}: it must be above 0")
    asked = rows[:, 1:] != PAD
    tables = []
    for length in range(order):
        table = np.zeros((len(TOKENS) ** length, len(TOKENS)))
        np.add.at(table, (_contexts(rows, length)[asked], rows[:, 1:][asked]), 1.0)
        tables.append(table)
    return Counts(tuple(tables), strength)


def predict(
    counts: Counts, rows: Int[np.ndarray, "names tokens"]
) -> Float[np.ndarray, "names positions"]:
    """The probability of each token that does come, from the tokens just before it.

    A context's counts are mixed with the prediction of the context one shorter; the empty context
    is mixed with equal chances for the 22 letters and EOS.

    Shapes: rows as `grammar.encode` makes them, `(names, 9)`; result `(names, 8)`. What stands for
    PAD is no probability, and the loss ignores it.

    Source: MacKay and Peto 1995, eq. 24.

    Examples:
        >>> from attention.names.grammar import encode
        >>> unigram = count(encode(["os", "oz"]), 1, strength=1e-9)
        >>> predict(unigram, encode(["os"]))[0, :3].round(3)  # o, s, EOS
        array([0.333, 0.167, 0.333])

    """
    following = rows[:, 1:].astype(int)
    probability = np.full(following.shape, 1.0 / (len(TOKENS) - len((PAD, BOS))))
    for length, table in enumerate(counts.tables):
        context = _contexts(rows, length)
        prior = counts.strength * probability
        seen = table.sum(axis=1)[context]
        probability = (table[context, following] + prior) / (seen + counts.strength)
    return probability


def _contexts(rows: Int[np.ndarray, "names tokens"], length: int) -> Int[np.ndarray, "..."]:
    """Number the `length` tokens before each position; before the start there is only BOS."""
    names, width = rows.shape
    padded = np.concatenate([np.full((names, length), BOS), rows], axis=1).astype(int)
    context = np.zeros((names, width - 1), int)
    for back in range(length):
        context = context * len(TOKENS) + padded[:, 1 + back : back + width]
    return context
