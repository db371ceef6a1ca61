"""Figures of attention: pictures that stand still, and figures that a reader operates.

Each is HTML that shows its default state without any script.
"""

from attention.figures.dropout_means import dropout_means
from attention.figures.e6_live import e6_live
from attention.figures.hand_example import hand_example
from attention.figures.pictures import Element, plane, shares_table
from attention.figures.saturation import saturation
from attention.figures.self_check import self_check
from attention.figures.where_it_looks import where_it_looks

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
