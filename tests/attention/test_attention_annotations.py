"""The shapes in the signatures of costs, gradients and graphs hold at run time."""

import inspect

import numpy as np
import pytest
import torch
from beartype import beartype
from jaxtyping import TypeCheckError, jaxtyped

from attention import (
    adam,
    banded,
    blocks,
    cache,
    costs,
    gradient,
    graph,
    handmade,
    karate,
    learners,
    models,
)

pytestmark = pytest.mark.filterwarnings("error")

RNG = np.random.default_rng(0)
QUERY, KEY, VALUE = RNG.normal(size=(3, 2)), RNG.normal(size=(4, 2)), RNG.normal(size=(4, 5))
SHARES, UP = np.full((3, 4), 0.25), np.ones((3, 5))
PART = blocks.Part(np.zeros((3, 1)), np.ones((3, 1)), UP)
EDGES = np.array([[0, 1]])
E6 = models.draw_weights("E6", [0])
NUMBERS = {name: w[0].numpy() for name, w in E6.items()}
ROWS = np.array([[1, 10, 24, 2]])
EMPTY = cache.empty_cache(E6, 1)
TAPE = handmade.forward(NUMBERS, ROWS[:, :-1])
LEARNER = learners.draw_weights("band", 2, [0])
TOKENS = torch.ones(1, 1, 3, dtype=torch.long)
CLUB = karate.draw_weights(34, [0])

# a public function, arguments that fit, the same with one shape that does not
CASES = [
    (blocks.blockwise, (QUERY, KEY, VALUE), (QUERY[0], KEY, VALUE)),
    (blocks.merge, (PART, PART), (UP, PART)),
    (banded.attend_band, (KEY, KEY, VALUE, 1), (KEY, KEY[:3], VALUE, 1)),
    (gradient.softmax_backward, (SHARES, SHARES), (SHARES, UP)),
    (gradient.attend_backward, (QUERY, KEY, VALUE, SHARES, UP), (QUERY, KEY, VALUE, SHARES, KEY)),
    (gradient.linear_backward, (QUERY, KEY.T, SHARES), (QUERY, KEY, SHARES)),
    (gradient.standardise, (VALUE,), (VALUE > 0,)),
    (gradient.norm_backward, (VALUE, VALUE[0], VALUE), (VALUE, KEY[0], VALUE)),
    (gradient.relu_backward, (UP, UP), (UP, UP[0])),
    (gradient.cross_entropy_backward, (UP, ROWS[0, :3] % 5, UP[:, 0]), (UP, ROWS[0], UP[:, 0])),
    (handmade.forward, (NUMBERS, ROWS), (NUMBERS, ROWS[0])),
    (handmade.loss_and_gradients, (NUMBERS, ROWS), (NUMBERS, ROWS[0])),
    (handmade.backward, (NUMBERS, ROWS[:, :-1], TAPE, TAPE.logits), (NUMBERS, ROWS, TAPE, UP)),
    (adam.start, (NUMBERS,), (ROWS,)),
    (adam.adam, (adam.start(NUMBERS), NUMBERS, 1, 0.1), (NUMBERS, NUMBERS, 1, 0.1)),
    (handmade.fit_by_hand, (0, ROWS, 1), (0, ROWS[0], 1)),
    (cache.empty_cache, (E6, 2), (E6, 2.0)),
    (cache.step, (E6, EMPTY, TOKENS[0, :, :1]), (E6, EMPTY, TOKENS)),
    (cache.generate, (E6, 2, RNG), (E6, 2, 0)),
    (cache.choose, (torch.zeros(2, 25), torch.zeros(2)), (torch.zeros(2, 25), torch.zeros(3))),
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
    (learners.logits, ("band", LEARNER, TOKENS, TOKENS), ("band", LEARNER, TOKENS, TOKENS[0])),
]


@pytest.mark.parametrize(
    ("function", "good", "bad"), CASES, ids=lambda x: getattr(x, "__name__", "")
)
def test_signatures_accept_what_fits_and_refuse_what_does_not(function, good, bad):
    checked = jaxtyped(typechecker=beartype)(function)
    checked(*good)
    with pytest.raises(TypeCheckError):
        checked(*bad)


@pytest.mark.parametrize("module", [adam, blocks, banded, cache, gradient, handmade])
def test_every_public_function_has_a_case_here(module):
    public = {
        thing
        for name, thing in vars(module).items()
        if inspect.isfunction(thing) and thing.__module__ == module.__name__ and name[0] != "_"
    }
    assert public <= {function for function, *_ in CASES}
