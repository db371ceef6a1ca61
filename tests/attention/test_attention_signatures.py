"""The shapes in the signatures hold at run time, and no argument is written to."""

import inspect

import numpy as np
import pytest
import torch
from beartype import beartype
from jaxtyping import Float, TypeCheckError, jaxtyped

import attention
from attention import arguments, banded, blocks, dropout, gradient, masks, measures, tables
from attention.models import adam, cache, costs, e6_by_hand, generate
from attention.models.kinds import draw_weights
from attention.tasks import graph, karate, lookup_models

pytestmark = pytest.mark.filterwarnings("error")


def zeros(*shape):
    return np.zeros(shape)


def yes(*shape):
    return np.ones(shape, dtype=bool)


def dropped(shares, rate):
    return dropout.dropout(shares, rate, np.random.default_rng(0), training=True)


ROWS = np.array([[0.5, 0.25, 0.25], [0.0, 1.0, 0.0]])
X, W = np.eye(2, 3), np.ones((3, 4))
ALLOWED = np.array([[True, False], [True, True]])
BATCH = (zeros(2, 4, 3), zeros(2, 5, 3), zeros(2, 5, 7))
UNEVEN = (zeros(4, 3), zeros(5, 3), zeros(6, 7))

# a public function, arguments that fit, the same with a shape that does not; in either library
BOTH = {
    "softmax": (attention.softmax, (zeros(2, 3, 4), yes(3, 4)), (zeros(2, 3, 4), yes(3, 5))),
    "scores": (
        attention.scores,
        (zeros(2, 1, 4, 3), zeros(5, 6, 3)),
        (zeros(4, 3), zeros(5, 2)),
    ),
    "scores, batch": (
        attention.scores,
        (zeros(2, 4, 3), zeros(2, 6, 3)),
        (zeros(2, 4, 3), zeros(3, 6, 3)),
    ),
    "attend": (attention.attend, (*BATCH, yes(4, 5)), UNEVEN),
    "attend, mask": (
        attention.attend,
        (*BATCH, yes(2, 1, 5)),
        (zeros(4, 3), zeros(5, 3), zeros(5, 7), yes(5, 4)),
    ),
    "blockwise": (attention.blockwise, (*BATCH, yes(4, 5)), UNEVEN),
    "context_vector": (
        attention.context_vector,
        (zeros(3), zeros(3, 2)),
        (zeros(4), zeros(3, 2)),
    ),
    "context_vectors": (
        attention.context_vectors,
        (zeros(5, 3), zeros(3, 2)),
        (zeros(3, 5), zeros(3, 2)),
    ),
    "mix": (attention.mix, (zeros(2, 5, 3), zeros(3, 2)), (zeros(2, 3, 5), zeros(2, 3, 2))),
    "both": (attention.both, (yes(2, 1, 4), yes(3, 4)), (yes(2, 4), yes(3, 4))),
    "either": (attention.either, (yes(2, 1, 4), yes(3, 4)), (yes(2, 4), yes(3, 4))),
    "ulps_between": (attention.ulps_between, (zeros(2, 1), zeros(3)), (zeros(2), zeros(3))),
    "entropy_bits": (measures.entropy_bits, (ROWS,), (ROWS[0, 0],)),
    "softmax_jacobian": (measures.softmax_jacobian, (ROWS,), (ROWS[0, 0],)),
    "jacobian_norm": (measures.jacobian_norm, (ROWS,), (ROWS[0, 0],)),
    "total_variation": (measures.total_variation, (ROWS, ROWS[:1]), (ROWS, np.eye(2))),
    "attention_table": (tables.attention_table, (X, W, W, ALLOWED), (X, W, W.T)),
    "dropout_problems": (dropout.dropout_problems, (ROWS, X[0], 0.0), (ROWS > 0, ROWS, 0.0)),
}

RNG = np.random.default_rng(0)
QUERY, KEY, VALUE = RNG.normal(size=(3, 2)), RNG.normal(size=(4, 2)), RNG.normal(size=(4, 5))
SHARES, UP = np.full((3, 4), 0.25), np.ones((3, 5))
PART = blocks.Part(np.zeros((3, 1)), np.ones((3, 1)), UP)
EDGES = np.array([[0, 1]])
E6 = draw_weights("E6", [0])
NUMBERS = {name: w[0].numpy() for name, w in E6.items()}
NAMES = np.array([[1, 10, 24, 2]])
EMPTY = cache.empty_cache(E6, 1)
TAPE = e6_by_hand.forward(NUMBERS, NAMES[:, :-1])
LEARNER = lookup_models.draw_weights("band", 2, [0])
TOKENS = torch.ones(1, 1, 3, dtype=torch.long)
CLUB = karate.draw_weights(34, [0])

# the same, for NumPy alone or torch alone
ONE = [
    (attention.from_edges, (np.array([[0, 1]]), 2), (np.array([[0, 1, 1]]), 2)),
    (attention.causal, (3, 5), (3.0,)),
    (attention.band, (4, 1), (4, 1.0)),
    (attention.padding, (np.array([[1, 2]]), 3), (np.array([1.5]), 3)),
    (tables.convolution_table, (4, 2), (4, 2.0)),
    (tables.recurrence_table, (4,), (4.0,)),
    (blocks.merge, (PART, PART), (UP, PART)),
    (banded.attend_band, (KEY, KEY, VALUE, 1), (KEY, KEY[:3], VALUE, 1)),
    (gradient.softmax_backward, (SHARES, SHARES), (SHARES, UP)),
    (gradient.attend_backward, (QUERY, KEY, VALUE, SHARES, UP), (QUERY, KEY, VALUE, SHARES, KEY)),
    (gradient.linear_backward, (QUERY, KEY.T, SHARES), (QUERY, KEY, SHARES)),
    (gradient.standardise, (VALUE,), (VALUE > 0,)),
    (gradient.norm_backward, (VALUE, VALUE[0], VALUE), (VALUE, KEY[0], VALUE)),
    (gradient.relu_backward, (UP, UP), (UP, UP[0])),
    (gradient.cross_entropy_backward, (UP, NAMES[0, :3] % 5, UP[:, 0]), (UP, NAMES[0], UP[:, 0])),
    (e6_by_hand.forward, (NUMBERS, NAMES), (NUMBERS, NAMES[0])),
    (e6_by_hand.loss_and_gradients, (NUMBERS, NAMES), (NUMBERS, NAMES[0])),
    (e6_by_hand.backward, (NUMBERS, NAMES[:, :-1], TAPE, TAPE.logits), (NUMBERS, NAMES, TAPE, UP)),
    (adam.start, (NUMBERS,), (NAMES,)),
    (adam.adam, (adam.start(NUMBERS), NUMBERS, 1, 0.1), (NUMBERS, NUMBERS, 1, 0.1)),
    (e6_by_hand.fit_by_hand, (0, NAMES, 1), (0, NAMES[0], 1)),
    (cache.empty_cache, (E6, 2), (E6, 2.0)),
    (cache.step, (E6, EMPTY, TOKENS[0, :, :1]), (E6, EMPTY, TOKENS)),
    (cache.generate, (E6, 2, RNG), (E6, 2, 0)),
    (generate.choose, (torch.zeros(2, 25), torch.zeros(2)), (torch.zeros(2, 25), torch.zeros(3))),
    (costs.path_length, (np.eye(2) > 0,), (np.eye(2),)),
    (costs.power_law, (VALUE[0] ** 2, UP[0]), (VALUE[0] ** 2, UP)),
    (graph.neighbours, (EDGES, 3), (EDGES[0], 3)),
    (graph.dropped, (EDGES, 0.5, RNG), (EDGES[0], 0.5, RNG)),
    (graph.rewired, (graph.karate().edges, 1, RNG), (EDGES[0], 1, RNG)),
    (
        karate.layer,
        ("mean", CLUB, np.ones((34, 34), bool)),
        ("mean", CLUB, np.ones((34, 33), bool)),
    ),
    (lookup_models.logits, ("band", LEARNER, TOKENS, TOKENS), ("band", LEARNER, TOKENS, TOKENS[0])),
]


def in_library(library, arguments):
    if library is np:
        return arguments
    return [torch.tensor(x) if isinstance(x, np.ndarray) else x for x in arguments]


def checked(function):
    return jaxtyped(typechecker=beartype)(function)


@pytest.mark.parametrize("library", [np, torch])
@pytest.mark.parametrize("name", BOTH)
def test_signatures_accept_what_fits_and_refuse_what_does_not(name, library):
    function, good, bad = BOTH[name]
    checked(function)(*in_library(library, good))
    with pytest.raises(TypeCheckError):
        checked(function)(*in_library(library, bad))


@pytest.mark.parametrize(("function", "good", "bad"), ONE, ids=lambda x: getattr(x, "__name__", ""))
def test_signatures_of_one_library_do_so_too(function, good, bad):
    checked(function)(*good)
    with pytest.raises(TypeCheckError):
        checked(function)(*bad)


@pytest.mark.parametrize("library", [np, torch])
def test_signatures_hold_for_optional_arguments_and_single_rows(library):
    query, key, value, rows = in_library(library, (zeros(4, 3), zeros(5, 3), zeros(5, 2), ROWS))
    attend = checked(attention.attend)
    output, shares = attend(query, key, value, scale=1.0)
    assert isinstance(output, Float[arguments.Array, "4 2"])
    assert isinstance(shares, Float[arguments.Array, "4 5"])
    attend(query, key, value, np.ones((1, 5), bool))
    with pytest.raises(TypeCheckError):
        attend(query, key, value, np.ones((4, 5)))
    checked(attention.softmax)(query)
    for function in (
        attention.softmax,
        measures.entropy_bits,
        measures.jacobian_norm,
        measures.softmax_jacobian,
    ):
        checked(function)(rows[0])


@pytest.mark.parametrize("library", [np, torch])
def test_the_signature_of_dropout_holds(library):
    (rows,) = in_library(library, (ROWS,))
    for training in (True, False):
        checked(dropout.dropout)(rows, 0.5, RNG, training=training)
    with pytest.raises(TypeCheckError):
        checked(dropout.dropout)(rows > 0, 0.5, RNG, training=True)


def test_numbers_and_lists_fit_where_they_may_stand():
    checked(attention.ulps_between)(0.1, 0.1)
    checked(attention.causal)(3)
    checked(attention.padding)([1, 2], 3)
    checked(attention.from_edges)([(0, 1)], 2)


@pytest.mark.parametrize(
    "module",
    [
        attention,
        adam,
        banded,
        blocks,
        cache,
        dropout,
        gradient,
        e6_by_hand,
        masks,
        measures,
        tables,
    ],
)
def test_every_public_function_has_a_case_here(module):
    here = vars(module) if module is not attention else dict.fromkeys(attention.__all__)
    public = {
        thing
        for name in here
        if inspect.isfunction(thing := getattr(module, name))
        and (module is attention or thing.__module__ == module.__name__)
        and name[0] != "_"
    }
    cases = {function for function, *_ in [*BOTH.values(), *ONE]} | {dropout.dropout}
    assert public
    assert public <= cases


@pytest.mark.parametrize("function", [*BOTH, "dropout"])
def test_no_argument_is_written_to(function):
    """NumPy's arrays are read-only here; torch's are compared, with the count of their writes."""
    called, good = BOTH[function][:2] if function in BOTH else (dropped, (ROWS, 0.5))
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
