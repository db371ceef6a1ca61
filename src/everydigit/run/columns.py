"""Keep the columns of a Markdown table straight when what stands in them changes."""

import re
from collections.abc import Iterable

_BAR = re.compile(r"(?<!\\)\|")
_ROW = re.compile(r"[ \t>]*\|")
_RULE = re.compile(r"\s*:?-+:?\s*")


def realigned(before: list[str], after: list[str], changed: Iterable[int]) -> list[str]:
    r"""The lines `after`, with every table around a `changed` line as straight as it was `before`.

    A column grows where a number did; it never shrinks.

    >>> before = ["| a   |", "|-----|", "| 9.5 |"]
    >>> print(*realigned(before, [*before[:2], "| 100.5 |"], [2]), sep="\n")
    | a     |
    |-------|
    | 100.5 |
    """
    lines = list(after)
    done = 0
    for line in sorted(set(changed)):
        if line < done or not _ROW.match(before[line]):
            continue
        first, done = line, line + 1
        while first and _ROW.match(before[first - 1]):
            first -= 1
        while done < len(before) and _ROW.match(before[done]):
            done += 1
        old, new = ([_BAR.split(row) for row in rows[first:done]] for rows in (before, lines))
        if len({tuple(map(len, row)) for row in old}) == 1:  # every bar below another
            lines[first:done] = ["|".join(row) for row in _straight(old, new)]
    return lines


def _straight(old: list[list[str]], new: list[list[str]]) -> list[list[str]]:
    columns = zip(zip(*old, strict=True), zip(*new, strict=True), strict=True)
    straight = [_column(list(was), list(now)) for was, now in columns]
    return [list(row) for row in zip(*straight, strict=True)]


def _column(was: list[str], now: list[str]) -> list[str]:
    """The cells of a column, all as wide as the widest and none narrower than they were."""
    if was == now:
        return now
    rule = next((cell.strip() for cell in was if _RULE.fullmatch(cell)), "")
    strip = str.lstrip if rule.endswith(":") and not rule.startswith(":") else str.rstrip
    words = [cell for cell in was if not _RULE.fullmatch(cell)]
    margin = int(all(strip(cell) != cell for cell in words))
    bare = [cell if _RULE.fullmatch(cell) else strip(cell) for cell in now]
    width = max(len(was[0]), *(len(cell) + margin for cell in bare if not _RULE.fullmatch(cell)))
    return [_padded(cell, width - len(cell), left=strip is str.lstrip) for cell in bare]


def _padded(cell: str, missing: int, *, left: bool) -> str:
    if _RULE.fullmatch(cell):
        return cell.replace("-", "-" * (missing + 1), 1)
    return " " * missing + cell if left else cell + " " * missing
