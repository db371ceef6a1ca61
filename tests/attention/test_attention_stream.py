"""The random numbers of the figures: uniform, independent enough, and each to be had alone."""

import numpy as np
import pytest

from attention.figures.random_bits import uniform


def one_by_one(seed, index):
    """The definition, in whole numbers of Python."""
    low = 2**32 - 1
    bits = (seed + (index + 1) * 0x9E3779B9) & low
    bits = ((bits ^ (bits >> 16)) * 0x85EBCA6B) & low
    bits = ((bits ^ (bits >> 13)) * 0xC2B2AE35) & low
    return (bits ^ (bits >> 16)) / 2**32


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**32 - 1])
def test_the_stream_is_its_definition(seed):
    assert uniform(seed, 200).tolist() == [one_by_one(seed, i) for i in range(200)]


def test_a_part_of_the_stream_can_be_had_alone():
    assert np.array_equal(uniform(7, 100)[40:], uniform(7, 60, start=40))


def test_numbers_are_uniform_and_neighbours_and_seeds_are_uncorrelated():
    draws = np.stack([uniform(seed, 10_000) for seed in range(20)])
    counts = np.histogram(draws, bins=100, range=(0, 1))[0]
    expected = draws.size / 100
    assert ((counts - expected) ** 2 / expected).sum() < 99 + 5 * np.sqrt(2 * 99)
    centred = draws - 0.5
    for lag in (1, 2, 3, 17):
        correlation = (centred[:, lag:] * centred[:, :-lag]).mean() * 12
        assert abs(correlation) < 5 / np.sqrt(draws.size)
    across = np.corrcoef(draws)[np.triu_indices(20, 1)]
    assert np.abs(across).max() < 5 / np.sqrt(10_000)


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_seed_out_of_range_is_refused(seed):
    with pytest.raises(ValueError, match="seed is"):
        uniform(seed, 1)
