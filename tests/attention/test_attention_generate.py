"""Names that a model writes: drawn from its own probabilities, and judged by the grammar."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attention.models.e6 import e6
from attention.models.generate import choose, generate, possible
from attention.models.kinds import KINDS, Kind, draw_weights
from attention.names.grammar import BOS, EOS, PAD, POSITIONS, TOKENS, automaton, draw, encode
from attention.runs.trained import trained, trained_seeds


@pytest.fixture(scope="module")
def weights():
    return draw_weights("E6", [4])


def probabilities(weights, tokens):
    """The softmax over what can be written."""
    logits = e6(weights, torch.tensor(tokens)[None]).logits[0, :, -1]
    logits[:, [PAD, BOS]] = -torch.inf
    return logits.softmax(-1).numpy()


def test_first_letters_come_as_often_as_the_model_says(weights):
    rows = generate("E6", weights, 20_000, np.random.default_rng(1))
    wanted = probabilities(weights, np.array([[BOS]]))[0]
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

    def exact(_, tokens):
        state = np.zeros((len(tokens[0]), tokens.shape[-1]), int)
        for i in range(1, tokens.shape[-1]):
            state[:, i] = following[state[:, i - 1], tokens[0, :, i]]
        return torch.tensor(law[state]).log()[None]

    monkeypatch.setitem(KINDS, "exact", Kind({}, 0.0, exact))
    written = generate("exact", {}, 500, np.random.default_rng(5))
    np.testing.assert_array_equal(written, draw(500, np.random.default_rng(5)))


@given(st.integers(0, 10**6))
def test_each_token_is_chosen_on_its_own_stretch(seed):
    rng = np.random.default_rng(seed)
    logits = torch.tensor(rng.normal(size=25) * 3.0)
    chances = logits.clone()
    chances[[PAD, BOS]] = -torch.inf
    likely = chances.softmax(-1).numpy()
    edges = np.cumsum(likely)
    for token in range(EOS, 25):
        middle = torch.tensor(edges[token] - likely[token] / 2)
        assert int(choose(logits, middle)) == token


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
        generate("E6", draw_weights("E6", [0, 1]), 1, np.random.default_rng(0))


def test_the_recorded_run_is_one_of_the_recorded_seeds():
    single, seeds = trained("E6"), trained_seeds("E6")
    for name, w in single.items():
        room = 1e-6 if name == "key.bias" else 1e-9  # its gradient is rounding
        np.testing.assert_allclose(seeds[name][:1], w, rtol=0, atol=room, err_msg=name)
    assert len(seeds["token"]) == 10
    assert seeds["position"].shape[1] == POSITIONS
