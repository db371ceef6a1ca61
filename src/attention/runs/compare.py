"""How far a record may differ from what its command gives on another machine."""

import json
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np

# The first pattern that fits file and place decides.
ROOM = {
    # A key bias adds the same to a query's every score: its gradient is rounding, and Adam makes
    # steps of it that differ from machine to machine.
    "*.weights.npz/key.bias/*": 1e-6,
    # One seed of ten magnifies rounding: other instructions moved it by 3e-9, the rest by 1e-10.
    "E6.seeds.weights.npz/*": 1e-7,
    "*/values/floor": 1e-9,
    # A recurrence which is just finding the content rule magnifies rounding. Other instructions
    # moved the losses of its first 1,000 batches by 4e-12, later ones by 4e-6, its weights by 9e-5
    # and its loss on the validation side by 2e-8; of the other seeds, most by less than 1e-6 and
    # one by 0.0015; and at the highest rate that was tried, by 0.01.
    "E5-names.summary.json/series/[0-9]": 1e-9,
    "E5-names.summary.json/series/[0-9][0-9]": 1e-9,
    "E5-names.summary.json/series/[0-9][0-9][0-9]": 1e-9,
    "E5-names.summary.json/series/*": 1e-4,
    "E5-names.summary.json/values/loss_at_3000": 1e-4,
    "E5-names.weights.npz/*": 1e-3,
    "E5-names.steps-2000.json/*": 1e-6,
    "E5-names.rates.json/values/excess/[01]/*": 1e-6,
    "E5-names.rates.json/values/excess/*": 0.05,
    "E5-names.*.json/values/excess/[05]": 1e-6,
    "E5-names.*.json/values/excess/*": 0.01,
    "E5-names.*": 1e-6,
    "longrange.json/values/cases/[0-3]/*": 0.0,  # attention
    "longrange.json/values/cases/*/rate": 0.0,
    # Sequences near a tie may fall to the other side: so did 0.002 of a band's, and 0.006 of those
    # that are a sixteenth of all.
    "longrange.json/values/cases/*/by_distance/*": 0.02,
    "longrange.json/values/*": 0.005,
    "*": 1e-9,
}


def differences(made: Path, recorded: Path) -> list[str]:
    """What does not agree in two records, the largest difference first; versions are left out.

    Raises:
        OSError: one of the two is not there.

    Examples:
        >>> from attention.runs.records import RUNS
        >>> differences(RUNS / "E6.rates.json", RUNS / "E6.rates.json")
        []

    """
    ours, theirs = dict(_numbers(made)), dict(_numbers(recorded))
    found = [(np.inf, f"{place} is not in both") for place in ours.keys() ^ theirs.keys()]
    for place in ours.keys() & theirs.keys():
        x, y = ours[place], theirs[place]
        numbers = isinstance(x, float) and isinstance(y, float)
        off = abs(x - y) if numbers else 0.0 if x == y else np.inf
        if not off <= room(place):  # or NaN
            found.append((off, f"{place} is {x!r} but {y!r} is recorded: off by {off:.2g}"))
    return [text for _, text in sorted(found, reverse=True)]


def room(place: str) -> float:
    """How far the number at a place may be off.

    Examples:
        >>> room("E6.summary.json/values/floor"), room("E6.weights.npz/key.bias/3")
        (1e-09, 1e-06)

    """
    return next(most for pattern, most in ROOM.items() if fnmatchcase(place, pattern))


def _numbers(path: Path) -> Iterator[tuple[str, Any]]:
    """All that stands in a file of JSON or arrays, each under file and place."""
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as arrays:
            content = {name: array.tolist() for name, array in arrays.items()}
    else:
        content = json.loads(path.read_text(encoding="utf-8"))
        content.pop("versions", None)
    return _leaves(content, path.name)


def _leaves(thing: Any, place: str) -> Iterator[tuple[str, Any]]:
    if isinstance(thing, dict | list):
        yield place, type(thing)()  # an empty one stands for its kind
        for key, each in thing.items() if isinstance(thing, dict) else enumerate(thing):
            yield from _leaves(each, f"{place}/{key}")
    else:
        yield place, thing
