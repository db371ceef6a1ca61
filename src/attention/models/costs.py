"""What attention costs, counted: multiply-adds, exponentials and bytes moved.

`length` is the number of positions T, `width` that of a query over all heads together. One
multiply-add is one product added to a sum; a matrix product of n × k and k × m has n·k·m. Bytes are
those that each step reads and writes when its arrays do not fit near the processor: every input of
a step once, its output once. Projections and biases are left out.
"""

from typing import NamedTuple

import networkx as nx
import numpy as np
from jaxtyping import Bool, Float

from attention.arguments import require_bool, require_count
from attention.models.e6 import HEADS, HIDDEN
from attention.models.layers import VOCABULARY, WIDTH

FLOAT64 = 8  # bytes


class Cost(NamedTuple):
    """What a computation takes."""

    multiply_adds: int
    exponentials: int
    bytes_moved: int


class Work(NamedTuple):
    """What a computation takes, without the bytes."""

    multiply_adds: int
    exponentials: int


class PowerLaw(NamedTuple):
    """An exponent fitted on logarithms, and its standard error."""

    exponent: float
    error: float


def attend_cost(length: int, width: int, heads: int = 1) -> Cost:
    """Of `attend`: scores, softmax, mix, each for all pairs, under a mask or not.

    Multiply-adds are 2·T²·width whatever the heads; scores and shares, T² for every head, are
    written once and read once each.

    Raises:
        TypeError: a number is no whole number.
        ValueError: a number is below 1, or heads do not divide width.

    Examples:
        >>> attend_cost(1_000, 64)
        Cost(multiply_adds=128000000, exponentials=1000000, bytes_moved=34048000)

    """
    _require(length, width, heads)
    pairs = length * length
    moved = 4 * length * width + 4 * heads * pairs
    return Cost(2 * pairs * width, heads * pairs, FLOAT64 * moved)


def band_cost(length: int, width: int, reach: int, heads: int = 1) -> Cost:
    """Of `attend_band`: gather keys and values, then `attend` in windows of 2·reach + 1 keys.

    Windows that stick out at an end are computed whole.

    Raises:
        TypeError: a number is no whole number.
        ValueError: reach is below 0, another number below 1, or heads do not divide width.

    Examples:
        >>> band_cost(1_000, 64, reach=2).multiply_adds
        640000

    """
    _require(length, width, heads)
    cells = length * (2 * require_count("reach", reach, 0) + 1)
    moved = 2 * length * width + 6 * cells * width + 4 * heads * cells
    return Cost(2 * cells * width, heads * cells, FLOAT64 * moved)


def recurrence_cost(length: int, width: int, memory: int) -> Cost:
    """Of a gated recurrent unit: one product for all inputs, then one a position for the memory.

    A sigmoid or a tanh counts as one exponential. The memory's matrix is read again at every
    position; the gates are one step that reads both products and the memory.

    Raises:
        TypeError: a number is no whole number.
        ValueError: a number is below 1.

    Examples:
        >>> recurrence_cost(1_000, 64, 64)
        Cost(multiply_adds=24576000, exponentials=192000, bytes_moved=106594304)

    """
    _require(length, width, 1)
    require_count("memory", memory, 1)
    given = length * width + 3 * width * memory + 3 * length * memory
    each = (memory + 3 * memory * memory + 3 * memory) + (3 + 3 + 1 + 1) * memory
    work = 3 * memory * (width + memory) * length
    return Cost(work, 3 * memory * length, FLOAT64 * (given + length * each))


def blockwise_cost(
    length: int, width: int, block: int, heads: int = 1, *, causal: bool = False
) -> Cost:
    """Of `blockwise`: every block of keys is read once for every block of queries that needs it.

    Scores and shares never leave the block, so they move no bytes. A merge takes two exponentials
    a query. Under a causal rule the blocks of only later keys are left out.

    Raises:
        TypeError: a number is no whole number.
        ValueError: a number is below 1, or heads do not divide width.

    Examples:
        >>> blockwise_cost(1_000, 64, 100).bytes_moved, attend_cost(1_000, 64).bytes_moved
        (11264000, 34048000)

    """
    _require(length, width, heads)
    sizes = [min(require_count("block", block, 1), length - i) for i in range(0, length, block)]
    pairs = exponentials = read = 0
    for i, queries in enumerate(sizes):
        needed = sizes[: i + 1] if causal else sizes
        pairs += queries * sum(needed)
        exponentials += queries * (sum(needed) + 2 * (len(needed) - 1))
        read += queries + 2 * sum(needed)
    return Cost(2 * pairs * width, heads * exponentials, FLOAT64 * width * (read + length))


def e6_work(positions: int) -> Work:
    """Of E6's forward pass over one name, all positions at once.

    Raises:
        TypeError: positions is no whole number.
        ValueError: positions is below 1.

    Examples:
        >>> e6_work(8)
        Work(multiply_adds=29824, exponentials=128)

    """
    pairs = require_count("positions", positions, 1) ** 2
    return Work(positions * _each_position() + 2 * pairs * WIDTH, HEADS * pairs)


def generation_work(positions: int, *, cached: bool) -> Work:
    """Of reading one position after another with E6, by whole passes or with the cache.

    Raises:
        TypeError: positions is no whole number.
        ValueError: positions is below 1.

    Examples:
        >>> generation_work(8, cached=False)
        Work(multiply_adds=131520, exponentials=408)
        >>> generation_work(8, cached=True)
        Work(multiply_adds=28928, exponentials=72)

    """
    lengths = range(1, require_count("positions", positions, 1) + 1)
    if cached:
        pairs = sum(lengths)
        return Work(positions * _each_position() + 2 * pairs * WIDTH, HEADS * pairs)
    passes = [e6_work(length) for length in lengths]
    return Work(sum(w.multiply_adds for w in passes), sum(w.exponentials for w in passes))


def path_length(allowed: Bool[np.ndarray, "queries keys"]) -> int:
    """How many layers a word takes from any position to any other it ever reaches.

    Raises:
        TypeError: allowed is no boolean array.
        ValueError: allowed is not square.

    Source: Vaswani et al. 2017, "Attention Is All You Need", section 4, "maximum path length".

    Examples:
        >>> from attention import band, causal
        >>> path_length(causal(9)), path_length(band(9, 3)), path_length(band(9, 1))
        (1, 3, 8)

    """
    require_bool("allowed", allowed)
    if allowed.ndim != 2 or allowed.shape[0] != allowed.shape[1]:
        raise ValueError(f"allowed is not square: allowed {allowed.shape}")
    graph = nx.from_numpy_array(allowed, create_using=nx.DiGraph)
    longest = (max(found.values()) for _, found in nx.all_pairs_shortest_path_length(graph))
    return int(max(longest))


def power_law(
    sizes: Float[np.ndarray, " points"], amounts: Float[np.ndarray, " points"]
) -> PowerLaw:
    """Fit amount = constant × size^exponent by least squares on logarithms.

    Raises:
        ValueError: there are fewer than 3 points, or a number is not above 0.

    Source: definition; the error is that of a regression slope with points − 2 degrees of freedom.

    Examples:
        >>> fit = power_law(np.array([1.0, 2.0, 4.0]), np.array([3.0, 12.0, 48.0]))
        >>> round(fit.exponent, 6), fit.error < 1e-6
        (2.0, True)

    """
    if len(sizes) != len(amounts) or len(sizes) < 3:
        raise ValueError(
            f"a fit needs 3 points or more: {len(sizes)} sizes, {len(amounts)} amounts"
        )
    if not (np.min(sizes) > 0 and np.min(amounts) > 0):
        raise ValueError("sizes and amounts must be above 0: their logarithms are taken")
    x, y = np.log(sizes), np.log(amounts)
    slope, intercept = np.polyfit(x, y, 1)
    misses = y - (slope * x + intercept)
    spread = ((x - x.mean()) ** 2).sum() * (len(x) - 2)
    return PowerLaw(float(slope), float(np.sqrt((misses**2).sum() / spread)))


def _each_position() -> int:
    """Multiply-adds of E6's linear maps at one position."""
    return 4 * WIDTH * WIDTH + 2 * WIDTH * HIDDEN + WIDTH * VOCABULARY


def _require(length: int, width: int, heads: int) -> None:
    for name, number in (("length", length), ("width", width), ("heads", heads)):
        require_count(name, number, 1)
    if width % heads:
        raise ValueError(f"width {width} is no multiple of heads {heads}")
