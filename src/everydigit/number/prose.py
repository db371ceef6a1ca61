"""Numbers as a reader sees them: found in prose, read without rounding.

Words that are no numbers.  English uses them as articles, pronouns and parts of speech, and
neither a claim nor the gate reads them (a test holds this list to what the code does):

    zero one two half third quarter both pair couple dozen once twice thrice double triple
    first second fourth tenth twentieth hundredth twenty-first threefold hundreds thousands

Nor are code spans, targets of cross-references, citations, URLs, and names such as E6 or float64.
Every other number word is a number: three, sixteen, twenty-one, two hundred and five, a million.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Literal

Kind = Literal["integer", "decimal", "exact", "infinity", "huge"]

_UNITS = "one two three four five six seven eight nine".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
WORDS: dict[str, int] = (
    {word: n for n, word in enumerate(_UNITS, 1)}
    | {word: n for n, word in enumerate(_TEENS, 10)}
    | {word: 10 * n for n, word in enumerate(_TENS, 2)}
)
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth".split()
SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}  # powers of ten
LARGEST = 14_000  # bits of a number that is worked out: what Python itself writes as digits
SMALLEST_WORD = 3  # "one" and "two" are articles and pronouns as often as numbers

_MINUS = "−-"
SIGNS = _MINUS + "+"
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_VULGAR = "[¼½¾⅐-⅞]"
_PERCENT = r"(?P<percent>[ \u00a0\u2009\u202f]?%)?"
_BELOW_HUNDRED = (
    rf"(?:(?:{'|'.join(_TENS)})(?:[ -](?:{'|'.join(_UNITS)})\b)?(?!-(?:{'|'.join(_ORDINALS)})\b)"
    rf"|{'|'.join(_TEENS + _UNITS)})\b"
)
_SPELLED = (
    rf"(?:{_BELOW_HUNDRED}|(?:{'|'.join(SCALES)})\b)"
    rf"(?:[ -](?:{'|'.join(SCALES)})\b(?:[ ]and[ ]{_BELOW_HUNDRED}|[ -]{_BELOW_HUNDRED})?)*"
)
_TOKEN = re.compile(
    rf"""
    (?P<words>\b{_SPELLED})
    | (?P<name>(?!{_VULGAR})[^\W\d]\w*)                      # E6, float64: a name, no number
    | (?P<sign>[−+-])?
      (?: (?P<infinity>∞)
        | (?P<whole>\d+)?(?P<vulgar>{_VULGAR})
        | (?P<mantissa>\d{{1,3}}(?:,\d{{3}})+(?!\d)(?:\.\d+)? | \d+(?:\.\d+)? | \.\d+)
          (?: (?P<power>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)
            | [eE](?P<exponent>[−+-]?\d+)(?!\w)
            | [ \u00a0]?×[ \u00a0]?10(?P<superscript>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)
            | [ \u00a0](?P<scale>{"|".join(SCALES)})\b
          )?
      )
      {_PERCENT}(?P<truncated>…)?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ABOUT = re.compile(
    r"(?:\b(?:about|roughly|nearly|almost|around|approximately)|[≈~])\s*$", re.IGNORECASE
)
_GLUED_COMMA = re.compile(r"\d,[−+-]?\.?\d")


@dataclass(frozen=True)
class Number:
    """A number as shown: its value, and the size of one unit of its last digit.

    One that is `huge` is not worked out, and has no value: no claim about it can hold.
    """

    text: str
    start: int
    value: Fraction
    kind: Kind = "integer"
    unit: Fraction = Fraction(1)
    percent: bool = False
    truncated: bool = False
    approximate: bool = False

    @property
    def end(self) -> int:
        """Where the number ends in the text it was found in."""
        return self.start + len(self.text)

    @property
    def finite(self) -> bool:
        """Whether the number has a value to compute with."""
        return self.kind not in ("infinity", "huge")

    @property
    def digits(self) -> int:
        """Significant digits shown; a shown zero counts its decimals."""
        if not self.finite:
            return 0
        scaled = abs(self.value / self.unit)
        return len(str(int(scaled))) if scaled else len(str(self.unit.denominator)) - 1 or 1


def find_numbers(text: str, *, about: bool = False) -> list[Number]:
    """Every number in `text` of plain prose, in reading order.

    `about` says that a word like it stands before the text.
    """
    return list(_found(text, about))


@lru_cache(4_096)  # a text is looked at for its numbers, for its equations and for what touches it
def _found(text: str, about: bool) -> tuple[Number, ...]:
    found = []
    for match in _TOKEN.finditer(text):
        if match["name"]:
            continue
        number = _spelled(match) if match["words"] else _written(match, text)
        if number is not None:
            found.append(number)
    if about and found and found[0].start == 0 and not found[0].approximate:
        # The same number, behind the word that says so.
        (first,) = find_numbers(f"≈{text[: found[0].end]}")
        found[0] = replace(first, start=0)
    return tuple(found)


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
    total += current
    if total < SMALLEST_WORD:
        return None
    return read_decimal(
        match["words"],
        match.start(),
        1,
        str(total),
        approximate=is_about(match.string[: match.start()]),
    )


def _written(match: re.Match[str], text: str) -> Number:
    signed = bool(match["sign"]) and is_sign(text, match.start())
    start = match.start() + (0 if signed or not match["sign"] else 1)
    sign = -1 if signed and match["sign"] in _MINUS else 1
    shown = text[start : match.end()]
    if match["infinity"]:
        return Number(shown, start, Fraction(sign), "infinity")
    if match["vulgar"]:
        part = Fraction(unicodedata.normalize("NFKC", match["vulgar"]).replace("⁄", "/"))
        value = sign * (int(match["whole"] or 0) + part)
        return Number(shown, start, value, "exact", percent=bool(match["percent"]))
    return read_decimal(
        shown,
        start,
        sign,
        match["mantissa"].replace(",", ""),
        exponent=_exponent(match),
        power=_plain(match["power"]),
        percent=bool(match["percent"]),
        truncated=bool(match["truncated"]),
        approximate=is_about(match.string[: match.start()]),
    )


def read_decimal(
    shown: str,
    start: int,
    sign: int,
    mantissa: str,
    *,
    exponent: int | None = None,
    power: int | None = None,
    percent: bool = False,
    truncated: bool = False,
    approximate: bool = False,
) -> Number:
    """The number whose digits are `mantissa`, scaled by 10^exponent or raised to `power`."""
    if _bits(mantissa, exponent, power) > LARGEST:
        return Number(shown, start, Fraction(sign), "huge")
    value = sign * Fraction(mantissa)
    decimals = len(mantissa.partition(".")[2])
    if power is not None and value:
        approximate = approximate and mantissa == "10"  # only then does it say to which digit
        value = sign * Fraction(mantissa) ** power
        return Number(shown, start, value, "exact", abs(value), percent, approximate=approximate)
    unit = Fraction(1, 10**decimals)
    kind: Kind = "decimal" if decimals or exponent is not None else "integer"
    if approximate and kind == "integer":
        unit = last_place(int(value))
    scale = Fraction(10) ** (exponent or 0)
    return Number(shown, start, value * scale, kind, unit * scale, percent, truncated, approximate)


def _bits(mantissa: str, exponent: int | None, power: int | None) -> int:
    """How many bits a number takes at most (four a decimal digit), without working it out."""
    return 4 * (len(mantissa) * abs(1 if power is None else power) + abs(exponent or 0))


def is_sign(text: str, position: int) -> bool:
    """Whether the + or − at `position` belongs to the number after it."""
    before = text[:position]
    return not before or not (before[-1].isalnum() or before[-1] in ")]}%…_`")


def is_about(before: str) -> bool:
    """Whether the text before a number says that it is no more than near."""
    return bool(_ABOUT.search(before))


def last_place(value: int) -> Fraction:
    """The place of the last non-zero digit of an integer: 4,200 is shown to hundreds."""
    digits = str(abs(value))
    return Fraction(10 ** (len(digits) - len(digits.rstrip("0")))) if value else Fraction(1)


def _plain(superscript: str | None) -> int | None:
    return None if superscript is None else int(superscript.translate(SUPERSCRIPTS))


def _exponent(match: re.Match[str]) -> int | None:
    if match["exponent"]:
        return int(match["exponent"].replace("−", "-"))
    if match["scale"]:
        return SCALES[match["scale"].lower()]
    return _plain(match["superscript"])
