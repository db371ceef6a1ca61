"""Backward passes by hand: torch's autograd, finite differences, and E6 trained by them."""

from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional

from attention import attend, gradient, softmax
from attention.models import adam, e6_by_hand, fitting
from attention.models.e6 import E6_SHAPES
from attention.models.kinds import KINDS, draw_weights
from attention.names.corpus import corpus
from attention.names.grammar import PAD, encode
from attention.runs import records

pytestmark = pytest.mark.filterwarnings("error")

RUNS = Path(__file__).parents[2] / records.RUNS
CLOSE = {"rtol": 1e-12, "atol": 1e-12}
seeds = st.integers(0, 2**32)


def autograd(function, inputs, upstream):
    """Torch's gradients of the inputs, as NumPy's arrays."""
    leaves = [torch.tensor(x).requires_grad_() for x in inputs]
    found = torch.autograd.grad(function(*leaves), leaves, torch.tensor(upstream))
    return [g.numpy() for g in found]


def assert_all_close(ours, theirs):
    for our, their in zip(ours, theirs, strict=True):
        assert our.shape == their.shape
        np.testing.assert_allclose(our, their, **CLOSE)


def mask(rng, queries, keys):
    allowed = rng.random((queries, keys)) < 0.5
    allowed[np.arange(queries), rng.integers(keys, size=queries)] = True
    return allowed


@given(seeds, st.integers(1, 6), st.sampled_from([1.0, 30.0, 700.0]))
def test_softmax(seed, keys, size):
    rng = np.random.default_rng(seed)
    scores, upstream = size * rng.normal(size=(3, keys)), rng.normal(size=(3, keys))
    allowed = mask(rng, 3, keys)
    ours = gradient.softmax_backward(softmax(scores, allowed), upstream)
    theirs = autograd(
        lambda x: x.masked_fill(~torch.tensor(allowed), -torch.inf).softmax(-1), [scores], upstream
    )
    assert_all_close([ours], theirs)
    assert (ours[~allowed] == 0.0).all()
    np.testing.assert_allclose(ours.sum(-1), 0.0, atol=1e-14)


@given(seeds, st.sampled_from([None, 1.0, -0.3, 0.0]), st.sampled_from([(), (2,), (2, 3)]))
def test_attention(seed, scale, batch):
    rng = np.random.default_rng(seed)
    inputs = [rng.normal(size=(*batch, *shape)) for shape in ((4, 3), (5, 3), (5, 2))]
    upstream, allowed = rng.normal(size=(*batch, 4, 2)), mask(rng, 4, 5)
    theirs = autograd(
        lambda q, k, v: functional.scaled_dot_product_attention(
            q, k, v, torch.tensor(allowed), scale=scale
        ),
        inputs,
        upstream,
    )
    shares = attend(*inputs, allowed, scale).shares
    assert_all_close(gradient.attend_backward(*inputs, shares, upstream, scale), theirs)


@given(seeds, st.sampled_from([(), (4,), (2, 3)]))
def test_linear_map(seed, batch):
    rng = np.random.default_rng(seed)
    x, weight, bias = (rng.normal(size=shape) for shape in ((*batch, 3), (3, 5), (5,)))
    upstream = rng.normal(size=(*batch, 5))
    theirs = autograd(lambda x, w, b: x @ w + b, [x, weight, bias], upstream)
    assert_all_close(gradient.linear_backward(x, weight, upstream), theirs)


@given(seeds, st.sampled_from([(), (4,), (2, 3)]))
def test_layer_norm(seed, batch):
    rng = np.random.default_rng(seed)
    x, scale, bias = (rng.normal(size=shape) for shape in ((*batch, 6), (6,), (6,)))
    upstream = rng.normal(size=(*batch, 6))
    theirs = autograd(
        lambda x, s, b: functional.layer_norm(x, (6,), s, b), [x, scale, bias], upstream
    )
    ours = gradient.norm_backward(x, scale, upstream)
    assert_all_close(ours, theirs)
    np.testing.assert_allclose(ours.x.sum(-1), 0.0, atol=1e-12)


def test_relu_passes_nothing_at_zero_as_torch_does():
    before, upstream = np.array([-1.0, -0.0, 0.0, 5e-324, 2.0]), np.arange(1.0, 6.0)
    assert_all_close(
        [gradient.relu_backward(before, upstream)], autograd(torch.relu, [before], upstream)
    )


@given(seeds)
def test_cross_entropy(seed):
    rng = np.random.default_rng(seed)
    logits, targets = 9.0 * rng.normal(size=(4, 5)), rng.integers(5, size=4)
    asked = rng.random(4) * np.array([1, 0, 1, 1])
    theirs = autograd(
        lambda x: functional.cross_entropy(x, torch.tensor(targets), reduction="none"),
        [logits],
        asked,
    )
    assert_all_close([gradient.cross_entropy_backward(logits, targets, asked)], theirs)


def first_weights(seed=0):
    """E6's first weights, with biases and scales moved off their zeros and ones."""
    rng = np.random.default_rng(seed)
    return {
        name: w[0].numpy() + 0.1 * rng.normal(size=w.shape[1:])
        for name, w in draw_weights("E6", [seed]).items()
    }


@pytest.mark.parametrize("seed", range(5))
def test_every_weight_of_e6_has_autograds_gradient(seed):
    weights, rows = first_weights(seed), encode(["davayis", "mulves", "elamar", "davas"])
    loss, ours = e6_by_hand.loss_and_gradients(weights, rows.astype(int))
    leaves = {name: torch.tensor(w[None]).requires_grad_() for name, w in weights.items()}
    tokens = torch.tensor(rows[None].astype(int))
    theirs = fitting.losses(KINDS["E6"].logits(leaves, tokens[..., :-1]), tokens[..., 1:])
    assert loss == pytest.approx(theirs.item(), abs=1e-14)
    found = torch.autograd.grad(theirs.sum(), list(leaves.values()))
    assert list(ours) == list(E6_SHAPES)
    assert_all_close(list(ours.values()), [g[0].numpy() for g in found])
    assert all(np.abs(g).max() > 1e-4 for name, g in ours.items() if name != "key.bias")
    assert np.abs(ours["key.bias"]).max() < 1e-16  # raises all of a query's scores alike


def test_gradients_of_e6_are_finite_differences():
    weights, rows = first_weights(), encode(["davayis", "mulves"]).astype(int)
    _, gradients = e6_by_hand.loss_and_gradients(weights, rows)
    rng, width = np.random.default_rng(0), 1e-6
    for name, w in weights.items():
        direction = rng.normal(size=w.shape)
        ends = [
            e6_by_hand.loss_and_gradients({**weights, name: w + step * direction}, rows)[0]
            for step in (width, -width)
        ]
        slope = (ends[0] - ends[1]) / (2.0 * width)
        assert slope == pytest.approx((gradients[name] * direction).sum(), abs=1e-8), name


@pytest.mark.parametrize("rate", [0.1, 1e-4])
def test_adam_is_torchs(rate):
    rng = np.random.default_rng(0)
    state = adam.start({"w": rng.normal(size=(3, 2))})
    torchs = torch.tensor(state.weights["w"]).requires_grad_()
    optimiser = torch.optim.Adam([torchs], lr=rate)
    for step in range(1, 51):
        by_w = rng.normal(size=(3, 2)) * 10.0 ** -rng.integers(12)
        before = {name: w.copy() for name, w in state.weights.items()}
        after = adam.adam(state, {"w": by_w}, step, rate)
        assert (before["w"] == state.weights["w"]).all()  # nothing is written to
        torchs.grad = torch.tensor(by_w)
        optimiser.step()
        state = after
        np.testing.assert_allclose(state.weights["w"], torchs.detach(), rtol=1e-13, atol=1e-15)


def test_three_thousand_steps_by_hand_are_torchs():
    """The recorded run, which torch trains again in the tests of training."""
    record = records.read_json(RUNS / "E6.summary.json")
    run = e6_by_hand.fit_by_hand(record["seed"], corpus(0).rows, record["config"]["steps"])
    np.testing.assert_allclose(run.series, record["series"], rtol=0, atol=1e-9)
    trained = records.read_arrays(RUNS / "E6.weights.npz", E6_SHAPES)
    for name, w in trained.items():
        room = 1e-6 if name == "key.bias" else 1e-9  # its gradient is rounding alone
        np.testing.assert_allclose(run.weights[name], w, rtol=0, atol=room, err_msg=name)


def test_another_seed_by_hand_is_torchs_too():
    rows = corpus(0, 200).rows
    run, torchs = e6_by_hand.fit_by_hand(7, rows, 30), fitting.fit("E6", [7], rows, steps=30)
    np.testing.assert_allclose(run.series, torchs.series[0], rtol=0, atol=1e-13)


def test_padding_has_no_gradient():
    rows = encode(["davas"]).astype(int)
    _, gradients = e6_by_hand.loss_and_gradients(first_weights(), rows)
    assert (rows[0, :-1] == PAD).any()
    assert (gradients["token"][PAD] == 0.0).all()


def test_what_does_not_fit_is_said():
    two, three = np.ones((1, 2)), np.ones((1, 3))
    for function, arguments, message in (
        (gradient.softmax_backward, (two, three), r"shares \(1, 2\) and upstream \(1, 3\)"),
        (gradient.attend_backward, (two, three, two, two, two), "query has width 2 but key has"),
        (gradient.attend_backward, (two, two, two, two, two), r"shares \(1, 2\) and scores \(1, 1"),
        (gradient.linear_backward, (two, three, two), "x has width 2 but weight has width 1"),
        (gradient.norm_backward, (two, three[0], two), "x has width 2 but scale has width 3"),
        (gradient.relu_backward, (two, three), r"before \(1, 2\) and upstream \(1, 3\)"),
    ):
        with pytest.raises(ValueError, match=message):
            function(*arguments)
    with pytest.raises(ValueError, match="step is 0"):
        adam.adam(adam.start({"w": two}), {"w": two}, 0, 0.1)
