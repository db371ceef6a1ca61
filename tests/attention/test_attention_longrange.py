"""Look-up at a distance: the task, its models, and the record of who succeeds."""

import itertools
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import torch

from attention.runs import records
from attention.tasks import longrange, lookup, lookup_models

pytestmark = pytest.mark.filterwarnings("error")

RUNS = Path(__file__).parents[2] / records.RUNS
WIDE = "wide recurrence"
LONGEST = longrange.PAIRS[-1]


@pytest.fixture(scope="module")
def cases():
    record = records.read_json(RUNS / "longrange.json")
    return {(case["kind"], case["pairs"]): case for case in record["values"]["cases"]}


@pytest.mark.parametrize("pairs", [1, 2, 16])
def test_the_answer_is_the_value_that_stood_with_the_key(pairs):
    keys, values, answer, distance = lookup.lookups(500, pairs, np.random.default_rng(0))
    for k, v, right, back in zip(keys, values, answer, distance, strict=True):
        assert sorted(k[:-1]) == list(range(pairs))
        assert v[-1] == lookup.UNKNOWN
        assert v[:-1].max() < lookup.VALUES
        (place,) = np.flatnonzero(k[:-1] == k[-1])
        assert (place, v[place]) == (pairs - back, right)
    assert set(distance) == set(range(1, pairs + 1))


def test_attention_could_do_it_for_certain():
    """Weights put in by hand: a key asks for itself, and its value is read off."""
    pairs = 8
    weights = {
        name: torch.zeros(1, *shape, dtype=torch.float64)
        for name, shape in lookup_models.shapes("attention", pairs).items()
    }
    weights["keys"][0, :, :pairs] = torch.eye(pairs)
    weights["values"][0, : lookup.VALUES, pairs:] = torch.eye(lookup.VALUES)
    weights["query.weight"][0, :pairs, :pairs] = 1_000.0 * torch.eye(pairs)
    weights["key.weight"][0, :pairs, :pairs] = torch.eye(pairs)
    # the question holds its own key too: its values are 0 and tie with the answer's
    weights["value.weight"][0, pairs:, pairs:] = torch.eye(lookup.VALUES)
    weights["head.weight"][0, pairs:] = torch.eye(lookup.VALUES)
    found, _ = lookup_models.right("attention", weights, pairs)
    assert found.all()
    near, distance = lookup_models.right("band", weights, pairs)
    assert near[0, distance <= lookup_models.REACH].all()
    assert near[0, distance > lookup_models.REACH].mean() < 0.2


@pytest.mark.parametrize("kind", lookup_models.LEARNERS)
def test_a_band_hears_nothing_from_beyond_and_the_others_do(kind):
    pairs = 6
    weights = lookup_models.draw_weights(kind, pairs, [0])
    keys, values, *_ = lookup.lookups(5, pairs, np.random.default_rng(0))
    changed = values.copy()
    changed[:, 0] = (changed[:, 0] + 1) % lookup.VALUES  # six back, the band reaches four
    before, after = (
        lookup_models.logits(kind, weights, torch.tensor(keys)[None], torch.tensor(x)[None])
        for x in (values, changed)
    )
    difference = before - after
    assert (difference == 0).all() == (kind == "band")


@pytest.mark.parametrize("kind", lookup_models.LEARNERS)
def test_a_seed_trains_alike_beside_others(kind):
    two = lookup_models.fit(kind, 3, [4, 5], 0.01, steps=15)
    one = lookup_models.fit(kind, 3, [5], 0.01, steps=15)
    for name, w in one.items():
        torch.testing.assert_close(two[name][1:], w, rtol=0, atol=1e-12)


def test_the_record_holds_together(cases):
    record = records.read_json(RUNS / "longrange.json")
    assert record["command"] == "python -m attention.longrange"
    assert not set(record["seeds"]) & set(record["tuning_seeds"])
    assert set(cases) == {(kind, n) for kind, many in longrange.CASES.items() for n in many}
    for (kind, pairs), case in cases.items():
        tuning = np.array(case["tuning"])
        assert tuning.shape == (len(record["rates"]), len(record["tuning_seeds"]))
        assert case["rate"] == record["rates"][tuning.mean(axis=1).argmax()]
        assert len(case["accuracy"]) == len(record["seeds"])
        assert len(case["by_distance"]) == pairs
        shapes = lookup_models.shapes(kind, pairs).values()
        assert case["parameters"] == sum(int(np.prod(shape)) for shape in shapes)


def test_what_was_reached(cases):
    for pairs in longrange.PAIRS:
        assert min(cases["attention", pairs]["accuracy"]) > 0.99
    band = cases["band", LONGEST]["by_distance"]
    assert min(band[: lookup_models.REACH]) > 0.99
    assert max(band[lookup_models.REACH :]) < 0.2  # chance is one in eight
    assert np.median(cases["recurrence", 2]["accuracy"]) > 0.95  # it can learn what it can hold
    assert max(cases["recurrence", LONGEST]["accuracy"]) < 0.4
    assert max(cases[WIDE, LONGEST]["accuracy"]) < 0.6
    for kind, pairs in (("recurrence", 4), ("recurrence", 8), ("recurrence", 16), (WIDE, 16)):
        counts_alone = float(lookup.most_frequent(pairs))
        assert np.mean(cases[kind, pairs]["accuracy"]) == pytest.approx(counts_alone, abs=0.03)
    assert cases["recurrence", LONGEST]["parameters"] > cases["attention", LONGEST]["parameters"]


@pytest.mark.parametrize("pairs", [1, 2, 3, 4, 16])
def test_the_most_frequent_value_is_right_as_often_as_the_formula_says(pairs):
    _, values, *_ = lookup.lookups(40_000, pairs, np.random.default_rng(0))
    counts = np.stack([(values[:, :-1] == v).sum(axis=1) for v in range(lookup.VALUES)])
    share = counts.max(axis=0) / pairs
    error = share.std() / np.sqrt(len(share))
    assert float(lookup.most_frequent(pairs)) == pytest.approx(share.mean(), abs=4 * error + 1e-12)
    if pairs <= 4:
        every = itertools.product(range(lookup.VALUES), repeat=pairs)
        largest = sum(max(map(sequence.count, sequence)) for sequence in every)
        assert lookup.most_frequent(pairs) == Fraction(largest, pairs * lookup.VALUES**pairs)


def test_ctrl_c_leaves_nothing_and_says_so(tmp_path, monkeypatch, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(longrange, "case", interrupted)
    assert longrange.main(["--out", str(tmp_path)]) == 130
    assert "nothing was written" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_what_is_wrong_is_said():
    with pytest.raises(ValueError, match="there is no learner 'GRU': choose from attention, band"):
        lookup_models.shapes("GRU", 4)
    with pytest.raises(ValueError, match="pairs is 0"):
        lookup.lookups(5, 0, np.random.default_rng(0))
    with pytest.raises(ValueError, match="steps is 0"):
        lookup_models.fit("band", 4, [0], 0.01, steps=0)
