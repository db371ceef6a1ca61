"""Attention, written once for NumPy and torch.

The names are the field's: query, key, value. The mask is `allowed`: True = may attend.
"""

from attention import dropout, masks, measures, tables
from attention.blocks import blockwise
from attention.core import Attended, attend, scores, softmax
from attention.masks import band, both, causal, either, from_edges, padding
from attention.measures import ulps_between
from attention.mixing import context_vector, context_vectors, mix

__all__ = [
    "Attended",
    "attend",
    "band",
    "blockwise",
    "both",
    "causal",
    "context_vector",
    "context_vectors",
    "dropout",
    "either",
    "from_edges",
    "masks",
    "measures",
    "mix",
    "padding",
    "scores",
    "softmax",
    "tables",
    "ulps_between",
]
