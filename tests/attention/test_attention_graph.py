"""Masks from edges, the club's record, and what attention along edges keeps."""

from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attention import attend, causal, from_edges
from attention.runs import records
from attention.tasks.graph import dropped, earlier, karate, neighbours, rewired
from attention.tasks.karate import DECAYS, KINDS, SEEDS, SWAPS, TUNING, choose_known, fit

pytestmark = pytest.mark.filterwarnings("error")

RUNS = Path(__file__).parents[2] / records.RUNS


@pytest.fixture(scope="module")
def record():
    return records.read_json(RUNS / "karate.json")


def random_graph(seed, nodes):
    return np.array(nx.gnp_random_graph(nodes, 0.3, seed=seed).edges, dtype=int).reshape(-1, 2)


def test_the_club_is_zacharys():
    edges, classes = karate()
    assert edges.shape == (78, 2)
    assert len({frozenset(edge) for edge in edges.tolist()}) == 78
    assert np.bincount(edges.ravel())[[0, 33]].tolist() == [16, 17]
    assert classes[[0, 33]].tolist() == [0, 1]
    crossing = classes[edges[:, 0]] != classes[edges[:, 1]]
    assert crossing.sum() == 11


@pytest.mark.parametrize("n", [1, 2, 9])
def test_a_sequence_is_a_graph(n):
    assert (from_edges(earlier(n), n) == causal(n)).all()


@given(st.integers(0, 2**31), st.integers(1, 9))
def test_neighbours_are_networkx_adjacency_with_loops(seed, nodes):
    edges = random_graph(seed, nodes)
    graph = nx.empty_graph(nodes)
    graph.add_edges_from(edges.tolist())
    graph.add_edges_from((node, node) for node in range(nodes))
    assert (neighbours(edges, nodes) == (nx.to_numpy_array(graph) > 0)).all()


@given(st.integers(0, 2**31), st.integers(1, 9))
def test_permuting_the_nodes_permutes_the_outputs(seed, nodes):
    rng = np.random.default_rng(seed)
    query, key, value = rng.normal(size=(3, nodes, 4))
    edges, order = random_graph(seed, nodes), rng.permutation(nodes)
    place = np.argsort(order)  # where each node stands afterwards
    before = attend(query, key, value, neighbours(edges, nodes))
    after = attend(query[order], key[order], value[order], neighbours(place[edges], nodes))
    np.testing.assert_allclose(after.output, before.output[order], rtol=0, atol=1e-12)
    np.testing.assert_allclose(after.shares, before.shares[order][:, order], rtol=0, atol=1e-12)


@given(st.integers(0, 2**31), st.floats(0, 1))
def test_dropping_keeps_a_part_of_the_edges(seed, share):
    edges = karate().edges
    kept = dropped(edges, share, np.random.default_rng(seed))
    assert len(kept) == 78 - round(78 * share)
    assert {tuple(e) for e in kept.tolist()} <= {tuple(e) for e in edges.tolist()}
    assert len(np.unique(kept, axis=0)) == len(kept)


@settings(max_examples=20)
@given(st.integers(0, 2**31), st.sampled_from([0, 1, 10, 78]))
def test_rewiring_keeps_every_degree(seed, swaps):
    edges = karate().edges
    after = rewired(edges, swaps, np.random.default_rng(seed))
    assert after.shape == edges.shape
    assert (np.bincount(after.ravel()) == np.bincount(edges.ravel())).all()
    assert (after[:, 0] != after[:, 1]).all()
    same = {frozenset(e) for e in after.tolist()} & {frozenset(e) for e in edges.tolist()}
    assert len(same) >= 78 - 2 * swaps
    assert (len(same) == 78) == (swaps == 0) or swaps == 1


def test_the_same_clubs_are_known_for_all_kinds_and_on_both_sides():
    known = choose_known(SEEDS)
    classes = karate().classes
    assert (known[:, classes == 0].sum(axis=1) == 2).all()
    assert (known[:, classes == 1].sum(axis=1) == 2).all()
    assert len(np.unique(known, axis=0)) > 30


def test_the_record_holds_together(record):
    assert record["command"] == "python -m attention.karate"
    assert record["seeds"] == list(SEEDS)
    assert not set(SEEDS) & set(TUNING)
    for kind in KINDS:
        values = record["values"][kind]
        tuning = np.array(values["tuning"])
        assert tuning.shape == (len(DECAYS), len(TUNING))
        assert values["decay"] == DECAYS[tuning.mean(axis=1).argmax()]
        assert values["dropped"][0] == values["rewired"][0] == values["accuracy"]
        assert np.shape(values["rewired"]) == (len(SWAPS), len(SEEDS))


def test_what_was_reached(record):
    """Edges help; which neighbours to listen to, attention does not learn from four labels."""
    accuracy = {kind: np.array(record["values"][kind]["accuracy"]) for kind in KINDS}
    assert accuracy["mean"].mean() > 0.85
    assert accuracy["attention"].mean() > 0.85
    assert 0.4 < accuracy["no edges"].mean() < 0.6
    difference = accuracy["attention"] - accuracy["mean"]
    assert abs(difference.mean()) < 0.03
    for kind in ("attention", "mean"):
        for change in ("dropped", "rewired"):
            means = np.mean(record["values"][kind][change], axis=1)
            assert (np.diff(means) < 0).all()
            assert means[-1] < 0.6
    assert np.mean(record["values"]["attention"]["far_from_mean"]) < 0.01


def test_what_is_wrong_is_said():
    edges = karate().edges
    with pytest.raises(ValueError, match=r"share is 1.5: it must be between 0 and 1"):
        dropped(edges, 1.5, np.random.default_rng(0))
    with pytest.raises(ValueError, match="swaps is -1"):
        rewired(edges, -1, np.random.default_rng(0))
    with pytest.raises(ValueError, match="there is no kind 'sum'"):
        fit("sum", [0], 0.0, steps=1)
    with pytest.raises(ValueError, match="there is no seed"):
        fit("mean", [], 0.0)
