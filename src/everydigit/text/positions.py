"""Where the words of an inline token stand on the page."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from markdown_it.token import Token

Where = Callable[[int], tuple[int, int]]  # an offset in an inline source → line and column


def places(
    lines: list[str], source: str, first: int, cursors: dict[int, int] | None = None
) -> Where:
    """A map from offsets in an inline source that begins on line `first` to places on the page.

    A table's cells share a line: `cursors` says how far each line has been read.
    """
    columns: list[int] = []
    for line, row in enumerate(source.split("\n"), first):
        raw = lines[line] if line < len(lines) else ""
        whole, bare = raw.rstrip(), row.rstrip()
        if cursors is not None:
            bare = bare.replace("|", "\\|")
            column = max(raw.find(bare, cursors.get(line, 0)), 0)
            cursors[line] = column + len(bare)
        elif whole.endswith(bare):
            column = len(whole) - len(bare)
        else:  # a heading closed by #
            column = max(raw.find(bare), 0)
        columns.append(column)

    def where(position: int) -> tuple[int, int]:
        *above, before = source[:position].split("\n")
        return first + len(above) + 1, columns[len(above)] + len(before) + 1

    return where


def joined(tokens: list[Token], places: dict[int, int]) -> Iterator[tuple[Token, int]]:
    """Tokens with their places; neighbouring texts are one, so that `a_1` stays a name."""
    held: tuple[Token, int] | None = None
    for token in tokens:
        place = places.get(id(token), 0)
        if held and token.type == "text" and held[1] + len(held[0].content) == place:
            held = (replace(held[0], content=held[0].content + token.content), held[1])
            continue
        if held:
            yield held
        held = (token, place) if token.type == "text" else None
        if held is None:
            yield token, place
    if held:
        yield held
