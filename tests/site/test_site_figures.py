"""A reader operates a figure: what the page computes is what the library computes.

Most tests open a page that holds the figures and nothing else: it needs no built site.
"""

import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import torch

from attention import attend, causal, scores, softmax
from attention.dropout import dropout_problems
from attention.figures import (
    dropout_means,
    e6_live,
    hand_example,
    saturation,
    self_check,
    where_it_looks,
)
from attention.figures.dropping import kept
from attention.figures.looking import ALPHABET
from attention.figures.saturating import components
from attention.figures.stream import uniform
from attention.layers import join_heads, linear, norm
from attention.measures import entropy_bits, jacobian_norm, total_variation
from attention.models import E6_SHAPES, e6
from attention.names import BOS, EOS, LETTERS, encode
from attention.records import RUNS, read_arrays
from attention.tables import attention_table, convolution_table, recurrence_table
from attention.train import PROBES, one_thread
from claims.numbers import find_numbers
from claims.rule import judge

PAIRS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
VALUES = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
NEAR = {"rtol": 0, "atol": 1e-12}
ROOT = Path(__file__).parents[2]
E6 = read_arrays(ROOT / RUNS / "E6.weights.npz", E6_SHAPES)
DRAWN = np.random.default_rng(0)
LETTER_VECTORS, ROLES = DRAWN.normal(size=(26, 16)), DRAWN.normal(size=(2, 16, 8)) / 4
FIGURES = {
    "hand": hand_example(PAIRS, PAIRS, VALUES, caption="the hand example"),
    "e6": e6_live(E6, probes=PROBES, caption="E6 live"),
    "saturation": saturation(caption="saturation"),
    "dropout": dropout_means(attend(PAIRS, PAIRS, VALUES).shares[2], caption="dropout"),
    "looks": where_it_looks(LETTER_VECTORS, *ROLES, caption="where it looks"),
    "third": self_check(Fraction(1, 3), ask="One third, as a decimal?", name="third"),
    "root": self_check(math.sqrt(2), ask="The root of two?", name="root"),
}
COMPUTED = """([name, states]) => {
  const { running, specs } = attentionChecked, kit = running[name];
  return states.map((state) => specs[kit.figure.dataset.figure].compute(state, kit.data));
}"""


@pytest.fixture(scope="session")
def bench(tmp_path_factory, bare_page):
    return bare_page(tmp_path_factory.mktemp("bench") / "figures.html", FIGURES.values())


def opened(page, address):
    """Open the page of all figures; return the list of what its scripts complain of."""
    page.set_default_timeout(5000)
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: said.type == "error" and problems.append(said.text))
    page.goto(address)
    return problems


@pytest.fixture
def bare(page, bench):
    """The page of all figures, untouched; an error of a script fails the test."""
    problems = opened(page, bench)
    yield page
    assert problems == []


@pytest.fixture(scope="module")
def shared(browser, bench):
    """The same page once for all tests that only ask it to compute, or that fill a field anew."""
    page = browser.new_page()
    problems = opened(page, bench)
    yield page
    assert problems == []


def computed(page, name, states):
    """What a figure computes in each of these states."""
    return page.evaluate(COMPUTED, [name, states])


def figure(page, name):
    return page.locator(f"#figure-{name}")


def status(page, name):
    return figure(page, name).get_by_role("status")


def settled(page, name, *said):
    """Wait until a figure has said these words."""
    for words in said:
        status(page, name).filter(has_text=words).wait_for()


def table(page, name, caption, part=".figure-live"):
    """A table of a figure, cell by cell as a reader sees it."""
    found = figure(page, name).locator(f"{part} table").filter(has_text=caption).first
    return found.evaluate(
        "t => [...t.tBodies[0].rows].map(r => [...r.cells].map(c => c.textContent))"
    )


# ---- the hand example


def test_the_hand_example_computes_what_attend_computes(shared):
    rng = np.random.default_rng(0)
    states = []
    for _ in range(100):
        n, width, value_width = rng.integers(1, 6, size=3)
        size = 10.0 ** rng.integers(-2, 2)
        draw = {k: size * rng.normal(size=(n, width)) for k in ("query", "key")}
        draw["value"] = rng.normal(size=(n, value_width))
        flags = {k: bool(rng.integers(2)) for k in ("masked", "scaled")}
        states.append({k: x.tolist() for k, x in draw.items()} | flags)
    for state, found in zip(states, computed(shared, "hand", states), strict=True):
        query, key, value = (np.array(state[k]) for k in ("query", "key", "value"))
        scale = None if state["scaled"] else 1.0
        allowed = causal(len(query)) if state["masked"] else None
        output, shares = attend(query, key, value, allowed, scale)
        assert np.allclose(found["scores"], scores(query, key, scale), rtol=1e-12, atol=1e-12)
        assert np.allclose(found["shares"], shares, **NEAR)
        assert np.allclose(found["output"], output, **NEAR)


def test_the_default_of_the_hand_example_is_the_same_with_and_without_a_script(bare):
    for caption in ("Scores", "Shares"):
        live = table(bare, "hand", caption)
        assert len(live) == 3
        assert live == table(bare, "hand", caption, ".figure-default")
    flat = [" ".join(row) for row in table(bare, "hand", "Outputs", ".figure-default")]
    assert [re.sub("[(),]", "", row) for row in flat] == [
        " ".join(row) for row in table(bare, "hand", "Outputs")
    ]


def test_an_edited_value_moves_the_output_and_no_share(bare):
    bare.get_by_label("value B, coordinate 2").fill("3")
    settled(bare, "hand", "Scores unchanged; shares unchanged; output of B, C moved by up to 0.67.")
    bare.get_by_label("key A, coordinate 1").fill("-2")
    settled(bare, "hand", "Scores of A, C moved by up to 2.12; shares of C moved")
    bare.wait_for_url("**hand.value=1_0%7E0_3%7E1_1*")
    bare.reload()
    assert bare.get_by_label("key A, coordinate 1").input_value() == "−2"
    assert bare.get_by_label("value B, coordinate 2").input_value() == "3"
    figure(bare, "hand").get_by_role("button", name="Reset").click()
    assert status(bare, "hand").inner_text() == "Reset: this is the default again."
    assert table(bare, "hand", "Shares") == table(bare, "hand", "Shares", ".figure-default")
    assert "?" not in bare.url


def test_the_hand_example_is_operated_by_keyboard_alone(bare):
    bare.get_by_label("value C, coordinate 2").focus()
    bare.keyboard.press("Tab")
    bare.keyboard.press("Space")  # the mask, off
    settled(bare, "hand", "others are allowed; shares of A, B moved by up to 0.60")
    assert table(bare, "hand", "Shares")[0][1:] == ["0.4011", "0.1978", "0.4011"]
    bare.keyboard.press("Tab")
    bare.keyboard.press("Space")  # the division, off
    settled(bare, "hand", "Scores of all tokens moved")
    assert table(bare, "hand", "Shares")[2][3] == "0.5761"
    bare.keyboard.press("Tab")
    bare.keyboard.press("Enter")
    assert status(bare, "hand").inner_text() == "Reset: this is the default again."


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "Coordinate 1 of query A is empty: a number belongs there."),
        ("two", "Coordinate 1 of query A is “two”: that is no number."),
        ("1e999", "Coordinate 1 of query A is “1e999”: that is too large."),
        ("1e308", None),
        ("0x10", "Coordinate 1 of query A is “0x10”: that is no number."),
    ],
)
def test_bad_input_is_named_and_the_last_good_state_stays(bare, typed, said):
    bare.get_by_label("value A, coordinate 1").fill("5")
    settled(bare, "hand", "output of all tokens moved")
    before = table(bare, "hand", "Outputs")
    field = bare.get_by_label("query A, coordinate 1")
    bare.get_by_label("key A, coordinate 1").fill("1e5" if said is None else "1")
    if said is None:
        before = table(bare, "hand", "Outputs")
        said = "With numbers this large a score or an output is no longer finite."
    field.fill(typed)
    field.press("Tab")
    assert status(bare, "hand").inner_text() == f"Not taken: {said}"
    assert field.get_attribute("aria-invalid") == "true"
    assert table(bare, "hand", "Outputs") == before


@pytest.mark.parametrize(
    "query",
    ["hand.value=1_0", "hand.query=x_0~0_1~1_1", "hand.masked=maybe", "hand.key=1e999_0~0_1~1_1"],
)
def test_an_address_that_makes_no_sense_leaves_the_default_and_says_so(bare, bench, query):
    bare.goto(f"{bench}?{query}")
    assert "The address asks for something else" in status(bare, "hand").inner_text()
    assert table(bare, "hand", "Shares") == table(bare, "hand", "Shares", ".figure-default")


# ---- E6 live


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
def test_e6_in_the_page_is_e6_with_and_without_edits(shared):
    states = states_of_e6(np.random.default_rng(1), 120)
    assert sum(bool(s["edits"]) for s in states) > 60
    for state, found in zip(states, computed(shared, "e6", states), strict=True):
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


def test_the_default_of_e6_is_the_same_with_and_without_a_script(bare):
    still = table(bare, "e6", "Head 0", ".figure-default")
    live = table(bare, "e6", "Head 0")
    assert len(live) == len(still) == 5
    for a, b in zip(live, still, strict=True):
        for x, y in zip(a[1:], b[1:], strict=True):
            assert float(x or 0) == float(y)


def tab(page, times, key="Tab"):
    for _ in range(times):
        page.keyboard.press(key)


def focused_name(page):
    return page.evaluate("document.activeElement.getAttribute('aria-label')")


def test_a_share_of_e6_is_edited_by_keyboard_alone(bare):
    bare.get_by_label("name").fill("davay")
    settled(bare, "e6", "After “davay” the likeliest is i")
    bare.get_by_role("radio", name="head 0").focus()
    bare.keyboard.press("ArrowRight")
    settled(bare, "e6", "Head 1: query y gives")
    tab(bare, 5)  # past the silencers, the button and the slider: the table is one tab stop
    assert focused_name(bare).startswith("query 5 y, key 5 y")
    bare.keyboard.press("ArrowLeft")
    bare.keyboard.press("ArrowLeft")
    settled(bare, "e6", "Head 1: query y gives", "to key v.")
    bare.keyboard.press("Shift+Tab")
    bare.keyboard.press("End")  # the whole of the row
    settled(bare, "e6", "After “davay” the probability of")
    chosen = figure(bare, "e6").locator(".figure-cell[aria-pressed=true]")
    assert chosen.inner_text() == "1"
    state = {
        "text": "davay",
        "edits": [{"head": 1, "query": 5, "key": 3, "share": 1}],
        "silent": "",
    }
    trace = seen("davay")
    expected = outcomes(followed(trace, edited(trace.shares[0, 0].numpy(), state)))
    shown = figure(bare, "e6").locator(".figure-letters .figure-now").all_inner_texts()
    assert [float(x) for x in shown] == pytest.approx(expected[5].tolist(), abs=0.005001)
    tab(bare, 3, "Shift+Tab")
    bare.keyboard.press("Space")
    bare.wait_for_url("**e6.silent=0*")
    bare.reload()
    assert figure(bare, "e6").get_by_label("silence head 0").is_checked()
    assert bare.get_by_label("name").input_value() == "davay"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("dax", "“x” is not one of E6’s letters, which are abdefghiklmnoprstuvwyz."),
        ("davayisa", "“davayisa” has 8 letters: E6 has room for 7."),
        ("", "The name is empty: 1 to 7 letters belong there."),
        ("da va", "“ ” is not one of E6’s letters, which are abdefghiklmnoprstuvwyz."),
    ],
)
def test_a_name_that_is_none_is_refused_and_the_last_good_one_stays(shared, typed, said):
    before = table(shared, "e6", "Head 0")
    shared.get_by_label("name").fill(typed)
    shared.keyboard.press("Tab")
    assert status(shared, "e6").inner_text() == f"Not taken: {said}"
    assert table(shared, "e6", "Head 0") == before


def test_a_generated_name_is_shown_with_its_seed(bare):
    bare.get_by_label("seed").first.fill("4")
    bare.get_by_role("button", name="Generate a name").click()
    settled(bare, "e6", "Seed 4: ")
    name = bare.get_by_label("name").input_value()
    assert f"Seed 4: {name}" in status(bare, "e6").inner_text()
    assert bare.get_by_label("seed").first.input_value() == "5"
    bare.get_by_role("button", name="mulves").click()
    settled(bare, "e6", "After “mulves” the likeliest is end")


@pytest.mark.parametrize(
    "query", ["e6.edits=0_9_1_0.5", "e6.edits=0_0_0_0.5", "e6.at=1_3", "e6.head=2", "e6.text=x"]
)
def test_an_address_that_e6_cannot_show_is_named(bare, bench, query):
    bare.goto(f"{bench}?{query}")
    assert "The address asks for something else" in status(bare, "e6").inner_text()
    assert bare.get_by_label("name").input_value() == "dava"


# ---- saturation


def test_the_stream_of_the_page_is_the_stream_of_python(shared):
    seeds = [0, 1, 2**31 - 1, 2**31, 2**32 - 1, *np.random.default_rng(0).integers(2**32, size=20)]
    found = shared.evaluate(
        "seeds => seeds.map(s => Array.from({length: 50}, (_, i) =>"
        " attentionChecked.mathematics.uniform(s, 1000 + i)))",
        [int(seed) for seed in seeds],
    )
    assert found == [uniform(int(seed), 50, start=1000).tolist() for seed in seeds]


def test_saturation_computes_what_the_library_computes(shared):
    rng = np.random.default_rng(3)
    for seed in (0, *(int(x) for x in rng.integers(2**32, size=4))):
        states = [{"seed": seed, "width": 2**i} for i in range(11)]
        drawn = components(seed)
        for state, found in zip(states, computed(shared, "saturation", states), strict=True):
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


def test_saturation_is_operated_by_keyboard_alone(bare):
    figure(bare, "saturation").get_by_role("slider").focus()
    for _ in range(3):
        bare.keyboard.press("ArrowRight")
    settled(bare, "saturation", "At a width of 512 the largest undivided share is")
    bare.wait_for_url("**?saturation.width=512")
    assert bare.evaluate("document.activeElement.getAttribute('aria-valuetext')") == "512"
    bare.keyboard.press("Tab")
    bare.keyboard.press("Tab")
    bare.keyboard.press("Enter")
    settled(bare, "saturation", "With seed 2 the largest undivided share is")
    assert table(bare, "saturation", "one query") == rows_of(
        saturation(width=512, seed=2, caption="")
    )


def rows_of(element):
    """The rows of an element's only default table."""
    body = element.html.partition("<tbody>")[2].partition("</tbody>")[0]
    return [re.findall(r">([^<>]+)</t[hd]>", row) for row in body.split("</tr>")[:-1]]


# ---- dropout


def test_dropout_computes_what_the_library_computes(shared):
    rng = np.random.default_rng(5)
    row = attend(PAIRS, PAIRS, VALUES).shares[2]
    states = [
        {
            "seed": int(rng.integers(2**32)),
            "rate": float(rng.integers(1, 20)) / 20,
            "masks": int(rng.integers(1, 3000)),
        }
        for _ in range(40)
    ]
    for state, found in zip(states, computed(shared, "dropout", states), strict=True):
        rate = state["rate"]
        masks = kept(state["seed"], state["masks"], 3, rate)
        assert dropout_problems(np.array(found["dropped"], float), row, rate) == []
        assert (np.array(found["dropped"]) > 0).tolist() == masks[-1].tolist()
        assert np.allclose(found["right"], (masks * row / (1 - rate)).mean(axis=0), **NEAR)
        assert np.allclose(found["wrong"], (masks * row / rate).mean(axis=0), **NEAR)
        assert found["course"][0][1] == pytest.approx(
            (masks[0] * row / (1 - rate)).sum(), abs=1e-12
        )


def test_the_mean_comes_near_the_shares_under_one_factor_only(shared):
    state = {"seed": 1, "rate": 0.2, "masks": 100_000}
    (found,) = computed(shared, "dropout", [state])
    row = attend(PAIRS, PAIRS, VALUES).shares[2]
    error = row * np.sqrt(0.2 / 0.8 / 100_000)
    assert (np.abs(np.array(found["right"]) - row) < 4 * error).all()
    assert np.allclose(np.array(found["wrong"]) / row, 4, atol=0.05)


def test_dropout_is_operated_by_keyboard_alone(bare):
    bare.get_by_role("button", name="From one mask").focus()
    bare.keyboard.press("Enter")
    settled(bare, "dropout", "After 1 mask at a rate of 0.2 the mean with 1/(1−p) is at most")
    bare.get_by_role("button", name="100 more", exact=True).focus()
    bare.keyboard.press("Enter")
    settled(bare, "dropout", "Over 101 masks")
    figure(bare, "dropout").get_by_role("slider").focus()
    bare.keyboard.press("End")
    settled(bare, "dropout", "Over 101 masks at a rate of 0.95")
    row = attend(PAIRS, PAIRS, VALUES).shares[2]
    shown = table(bare, "dropout", "Shares under")
    assert shown == rows_of(dropout_means(row, rate=0.95, masks=101, caption=""))
    for _ in range(11):
        bare.get_by_role("button", name="10,000 more").press("Space")
    assert status(bare, "dropout").inner_text() == (
        "Not taken: That would be 100101 masks: a page draws at most 100000."
    )
    assert table(bare, "dropout", "Shares under")[0][1] == shown[0][1]


# ---- where it looks


def test_where_it_looks_computes_what_the_tables_are(shared):
    rng = np.random.default_rng(6)
    words = ["".join(rng.choice(list(ALPHABET), rng.integers(1, 9))) for _ in range(60)]
    found = computed(shared, "looks", [{"word": word} for word in words])
    for word, (convolution, recurrence, attention) in zip(words, found, strict=True):
        x = LETTER_VECTORS[[ALPHABET.index(letter) for letter in word]]
        assert np.allclose(convolution, convolution_table(len(word)), **NEAR)
        assert np.array_equal(recurrence, recurrence_table(len(word)))
        assert np.allclose(attention, attention_table(x, *ROLES), **NEAR)


def test_another_word_moves_attention_and_nothing_else(bare):
    field = bare.get_by_label("word", exact=True)
    field.fill("bandit")
    settled(bare, "looks", "From “banana” to “bandit” the convolution’s table moved by 0, ")
    x, y = (LETTER_VECTORS[[ALPHABET.index(c) for c in word]] for word in ("banana", "bandit"))
    moved = total_variation(attention_table(x, *ROLES), attention_table(y, *ROLES)).mean()
    assert (
        f"the recurrence’s by 0, attention’s by {moved:.2f}." in status(bare, "looks").inner_text()
    )
    assert len(table(bare, "looks", "Attention")) == 6
    field.fill("naïve")
    field.press("Tab")
    assert "“ï” has no vector here" in status(bare, "looks").inner_text()
    field.fill("ox")
    settled(bare, "looks", "2 letters, where there were 6")
    assert [row[0] for row in table(bare, "looks", "Attention")] == ["o", "x"]


# ---- self-checks


def python_judges(text, answer):
    (number,) = find_numbers(text)
    return not judge([number], answer, "answer")


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


@pytest.mark.parametrize(
    ("name", "typed", "said"),
    [
        ("third", "0.33", "Right, to the 2 digits you typed."),
        ("third", "33.3 %", "Right, to the 3 digits you typed."),
        ("third", "0.3333333333333333333333", "Right, to the 22 digits you typed."),
        ("third", "0.34", "Not yet."),
        ("third", "0", "Not yet. An integer must be exact: write decimals."),
        ("third", "-0.333", "Not yet. Look at the sign."),
        ("root", "1.415", "Not yet. It is close: look at the last digits."),
        ("root", "1.4142135623730951", "Not taken: 17 digits are more than a float can vouch for"),
        ("root", "a lot", "Not taken: “a lot” is no number that can be read here"),
        ("root", "1/2", "Not taken: “1/2” is no number that can be read here"),
    ],
)
def test_a_typed_answer_is_judged_and_the_verdict_said(shared, name, typed, said):
    field = figure(shared, name).get_by_role("textbox")
    field.fill(typed)
    field.press("Enter")
    settled(shared, name, said)


def test_the_answer_cannot_be_read_off_the_page(shared):
    html = figure(shared, "third").evaluate("e => e.outerHTML")
    assert "1/3" not in html
    assert "0.33" not in html


# ---- all of them


def test_each_figure_keeps_its_own_part_of_the_address_and_the_anchors_work(bare):
    bare.get_by_role("link", name="to the end").click()
    bare.get_by_label("value B, coordinate 2").fill("3")
    figure(bare, "saturation").get_by_role("slider").press("ArrowRight")
    bare.get_by_label("name").fill("mul")
    bare.wait_for_url("**e6.text=mul*")
    query = bare.evaluate("[...new URL(location).searchParams.keys()].sort()")
    assert query == ["e6.text", "hand.value", "saturation.width"]
    assert bare.evaluate("location.hash") == "#end"
    bare.get_by_role("link", name="to the end").click()
    assert bare.evaluate("[...new URL(location).searchParams.keys()].sort()") == query
    bare.reload()
    assert bare.get_by_label("name").input_value() == "mul"
    figure(bare, "hand").get_by_role("button", name="Reset").click()
    assert bare.evaluate("[...new URL(location).searchParams.keys()].sort()") == query[::2]


def test_a_figure_that_breaks_leaves_its_table_and_the_others_run(page, bench):
    page.add_init_script(
        """document.addEventListener("DOMContentLoaded", () => {}, true);
        const parse = JSON.parse;
        JSON.parse = (text) => { const data = parse(text); delete data.query; return data; };"""
    )
    page.goto(bench)
    broken, whole = figure(page, "hand"), figure(page, "saturation")
    assert broken.locator(".figure-default").is_visible()
    assert broken.locator(".figure-live").count() == 0
    assert whole.locator(".figure-live").is_visible()


@pytest.mark.parametrize("page", [{"java_script_enabled": False}], indirect=True)
def test_without_a_script_there_are_tables_and_no_controls(page, bench):
    page.goto(bench)
    assert page.locator("figure table").count() >= 12
    assert page.locator(".figure-default").count() == len(FIGURES)
    assert all(part.is_visible() for part in page.locator(".figure-default").all())
    assert page.locator("figure :is(input, button, select)").count() == 0


def test_printed_there_are_tables_and_no_controls(bare):
    bare.emulate_media(media="print")
    assert all(part.is_visible() for part in bare.locator(".figure-default").all())
    assert not any(part.is_visible() for part in bare.locator(".figure-live").all())


PHONE = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
OPERATED = (
    "e6.text=davayis&e6.edits=1_7_3_0.55&hand.query=-12.5_1e-7~0_1~1_1&looks.word=wwwwwwww"
    "&dropout.rate=0.05&dropout.masks=90000&saturation.width=1024&third.typed=0.3333333333"
)


@pytest.mark.parametrize("page", [PHONE], indirect=True)
@pytest.mark.parametrize("query", ["", OPERATED], ids=["default", "operated"])
def test_figures_fit_a_phone_and_a_finger(bare, bench, query):
    bare.goto(f"{bench}?{query}")
    assert bare.evaluate("document.documentElement.scrollWidth") <= 320
    outside = """figure => [...figure.querySelectorAll('.figure-live *')].filter(e =>
      e.getClientRects().length &&
      e.getBoundingClientRect().right > figure.getBoundingClientRect().right)
      .map(e => e.outerHTML.slice(0, 80))"""
    small = """figure => [...figure.querySelectorAll('button, input')].filter(e => {
      const box = (e.closest('label') || e).getBoundingClientRect();
      return box.width < 24 || box.height < 24;
    }).map(e => e.outerHTML.slice(0, 80))"""
    for name in FIGURES:
        assert figure(bare, name).evaluate(outside) == [], name
        assert figure(bare, name).evaluate(small) == [], name


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_a_finger_operates_them(bare):
    bare.get_by_label("causal mask").tap()
    settled(bare, "hand", "others are allowed")
    bare.get_by_role("button", name="query 3 v, key 1 d").tap()
    settled(bare, "e6", "Head 0: query v gives")
    bare.get_by_role("button", name="gamolot").tap()
    settled(bare, "e6", "After “gamolot” the likeliest is end")


@pytest.mark.parametrize("page", [{}, PHONE], indirect=True, ids=["laptop", "phone"])
def test_nothing_moves_below_a_figure_when_its_values_change(bare):
    below = "document.querySelector('#end').offsetTop"
    before = bare.evaluate(below)
    bare.get_by_label("key A, coordinate 1").fill("-1234.5")
    bare.get_by_label("name").fill("mulves")
    figure(bare, "saturation").get_by_role("slider").press("End")
    figure(bare, "dropout").get_by_role("slider").press("End")
    bare.get_by_label("word", exact=True).fill("bandit")
    figure(bare, "third").get_by_role("textbox").fill("0.3")
    figure(bare, "third").get_by_role("textbox").press("Enter")
    bare.wait_for_timeout(400)
    assert bare.evaluate(below) == before
    figure(bare, "hand").get_by_label("value A, coordinate 1").fill("x")
    figure(bare, "hand").get_by_label("value A, coordinate 1").press("Tab")
    assert bare.evaluate(below) == before


def test_every_control_has_a_name_and_every_figure_a_polite_status(bare):
    nameless = """[...document.querySelectorAll('figure :is(input, button)')].filter(e =>
      !(e.getAttribute('aria-label') || e.innerText || [...e.labels || []].some(l => l.innerText)))
      .map(e => e.outerHTML)"""
    assert bare.evaluate(nameless) == []
    assert bare.locator("figure [role=status]").count() == len(FIGURES)


def test_nothing_is_animated_so_there_is_no_motion_to_reduce(bare):
    figure(bare, "saturation").get_by_role("slider").press("End")
    assert bare.evaluate("document.getAnimations().length") == 0
    moving = """[...document.querySelectorAll('figure, figure *')]
      .filter(e => getComputedStyle(e).transitionDuration !== '0s').length"""
    assert bare.evaluate(moving) == 0


# ---- in the book


def test_a_page_loads_the_scripts_of_its_figures_and_no_others(site):
    names = {path.name for path in (ROOT / "book/assets").glob("*.js")}
    for path in (site.folder / "book").glob("*.html"):
        html = path.read_text(encoding="utf-8")
        loaded = re.findall(r'<script defer="defer" src="[^"]*_static/([\w.]+)\?v=[^"]*">', html)
        asked = [
            name for part in re.findall('data-scripts="([^"]*)"', html) for name in part.split()
        ]
        assert [name for name in loaded if name in names] == list(dict.fromkeys(asked)), path.name


@pytest.mark.parametrize("page", [{}, PHONE], indirect=True, ids=["laptop", "phone"])
def test_every_figure_of_the_book_runs_where_it_stands(page, site):
    ran = set()
    for path in sorted((site.folder / "book").glob("*.html")):
        page.goto(path.as_uri())
        figures = page.locator("figure.operable")
        assert page.locator("figure.operable.is-live").count() == figures.count(), path.name
        ran |= set(figures.evaluate_all("all => all.map(figure => figure.dataset.figure)"))
        names = figures.evaluate_all("all => all.map(figure => figure.dataset.name)")
        assert len(names) == len(set(names)), path.name
    assert ran >= {"hand-example", "where-it-looks", "saturation", "dropout-means", "self-check"}


def test_the_right_answer_is_right_in_every_self_check_of_the_book(page, site):
    for path in sorted((site.folder / "book").glob("0*.html")):
        page.goto(path.as_uri())
        checks = page.locator("figure.self-check")
        assert checks.count() >= 1, path.name
        for check in checks.all():
            name = check.get_attribute("data-name")
            over, under = page.evaluate(
                "n => { const { over, under } = attentionChecked.running[n].data.answer;"
                " return [String(over), String(under)]; }",
                name,
            )
            check.get_by_role("textbox").fill(f"{int(over) / int(under):.6f}")
            check.get_by_role("button", name="Check").click()
            check.get_by_role("status").filter(has_text="Right, to the").wait_for()
