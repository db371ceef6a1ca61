"""Every formula of cost against a count of what runs; the band and the cache against the whole."""

import math
import os
import runpy
import shlex
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import FlopCounterMode

from attention import attend, band, causal
from attention.banded import attend_band
from attention.blocks import blockwise
from attention.models import costs
from attention.models.cache import Cache, empty_cache, generate, step
from attention.models.e5 import MEMORY, e5
from attention.models.e6 import e6
from attention.models.fitting import one_thread
from attention.models.generate import choose
from attention.models.generate import generate as uncached
from attention.models.kinds import draw_weights
from attention.names.grammar import BOS, EOS, decode
from attention.runs import records

pytestmark = pytest.mark.filterwarnings("error")

ROOT = Path(__file__).parents[2]
EXPONENTIAL = {"exp", "_softmax", "sigmoid", "tanh"}


class Ledger(TorchDispatchMode):
    """Count exponentials, and the bytes every operation reads and writes."""

    def __init__(self):
        super().__init__()
        self.counted = Counter()

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        out = function(*args, **(kwargs or {}))
        made = [x for x in (out if isinstance(out, tuple) else [out]) if torch.is_tensor(x)]
        name = function.overloadpacket.__name__
        if name in EXPONENTIAL:
            self.counted["exponentials"] += out.numel()
        if not function.is_view:
            # what is gathered is read as often as it is written; the places are not counted
            read = made if name == "index" else [x for x in args if torch.is_tensor(x)]
            self.counted["bytes"] += sum(x.nbytes for x in (*read, *made))
        return out


def counted(function):
    """Multiply-adds by torch's own counter, exponentials and bytes by ours."""
    with FlopCounterMode(display=False) as flops:
        function()
    with Ledger() as ledger:
        function()
    return flops.get_total_flops() // 2, ledger.counted["exponentials"], ledger.counted["bytes"]


def heads_of(length, width, heads, number=3):
    rng = np.random.default_rng(0)
    shape = (heads, length, width // heads)
    return [torch.tensor(rng.normal(size=shape)) for _ in range(number)]


@pytest.mark.parametrize(("length", "width", "heads"), [(5, 8, 2), (16, 4, 4), (1, 3, 1)])
def test_attend(length, width, heads):
    query, key, value = heads_of(length, width, heads)
    cost = costs.attend_cost(length, width, heads)
    made = counted(lambda: torch.bmm(torch.bmm(query, key.mT).softmax(-1), value))
    assert made == cost
    ours = counted(lambda: attend(query, key, value, causal(length)))
    assert ours[:2] == cost[:2]  # a mask saves nothing here
    assert ours[2] > cost.bytes_moved  # each step of ours is several of NumPy's or torch's


@pytest.mark.parametrize(("length", "width", "reach", "heads"), [(9, 8, 2, 2), (4, 3, 0, 1)])
def test_band(length, width, reach, heads):
    query, key, value = heads_of(length, width, heads)
    cost = costs.band_cost(length, width, reach, heads)
    places = torch.arange(length)[:, None] + torch.arange(-reach, reach + 1)
    places = places.clamp(0, length - 1)
    flat = (heads * length, -1, width // heads)

    def plain():
        keys, values = (x[:, places].view(flat) for x in (key, value))
        shares = torch.bmm(query.view(heads * length, 1, -1), keys.mT).softmax(-1)
        return torch.bmm(shares, values)

    assert counted(plain) == cost
    assert counted(lambda: attend_band(query, key, value, reach))[:2] == cost[:2]


def test_recurrence_multiply_adds_and_exponentials_are_those_of_e5():
    weights, tokens = draw_weights("E5-names", [0]), torch.ones(1, 1, 6, dtype=torch.long)
    cost = costs.recurrence_cost(6, 16, MEMORY)
    multiply_adds, exponentials, _ = counted(lambda: e5(weights, tokens))
    assert multiply_adds - 6 * MEMORY * 25 == cost.multiply_adds  # the head aside
    assert exponentials == cost.exponentials


@pytest.mark.parametrize(("length", "width", "memory"), [(5, 4, 3), (1, 2, 7)])
def test_recurrence_bytes(length, width, memory):
    """A loop that notes the size of whatever it reads and writes."""
    moved = 0

    def through(*arrays):
        nonlocal moved
        moved += sum(a.nbytes for a in arrays)

    x, given = np.zeros((length, width)), np.zeros((width, 3 * memory))
    kept, state = np.zeros((memory, 3 * memory)), np.zeros(memory)
    inputs = x @ given
    through(x, given, inputs)
    for row in inputs:
        product = state @ kept
        through(state, kept, product)
        new = np.tanh(row[:memory] + product[:memory] + state)
        through(row, product, state, new)
        state = new
    assert moved == costs.recurrence_cost(length, width, memory).bytes_moved


class Watched(np.ndarray):
    """An array that adds up the bytes of every slice taken of it."""

    read = 0

    def __getitem__(self, place):
        taken = np.asarray(self)[place]
        Watched.read += taken.nbytes
        return taken


@pytest.mark.parametrize("is_causal", [True, False])
@pytest.mark.parametrize(("length", "block"), [(12, 4), (10, 4), (7, 100), (5, 1)])
def test_blockwise(length, block, is_causal):
    tensors = heads_of(length, 6, 2)
    rule = (lambda i, j: j <= i) if is_causal else None
    cost = costs.blockwise_cost(length, 6, block, 2, causal=is_causal)
    multiply_adds, exponentials, _ = counted(lambda: blockwise(*tensors, rule, block))
    assert (multiply_adds, exponentials) == cost[:2]
    Watched.read = 0
    output = blockwise(*(x.numpy().view(Watched) for x in tensors), rule, block)
    assert Watched.read + output.nbytes == cost.bytes_moved


@pytest.mark.parametrize("positions", range(1, 9))
def test_e6_with_and_without_a_cache(positions):
    weights, tokens = draw_weights("E6", [0]), torch.ones(1, 1, positions, dtype=torch.long)
    assert counted(lambda: e6(weights, tokens))[:2] == costs.e6_work(positions)

    def whole():
        for length in range(1, positions + 1):
            e6(weights, tokens[..., :length])

    def kept():
        cache = empty_cache(weights, 1)
        for place in range(positions):
            _, cache = step(weights, cache, tokens[..., place])

    assert counted(whole)[:2] == costs.generation_work(positions, cached=False)
    assert counted(kept)[:2] == costs.generation_work(positions, cached=True)


def test_costs_grow_as_they_should():
    for cost, power in (
        (lambda n: costs.attend_cost(n, 64, 4), 2),
        (lambda n: costs.band_cost(n, 64, 8, 4), 1),
        (lambda n: costs.recurrence_cost(n, 64, 64), 1),
    ):
        short, long = cost(10_000), cost(40_000)
        for few, many in zip(short, long, strict=True):
            assert many / few == pytest.approx(4**power, rel=0.02)


@given(st.integers(1, 9), st.integers(0, 10), st.sampled_from([(), (2,), (2, 3)]), st.booleans())
def test_the_band_is_attend_under_its_mask(length, reach, batch, in_torch):
    rng = np.random.default_rng(length)
    shapes = (*batch, length, 3), (*batch, length, 3), (*batch, length, 2)
    make = torch.tensor if in_torch else np.asarray
    arrays = [make(rng.normal(size=shape) * 3.0) for shape in shapes]
    expected = attend(*arrays, band(length, reach)).output
    np.testing.assert_allclose(attend_band(*arrays, reach), expected, rtol=0, atol=1e-13)


def drawn_tokens(names, seed=0):
    rng = np.random.default_rng(seed)
    return torch.tensor(rng.integers(25, size=(2, names, 8)))


def test_cached_logits_are_those_of_the_whole_pass():
    weights, tokens = draw_weights("E6", [0, 1]), drawn_tokens(5)
    whole, cache = e6(weights, tokens), empty_cache(weights, 5)
    for place in range(8):
        logits, cache = step(weights, cache, tokens[..., place])
        torch.testing.assert_close(logits, whole.logits[:, :, place], rtol=0, atol=1e-12)
    torch.testing.assert_close(cache, Cache(whole.key, whole.value), rtol=0, atol=1e-12)


def test_names_written_with_the_cache_are_those_written_without():
    weights = draw_weights("E6", [3])
    made = generate(weights, 200, np.random.default_rng(5))
    np.testing.assert_array_equal(made, uncached("E6", weights, 200, np.random.default_rng(5)))
    assert (made == EOS).any()


def test_choosing_follows_the_probabilities():
    logits = torch.tensor(np.random.default_rng(0).normal(size=25))
    uniform = (torch.arange(100_000, dtype=torch.float64) + 0.5) / 100_000
    chosen = choose(logits.expand(100_000, 25), uniform).bincount(minlength=25) / 100_000
    expected = logits[2:].softmax(-1)
    assert chosen[:2].tolist() == [0.0, 0.0]
    torch.testing.assert_close(chosen[2:].double(), expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize(("length", "reach"), [(9, 1), (9, 3), (10, 4), (5, 9)])
def test_path_lengths(length, reach):
    near = np.subtract.outer(np.arange(length), np.arange(length))
    assert costs.path_length(causal(length)) == 1
    assert costs.path_length(band(length, reach)) == math.ceil((length - 1) / reach)
    assert costs.path_length((near == 0) | (near == 1)) == length - 1  # a recurrence


@given(st.floats(-3, 3), st.integers(0, 2**32))
def test_the_fitted_exponent_is_a_regression_slope(exponent, seed):
    rng = np.random.default_rng(seed)
    sizes = 2.0 ** np.arange(5, 12)
    amounts = 3.0 * sizes**exponent * np.exp(0.1 * rng.normal(size=7))
    fit = costs.power_law(sizes, amounts)
    (slope, _), covariance = np.polyfit(np.log(sizes), np.log(amounts), 1, cov=True)
    assert fit.exponent == pytest.approx(slope, abs=1e-12)
    assert fit.error == pytest.approx(np.sqrt(covariance[0, 0]), rel=1e-9)


@pytest.fixture(scope="module")
def record():
    return records.read_json(ROOT / records.RUNS / "costs.json")


def test_the_measuring_command_writes_what_is_recorded(record, tmp_path, monkeypatch):
    python, script = shlex.split(record["command"])
    assert (python, script) == ("python", "benchmarks/costs.py")
    arguments = ["--lengths", "32", "64", "128", "--out", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", [script, *arguments])
    monkeypatch.setattr(os, "environ", {**os.environ})  # it sets variables for itself
    with one_thread(), pytest.raises(SystemExit, match="0"):
        runpy.run_path(str(ROOT / script), run_name="__main__")
    made = records.read_json(tmp_path / "costs.json")
    assert made["config"] == {**record["config"], "lengths": [32, 64, 128]}
    assert made["values"].keys() == record["values"].keys()
    for way, values in made["values"].items():
        assert values.keys() == record["values"][way].keys()
        assert np.shape(values["seconds"]) == (3, record["config"]["rounds"])
    assert made["values"]["attend"]["memory"]["exponent"] > 1.5


def test_what_was_measured(record):
    """Ratios and inequalities with room; times are those of one machine."""
    values, lengths = record["values"], np.array(record["config"]["lengths"])
    for way, measured in values.items():
        fastest = np.min(measured["seconds"], axis=1)
        again = {"time": fastest, "memory": np.array(measured["peak_bytes"])}
        for what, amounts in again.items():
            fit = costs.power_law(lengths, amounts)
            assert fit._asdict() == pytest.approx(measured[what], rel=1e-9), (way, what)
    memory = {way: measured["memory"]["exponent"] for way, measured in values.items()}
    assert memory["attend"] == pytest.approx(2.0, abs=0.05)
    for way in ("blockwise", "band", "recurrence", "torch"):
        assert memory[way] < 1.2
        assert values["attend"]["peak_bytes"][-1] > 5 * values[way]["peak_bytes"][-1]
    time = {way: measured["time"]["exponent"] for way, measured in values.items()}
    assert min(time["attend"], time["blockwise"], time["torch"]) > 1.5
    assert max(time["recurrence"], time["band"]) < 1.5
    slowest = {way: np.min(measured["seconds"], axis=1)[-1] for way, measured in values.items()}
    assert slowest["torch"] < slowest["blockwise"] < slowest["attend"]


def test_what_is_wrong_is_said():
    weights = draw_weights("E6", [0])
    cache = empty_cache(weights, 2)
    two = torch.full((1, 2), BOS)
    for _ in range(8):
        _, cache = step(weights, cache, two)
    for function, message in (
        (lambda: step(weights, cache, two), "the cache holds 8 positions and there are 8"),
        (lambda: step(weights, empty_cache(weights, 3), two), r"\(1, 3\), tokens are \(1, 2\)"),
        (lambda: costs.attend_cost(3, 5, 2), "width 5 is no multiple of heads 2"),
        (lambda: costs.attend_cost(0, 5), "length is 0"),
        (lambda: costs.path_length(np.ones((2, 3), bool)), r"not square: allowed \(2, 3\)"),
        (lambda: costs.power_law(np.ones(2), np.ones(2)), "a fit needs 3 points or more"),
        (lambda: attend_band(*np.zeros((3, 2, 2)), reach=-1), "reach is -1"),
    ):
        with pytest.raises(ValueError, match=message):
            function()
    assert decode(generate(weights, 1, np.random.default_rng(0)))[0]
