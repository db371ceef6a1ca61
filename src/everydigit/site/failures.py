"""On a page that does not hold, each failure stands right below what failed."""

from collections.abc import Sequence

from docutils import nodes

BLOCKS = (
    nodes.paragraph, nodes.title, nodes.rubric, nodes.term, nodes.caption, nodes.literal_block,
    nodes.math_block, nodes.table, nodes.figure, nodes.comment, nodes.raw, nodes.container,
)  # fmt: skip
# Blocks that a failure in them follows as a whole.
WHOLE = (nodes.table, nodes.figure, nodes.definition_list)


def show(doctree: nodes.document, failures: Sequence[tuple[int, str]]) -> None:
    """Put each failure (its line in the source, and why) below the block that the line is in."""
    if not failures:
        return
    blocks = [node for node in doctree.findall() if isinstance(node, BLOCKS) and node.line]
    for number, (line, message) in reversed(list(enumerate(failures, 1))):
        above = [block for block in blocks if (block.line or 0) <= line]
        note = _note(f"claims-failure-{number}", f"line {line}: {message}")
        if above:
            _follow(_outermost(max(above, key=lambda block: block.line or 0)), note)
        else:
            doctree.insert(0, note)
    _follow(next(doctree.findall(nodes.title), doctree[0]), _summary(failures))


def _outermost(block: nodes.Element) -> nodes.Element:
    """The block, or what it cannot be parted from."""
    found, node = block, block
    while (parent := node.parent) is not None:
        node = parent
        if isinstance(node, WHOLE) or "claims_whole" in node:
            found = node
    return found


def _follow(block: nodes.Node, note: nodes.Node) -> None:
    assert block.parent is not None
    block.parent.insert(block.parent.index(block) + 1, note)


def _note(name: str, text: str) -> nodes.container:
    return nodes.container(
        "", nodes.paragraph(text=f"✗ {text}"), ids=[name], classes=["claims-failure"]
    )


def _summary(failures: Sequence[tuple[int, str]]) -> nodes.container:
    count = len(failures)
    things = "One thing on this page does" if count == 1 else f"{count} things on this page do"
    said = nodes.paragraph(text=f"✗ {things} not hold:")
    for number, (line, _) in enumerate(failures, 1):
        said += nodes.Text(" " if number == 1 else ", ")
        said += nodes.reference("", f"line {line}", internal=True, refid=f"claims-failure-{number}")
    return nodes.container("", said, classes=["claims-failure"])
