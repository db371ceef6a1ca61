"""Numbers as a reader sees them: found in prose, read without rounding.

Words that are no numbers.  English uses them as articles, pronouns and parts of speech, and
neither a claim nor the gate reads them (a test holds this list to what the code does):

    zero one two half third quarter both pair couple dozen once twice thrice double triple
    first second fourth tenth twentieth hundredth twenty-first threefold hundreds thousands

Nor are code spans, targets of cross-references, citations, URLs, and names such as E6 or float64.
Every other number word is a number: three, sixteen, twenty-one, two hundred and five, a million.
"""

import re
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from everydigit.number import parts
from everydigit.number.numeral import Number, read_decimal
from everydigit.number.parts import SCALES, SIGNS, WORDS

SMALLEST_WORD = 3  # "one" and "two" are articles and pronouns as often as numbers
_TOKEN = re.compile(
    rf"""
    (?P<words>\b{parts.SPELLED})
    | (?P<name>(?!{parts.PART})[^\W\d]\w*)                 # E6, float64: a name, no number
    | (?P<sign>[{SIGNS}])?
      (?: (?P<infinity>∞)
        | (?P<whole>\d+)?(?P<part>{parts.PART})
        | (?P<mantissa>{parts.DIGITS})
          (?: (?P<power>{parts.RAISED})
            | [eE](?P<exponent>{parts.INTEGER})(?!\w)
            | {parts.TIMES_TEN}(?P<raised>{parts.RAISED})
            | {parts.GAP}(?P<scale>{parts.SCALE})\b
          )?
      )
      (?P<percent>{parts.PERCENT})?(?P<truncated>…)?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ABOUT = re.compile(
    r"(?:\b(?:about|roughly|nearly|almost|around|approximately)|[≈~])\s*$", re.IGNORECASE
)
_GLUED_COMMA = re.compile(rf"\d,[{SIGNS}]?\.?\d")


def find_numbers(text: str, *, about: bool = False) -> list[Number]:
    """Every number in `text` of plain prose, in reading order.

    `about` says that a word like it stands before the text.
    """
    return list(_found(text, about))


@lru_cache(4_096)  # a text is looked at for its numbers, for its equations and for what touches it
def _found(text: str, about: bool) -> tuple[Number, ...]:
    lead = "≈" if about else ""
    found = []
    for match in _TOKEN.finditer(lead + text):
        if not match["name"]:
            found.append(_spelled(match) if match["words"] else _written(match))
    return tuple(replace(n, start=n.start - len(lead)) for n in found if n)


def unreadable(text: str) -> str | None:
    """What in `text` cannot be read as a number or a list of them, or None."""
    for match in _GLUED_COMMA.finditer(text):
        if not any(n.start <= match.start() < n.end - 1 for n in find_numbers(text)):
            return f"{match[0]!r} is neither a list (write a space after the comma) nor a number"
    return None


def _spelled(match: re.Match[str]) -> Number | None:
    total = current = 0
    for word in re.split(r"[ -]", match["words"].lower()):
        if word in WORDS:
            current += WORDS[word]
        elif word == "hundred":
            current = (current or 1) * 100
        elif word in SCALES:
            total += (current or 1) * 10 ** SCALES[word]
            current = 0
    if total + current < SMALLEST_WORD:
        return None
    near = is_about(match.string[: match.start()])
    return read_decimal(match["words"], match.start(), 1, str(total + current), approximate=near)


def _written(match: re.Match[str]) -> Number:
    text = match.string
    signed = bool(match["sign"]) and is_sign(text, match.start())
    start = match.start() + (0 if signed or not match["sign"] else 1)
    sign = -1 if signed and match["sign"] != "+" else 1
    shown = text[start : match.end()]
    if match["infinity"]:
        return Number(shown, start, Fraction(sign), "infinity")
    if match["part"]:
        value = sign * (int(match["whole"] or 0) + parts.PARTS[match["part"]])
        return Number(shown, start, value, "exact", percent=bool(match["percent"]))
    exponent = parts.integer(match["exponent"] or match["raised"])
    return read_decimal(
        shown,
        start,
        sign,
        match["mantissa"].replace(",", ""),
        exponent=SCALES.get((match["scale"] or "").lower(), exponent),
        power=parts.integer(match["power"]),
        percent=bool(match["percent"]),
        truncated=bool(match["truncated"]),
        approximate=is_about(match.string[: match.start()]),
    )


def is_sign(text: str, position: int) -> bool:
    """Whether the + or − at `position` belongs to the number after it."""
    before = text[:position]
    return not before or not (before[-1].isalnum() or before[-1] in ")]}%…_`")


def is_about(before: str) -> bool:
    """Whether the text before a number says that it is no more than near."""
    return bool(_ABOUT.search(before))
