"""What the commands that records name have in common: parse, make, write all or nothing, say so."""

import argparse
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from attention.runs.records import RUNS, write_all

Files = dict[str, dict[str, Any]]  # by name: arrays of an .npz, the content of a .json


def record(
    parser: argparse.ArgumentParser,
    arguments: Sequence[str] | None,
    make: Callable[[argparse.Namespace], Files],
) -> int:
    """Do what a command line asks and write all that was made; the exit code.

    The parser is given `--out`, the folder to write into.

    Examples:
        >>> import contextlib, io, tempfile
        >>> parser = argparse.ArgumentParser(prog="python -m half")
        >>> with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        ...     code = record(parser, ["--out", folder], lambda asked: {"half.json": {}})
        >>> code
        0

    """
    parser.add_argument("--out", type=Path, default=RUNS, help="a folder; default: %(default)s")
    asked = parser.parse_args(arguments)
    try:
        paths = write_all(asked.out, canonical(parser, asked), make(asked))
    except KeyboardInterrupt:
        print("\nstopped: nothing was written", file=sys.stderr)
        return 130
    except (TypeError, ValueError) as error:
        parser.error(str(error))
    print(f"wrote {', '.join(map(str, paths))}")
    return 0


def canonical(parser: argparse.ArgumentParser, asked: argparse.Namespace) -> str:
    """The command as a record names it: however it was typed, and without defaults and `--out`.

    Examples:
        >>> parser = argparse.ArgumentParser(prog="python -m half")
        >>> _ = parser.add_argument("model")
        >>> _ = parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1])
        >>> canonical(parser, parser.parse_args(["--seed=7", "E6"]))
        'python -m half E6 --seeds 7'

    """
    words = parser.prog.split()
    for action in parser._actions:  # argparse offers no other list of them
        value = vars(asked).get(action.dest)
        listed = list(value) if isinstance(value, list | tuple) else [value]
        if not action.option_strings:
            words += map(str, listed)
        elif action.dest not in ("help", "out") and not _is_default(value, action.default):
            words += [action.option_strings[-1], *(map(str, listed) if action.nargs != 0 else ())]
    return shlex.join(words)


def _is_default(value: Any, default: Any) -> bool:
    return list(value) == list(default or ()) if isinstance(value, list) else value == default
