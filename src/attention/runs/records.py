"""Records of runs: JSON and arrays, written whole or not at all, and refused when not ours."""

import json
import platform
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import torch

RUNS = Path("book/media/runs")
FORMAT = "attention-checked/1"


class NotARecord(ValueError):
    """A file that is no record, or one this version cannot read."""


def versions() -> dict[str, str]:
    """Name the versions a run depends on.

    Examples:
        >>> list(versions())
        ['python', 'numpy', 'torch']

    """
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "torch": torch.__version__,
    }


def write_json(path: Path, command: str, content: dict[str, Any]) -> None:
    """Write a record, its command first; NaN and infinity are refused.

    Raises:
        ValueError: a number is NaN or infinite.
        OSError: the file cannot be written.

    Examples:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder) / "half.json"
        ...     write_json(path, "python -m half", {"values": {"half": 0.5}})
        ...     list(read_json(path))
        ['command', 'format', 'values']

    """
    write_all(path.parent, command, {path.name: content})


def write_arrays(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """Write named arrays.

    Raises:
        OSError: the file cannot be written.

    Examples:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder) / "half.npz"
        ...     write_arrays(path, {"half": np.array([0.5])})
        ...     read_arrays(path, {"half": (1,)})
        {'half': array([0.5])}

    """
    write_all(path.parent, "", {path.name: arrays})


def write_all(folder: Path, command: str, files: dict[str, dict[str, Any]]) -> list[Path]:
    """Write all that a command made, or nothing: arrays as `.npz`, all else as `.json`.

    Every file is there whole, under another name, before the first takes its own.

    Raises:
        ValueError: a number is NaN or infinite.
        OSError: a file cannot be written.

    Examples:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     made = {"a.json": {"values": [1]}, "b.npz": {"half": np.array([0.5])}}
        ...     [path.name for path in write_all(Path(folder), "python -m half", made)]
        ['a.json', 'b.npz']

    """
    texts = {name: _text(command, made) for name, made in files.items() if name.endswith(".json")}
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".", suffix=".tmp") as scratch:
        for name, content in files.items():
            if name in texts:
                (Path(scratch) / name).write_text(texts[name], encoding="utf-8", newline="\n")
            else:
                np.savez(Path(scratch) / name, allow_pickle=False, **content)
        paths = [folder / name for name in files]
        if taken := [str(path) for path in paths if path.is_dir()]:
            raise IsADirectoryError(f"{', '.join(taken)}: a folder lies where a record belongs")
        for path in paths:
            (Path(scratch) / path.name).replace(path)
    return paths


def _text(command: str, content: dict[str, Any]) -> str:
    record = {"command": command, "format": FORMAT, **content}
    return json.dumps(record, indent=1, allow_nan=False, ensure_ascii=False) + "\n"


def read_json(path: Path) -> dict[str, Any]:
    """Read a record.

    Raises:
        NotARecord: the file is truncated, foreign, or in a newer format.
        OSError: there is no such file.

    Examples:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder) / "half.json"
        ...     write_json(path, "python -m half", {"values": {"half": 0.5}})
        ...     list(read_json(path))
        ['command', 'format', 'values']

    """
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise NotARecord(f"{path} is truncated or no JSON: {error}") from None
    if not isinstance(record, dict) or next(iter(record), None) != "command":
        raise NotARecord(f"{path} is no record of this book: its first key is not command")
    name, _, number = str(record.get("format")).partition("/")
    ours, _, newest = FORMAT.partition("/")
    if name != ours or not number.isdecimal():
        raise NotARecord(f"{path} is no record of this book: its format is {record.get('format')}")
    if int(number) > int(newest):
        raise NotARecord(f"{path} has format {number}, but {newest} is the newest known here")
    return record


def read_arrays(path: Path, shapes: dict[str, tuple[int, ...]]) -> dict[str, np.ndarray]:
    """Read named float64 arrays, which must have exactly these names and shapes.

    Raises:
        NotARecord: the file is truncated or foreign, or an array is missing, unknown, of another
            shape or dtype, or not finite.
        OSError: there is no such file.

    Examples:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder) / "half.npz"
        ...     write_arrays(path, {"half": np.array([0.5])})
        ...     read_arrays(path, {"half": (1,)})
        {'half': array([0.5])}

    """
    with path.open("rb") as file:
        try:
            loaded = np.load(file, allow_pickle=False)
            arrays = {} if isinstance(loaded, np.ndarray) else dict(loaded)
        except (ValueError, EOFError, zipfile.BadZipFile) as error:
            raise NotARecord(f"{path} is truncated or holds no arrays: {error}") from None
    if arrays.keys() != shapes.keys():
        odd = ", ".join(sorted(arrays.keys() ^ shapes.keys()))
        raise NotARecord(f"{path} has not the arrays expected: {odd}")
    for name, array in arrays.items():
        if array.shape != shapes[name] or array.dtype != np.float64:
            raise NotARecord(
                f"{path}: {name} is {array.dtype} {array.shape}, expected float64 {shapes[name]}"
            )
        if not np.isfinite(array).all():
            raise NotARecord(f"{path}: {name} is not finite")
    return arrays
