"""Masks against their definitions, cell by cell."""

import itertools

import numpy as np
import pytest
import torch

from attention import attend, band, both, causal, either, from_edges, padding

pytestmark = pytest.mark.filterwarnings("error")


def by_definition(rows, columns, rule):
    return [[rule(i, j) for j in range(columns)] for i in range(rows)]


@pytest.mark.parametrize(("rows", "columns"), list(itertools.product(range(1, 6), repeat=2)))
def test_causal_puts_the_last_query_at_the_last_key(rows, columns):
    mask = causal(rows, columns)
    assert mask.dtype == bool
    expected = by_definition(rows, columns, lambda i, j: columns - 1 - j >= rows - 1 - i)
    assert mask.tolist() == expected
    assert mask[-1].all()


def test_causal_is_square_by_default():
    assert causal(4).tolist() == causal(4, 4).tolist() == np.tri(4, dtype=bool).tolist()


def test_causal_for_the_newest_queries_is_the_tail_of_the_full_mask():
    assert np.array_equal(causal(2, 6), causal(6)[-2:])


@pytest.mark.parametrize(("n", "width"), list(itertools.product(range(1, 6), range(7))))
def test_band_is_a_distance(n, width):
    mask = band(n, width)
    assert mask.dtype == bool
    assert mask.tolist() == by_definition(n, n, lambda i, j: abs(i - j) <= width)


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 1)])
@pytest.mark.parametrize("n", [1, 4])
def test_padding_hides_what_lies_beyond_the_length(shape, n):
    lengths = np.random.default_rng(0).integers(0, n + 1, size=shape)
    mask = padding(np.asarray(lengths), n)
    assert mask.dtype == bool
    assert mask.shape == (*shape, 1, n)
    for place in np.ndindex(*shape):
        assert mask[place].tolist() == [[j < np.asarray(lengths)[place] for j in range(n)]]


def test_padding_changes_no_real_position():
    rng = np.random.default_rng(2)
    query, key, value = (rng.normal(size=(2, 3, 4, 5)) for _ in range(3))  # batch, heads
    lengths = np.array([2, 4])
    padded = attend(query, key, value, padding(lengths[:, None], 4)).output
    for item, length in enumerate(lengths):
        alone = attend(query[item], key[item, :, :length], value[item, :, :length]).output
        np.testing.assert_allclose(padded[item], alone, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("seed", range(5))
def test_from_edges_lists_who_may_see_whom(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 6))
    edges = rng.integers(n, size=(int(rng.integers(0, 12)), 2))
    pairs = {tuple(edge) for edge in edges.tolist()}
    expected = by_definition(n, n, lambda i, j: (i, j) in pairs)
    mask = from_edges(edges, n)
    assert mask.dtype == bool
    assert mask.tolist() == expected
    assert from_edges([tuple(edge) for edge in edges.tolist()], n).tolist() == expected


def test_an_edge_is_query_first():
    mask = from_edges([(0, 2)], 3)
    assert mask[0, 2]
    assert mask.sum() == 1


@pytest.mark.parametrize("make", [np.array, torch.tensor])
def test_combinations_are_and_and_or(make):
    rng = np.random.default_rng(0)
    drawn = [rng.random(shape) < 0.5 for shape in ((2, 1, 4), (3, 4), (1, 1, 4))]
    masks = [make(mask) for mask in drawn]
    everywhere, somewhere = both(*masks), either(*masks)
    assert type(everywhere) is type(somewhere) is type(masks[0])
    for b, i, j in itertools.product(range(2), range(3), range(4)):
        cells = [drawn[0][b, 0, j], drawn[1][i, j], drawn[2][0, 0, j]]
        assert bool(everywhere[b, i, j]) == all(cells)
        assert bool(somewhere[b, i, j]) == any(cells)


def test_a_causal_band_is_both():
    assert np.array_equal(both(causal(5), band(5, 2)), np.tri(5) - np.tri(5, k=-3) > 0)
