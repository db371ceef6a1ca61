"""The judge: all numbers that a claim shows against all that its TARGET gives."""

from collections.abc import Iterable
from itertools import takewhile

from everydigit.number.numeral import Number
from everydigit.verdict.rule import fits, mismatch, plain
from everydigit.verdict.values import Value

LISTED = 9  # as many missing numbers as a message names
WIDEST = 50  # as many letters as all numbers of one side may take up in a message


def judge(
    numbers: list[Number], values: list[Value], truths: list[bool], expression: str
) -> list[tuple[int | None, str]]:
    """Why the `numbers` shown do not hold for what TARGET gives: each number's index and a message.

    The index is None where the message is about the claim as a whole.  An empty list: all hold.
    """
    if not all(truths):
        return [(None, f"{expression} is False")]
    if not numbers and not truths:
        given = _counted([plain(value) for value in values])
        return [(None, f"text shows no number, so {expression} must be True: it gives {given}")]
    if len(values) != len(numbers):
        return [_miscounted(numbers, values, expression)]
    return [
        (i, message)
        for i, (number, value) in enumerate(zip(numbers, values, strict=True))
        if (message := mismatch(number, value, _name(expression, i, len(values))))
    ]


def _miscounted(
    numbers: list[Number], values: list[Value], expression: str
) -> tuple[int | None, str]:
    """How many numbers there are on either side, and the place at which the two part."""
    shown = _counted([number.text.strip() for number in numbers])
    counts = f"text shows {shown}, {expression} gives {_counted([plain(v) for v in values])}"
    if not numbers or not values:
        return None, counts
    place, parting = _parting(numbers, values, expression)
    return place, f"{counts}: {parting}"


def _parting(numbers: list[Number], values: list[Value], expression: str) -> tuple[int, str]:
    """The first number that does not fit, and what mends the list if that is all."""
    same = _agreeing(zip(numbers, values, strict=False))
    rest = _agreeing(zip(reversed(numbers), reversed(values), strict=False))
    texts = [number.text.strip() for number in numbers]
    lost = len(values) - len(numbers)
    if same + rest < min(len(numbers), len(values)):  # more than a gap
        name = _name(expression, same, len(values))
        return same, f"they part where {mismatch(numbers[same], values[same], name)}"
    if lost < 0:
        return same, f"{_are(texts[same : same - lost])} too many"
    gap = _are([plain(value) for value in values[same : same + lost]])
    if same < len(numbers):
        return same, f"{gap} missing before {texts[same]}"
    return same - 1, f"{gap} missing after {texts[-1]}"


def _agreeing(pairs: Iterable[tuple[Number, Value]]) -> int:
    """How many pairs there are before the first that does not fit."""
    return sum(1 for _ in takewhile(lambda pair: fits(*pair), pairs))


def _name(expression: str, i: int, count: int) -> str:
    return expression if count == 1 else f"number {i + 1} of {expression}"


def _counted(words: list[str]) -> str:
    """How many numbers there are, and which if that is short."""
    n, listed = len(words), ", ".join(words)
    which = f" ({listed})" if listed and len(listed) <= WIDEST else ""
    return f"{n or 'no'} number{'' if n == 1 else 's'}{which}"


def _are(words: list[str]) -> str:
    more = [f"… ({len(words)} numbers)"] if len(words) > LISTED else []
    return f"{', '.join(words[:LISTED] + more)} {'is' if len(words) == 1 else 'are'}"
