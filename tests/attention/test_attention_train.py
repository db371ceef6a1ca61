"""The recorded run of E6, trained again from nothing, and what all records say."""

import json
import runpy
import shlex
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from attention.models import fitting
from attention.models.kinds import KINDS, draw_weights, parameters
from attention.names.corpus import corpus, floor, validation_draws, validation_side
from attention.names.grammar import POSITIONS, encode, exact_law
from attention.runs import ensemble, records, train
from attention.runs.trained import trained

pytestmark = pytest.mark.filterwarnings("error")

RUNS = Path(__file__).parents[2] / records.RUNS
SEEDS = [f"{kind}{draw}" for draw in (".seeds", ".corpus-1") for kind in KINDS]
SHORT = ["E6.steps-2000", "E5-names.steps-2000"]
RATES = [f"{kind}.rates" for kind in KINDS]
CLOSE = {"rtol": 0.0, "atol": 1e-9}


@pytest.fixture(scope="module")
def floors():
    """The floors of the validation side and of draws from it."""
    return floor(validation_side()), floor(validation_draws())


def read(name):
    return records.read_json(RUNS / f"{name}.json")


def test_training_again_gives_every_recorded_value_weight_and_share(tmp_path):
    """The recorded command of E6, in every run of the tests: in one test, so on one worker."""
    program, flag, module, *arguments = shlex.split(read("E6.summary")["command"])
    assert (program, flag, module) == ("python", "-m", "attention.train")
    assert train.main([*arguments, "--out", str(tmp_path)]) == 0
    assert_same_summary(tmp_path)
    assert_same_weights(tmp_path)
    assert_same_shares(tmp_path)


def assert_same_summary(again):
    recorded, made = read("E6.summary"), records.read_json(again / "E6.summary.json")
    assert list(made) == list(recorded)
    for key in ("command", "config", "seed", "corpus", "parameters"):
        assert made[key] == recorded[key]
    assert made["values"].keys() == recorded["values"].keys()
    for name, value in recorded["values"].items():
        np.testing.assert_allclose(made["values"][name], value, err_msg=name, **CLOSE)
    np.testing.assert_allclose(made["series"], recorded["series"], **CLOSE)


def assert_same_weights(again):
    shapes = KINDS["E6"].shapes
    made = records.read_arrays(again / "E6.weights.npz", shapes)
    for name, array in records.read_arrays(RUNS / "E6.weights.npz", shapes).items():
        # a key bias adds the same to a query's every score: its gradient is rounding, and Adam
        # makes steps of it that differ from machine to machine
        room = 1e-6 if name == "key.bias" else 1e-9
        np.testing.assert_allclose(made[name], array, rtol=0, atol=room, err_msg=name)


def assert_same_shares(again):
    recorded, made = read("E6.attention"), records.read_json(again / "E6.attention.json")
    np.testing.assert_allclose(made.pop("shares"), recorded.pop("shares"), **CLOSE)
    assert made == recorded


@pytest.mark.parametrize("kind", ["E6", "E5-names"])
def test_a_summary_holds_together(kind, floors):
    record = read(f"{kind}.summary")
    assert next(iter(record)) == "command"
    values = record["values"]
    assert len(record["series"]) == 3_001
    assert record["series"][3_000] == values["loss_at_3000"]
    assert record["parameters"] == sum(parameters(kind).values())
    assert record["corpus"]["sha256"] == corpus(0).sha256
    assert values["floor"] == pytest.approx(floors[0], abs=1e-12)
    assert values["excess"] == values["final_val_loss"] - values["floor"]
    assert record["versions"].keys() == {"python", "numpy", "torch"}


def test_attention_arrays_have_their_axes_and_labels():
    record = read("E6.attention")
    assert record["axes"] == ["probe", "head", "query", "key"]
    shares = np.array(record["shares"])
    assert shares.shape == (len(record["probes"]), 2, POSITIONS, POSITIONS)
    assert [len(labels) for labels in record["labels"]] == [POSITIONS] * len(record["probes"])
    exact_law(encode(record["probes"]))  # names of the grammar
    for name, labels in zip(record["probes"], record["labels"], strict=True):
        assert labels == ["BOS", *name, "EOS", "PAD", "PAD"][:POSITIONS]
    np.testing.assert_allclose(shares.sum(-1), 1.0, atol=1e-14)
    assert (np.triu(shares, 1) == 0).all()


@pytest.mark.parametrize("kind", ["E6", "E5-names"])
def test_the_recorded_seed_is_the_recorded_run(kind, floors):
    loss = train.validation_loss(kind, trained(kind, RUNS), validation_draws())
    record = read(f"{kind}.seeds")
    place = record["seeds"].index(read(f"{kind}.summary")["seed"])
    excess = loss - floors[1]
    np.testing.assert_allclose(excess, record["values"]["excess"][place], **CLOSE)


@pytest.mark.parametrize("name", SEEDS + SHORT + RATES)
def test_a_record_of_seeds_holds_together(name, floors):
    record = read(name)
    program, flag, module, kind, *_ = shlex.split(record["command"])
    assert (program, flag, module) == ("python", "-m", "attention.ensemble")
    assert kind == record["config"]["model"]
    assert record["config"]["steps"] == (2_000 if name in SHORT else 3_000)
    assert record["corpus"]["sha256"] == corpus(record["corpus"]["seed"]).sha256
    assert record["values"]["floor"] == pytest.approx(floors[1], abs=1e-12)
    excess = np.array(record["values"]["excess"])
    if name in RATES:
        assert excess.shape == (len(record["rates"]), len(record["seeds"]))
        assert record["rates"][excess.mean(axis=1).argmin()] == fitting.RATES[kind]
        assert not set(record["seeds"]) & set(read(f"{kind}.seeds")["seeds"])
    else:
        assert record["seeds"] == list(range(10))
        assert record["rates"] == [fitting.RATES[kind]]
        assert excess.shape == (10,)


@pytest.mark.parametrize("draw", [".seeds", ".corpus-1"])
def test_what_was_reached(draw):
    excess = {kind: np.array(read(kind + draw)["values"]["excess"]) for kind in KINDS}
    assert excess["E6"].mean() <= 0.015
    for kind in ("E6-uniform", "E6-positions", "E5-names"):
        assert (excess[kind] - excess["E6"]).mean() >= 0.05


@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_trains_to_the_same_bits_beside_others(kind):
    rows = corpus(0, 500).rows
    three = fitting.fit(kind, [4, 5, 6], rows, steps=40)
    two = fitting.fit(kind, [6, 4], rows, steps=40)
    one = fitting.fit(kind, [5], rows, steps=40)
    assert (two.series == three.series[[2, 0]]).all()
    assert (one.series == three.series[[1]]).all()
    for name, w in three.weights.items():
        assert (two.weights[name] == w[[2, 0]]).all(), name
        assert (one.weights[name] == w[[1]]).all(), name


def test_the_first_update_is_as_long_as_its_warmed_up_rate():
    rows = corpus(0, 100).rows
    (loss,) = fitting.fit("E6", [0], rows, steps=1).series
    same, moved = (fitting.fit("E6", [0], rows, steps=1, rate=r).weights for r in (1e-12, 2.0))
    largest = max(float((moved[n] - same[n]).abs().max()) for n in moved)
    assert largest == pytest.approx(0.01, rel=1e-3)  # Adam's first step is as long as its rate
    assert float(loss[0]) == pytest.approx(np.log(25), abs=0.6)


def test_the_rate_rises_in_equal_steps_then_falls_in_equal_steps_to_zero():
    heights = np.array([fitting.height(step, 3_000) for step in range(3_000)])
    corners = np.interp(np.arange(3_000), [-1, 199, 200, 3_000], [0.0, 1.0, 1.0, 0.0])
    np.testing.assert_allclose(heights, corners, rtol=0, atol=1e-12)


def test_every_update_is_made_at_its_own_height(monkeypatch):
    asked = []
    monkeypatch.setattr(fitting, "height", lambda *place: asked.append(place) or 0.0)
    still = fitting.fit("E6", [0], corpus(0, 100).rows, steps=3).weights
    assert asked == [(0, 3), (1, 3), (2, 3)]
    for name, w in draw_weights("E6", [0]).items():
        assert (still[name] == w).all(), name  # at height 0 nothing moves


@pytest.mark.parametrize("step", [-1, 3])
def test_a_step_outside_the_run_has_no_height(step):
    with pytest.raises(
        ValueError, match=f"step is {step}: of 3 steps, the first is 0 and the last 2"
    ):
        fitting.height(step, 3)


def test_padding_is_not_asked_for():
    logits = torch.randn(1, 1, 8, 25, generator=torch.Generator().manual_seed(0)).double()
    targets = torch.tensor(encode(["davas"]))[None, :, 1:]
    by_hand = -logits.log_softmax(-1)[0, 0, range(6), targets[0, 0, :6]].mean()
    torch.testing.assert_close(fitting.losses(logits, targets), by_hand[None])
    logits[..., 6:, :] = 7.0
    torch.testing.assert_close(fitting.losses(logits, targets), by_hand[None])


@pytest.mark.parametrize("module", [train, ensemble])
def test_ctrl_c_leaves_nothing_and_says_so(module, tmp_path, monkeypatch, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "fit", interrupted)
    assert module.main(["E6", "--out", str(tmp_path)]) == 130
    assert "nothing was written" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_command_says_what_it_was_given(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(train, "validation_side", validation_draws)  # a loss that nothing asks for
    asked = ["E6", "--seed", "3", "--steps", "2"]
    assert train.main([*asked, "--out", str(tmp_path)]) == 0
    assert "2/2  loss" in capsys.readouterr().err
    record = records.read_json(tmp_path / "E6.summary.json")
    assert record["command"] == "python -m attention.train E6 --seed 3 --steps 2"
    assert record["seed"] == 3
    assert record["series"][2] == record["values"]["loss_at_2"]


@pytest.mark.parametrize("module", ["attention.train", "attention.ensemble"])
def test_the_commands_run(module, monkeypatch, capsys):
    monkeypatch.delitem(sys.modules, module, raising=False)  # or runpy warns
    monkeypatch.setattr(sys, "argv", [module, "--help"])
    with pytest.raises(SystemExit, match="0"):
        runpy.run_module(module, run_name="__main__")
    assert capsys.readouterr().out.startswith(f"usage: python -m {module}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["E6", "--steps", "0"], "steps is 0: it must be at least 1"),
        (["E6", "--seed", "-1"], "seed is -1: it must be at least 0"),
        (["E7"], "invalid choice: 'E7'"),
    ],
)
def test_wrong_arguments_are_errors(arguments, message, tmp_path, capsys):
    with pytest.raises(SystemExit):
        train.main([*arguments, "--out", str(tmp_path)])
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_wrong_calls_are_errors():
    with pytest.raises(ValueError, match="there is no seed"):
        fitting.fit("E6", [], corpus(0, 10).rows)
    run = fitting.fit("E6", [0, 1], corpus(0, 10).rows, steps=1)
    with pytest.raises(ValueError, match="the weights are those of 2 models: take one"):
        train.validation_loss("E6", run.weights, validation_draws())


def test_a_truncated_foreign_or_newer_record_is_refused(tmp_path):
    path = tmp_path / "r.json"
    records.write_json(path, "python", {"values": [1.5]})
    good = path.read_text()
    assert records.read_json(path)["values"] == [1.5]
    for text, message in (
        (good[:-9], "is truncated or no JSON"),
        ("", "is truncated or no JSON"),
        ("[1]", "its first key is not command"),
        (json.dumps({"values": 1, "command": 2}), "its first key is not command"),
        (good.replace("attention-checked/1", "other/1"), "its format is other/1"),
        (good.replace("attention-checked/1", "attention-checked/2"), "has format 2, but 1 is the"),
    ):
        path.write_text(text)
        with pytest.raises(records.NotARecord, match=message):
            records.read_json(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(records.NotARecord, match="is truncated or no JSON"):
        records.read_json(path)


def test_truncated_or_foreign_weights_are_refused(tmp_path):
    path, shapes = tmp_path / "w.npz", {"a": (2,), "b": (1,)}
    arrays = {"a": np.ones(2), "b": np.ones(1)}
    records.write_arrays(path, arrays)
    assert records.read_arrays(path, shapes)["a"].tolist() == [1.0, 1.0]
    whole = path.read_bytes()
    for cut in (0, 10, len(whole) // 2, len(whole) - 5):
        path.write_bytes(whole[:cut])
        with pytest.raises(records.NotARecord, match="is truncated or holds no arrays"):
            records.read_arrays(path, shapes)
    for changed, message in (
        ({"a": np.ones(2)}, "has not the arrays expected: b"),
        ({**arrays, "c": np.ones(1)}, "has not the arrays expected: c"),
        ({**arrays, "b": np.ones(2)}, r"b is float64 \(2,\), expected float64 \(1,\)"),
        ({**arrays, "b": np.ones(1, np.float32)}, "b is float32"),
        ({**arrays, "b": np.array([np.nan])}, "b is not finite"),
    ):
        records.write_arrays(path, changed)
        with pytest.raises(records.NotARecord, match=message):
            records.read_arrays(path, shapes)
    np.save(tmp_path / "one.npy", np.ones(2))
    with pytest.raises(records.NotARecord, match="has not the arrays expected: a, b"):
        records.read_arrays(tmp_path / "one.npy", shapes)


def test_a_failed_write_leaves_what_was_there(tmp_path):
    path = tmp_path / "r.json"
    records.write_json(path, "python", {})
    before = path.read_bytes()
    with pytest.raises(ValueError, match="Out of range float"):
        records.write_json(path, "python", {"values": float("nan")})
    assert path.read_bytes() == before
    path = tmp_path / "r.npz"
    records.write_arrays(path, {"a": np.ones(1)})
    before = path.read_bytes()
    with pytest.raises(ValueError, match="Object arrays"):
        records.write_arrays(path, {"a": np.array([object()])})
    assert path.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["r.json", "r.npz"]
