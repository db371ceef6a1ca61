"""A reader operates a figure: what the page computes is what the library computes.

Most tests open a page that holds the figures and nothing else: it needs no built site.
"""

import re

import numpy as np
import pytest

from attention import attend, causal, scores
from attention.figures import hand_example

PAIRS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
VALUES = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
NEAR = {"rtol": 0, "atol": 1e-12}
FIGURES = {"hand": hand_example(PAIRS, PAIRS, VALUES, caption="the hand example")}
COMPUTED = """([name, states]) => {
  const { running, specs } = attentionChecked, kit = running[name];
  return states.map((state) => specs[kit.figure.dataset.figure].compute(state, kit.data));
}"""


@pytest.fixture(scope="session")
def bench(tmp_path_factory, bare_page):
    return bare_page(tmp_path_factory.mktemp("bench") / "figures.html", FIGURES.values())


@pytest.fixture
def bare(page, bench):
    """The page of all figures, ready; an error of a script fails the test."""
    page.set_default_timeout(5000)
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: said.type == "error" and problems.append(said.text))
    page.goto(bench)
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


def test_the_hand_example_computes_what_attend_computes(bare):
    rng = np.random.default_rng(0)
    states = []
    for _ in range(100):
        n, width, value_width = rng.integers(1, 6, size=3)
        size = 10.0 ** rng.integers(-2, 2)
        draw = {k: size * rng.normal(size=(n, width)) for k in ("query", "key")}
        draw["value"] = rng.normal(size=(n, value_width))
        flags = {k: bool(rng.integers(2)) for k in ("masked", "scaled")}
        states.append({k: x.tolist() for k, x in draw.items()} | flags)
    for state, found in zip(states, computed(bare, "hand", states), strict=True):
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
