"""The three tables against torch's own pooling, shift and attention."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn.functional import avg_pool1d
from torch.nn.functional import scaled_dot_product_attention as sdpa

from attention.masks import causal, padding
from attention.tables import attention_table, convolution_table, recurrence_table

pytestmark = pytest.mark.filterwarnings("error")

quick = settings(max_examples=60)
SEEDS = st.integers(0, 2**32 - 1)


def drawn(rng, *shape, dtype=torch.float64):
    return torch.tensor(rng.normal(size=shape), dtype=dtype)


@quick
@given(st.integers(1, 12), st.integers(0, 14), SEEDS)
def test_a_convolution_is_torchs_average_over_the_neighbours_there_are(n, reach, seed):
    table = convolution_table(n, reach)
    assert table.shape == (n, n)
    assert table.dtype == np.float64
    x = drawn(np.random.default_rng(seed), n, 3)
    pooled = avg_pool1d(x.T, 2 * reach + 1, stride=1, padding=reach, count_include_pad=False).T
    np.testing.assert_allclose(table @ x.numpy(), pooled, rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(table.sum(-1), 1.0, rtol=4e-15)
    far = np.abs(np.subtract.outer(np.arange(n), np.arange(n))) > reach
    assert np.array_equal(table == 0.0, far)


def test_a_convolution_reaches_one_unless_told():
    assert np.array_equal(convolution_table(6), convolution_table(6, 1))
    assert np.array_equal(convolution_table(6, 0), np.eye(6))
    assert np.array_equal(convolution_table(4, 9), np.full((4, 4), 0.25))


@quick
@given(st.integers(1, 12), SEEDS)
def test_a_recurrence_takes_the_step_before(n, seed):
    table = recurrence_table(n)
    assert table.dtype == np.float64
    x = np.random.default_rng(seed).normal(size=(n, 2))
    assert np.array_equal(table @ x, np.concatenate([x[:1], x[:-1]]))
    assert np.array_equal(table.sum(-1), np.ones(n))


def test_what_stands_k_steps_back_arrives_in_k_steps():
    table = np.linalg.matrix_power(recurrence_table(6), 3)
    assert np.array_equal(table.argmax(-1), [0, 0, 0, 0, 1, 2])
    assert np.array_equal(np.sort(table), np.sort(np.eye(6)))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize(
    ("x", "w_query", "w_key"),
    [
        ((5, 4), (4, 3), (4, 3)),
        ((1, 2), (2, 1), (2, 1)),
        ((2, 5, 4), (4, 8), (4, 8)),
        ((5, 4), (6, 4, 2), (6, 4, 2)),
        ((2, 1, 5, 4), (3, 4, 2), (4, 2)),
    ],
)
def test_the_table_is_what_torchs_attention_takes(x, w_query, w_key, masked, dtype):
    """With the identity as values, torch's output is the table itself."""
    rng = np.random.default_rng(1)
    arrays = [drawn(rng, *shape, dtype=dtype).requires_grad_() for shape in (x, w_query, w_key)]
    allowed = causal(x[-2]) if masked else None
    ours = attention_table(*arrays, allowed)
    batch = ours.shape[:-2]
    query, key = ((arrays[0] @ w).expand(*batch, -1, -1) for w in arrays[1:])
    values = torch.eye(x[-2], dtype=dtype).expand(*batch, -1, -1)
    theirs = sdpa(query, key, values, attn_mask=None if allowed is None else torch.tensor(allowed))
    close = (
        {"rtol": 1e-5, "atol": 1e-6} if dtype == torch.float32 else {"rtol": 1e-12, "atol": 1e-14}
    )
    torch.testing.assert_close(ours, theirs, **close)
    cotangent = drawn(rng, *ours.shape, dtype=dtype)
    for our, their in zip(
        torch.autograd.grad(ours, arrays, cotangent),
        torch.autograd.grad(theirs, arrays, cotangent),
        strict=True,
    ):
        torch.testing.assert_close(our, their, **close)
    in_numpy = attention_table(*(a.detach().numpy() for a in arrays), allowed)
    assert type(in_numpy) is np.ndarray
    np.testing.assert_allclose(in_numpy, ours.detach().numpy(), **close)


def test_each_sequence_may_have_its_own_mask():
    rng = np.random.default_rng(8)
    x, w = rng.normal(size=(2, 4, 3)), rng.normal(size=(3, 3))
    table = attention_table(x, w, w, padding([2, 4], 4))
    assert (table[0, :, 2:] == 0.0).all()
    np.testing.assert_allclose(
        table[0, :, :2], attention_table(x[0], w, w, padding([2], 4)[0])[:, :2]
    )
    np.testing.assert_allclose(table[1], attention_table(x[1], w, w))


@quick
@given(SEEDS)
def test_permuting_the_input_permutes_the_table(seed):
    rng = np.random.default_rng(seed)
    x, w_query, w_key = rng.normal(size=(6, 4)), rng.normal(size=(4, 3)), rng.normal(size=(4, 3))
    order = rng.permutation(6)
    np.testing.assert_allclose(
        attention_table(x[order], w_query, w_key),
        attention_table(x, w_query, w_key)[np.ix_(order, order)],
        rtol=1e-12,
    )


@quick
@given(SEEDS)
def test_one_vector_in_both_roles_prefers_itself_when_all_are_as_long(seed):
    """Cauchy–Schwarz: q·q ≥ q·k for k of the same length; an isometry keeps lengths."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(7, 4))
    x /= np.linalg.norm(x, axis=-1, keepdims=True)
    isometry, _ = np.linalg.qr(rng.normal(size=(4, 4)))
    table = attention_table(x, isometry, isometry)
    assert np.array_equal(table.argmax(-1), np.arange(7))


def test_one_vector_in_both_roles_need_not_prefer_itself():
    """A longer vector in the same direction takes more (C5)."""
    one = np.eye(2)
    table = attention_table(np.array([[1.0, 0.0], [3.0, 0.0]]), one, one)
    assert table[0, 1] > table[0, 0]


@pytest.mark.parametrize(
    ("function", "arguments", "error", "message"),
    [
        (convolution_table, (0,), ValueError, r"^n is 0: it must be at least 1$"),
        (convolution_table, (3, -1), ValueError, r"^reach is -1: it must be at least 0$"),
        (convolution_table, (3, 0.5), TypeError, r"^reach is 0\.5: a whole number belongs here$"),
        (convolution_table, (3.0,), TypeError, r"^n is 3\.0: a whole number belongs here$"),
        (recurrence_table, (0,), ValueError, r"^n is 0: it must be at least 1$"),
        (recurrence_table, ("3",), TypeError, r"^n is '3': a whole number belongs here$"),
    ],
)
def test_fixed_tables_refuse_bad_counts(function, arguments, error, message):
    with pytest.raises(error, match=message):
        function(*arguments)


def ones(*shape):
    return np.ones(shape)


ERRORS = [
    (
        (ones(5, 4), ones(3, 2), ones(4, 2)),
        r"^x has width 4 but w_query has width 3: x \(5, 4\), w_query \(3, 2\)$",
    ),
    (
        (ones(5, 4), ones(4, 2), ones(3, 2)),
        r"^x has width 4 but w_key has width 3: x \(5, 4\), w_key \(3, 2\)$",
    ),
    (
        (ones(5, 4), ones(4, 2), ones(4, 3)),
        r"^w_query has head width 2 but w_key has head width 3: w_query \(4, 2\), w_key \(4, 3\)$",
    ),
    (
        (ones(5, 4), ones(4, 0), ones(4, 0)),
        r"^w_query has head width 0: w_query \(4, 0\)$",
    ),
    ((ones(5, 0), ones(0, 2), ones(0, 2)), r"^x has width 0: x \(5, 0\)$"),
    ((ones(0, 4), ones(4, 2), ones(4, 2)), r"^x has length 0: x \(0, 4\)$"),
    ((ones(4), ones(4, 2), ones(4, 2)), r"^x needs at least 2 axes \(positions, width\): x \(4,\)"),
    ((ones(5, 4), ones(4), ones(4, 2)), r"^w_query needs at least 2 axes \(width, head\): w_query"),
    ((ones(5, 4), ones(4, 2), ones(4)), r"^w_key needs at least 2 axes \(width, head\): w_key \(4"),
    (
        (ones(2, 5, 4), ones(3, 4, 2), ones(4, 2)),
        r"^the batch axes do not broadcast: x \(2, 5, 4\), w_query \(3, 4, 2\), w_key \(4, 2\)$",
    ),
    ((ones(5, 4) * np.nan, ones(4, 2), ones(4, 2)), r"^x holds nan at \(0, 0\): x \(5, 4\)$"),
    ((ones(5, 4), ones(4, 2) * np.inf, ones(4, 2)), r"^w_query holds inf at \(0, 0\): w_query"),
    ((ones(5, 4), ones(4, 2), ones(4, 2) * -np.inf), r"^w_key holds -inf at \(0, 0\): w_key"),
    ((ones(5, 4) * 1e308, ones(4, 2), ones(4, 2)), r"^the score at \(0, 0\) is inf"),
    (
        (ones(5, 4), ones(4, 2), ones(4, 2), ones(4, 5) > 0),
        r"^allowed \(4, 5\) does not broadcast to the scores \(5, 5\)$",
    ),
    (
        (ones(5, 4), ones(4, 2), ones(4, 2), ones(5, 5) < 0),
        r"^row 0 of allowed has no key to attend to: allowed \(5, 5\)$",
    ),
]


@pytest.mark.parametrize("library", [np, torch])
@pytest.mark.parametrize(("arguments", "message"), ERRORS)
def test_attention_tables_name_the_shapes_that_do_not_fit(arguments, message, library):
    if library is torch:
        arguments = [torch.tensor(a) for a in arguments]
    with pytest.raises(ValueError, match=message):
        attention_table(*arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((ones(5, 4), ones(4, 2), None), r"^w_key is a NoneType: use np\.array"),
        ((ones(5, 4), ones(4, 2), torch.ones(4, 2)), r"^x is a ndarray but w_key is a Tensor"),
        ((ones(5, 4), np.ones((4, 2), "f4"), ones(4, 2)), r"^x holds float64 but w_query holds fl"),
        ((np.ones((5, 4), int), ones(4, 2), ones(4, 2)), r"^x holds int64: floats belong here$"),
        ((ones(5, 4), ones(4, 2), ones(4, 2), ones(5, 5)), r"^allowed holds float64, not bool"),
    ],
)
def test_attention_tables_take_floats_of_one_library(arguments, message):
    with pytest.raises(TypeError, match=message):
        attention_table(*arguments)
