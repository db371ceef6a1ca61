"""Equations as written: `1×1 + 0×0 = 1` must hold for the numbers shown.

`=`, `<`, `>`, `≤`, `≥`, `≠` and `≈` are judged where both of their sides are plain arithmetic.

- A side that holds a symbol, or a word, is symbolic and not judged: TARGET checks its numbers.
  A chain goes through it: `2 = x = 3` says that 2 is 3, and `1 < x ≤ 0` that 1 is below 0.
- `3!` is a factorial, also at the end of a sentence: what only exclaims stands outside a claim.
- Only a unit, words behind a number and before no other, is passed over: `3 km = 4 km` is judged.
- An equation ends at punctuation, and at a word such as *and* or *so* next to which no other
  number stands: in `so 1 + 1 = 2 and 2 + 2 = 4` there are two.
- One decimal alone on a side of `=` is rounded; `≈` holds to the digits of the side with fewer.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from everydigit.verdict.equations.relations import contradiction
from everydigit.verdict.equations.terms import Term

_CONNECTIVES = set(
    "and so then thus hence therefore or but because since while where with if when as "
    "that is are gives makes".split()
)
# Words behind a number that are no unit: they change it.
_CHANGES = set(
    "squared cubed factorial plus minus times over by of to dozen hundred thousand million "
    "billion trillion".split()
)
_Place = tuple[int, Term]


def broken_equations(terms: list[Term]) -> Iterator[tuple[int, str]]:
    """Each relation between two sides of plain arithmetic that does not hold: where, and why."""
    for clause in _clauses(terms):
        cuts = [i for i, (_, term) in enumerate(clause) if term.kind == "relation"]
        relations = [clause[cut][1].text for cut in cuts]
        bounds = zip([-1, *cuts], [*cuts, len(clause)], strict=True)
        sides = [_side([t for _, t in clause[start + 1 : end]]) for start, end in bounds]
        plain = [i for i, side in enumerate(sides) if side]
        for i, k in pairwise(plain):
            if message := contradiction(sides[i], relations[i:k], sides[k]):
                yield clause[cuts[i]][0], message


def _clauses(terms: list[Term]) -> Iterator[list[_Place]]:
    """Stretches that may hold an equation, or a chain of them."""
    clause: list[_Place] = []
    depth = 0
    for place, term in enumerate(_unwrapped(terms)):
        depth += {"open": 1, "close": -1}.get(term.kind, 0)
        outside = term.kind == "comma" and not depth
        if term.kind == "break" or outside or (term.kind == "word" and _connects(term, clause)):
            yield clause
            clause = []
        else:
            clause.append((place, term))
    yield clause


def _connects(word: Term, clause: list[_Place]) -> bool:
    kinds = {term.kind for _, term in clause}
    return word.text.lower() in _CONNECTIVES and ("relation" in kinds or "number" not in kinds)


def _unwrapped(terms: list[Term]) -> list[Term]:
    """The terms, with parentheses around an equation (or without a partner) as breaks."""
    unwrapped = list(terms)
    opened: list[list[int]] = []  # the place of a parenthesis, then of what bursts it
    for place, term in enumerate(terms):
        if term.kind == "open":
            opened.append([place])
        elif term.kind in ("relation", "break") and opened:
            opened[-1].append(place)
        elif term.kind == "close":
            start, *bursts = opened.pop() if opened else [place, place]
            if bursts:
                unwrapped[start] = unwrapped[place] = replace(term, kind="break")
                opened[-1:] = [[*opened[-1], place]] if opened else []
    for start, *_ in opened:
        unwrapped[start] = replace(terms[start], kind="break")
    return unwrapped


def _side(terms: list[Term]) -> list[Term]:
    """The arithmetic of a side without its units; empty where a symbol takes part in it."""
    side: list[Term] = []
    unit = False
    for term in terms:
        if term.kind == "symbol":
            return []
        if term.kind == "word":
            if not (unit or _is_unit(term, side)):
                return []
            unit = True
        elif unit and (term.kind in ("number", "open") or term.text == "!"):
            return []  # 50 % of 10, 3 cats!
        else:
            unit = False
            side.append(term)
    if not side or not _is_closed(side) or side[0].text[0] in "+×/^!":
        return []  # the other operand is a symbol, or stands elsewhere
    return side


def _is_unit(word: Term, side: list[Term]) -> bool:
    if not side or not _is_closed(side) or word.glued:
        return False
    return len(word.text) > 1 and word.text.lower() not in _CHANGES


def _is_closed(side: list[Term]) -> bool:
    """Whether the last term needs no other behind it."""
    return side[-1].kind in ("number", "close") or side[-1].text == "!"
