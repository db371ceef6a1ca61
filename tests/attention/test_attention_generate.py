"""Names that a model writes: drawn from its own probabilities, and judged by the grammar."""

import numpy as np
import pytest
import torch

from attention.generate import generate, next_token, possible
from attention.models import draw_weights, e6
from attention.names import BOS, EOS, PAD, POSITIONS, TOKENS, automaton, draw, encode
from attention.trained import trained, trained_seeds


@pytest.fixture(scope="module")
def weights():
    return draw_weights("E6", [4])


def test_next_tokens_are_the_softmax_over_what_can_be_written(weights):
    tokens = encode(["davayis", "mulvesa"])[:, :5]
    logits = e6(weights, torch.tensor(tokens)[None]).logits[0, :, -1]
    logits[:, [PAD, BOS]] = -torch.inf
    given = next_token("E6", weights, tokens)
    np.testing.assert_allclose(given, logits.softmax(-1), rtol=0, atol=1e-14)
    assert (given[:, [PAD, BOS]] == 0).all()


def test_first_letters_come_as_often_as_the_model_says(weights):
    rows = generate("E6", weights, 20_000, np.random.default_rng(1))
    wanted = next_token("E6", weights, np.array([[BOS]]))[0]
    counts = np.bincount(rows[:, 1], minlength=len(TOKENS))
    spread = np.sqrt(20_000 * wanted * (1 - wanted))
    assert (abs(counts - 20_000 * wanted) <= 5 * spread).all()
    assert counts.std() > 100  # an untrained model has its preferences


def test_after_its_end_a_name_is_padding_and_before_it_never(weights):
    rows = generate("E6", weights, 2_000, np.random.default_rng(2))
    assert (rows[:, 0] == BOS).all()
    ended = np.cumsum(rows == EOS, axis=1)
    assert ((rows == PAD) == ((ended > 0) & (rows != EOS))).all()
    assert ended.max() == 1
    assert (ended[:, -1] == 0).any()  # untrained, it often finds no end in time


def test_a_model_that_is_the_grammar_writes_what_the_grammar_draws(monkeypatch):
    law, following = automaton()

    def exact(_, __, tokens):
        state = np.zeros(len(tokens), int)
        for token in tokens.T[1:]:
            state = following[state, token]
        return law[state]

    monkeypatch.setattr("attention.generate.next_token", exact)
    written = generate("E6", {}, 500, np.random.default_rng(5))
    np.testing.assert_array_equal(written, draw(500, np.random.default_rng(5)))


def test_what_is_possible_is_what_the_grammar_gives_a_probability():
    assert possible(draw(2_000, np.random.default_rng(6))).all()
    wrong = ["dddd", "davayi", "k", "ofaeber", "agavr", "davayin"]
    assert possible(encode(wrong)).tolist() == [False] * 5 + [True]
    unfinished = encode(["davayis"])
    unfinished[0, -1] = TOKENS.index("a")
    assert not possible(unfinished).any()


@pytest.mark.parametrize("count", [0, 1.5])
def test_a_wrong_count_is_named(weights, count):
    with pytest.raises((TypeError, ValueError), match="count"):
        generate("E6", weights, count, np.random.default_rng(0))


def test_several_models_are_refused():
    with pytest.raises(ValueError, match="models"):
        next_token("E6", draw_weights("E6", [0, 1]), np.array([[BOS]]))


def test_the_recorded_run_is_one_of_the_recorded_seeds():
    single, seeds = trained("E6"), trained_seeds("E6")
    for name, w in single.items():
        room = 1e-6 if name == "key.bias" else 1e-9  # its gradient is rounding
        np.testing.assert_allclose(seeds[name][:1], w, rtol=0, atol=room, err_msg=name)
    assert len(seeds["token"]) == 10
    assert seeds["position"].shape[1] == POSITIONS
