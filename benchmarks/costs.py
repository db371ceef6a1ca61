"""Measure time and peak memory against length: `python benchmarks/costs.py` writes the record.

Everything runs on one thread, in float64, one head of width 64. Times are processor times, and the
exponents are fitted to the fastest of some rounds. They are this machine's: what is worth quoting
are ratios and exponents.
"""

import argparse
import os
import shlex
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

# Before NumPy is loaded: its matrix products read these once.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402
import torch  # noqa: E402
from torch.nn.functional import scaled_dot_product_attention  # noqa: E402
from torch.profiler import ProfilerActivity, profile  # noqa: E402

from attention import attend, blockwise, causal  # noqa: E402
from attention.banded import attend_band  # noqa: E402
from attention.models.costs import power_law  # noqa: E402
from attention.models.e5 import recur  # noqa: E402
from attention.runs.records import RUNS, versions, write_json  # noqa: E402

LENGTHS = (512, 768, 1_024, 1_536, 2_048, 3_072, 4_096)
WIDTH, REACH, BLOCK = 64, 8, 128
ROUNDS = 5
Inputs = tuple[np.ndarray, np.ndarray, np.ndarray]


def inputs(length: int) -> Inputs:
    """Draw query, key and value."""
    rng = np.random.default_rng(0)
    query, key, value = rng.normal(size=(3, length, WIDTH))
    return query, key, value


def recurrence(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> None:
    """Carry a memory as wide as a value over the positions, in torch."""
    rng = np.random.default_rng(0)
    weights = {
        "memory.weight": torch.tensor(rng.normal(size=(1, WIDTH, 3 * WIDTH)) / WIDTH**0.5),
        "memory.bias": torch.zeros(1, 3 * WIDTH, dtype=torch.float64),
    }
    given = torch.from_numpy(np.concatenate([query, key, value], axis=1))[None, None]
    with torch.no_grad():
        recur(weights, given)


def fused(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> None:
    """Let torch's own kernel do it, under its causal mask."""
    # Four axes, or torch takes another kernel, which does write all scores.
    q, k, v = (torch.from_numpy(x)[None, None] for x in (query, key, value))
    scaled_dot_product_attention(q, k, v, is_causal=True)


WAYS: dict[str, Callable[..., Any]] = {
    "attend": lambda q, k, v: attend(q, k, v, causal(len(q))),
    "blockwise": lambda q, k, v: blockwise(q, k, v, lambda i, j: j <= i, BLOCK),
    "band": lambda q, k, v: attend_band(q, k, v, REACH),
    "recurrence": recurrence,
    "torch": fused,
}
IN_TORCH = ("recurrence", "torch")  # whose memory tracemalloc does not see


def seconds(way: str, arrays: Inputs) -> float:
    """Processor time of one run, which waits for nobody; what other programs take is not in it."""
    begun = time.process_time()
    WAYS[way](*arrays)
    return time.process_time() - begun


def rounds_of(way: str, lengths: Sequence[int]) -> list[list[float]]:
    """Time every length once a round, so that a slow minute hits all alike; one round is thrown."""
    every = [inputs(length) for length in lengths]
    rounds = [[seconds(way, arrays) for arrays in every] for _ in range(ROUNDS + 1)]
    return [list(times) for times in zip(*rounds[1:], strict=True)]


def traced_peak(way: str, arrays: Inputs) -> int:
    """Bytes NumPy holds at most, beyond the inputs."""
    tracemalloc.start()
    try:
        WAYS[way](*arrays)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def profiled_peak(way: str, arrays: Inputs) -> int:
    """Bytes torch holds at most, beyond the inputs: tracemalloc does not see them."""
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
        WAYS[way](*arrays)
    # events() leaves out most of what is taken and given back; the profiler's own list does not
    taken = [e for e in profiler.profiler.kineto_results.events() if e.name() == "[memory]"]
    taken.sort(key=lambda event: event.start_ns())
    return int(np.cumsum([event.nbytes() for event in taken]).max())


def measured(way: str, lengths: Sequence[int]) -> dict[str, Any]:
    """Time and memory at every length; the fastest round is the one least disturbed."""
    peak = profiled_peak if way in IN_TORCH else traced_peak
    every, peaks = rounds_of(way, lengths), [peak(way, inputs(length)) for length in lengths]
    sizes, fastest = np.array(lengths), np.min(every, axis=1)
    return {
        "seconds": every,
        "peak_bytes": peaks,
        "time": power_law(sizes, fastest)._asdict(),
        "memory": power_law(sizes, np.array(peaks))._asdict(),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure every way, and write one record."""
    parser = argparse.ArgumentParser(prog="python benchmarks/costs.py", description=__doc__)
    parser.add_argument("--out", type=Path, default=RUNS, help="a folder; default: %(default)s")
    parser.add_argument("--lengths", type=int, nargs="+", default=LENGTHS)
    asked = parser.parse_args(arguments)
    words = ["python", "benchmarks/costs.py"]
    if tuple(asked.lengths) != LENGTHS:
        words += ["--lengths", *map(str, asked.lengths)]
    torch.set_num_threads(1)
    values = {}
    for way in WAYS:
        values[way] = measured(way, asked.lengths)
        print(way, {what: values[way][what] for what in ("time", "memory")})
    content = {
        "config": {
            "lengths": list(asked.lengths),
            "width": WIDTH,
            "reach": REACH,
            "block": BLOCK,
            "rounds": ROUNDS,
            "threads": 1,
            "dtype": "float64",
            "memory": {way: "profiled" if way in IN_TORCH else "traced" for way in WAYS},
        },
        "versions": versions(),
        "values": values,
    }
    path = asked.out / "costs.json"
    write_json(path, shlex.join(words), content)
    print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
