"""The loop, the loop of loops and the product, against each other and against fractions."""

from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attention import attend, context_vector, context_vectors, mix

pytestmark = pytest.mark.filterwarnings("error")

quick = settings(max_examples=60)


def drawn(seed, dtype=np.float64):
    rng = np.random.default_rng(seed)
    queries, keys, width = rng.integers(1, 7, size=3)
    weights = rng.dirichlet(np.ones(keys), size=queries).astype(dtype)
    return weights, rng.normal(size=(keys, width)).astype(dtype)


@quick
@given(st.integers(0, 2**32 - 1))
def test_the_loop_agrees_with_exact_fractions(seed):
    weights, inputs = drawn(seed)
    got = context_vector(weights[0], inputs)
    assert got.shape == (inputs.shape[1],)
    for column, value in enumerate(got):
        products = [
            Fraction(float(w)) * Fraction(float(x))
            for w, x in zip(weights[0], inputs[:, column], strict=True)
        ]
        size = sum(map(abs, products))
        assert abs(Fraction(float(value)) - sum(products)) <= (len(products) + 1) * size / 2**53


@quick
@given(st.integers(0, 2**32 - 1), st.sampled_from(["float32", "float64"]), st.booleans())
def test_loop_of_loops_and_product_agree(seed, dtype, in_torch):
    weights, inputs = drawn(seed, dtype)
    if in_torch:
        weights, inputs = torch.tensor(weights), torch.tensor(inputs)
    loops, product = context_vectors(weights, inputs), mix(weights, inputs)
    assert type(loops) is type(product) is type(inputs)
    assert loops.dtype == product.dtype == inputs.dtype
    assert loops.shape == product.shape == (weights.shape[0], inputs.shape[1])
    eps = np.finfo(dtype).eps
    bound = (inputs.shape[0] + 2) * eps * np.abs(np.asarray(weights)) @ np.abs(np.asarray(inputs))
    assert (np.abs(np.asarray(loops) - np.asarray(product)) <= bound).all()
    for row, one in zip(weights, loops, strict=True):
        assert bool((context_vector(row, inputs) == one).all())


def test_gradients_of_loop_and_product_agree():
    weights, inputs = (torch.tensor(x, requires_grad=True) for x in drawn(3))
    for loops, product in zip(
        torch.autograd.grad(context_vectors(weights, inputs).square().sum(), (weights, inputs)),
        torch.autograd.grad(mix(weights, inputs).square().sum(), (weights, inputs)),
        strict=True,
    ):
        assert loops.abs().max() > 0
        torch.testing.assert_close(loops, product)


def test_one_hot_inputs_show_the_weights():
    weights, _ = drawn(5)
    assert np.array_equal(context_vectors(weights, np.eye(weights.shape[1])), weights)
    assert np.array_equal(mix(weights, np.eye(weights.shape[1])), weights)


def test_the_context_has_the_values_width_not_the_querys():
    inputs = np.arange(15.0).reshape(3, 5)
    assert context_vector(np.array([1.0, 0.0, 0.0]), inputs).tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("leading", [(), (2,), (2, 3)])
def test_mix_makes_the_output_of_attend(leading):
    rng = np.random.default_rng(7)
    query, key, value = (rng.normal(size=(*leading, n, w)) for n, w in ((4, 3), (5, 3), (5, 2)))
    output, shares = attend(query, key, value)
    assert np.array_equal(mix(shares, value), output)
    for place in np.ndindex(*leading):
        expected = context_vectors(shares[place], value[place])
        np.testing.assert_allclose(output[place], expected, rtol=1e-13, atol=1e-15)


def test_shares_stay_when_one_value_coordinate_is_edited():
    """The experiment of A11: the scores never look at the values."""
    rng = np.random.default_rng(8)
    query, key, value = rng.normal(size=(1, 3)), rng.normal(size=(4, 3)), rng.normal(size=(4, 2))
    edited = value.copy()
    edited[2, 1] += 1.0
    before, after = attend(query, key, value), attend(query, key, edited)
    assert np.array_equal(before.shares, after.shares)
    moved = after.output - before.output
    assert moved[0, 0] == 0.0
    assert moved[0, 1] == pytest.approx(before.shares[0, 2], rel=1e-12)
