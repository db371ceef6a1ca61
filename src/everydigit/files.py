"""Files that are written whole or not at all."""

import os
import shutil
import tempfile
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Replace the file at `path` by `text` as it is, line ends included, and keep its mode."""
    path = path.resolve()  # a link stays one
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        if path.exists():
            shutil.copymode(path, name)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
