"""Ulps counted against nextafter, and exactly through the struct of the bits."""

import math
import struct

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attention import ulps_between

pytestmark = pytest.mark.filterwarnings("error")

quick = settings(max_examples=150)
finite = {
    "float32": st.floats(allow_nan=False, allow_infinity=False, width=32),
    "float64": st.floats(allow_nan=False, allow_infinity=False),
}


def place(number, dtype):
    """Return how many floats lie between 0 and the number, negative below zero."""
    codes = ("<f", "<i") if dtype == "float32" else ("<d", "<q")
    magnitude = struct.unpack(codes[1], struct.pack(codes[0], abs(number)))[0]
    return -magnitude if number < 0 else magnitude


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@quick
@given(st.data())
def test_counts_are_exact(dtype, data):
    a, b = data.draw(finite[dtype]), data.draw(finite[dtype])
    expected = min(abs(place(a, dtype) - place(b, dtype)), 2**63 - 1)
    arrays = np.array([a, b], dtype=dtype)
    for pair in (arrays, torch.tensor(arrays)):
        result = ulps_between(pair[:1], pair[1:])
        assert result.dtype in (np.int64, torch.int64)
        assert result.tolist() == [expected]
        assert ulps_between(pair[1:], pair[:1]).tolist() == [expected]


@quick
@given(finite["float64"], st.integers(0, 40))
def test_steps_of_nextafter_are_counted(start, steps):
    end = start
    for _ in range(steps):
        end = math.nextafter(end, math.inf)
    if math.isinf(end):
        return
    assert int(ulps_between(start, end)) == steps


@pytest.mark.parametrize(
    ("a", "b", "count"),
    [
        (0.0, -0.0, 0),
        (5e-324, -5e-324, 2),
        (1.0, 1.0 + 2.0**-52, 1),
        (1.0, 1.0 - 2.0**-53, 1),
        (0.1 + 0.2, 0.3, 1),
        (1.0, 2.0, 2**52),
        (-1.0, 1.0, 2 * 0x3FF0000000000000),
        (-2.0, 2.0, 2**63 - 1),
        (-1.7976931348623157e308, 1.7976931348623157e308, 2**63 - 1),
    ],
)
def test_known_counts(a, b, count):
    assert int(ulps_between(a, b)) == count
    assert int(ulps_between(torch.tensor(a, dtype=torch.float64), b)) == count
    assert int(ulps_between(a, torch.tensor(b, dtype=torch.float64))) == count
    assert int(ulps_between(np.float64(a), np.array(b))) == count


@pytest.mark.parametrize("make", [np.array, torch.tensor])
def test_arguments_broadcast(make):
    column = make(np.array([[1.0], [2.0]]))
    row = make(np.array([1.0, 1.0 + 2.0**-51, 2.0]))
    assert ulps_between(column, row).tolist() == [[0, 2, 2**52], [2**52, 2**52 - 2, 0]]


@pytest.mark.parametrize(
    ("a", "b", "error", "message"),
    [
        (np.array([1.0, np.nan]), 1.0, ValueError, r"a holds nan at 1"),
        (
            1.0,
            torch.tensor([[1.0, -np.inf]], dtype=torch.float64),
            ValueError,
            r"b holds -inf at \(0, 1\)",
        ),
        (np.zeros(2, "f4"), np.zeros(2), TypeError, r"a holds float32 but b holds float64"),
        (np.zeros(2, "f4"), 0.0, TypeError, r"a holds float32 but b holds float64"),
        (np.zeros(2, "f2"), np.zeros(2, "f2"), TypeError, r"a holds float16: float32 or float64"),
        (np.zeros(2, int), np.zeros(2, int), TypeError, r"a holds int64: floats"),
        (1.0, 1, TypeError, r"b is a int"),
        ([1.0], 1.0, TypeError, r"a is a list: use np\.array"),
        (np.zeros(2), torch.zeros(2), TypeError, r"a is a ndarray but b is a Tensor"),
        (np.zeros((2, 3)), np.zeros(2), ValueError, r"do not broadcast: a \(2, 3\), b \(2,\)"),
    ],
)
def test_errors_name_the_place(a, b, error, message):
    with pytest.raises(error, match=message):
        ulps_between(a, b)
