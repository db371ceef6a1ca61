"""Names from a grammar whose exact law is known: "who asks whom".

Three families of four consonants: l m w y asks b d g z, which asks f h p v, which asks l m w y.
A letter's place in its family is its colour. Colours stand for the vowels e i o u, and 4, no
colour, for a. The letters written so far fix the state, and the state fixes the law of the next.
"""

import functools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from attention.arguments import require_count, shape_of

LETTERS = "abdefghiklmnoprstuvwyz"
PAD, BOS, EOS = range(3)
TOKENS = ("PAD", "BOS", "EOS", *LETTERS)
LONGEST = 7  # letters; with the start in front or the end behind, a name fills 8 positions
POSITIONS = LONGEST + 1

FAMILIES = ("lmwy", "bdgz", "fhpv")  # each asks the next, and the last asks the first
CONSONANTS = "".join(FAMILIES)
VOWELS = "eioua"  # by colour
ENDINGS = "nstkr"  # by the first letter's colour
NONE = 4  # the colour of what has none


class State(NamedTuple):
    """All that the letters so far say about the next one."""

    kind: str = "start"  # or vowel, consonant, cluster (a second consonant), ending, end
    written: int = 0
    first: int = NONE  # the first letter's colour
    latest: tuple[int, ...] = (NONE, NONE, NONE)  # colour of each family's latest consonant
    answer: int = NONE  # what the last consonant asks for


def next_letters(state: State) -> dict[str, float]:
    """The rules: how probable each next letter (or EOS) is in a state.

    The *content rule* is the vowel after a consonant, the *position rule* the ending.

    Examples:
        >>> next_letters(State("vowel", 6, first=1))
        {'n': 0.0075, 's': 0.97, 't': 0.0075, 'k': 0.0075, 'r': 0.0075}

    """
    kind, written = state.kind, state.written
    ending = {x: 0.97 if x == ENDINGS[state.first] else 0.0075 for x in ENDINGS}
    if kind == "start":
        return _share(0.4, VOWELS) | _share(0.6, CONSONANTS)
    if kind == "vowel" and written < 4:
        return _share(1.0, CONSONANTS)
    if kind == "vowel" and written == 4:
        return {x: 0.15 * p for x, p in ending.items()} | _share(0.85, CONSONANTS)
    if kind == "vowel":
        return ending
    if kind in ("consonant", "cluster"):
        right, wrong = (0.9, 0.025) if state.answer == NONE else (0.96, 0.01)
        vowel = {x: right if x == VOWELS[state.answer] else wrong for x in VOWELS}
        if kind == "consonant" and 2 <= written <= 4:
            return {x: 0.65 * p for x, p in vowel.items()} | _share(0.35, CONSONANTS)
        return vowel
    return {"EOS": 1.0} if kind == "ending" else {"PAD": 1.0}


def follow(state: State, letter: str) -> State:
    """Write one more letter.

    Examples:
        >>> follow(follow(State(), "d"), "i")
        State(kind='vowel', written=2, first=1, latest=(4, 1, 4), answer=4)

    """
    kind, written, first, latest, _ = state
    if kind == "ending" or letter == "PAD":
        return State("end")
    if letter in ENDINGS:
        return State("ending")
    if letter in VOWELS:
        return State("vowel", written + 1, first, latest)
    family = next(i for i, members in enumerate(FAMILIES) if letter in members)
    colour = FAMILIES[family].index(letter)
    answer = latest[(family + 1) % 3]
    latest = (*latest[:family], colour, *latest[family + 1 :])
    first = colour if kind == "start" else first
    return State(
        "cluster" if kind == "consonant" else "consonant", written + 1, first, latest, answer
    )


class Automaton(NamedTuple):
    """The rules as two tables, one row a state; row 0 is the start."""

    law: Float[np.ndarray, "states tokens"]
    following: Int[np.ndarray, "states tokens"]


@functools.cache
def automaton() -> Automaton:
    """Number the states that can be reached, and tabulate what each allows.

    After its end a name is PAD with probability 1, so a padded row has its name's probability.

    Examples:
        >>> automaton().law.shape
        (3524, 25)

    """
    number, queue = {State(): 0}, [State()]
    law, following = [], []
    for state in queue:  # grows while it is walked
        law_row, following_row = [0.0] * len(TOKENS), [0] * len(TOKENS)
        for letter, probability in next_letters(state).items():
            after = follow(state, letter)
            if after not in number:
                number[after] = len(number)
                queue.append(after)
            law_row[TOKENS.index(letter)] = probability
            following_row[TOKENS.index(letter)] = number[after]
        law.append(law_row)
        following.append(following_row)
    tables = Automaton(np.array(law), np.array(following))
    for table in tables:
        table.setflags(write=False)
    return tables


def encode(names: Sequence[str]) -> Int[np.ndarray, "names tokens"]:
    """Turn names into rows of 9 token ids: BOS, letters, EOS, and PAD to the right.

    A model reads the first 8 of a row and is asked for the last 8.

    Raises:
        TypeError: a single string, where a list of names belongs.
        ValueError: a letter is not one of the 22, or there are more than 7, or none.

    Examples:
        >>> encode(["izpilur"])
        array([[ 1, 10, 24, 16, 10, 12, 20, 17,  2]])

    """
    if isinstance(names, str):
        raise TypeError(f"names is the string {names!r}: a list of names belongs here")
    rows = np.full((len(names), POSITIONS + 1), PAD)
    for row, name in zip(rows, names, strict=True):
        if not 1 <= len(name) <= LONGEST:
            raise ValueError(f"{name!r} has {len(name)} letters: 1 to {LONGEST} fit")
        if strange := sorted(set(name) - set(LETTERS)):
            raise ValueError(f"{name!r} has {strange[0]!r}: the letters are {LETTERS}")
        row[: len(name) + 2] = [BOS, *(TOKENS.index(x) for x in name), EOS]
    return rows


def decode(rows: Int[np.ndarray, "names tokens"]) -> list[str]:
    """Turn rows of token ids back into names.

    Examples:
        >>> decode(encode(["davayis", "elamar"]))
        ['davayis', 'elamar']

    """
    return [name.lstrip(b"\0").decode() for name in spelled(rows)]


def spelled(rows: Int[np.ndarray, "names tokens"]) -> list[bytes]:
    r"""The letters of each row as ASCII, a zero for each token before them that is none.

    Examples:
        >>> spelled(encode(["os", "azar"]))
        [b'\x00os', b'\x00azar']

    """
    spelling = np.frombuffer(b"\0\0\0" + LETTERS.encode(), np.uint8)
    together = np.ascontiguousarray(spelling[rows]).view(f"S{rows.shape[1]}")
    return together.ravel().tolist()  # NumPy leaves out the zeros at the end


def draw(count: int, rng: np.random.Generator) -> Int[np.ndarray, "names tokens"]:
    """Draw names from the grammar; a probable name may come more than once.

    A token is read off one uniform number by comparison, so all platforms draw the same.

    Raises:
        TypeError: count is no whole number.
        ValueError: count is below 1.

    Examples:
        >>> decode(draw(4, np.random.Generator(np.random.PCG64(0))))
        ['ogabmer', 'miwawas', 'wagabat', 'ohzor']

    """
    law, following = automaton()
    reached = np.cumsum(law, axis=1)
    reached /= reached[:, -1:]
    uniform = rng.random((require_count("count", count, 1), POSITIONS))
    rows = np.full((count, POSITIONS + 1), BOS)
    state = np.zeros(count, int)
    for i in range(POSITIONS):
        rows[:, i + 1] = (reached[state] <= uniform[:, i, None]).sum(axis=1)
        state = following[state, rows[:, i + 1]]
    return rows


def exact_law(rows: Int[np.ndarray, "names tokens"]) -> Float[np.ndarray, "names positions tokens"]:
    """The grammar's own probabilities of every next token, given all tokens before it.

    Shapes: rows as `encode` makes them, `(names, 9)`; result `(names, 8, 25)`.

    Raises:
        ValueError: a row is not 9 tokens long, or is no name of this grammar.

    Examples:
        >>> law = exact_law(encode(["davayis"]))[0]
        >>> [float(law[i, TOKENS.index(x)].round(4)) for i, x in enumerate("davayis")]
        [0.05, 0.9, 0.0833, 0.585, 0.0708, 0.96, 0.97]

    """
    law, following = automaton()
    if rows.ndim != 2 or rows.shape[1] != POSITIONS + 1:
        raise ValueError(f"rows needs the axes (names, {POSITIONS + 1}): rows {shape_of(rows)}")
    states = np.zeros((len(rows), POSITIONS), int)
    for i in range(1, POSITIONS):
        states[:, i] = following[states[:, i - 1], rows[:, i]]
    result: Float[np.ndarray, "names positions tokens"] = law[states]
    impossible = np.take_along_axis(result, rows[:, 1:, None], axis=-1)[..., 0] == 0.0
    if impossible.any():
        name, place = map(int, np.argwhere(impossible)[0])
        raise ValueError(
            f"row {name} is no name of this grammar: token {place + 1} is "
            f"{TOKENS[rows[name, place + 1]]}, rows {shape_of(rows)}"
        )
    return result


def _share(probability: float, letters: str) -> dict[str, float]:
    return dict.fromkeys(letters, probability / len(letters))
