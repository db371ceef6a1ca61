"""A reader operates a figure by keyboard, finger and address; without a script it stands."""

import re
from pathlib import Path

import pytest

from attention.figures import dropout_means, saturation
from attention.figures.where_it_looks import ALPHABET
from attention.measures import total_variation
from attention.tables import attention_table
from tests.site.faces import FACES, wear

ROOT = Path(__file__).parents[2]
PHONE = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
COLUMN = {"viewport": {"width": 700, "height": 900}}  # as wide as the text of a chapter
OPERATED = (
    "e6.text=davayis&e6.edits=1_7_3_0.55&hand.query=-12.5_1e-7~0_1~1_1&looks.word=wwwwwwww"
    "&dropout.rate=0.05&dropout.masks=90000&saturation.width=1024&third.typed=0.3333333333"
)


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
    bare.goto(f"{bench.address}?{query}")
    assert "The address asks for something else" in status(bare, "hand").inner_text()
    assert table(bare, "hand", "Shares") == table(bare, "hand", "Shares", ".figure-default")


# ---- E6 live


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


@pytest.fixture
def likeliest(computed):
    """What the figure must say of a name: that its likeliest next letter is what it computes."""

    def said(text):
        state = {"text": text, "at": None, "edits": [], "silent": ""}
        (found,) = computed("e6", [state])
        following = found["own"][-1]
        best = found["letters"][following.index(max(following))]
        return f"After “{text}” the likeliest is {best}, with {max(following):.4f}."

    return said


def test_a_share_of_e6_is_edited_by_keyboard_alone(bare, computed, likeliest):
    bare.get_by_label("name").fill("davay")
    settled(bare, "e6", likeliest("davay"))
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
    edits = [{"head": 1, "query": 5, "key": 3, "share": 1}]
    (found,) = computed("e6", [{"text": "davay", "at": None, "edits": edits, "silent": ""}], bare)
    shown = figure(bare, "e6").locator(".figure-letters .figure-now").all_inner_texts()
    assert [float(x) for x in shown] == pytest.approx(found["probabilities"][5], abs=0.005001)
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


def test_no_name_is_generated_from_a_seed_that_is_none(shared):
    seed = shared.get_by_label("seed").first
    name = shared.get_by_label("name").input_value()
    seed.fill("abc")
    shared.get_by_role("button", name="Generate a name").click()
    assert "“abc”" in status(shared, "e6").inner_text()
    assert shared.get_by_label("name").input_value() == name
    assert seed.input_value() == "abc"


@pytest.mark.parametrize("head", [0, 1])
def test_a_change_too_small_to_show_is_not_said_to_go_from_a_number_to_itself(
    bare, likeliest, head
):
    bare.get_by_role("button", name="davayis").click()
    settled(bare, "e6", likeliest("davayis"))
    bare.get_by_label(f"silence head {head}").check()
    settled(bare, "e6", re.compile("went from|unchanged"))
    said = status(bare, "e6").inner_text()
    found = re.search(r"went from (\S+) to (\S+)\.", said)
    assert found[1] != found[2] if found else "unchanged to the digits shown" in said


def test_a_generated_name_is_shown_with_its_seed(bare, likeliest):
    bare.get_by_label("seed").first.fill("4")
    bare.get_by_role("button", name="Generate a name").click()
    settled(bare, "e6", "Seed 4: ")
    name = bare.get_by_label("name").input_value()
    assert f"Seed 4: {name}" in status(bare, "e6").inner_text()
    assert bare.get_by_label("seed").first.input_value() == "5"
    bare.get_by_role("button", name="mulves").click()
    settled(bare, "e6", likeliest("mulves"))


@pytest.mark.parametrize(
    "query", ["e6.edits=0_9_1_0.5", "e6.edits=0_0_0_0.5", "e6.at=1_3", "e6.head=2", "e6.text=x"]
)
def test_an_address_that_e6_cannot_show_is_named(bare, bench, query):
    bare.goto(f"{bench.address}?{query}")
    assert "The address asks for something else" in status(bare, "e6").inner_text()
    assert bare.get_by_label("name").input_value() == "dava"


# ---- saturation


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


def test_dropout_is_operated_by_keyboard_alone(bare, bench):
    bare.get_by_role("button", name="From one mask").focus()
    bare.keyboard.press("Enter")
    settled(bare, "dropout", "After 1 mask at a rate of 0.2 the mean with 1/(1−p) is at most")
    bare.get_by_role("button", name="100 more", exact=True).focus()
    bare.keyboard.press("Enter")
    settled(bare, "dropout", "Over 101 masks")
    figure(bare, "dropout").get_by_role("slider").focus()
    bare.keyboard.press("End")
    settled(bare, "dropout", "Over 101 masks at a rate of 0.95")
    shown = table(bare, "dropout", "Shares under")
    assert shown == rows_of(dropout_means(bench.row, rate=0.95, masks=101, caption=""))
    for _ in range(11):
        bare.get_by_role("button", name="10,000 more").press("Space")
    assert status(bare, "dropout").inner_text() == (
        "Not taken: That would be 100101 masks: a page draws at most 100000."
    )
    assert table(bare, "dropout", "Shares under")[0][1] == shown[0][1]


# ---- where it looks


def test_another_word_moves_attention_and_nothing_else(bare, bench):
    field = bare.get_by_label("word", exact=True)
    field.fill("bandit")
    settled(bare, "looks", "From “banana” to “bandit” the convolution’s table moved by 0, ")
    x, y = (bench.letters[[ALPHABET.index(c) for c in word]] for word in ("banana", "bandit"))
    moved = total_variation(
        attention_table(x, *bench.roles), attention_table(y, *bench.roles)
    ).mean()
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


@pytest.mark.parametrize("when", ["starting", "operated"])
def test_a_figure_that_breaks_leaves_its_table_and_the_others_run(fresh, bench, when):
    if when == "starting":
        fresh.add_init_script(
            "const parse = JSON.parse;"
            "JSON.parse = (text) => { const data = parse(text); delete data.query; return data; };"
        )
    fresh.goto(bench.address)
    if when == "operated":
        breaking = "attentionChecked.running.hand.draw = () => { throw new Error('broken'); };"
        fresh.evaluate(f"() => {{ {breaking} }}")
        fresh.get_by_label("value B, coordinate 2").fill("3")
    broken, whole = figure(fresh, "hand"), figure(fresh, "saturation")
    assert broken.locator(".figure-default").is_visible()
    assert broken.locator(".figure-live").count() == 0
    whole.get_by_role("slider").press("End")
    settled(fresh, "saturation", "At a width of 1024")


@pytest.mark.parametrize("page", [{"java_script_enabled": False}], indirect=True)
def test_without_a_script_there_are_tables_and_no_controls(page, bench):
    page.goto(bench.address)
    assert page.locator("figure table").count() >= 12
    assert page.locator(".figure-default").count() == len(bench.names)
    assert all(part.is_visible() for part in page.locator(".figure-default").all())
    assert page.locator("figure :is(input, button, select)").count() == 0


def test_printed_there_are_tables_and_no_controls(bare):
    bare.emulate_media(media="print")
    assert all(part.is_visible() for part in bare.locator(".figure-default").all())
    assert not any(part.is_visible() for part in bare.locator(".figure-live").all())


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_a_finger_operates_them(bare, likeliest):
    bare.get_by_label("causal mask").tap()
    settled(bare, "hand", "others are allowed")
    bare.get_by_role("button", name="query 3 v, key 1 d").tap()
    settled(bare, "e6", "Head 0: query v gives")
    bare.get_by_role("button", name="gamolot").tap()
    settled(bare, "e6", likeliest("gamolot"))


@pytest.mark.parametrize(
    "page", [{}, COLUMN, PHONE], indirect=True, ids=["laptop", "column", "phone"]
)
@pytest.mark.parametrize("face", FACES)
def test_nothing_moves_below_a_figure_when_its_values_change(bare, face):
    wear(bare, face)
    below = "document.querySelector('#end').offsetTop"
    before = bare.evaluate(below)
    bare.get_by_label("key A, coordinate 1").fill("-1234.5")
    bare.get_by_label("name").fill("mulves")
    figure(bare, "saturation").get_by_role("slider").press("End")
    figure(bare, "dropout").get_by_role("slider").press("End")
    bare.get_by_label("word", exact=True).fill("bandit")
    figure(bare, "third").get_by_role("textbox").fill("0.3")
    figure(bare, "third").get_by_role("textbox").press("Enter")
    settled(bare, "hand", "Scores of A, C moved")
    settled(bare, "e6", "After “mulves” the likeliest is")
    settled(bare, "saturation", "At a width of 1024")
    settled(bare, "dropout", "at a rate of 0.95")
    settled(bare, "looks", "From “banana” to “bandit”")
    settled(bare, "third", "Right, to the one digit")
    assert bare.evaluate(below) == before
    figure(bare, "hand").get_by_label("value A, coordinate 1").fill("x")
    figure(bare, "hand").get_by_label("value A, coordinate 1").press("Tab")
    settled(bare, "hand", "Not taken")
    assert bare.evaluate(below) == before


def test_every_control_has_a_name_and_every_figure_a_polite_status(bare, bench):
    nameless = """[...document.querySelectorAll('figure :is(input, button)')].filter(e =>
      !(e.getAttribute('aria-label') || e.innerText || [...e.labels || []].some(l => l.innerText)))
      .map(e => e.outerHTML)"""
    assert bare.evaluate(nameless) == []
    assert bare.locator("figure [role=status]").count() == len(bench.names)


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


def test_every_kind_of_figure_stands_in_the_book(site):
    pages = [path.read_text(encoding="utf-8") for path in (site.folder / "book").glob("*.html")]
    kinds = set().union(*(re.findall('data-figure="([^"]*)"', html) for html in pages))
    assert kinds >= {"hand-example", "where-it-looks", "saturation", "dropout-means", "self-check"}
