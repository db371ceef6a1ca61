"""Look-up at a distance: a task that attention can do, and a band or a recurrence cannot.

A sequence is a list of pairs, each a key and a value in one token, and last a key alone: which
value stood with it? The keys of a sequence all differ and their order is random, so any earlier
position may hold the answer.

Source of the task: Arora et al. 2024, "Zoology: Measuring and Improving Recall in Efficient
Language Models" (associative recall), here with key and value in one token and one question.
"""

import itertools
import math
from fractions import Fraction

import numpy as np
from jaxtyping import Int

from attention.arguments import require_count

VALUES = 8
UNKNOWN = VALUES  # the value of the last token, whose key is asked about


def lookups(
    count: int, pairs: int, rng: np.random.Generator
) -> tuple[Int[np.ndarray, "sequences positions"], ...]:
    """Draw keys, values, answers and distances of so many sequences.

    Shapes: keys and values `(count, pairs + 1)`, answers and distances `(count,)`.

    Raises:
        TypeError: a count is no whole number.
        ValueError: a count is below 1.

    Examples:
        >>> keys, values, answer, distance = lookups(1, 3, np.random.default_rng(0))
        >>> values[0, 3 - distance[0]] == answer[0], keys[0, 3 - distance[0]] == keys[0, 3]
        (np.True_, np.True_)

    """
    require_count("count", count, 1)
    everyone = np.broadcast_to(np.arange(require_count("pairs", pairs, 1)), (count, pairs))
    keys = rng.permuted(everyone, axis=1)
    values = rng.integers(VALUES, size=(count, pairs))
    place = rng.integers(pairs, size=count)
    asked, answer = keys[np.arange(count), place], values[np.arange(count), place]
    unknown = np.full((count, 1), UNKNOWN)
    keys = np.concatenate([keys, asked[:, None]], axis=1)
    return keys, np.concatenate([values, unknown], axis=1), answer, pairs - place


def most_frequent(pairs: int) -> Fraction:
    """How often the most frequent value of the pairs is the answer: what counts alone can reach.

    Who knows which values occurred and how often, but not with which keys, can do no better.

    Raises:
        TypeError: pairs is no whole number.
        ValueError: pairs is below 1.

    Source: the largest count is at most m in as many sequences as pairs! times the coefficient of
    x^pairs in (1 + x + … + x^m / m!)^values says.

    Examples:
        >>> most_frequent(2)
        Fraction(9, 16)

    """
    require_count("pairs", pairs, 1)
    at_most = [_bounded(pairs, largest) for largest in range(pairs)]
    # the mean of the largest count: the sum over m of the probability that it is above m
    return sum((1 - p for p in at_most), Fraction()) / pairs


def _bounded(pairs: int, largest: int) -> Fraction:
    """The probability that no value occurs more than `largest` times."""
    once = [Fraction(1, math.factorial(count)) for count in range(largest + 1)]
    product = [Fraction(1)]
    for _ in range(VALUES):
        grown = [Fraction()] * min(len(product) + largest, pairs + 1)
        for (i, a), (j, b) in itertools.product(enumerate(product), enumerate(once)):
            if i + j <= pairs:
                grown[i + j] += a * b
        product = grown
    found = product[pairs] if len(product) > pairs else Fraction()
    return found * Fraction(math.factorial(pairs), VALUES**pairs)
