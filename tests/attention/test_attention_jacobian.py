"""The softmax's Jacobian against torch's, and against mpmath where subtractions would cancel."""

import math

import mpmath
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attention.core import softmax
from attention.measures import jacobian_norm, softmax_jacobian

pytestmark = pytest.mark.filterwarnings("error")

quick = settings(max_examples=60)
BOTH = pytest.mark.parametrize("make", [np.array, torch.tensor])


@st.composite
def rows(draw):
    """Draw a row of shares of any sharpness, saturated to the smallest float included."""
    spread = draw(st.sampled_from([0.0, 1.0, 20.0, 700.0]))
    scores = draw(st.lists(st.floats(-1.0, 1.0), min_size=1, max_size=16))
    return softmax(spread * np.array(scores))


def exact_jacobian(p):
    """Compute diag(p) − p pᵀ in 700 digits, the largest share being 1 minus the others."""
    cells = [mpmath.mpf(float(x)) for x in p]
    top = cells.index(max(cells))
    cells[top] = 1 - mpmath.fsum(cells[:top] + cells[top + 1 :])
    return mpmath.matrix(
        [
            [x * (1 - x) if i == j else -x * y for j, y in enumerate(cells)]
            for i, x in enumerate(cells)
        ]
    )


def assert_exact(p, rtol, least=5e-324):
    """Compare every cell, and the norm, with 700 digits, down to the smallest float."""
    with mpmath.workdps(700):
        exact = exact_jacobian(p)
        for cell, got in np.ndenumerate(np.asarray(softmax_jacobian(p))):
            assert abs(float(got) - exact[cell]) <= rtol * abs(exact[cell]) + least
        norm = mpmath.norm(exact, 2)
        assert abs(float(jacobian_norm(p)) - norm) <= rtol * norm + least


@BOTH
@settings(max_examples=25)
@given(rows())
def test_cells_and_norm_are_mpmaths(make, p):
    assert_exact(make(p), rtol=1e-14, least=1e-320)


@BOTH
@settings(max_examples=25)
@given(rows())
def test_cells_and_norm_are_mpmaths_in_float32(make, p):
    assert_exact(make(p.astype("f4")), rtol=5e-6, least=1e-43)


@BOTH
@pytest.mark.parametrize("rest", [0.5, 1e-3, 1e-8, 1e-15, 1e-16, 1e-17, 1e-100, 1e-200, 1e-300])
def test_saturated_rows_keep_their_digits(make, rest):
    """At 1 − 1e-15 the closed form in powers of p has no digit left; at 1e-200 squares are 0."""
    others = rest * np.random.default_rng(5).dirichlet(np.ones(15))
    assert_exact(make(np.append(others, 1.0 - others.sum())), rtol=1e-14)


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-6), (torch.float64, 1e-15)])
@pytest.mark.parametrize("spread", [0.0, 1.0, 6.0])
def test_the_jacobian_is_torchs(dtype, tolerance, spread):
    rng = np.random.default_rng(11)
    for keys in (1, 2, 5, 16):
        scores = torch.tensor(spread * rng.normal(size=keys), dtype=dtype)
        theirs = torch.autograd.functional.jacobian(lambda s: torch.softmax(s, -1), scores)
        ours = softmax_jacobian(softmax(scores))
        torch.testing.assert_close(ours, theirs, rtol=10 * tolerance, atol=tolerance)
        torch.testing.assert_close(
            jacobian_norm(softmax(scores)),
            torch.linalg.norm(theirs),
            rtol=10 * tolerance,
            atol=tolerance,
        )


@BOTH
@quick
@given(rows())
def test_the_jacobian_moves_nothing_in_sum_and_never_backwards(make, p):
    """To the rounding of n terms a row, and of LAPACK's n ε ‖J‖."""
    jacobian = np.asarray(softmax_jacobian(make(p)))
    assert np.array_equal(jacobian, jacobian.T)
    assert (np.abs(jacobian.sum(-1)) <= 1e-14 * np.diagonal(jacobian) + len(p) * 5e-324).all()
    assert np.linalg.eigvalsh(jacobian).min() >= -4 * len(p) * 2.0**-52 * np.abs(jacobian).max()
    assert (jacobian[~np.eye(len(p), dtype=bool)] <= 0.0).all()


@BOTH
@quick
@given(rows())
def test_the_norm_is_that_of_the_matrix(make, p):
    jacobian = np.asarray(softmax_jacobian(make(p)))
    largest = np.abs(jacobian).max()
    matrix = largest * np.linalg.norm(jacobian / largest) if largest > 0 else 0.0
    np.testing.assert_allclose(float(jacobian_norm(make(p))), matrix, rtol=1e-14, atol=1e-320)


@quick
@given(rows(), st.randoms(use_true_random=False))
def test_the_order_of_keys_does_not_matter(p, random):
    order = list(range(len(p)))
    random.shuffle(order)
    np.testing.assert_allclose(jacobian_norm(p[order]), jacobian_norm(p), rtol=1e-14, atol=1e-320)
    np.testing.assert_allclose(
        softmax_jacobian(p[order]), softmax_jacobian(p)[np.ix_(order, order)], 1e-14, 1e-320
    )


@BOTH
@pytest.mark.parametrize("n", [1, 2, 3, 16, 1000])
def test_uniform_rows_have_a_closed_form(make, n):
    p = make(np.full((2, n), 1.0 / n))
    np.testing.assert_allclose(jacobian_norm(p), [math.sqrt(n - 1) / n] * 2, rtol=1e-14)


@BOTH
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_one_hot_row_does_not_move_and_has_no_minus_zero(make, dtype):
    p = make(np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]], dtype))
    for result in (softmax_jacobian(p), jacobian_norm(p)):
        cells = np.asarray(result)
        assert (cells == 0.0).all()
        assert not np.signbit(cells).any()


def test_gradients_of_the_norm_are_those_through_the_matrix():
    scores = torch.tensor(np.random.default_rng(2).normal(size=(4, 6))).requires_grad_()
    ours = jacobian_norm(softmax(scores))
    matrices = torch.diag_embed(p := torch.softmax(scores, -1)) - p[..., :, None] * p[..., None, :]
    theirs = torch.linalg.matrix_norm(matrices)
    torch.testing.assert_close(
        torch.autograd.grad(ours.sum(), scores), torch.autograd.grad(theirs.sum(), scores)
    )
    assert torch.autograd.gradcheck(lambda s: softmax_jacobian(softmax(s)), scores)
