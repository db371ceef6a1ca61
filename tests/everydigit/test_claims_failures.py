"""Where on a page a failure is shown."""

from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.utils import new_document

from everydigit.site.failures import show


def at(line, node):
    node.line = line
    return node


def page():
    document = new_document("page", get_default_settings())
    table = at(7, nodes.table("", nodes.tgroup("", nodes.tbody("", nodes.row(
        "", nodes.entry("", at(9, nodes.paragraph(text="cell"))))))))  # fmt: skip
    document += nodes.section(
        "",
        at(1, nodes.title(text="T")),
        at(3, nodes.paragraph(text="first")),
        table,
        at(12, nodes.paragraph(text="last")),
        ids=["t"],
    )
    return document


def order(document):
    """The section's children: a failure by its line, others by their text or kind."""
    (section,) = document.findall(nodes.section)
    return [
        node["ids"][0] if node.get("ids") else node.astext()[:5] or node.tagname
        for node in section.children
    ]


def test_a_failure_follows_the_block_of_its_line_and_never_stands_inside_a_table():
    document = page()
    show(document, [(4, "a"), (9, "b"), (10, "c"), (99, "d")])
    numbered = [f"claims-failure-{n}" for n in (1, 2, 3, 4)]
    assert order(document) == [
        "T", "✗ 4 t", "first", numbered[0], "cell", numbered[1], numbered[2], "last", numbered[3],
    ]  # fmt: skip


def test_what_stands_above_everything_is_shown_at_the_top():
    document = page()
    show(document, [(0, "the front matter")])
    assert document[0].astext() == "✗ line 0: the front matter"
    assert "One thing on this page does not hold" in document.astext()


def test_every_failure_is_linked_from_the_summary_and_none_gives_none():
    document = page()
    show(document, [(3, "a"), (3, "b")])
    links = [link["refid"] for link in document.findall(nodes.reference)]
    assert links == ["claims-failure-1", "claims-failure-2"]
    assert order(document)[2:5] == ["first", *links]
    untouched = page()
    show(untouched, [])
    assert untouched.pformat() == page().pformat()
