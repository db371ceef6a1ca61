"""Edits of a trained E6: what they change, what they leave, and where the rules are asked for."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attention.masks import causal
from attention.models import interventions as edit
from attention.models.e6 import e6, resume
from attention.models.fitting import losses
from attention.models.kinds import draw_weights
from attention.names.corpus import corpus
from attention.names.grammar import EOS, PAD, POSITIONS, TOKENS, decode, draw, encode, exact_law

NAMES = ["davayis", "mulves", "gamolot", "davas"]
CHANGES = {
    "zero": edit.zero,
    "uniform": edit.uniform,
    "average": edit.average,
    "borrowed": edit.borrowed,
    "permuted": edit.permuted(np.random.default_rng(3)),
}


@pytest.fixture(scope="module")
def models():
    """Two untrained models whose every weight has moved, so that heads differ and biases count."""
    rng = np.random.default_rng(8)
    return {
        name: w + torch.tensor(rng.normal(size=tuple(w.shape), scale=0.4))
        for name, w in draw_weights("E6", [0, 1]).items()
    }


def traced(weights, names=NAMES):
    tokens = torch.tensor(encode(names))[None, :, :-1].expand(len(weights["token"]), -1, -1)
    return e6(weights, tokens)


def test_resuming_with_nothing_changed_is_the_model_itself(models):
    trace = traced(models)
    for again in (resume(models, trace), resume(models, trace, shares=trace.shares.clone())):
        for part, was in zip(again, trace, strict=True):
            torch.testing.assert_close(part, was, rtol=0, atol=1e-12)


def test_an_edited_value_moves_outputs_by_share_times_edit_and_leaves_the_shares(models):
    trace = traced(models)
    value = trace.value.clone()
    value[:, :, 1, 2, 5] += 3.0
    after = resume(models, trace, value=value)
    assert torch.equal(after.shares, trace.shares)
    moved = after.mixed - trace.mixed
    torch.testing.assert_close(moved[:, :, 1, :, 5], 3.0 * trace.shares[:, :, 1, :, 2])
    assert not moved[:, :, 0].any()
    assert not moved[:, :, 1, :, :5].any()
    assert not torch.allclose(after.logits[:, :, 2:], trace.logits[:, :, 2:])
    torch.testing.assert_close(after.logits[:, :, :2], trace.logits[:, :, :2], rtol=0, atol=1e-12)


@pytest.mark.parametrize("what", ["shares", "value"])
def test_an_edit_of_another_shape_names_both(models, what):
    trace = traced(models)
    wrong = getattr(trace, what)[..., :-1]
    with pytest.raises(ValueError, match=rf"{what} \(.*\) must have the trace's shape \("):
        resume(models, trace, **{what: wrong})


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_keeps_the_shape_looks_never_ahead_and_leaves_its_input(models, name):
    shares = traced(models).shares
    before = shares.clone()
    changed = CHANGES[name](shares)
    assert torch.equal(shares, before)
    assert changed.shape == shares.shape
    assert not changed[..., ~torch.tensor(causal(POSITIONS))].any()
    sums = torch.zeros(()) if name == "zero" else torch.ones(())
    torch.testing.assert_close(changed.sum(-1), sums.double().expand(changed.shape[:-1]))
    assert not torch.allclose(changed, shares)


def test_what_each_change_puts_in(models):
    shares = traced(models).shares
    np.testing.assert_allclose(edit.uniform(shares)[0, 0, 0, 3, :5], [0.25] * 4 + [0])
    assert torch.equal(edit.borrowed(shares)[:, 1], shares[:, 0])
    assert torch.equal(edit.borrowed(shares)[:, 0], shares[:, -1])
    torch.testing.assert_close(edit.average(shares)[:, 2], shares.mean(1))
    dealt = edit.permuted(np.random.default_rng(0))(shares)
    torch.testing.assert_close(dealt.sort(-1).values, shares.sort(-1).values)


def test_each_order_of_a_row_is_dealt_equally_often():
    rows = torch.tensor([0.5, 0.3, 0.2]).expand(1, 6_000, 1, 3, 3) * torch.tensor(causal(3))
    dealt = edit.permuted(np.random.default_rng(1))(rows)[0, :, 0, 2]
    orders, counts = np.unique(dealt.numpy(), axis=0, return_counts=True)
    assert len(orders) == 6
    assert abs(counts - 1_000).max() < 5 * np.sqrt(1_000)


def test_taking_a_key_away_fills_the_row_up_in_that_head_only(models):
    shares = traced(models).shares
    removed = np.zeros((len(NAMES), POSITIONS, POSITIONS), bool)
    removed[0, 4, 2] = removed[1, 0, 0] = True
    changed = edit.without(removed, [1])(shares)
    row = shares[0, 0, 1, 4].clone()
    row[2] = 0.0
    torch.testing.assert_close(changed[0, 0, 1, 4], row / row.sum())
    assert not changed[:, 1, 1, 0].any()  # all that it had was taken
    same = torch.ones(changed.shape, dtype=torch.bool)
    same[:, 0, 1, 4] = same[:, 1, 1, 0] = False
    assert torch.equal(changed[same], shares[same])


def test_surprise_adds_up_to_the_loss(models):
    rows = encode(NAMES)
    tokens = torch.tensor(rows).expand(2, -1, -1)
    wanted = losses(e6(models, tokens[..., :-1]).logits, tokens[..., 1:])
    asked = rows[:, 1:] != PAD
    for change in (None, lambda shares: shares):
        given = edit.surprise(models, rows, change)
        np.testing.assert_allclose(given[:, asked].mean(-1), wanted, rtol=0, atol=1e-12)


def test_a_trace_at_hand_changes_nothing(models):
    rows, trace = encode(NAMES), traced(models)
    for change in (None, edit.zero, edit.uniform):
        given = edit.surprise(models, rows, change, trace)
        assert (given == edit.surprise(models, rows, change)).all()
    assert torch.equal(trace.shares, traced(models).shares)


def test_a_change_reaches_what_surprises(models):
    rows = encode(NAMES)
    assert not np.allclose(edit.surprise(models, rows), edit.surprise(models, rows, edit.zero))


def answer(word, at):
    """What the vowel at `at` should be, read off the rules as the book words them."""
    families = {"l": "lmwy", "b": "bdgz", "f": "fhpv"}
    asks = {"l": "b", "b": "f", "f": "l"}
    of = {x: first for first, members in families.items() for x in members}
    asked = families[asks[of[word[at - 1]]]]
    where = max((i for i in range(at - 1) if word[i] in asked), default=None)
    return where, None if where is None else "eiou"[asked.index(word[where])]


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_places_are_those_that_the_rules_speak_of(seed):
    rows = draw(20, np.random.default_rng(seed))
    found, law = edit.places(rows), exact_law(rows)
    assert (found.every == (rows[:, 1:] != PAD)).all()
    for i, word in enumerate(decode(rows)):
        assert found.position[i].nonzero()[0].tolist() == [len(word) - 1]
        for at in range(len(word)):
            vowel_after_consonant = at > 0 and word[at] in "eioua" and word[at - 1] not in "eioua"
            where, right = answer(word, at) if vowel_after_consonant else (None, None)
            assert found.content[i, at] == (where is not None)
            assert found.asked[i, at] == (-1 if where is None else where + 1)
            if right is not None:
                likeliest = law[i, at][[TOKENS.index(x) for x in "eioua"]].argmax()
                assert "eioua"[likeliest] == right


def test_both_rules_are_asked_for_often():
    found = edit.places(corpus().rows[:2_000])
    assert 0.05 < found.content[found.every].mean() < 0.2
    assert found.position.sum() == 2_000
    assert not (found.content & found.position).any()
    assert EOS not in corpus().rows[:2_000, 1:][found.content | found.position]
