"""Figures of attention: pictures that stand still, and figures that a reader operates.

Each is HTML that shows its default state without any script.
"""

from attention.figures.by_hand import hand_example
from attention.figures.checking import self_check
from attention.figures.dropping import dropout_means
from attention.figures.looking import where_it_looks
from attention.figures.pictures import Element, plane, shares_table
from attention.figures.running_e6 import e6_live
from attention.figures.saturating import saturation

__all__ = [
    "Element",
    "dropout_means",
    "e6_live",
    "hand_example",
    "plane",
    "saturation",
    "self_check",
    "shares_table",
    "where_it_looks",
]
