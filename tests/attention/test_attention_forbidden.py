"""What a mask forbids may hold anything, and nothing may be written to."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attention import (
    attend,
    both,
    causal,
    context_vector,
    context_vectors,
    either,
    from_edges,
    mix,
    padding,
    scores,
    softmax,
    ulps_between,
)

pytestmark = pytest.mark.filterwarnings("error")

quick = settings(max_examples=60)
POISON = [np.nan, np.inf, -np.inf, 1e300, -1e300, 0.0]


def with_gradients(arrays, allowed, rows=slice(None)):
    """Attend in torch; return output, shares and the three gradients of the chosen rows."""
    inputs = [torch.tensor(array, requires_grad=True) for array in arrays]
    output, shares = attend(*inputs, allowed)
    cotangent = torch.tensor(np.random.default_rng(8).normal(size=tuple(output.shape)))
    chosen = (output * cotangent)[..., rows, :]
    gradients = torch.autograd.grad(chosen.sum(), inputs)
    return [x.detach().numpy() for x in (output, shares, *gradients)]


def draw_case(seed, batch=()):
    rng = np.random.default_rng(seed)
    queries, keys = rng.integers(1, 6), rng.integers(2, 6)
    arrays = [rng.normal(size=(*batch, n, w)) for n, w in ((queries, 3), (keys, 3), (keys, 2))]
    allowed = rng.random((*batch, queries, keys)) < 0.5
    allowed[..., 0] = True
    return arrays, allowed


@quick
@given(st.integers(0, 2**32 - 1), st.lists(st.sampled_from(POISON), min_size=5, max_size=5))
@pytest.mark.parametrize("batch", [(), (2,), (2, 2)])
def test_keys_and_values_nobody_may_see_have_no_effect(batch, seed, poison):
    (query, key, value), allowed = draw_case(seed, batch)
    allowed[..., -1] = False
    plain = with_gradients((query, key, value), allowed)
    bad_key, bad_value = key.copy(), value.copy()
    bad_key[..., -1, :] = poison[:3]
    bad_value[..., -1, :] = poison[3:]
    numpy_out = attend(query, bad_key, bad_value, allowed)
    poisoned = with_gradients((query, bad_key, bad_value), allowed)
    for before, after in zip(plain, poisoned, strict=True):
        assert np.isfinite(after).all()
        assert np.array_equal(before, after)
    assert np.array_equal(numpy_out.output, attend(query, key, value, allowed).output)
    assert np.array_equal(numpy_out.shares, attend(query, key, value, allowed).shares)
    *_, key_gradient, value_gradient = poisoned
    assert (key_gradient[..., -1, :] == 0.0).all()
    assert (value_gradient[..., -1, :] == 0.0).all()
    assert np.abs(value_gradient[..., 0, :]).min() > 0.0


@quick
@given(st.integers(0, 2**32 - 1), st.sampled_from(POISON))
@pytest.mark.parametrize("batch", [(), (2,)])
def test_a_value_some_may_see_reaches_only_those(batch, seed, poison):
    """Row 0 may not see the last value; another row may. Row 0's output and gradients stay."""
    (query, key, value), allowed = draw_case(seed, batch)
    query = np.concatenate([query, query[..., :1, :]], axis=-2)
    allowed = np.concatenate([allowed, np.ones_like(allowed[..., :1, :])], axis=-2)
    allowed[..., 0, -1] = False
    bad_value = value.copy()
    bad_value[..., -1, 1] = poison
    plain = with_gradients((query, key, value), allowed, rows=slice(0, 1))
    poisoned = with_gradients((query, key, bad_value), allowed, rows=slice(0, 1))
    sees = allowed[..., -1]
    numpy_plain = attend(query, key, value, allowed).output
    numpy_poisoned = attend(query, key, bad_value, allowed).output
    for before, got in ((plain[0], poisoned[0]), (numpy_plain, numpy_poisoned)):
        np.testing.assert_array_equal(got[~sees], before[~sees])
        np.testing.assert_array_equal(got[..., 0], before[..., 0])
        if not np.isfinite(poison):
            np.testing.assert_array_equal(got[sees][:, 1], poison)
    np.testing.assert_array_equal(poisoned[1], plain[1])
    for before, after in zip(plain[2:], poisoned[2:], strict=True):
        assert np.isfinite(after).all()
        assert np.array_equal(before, after)


def test_infinities_of_both_signs_meet_in_nan_only_where_both_are_seen():
    value = np.array([[1.0], [np.inf], [-np.inf]])
    allowed = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1], [0, 1, 1]], dtype=bool)
    for make, dtypes in (
        (np.array, ("float32", "float64")),
        (torch.tensor, ("float32", "float64")),
    ):
        for name in dtypes:
            dtype = getattr(np if make is np.array else torch, name)
            query, key = make(np.zeros((4, 2)), dtype=dtype), make(np.zeros((3, 2)), dtype=dtype)
            output = attend(query, key, make(value, dtype=dtype), allowed).output
            assert output.dtype == dtype
            np.testing.assert_array_equal(
                np.asarray(output), [[1.0], [np.inf], [-np.inf], [np.nan]]
            )


def test_a_key_shared_by_the_batch_counts_as_seen_if_one_element_sees_it():
    query, key = np.zeros((2, 1, 2)), np.array([[0.0, 0.0], [np.nan, 0.0]])
    value = np.array([[3.0], [np.nan]])
    nobody = np.array([[[True, False]], [[True, False]]])
    assert np.array_equal(attend(query, key, value, nobody).output, np.full((2, 1, 1), 3.0))
    one = np.array([[[True, False]], [[True, True]]])
    with pytest.raises(ValueError, match=r"key holds nan at \(1, 1, 0\) and a query may attend"):
        attend(query, key, value, one)


@quick
@given(st.integers(0, 2**32 - 1), st.sampled_from(POISON))
def test_forbidden_scores_have_no_effect_on_shares_or_gradient(seed, poison):
    rng = np.random.default_rng(seed)
    cells = rng.normal(size=(3, 4))
    allowed = rng.random((3, 4)) < 0.5
    allowed[[0, 1, 2], rng.integers(0, 4, 3)] = True
    bad = np.where(allowed, cells, poison)
    assert np.array_equal(softmax(bad, allowed), softmax(cells, allowed))
    gradients = []
    for content in (cells, bad):
        tensor = torch.tensor(content, requires_grad=True)
        (softmax(tensor, allowed) * torch.arange(4.0)).sum().backward()
        gradients.append(tensor.grad.numpy())
    assert np.array_equal(*gradients)
    assert (gradients[1][~allowed] == 0.0).all()
    assert np.isfinite(gradients[1]).all()


def test_a_forbidden_product_may_overflow():
    """A finite key seen by the second query only: the first one's score with it is infinite."""
    arrays = [np.array([[1e300], [1e-300]]), np.array([[1e-300], [1e300]]), np.eye(2)]
    results = with_gradients(arrays, np.array([[True, False], [True, True]]))
    assert all(np.isfinite(result).all() for result in results)
    assert np.array_equal(results[1][0], [1.0, 0.0])


def frozen(array):
    array.setflags(write=False)
    return array


def calls():
    """List every public function that takes arrays, with arguments made of NumPy arrays."""
    rng = np.random.default_rng(0)
    square = rng.normal(size=(4, 4))
    holes = square.copy()
    holes[3] = np.nan
    mask = causal(4)
    hidden = mask & (np.arange(4) < 3)
    return {
        "softmax": (softmax, [square]),
        "softmax, masked": (softmax, [square, mask]),
        "scores": (scores, [square, square]),
        "attend": (attend, [square, square, square]),
        "attend, masked": (attend, [square, square, square, mask]),
        "attend, NaN": (attend, [square, holes, holes, hidden]),
        "attend, NaN seen": (attend, [square, square, holes, mask]),
        "context_vector": (context_vector, [square[0].copy(), square]),
        "context_vectors": (context_vectors, [square, square]),
        "mix": (mix, [square, square]),
        "both": (both, [mask, hidden]),
        "either": (either, [mask, hidden]),
        "ulps_between": (ulps_between, [square, square + 1]),
    }


@pytest.mark.parametrize("name", calls())
def test_callers_arrays_are_never_written_to(name):
    function, arguments = calls()[name]
    copies = [array.copy() for array in arguments]
    function(*[frozen(array) for array in arguments])
    tensors = [torch.tensor(array) for array in copies]
    function(*tensors)
    for array, tensor, copy in zip(arguments, tensors, copies, strict=True):
        np.testing.assert_array_equal(array, copy)
        np.testing.assert_array_equal(tensor.numpy(), copy)


def test_a_mask_of_any_memory_layout_serves_torch():
    tensor = torch.tensor(np.random.default_rng(1).normal(size=(3, 3)))
    for mask in (
        frozen(causal(3)),
        np.ascontiguousarray(causal(3)[::-1, ::-1])[::-1, ::-1],
        np.asfortranarray(causal(3)),
        np.broadcast_to(np.array([[True, True, False]]), (3, 3)),
    ):
        np.testing.assert_array_equal(
            softmax(tensor, mask), softmax(tensor, torch.tensor(mask.tolist()))
        )


def test_lengths_and_edges_are_not_written_to():
    lengths, edges = frozen(np.array([1, 2])), frozen(np.array([[0, 1], [1, 0]]))
    padding(lengths, 2)
    from_edges(edges, 2)
    assert np.array_equal(lengths, [1, 2])
    assert np.array_equal(edges, [[0, 1], [1, 0]])
