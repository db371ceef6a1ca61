import html
import re
from xml.etree import ElementTree

import pytest

from booksite.mathml import CannotSetError, to_mathml


@pytest.mark.parametrize(
    ("latex", "words"),
    [
        (r"z_i = \sum_{j=1}^{T} w_{ij}\, x_j .", "zi=∑j=1Twijxj."),
        (r"\frac{Q K^{\top}}{\sqrt{d_k}} + M", "QK⊤dk+M"),
        (r"-\infty", "−∞"),
        (r"\begin{pmatrix} 1 & 0 \\ 0 & 2 \end{pmatrix}", "(1002)"),
        (r"a < b", "a<b"),
    ],
)
@pytest.mark.parametrize("display", [True, False])
def test_a_plain_formula_keeps_every_sign(latex, words, display):
    tree = ElementTree.fromstring(to_mathml(latex, display=display))
    assert re.sub(r"\s", "", "".join(tree.itertext())) == words
    assert tree.get("display") == ("block" if display else "inline")


def test_infinity_is_set_as_a_number():
    assert "<mo>−</mo><mi>∞</mi>" in html.unescape(to_mathml(r"-\infty", display=False))


@pytest.mark.parametrize(
    ("latex", "named"),
    [
        (r"a \unheardof b", "unheardof"),
        (r"\begin{aligned} a &= b \\ c &= d \end{aligned}", "aligned"),
        (r"\begin{align} a &= b \end{align}", "align"),
        (r"a \tag{1}", "tag"),
        (r"\boldsymbol{x}", "boldsymbol"),
        (r"\lVert x \rVert_2", "lVert"),
        (r"a & b", "&"),
        (r"\frac{a", "braces do not match"),
    ],
)
def test_what_cannot_be_set_is_refused_by_name(latex, named):
    with pytest.raises(CannotSetError, match=named):
        to_mathml(latex, display=True)
