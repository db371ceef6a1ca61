"""A graph is a mask: who may attend to whom, taken from a list of edges."""

from typing import NamedTuple

import networkx as nx
import numpy as np
from jaxtyping import Bool, Int

from attention.arguments import require_count
from attention.masks import band, either, from_edges


class Graph(NamedTuple):
    """Undirected edges, each listed once, and the class of every node."""

    edges: Int[np.ndarray, "edges 2"]
    classes: Int[np.ndarray, " nodes"]


def karate() -> Graph:
    """Zachary's karate club: 34 members, who met outside it, and the club each joined at the split.

    Class 0 went with Mr. Hi (node 0), class 1 with the officer (node 33). How strong the ties were
    is left out.

    Source: Zachary 1977, "An Information Flow Model for Conflict and Fission in Small Groups", as
    networkx holds it.

    Examples:
        >>> graph = karate()
        >>> graph.edges.shape, np.bincount(graph.classes)
        ((78, 2), array([17, 17]))

    """
    club = nx.karate_club_graph()
    classes = [int(club.nodes[node]["club"] != "Mr. Hi") for node in range(len(club))]
    return Graph(np.array(club.edges, dtype=int), np.array(classes))


def neighbours(edges: Int[np.ndarray, "edges 2"], n: int) -> Bool[np.ndarray, "queries keys"]:
    """Let a node see itself and, along each edge both ways, its neighbours.

    Since each sees itself, a node without an edge is no empty row.

    Shapes: result `(n, n)`, symmetric.

    Raises:
        TypeError: as `masks.from_edges`.
        ValueError: as `masks.from_edges`.

    Source: Veličković et al. 2018, "Graph Attention Networks", section 2.1. Their scores come
    from a sum, a LeakyReLU of one vector times query and key side by side; those of `attend`, which
    this mask is for, are dot products.

    Examples:
        >>> neighbours(np.array([[0, 2]]), 3).astype(int)
        array([[1, 0, 1],
               [0, 1, 0],
               [1, 0, 1]])

    """
    one_way = from_edges(edges, n)
    return np.asarray(either(one_way, one_way.T, band(n, 0)))


def earlier(n: int) -> Int[np.ndarray, "edges 2"]:
    """List the edges of a sequence: from every position to itself and each one before it.

    Directed, query first, as `masks.from_edges` reads them; the mask they give is `causal(n)`.

    Raises:
        TypeError: n is no whole number.
        ValueError: n is below 1.

    Examples:
        >>> earlier(3).tolist()
        [[0, 0], [1, 0], [1, 1], [2, 0], [2, 1], [2, 2]]

    """
    return np.stack(np.tril_indices(require_count("n", n, 1)), axis=1)


def dropped(
    edges: Int[np.ndarray, "edges 2"], share: float, rng: np.random.Generator
) -> Int[np.ndarray, "kept 2"]:
    """Leave out this share of the edges, chosen at random, rounded to whole edges.

    Raises:
        ValueError: share is not between 0 and 1.

    Examples:
        >>> dropped(karate().edges, 0.5, np.random.default_rng(0)).shape
        (39, 2)

    """
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"share is {share}: it must be between 0 and 1")
    kept = len(edges) - round(share * len(edges))
    return edges[np.sort(rng.choice(len(edges), kept, replace=False))]


def rewired(
    edges: Int[np.ndarray, "edges 2"], swaps: int, rng: np.random.Generator
) -> Int[np.ndarray, "edges 2"]:
    """Cut two edges a–b and c–d and tie a–d and c–b in their place, so many times.

    Every node keeps its number of neighbours, and loses who they are.

    Raises:
        TypeError: swaps is no whole number.
        ValueError: swaps is below 0.
        networkx.NetworkXException: no pair of edges can be swapped.

    Source: Maslov and Sneppen 2002, "Specificity and Stability in Topology of Protein Networks".

    Examples:
        >>> before = karate().edges
        >>> after = rewired(before, 10, np.random.default_rng(0))
        >>> np.array_equal(np.bincount(before.ravel()), np.bincount(after.ravel()))
        True

    """
    graph = nx.Graph(edges.tolist())
    if require_count("swaps", swaps, 0):
        seed = int(rng.integers(2**31))
        nx.double_edge_swap(graph, swaps, max_tries=1_000 * swaps, seed=seed)
    return np.array(graph.edges, dtype=int)
