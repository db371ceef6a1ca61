"""Each fact of the source texts is claimed in its chapter, and is checked there.

A comment `% about: B1 B2` in a chapter names the facts that the claims below it are about.
The wrong ones (✗ in our list) are claimed once more on the Errata page.
"""

from pathlib import Path

import pytest

from everydigit.text.reading import Reading

BOOK = Path(__file__).parents[2] / "book"
FACTS = {
    "01-shares.md": "B1 B2 B3 B4 B5 B6 B7",
    "02-nine-comparisons.md": "A4 A5 A6 A7 A8",
    "03-not-seen.md": "A5 A6 A11 B8",
    "04-where-it-looks.md": "C1 C2 C3 C4 C5",
    "05-why-divide.md": "C6 C7 C8",
    "06-dropout.md": "B9 B10 B11 B12",
    "07-shapes.md": "A1 A2 A3 A4 A9 A10",
    "08-training.md": "A13 A14",
    "09-reading.md": "A11 A12 A15 C10",
    "10-costs.md": "C9",
    "11-edges.md": "A16",
    "errata.md": "A7 A13 B5 B8 B10 B11 C5 C7",
}


@pytest.mark.parametrize("name", FACTS)
def test_each_fact_is_claimed_in_its_chapter(name):
    path = BOOK / name
    claims = Reading.of(path).page(path).claims
    claimed = {topic for claim in claims for topic in claim.topics}
    assert claimed == set(FACTS[name].split())
