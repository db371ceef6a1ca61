"""Figures that a reader operates: what they show before anybody does, and what they refuse."""

import json
import re
from fractions import Fraction
from html import unescape

import numpy as np
import pytest

from attention.core import attend
from attention.dropout import dropout_problems
from attention.figures import (
    dropout_means,
    e6_live,
    hand_example,
    saturation,
    self_check,
    where_it_looks,
)
from attention.figures.dropout_means import kept
from attention.figures.operable import operable, table
from attention.figures.saturation import components
from attention.masks import causal
from attention.measures import entropy_bits, jacobian_norm
from attention.models.kinds import draw_weights
from attention.tables import attention_table

PAIRS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
E6 = {name: w[0].numpy() for name, w in draw_weights("E6", [3]).items()}
RNG = np.random.default_rng(0)
LETTERS, ROLES = RNG.normal(size=(26, 4)), RNG.normal(size=(2, 4, 3))


def tables(element):
    """The numbers of each default table by its caption, row by row."""
    found = {}
    for html in element.html.split("<table")[1:]:
        caption = unescape(re.search("<caption>(.*?)</caption>", html)[1])
        rows = re.search("<tbody>(.*)</tbody>", html)[1].split("</tr>")[:-1]
        found[caption] = [[number(x) for x in re.findall("<td[^>]*>(.*?)</td>", r)] for r in rows]
    return found


def number(text):
    try:
        return float(text.replace("−", "-"))
    except ValueError:
        return text


def held(element):
    return json.loads(element.html.partition('json">')[2].partition("</script>")[0])


def test_the_hand_example_shows_what_attend_gives():
    output, shares = attend(PAIRS, -PAIRS, PAIRS, causal(3))
    shown = tables(hand_example(PAIRS, -PAIRS, PAIRS, caption="masked"))
    assert np.array_equal(shown["Shares"], shares.round(4))
    assert shown["Scores"][0] == [-0.7071, "—", "—"]
    assert shown["Outputs"][1] == [f"({output[1][0]:.4f}, {output[1][1]:.4f})"]
    assert shown["Vectors"][2] == ["(1, 1)", "(−1, −1)", "(1, 1)"]
    free = tables(hand_example(PAIRS, PAIRS, PAIRS, masked=False, scaled=False, caption="free"))
    assert np.array_equal(free["Scores"], PAIRS @ PAIRS.T)


def test_saturation_shows_shares_entropy_and_norm_at_its_width():
    shown = np.array(tables(saturation(width=64, seed=5, caption=""))["Shares at a width of 64"])
    assert np.allclose(shown[2:].sum(axis=0), 1, atol=1e-3)
    drawn = components(5)[:, :64]
    products = drawn[1:] @ drawn[0]
    for column, divisor in zip(shown.T, (1, 8), strict=True):
        grown = np.exp((products - products.max()) / divisor)
        shares = grown / grown.sum()
        assert np.allclose(column[2:], shares, rtol=0, atol=5.1e-5)
        assert column[:2] == pytest.approx([entropy_bits(shares), jacobian_norm(shares)], abs=6e-5)


def test_components_have_mean_zero_and_variance_one():
    drawn = np.concatenate([components(seed).ravel() for seed in range(10)])
    assert abs(drawn.mean()) < 5 / np.sqrt(drawn.size)
    assert abs(drawn.var() - 1) < 5 * np.sqrt(2 / drawn.size)


def test_dropout_shows_its_latest_mask_and_both_means():
    row = np.array([0.25, 0.25, 0.5])
    (shown,) = tables(dropout_means(row, rate=0.25, masks=40, seed=2, caption="")).values()
    columns = np.array(shown)[:3].T
    masks = kept(2, 40, 3, 0.25)
    assert dropout_problems(np.where(masks[-1], row / 0.75, 0), row, 0.25) == []
    assert np.allclose(columns[1], np.where(masks[-1], row / 0.75, 0), atol=5.1e-5)
    assert np.allclose(columns[2], (masks * row / 0.75).mean(axis=0), atol=5.1e-5)
    assert np.allclose(columns[3], 3 * columns[2], atol=3e-4)


def test_where_it_looks_shows_attention_of_its_word():
    shown = tables(where_it_looks(LETTERS, *ROLES, word="cab", caption=""))
    expected = attention_table(LETTERS[[2, 0, 1]], *ROLES)
    assert np.allclose(shown["Attention"], expected, rtol=0, atol=0.005001)
    assert shown["Recurrence, one step"] == [[1, 0, 0], [1, 0, 0], [0, 1, 0]]


def test_e6_shows_both_heads_and_probabilities_of_all_outcomes():
    shown = tables(e6_live(E6, text="mul", caption=""))
    assert set(shown) == {"Head 0", "Head 1", "Next after “mul”"}
    assert np.allclose(np.sum(shown["Head 1"], axis=1), 1, atol=0.02)
    assert np.sum(shown["Next after “mul”"]) == pytest.approx(1, abs=5e-4)
    assert len(shown["Head 0"]) == 4


def test_data_cannot_end_the_script_that_holds_it():
    wild = operable("self-check", "x", default="", data={"a": "</script><b>"}, caption="<i>")
    assert wild.html.count("</script>") == 1
    assert held(wild) == {"a": "</script><b>"}
    assert "<i>" not in wild.html
    assert "<b>" not in table("<b>", ["<b>"], {"<b>": [("<b>", None)]}, corner="<b>")


def test_an_answer_is_held_as_the_number_a_claim_would_compare():
    a, b, c = (held(self_check(x, ask="?", name="x")) for x in (0.1, Fraction(1, 10), np.int64(3)))
    assert a["folded"] != b["folded"]  # the one is a float, the other exact
    assert c["folded"] == held(self_check(3, ask="?", name="x"))["folded"]


@pytest.mark.parametrize(
    ("make", "error", "said"),
    [
        (lambda: hand_example(PAIRS, PAIRS[:2], PAIRS[:2], caption=""), ValueError, r"\(3, 2\)"),
        (lambda: saturation(width=100, caption=""), ValueError, "width is 100"),
        (lambda: saturation(width=64, seed=-1, caption=""), ValueError, "seed is -1"),
        (lambda: dropout_means(PAIRS[0] / 2, caption=""), ValueError, "sum"),
        (lambda: dropout_means(PAIRS[0], rate=1.0, caption=""), ValueError, "rate is 1.0"),
        (lambda: dropout_means(PAIRS[0], masks=10**6, caption=""), ValueError, "masks is 1000000"),
        (lambda: where_it_looks(LETTERS[:3], *ROLES, caption=""), ValueError, r"\(3, 4\)"),
        (lambda: where_it_looks(LETTERS, *ROLES, word="A", caption=""), ValueError, "word is 'A'"),
        (lambda: e6_live({}, caption=""), ValueError, "token"),
        (lambda: e6_live({**E6, "key.bias": PAIRS}, caption=""), ValueError, "key.bias missing"),
        (lambda: e6_live(E6, text="dax", caption=""), ValueError, "'x'"),
        (lambda: e6_live(E6, probes=["davayisa"], caption=""), ValueError, "8 letters"),
        (lambda: self_check("1", ask="?", name="x"), TypeError, "answer is '1'"),
        (lambda: self_check(True, ask="?", name="x"), TypeError, "answer is True"),
        (lambda: self_check(float("nan"), ask="?", name="x"), ValueError, "answer is nan"),
        (lambda: self_check(1, ask=" ", name="x"), ValueError, "needs a question"),
        (lambda: self_check(1, ask="?", name="X y"), ValueError, "name is 'X y'"),
    ],
)
def test_what_does_not_fit_is_named(make, error, said):
    with pytest.raises(error, match=said):
        make()
