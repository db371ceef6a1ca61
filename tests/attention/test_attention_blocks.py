"""Attention block by block: the numbers of `attend`, in memory that grows with the length."""

import tracemalloc

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attention import attend, band, causal
from attention.blocks import Part, blockwise, merge

pytestmark = pytest.mark.filterwarnings("error")

RULES = {
    "causal": (lambda i, j: j <= i, causal),
    "band": (lambda i, j: np.abs(i - j) <= 2, lambda n: band(n, 2)),
    "every": (lambda *_: np.array(True), lambda n: np.ones((n, n), bool)),
}


def drawn(rng, queries, keys, width=3, size=1.0, batch=()):
    shapes = (*batch, queries, width), (*batch, keys, width), (*batch, keys, 2)
    query, key, value = (rng.normal(size=shape) for shape in shapes)
    return size * query, key, value


def mask(rng, queries, keys, batch=()):
    """Forbid most, and leave no row empty."""
    allowed = rng.random((*batch, queries, keys)) < 0.3
    np.put_along_axis(allowed, rng.integers(keys, size=(*batch, queries, 1)), True, axis=-1)
    return allowed


sizes = st.integers(1, 9)


@settings(max_examples=150)
@given(sizes, sizes, st.integers(1, 11), st.sampled_from([0.0, 1.0, 30.0, 1e4, 1e300]), st.data())
def test_the_output_is_attends(queries, keys, block, size, data):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    batch = data.draw(st.sampled_from([(), (2,), (2, 3)]))
    arrays = drawn(rng, queries, keys, size=size, batch=batch)
    allowed = mask(rng, queries, keys, data.draw(st.sampled_from([(), batch])))
    allowed = data.draw(st.sampled_from([None, allowed]))
    expected = attend(*arrays, allowed).output
    np.testing.assert_allclose(blockwise(*arrays, allowed, block), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("block", [1, 3, 4, 100])
@pytest.mark.parametrize("library", [np.array, torch.tensor])
def test_a_rule_is_the_mask_it_stands_for(rule, block, library):
    arrays = [library(x) for x in drawn(np.random.default_rng(0), 11, 11, batch=(2,))]
    answer, whole = RULES[rule]
    output = blockwise(*arrays, answer, block)
    assert type(output) is type(arrays[0])
    np.testing.assert_allclose(output, attend(*arrays, whole(11)).output, rtol=0, atol=1e-12)


@pytest.mark.parametrize("scale", [None, 1.0, -0.5, 0.0])
def test_gradients_are_attends_too(scale):
    rng = np.random.default_rng(3)
    inputs = [torch.tensor(x).requires_grad_() for x in drawn(rng, 7, 9, batch=(2,))]
    allowed = mask(rng, 7, 9)
    cotangent = torch.tensor(rng.normal(size=(2, 7, 2)))
    ours = torch.autograd.grad(blockwise(*inputs, allowed, 2, scale), inputs, cotangent)
    theirs = torch.autograd.grad(attend(*inputs, allowed, scale).output, inputs, cotangent)
    for our, their in zip(ours, theirs, strict=True):
        torch.testing.assert_close(our, their, rtol=0, atol=1e-12)


def part_of(rng, rows, empty):
    """Draw what some keys leave behind, with score differences up to overflow."""
    largest = rng.choice([-1e308, -700.0, -1.0, 0.0, 0.5, 700.0, 1e308], size=(rows, 1))
    part = Part(largest, 1.0 + rng.random((rows, 1)), rng.normal(size=(rows, 2)))
    none = np.zeros((rows, 1), bool) if not empty else rng.random((rows, 1)) < 0.5
    return Part(
        *(np.where(none, fill, x) for fill, x in zip((-np.inf, 0.0, 0.0), part, strict=True))
    )


def assert_same_part(left, right):
    for ours, theirs in zip(left, right, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-13, atol=1e-13)


@given(st.integers(0, 2**32), st.booleans())
def test_merging_needs_no_order_and_no_brackets(seed, empty):
    rng = np.random.default_rng(seed)
    a, b, c = (part_of(rng, 4, empty) for _ in range(3))
    assert_same_part(merge(a, b), merge(b, a))
    assert_same_part(merge(merge(a, b), c), merge(a, merge(b, c)))


def test_a_part_without_keys_changes_nothing():
    nothing = Part(np.full((3, 1), -np.inf), np.zeros((3, 1)), np.zeros((3, 2)))
    part = part_of(np.random.default_rng(0), 3, empty=False)
    assert_same_part(merge(part, nothing), part)
    assert_same_part(merge(nothing, nothing), nothing)


def peak(function):
    """Bytes held at most while the function runs, beyond those held before."""
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_grows_with_the_length_and_not_with_its_square():
    peaks = {}
    for length in (512, 2_048):
        arrays = drawn(np.random.default_rng(0), length, length, width=8)
        peaks[length] = (
            peak(lambda a=arrays: blockwise(*a, lambda i, j: j <= i)),
            peak(lambda a=arrays, n=length: attend(*a, causal(n))),
        )
    (short, short_all), (long, long_all) = peaks.values()
    assert long / short < 5  # four times the length
    assert long_all / short_all > 14  # sixteen times the pairs
    assert long_all / long > 100


def test_a_block_with_nothing_allowed_is_not_computed(monkeypatch):
    computed = []
    scores = blockwise.__globals__["scores"]
    monkeypatch.setitem(
        blockwise.__globals__, "scores", lambda *a: computed.append(a[1].shape) or scores(*a)
    )
    blockwise(*drawn(np.random.default_rng(0), 12, 12), lambda i, j: j <= i, block=3)
    assert computed == [(3, 3)] * (4 * 5 // 2)  # 10 of the 16 blocks


def test_what_is_wrong_is_said():
    query, key, value = drawn(np.random.default_rng(0), 5, 5)
    for allowed, message in (
        (lambda i, j: (j <= i) & (i != 3), "query 3 has no key to attend to"),
        (lambda i, j: j < i, "query 0 has no key to attend to"),
        (lambda *_: np.ones((7, 7), bool), r"answers \(7, 7\) for a block .* \(2, 2\)"),
        (causal(4), r"allowed \(4, 4\) does not broadcast to the scores \(5, 5\)"),
    ):
        with pytest.raises(ValueError, match=message):
            blockwise(query, key, value, allowed, 2)
    with pytest.raises(TypeError, match="the rule answers holds int64, not bool"):
        blockwise(query, key, value, lambda i, j: i + j, 2)
    with pytest.raises(ValueError, match="block is 0"):
        blockwise(query, key, value, block=0)
    with pytest.raises(ValueError, match=r"key holds nan at \(4, 0\)"):
        blockwise(query, np.where(np.arange(5)[:, None] == 4, np.nan, key), value)
    with pytest.raises(ValueError, match="an allowed score is inf"):
        blockwise(1e200 * np.abs(query), 1e200 * np.abs(key), value)
    with pytest.raises(ValueError, match="query has length 0"):
        blockwise(query[:0], key, value)
    with pytest.raises(
        ValueError, match=r"largest of the two parts differ: left \(3, 1\), right \(4, 1\)"
    ):
        merge(*(part_of(np.random.default_rng(0), rows, False) for rows in (3, 4)))
