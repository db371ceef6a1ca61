"""What is learned from and what is asked: a hash of the name decides its side.

Training names are draws with multiplicity. The validation side is not sampled at all: every name
on it is listed with its probability, so a loss on it is exact and has no sampling error.
"""

import functools
import hashlib
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from attention.arguments import require_count, shape_of
from attention.names.grammar import BOS, PAD, POSITIONS, automaton, decode, draw, exact_law, spelled

TRAINING_DRAWS, VALIDATION_DRAWS = 8_000, 20_000


class Corpus(NamedTuple):
    """Training draws, and the SHA-256 of the names in their order."""

    rows: Int[np.ndarray, "names tokens"]
    sha256: str


class Side(NamedTuple):
    """All names on one side, with their probabilities, which sum to the side's own."""

    rows: Int[np.ndarray, "names tokens"]
    probability: Float[np.ndarray, " names"]


def for_validation(name: str) -> bool:
    """Tell the side: validation iff the hash, read as a fraction of its range, is below a tenth.

    The hash is the first 8 bytes of the name's SHA-256, big-endian.

    Examples:
        >>> [for_validation(name) for name in ("davayis", "mulves")]
        [False, False]

    """
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big") * 10 < 2**64


def corpus(seed: int = 0, size: int = TRAINING_DRAWS) -> Corpus:
    """The first `size` draws that fall on the training side.

    Raises:
        TypeError: seed or size is no whole number.
        ValueError: seed is below 0, or size below 1.

    Examples:
        >>> decode(corpus(0, 3).rows)
        ['ogabmer', 'miwawas', 'wagabat']

    """
    require_count("seed", seed, 0)
    require_count("size", size, 1)
    rng = np.random.Generator(np.random.PCG64(seed))
    kept = np.empty((0, POSITIONS + 1), int)
    while len(kept) < size:
        rows = draw(size, rng)
        kept = np.concatenate([kept, rows[[not for_validation(name) for name in decode(rows)]]])
    kept = kept[:size]
    return Corpus(kept, hashlib.sha256("\n".join(decode(kept)).encode()).hexdigest())


@functools.cache
def every_name() -> Side:
    """Every name the grammar can write, with its probability: the tree of letters, level by level.

    Examples:
        >>> len(every_name().rows)
        3582000

    """
    law, following = automaton()
    _, after = np.nonzero(law)  # the tokens that may follow each state, state by state
    many = np.count_nonzero(law, axis=1)
    first = np.cumsum(many) - many
    rows = np.full((1, 1), BOS, np.int8)
    state, probability = np.zeros(1, int), np.ones(1)
    for _ in range(POSITIONS):
        branches = many[state]
        parent = np.repeat(np.arange(len(state)), branches)
        begins = first[state] - (np.cumsum(branches) - branches)
        token = after[np.arange(len(parent)) + begins[parent]]
        probability = probability[parent] * law[state[parent], token]
        state = following[state[parent], token]
        rows = np.concatenate([rows[parent], token[:, None].astype(np.int8)], axis=1)
    return _fixed(Side(rows, probability))


@functools.cache
def validation_side() -> Side:
    """Every name on the validation side, with its probability.

    Examples:
        >>> len(validation_side().rows)
        358893

    """
    rows, probability = every_name()
    names = spelled(rows[:, 1:])  # the name itself, without the token it begins at
    below = (2**64 // 10 + 1).to_bytes(8, "big")  # the bound of `for_validation`, as bytes
    sha256 = hashlib.sha256
    on_it = np.fromiter((sha256(name).digest() < below for name in names), bool, len(names))
    return _fixed(Side(rows[on_it], probability[on_it]))


@functools.cache
def validation_draws(count: int = VALIDATION_DRAWS, seed: int = 0) -> Side:
    """Draws from the validation side, for when many models are compared.

    Each name is as likely as the grammar makes it there, so all draws weigh alike.

    Raises:
        TypeError: count or seed is no whole number.
        ValueError: count is below 1, or seed below 0.

    Examples:
        >>> validation_draws(5).probability
        array([0.2, 0.2, 0.2, 0.2, 0.2])

    """
    side = validation_side()
    rng = np.random.Generator(np.random.PCG64([require_count("seed", seed, 0), 2]))
    reached = np.cumsum(side.probability)
    uniform = rng.random(require_count("count", count, 1)) * reached[-1]
    chosen = np.searchsorted(reached, uniform, side="right")
    return _fixed(Side(side.rows[chosen], np.full(count, 1.0 / count)))


def loss_on(side: Side, log_probability: Float[np.ndarray, "names positions"]) -> float:
    """The mean of −log p over all tokens to be predicted, names weighted by their probability.

    Right padding is not asked for: its cells are ignored, whatever they hold.

    Shapes: log_probability `(names, 8)`, of the token that does come.

    Units: nats a token.

    Raises:
        ValueError: there are not as many rows as names.

    Source: definition of cross-entropy.

    Examples:
        >>> from attention.names.grammar import encode
        >>> side = Side(encode(["os", "azar"]), np.array([0.75, 0.25]))
        >>> loss_on(side, np.full((2, 8), -1.5))
        1.5

    """
    asked = side.rows[:, 1:] != PAD
    if log_probability.shape != asked.shape:
        raise ValueError(
            f"log_probability {shape_of(log_probability)} does not fit the side's {asked.shape}"
        )
    total = side.probability @ np.where(asked, log_probability, 0.0).sum(axis=1)
    return -float(total / (side.probability @ asked.sum(axis=1)))


def floor(side: Side) -> float:
    """The loss of the generating law itself on a side.

    No predictor that uses neither the split nor the training list can expect to be lower.

    Units: nats a token.

    Raises:
        ValueError: a row is no name of this grammar.

    Source: definition; the law is `exact_law`.

    Examples:
        >>> round(floor(validation_side()), 4)
        1.3798

    """
    law = np.empty((len(side.rows), POSITIONS))
    for i in range(0, len(law), 100_000):
        rows = side.rows[i : i + 100_000]
        law[i : i + 100_000] = np.take_along_axis(
            exact_law(rows), rows[:, 1:, None].astype(int), axis=-1
        )[..., 0]
    return loss_on(side, np.log(law))


def _fixed(side: Side) -> Side:
    """Make the arrays read-only, since all who ask get the same ones."""
    for array in side:
        array.setflags(write=False)
    return side
