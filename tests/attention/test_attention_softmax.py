"""Softmax against mpmath, and the properties no implementation may lose."""

import mpmath
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attention import attend, softmax

pytestmark = pytest.mark.filterwarnings("error")

quick = settings(max_examples=80)
LIBRARIES = [(np, "float32"), (np, "float64"), (torch, "float32"), (torch, "float64")]
LARGEST = {dtype: float(np.finfo(dtype).max) for dtype in ("float32", "float64")}


def array(library, dtype, values):
    make = np.array if library is np else torch.tensor
    return make(values, dtype=getattr(library, dtype))


def numbers(result):
    return np.asarray(result, dtype=np.float64)


@st.composite
def rows_with_mask(draw, dtype=np.float64, limit=800.0):
    """Draw a score matrix and a mask that leaves each row at least one key."""
    shape = draw(st.tuples(st.integers(1, 3), st.integers(1, 7)))
    width = 32 if dtype == np.float32 else 64
    cells = st.floats(-limit, limit, width=width) | st.sampled_from([0.0, -0.0, limit, -limit])
    values = draw(hnp.arrays(dtype, shape, elements=cells))
    allowed = draw(hnp.arrays(bool, shape))
    kept = draw(hnp.arrays(np.intp, shape[0], elements=st.integers(0, shape[1] - 1)))
    allowed[np.arange(shape[0]), kept] = True
    return values, allowed


def exact_row(row, allowed):
    """Compute one row of softmax in 60 digits, over the allowed cells alone."""
    with mpmath.workdps(60):
        grown = [mpmath.exp(mpmath.mpf(float(s))) for s in row[allowed]]
        total = mpmath.fsum(grown)
        return [g / total for g in grown]


def assert_row_is_exact(got, row, allowed, eps):
    """Bound the error by what rounding s − max, exp, the sum and the quotient can do."""
    assert (got[~allowed] == 0.0).all()
    kept = row[allowed].astype(np.float64)
    for share, true, score in zip(got[allowed], exact_row(row, allowed), kept, strict=True):
        spread = float(kept.max() - kept.min())
        relative = (abs(kept.max() - score) + min(spread, 40.0) + len(kept) + 8) * eps
        tiny = 2.0 * float(np.finfo(np.float32 if eps > 1e-9 else np.float64).tiny) * len(kept)
        assert abs(mpmath.mpf(float(share)) - true) <= relative * true + tiny


@quick
@given(rows_with_mask())
def test_softmax_is_mpmaths_in_float64(case):
    values, allowed = case
    for result in (softmax(values, allowed), softmax(torch.tensor(values), allowed)):
        for got, row, mask in zip(numbers(result), values, allowed, strict=True):
            assert_row_is_exact(got, row, mask, 2.0**-53)


@quick
@given(rows_with_mask(np.float32, 90.0))
def test_softmax_is_mpmaths_in_float32(case):
    values, allowed = case
    for result in (softmax(values, allowed), softmax(torch.tensor(values), allowed)):
        for got, row, mask in zip(numbers(result), values, allowed, strict=True):
            assert_row_is_exact(got, row, mask, 2.0**-24)


@quick
@given(rows_with_mask())
def test_rows_sum_to_one(case):
    values, allowed = case
    shares = softmax(values, allowed)
    assert (np.abs(shares.sum(-1) - 1.0) <= (values.shape[1] + 2) * 2.0**-53).all()
    assert (shares >= 0.0).all()


def integers(shape):
    return hnp.arrays(np.int64, shape, elements=st.integers(-(2**20), 2**20))


@quick
@given(rows_with_mask(), st.data())
def test_shifting_a_row_changes_no_bit_when_the_shift_is_exact(case, data):
    _, allowed = case
    values = data.draw(integers(allowed.shape)) / 1024.0
    shift = data.draw(integers((allowed.shape[0], 1))).astype(float)
    assert np.array_equal(softmax(values, allowed), softmax(values + shift, allowed))


@quick
@given(rows_with_mask(limit=30.0), st.floats(-1e4, 1e4))
def test_shifting_a_row_changes_no_more_than_the_rounding_of_the_shift(case, shift):
    values, allowed = case
    rounding = 2 * 2.0**-53 * (np.abs(values).max() + abs(shift)) + 1e-14
    np.testing.assert_allclose(
        softmax(values + shift, allowed), softmax(values, allowed), rtol=2 * rounding
    )


@quick
@given(st.data())
def test_permuting_keys_with_their_values_changes_nothing(data):
    keys = data.draw(st.integers(2, 6))
    order = np.array(data.draw(st.permutations(range(keys))))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    query, key, value = (
        rng.normal(size=(4, 3)),
        rng.normal(size=(keys, 3)),
        rng.normal(size=(keys, 2)),
    )
    allowed = rng.random((4, keys)) < 0.6
    allowed[:, 0] = True
    plain = attend(query, key, value, allowed)
    moved = attend(query, key[order], value[order], allowed[:, order])
    np.testing.assert_allclose(moved.output, plain.output, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(moved.shares, plain.shares[:, order], rtol=1e-13)


@pytest.mark.parametrize(("library", "dtype"), LIBRARIES)
def test_excluding_is_not_zeroing_afterwards(library, dtype):
    """What B8 is about: zeroed rows do not sum to one; renormalised, they are the same shares."""
    scores = array(library, dtype, [[0.5, 1.5, -0.5], [2.0, 0.0, 1.0]])
    allowed = np.array([[True, False, True], [True, True, False]])
    excluded = numbers(softmax(scores, allowed))
    zeroed = numbers(softmax(scores)) * allowed
    assert (zeroed.sum(-1) < 0.8).all()
    np.testing.assert_allclose(
        excluded, zeroed / zeroed.sum(-1, keepdims=True), rtol=2e-6 if dtype == "float32" else 1e-15
    )


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize(
    ("library", "dtype", "far"),
    [(library, dtype, far) for library, dtype in LIBRARIES for far in (1e4, 1e38, LARGEST[dtype])]
    + [(library, "float64", 1e300) for library in (np, torch)],
)
def test_large_scores_do_not_overflow(library, dtype, far, sign):
    far = sign * far
    got = numbers(softmax(array(library, dtype, [[far, 0.0, far], [far, -far, 0.0]])))
    first = [0.5, 0.0, 0.5] if far > 0 else [0.0, 1.0, 0.0]
    second = [1.0, 0.0, 0.0] if far > 0 else [0.0, 1.0, 0.0]
    assert np.array_equal(got, [first, second])


@pytest.mark.parametrize(("library", "dtype"), LIBRARIES)
def test_no_allowed_score_is_too_low_to_outrank_a_forbidden_one(library, dtype):
    low = -LARGEST[dtype]
    scores = array(library, dtype, [[low, 0.0, 0.0], [low, low, -low]])
    allowed = np.array([[True, False, False], [True, True, False]])
    assert np.array_equal(numbers(softmax(scores, allowed)), [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_large_scores_have_finite_gradients(dtype):
    far = torch.finfo(dtype).max
    scores = torch.tensor([[far, -far, 0.0], [far, far, 0.0]], dtype=dtype, requires_grad=True)
    softmax(scores)[:, 0].sum().backward()
    expected = torch.tensor([[0.0, 0.0, 0.0], [0.25, -0.25, 0.0]], dtype=dtype)
    assert torch.equal(scores.grad, expected)


@pytest.mark.parametrize(("library", "dtype"), LIBRARIES)
def test_minus_infinity_has_share_zero(library, dtype):
    scores = array(library, dtype, [-np.inf, 1.0, 1.0])
    assert np.array_equal(numbers(softmax(scores)), [0.0, 0.5, 0.5])


def test_numpy_raises_nothing_even_if_asked_to():
    with np.errstate(all="raise"):
        shares = softmax(np.array([0.0, -745.0, -1e308, 1e308]))
        attend(
            np.full((1, 2), 1e200),
            np.array([[1e300, 1.0], [1e-300, 0.0]]),
            np.array([[np.inf], [1e-310]]),
            np.array([[False, True]]),
        )
    assert np.array_equal(shares, [0.0, 0.0, 0.0, 1.0])


@pytest.mark.parametrize(("library", "dtype"), LIBRARIES)
def test_dtype_library_and_shape_stay(library, dtype):
    for shape in [(4,), (3, 4), (2, 3, 4), (0, 4)]:
        scores = array(library, dtype, np.zeros(shape).tolist()).reshape(shape)
        for allowed in (None, np.ones(shape[-2:], bool)):
            shares = softmax(scores, allowed)
            assert type(shares) is type(scores)
            assert shares.dtype == scores.dtype
            assert tuple(shares.shape) == shape
            assert np.array_equal(numbers(shares), np.full(shape, 0.25))
