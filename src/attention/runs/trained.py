"""The recorded weights, as a chapter or a reader takes them up."""

from pathlib import Path

import torch

from attention.models.kinds import KINDS
from attention.models.layers import Weights
from attention.runs.records import RUNS, read_arrays, read_json


def trained(kind: str, runs: Path = RUNS) -> Weights:
    """The recorded weights of one model, made by `python -m attention.train`.

    Shapes: as in `kinds.KINDS`, with a first axis of length 1.

    Raises:
        KeyError: there is no such kind.
        NotARecord: the file is truncated or foreign.
        OSError: there is no such file.

    Examples:
        >>> trained("E6")["token"].shape
        torch.Size([1, 25, 16])

    """
    arrays = read_arrays(runs / f"{kind}.weights.npz", KINDS[kind].shapes)
    return {name: torch.tensor(array)[None] for name, array in arrays.items()}


def trained_seeds(kind: str, runs: Path = RUNS) -> Weights:
    """The recorded weights of all seeds, made by `python -m attention.ensemble … --weights`.

    Shapes: as in `kinds.KINDS`, with a first axis as long as the record's list of seeds.

    Raises:
        KeyError: there is no such kind.
        NotARecord: a file is truncated or foreign, or its seeds are not as many as recorded.
        OSError: there is no such file.

    Examples:
        >>> trained_seeds("E6")["token"].shape
        torch.Size([10, 25, 16])

    """
    count = len(read_json(runs / f"{kind}.seeds.json")["seeds"])
    shapes = {name: (count, *shape) for name, shape in KINDS[kind].shapes.items()}
    arrays = read_arrays(runs / f"{kind}.seeds.weights.npz", shapes)
    return {name: torch.tensor(array) for name, array in arrays.items()}
