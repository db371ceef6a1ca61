"""Entropy against mpmath, total variation against the largest gap over sets of keys."""

import itertools
import math

import mpmath
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attention.core import softmax
from attention.measures import entropy_bits, jacobian_norm, softmax_jacobian, total_variation

pytestmark = pytest.mark.filterwarnings("error")

quick = settings(max_examples=80)
LIBRARIES = [(np, "float32"), (np, "float64"), (torch, "float32"), (torch, "float64")]
MEASURES = [entropy_bits, softmax_jacobian, jacobian_norm]


def array(library, dtype, values):
    make = np.array if library is np else torch.tensor
    return make(np.array(values, dtype=dtype))


@st.composite
def rows(draw, limit=700.0, most=16):
    """Draw a row of shares of any sharpness, one-hot and uniform included."""
    spread = draw(st.sampled_from([0.0, 1.0, 30.0, limit]))
    scores = draw(st.lists(st.floats(-1.0, 1.0), min_size=1, max_size=most))
    return softmax(spread * np.array(scores))


@st.composite
def pairs(draw, most=7):
    """Draw two rows over the same keys in 1024ths, so that their differences are exact."""
    keys = draw(st.integers(1, most))
    cuts = st.lists(st.integers(0, 1024), min_size=keys - 1, max_size=keys - 1)
    return tuple(np.diff([0, *sorted(draw(cuts)), 1024]) / 1024.0 for _ in range(2))


def exact_entropy(p):
    """Compute −Σ p log₂ p in 60 digits, the largest share being 1 minus the others."""
    with mpmath.workdps(60):
        cells = sorted(mpmath.mpf(float(x)) for x in p)
        rest = mpmath.fsum(cells[:-1])
        nats = mpmath.fsum(x * mpmath.log(x) for x in cells[:-1] if x > 0)
        return -(nats + (1 - rest) * mpmath.log1p(-rest)) / mpmath.log(2)


def entropy_as_given(p):
    """Compute −Σ p log₂ p in 60 digits of exactly the floats there are."""
    with mpmath.workdps(60):
        cells = [mpmath.mpf(float(x)) for x in p if x > 0]
        return -mpmath.fsum(x * mpmath.log(x, 2) for x in cells)


@pytest.mark.parametrize("make", [np.array, torch.tensor])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@quick
@given(rows())
def test_entropy_is_mpmaths(make, dtype, p):
    p = p.astype(dtype)
    eps, tiny = float(np.finfo(dtype).eps), float(np.finfo(dtype).tiny)
    got = float(entropy_bits(make(p)))
    true = exact_entropy(p)
    assert abs(got - true) <= (len(p) + 10) * eps * true + 200 * len(p) * tiny
    assert abs(got - entropy_as_given(p)) <= (len(p) + 10) * eps * (1 + true)


@pytest.mark.parametrize(("library", "dtype"), LIBRARIES)
@pytest.mark.parametrize(
    ("row", "bits"),
    [
        ([1.0], 0.0),
        ([0.0, 1.0, 0.0], 0.0),
        ([0.5, 0.5], 1.0),
        ([0.0, 0.5, 0.5, 0.0], 1.0),
        ([0.5, 0.25, 0.125, 0.125], 1.75),
        ([1 / 16] * 16, 4.0),
        ([2.0**-20] * 2**20, 20.0),
    ],
)
def test_known_entropies_are_exact(library, dtype, row, bits):
    got = entropy_bits(array(library, dtype, [row, row]))
    assert got.tolist() == [bits, bits]
    assert not np.signbit(np.asarray(got)).any()


@pytest.mark.parametrize("make", [np.array, torch.tensor])
@pytest.mark.parametrize("small", [1e-15, 1e-17, 1e-300, 2.3e-308, 5e-324])
def test_a_share_beside_one_counts_however_small(make, small):
    """Beside 1 − 1e-15 the float of the large share is wrong in its first digit."""
    p = make(np.array([1.0 - small, small]))
    exact = exact_entropy(p)
    assert exact > 0
    assert abs(float(entropy_bits(p)) - exact) <= 4e-16 * exact + 2 * 5e-324


def test_float16_is_served():
    assert entropy_bits(np.array([0.25] * 4, np.float16)) == np.float16(2.0)


@quick
@given(rows(), st.randoms(use_true_random=False))
def test_entropy_is_bounded_and_knows_no_order(p, random):
    bits = entropy_bits(p)
    assert 0.0 <= bits <= math.log2(len(p)) * (1 + 1e-14)
    order = list(range(len(p)))
    random.shuffle(order)
    np.testing.assert_allclose(entropy_bits(p[order]), bits, rtol=1e-14, atol=0)


def test_rounding_above_one_is_no_negative_entropy():
    """Shares that miss one by an ulp, as any library's rounding may leave them."""
    assert entropy_bits(np.array([1.0 + 2.0**-52, 0.0])) == 0.0
    assert jacobian_norm(np.array([1.0 + 2.0**-52, 0.0])) == 0.0
    assert jacobian_norm(np.array([1.0 + 2.0**-52])) == 0.0


@pytest.mark.parametrize("scale", [0.1, 1.0, 5.0])
def test_gradients_of_entropy_are_torchs(scale):
    rng = np.random.default_rng(3)
    scores = torch.tensor(scale * rng.normal(size=(5, 7))).requires_grad_()
    ours = entropy_bits(softmax(scores)).sum()
    p = torch.softmax(scores, -1)
    theirs = torch.distributions.Categorical(probs=p).entropy().sum() / math.log(2)
    torch.testing.assert_close(
        torch.autograd.grad(ours, scores), torch.autograd.grad(theirs, scores), rtol=1e-9, atol=1e-9
    )


@pytest.mark.parametrize("measure", [entropy_bits, jacobian_norm])
def test_gradients_are_finite_where_a_row_is_one_hot(measure):
    p = torch.tensor([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]], requires_grad=True)
    measure(p).sum().backward()
    assert p.grad.isfinite().all()


@pytest.mark.parametrize("make", [np.array, torch.tensor])
@quick
@given(pairs())
def test_total_variation_is_the_largest_gap_over_all_sets_of_keys(make, pair):
    p, q = pair
    gaps = (p - q).tolist()
    sets = itertools.product([0.0, 1.0], repeat=len(gaps))
    largest = max(math.fsum(map(math.prod, zip(chosen, gaps, strict=True))) for chosen in sets)
    assert float(total_variation(make(p), make(q))) == largest
    assert float(total_variation(make(q), make(p))) == largest


@quick
@given(rows(most=9), st.integers(0, 2**32 - 1))
def test_total_variation_is_a_distance(p, seed):
    q, r = np.random.default_rng(seed).dirichlet(np.ones(len(p)), size=2)
    assert total_variation(p, p) == 0.0
    assert 0.0 <= total_variation(p, q) <= 1.0 + 1e-14
    assert total_variation(p, q) <= total_variation(p, r) + total_variation(r, q) + 1e-14


@pytest.mark.parametrize(("library", "dtype"), LIBRARIES)
def test_total_variation_goes_by_row_and_broadcasts(library, dtype):
    p = array(library, dtype, [[1.0, 0.0, 0.0], [0.5, 0.25, 0.25]])
    q = array(library, dtype, [0.0, 0.5, 0.5])
    got = total_variation(p, q)
    assert got.dtype == p.dtype
    assert got.tolist() == [1.0, 0.5]
    assert tuple(total_variation(p[:, None, :], p).shape) == (2, 2)


@pytest.mark.parametrize(("library", "dtype"), LIBRARIES)
@pytest.mark.parametrize("shape", [(4,), (3, 4), (2, 3, 4), (0, 4)])
def test_dtype_library_and_shape_stay(library, dtype, shape):
    p = array(library, dtype, np.full(shape, 0.25))
    for result, expected in (
        (entropy_bits(p), shape[:-1]),
        (jacobian_norm(p), shape[:-1]),
        (total_variation(p, p), shape[:-1]),
        (softmax_jacobian(p), (*shape, 4)),
    ):
        assert result.dtype == p.dtype
        assert tuple(result.shape) == expected


BAD = [
    ([0.5, -0.5, 1.0], r"^p holds -0\.5 at 1, but no share is negative: p \(3,\)$"),
    ([[0.5, 0.5], [1.5, -0.5]], r"^p holds -0\.5 at \(1, 1\), but no share is negative: p \(2, 2"),
    ([[1.0, 0.0], [np.nan, 1.0]], r"^p holds nan at \(1, 0\): p \(2, 2\)$"),
    ([np.inf, 0.0], r"^p holds inf at 0: p \(2,\)$"),
    ([0.5, 0.25], r"^p sums to 0\.75, not to one within 1\.5e-08: p \(2,\)$"),
    (
        [[0.5, 0.5], [0.5, 0.75]],
        r"^row 1 of p sums to 1\.25, not to one within 1\.5e-08: p \(2, 2\)$",
    ),
    ([[[0.5, 0.5], [0.0, 0.0]]], r"^row \(0, 1\) of p sums to 0\.0, not to one"),
    ([1e308, 1e308], r"^p sums to inf, not to one"),
    ([[], []], r"^p has row length 0: p \(2, 0\)$"),
    (1.0, r"^p needs at least 1 axis \(keys\): p \(\)$"),
]


@pytest.mark.parametrize("make", [np.array, torch.tensor])
@pytest.mark.parametrize("measure", [*MEASURES, lambda p: total_variation(p, p)])
@pytest.mark.parametrize(("values", "message"), BAD)
def test_what_are_no_shares_is_refused(measure, values, message, make):
    with pytest.raises(ValueError, match=message):
        measure(make(np.array(values, dtype=np.float64)))


@pytest.mark.parametrize("measure", MEASURES)
def test_only_floats_are_shares(measure):
    with pytest.raises(TypeError, match=r"^p holds int64: floats belong here$"):
        measure(np.array([1, 0]))
    with pytest.raises(TypeError, match=r"^p holds torch\.bool: floats belong here$"):
        measure(torch.tensor([True, False]))
    with pytest.raises(TypeError, match=r"^p is a list: use np\.array"):
        measure([0.5, 0.5])


@pytest.mark.parametrize(
    ("dtype", "inside", "outside", "said"),
    [("float64", 1.4e-8, 1.6e-8, r"1\.5e-08"), ("float32", 3.3e-4, 3.7e-4, r"3\.5e-04")],
)
def test_a_sum_may_miss_one_by_the_root_of_epsilon(dtype, inside, outside, said):
    for sign in (1, -1):
        entropy_bits(np.array([0.5, 0.5 + sign * inside], dtype))
        with pytest.raises(ValueError, match=rf"not to one within {said}: p"):
            entropy_bits(np.array([0.5, 0.5 + sign * outside], dtype))


@pytest.mark.parametrize(
    ("p", "q", "error", "message"),
    [
        (
            np.full(2, 0.5),
            np.full(4, 0.25),
            ValueError,
            r"^p has row length 2 but q has row length 4: p \(2,\), q \(4,\)$",
        ),
        (
            np.full((3, 2), 0.5),
            np.full((4, 2), 0.5),
            ValueError,
            r"^these shapes do not broadcast: p \(3, 2\), q \(4, 2\)$",
        ),
        (np.ones(1), np.zeros(1), ValueError, r"^q sums to 0\.0, not to one"),
        (np.ones(1), np.ones(1, "f4"), TypeError, r"^p holds float64 but q holds float32$"),
        (np.ones(1), torch.ones(1), TypeError, r"^p is a ndarray but q is a Tensor"),
    ],
)
def test_two_tables_must_fit(p, q, error, message):
    with pytest.raises(error, match=message):
        total_variation(p, q)
