"""Train every record again, and note what each was made from: `python -m attention.retrain`.

What is noted says of each command what it runs (`attention.runs.sources`) and the bytes of what it
wrote. By this the tests know which records they need not train again: those of which nothing has
changed since a run that gave them, number by number.
"""

import argparse
import contextlib
import hashlib
import importlib
import io
import multiprocessing
import os
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from attention.runs.compare import differences
from attention.runs.records import RUNS, read_json, write_json
from attention.runs.sources import digest

NOTED = "digests.json"
# Times are those of one machine, and the hand example is computed in every run of the tests.
ELSEWHERE = {NOTED, "costs.json", "hand.summary.json"}

Note = dict[str, Any]  # made_from: a digest; wrote: the SHA-256 of each file


def commands(runs: Path = RUNS) -> list[str]:
    """The commands that train what is recorded.

    Raises:
        NotARecord: a file is truncated or foreign.

    Examples:
        >>> "python -m attention.train E6" in commands()
        True

    """
    paths = (path for path in sorted(runs.glob("*.json")) if path.name not in ELSEWHERE)
    return list(dict.fromkeys(read_json(path)["command"] for path in paths))


def note(command: str, files: Sequence[str], runs: Path = RUNS) -> Note:
    """Note what a command is made from today, and the files it wrote as they are.

    Raises:
        ValueError: the command runs no module, or a module that is not pinned.
        OSError: a file is not there.

    Examples:
        >>> list(note("python -m attention.karate", ["karate.json"]))
        ['made_from', 'wrote']

    """
    wrote = {name: hashlib.sha256((runs / name).read_bytes()).hexdigest() for name in files}
    return {"made_from": digest(_module(command)), "wrote": wrote}


def noted(runs: Path = RUNS) -> dict[str, Note]:
    """All that was noted, by command; nothing if no such file is there.

    Raises:
        NotARecord: the file is truncated or foreign.

    Examples:
        >>> noted(Path("nowhere"))
        {}

    """
    path = runs / NOTED
    values: dict[str, Note] = read_json(path)["values"] if path.exists() else {}
    return values


def reason(command: str, runs: Path = RUNS) -> str | None:
    """Why a command has to run again, or None if nothing has changed since it did.

    Raises:
        NotARecord: the notes are truncated or foreign.
        OSError: a file that was noted is not there.

    Examples:
        >>> reason("python -m attention.karate", Path("nowhere"))
        'it was never noted'

    """
    then = noted(runs).get(command)
    if then is None:
        return "it was never noted"
    now = note(command, then["wrote"], runs)
    if now["made_from"] != then["made_from"]:
        return "the code it runs has changed, or a pin"
    changed = [name for name, bits in now["wrote"].items() if bits != then["wrote"][name]]
    return f"changed: {', '.join(changed)}" if changed else None


def unexplained(runs: Path, notes: dict[str, Note]) -> set[str]:
    """The files that no noted command wrote.

    Examples:
        >>> "karate.json" in unexplained(RUNS, {})
        True

    """
    return (
        {path.name for path in runs.iterdir()}
        - ELSEWHERE
        - {name for each in notes.values() for name in each["wrote"]}
    )


def run(command: str, folder: Path) -> list[Path]:
    """Run a record's command, with another folder to write into, and say what it wrote.

    Raises:
        ValueError: the command runs no module.
        RuntimeError: it failed.

    Examples:
        >>> run("python benchmarks/costs.py", Path("elsewhere"))
        Traceback (most recent call last):
            ...
        ValueError: 'python benchmarks/costs.py' runs no module: a record begins with python -m

    """
    main = importlib.import_module(_module(command)).main
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            code = main([*shlex.split(command)[3:], "--out", str(folder)])
        except SystemExit as stopped:
            code = stopped.code
    if code:
        raise RuntimeError(f"{command} failed: {said.getvalue()[-500:]}")
    return sorted(folder.iterdir())


def refuse_data(event: str, arguments: tuple[Any, ...]) -> None:
    """Stop, as an audit hook, whatever reads a file of the project that is no code.

    A digest knows of the code alone, so a command that reads anything else has none.

    Raises:
        PermissionError: such a file was to be opened.

    Examples:
        >>> refuse_data("open", ("src/attention/names/grammar.py", "r", 0))
        >>> refuse_data("open", ("README.md", "r", 0))
        Traceback (most recent call last):
            ...
        PermissionError: README.md is read, but no digest knows of it

    """
    if event == "open" and isinstance(arguments[0], str | os.PathLike):
        path = Path(arguments[0]).absolute()
        code = path.suffix == ".py" or {"__pycache__", "site-packages"} & set(path.parts)
        if path.is_relative_to(Path.cwd()) and not code:
            raise PermissionError(
                f"{path.relative_to(Path.cwd())} is read, but no digest knows of it"
            )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all commands, compare, and note what each was made from, or nothing at all."""
    parser = argparse.ArgumentParser(prog="python -m attention.retrain", description=__doc__)
    parser.add_argument("--runs", type=Path, default=RUNS, help="a folder; default: %(default)s")
    runs = parser.parse_args(arguments).runs
    before = {command: digest(_module(command)) for command in commands(runs)}
    notes, wrong = {}, []
    with tempfile.TemporaryDirectory() as scratch:
        for command, files in _all_again(list(before), Path(scratch)):
            found = [text for path in files for text in differences(path, runs / path.name)[:1]]
            print(f"{command}: {found[0] if found else 'as recorded'}", flush=True)
            wrong += found
            notes[command] = note(command, [path.name for path in files], runs)
    digest.cache_clear()
    wrong += [f"no command writes {name}" for name in sorted(unexplained(runs, notes))]
    if before != {command: digest(_module(command)) for command in notes}:
        wrong.append("the code was edited in the meantime")
    if wrong:
        print("\n".join(["nothing was noted, since", *wrong]), file=sys.stderr)
        return 1
    write_json(runs / NOTED, "python -m attention.retrain", {"values": notes})
    return 0


def _all_again(ran: list[str], scratch: Path) -> Iterator[tuple[str, list[Path]]]:
    """Run commands in fresh processes, as many at once as there are cores, a folder for each."""
    folders = [scratch / str(number) for number in range(len(ran))]
    with ProcessPoolExecutor(
        mp_context=multiprocessing.get_context("spawn"),
        initializer=sys.addaudithook,
        initargs=(refuse_data,),
    ) as pool:
        yield from zip(ran, pool.map(run, ran, folders), strict=True)


def _module(command: str) -> str:
    words = shlex.split(command)
    if words[:2] != ["python", "-m"]:
        raise ValueError(f"{command!r} runs no module: a record begins with python -m")
    return words[2]
