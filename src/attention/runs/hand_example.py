"""The hand example of the book, as a record that README.md can point at.

`python -m attention.hand` writes it; the tests compute it again and compare.
"""

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from attention.core import attend
from attention.masks import causal
from attention.runs.records import versions, write_json

RECORD = Path("book/media/runs/hand.summary.json")
PAIRS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])  # the queries, and the keys
VALUES = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]])


def record() -> dict[str, Any]:
    """Shares and outputs of the hand example under the causal mask, and how they were made.

    Examples:
        >>> record()["values"]["shares"][0]
        [1.0, 0.0, 0.0]

    """
    output, shares = attend(PAIRS, PAIRS, VALUES, causal(3))
    return {
        "config": {"queries": PAIRS.tolist(), "keys": PAIRS.tolist(), "values": VALUES.tolist()},
        "versions": versions(),
        "values": {"shares": shares.tolist(), "outputs": output.tolist()},
    }


def main() -> int:
    """Write the record where the README looks for it, or elsewhere."""
    parser = argparse.ArgumentParser(prog="python -m attention.hand", description=__doc__)
    parser.add_argument("path", nargs="?", type=Path, default=RECORD, help="default: %(default)s")
    path = parser.parse_args().path
    write_json(path, "python -m attention.hand", record())
    print(f"wrote {path}")
    return 0
