"""The commands that records name: the same however typed, and all is written or nothing."""

import argparse
import shlex
from importlib import import_module

import numpy as np
import pytest

from attention.runs import command, ensemble, records, retrain, train
from attention.tasks import karate, longrange

WORK = {"train": train, "ensemble": ensemble, "karate": karate, "longrange": longrange}


@pytest.fixture
def typed(tmp_path, monkeypatch):
    """The command that a record names when this is typed; nothing is trained."""
    for module in (train, ensemble):
        monkeypatch.setattr(module, "_made", lambda _: {"record.json": {}})
    for module in (karate, longrange):
        monkeypatch.setattr(module, "record", lambda parser, arguments, _: command.record(
            parser, arguments, lambda _: {"record.json": {}}))  # fmt: skip

    def main(line):
        name, *arguments = shlex.split(line.replace("DIR", str(tmp_path)))
        assert import_module(f"attention.{name}").main is WORK[name].main
        assert WORK[name].main(arguments) == 0
        return records.read_json(tmp_path / "record.json")["command"]

    return main


@pytest.mark.parametrize("recorded", retrain.commands())
def test_every_recorded_command_comes_out_as_it_is_recorded(typed, recorded):
    assert typed(f"{recorded.removeprefix('python -m attention.')} --out DIR") == recorded


@pytest.mark.parametrize(
    "line",
    [
        "E6 --seeds 1 2 --rates 0.01 --name n --out DIR",
        "E6 --seeds 1 2 --rates 0.01 --name n --out=DIR",
        "E6 --seeds 1 2 --rates 0.01 --name n --ou DIR",
        "--out DIR --name n --rates 1e-2 --seeds 1 2 -- E6",
        "E6 --seeds 7 --seeds 1 2 --rates .01 --name=n --steps 3000 --corpus 0 --out DIR",
    ],
)
def test_a_command_is_the_same_however_it_is_typed(typed, line):
    same = "python -m attention.ensemble E6 --seeds 1 2 --rates 0.01 --name n"
    assert typed(f"ensemble {line}") == same


def test_defaults_said_aloud_are_no_part_of_it(typed):
    seeds = "--seeds 0 1 2 3 4 5 6 7 8 9"
    assert typed(f"ensemble E6 {seeds} --out DIR") == "python -m attention.ensemble E6"
    assert typed("train E6 --seed 0 --out=DIR") == "python -m attention.train E6"


OLD, NEW = {"values": "old"}, {"values": "new"}


def broken(*arguments, **options):
    raise OSError("No space left on device")


def stopped(*arguments, **options):
    raise KeyboardInterrupt


@pytest.mark.parametrize("fault", ["full", "stopped", "nan", "a folder"])
def test_all_is_written_or_nothing(tmp_path, monkeypatch, capsys, fault):
    for name in ("a.json", "c.json"):
        records.write_json(tmp_path / name, "old", OLD)
    files: command.Files = {"a.json": NEW, "b.npz": {"x": np.ones(1)}, "c.json": NEW}
    if fault in ("full", "stopped"):
        monkeypatch.setattr(np, "savez", broken if fault == "full" else stopped)
    if fault == "nan":
        files["c.json"] = {"values": float("nan")}
    if fault == "a folder":
        (tmp_path / "c.json").unlink()
        (tmp_path / "c.json").mkdir()
    before = sorted(tmp_path.iterdir())
    parser = argparse.ArgumentParser(prog="python -m new")
    if fault == "stopped":
        assert command.record(parser, ["--out", str(tmp_path)], lambda _: files) == 130
        assert "nothing was written" in capsys.readouterr().err
    else:
        with pytest.raises((OSError, SystemExit)):
            command.record(parser, ["--out", str(tmp_path)], lambda _: files)
    assert sorted(tmp_path.iterdir()) == before
    assert records.read_json(tmp_path / "a.json")["values"] == "old"
