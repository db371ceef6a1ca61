"""The hand example of the book, as a record that README.md can point at.

`python -m attention.hand` writes it; the tests compute it again and compare.
"""

import argparse
import json
import os
import platform
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from attention.core import attend
from attention.masks import causal

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
        "command": "python -m attention.hand",
        "config": {"queries": PAIRS.tolist(), "keys": PAIRS.tolist(), "values": VALUES.tolist()},
        "versions": {"python": platform.python_version(), "numpy": np.__version__},
        "values": {"shares": shares.tolist(), "outputs": output.tolist()},
    }


def write(path: Path) -> None:
    """Write the record whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(record(), file, indent=1)
            file.write("\n")
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def main() -> None:
    """Write the record where the README looks for it, or elsewhere."""
    parser = argparse.ArgumentParser(prog="python -m attention.hand", description=__doc__)
    parser.add_argument("path", nargs="?", type=Path, default=RECORD, help="default: %(default)s")
    path = parser.parse_args().path
    write(path)
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
