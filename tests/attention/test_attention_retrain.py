"""Records are trained again when what made them has changed, and only then."""

import hashlib
import shutil
import warnings
from pathlib import Path

import numpy as np
import pytest

from attention.names import grammar
from attention.runs import compare, records, retrain, sources

ROOT = Path(__file__).parents[2]
RUNS = ROOT / records.RUNS
E6 = "python -m attention.train E6"  # trained in every run, by test_attention_train.py
KARATE = "python -m attention.karate"
COMMANDS = retrain.commands(RUNS)


@pytest.mark.parametrize("command", [command for command in COMMANDS if command != E6])
def test_a_record_is_what_its_command_gives(command, tmp_path):
    """Known without a run if nothing has changed: neither what made it nor any of its bytes."""
    if why := retrain.reason(command, RUNS):
        warnings.warn(f"{command}: run again, since {why}; `make retrain` notes it", stacklevel=1)
        assert not first_differences(command, tmp_path), f"`{command}` records it anew"


def first_differences(command, folder):
    files = retrain.run(command, folder)
    return [text for path in files for text in compare.differences(path, RUNS / path.name)[:1]]


def test_every_record_and_every_file_is_noted():
    assert len(COMMANDS) > 15
    assert set(retrain.noted(RUNS)) == set(COMMANDS)
    assert not retrain.unexplained(RUNS, retrain.noted(RUNS))


# What a digest is of


@pytest.fixture
def copy(tmp_path):
    shutil.copytree(sources.SOURCE, tmp_path / "attention", ignore=shutil.ignore_patterns("*.pyc"))
    shutil.copy(ROOT / sources.PINS, tmp_path)
    return tmp_path


def digest(copy, module="attention.runs.train"):
    return sources.digest.__wrapped__(module, copy / "attention", copy / sources.PINS.name)


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("models/fitting.py", "WARM_UP = 200", "WARM_UP = 201"),
        ("names/grammar.py", "0.97", "0.96"),
        ("__init__.py", "from attention.core import", "import math\nfrom attention.core import"),
        ("runs/train.py", "def _summary", "def summary"),
        ("../requirements.txt", "torch==", "torch==9"),
        ("../requirements.txt", "array-api-compat==", "array_api_compat==9"),
    ],
)
def test_code_that_runs_and_the_pins_of_what_it_imports_count(copy, file, old, new):
    before = sources.digest("attention.runs.train")  # that of the copy, as it is
    edit(copy / "attention" / file, old, new)
    assert digest(copy) != before


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("models/fitting.py", "WARM_UP = 200  # updates", "# the first\n\nWARM_UP = (200)"),
        ("models/fitting.py", '"""How a model is fitted', '"""How some model is fitted'),
        ("models/fitting.py", '"""Draw the places', '"""Choose the places'),
        ("models/fitting.py", '"""Weights after the last step', '"""What it learned'),
        ("models/cache.py", "import torch", "import torch, math"),  # not imported by training
        ("../requirements.txt", "sphinx==", "sphinx==9"),
    ],
)
def test_prose_and_code_that_does_not_run_do_not_count(copy, file, old, new):
    before = sources.digest("attention.runs.train")  # that of the copy, as it is
    edit(copy / "attention" / file, old, new)
    assert digest(copy) == before


def test_only_what_a_command_imports_decides_about_its_record(copy):
    before = {name: sources.digest(f"attention.{name}") for name in ("karate", "longrange")}
    edit(copy / "attention/tasks/karate.py", "RATE = 8, 200, 0.02", "RATE = 8, 200, 0.03")
    after = {name: digest(copy, f"attention.{name}") for name in before}
    assert after["karate"] != before["karate"]
    assert after["longrange"] == before["longrange"]


def test_what_is_imported_is_what_python_imports():
    files, packages = sources.imported("attention.tasks.karate")
    there = {path.stem for path in files}
    assert {"__init__", "karate", "graph", "fitting", "kinds", "grammar", "arguments"} <= there
    assert not {"train", "cache", "plots"} & there
    assert packages == ["array_api_compat", "jaxtyping", "networkx", "numpy", "torch"]


def test_a_late_import_counts_and_a_package_without_a_pin_is_named(copy):
    before = digest(copy)
    edit(
        copy / "attention/names/grammar.py",
        "    if isinstance(names, str):",
        "    import bs4, yaml\n    if 1:",
    )
    with pytest.raises(ValueError, match="bs4, yaml: imported, but not pinned"):
        digest(copy)
    edit(
        copy / "attention/names/grammar.py",
        "import bs4, yaml",
        "import sympy, attention.models.cache",
    )
    after = digest(copy)
    edit(copy / "attention/models/cache.py", "import torch", "import torch, math")
    assert len({before, after, digest(copy)}) == 3


CODE = """
'Said.'
@a.b(1, *c, d=None, **e)
class F(G):
    'Said.'
    h: list[int] = [1.5, -2e-300, 3j, b"i", "j" f"k{l!r:>{m}}" 'n"', ..., True, None, u"o"]
    async def p(self, q, /, r=1, *, s: int = 2, **t) -> None:
        'Said.'
        await f"{q=}" f'{r:{s}.{t}}' f"{s:}"
def v(): global w; w = lambda x: (y := x) if not x else [z for z in x if z]
match b:
    case {"c": [1, *_], **d} | E(f=g): raise h from i
    case _: del j[1:, ...]
try: pass
except* K as l: assert l, "m"
with n as o, p: {*q, r}; s @= ~t
"""


def test_a_digest_is_the_same_in_every_version_of_python():
    found = hashlib.sha256(sources.essence(CODE).encode()).hexdigest()
    assert found == "fe7d2464cb37f179c48767f08221f34e5a5dc2f9df1a12d9357e45bbc1b087f6"


# What is noted, and why a command runs again


@pytest.fixture
def runs(tmp_path):
    return Path(shutil.copytree(RUNS, tmp_path / "runs"))


def note_karate(runs, **changed):
    notes = {KARATE: {**retrain.note(KARATE, ["karate.json"], runs), **changed}}
    records.write_json(runs / retrain.NOTED, "python -m attention.retrain", {"values": notes})
    return notes


def test_what_was_noted_and_not_touched_is_not_run_again(runs):
    note_karate(runs)
    assert retrain.reason(KARATE, runs) is None


def test_an_edited_record_is_run_again(runs):
    note_karate(runs)
    edit(runs / "karate.json", '"decay": 0.0', '"decay": 0.1')
    assert retrain.reason(KARATE, runs) == "changed: karate.json"


def test_a_digest_of_other_code_is_run_again(runs):
    note_karate(runs, made_from="0" * 64)
    assert retrain.reason(KARATE, runs) == "the code it runs has changed, or a pin"


def test_a_record_without_a_note_is_run_and_a_file_without_one_is_named(runs):
    notes = note_karate(runs)
    for path in runs.glob("E*"):
        path.unlink()
    shutil.copy(runs / "karate.json", runs / "karate-2.json")
    assert retrain.reason(E6, runs) == "it was never noted"
    assert retrain.unexplained(runs, notes) == {"karate-2.json", "longrange.json"}


def test_a_file_that_was_noted_and_is_gone_is_an_error(runs):
    note_karate(runs)
    (runs / "karate.json").unlink()
    with pytest.raises(FileNotFoundError, match=r"karate\.json"):
        retrain.reason(KARATE, runs)


# The command that notes


COMMAND = "python -m attention.names.grammar"  # one that need not be trained


@pytest.fixture
def cheap(tmp_path, monkeypatch):
    """A folder with one record of a command that takes no time, and what the command writes."""
    runs, content = tmp_path / "runs", {"values": [0.5, 0.25]}

    def main(arguments):
        records.write_json(Path(arguments[-1]) / "cheap.json", COMMAND, content)
        return content.get("code", 0)

    def one_after_the_other(ran, scratch):
        return [(command, retrain.run(command, scratch)) for command in ran]

    sources.digest.cache_clear()
    monkeypatch.setattr(grammar, "main", main, raising=False)
    monkeypatch.setattr(retrain, "_all_again", one_after_the_other)
    main(["--out", runs])
    return runs, content


def test_a_run_that_gives_the_record_is_noted(cheap, capsys):
    runs, _ = cheap
    assert retrain.main(["--runs", str(runs)]) == 0
    assert capsys.readouterr().out == f"{COMMAND}: as recorded\n"
    assert retrain.noted(runs) == {COMMAND: retrain.note(COMMAND, ["cheap.json"], runs)}
    assert retrain.reason(COMMAND, runs) is None
    assert next(iter(records.read_json(runs / retrain.NOTED))) == "command"


@pytest.mark.parametrize("noted_before", [False, True])
def test_a_run_that_differs_is_not_noted_and_the_largest_difference_is_named(
    cheap, noted_before, capsys
):
    runs, content = cheap
    if noted_before:
        retrain.main(["--runs", str(runs)])
    before = sorted((path.name, path.read_bytes()) for path in runs.iterdir())
    content["values"] = [0.5 + 1e-6, 0.26]
    assert retrain.main(["--runs", str(runs)]) == 1
    off = "cheap.json/values/1 is 0.26 but 0.25 is recorded: off by 0.01"
    assert capsys.readouterr().err == f"nothing was noted, since\n{off}\n"
    assert sorted((path.name, path.read_bytes()) for path in runs.iterdir()) == before


def test_a_file_that_no_command_writes_stops_the_notes(cheap, capsys):
    runs, _ = cheap
    (runs / "odd.npz").write_bytes(b"")
    assert retrain.main(["--runs", str(runs)]) == 1
    assert "no command writes odd.npz" in capsys.readouterr().err
    assert not (runs / retrain.NOTED).exists()


def test_code_edited_in_the_meantime_stops_the_notes(cheap, monkeypatch, capsys):
    runs, _ = cheap
    essences = iter(range(1_000))
    monkeypatch.setattr(sources, "essence", lambda _code: str(next(essences)))
    assert retrain.main(["--runs", str(runs)]) == 1
    assert "the code was edited in the meantime" in capsys.readouterr().err
    assert not (runs / retrain.NOTED).exists()


def test_a_command_that_fails_says_so_from_its_own_process(tmp_path):
    with pytest.raises(RuntimeError, match="steps is 0: it must be at least 1"):
        list(retrain._all_again([f"{E6} --steps 0"], tmp_path))


@pytest.mark.parametrize("command", ["python benchmarks/costs.py", "python -c pass"])
def test_what_runs_no_module_is_refused(command, tmp_path):
    with pytest.raises(ValueError, match="runs no module"):
        retrain.run(command, tmp_path)


def test_no_command_may_read_a_file_of_the_project_that_is_no_code():
    code = ROOT / "src/attention/__pycache__/grammar.cpython-311.pyc.1234"
    for path in (
        code,
        sources.SOURCE / "names/grammar.py",
        "/etc/hosts",
        ROOT / ".venv/site-packages/x.so",
    ):
        retrain.refuse_data("open", (path, "r", 0))
    retrain.refuse_data("open", (3, "r", 0))
    for path in ("book/media/runs/E6.weights.npz", RUNS / "E6.rates.json", ROOT / "src/a.csv"):
        with pytest.raises(PermissionError, match="is read, but no digest knows of it"):
            retrain.refuse_data("open", (path, "rb", 0))


# What may differ


def written(folder, content):
    folder.mkdir()
    records.write_json(folder / "r.json", "python", content)
    return folder / "r.json"


def test_what_differs_is_said_the_largest_first(tmp_path):
    content = {
        "versions": {"a": "1"},
        "config": {"a": [1, True, "b"], "c": []},
        "values": [1.0, 2.0],
    }
    recorded = written(tmp_path / "recorded", content)
    same = {**content, "versions": {"a": "2"}, "values": [1.0 + 1e-10, 2.0]}
    assert compare.differences(written(tmp_path / "same", same), recorded) == []
    other = {"versions": {}, "config": {"a": [2, True, "b"], "c": {}}, "values": [1.5, 2.1, 3.0]}
    found = compare.differences(written(tmp_path / "other", other), recorded)
    assert found == [
        "r.json/values/2 is not in both",
        "r.json/config/c is {} but [] is recorded: off by inf",
        "r.json/config/a/0 is 2 but 1 is recorded: off by inf",
        "r.json/values/0 is 1.5 but 1.0 is recorded: off by 0.5",
        "r.json/values/1 is 2.1 but 2.0 is recorded: off by 0.1",
    ]


def test_arrays_are_compared_and_a_nan_is_a_difference(tmp_path):
    for name, array in (("made", [[1.0, np.nan]]), ("recorded", [[1.0, 2.0]])):
        (tmp_path / name).mkdir()
        records.write_arrays(tmp_path / name / "w.npz", {"a": np.array(array)})
    found = compare.differences(tmp_path / "made/w.npz", tmp_path / "recorded/w.npz")
    assert found == ["w.npz/a/0/1 is nan but 2.0 is recorded: off by nan"]


def test_a_record_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        compare.differences(RUNS / "karate.json", tmp_path / "karate.json")
