"""What the parts of a number look like: the one table that every expression for numbers is of."""

import unicodedata
from fractions import Fraction

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
SCALE = "|".join(SCALES)
_BELOW_HUNDRED = (
    rf"(?:(?:{'|'.join(_TENS)})(?:[ -](?:{'|'.join(_UNITS)})\b)?(?!-(?:{'|'.join(_ORDINALS)})\b)"
    rf"|{'|'.join(_TEENS + _UNITS)})\b"
)
SPELLED = (
    rf"(?:{_BELOW_HUNDRED}|(?:{SCALE})\b)"
    rf"(?:[ -](?:{SCALE})\b(?:[ ]and[ ]{_BELOW_HUNDRED}|[ -]{_BELOW_HUNDRED})?)*"
)

SIGNS = "−+-"  # in this order they may stand in a class of an expression
INTEGER = rf"[{SIGNS}]?\d+"
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
RAISED = "[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+"
PARTS = {  # ½ and the like
    sign: Fraction(unicodedata.normalize("NFKC", sign).replace("⁄", "/"))
    for sign in ["¼", "½", "¾", *map(chr, range(ord("⅐"), ord("⅞") + 1))]
}
PART = f"[{''.join(PARTS)}]"
GAP = "[ \u00a0]"  # that a number may have inside
PERCENT = "[ \u00a0\u2009\u202f]?%"
DIGITS, MATH_DIGITS = (  # without a sign, their thousands parted by a comma or by nothing
    rf"(?:\d{{1,3}}(?:{comma}\d{{3}})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    for comma in (",", r"\{,\}")
)
TIMES_TEN, MATH_TIMES_TEN = f"{GAP}?×{GAP}?10", r"\s*(?:\\times|\\cdot|×)\s*10\^"


def integer(text: str | None) -> int | None:
    """An exponent as an integer, be it raised or not; None without one."""
    return int(text.translate(SUPERSCRIPTS).replace("−", "-")) if text else None
