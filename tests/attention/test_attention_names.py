"""The grammar against the rules spelled out once more, and the sides of the corpus."""

import hashlib
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention.names import grammar
from attention.names.corpus import (
    Side,
    corpus,
    every_name,
    floor,
    for_validation,
    loss_on,
    validation_draws,
    validation_side,
)
from attention.names.grammar import EOS, PAD, TOKENS, automaton, decode, draw, encode, exact_law
from attention.names.ngrams import count, predict

pytestmark = pytest.mark.filterwarnings("error")

COLOUR = {x: i for family in ("lmwy", "bdgz", "fhpv") for i, x in enumerate(family)}
ASKS = dict.fromkeys("lmwy", "bdgz") | dict.fromkeys("bdgz", "fhpv") | dict.fromkeys("fhpv", "lmwy")


def rules(prefix):
    """Say once more, from the letters themselves, what may come next."""
    t = len(prefix)
    if prefix[-1:] and prefix[-1] in "nstkr":
        return {"EOS": 1.0}
    consonants = dict.fromkeys(COLOUR, 1 / 12)
    if not prefix:
        return dict.fromkeys("aeiou", 0.4 / 5) | {c: 0.6 * p for c, p in consonants.items()}
    if prefix[-1] in "aeiou":
        right = "nstk"[COLOUR[prefix[0]]] if prefix[0] in COLOUR else "r"
        endings = {e: 0.97 if e == right else 0.03 / 4 for e in "nstkr"}
        weight = 0.0 if t <= 3 else 0.15 if t == 4 else 1.0
        mixed = {e: weight * p for e, p in endings.items()}
        mixed |= {c: (1 - weight) * p for c, p in consonants.items()}
        return {x: p for x, p in mixed.items() if p}
    heard = [c for c in prefix[:-1] if c in ASKS[prefix[-1]]]
    if heard:
        vowels = {v: 0.96 if v == "eiou"[COLOUR[heard[-1]]] else 0.01 for v in "aeiou"}
    else:
        vowels = {v: 0.9 if v == "a" else 0.025 for v in "aeiou"}
    doubled = 0.35 if 2 <= t <= 4 and prefix[-2] in "aeiou" else 0.0
    mixed = {v: (1 - doubled) * p for v, p in vowels.items()}
    mixed |= {c: doubled * p for c, p in consonants.items()}
    return {x: p for x, p in mixed.items() if p}


def spelled(prefix, probability):
    for letter, p in rules(prefix).items():
        if letter == "EOS":
            yield prefix, probability
        else:
            yield from spelled(prefix + letter, probability * p)


@pytest.fixture(scope="module")
def all_names():
    return np.array(decode(every_name().rows), "S")


@pytest.fixture(scope="module")
def least():
    return floor(validation_side())


def starting(all_names, start):
    return np.strings.startswith(all_names, start.encode())


@pytest.mark.parametrize("start", ["dal", "zum", "oho", "awi"])
def test_brute_force_gives_the_same_names_with_the_same_probabilities(all_names, start):
    probability = math.prod(rules(start[:i])[start[i]] for i in range(3))
    brute = dict(spelled(start, probability))
    assert len(brute) > 1_500
    here = starting(all_names, start)
    assert [name.decode() for name in all_names[here]] == sorted(brute)
    expected = [brute[name] for name in sorted(brute)]
    np.testing.assert_allclose(every_name().probability[here], expected, rtol=1e-12)


def test_all_names_together_have_probability_one(all_names):
    assert len(all_names) == 3_582_000
    assert (all_names[:-1] < all_names[1:]).all()  # in order, so none comes twice
    assert math.fsum(every_name().probability) == pytest.approx(1.0, abs=1e-12)
    assert set(np.strings.str_len(all_names).tolist()) == {5, 6, 7}


def test_the_law_is_the_rules():
    rows = draw(200, np.random.Generator(np.random.PCG64(11)))
    law = exact_law(rows)
    np.testing.assert_allclose(law.sum(-1), 1.0, atol=1e-14)
    for row, name in zip(law, decode(rows), strict=True):
        for i in range(len(name) + 1):
            expected = rules(name[:i])
            assert {TOKENS[k] for k in np.flatnonzero(row[i])} == expected.keys()
            for letter, p in expected.items():
                assert row[i, TOKENS.index(letter)] == pytest.approx(p, abs=1e-14)


@pytest.mark.parametrize("name", ["davayis", "mulves", "elamar"])
def test_the_law_is_the_mass_of_names_one_letter_longer_over_the_mass(all_names, name):
    mass = [
        math.fsum(every_name().probability[starting(all_names, name[:i])])
        for i in range(len(name) + 1)
    ]
    for i, letter in enumerate(name):
        stated = exact_law(encode([name]))[0, i, TOKENS.index(letter)]
        assert stated == pytest.approx(mass[i + 1] / mass[i], rel=1e-9)


def test_the_position_rule_needs_only_the_first_letter_and_the_content_rule_needs_more():
    law, following = automaton()

    def after(name):
        state = 0
        for letter in name:
            state = following[state, TOKENS.index(letter)]
        return law[state]

    assert (after("doveme") == after("dalala")).all()  # the ending: whatever came between
    assert (after("dalala") != after("galala")).any()
    # l asks b d g z: another colour there is another vowel, wherever it stands
    assert after("dahal")[TOKENS.index("i")] > 0.6
    assert after("gahal")[TOKENS.index("o")] > 0.6
    assert after("hadal")[TOKENS.index("i")] > 0.6
    assert (after("dahal") == after("davul")).all()  # what is not asked does not matter


def test_sides_are_the_hash_and_share_no_name(all_names):
    validation = set(decode(validation_side().rows))
    assert len(validation) == 358_893
    for name in all_names[::997].astype(str).tolist():
        fraction = int(hashlib.sha256(name.encode()).hexdigest()[:16], 16) / 2**64
        assert for_validation(name) == (fraction < 0.1) == (name in validation)
    for seed in range(2):
        assert not validation & set(decode(corpus(seed).rows))


def test_draws_follow_the_law_with_multiplicity():
    rows = draw(40_000, np.random.Generator(np.random.PCG64(1)))
    assert len(set(decode(rows))) < len(rows)
    for letter, p in rules("").items():
        number = (rows[:, 1] == TOKENS.index(letter)).sum()
        assert abs(number - 40_000 * p) < 5 * math.sqrt(40_000 * p)
    seen = np.log(np.take_along_axis(exact_law(rows), rows[:, 1:, None], axis=-1)).sum(axis=(1, 2))
    p = every_name().probability
    mean, second = p @ np.log(p), p @ np.log(p) ** 2
    assert abs(seen.mean() - mean) < 5 * math.sqrt((second - mean**2) / 40_000)


def test_the_corpus_is_the_same_everywhere():
    assert corpus(0).sha256 == "1ff6c65fed5dd45f0d2d99289af89774af265c0f0b9615db4ab8b5671ad59a2c"
    assert corpus(1).sha256 != corpus(0).sha256
    assert len(corpus(0).rows) == 8_000
    assert (corpus(0, 300).rows == corpus(0).rows[:300]).all()


def test_the_floor_is_the_entropy_of_names_over_their_tokens(least):
    side = validation_side()
    weight = side.probability / side.probability.sum()
    length = (side.rows[:, 1:] != PAD).sum(axis=1)
    assert least == pytest.approx(-(weight @ np.log(side.probability)) / (weight @ length))
    assert least == pytest.approx(1.3798033079103076, abs=1e-12)


@pytest.mark.parametrize("power", [0.9, 1.1])
def test_a_bent_law_is_worse_than_the_floor(power):
    draws = validation_draws()
    bent = exact_law(draws.rows) ** power
    bent /= bent.sum(-1, keepdims=True)
    of_next = np.take_along_axis(bent, draws.rows[:, 1:, None].astype(int), axis=-1)[..., 0]
    assert floor(draws) + 0.001 < loss_on(draws, np.log(of_next))


def test_validation_draws_are_on_the_validation_side(least):
    draws = validation_draws()
    assert len(draws.rows) == 20_000
    assert all(for_validation(name) for name in decode(draws.rows))
    assert floor(draws) == pytest.approx(least, abs=0.005)


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_count_models_are_laws(order):
    rows = corpus(0).rows
    counts = count(rows, order)
    (start,) = encode(["davayis"])
    for place in range(1, 8):
        each = np.repeat(start[None], len(TOKENS) - EOS, axis=0)
        each[:, place] = np.arange(EOS, len(TOKENS))
        assert predict(counts, each)[:, place - 1].sum() == pytest.approx(1.0, abs=1e-12)


def test_count_models_are_worse_than_the_law_and_longer_contexts_help(least):
    rows, side = corpus(0).rows, validation_side()
    losses = [loss_on(side, np.log(predict(count(rows, n), side.rows))) for n in (1, 2, 3, 4)]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] > least + 0.4


@given(st.lists(st.text(grammar.LETTERS, min_size=1, max_size=7)))
def test_encode_and_decode_are_inverse(some):
    assert decode(encode(some)) == some


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: encode("davayis"), TypeError, "a list of names belongs here"),
        (lambda: encode(["davayist"]), ValueError, "'davayist' has 8 letters: 1 to 7 fit"),
        (lambda: encode([""]), ValueError, "'' has 0 letters"),
        (lambda: encode(["Dav"]), ValueError, "'Dav' has 'D': the letters are abd"),
        (lambda: draw(0, np.random.default_rng(0)), ValueError, "count is 0"),
        (lambda: corpus(-1), ValueError, "seed is -1"),
        (lambda: corpus(0.5), TypeError, "seed is 0.5"),
        (lambda: corpus(0, 0), ValueError, "size is 0"),
        (lambda: exact_law(encode(["as"])), ValueError, "row 0 is no name of this grammar"),
        (lambda: exact_law(encode(["elamar"])[:, 1:]), ValueError, r"rows \(1, 8\)"),
        (lambda: count(corpus(0).rows, 0), ValueError, "order is 0"),
        (lambda: count(corpus(0).rows, 2, 0.0), ValueError, "strength is 0.0"),
        (lambda: loss_on(Side(encode(["os"]), np.ones(1)), np.ones(8)), ValueError, "does not fit"),
    ],
)
def test_errors_name_what_is_wrong(call, error, message):
    with pytest.raises(error, match=message):
        call()
