"""Bad input: the error's kind, and the caller's own names, shapes and places in it."""

import numpy as np
import pytest
import torch

from attention import (
    attend,
    band,
    blockwise,
    both,
    causal,
    context_vector,
    context_vectors,
    either,
    from_edges,
    mix,
    padding,
    scores,
    softmax,
)

pytestmark = pytest.mark.filterwarnings("error")


def zeros(*shape):
    return np.zeros(shape)


def yes(*shape):
    return np.ones(shape, dtype=bool)


def without(shape, *cells):
    mask = yes(*shape)
    for cell in cells:
        mask[cell] = False
    return mask


def holding(value, place, *shape):
    array = zeros(*shape)
    array[place] = value
    return array


INF, NAN = np.inf, np.nan
OK = (zeros(4, 3), zeros(5, 3), zeros(5, 2))

VALUE_ERRORS = [
    # widths and lengths
    (
        scores,
        (zeros(4, 3), zeros(5, 2)),
        r"^query has width 3 but key has width 2: query \(4, 3\), key \(5, 2\)$",
    ),
    (
        attend,
        (zeros(4, 3), zeros(5, 2), zeros(5, 2)),
        r"^query has width 3 but key has width 2: query \(4, 3\), key \(5, 2\)$",
    ),
    (
        attend,
        (zeros(4, 3), zeros(5, 3), zeros(4, 3)),
        r"^key has length 5 but value has length 4: key \(5, 3\), value \(4, 3\)$",
    ),
    (
        blockwise,
        (zeros(4, 3), zeros(5, 3), zeros(6, 7)),
        r"^key has length 5 but value has length 6: key \(5, 3\), value \(6, 7\)$",
    ),
    (
        context_vector,
        (zeros(4), zeros(3, 2)),
        r"^weights has length 4 but inputs has length 3: weights \(4,\), inputs \(3, 2\)$",
    ),
    (
        context_vectors,
        (zeros(3, 5), zeros(3, 2)),
        r"^weights has length 5 but inputs has length 3: weights \(3, 5\), inputs \(3, 2\)$",
    ),
    (
        mix,
        (zeros(2, 3, 5), zeros(2, 3, 2)),
        r"^weights has length 5 but inputs has length 3: weights \(2, 3, 5\), inputs \(2, 3, 2\)$",
    ),
    (scores, (zeros(4, 0), zeros(5, 0)), r"^key has width 0: key \(5, 0\)$"),
    (attend, (zeros(4, 0), zeros(5, 0), zeros(5, 2)), r"^key has width 0: key \(5, 0\)$"),
    (scores, (zeros(4, 3), zeros(0, 3)), r"^key has length 0: key \(0, 3\)$"),
    (attend, (zeros(4, 3), zeros(0, 3), zeros(0, 2)), r"^key has length 0: key \(0, 3\)$"),
    (softmax, (zeros(4, 0),), r"^scores has row length 0: scores \(4, 0\)$"),
    (context_vector, (zeros(0), zeros(0, 2)), r"^inputs has length 0: inputs \(0, 2\)$"),
    (context_vectors, (zeros(3, 0), zeros(0, 2)), r"^inputs has length 0: inputs \(0, 2\)$"),
    (context_vectors, (zeros(0, 3), zeros(3, 2)), r"^weights has length 0: weights \(0, 3\)$"),
    (mix, (zeros(3, 0), zeros(0, 2)), r"^inputs has length 0: inputs \(0, 2\)$"),
    # axes
    (softmax, (zeros(),), r"^scores needs at least 1 axis \(keys\): scores \(\)$"),
    (
        scores,
        (zeros(3), zeros(5, 3)),
        r"^query needs at least 2 axes \(queries, width\): query \(3,\)$",
    ),
    (scores, (zeros(5, 3), zeros(3)), r"^key needs at least 2 axes \(keys, width\): key \(3,\)$"),
    (
        attend,
        (zeros(), zeros(5, 3), zeros(5, 2)),
        r"^query needs at least 2 axes \(queries, width\): query \(\)$",
    ),
    (
        attend,
        (zeros(4, 3), zeros(5, 3), zeros(5)),
        r"^value needs at least 2 axes \(keys, width\): value \(5,\)$",
    ),
    (
        context_vector,
        (zeros(1, 3), zeros(3, 2)),
        r"^weights needs the axes \(keys\): weights \(1, 3\)$",
    ),
    (
        context_vector,
        (zeros(3), zeros(3)),
        r"^inputs needs the axes \(keys, width\): inputs \(3,\)$",
    ),
    (
        context_vectors,
        (zeros(3), zeros(3, 2)),
        r"^weights needs the axes \(queries, keys\): weights \(3,\)$",
    ),
    (
        context_vectors,
        (zeros(2, 3), zeros(1, 3, 2)),
        r"^inputs needs the axes \(keys, width\): inputs \(1, 3, 2\)$",
    ),
    (
        mix,
        (zeros(3), zeros(3, 2)),
        r"^weights needs at least 2 axes \(queries, keys\): weights \(3,\)$",
    ),
    (
        mix,
        (zeros(2, 3), zeros(3)),
        r"^inputs needs at least 2 axes \(keys, width\): inputs \(3,\)$",
    ),
    (
        scores,
        (zeros(2, 4, 3), zeros(3, 5, 3)),
        r"batch axes do not broadcast: query \(2, 4, 3\), key \(3, 5, 3\)$",
    ),
    (
        attend,
        (zeros(4, 3), zeros(2, 5, 3), zeros(3, 5, 2)),
        r"batch axes do not broadcast: query \(4, 3\), key \(2, 5, 3\), value \(3, 5, 2\)$",
    ),
    (
        mix,
        (zeros(2, 4, 3), zeros(5, 3, 2)),
        r"batch axes do not broadcast: weights \(2, 4, 3\), inputs \(5, 3, 2\)$",
    ),
    # masks
    (
        softmax,
        (zeros(4, 5), yes(5, 4)),
        r"^allowed \(5, 4\) does not broadcast to the scores \(4, 5\)$",
    ),
    (
        softmax,
        (zeros(4, 5), yes(2, 4, 5)),
        r"^allowed \(2, 4, 5\) does not broadcast to the scores \(4, 5\)$",
    ),
    (
        softmax,
        (zeros(4, 5), yes(5)),
        r"^allowed needs at least 2 axes \(queries, keys\): allowed \(5,\)$",
    ),
    (softmax, (zeros(5), yes()), r"^allowed needs at least 1 axis \(keys\): allowed \(\)$"),
    (softmax, (zeros(5), yes(4)), r"^allowed \(4,\) does not broadcast to the scores \(5,\)$"),
    (attend, (*OK, yes(4, 4)), r"^allowed \(4, 4\) does not broadcast to the scores \(4, 5\)$"),
    (attend, (*OK, yes(5)), r"^allowed needs at least 2 axes \(queries, keys\): allowed \(5,\)$"),
    # nothing allowed
    (
        softmax,
        (zeros(2, 3, 4), without((2, 3, 4), (1, 2))),
        r"^row \(1, 2\) of allowed has no key to attend to: allowed \(2, 3, 4\)$",
    ),
    (
        softmax,
        (zeros(3, 4), without((3, 4), 1)),
        r"^row 1 of allowed has no key to attend to: allowed \(3, 4\)$",
    ),
    (
        softmax,
        (zeros(4), without((4,), slice(None))),
        r"^allowed has no key to attend to: allowed \(4,\)$",
    ),
    (
        attend,
        (*OK, without((4, 5), 3)),
        r"^row 3 of allowed has no key to attend to: allowed \(4, 5\)$",
    ),
    (attend, (*OK, causal(4, 5) & False), r"^row 0 of allowed has no key"),
    # numbers that are none
    (
        softmax,
        (holding(NAN, (1, 2), 3, 4),),
        r"^the score at \(1, 2\) is nan and its key is allowed: scores \(3, 4\)$",
    ),
    (
        softmax,
        (holding(NAN, 2, 4),),
        r"^the score at 2 is nan and its key is allowed: scores \(4,\)$",
    ),
    (
        softmax,
        (holding(INF, (2, 0), 3, 4), without((3, 4), (0, 1))),
        r"^the score at \(2, 0\) is inf and its key is allowed: scores \(3, 4\)$",
    ),
    (
        softmax,
        (holding(-INF, 1, 3, 4),),
        r"^row 1 of the scores holds only -inf where a key is allowed: scores \(3, 4\)$",
    ),
    (
        softmax,
        (holding(-INF, (0, 1), 2, 3), np.array([[False, True, False]] * 2)),
        r"^row 0 of the scores holds only -inf where",
    ),
    (
        softmax,
        (np.full(4, -INF),),
        r"^the row of scores holds only -inf where a key is allowed: scores \(4,\)$",
    ),
    (
        attend,
        (holding(NAN, (1, 2), 4, 3), *OK[1:]),
        r"^query holds nan at \(1, 2\): query \(4, 3\)$",
    ),
    (
        attend,
        (holding(-INF, (3, 0), 4, 3), *OK[1:], yes(4, 5)),
        r"^query holds -inf at \(3, 0\): query \(4, 3\)$",
    ),
    (
        attend,
        (OK[0], holding(INF, (4, 1), 5, 3), OK[2]),
        r"^key holds inf at \(4, 1\): key \(5, 3\)$",
    ),
    (
        attend,
        (OK[0], holding(NAN, (4, 1), 5, 3), OK[2], causal(4, 5)),
        r"^key holds nan at \(4, 1\) and a query may attend to it: key \(5, 3\)$",
    ),
    (
        attend,
        (np.full((4, 3), 1e200), np.full((5, 3), 1e200), OK[2]),
        r"^the score at \(0, 0\) is inf and its key is allowed: scores \(4, 5\)$",
    ),
    # scale
    (scores, (*OK[:2], NAN), r"^scale is nan: it multiplies every score, so it must be finite$"),
    (attend, (*OK, None, INF), r"^scale is inf: it multiplies"),
]

TYPE_ERRORS = [
    (softmax, ([[0.0, 1.0]],), r"^scores is a list: use np\.array\(\.\.\.\) or torch\.tensor"),
    (softmax, (1.0,), r"^scores is a float: use np\.array"),
    (softmax, (np.zeros((2, 3), int),), r"^scores holds int64: floats belong here$"),
    (softmax, (np.zeros((2, 3), bool),), r"^scores holds bool: floats belong here$"),
    (softmax, (np.zeros((2, 3), complex),), r"^scores holds complex128: floats belong here$"),
    (softmax, (torch.zeros((2, 3), dtype=torch.int32),), r"^scores holds torch.int32: floats"),
    (scores, (zeros(4, 3), [[0.0] * 3]), r"^key is a list: use np\.array"),
    (scores, (zeros(4, 3), np.zeros((5, 3), "f4")), r"^query holds float64 but key holds float32$"),
    (scores, (zeros(4, 3), torch.zeros(5, 3)), r"^query is a ndarray but key is a Tensor: use one"),
    (attend, (*OK[:2], torch.zeros(5, 2)), r"^query is a ndarray but value is a Tensor: use one"),
    (attend, (*OK[:2], np.zeros((5, 2), int)), r"^value holds int64: floats belong here$"),
    (mix, (np.ones((2, 3), int), zeros(3, 2)), r"^weights holds int64: floats belong here$"),
    (context_vector, ([0.5, 0.5], zeros(2, 2)), r"^weights is a list: use np\.array"),
    (context_vectors, (zeros(2, 2), np.zeros((2, 2), "f4")), r"^weights holds float64 but inputs"),
    (
        softmax,
        (zeros(4, 5), np.ones((4, 5))),
        r"^allowed holds float64, not bool: True = may attend",
    ),
    (softmax, (zeros(4, 5), np.ones((4, 5), int)), r"^allowed holds int64, not bool: True = may"),
    (softmax, (torch.zeros(1, 1), torch.ones(1, 1)), r"^allowed holds torch.float32, not bool"),
    (softmax, (zeros(1, 2), [[True, False]]), r"^allowed is a list: use np\.array"),
    (
        softmax,
        (zeros(1, 2), torch.ones(1, 2) > 0),
        r"^the scores are NumPy's but allowed is a Tensor",
    ),
    (attend, (*OK, torch.ones(4, 5) > 0), r"^the scores are NumPy's but allowed is a Tensor"),
]

MASK_ERRORS = [
    (causal, (0,), ValueError, r"^n_queries is 0: it must be at least 1$"),
    (causal, (2, -1), ValueError, r"^n_keys is -1: it must be at least 1$"),
    (causal, (2.0,), TypeError, r"^n_queries is 2\.0: a whole number belongs here$"),
    (band, (0, 1), ValueError, r"^n is 0: it must be at least 1$"),
    (band, (3, -1), ValueError, r"^width is -1: it must be at least 0$"),
    (band, (3, 0.5), TypeError, r"^width is 0\.5: a whole number belongs here$"),
    (padding, ([3, -1], 5), ValueError, r"^lengths\[1\] is -1: a length is between 0 and n = 5$"),
    (padding, (np.array([[3, 6]]), 5), ValueError, r"^lengths\[0, 1\] is 6: a length is between"),
    (padding, (np.array(6), 5), ValueError, r"^lengths is 6: a length is between 0 and n = 5$"),
    (padding, ([1], 0), ValueError, r"^n is 0: it must be at least 1$"),
    (padding, ([1.5], 5), TypeError, r"^lengths holds float64: whole numbers belong here$"),
    (padding, ([True], 5), TypeError, r"^lengths holds bool: whole numbers belong here$"),
    (padding, (torch.tensor([1]), 5), TypeError, r"^lengths is a Tensor: use a NumPy array or"),
    (padding, ([[1], [1, 2]], 5), ValueError, r"^lengths is ragged: \[\[1\], \[1, 2\]\]$"),
    (from_edges, ([(0, 1), (0, 3)], 3), ValueError, r"^edges\[1\] is \(0, 3\): nodes are 0 to 2"),
    (
        from_edges,
        ([(-1, 1)], 3),
        ValueError,
        r"^edges\[0\] is \(-1, 1\): nodes are 0 to 2 \(n = 3\)$",
    ),
    (from_edges, ([(0, 1, 2)], 3), ValueError, r"^edges are pairs .* edges \(1, 3\)$"),
    (from_edges, ([0, 1], 3), ValueError, r"^edges are pairs .* edges \(2,\)$"),
    (from_edges, ([(0, 1.5)], 3), TypeError, r"^edges holds float64: whole numbers belong here$"),
    (from_edges, ({(0, 1)}, 3), TypeError, r"^edges is a set: use a NumPy array or a list$"),
    (from_edges, ([], 0), ValueError, r"^n is 0: it must be at least 1$"),
    (both, (), ValueError, r"^both\(\) needs at least one mask$"),
    (either, (), ValueError, r"^either\(\) needs at least one mask$"),
    (
        both,
        (yes(2, 3), yes(3, 2)),
        ValueError,
        r"do not broadcast: mask 0 \(2, 3\), mask 1 \(3, 2\)$",
    ),
    (
        either,
        (yes(2, 4), yes(3, 4)),
        ValueError,
        r"do not broadcast: mask 0 \(2, 4\), mask 1 \(3, 4\)$",
    ),
    (
        either,
        (yes(3), np.ones(3)),
        TypeError,
        r"^mask 1 holds float64, not bool: True = may attend$",
    ),
    (both, (yes(3), [True] * 3), TypeError, r"^mask 1 is a list: use np\.array"),
    (both, (yes(3), torch.ones(3) > 0), TypeError, r"^mask 0 is a ndarray but mask 1 is a Tensor"),
]


def in_torch(argument):
    return torch.tensor(argument) if isinstance(argument, np.ndarray) else argument


@pytest.mark.parametrize(("function", "arguments", "message"), VALUE_ERRORS)
def test_value_errors_name_shapes_and_places(function, arguments, message):
    with pytest.raises(ValueError, match=message):
        function(*arguments)
    with pytest.raises(ValueError, match=message):
        function(*map(in_torch, arguments))


def test_value_errors_are_the_same_for_a_tensor_that_requires_a_gradient():
    scores_with_nan = torch.tensor([[0.0, NAN]], requires_grad=True)
    with pytest.raises(ValueError, match=r"^the score at \(0, 1\) is nan"):
        softmax(scores_with_nan)
    with pytest.raises(ValueError, match=r"^query holds nan at \(0, 1\)"):
        attend(scores_with_nan, torch.zeros(3, 2), torch.zeros(3, 2))


@pytest.mark.parametrize(("function", "arguments", "message"), TYPE_ERRORS)
def test_type_errors_name_the_dtype(function, arguments, message):
    with pytest.raises(TypeError, match=message):
        function(*arguments)


@pytest.mark.parametrize(("function", "arguments", "error", "message"), MASK_ERRORS)
def test_mask_errors_name_the_callers_numbers(function, arguments, error, message):
    with pytest.raises(error, match=message):
        function(*arguments)


def test_a_causal_mask_with_more_queries_than_keys_is_refused_by_attend():
    with pytest.raises(ValueError, match=r"^row 0 of allowed has no key to attend to"):
        attend(zeros(4, 3), zeros(2, 3), zeros(2, 1), causal(4, 2))
