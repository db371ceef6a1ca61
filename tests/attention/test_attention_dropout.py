"""Dropout against its law, which torch's must pass as well, and the checklist against both."""

import itertools
import math

import mpmath
import numpy as np
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from attention.core import softmax
from attention.dropout import dropout, dropout_problems
from attention.masks import causal

pytestmark = pytest.mark.filterwarnings("error")

quick = settings(max_examples=80)
LIBRARIES = [(np, "float32"), (np, "float64"), (torch, "float32"), (torch, "float64")]
RATES = [0.1, 0.2, 0.5, 0.9]
SEEDS = st.integers(0, 2**32 - 1)
FALSE_ALARM = 1e-6  # how often a correct dropout, on another seed, would fail one of these tests


def array(library, dtype, values):
    make = np.array if library is np else torch.tensor
    return make(np.array(values, dtype=dtype))


def table(seed, n=5):
    """Draw an n × n table of shares under the causal mask."""
    return softmax(np.random.default_rng(seed).normal(size=(n, n)), causal(n))


def ours(shares, rate):
    return dropout(shares, rate, np.random.default_rng(20), training=True)


def torchs(shares, rate):
    torch.manual_seed(21)
    return torch.nn.functional.dropout(torch.tensor(shares), rate, training=True).numpy()


BOTH = pytest.mark.parametrize("made_by", [ours, torchs])


def tail_of_chi_square(statistic, degrees):
    """Return the probability that a chi-square of so many degrees is larger."""
    return float(mpmath.gammainc(degrees / 2, statistic / 2, regularized=True))


@BOTH
@pytest.mark.parametrize("rate", [0.03, *RATES])
def test_every_pattern_of_four_neighbours_is_as_frequent_as_if_each_fell_alone(made_by, rate):
    """The 16 patterns of drops over 50,000 rows: chi-square, 15 degrees of freedom."""
    rows = 50_000
    fell = made_by(np.full((rows, 4), 0.25), rate) == 0
    patterns = fell @ (1 << np.arange(4))
    statistic = 0.0
    for number, pattern in enumerate(itertools.product([False, True], repeat=4)):
        chance = math.prod(rate if dropped else 1 - rate for dropped in reversed(pattern))
        expected = rows * chance
        statistic += float(((patterns == number).sum() - expected) ** 2 / expected)
    assert tail_of_chi_square(statistic, 15) > FALSE_ALARM


@BOTH
@pytest.mark.parametrize("rate", RATES)
def test_every_cell_falls_as_often_as_the_rate_says(made_by, rate):
    """Hoeffding: a frequency over m masks strays by more than e with chance < 2 exp(−2 m e²)."""
    masks, cells = 20_000, 12
    fell = made_by(np.full((masks, cells), 1 / cells), rate) == 0
    allowance = math.sqrt(math.log(2 * cells / FALSE_ALARM) / (2 * masks))
    assert np.abs(fell.mean(0) - rate).max() < allowance


@BOTH
@pytest.mark.parametrize("rate", RATES)
def test_the_mean_over_masks_is_the_share(made_by, rate):
    """Within Hoeffding's bound, as above, and within 6 standard errors."""
    shares, masks = table(4), 20_000
    mean = made_by(np.broadcast_to(shares, (masks, *shares.shape)).copy(), rate).mean(0)
    seen = shares > 0
    allowance = math.sqrt(math.log(2 * seen.sum() / FALSE_ALARM) / (2 * masks))
    standard_error = math.sqrt(rate / (1 - rate) / masks)
    off = np.abs(mean[seen] / shares[seen] - 1.0)
    assert off.max() < allowance / (1 - rate)
    assert off.max() < 6 * standard_error
    assert off.max() > standard_error / 10
    assert (mean[~seen] == 0.0).all()


@quick
@given(SEEDS, st.floats(0.0, 0.999))
def test_every_cell_is_zero_or_its_share_over_one_minus_the_rate(seed, rate):
    shares = table(seed)
    result = dropout(shares, rate, np.random.default_rng(seed), training=True)
    assert ((result == 0.0) | (result == shares / (1 - rate))).all()
    assert (result[~causal(5)] == 0.0).all()
    assert dropout_problems(result, shares, rate) == []


@pytest.mark.parametrize(("library", "dtype"), LIBRARIES)
@pytest.mark.parametrize("rate", [*RATES, np.float64(0.3)])
def test_both_libraries_get_the_same_mask_and_keep_their_dtype(library, dtype, rate):
    shares = table(2, n=8)
    fell = dropout(shares, rate, np.random.default_rng(7), training=True) == 0
    given_shares = array(library, dtype, shares)
    result = dropout(given_shares, rate, np.random.default_rng(7), training=True)
    assert type(result) is type(given_shares)
    assert result.dtype == given_shares.dtype
    assert np.array_equal(np.asarray(result) == 0, fell)
    assert dropout_problems(result, given_shares, rate) == []


def test_a_generator_moves_on_and_a_seed_comes_back():
    shares, rng = np.full((8, 8), 0.125), np.random.default_rng(1)
    first, second = (dropout(shares, 0.5, rng, training=True) for _ in range(2))
    assert not np.array_equal(first, second)
    assert np.array_equal(first, dropout(shares, 0.5, np.random.default_rng(1), training=True))


@pytest.mark.parametrize(("library", "dtype"), LIBRARIES)
def test_without_training_nothing_happens_and_nothing_is_drawn(library, dtype):
    shares, rng = array(library, dtype, table(0)), np.random.default_rng(3)
    assert dropout(shares, 0.5, rng, training=False) is shares
    assert dropout(shares, 0.5, None, training=False) is shares
    assert rng.random() == np.random.default_rng(3).random()


@pytest.mark.parametrize(("library", "dtype"), LIBRARIES)
@pytest.mark.parametrize("shape", [(), (0, 3), (4,), (2, 1, 3)])
def test_rate_zero_keeps_all_in_any_shape(library, dtype, shape):
    shares = array(library, dtype, np.full(shape, 0.25))
    result = dropout(shares, 0, np.random.default_rng(0), training=True)
    assert result is not shares
    assert tuple(result.shape) == shape
    assert (result == shares).all()


def test_the_gradient_flows_through_the_survivors_alone():
    shares = torch.tensor(table(6)).requires_grad_()
    result = dropout(shares, 0.4, np.random.default_rng(6), training=True)
    (gradient,) = torch.autograd.grad(result.sum(), shares)
    kept = np.random.default_rng(6).random((5, 5)) >= 0.4
    assert 0 < kept.sum() < 25
    assert np.array_equal(gradient, np.where(kept, 1 / (1 - 0.4), 0.0))


def test_a_dropped_nan_is_dropped():
    shares = np.full(64, np.nan)
    result = dropout(shares, 0.5, np.random.default_rng(0), training=True)
    kept = np.random.default_rng(0).random(64) >= 0.5
    assert np.array_equal(np.isnan(result), kept)


# The checklist


@quick
@given(SEEDS, st.floats(0.0, 0.999), st.sampled_from([torch.float32, torch.float64]))
def test_torchs_dropout_passes_the_checklist(seed, rate, dtype):
    shares = torch.tensor(table(seed), dtype=dtype)
    torch.manual_seed(seed)
    result = torch.nn.functional.dropout(shares, rate, training=True)
    assert dropout_problems(result, shares, rate) == []


@quick
@given(SEEDS, st.floats(0.01, 0.99), st.sampled_from(LIBRARIES))
def test_one_over_the_rate_is_told_from_one_over_one_minus_the_rate(seed, rate, kind):
    assume(abs(rate - 0.5) > 1e-5)
    shares = array(*kind, table(seed))
    kept = array(*kind, np.random.default_rng(seed).random((5, 5)) >= rate)
    assume(bool((shares * kept != 0).any()))
    problems = dropout_problems(shares * kept / rate, shares, rate)
    assert len(problems) == 1
    assert "neither 0 nor" in problems[0]
    assert dropout_problems(shares * kept / 0.5, shares, 0.5) == []


SHARES = np.array([[0.5, 0.5, 0.0], [0.25, 0.25, 0.5]])
GOOD = np.array([[0.625, 0.0, 0.0], [0.3125, 0.3125, 0.625]])


def with_cell(place, value):
    result = GOOD.copy()
    result[place] = value
    return result


NEITHER = "neither 0 nor 0.25 / (1 − 0.2) = 0.3125"


@pytest.mark.parametrize("make", [np.array, torch.tensor])
@pytest.mark.parametrize(
    ("result", "problems"),
    [
        (GOOD, []),
        (np.zeros((2, 3)), []),
        (-np.zeros((2, 3)), []),
        (with_cell((1, 0), 0.3125 + 2.0**-54), []),
        (with_cell((1, 0), 0.25), [f"the result at (1, 0) is 0.25: {NEITHER}"]),
        (with_cell((1, 1), 1.25), [f"the result at (1, 1) is 1.25: {NEITHER}"]),
        (with_cell((1, 0), -0.3125), [f"the result at (1, 0) is -0.3125: {NEITHER}"]),
        (with_cell((1, 0), np.nan), [f"the result at (1, 0) is nan: {NEITHER}"]),
        (with_cell((1, 0), np.inf), [f"the result at (1, 0) is inf: {NEITHER}"]),
        (
            with_cell((1, 0), 0.3125 + 2.0**-51),
            [f"the result at (1, 0) is 0.31250000000000044: {NEITHER}"],
        ),
        (with_cell((0, 2), 1e-300), ["the result at (0, 2) is 1e-300, where the share is 0"]),
        (with_cell((0, 2), np.nan), ["the result at (0, 2) is nan, where the share is 0"]),
        (
            SHARES + 0.01,
            [
                "the result at (0, 2) is 0.01, where the share is 0",
                "the result at (0, 0) is 0.51: neither 0 nor 0.5 / (1 − 0.2) = 0.625",
            ],
        ),
        (GOOD[:, :2], ["the result has shape (2, 2), the shares have (2, 3)"]),
        (GOOD[None], ["the result has shape (1, 2, 3), the shares have (2, 3)"]),
    ],
)
def test_the_checklist_says_what_is_wrong(result, problems, make):
    assert dropout_problems(make(result), make(SHARES), 0.2) == problems


@pytest.mark.parametrize("make", [np.array, torch.tensor])
def test_at_rate_zero_nothing_may_be_missing(make):
    shares = make(SHARES)
    assert dropout_problems(shares, shares, 0) == []
    assert dropout_problems(make(with_cell((0, 0), 0.5)), shares, 0.0) == [
        "the result at (0, 1) is 0.0, but at rate 0 nothing is dropped",
        "the result at (1, 0) is 0.3125: neither 0 nor 0.25 / (1 − 0.0) = 0.25",
    ]


@pytest.mark.parametrize("make", [np.array, torch.tensor])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_smallest_shares_are_compared_too(make, dtype):
    tiny = np.finfo(dtype).smallest_subnormal
    shares = make(np.array([8 * tiny, 1.0], dtype))
    assert dropout_problems(make(np.array([16 * tiny, 2.0], dtype)), shares, 0.5) == []
    assert dropout_problems(make(np.array([18 * tiny, 2.0], dtype)), shares, 0.5) == []
    assert len(dropout_problems(make(np.array([19 * tiny, 2.0], dtype)), shares, 0.5)) == 1


# What is refused

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize(
    ("shares", "rate", "error", "message"),
    [
        (SHARES, 1, ValueError, r"^rate is 1: it must be at least 0 and below 1$"),
        (SHARES, 1.5, ValueError, r"^rate is 1\.5: it must be"),
        (SHARES, -0.1, ValueError, r"^rate is -0\.1: it must be"),
        (SHARES, math.nan, ValueError, r"^rate is nan: it must be"),
        (SHARES, "0.1", TypeError, r"^rate is '0\.1': a number belongs here$"),
        (SHARES, None, TypeError, r"^rate is None: a number belongs here$"),
        (SHARES.tolist(), 0.1, TypeError, r"^shares is a list: use np\.array"),
        (np.eye(3, dtype=int), 0.1, TypeError, r"^shares holds int64: floats belong here$"),
    ],
)
def test_a_bad_rate_is_named_whether_training_or_not(shares, rate, error, message, training):
    with pytest.raises(error, match=message):
        dropout(shares, rate, RNG, training=training)


@pytest.mark.parametrize(
    ("rng", "message"),
    [
        (
            None,
            r"^rng is None: training needs a generator, such as np\.random\.default_rng\(seed\)$",
        ),
        (7, r"^rng is 7: training needs a generator"),
        (np.random.RandomState(0), r"^rng is RandomState\(.*: training needs a generator"),
        (torch.Generator(), r"^rng is <torch\._C\.Generator .*: training needs a generator"),
    ],
)
def test_training_needs_a_generator(rng, message):
    with pytest.raises(TypeError, match=message):
        dropout(SHARES, 0.1, rng, training=True)


def test_whether_to_train_has_no_default_and_no_place():
    with pytest.raises(TypeError, match=r"missing 1 required keyword-only argument: 'training'"):
        dropout(SHARES, 0.1, RNG)
    with pytest.raises(TypeError, match=r"takes 3 positional arguments but 4 were given"):
        dropout(SHARES, 0.1, RNG, True)


@pytest.mark.parametrize(
    ("result", "shares", "rate", "error", "message"),
    [
        (GOOD, SHARES, 1.0, ValueError, r"^rate is 1\.0: it must be at least 0 and below 1$"),
        (GOOD, SHARES, "1", TypeError, r"^rate is '1': a number belongs here$"),
        (GOOD, GOOD * np.nan, 0.1, ValueError, r"^shares holds nan at \(0, 0\): shares \(2, 3\)$"),
        (GOOD.astype("f4"), SHARES, 0.1, TypeError, r"^result holds float32 but shares holds floa"),
        (torch.tensor(GOOD), SHARES, 0.1, TypeError, r"^result is a Tensor but shares is a ndarr"),
        ([0.0], SHARES, 0.1, TypeError, r"^result is a list: use np\.array"),
    ],
)
def test_the_checklist_refuses_what_it_cannot_compare(result, shares, rate, error, message):
    with pytest.raises(error, match=message):
        dropout_problems(result, shares, rate)
