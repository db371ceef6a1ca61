"""Figures of attention: pictures that stand still, and figures that a reader operates.

Each is HTML that shows its default state without any script.
"""

from attention.figures.by_hand import hand_example
from attention.figures.pictures import Element, plane, shares_table

__all__ = [
    "Element",
    "hand_example",
    "plane",
    "shares_table",
]
