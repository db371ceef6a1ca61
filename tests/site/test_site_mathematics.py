"""What a page computes is what the library computes, to a part in 10¹², whatever the input.

The page holds every figure and nothing else, so that no site needs to be built.
"""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import torch

from attention import attend, causal, scores, softmax
from attention.dropout import dropout_problems
from attention.figures.dropout_means import kept
from attention.figures.random_bits import uniform
from attention.figures.saturation import components
from attention.figures.where_it_looks import ALPHABET
from attention.measures import entropy_bits, jacobian_norm
from attention.models.e6 import E6_SHAPES, e6
from attention.models.fitting import one_thread
from attention.models.layers import join_heads, linear, norm
from attention.names.grammar import BOS, EOS, LETTERS, encode
from attention.runs.records import RUNS, read_arrays
from attention.tables import attention_table, convolution_table, recurrence_table
from everydigit.number.prose import find_numbers
from everydigit.verdict.judge import judge
from everydigit.verdict.values import flatten

NEAR = {"rtol": 0, "atol": 1e-12}
E6 = read_arrays(Path(__file__).parents[2] / RUNS / "E6.weights.npz", E6_SHAPES)


def test_the_hand_example_computes_what_attend_computes(computed):
    rng = np.random.default_rng(0)
    states = []
    for _ in range(100):
        n, width, value_width = rng.integers(1, 6, size=3)
        size = 10.0 ** rng.integers(-2, 2)
        draw = {k: size * rng.normal(size=(n, width)) for k in ("query", "key")}
        draw["value"] = rng.normal(size=(n, value_width))
        flags = {k: bool(rng.integers(2)) for k in ("masked", "scaled")}
        states.append({k: x.tolist() for k, x in draw.items()} | flags)
    for state, found in zip(states, computed("hand", states), strict=True):
        query, key, value = (np.array(state[k]) for k in ("query", "key", "value"))
        scale = None if state["scaled"] else 1.0
        allowed = causal(len(query)) if state["masked"] else None
        output, shares = attend(query, key, value, allowed, scale)
        assert np.allclose(found["scores"], scores(query, key, scale), rtol=1e-12, atol=1e-12)
        assert np.allclose(found["shares"], shares, **NEAR)
        assert np.allclose(found["output"], output, **NEAR)


BATCHED = {name: torch.tensor(array)[None] for name, array in E6.items()}


def followed(trace, shares):
    """What comes after the shares, from the library's own layers: the logits of one name."""
    w = BATCHED
    mixed = join_heads(torch.tensor(shares)[None, None] @ trace.value)
    attended = trace.stream + linear(w, "project", mixed)
    hidden = torch.relu(linear(w, "expand", norm(w, "norm2", attended)))
    return linear(w, "head", attended + linear(w, "contract", hidden))[0, 0]


def outcomes(logits):
    """Probabilities of EOS and the letters: PAD and BOS cannot come."""
    return torch.softmax(logits[..., EOS:], dim=-1).numpy()


def seen(text):
    return e6(BATCHED, torch.tensor(encode([text])[None, :, : len(text) + 1]))


def random_texts(rng, count):
    return ["".join(rng.choice(list(LETTERS), rng.integers(1, 8))) for _ in range(count)]


def random_edit(rng, text):
    query = int(rng.integers(1, len(text) + 1))
    share = round(float(rng.random()), 2)
    place = {"head": int(rng.integers(2)), "query": query, "key": int(rng.integers(query + 1))}
    return {**place, "share": share}


def edited(shares, state):
    shares = shares.copy()
    for edit in state["edits"]:
        row = shares[edit["head"], edit["query"]]
        others = np.delete(row, edit["key"]).sum()
        row *= (1 - edit["share"]) / others
        row[edit["key"]] = edit["share"]
    for head in state["silent"]:
        shares[int(head)] = 0
    return shares


def states_of_e6(rng, count):
    base = {"head": 0, "at": None, "seed": 1}
    return [
        {
            **base,
            "text": text,
            "edits": [random_edit(rng, text) for _ in range(rng.integers(4))],
            "silent": rng.choice(["", "0", "1", "01"], p=[0.7, 0.1, 0.1, 0.1]),
        }
        for text in random_texts(rng, count)
    ]


@one_thread()
def test_e6_in_the_page_is_e6_with_and_without_edits(computed):
    states = states_of_e6(np.random.default_rng(1), 120)
    assert sum(bool(s["edits"]) for s in states) > 60
    for state, found in zip(states, computed("e6", states), strict=True):
        trace = seen(state["text"])
        shares = edited(trace.shares[0, 0].numpy(), state)
        assert np.allclose(found["own"], outcomes(trace.logits[0, 0]), **NEAR)
        assert np.allclose(found["shares"], shares, **NEAR)
        assert np.allclose(found["probabilities"], outcomes(followed(trace, shares)), **NEAR)


def test_the_page_holds_the_very_bits_of_the_record(shared):
    held = shared.evaluate("attentionChecked.running.e6.data.weights")
    for name, array in E6.items():
        assert np.array_equal(np.array(held[name]), array), name
    moved = np.nextafter(E6["query.weight"][3, 5], np.inf)
    assert held["query.weight"][3][5] != moved


MOVED = """([name, states]) => {
  const { data } = attentionChecked.running.e6;
  const { compute } = attentionChecked.specs["e6-live"];
  const outcomes = () => states.map((s) => compute(s, data).own).flat(2);
  let row = data.weights[name];
  while (Array.isArray(row[0])) row = row[Math.min(4, row.length - 1)];
  const [kept, before] = [row[row.length - 1], outcomes()];
  row[row.length - 1] += 1e-9;
  const after = outcomes();
  row[row.length - 1] = kept;
  return Math.max(...after.map((p, i) => Math.abs(p - before[i])));
}"""


@pytest.mark.parametrize("name", sorted(E6.keys() - {"key.bias"}))  # it cancels in the softmax
def test_a_weight_of_the_page_moved_by_a_billionth_would_be_noticed(shared, name):
    states = states_of_e6(np.random.default_rng(2), 30)
    assert shared.evaluate(MOVED, [name, states]) > 1e-12


@one_thread()
def test_generated_names_are_those_of_the_same_seed_in_python(shared):
    def generated(seed):
        tokens, chosen = [BOS], -1
        while chosen and len(tokens) <= 8:
            p = outcomes(e6(BATCHED, torch.tensor([[tokens]])).logits[0, 0, -1])
            if seed is None:
                chosen = int(p.argmax())
            else:
                drawn = uniform(seed, 1, start=len(tokens) - 1)[0]
                chosen = int((np.cumsum(p) <= drawn).sum())
            tokens.append(EOS + chosen)
        return {"letters": tokens[1:-1], "ended": chosen == 0}

    seeds = [None, *range(40), 2**32 - 1]
    found = shared.evaluate(
        """seeds => {
          const { data } = attentionChecked.running.e6;
          return seeds.map((seed) => attentionChecked.e6.generate(data.weights, data, seed));
        }""",
        seeds,
    )
    assert found == [generated(seed) for seed in seeds]


def test_the_stream_of_the_page_is_the_stream_of_python(shared):
    seeds = [0, 1, 2**31 - 1, 2**31, 2**32 - 1, *np.random.default_rng(0).integers(2**32, size=20)]
    found = shared.evaluate(
        "seeds => seeds.map(s => Array.from({length: 50}, (_, i) =>"
        " attentionChecked.mathematics.uniform(s, 1000 + i)))",
        [int(seed) for seed in seeds],
    )
    assert found == [uniform(int(seed), 50, start=1000).tolist() for seed in seeds]


def test_saturation_computes_what_the_library_computes(computed):
    rng = np.random.default_rng(3)
    for seed in (0, *(int(x) for x in rng.integers(2**32, size=4))):
        states = [{"seed": seed, "width": 2**i} for i in range(11)]
        drawn = components(seed)
        for state, found in zip(states, computed("saturation", states), strict=True):
            query, keys = drawn[:1, : state["width"]], drawn[1:, : state["width"]]
            for scale, one in zip((1.0, None), found, strict=True):
                shares = softmax(scores(query, keys, scale)[0])
                assert np.allclose(one["shares"], shares, rtol=1e-11, atol=1e-12)
                assert one["entropy"] == pytest.approx(float(entropy_bits(shares)), abs=1e-12)
                assert one["norm"] == pytest.approx(float(jacobian_norm(shares)), abs=1e-12)


@pytest.mark.parametrize("size", [1.0, 10.0, 300.0])
def test_entropy_and_norm_keep_their_digits_where_a_row_saturates(shared, size):
    rows = softmax(size * np.random.default_rng(4).normal(size=(200, 16)))
    found = shared.evaluate(
        "rows => rows.map(p => [attentionChecked.mathematics.entropyBits(p),"
        " attentionChecked.mathematics.jacobianNorm(p)])",
        rows.tolist(),
    )
    expected = np.stack([entropy_bits(rows), jacobian_norm(rows)], axis=-1)
    assert np.allclose(found, expected, rtol=1e-11, atol=0)


def test_dropout_computes_what_the_library_computes(computed, bench):
    rng = np.random.default_rng(5)
    row = bench.row
    states = [
        {
            "seed": int(rng.integers(2**32)),
            "rate": float(rng.integers(1, 20)) / 20,
            "masks": int(rng.integers(1, 3000)),
        }
        for _ in range(40)
    ]
    for state, found in zip(states, computed("dropout", states), strict=True):
        rate = state["rate"]
        masks = kept(state["seed"], state["masks"], 3, rate)
        assert dropout_problems(np.array(found["dropped"], float), row, rate) == []
        assert (np.array(found["dropped"]) > 0).tolist() == masks[-1].tolist()
        assert np.allclose(found["right"], (masks * row / (1 - rate)).mean(axis=0), **NEAR)
        assert np.allclose(found["wrong"], (masks * row / rate).mean(axis=0), **NEAR)
        assert found["course"][0][1] == pytest.approx(
            (masks[0] * row / (1 - rate)).sum(), abs=1e-12
        )


def test_the_mean_comes_near_the_shares_under_one_factor_only(computed, bench):
    state = {"seed": 1, "rate": 0.2, "masks": 100_000}
    (found,) = computed("dropout", [state])
    row = bench.row
    error = row * np.sqrt(0.2 / 0.8 / 100_000)
    assert (np.abs(np.array(found["right"]) - row) < 4 * error).all()
    assert np.allclose(np.array(found["wrong"]) / row, 4, atol=0.05)


def test_where_it_looks_computes_what_the_tables_are(computed, bench):
    rng = np.random.default_rng(6)
    words = ["".join(rng.choice(list(ALPHABET), rng.integers(1, 9))) for _ in range(60)]
    found = computed("looks", [{"word": word} for word in words])
    for word, (convolution, recurrence, attention) in zip(words, found, strict=True):
        x = bench.letters[[ALPHABET.index(letter) for letter in word]]
        assert np.allclose(convolution, convolution_table(len(word)), **NEAR)
        assert np.array_equal(recurrence, recurrence_table(len(word)))
        assert np.allclose(attention, attention_table(x, *bench.roles), **NEAR)


def python_judges(text, answer):
    (number,) = find_numbers(text)
    return not judge([number], *flatten(answer), "answer")


def folded(answer):
    value = Fraction(answer) if isinstance(answer, int | Fraction) else Fraction(repr(answer))
    return {"over": str(value.numerator), "under": str(value.denominator)} | {
        "exact": not isinstance(answer, float)
    }


def typed_answers(rng, answer):
    """Ways to type an answer: rounded, half a unit and a whole unit off, cut, scaled."""
    digits = int(rng.integers(0, 8))
    step = 10.0**-digits
    for off in (0, 0, 0.5 * step, -0.5 * step, step, -step):
        text = f"{float(answer) + off:.{digits}f}"
        yield text if text.strip("-0.") else text.lstrip("-")
    yield f"{float(answer):.{digits}e}"
    yield f"{100 * float(answer):.{digits}f} %"
    yield f"{float(answer):,.{digits}f}"
    yield f"−{abs(float(answer)):.{digits}f}"


def test_a_self_check_judges_as_the_claims_are_judged(shared):
    rng = np.random.default_rng(7)
    answers = [
        *(float(x) for x in rng.normal(size=60) * 10.0 ** rng.integers(-5, 5, size=60)),
        *(float(x) for x in rng.integers(-2000, 2000, size=60) / 8),  # exact ties among them
        *(Fraction(int(a), int(b)) for a, b in rng.integers(1, 60, size=(60, 2))),
        *(int(x) for x in rng.integers(-3000, 3000, size=20)),
    ]
    cases = [(text, answer) for answer in answers for text in typed_answers(rng, answer)]
    found = shared.evaluate(
        """cases => cases.map(([text, { over, under, exact }]) => {
          const answer = { over: BigInt(over), under: BigInt(under), exact };
          try {
            return attentionChecked.judge(text, answer).right;
          } catch (error) {
            return /a float can vouch for/.test(error.message) ? false : error.message;
          }
        })""",
        [(text, folded(answer)) for text, answer in cases],
    )
    expected = [python_judges(text, answer) for text, answer in cases]
    wrong = [case for case, a, b in zip(cases, found, expected, strict=True) if a != b]
    assert wrong == []
    assert 400 < sum(expected) < len(cases) - 400
