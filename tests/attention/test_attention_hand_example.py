"""The hand example, in exact arithmetic: queries = keys = (1,0), (0,1), (1,1)."""

import numpy as np
import pytest
import sympy
import torch

from attention import attend, causal, context_vectors, mix, scores, softmax, ulps_between

pytestmark = pytest.mark.filterwarnings("error")

PAIRS = [[1, 0], [0, 1], [1, 1]]
VALUES = [[1, 0], [0, 2], [1, 1]]
LIBRARIES = [np.array, torch.tensor]


def made(make, cells):
    return (
        make([[float(cell) for cell in row] for row in cells], dtype=float)
        if make is np.array
        else torch.tensor(cells, dtype=torch.float64)
    )


def exact_scores():
    pairs = sympy.Matrix(PAIRS)
    return pairs * pairs.T / sympy.sqrt(2)


def exact_shares(masked):
    scaled = exact_scores()
    grown = scaled.applyfunc(sympy.exp)
    if masked:
        grown = sympy.Matrix(3, 3, lambda i, j: grown[i, j] if j <= i else 0)
    return sympy.Matrix(3, 3, lambda i, j: grown[i, j] / sum(grown.row(i)))


def nearest(matrix):
    """Round each exact entry to the nearest float64."""
    return np.array([[float(sympy.N(cell, 40)) for cell in row] for row in matrix.tolist()])


def assert_within(ulps, got, exact):
    apart = ulps_between(np.asarray(got), nearest(exact))
    assert apart.max() <= ulps, apart


@pytest.mark.parametrize("make", LIBRARIES)
def test_scores_are_exact(make):
    pairs = made(make, PAIRS)
    assert scores(pairs, pairs, scale=1.0).tolist() == [[1, 0, 1], [0, 1, 1], [1, 1, 2]]
    assert_within(1, scores(pairs, pairs), exact_scores())


@pytest.mark.parametrize("make", LIBRARIES)
@pytest.mark.parametrize("masked", [True, False])
def test_shares_and_outputs_are_exact(make, masked):
    pairs, values = made(make, PAIRS), made(make, VALUES)
    allowed = causal(3) if masked else None
    output, shares = attend(pairs, pairs, values, allowed)
    exact = exact_shares(masked)
    exact_output = exact * sympy.Matrix(VALUES)
    assert_within(2, shares, exact)
    assert_within(3, output, exact_output)
    assert_within(2, softmax(scores(pairs, pairs), allowed), exact)
    assert_within(3, context_vectors(shares, values), exact_output)
    assert_within(3, mix(shares, values), exact_output)
    if masked:
        assert np.asarray(shares)[np.triu_indices(3, 1)].tolist() == [0.0, 0.0, 0.0]


def test_the_texts_figures_are_those_of_the_exact_example():
    """Figures of the hand example, correctly rounded to the digits printed there."""
    a = 1 / (1 + sympy.exp(1 / sympy.sqrt(2)))
    b = 1 / (2 + sympy.exp(1 / sympy.sqrt(2)))
    masked, unmasked = exact_shares(True), exact_shares(False)
    assert all(
        sympy.simplify(x - y) == 0
        for x, y in zip(
            masked, sympy.Matrix([[1, 0, 0], [a, 1 - a, 0], [b, b, 1 - 2 * b]]), strict=True
        )
    )
    figures = {
        a: "0.3302384506733431",
        b: "0.24825507825772307",
        unmasked[0, 0]: "0.4011120926797859",
        unmasked[0, 1]: "0.1977758146404282",
        unmasked[2, 2]: "0.5034898434845539",
        (masked * sympy.Matrix(VALUES))[1, 1]: "1.3395230986533139",
        (unmasked * sympy.Matrix(VALUES))[0, 0]: "0.8022241853595718",
    }
    for value, text in figures.items():
        digits = len(text.replace(".", "").lstrip("0"))
        assert str(sympy.N(value, digits)) == text


def test_the_last_row_does_not_change_under_the_mask():
    pairs, values = made(np.array, PAIRS), made(np.array, VALUES)
    with_mask, without = attend(pairs, pairs, values, causal(3)), attend(pairs, pairs, values)
    assert ulps_between(with_mask.output[2], without.output[2]).max() <= 2
    assert not np.allclose(with_mask.output[:2], without.output[:2])
