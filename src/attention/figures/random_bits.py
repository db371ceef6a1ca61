"""Random numbers that a page can draw too: the same bits in Python and in JavaScript."""

import numpy as np
from jaxtyping import Float

from attention.arguments import require_count

STEP = 0x9E3779B9  # 2³² over the golden ratio, made odd: it visits all 2³² states


def uniform(seed: int, count: int, start: int = 0) -> Float[np.ndarray, " count"]:
    """Draw uniform numbers, each a multiple of 2⁻³², at least 0 and below 1.

    Number i is a hash of seed + (i + 1) · STEP, so that any part of the stream can be had alone.
    It serves figures and nothing that must be secret or long: the stream repeats after 2³² numbers.

    Shapes: result `(count,)`: the numbers from `start` on.

    Raises:
        TypeError: seed, count or start is no whole number.
        ValueError: seed is below 0 or above 2³² − 1, count is below 1, or start below 0.

    Source: Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators", with 32
    bits, and the finaliser of MurmurHash3 (Appleby) as the hash.

    Examples:
        >>> uniform(1, 3).round(4)
        array([0.5884, 0.0732, 0.5903])

    """
    if require_count("seed", seed, 0) >= 2**32:
        raise ValueError(f"seed is {seed}: it must be below 2³²")
    indices = np.arange(
        require_count("start", start, 0), start + require_count("count", count, 1), dtype=np.uint64
    )
    bits = _low(np.uint64(seed) + _low(indices + np.uint64(1)) * np.uint64(STEP))
    bits = _low((bits ^ (bits >> np.uint64(16))) * np.uint64(0x85EBCA6B))
    bits = _low((bits ^ (bits >> np.uint64(13))) * np.uint64(0xC2B2AE35))
    drawn: Float[np.ndarray, " count"] = (bits ^ (bits >> np.uint64(16))) / 2.0**32
    return drawn


def _low(bits: np.ndarray) -> np.ndarray:
    """Keep the lower 32 bits."""
    kept: np.ndarray = bits & np.uint64(0xFFFFFFFF)
    return kept
