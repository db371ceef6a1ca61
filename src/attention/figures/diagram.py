"""The drawing of E6's one block: the stream runs down, two branches leave it and come back."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from attention.figures import Element

WIDTH, STREAM, LEFT, STEP, BOX = 360, 44, 96, 40, 28


class Branch(NamedTuple):
    """What is done to the stream: boxes on its way, or boxes beside it whose result is added."""

    boxes: Sequence[str]
    added: bool


def block(branches: Sequence[Branch], *, caption: str, description: str) -> Element:
    """Draw a stream with its branches from top to bottom, a box for each step.

    `description` says in words what the drawing shows, for those who do not see it.

    Raises:
        ValueError: there is no branch, a branch has no box, or the description is empty.

    Examples:
        >>> block([Branch(["norm", "attend"], True)], caption="a branch", description="Two boxes.")
        <figure: a branch>

    """
    if not branches or not all(branch.boxes for branch in branches):
        raise ValueError("a block needs at least one branch, and each branch at least one box")
    if not description.strip():
        raise ValueError("a drawing needs a description for those who do not see it")
    y, parts = 14, []
    for branch in branches:
        top = y
        for box in branch.boxes:
            parts.append(_box(box, y, branch.added))
            y += STEP
        if branch.added:
            parts.append(_detour(top, y))
            y += STEP
    line = f'<path class="stream" d="M{STREAM} 4V{y - (STEP - BOX) + 6}"/>'
    return Element(
        f'<figure class="block"><svg viewBox="0 0 {WIDTH} {y}" role="img" '
        f'aria-label="{escape(description)}">{line}{"".join(parts)}</svg>'
        f"<figcaption>{escape(caption)}</figcaption></figure>",
        caption,
    )


def _box(label: str, y: int, beside: bool) -> str:
    x = LEFT if beside else 12
    width = WIDTH - x - 8
    text = f'<text x="{x + width / 2:.0f}" y="{y + 19}" text-anchor="middle">{escape(label)}</text>'
    return f'<g><rect x="{x}" y="{y}" width="{width}" height="{BOX}" rx="4"/>{text}</g>'


def _detour(top: int, bottom: int) -> str:
    """The way out of the stream, down through the boxes, and back to where it is added."""
    x, start, plus = LEFT + (WIDTH - LEFT - 8) / 2, top + BOX / 2, bottom + BOX / 2 - 4
    ways = [f"M{STREAM} {start}H{LEFT}"]
    ways += [f"M{x} {y - STEP + BOX}V{y}" for y in range(top + STEP, bottom, STEP)]
    ways.append(f"M{x} {bottom - STEP + BOX}V{plus}H{STREAM + 11}")
    return (
        f'<path class="way" d="{"".join(ways)}"/><circle cx="{STREAM}" cy="{plus}" r="11"/>'
        f'<text x="{STREAM}" y="{plus + 5:.0f}" text-anchor="middle">+</text>'
    )
