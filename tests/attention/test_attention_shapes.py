"""The shapes in the signatures hold at run time, and a wrong shape raises our own message."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from beartype import beartype
from jaxtyping import Float, TypeCheckError, jaxtyped

import attention

pytestmark = pytest.mark.filterwarnings("error")


class Case(NamedTuple):
    """A public function, arguments that fit, arguments that do not, and what it says to them."""

    function: Callable[..., Any]
    good: tuple[Any, ...]
    bad: tuple[Any, ...]
    message: str


def zeros(*shape):
    return np.zeros(shape)


def yes(*shape):
    return np.ones(shape, dtype=bool)


CASES = {
    "softmax": Case(
        attention.softmax,
        (zeros(2, 3, 4), yes(3, 4)),
        (zeros(2, 3, 4), yes(3, 5)),
        r"allowed \(3, 5\) does not broadcast to the scores \(2, 3, 4\)",
    ),
    "scores": Case(
        attention.scores,
        (zeros(2, 1, 4, 3), zeros(5, 6, 3)),
        (zeros(4, 3), zeros(5, 2)),
        r"query has width 3 but key has width 2: query \(4, 3\), key \(5, 2\)",
    ),
    "scores, batch": Case(
        attention.scores,
        (zeros(2, 4, 3), zeros(2, 6, 3)),
        (zeros(2, 4, 3), zeros(3, 6, 3)),
        r"batch axes do not broadcast: query \(2, 4, 3\), key \(3, 6, 3\)",
    ),
    "attend": Case(
        attention.attend,
        (zeros(2, 4, 3), zeros(2, 5, 3), zeros(2, 5, 7), yes(4, 5)),
        (zeros(4, 3), zeros(5, 3), zeros(6, 7)),
        r"key has length 5 but value has length 6: key \(5, 3\), value \(6, 7\)",
    ),
    "blockwise": Case(
        attention.blockwise,
        (zeros(2, 4, 3), zeros(2, 5, 3), zeros(2, 5, 7), yes(4, 5)),
        (zeros(4, 3), zeros(5, 3), zeros(6, 7)),
        r"key has length 5 but value has length 6: key \(5, 3\), value \(6, 7\)",
    ),
    "attend, mask": Case(
        attention.attend,
        (zeros(2, 4, 3), zeros(2, 5, 3), zeros(2, 5, 7), yes(2, 1, 5)),
        (zeros(4, 3), zeros(5, 3), zeros(5, 7), yes(5, 4)),
        r"allowed \(5, 4\) does not broadcast to the scores \(4, 5\)",
    ),
    "context_vector": Case(
        attention.context_vector,
        (zeros(3), zeros(3, 2)),
        (zeros(4), zeros(3, 2)),
        r"weights has length 4 but inputs has length 3: weights \(4,\), inputs \(3, 2\)",
    ),
    "context_vectors": Case(
        attention.context_vectors,
        (zeros(5, 3), zeros(3, 2)),
        (zeros(3, 5), zeros(3, 2)),
        r"weights has length 5 but inputs has length 3: weights \(3, 5\), inputs \(3, 2\)",
    ),
    "mix": Case(
        attention.mix,
        (zeros(2, 5, 3), zeros(3, 2)),
        (zeros(2, 3, 5), zeros(2, 3, 2)),
        r"weights has length 5 but inputs has length 3: weights \(2, 3, 5\), inputs \(2, 3, 2\)",
    ),
    "both": Case(
        attention.both,
        (yes(2, 1, 4), yes(3, 4)),
        (yes(2, 4), yes(3, 4)),
        r"do not broadcast: mask 0 \(2, 4\), mask 1 \(3, 4\)",
    ),
    "either": Case(
        attention.either,
        (yes(2, 1, 4), yes(3, 4)),
        (yes(2, 4), yes(3, 4)),
        r"do not broadcast: mask 0 \(2, 4\), mask 1 \(3, 4\)",
    ),
    "ulps_between": Case(
        attention.ulps_between,
        (zeros(2, 1), zeros(3)),
        (zeros(2), zeros(3)),
        r"do not broadcast: a \(2,\), b \(3,\)",
    ),
    "from_edges": Case(
        attention.from_edges,
        (np.array([[0, 1]]), 2),
        (np.array([[0, 1, 1]]), 2),
        r"edges are pairs \(query, key\), of shape \(edges, 2\): edges \(1, 3\)",
    ),
}
NUMPY_ONLY = {"from_edges"}


def in_library(library, arguments):
    if library is np:
        return arguments
    return [torch.tensor(x) if isinstance(x, np.ndarray) else x for x in arguments]


def checked(function):
    return jaxtyped(typechecker=beartype)(function)


@pytest.mark.parametrize(
    ("name", "library"),
    [(name, np) for name in CASES] + [(name, torch) for name in CASES if name not in NUMPY_ONLY],
)
def test_signatures_accept_what_fits_and_refuse_what_does_not(name, library):
    case = CASES[name]
    checked(case.function)(*in_library(library, case.good))
    with pytest.raises(TypeCheckError):
        checked(case.function)(*in_library(library, case.bad))
    with pytest.raises(ValueError, match=case.message):
        case.function(*in_library(library, case.bad))


@pytest.mark.parametrize("library", [np, torch])
def test_signatures_hold_for_optional_arguments(library):
    query, key, value = in_library(library, (zeros(4, 3), zeros(5, 3), zeros(5, 2)))
    attend = checked(attention.attend)
    output, shares = attend(query, key, value, scale=1.0)
    assert isinstance(output, Float[attention.checks.Array, "4 2"])
    assert isinstance(shares, Float[attention.checks.Array, "4 5"])
    attend(query, key, value, np.ones((1, 5), bool))
    checked(attention.softmax)(query)
    checked(attention.softmax)(query[0])
    checked(attention.ulps_between)(query, query)
    checked(attention.ulps_between)(0.1, 0.1)
    with pytest.raises(TypeCheckError):
        attend(query, key, value, np.ones((4, 5)))


def test_masks_have_the_shapes_they_say():
    checked(attention.causal)(3)
    checked(attention.causal)(3, 5)
    checked(attention.band)(4, 1)
    checked(attention.padding)(np.array([[1, 2]]), 3)
    checked(attention.padding)([1, 2], 3)
    checked(attention.from_edges)([(0, 1)], 2)
    with pytest.raises(TypeCheckError):
        checked(attention.padding)(np.array([1.5]), 3)
    with pytest.raises(TypeCheckError):
        checked(attention.causal)(3.0)


def test_every_public_function_has_a_case_here():
    functions = {
        name for name in attention.__all__ if type(getattr(attention, name)).__name__ == "function"
    }
    assert functions - {"causal", "band", "padding"} == {
        case.function.__name__ for case in CASES.values()
    }
