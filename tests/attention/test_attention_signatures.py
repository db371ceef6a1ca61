"""For measures, tables and dropout: signatures hold at run time, and no argument is written to."""

import inspect

import numpy as np
import pytest
import torch
from beartype import beartype
from jaxtyping import Float, TypeCheckError, jaxtyped

from attention import checks, dropout, measures, tables

pytestmark = pytest.mark.filterwarnings("error")

ROWS = np.array([[0.5, 0.25, 0.25], [0.0, 1.0, 0.0]])
X, W = np.eye(2, 3), np.ones((3, 4))
ALLOWED = np.array([[True, False], [True, True]])


def dropped(shares, rate):
    return dropout.dropout(shares, rate, np.random.default_rng(0), training=True)


# a public function, arguments that fit, the result's shape, arguments that do not
CASES = {
    "entropy_bits": (measures.entropy_bits, (ROWS,), "2", (ROWS[0, 0],)),
    "softmax_jacobian": (measures.softmax_jacobian, (ROWS,), "2 3 3", (ROWS[0, 0],)),
    "jacobian_norm": (measures.jacobian_norm, (ROWS,), "2", (ROWS[0, 0],)),
    "total_variation": (measures.total_variation, (ROWS, ROWS[:1]), "2", (ROWS, np.eye(2))),
    "attention_table": (tables.attention_table, (X, W, W, ALLOWED), "2 2", (X, W, W.T)),
    "dropout_problems": (dropout.dropout_problems, (ROWS, X[0], 0.0), None, (ROWS > 0, ROWS, 0.0)),
}


def in_library(library, arguments):
    if library is np:
        return arguments
    return [torch.tensor(x) if isinstance(x, np.ndarray) else x for x in arguments]


def checked(function):
    return jaxtyped(typechecker=beartype)(function)


@pytest.mark.parametrize("library", [np, torch])
@pytest.mark.parametrize("name", CASES)
def test_signatures_accept_what_fits_and_refuse_what_does_not(name, library):
    function, good, shape, bad = CASES[name]
    result = checked(function)(*in_library(library, good))
    assert shape is None or isinstance(result, Float[checks.Array, shape])
    with pytest.raises(TypeCheckError):
        checked(function)(*in_library(library, bad))


@pytest.mark.parametrize("library", [np, torch])
def test_signatures_hold_for_single_rows_and_for_dropout(library):
    (rows,) = in_library(library, (ROWS,))
    for function in (measures.entropy_bits, measures.jacobian_norm, measures.softmax_jacobian):
        checked(function)(rows[0])
    rng = np.random.default_rng(0)
    for training in (True, False):
        checked(dropout.dropout)(rows, 0.5, rng, training=training)
    with pytest.raises(TypeCheckError):
        checked(dropout.dropout)(rows > 0, 0.5, rng, training=True)


def test_fixed_tables_have_the_shapes_they_say():
    checked(tables.convolution_table)(4, 2)
    checked(tables.recurrence_table)(4)
    with pytest.raises(TypeCheckError):
        checked(tables.recurrence_table)(4.0)


def test_every_public_function_has_a_case_here():
    public = {
        name
        for module in (measures, tables, dropout)
        for name, thing in vars(module).items()
        if inspect.isfunction(thing)
        and thing.__module__ == module.__name__
        and not name.startswith("_")
    }
    elsewhere = {"ulps_between", "convolution_table", "recurrence_table", "dropout"}
    assert public - elsewhere == set(CASES)


@pytest.mark.parametrize("function", [*CASES, "dropout"])
def test_no_argument_is_written_to(function):
    """NumPy's arrays are read-only here; torch's are compared, with the count of their writes."""
    called, good = CASES[function][:2] if function in CASES else (dropped, (ROWS, 0.5))
    frozen = [x.copy() if isinstance(x, np.ndarray) else x for x in good]
    for array in frozen:
        if isinstance(array, np.ndarray):
            array.setflags(write=False)
    called(*frozen)
    tensors = in_library(torch, good)
    called(*tensors)
    for before, after in zip(good, tensors, strict=True):
        if isinstance(after, torch.Tensor):
            assert after._version == 0
            assert np.array_equal(before, after)


@pytest.mark.parametrize("name", ["entropy_bits", "softmax_jacobian", "jacobian_norm"])
def test_numpy_reports_nothing_but_underflow_if_asked_to(name):
    """Whatever the shares: tiny ones, missing ones, one alone."""
    with np.errstate(all="raise", under="ignore"):
        for row in ([1.0], [1.0, 0.0], [1.0, 5e-324], [0.5, 0.5], [1e-200, 1.0, 1e-300]):
            getattr(measures, name)(np.array(row))
