import pytest

from attention.figures.diagram import Branch, block


def test_every_box_and_every_addition_is_drawn():
    drawn = block(
        [Branch(["look up"], False), Branch(["norm", "a < b"], True), Branch(["expand"], True)],
        caption="two branches",
        description='"Two" branches.',
    )
    assert drawn.html.count("<rect") == 4
    assert drawn.html.count("<circle") == 2
    assert "a &lt; b" in drawn.html
    assert 'aria-label="&quot;Two&quot; branches."' in drawn.html
    assert repr(drawn) == "<figure: two branches>"


@pytest.mark.parametrize(
    ("branches", "description", "message"),
    [
        ([], "empty", "at least one branch"),
        ([Branch([], True)], "empty", "at least one box"),
        ([Branch(["norm"], True)], " ", "description"),
    ],
)
def test_a_diagram_without_content_or_words_is_refused(branches, description, message):
    with pytest.raises(ValueError, match=message):
        block(branches, caption="", description=description)
