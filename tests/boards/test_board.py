"""What holds for any board: immutable, checked, picklable; starts far apart."""

import doctest
import importlib
import itertools
import pickle
import pkgutil
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludograph import boards
from ludograph.errors import InvalidInput
from tests.amounts import few


@st.composite
def connected_graphs(draw, most=14):
    """A random tree with some more edges: (n, list of edges)."""
    n = draw(st.integers(1, most))
    edges = {(draw(st.integers(0, v - 1)), v) for v in range(1, n)}
    if n > 2:
        pair = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))
        edges |= {tuple(sorted(p)) for p in draw(st.lists(pair, max_size=10)) if p[0] != p[1]}
    return n, sorted(edges)


def test_arrays_cannot_be_written():
    board = boards.torus(3)
    for array in (board.offsets, board.neighbors, board.positions, board.outline_points):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        board.neighbors_of(0)[0] = 1
    with pytest.raises(FrozenInstanceError):
        board.name = "other"
    with pytest.raises(TypeError):
        board.marks["x"] = np.zeros(1)


def test_a_board_does_not_share_arrays_with_its_maker():
    positions = np.zeros((2, 2))
    board = boards.from_edges(2, [(0, 1)], positions=positions)
    positions[0] = 7
    assert board.positions[0].tolist() == [0, 0]


def test_pickle_gives_the_same_board():
    board = boards.hexagonal(3).with_marks({"left": [0, 3, 6]}, name="hex 3")
    again = pickle.loads(pickle.dumps(board))
    assert boards.to_data(again) == boards.to_data(board)
    assert not again.neighbors.flags.writeable


def test_marks():
    board = boards.hexagonal(3).with_marks({"left": [0, 3, 6], "none": []})
    assert board.name == "hexagonal 3x3"
    assert board.marks["left"].tolist() == [0, 3, 6]
    assert board.marks["none"].dtype == np.int32
    for wrong in ([9], [-1], [1, 1], [0.5], [[0]]):
        with pytest.raises(InvalidInput, match=r"marks\.left"):
            board.with_marks({"left": wrong})


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"name": ""}, "name"),
        ({"name": "two\nlines"}, "name"),
        ({"neighbors": [1, 3, 0, 2, 0, 3, 1, 2]}, "one direction"),
        ({"neighbors": [2, 1, 0, 3, 0, 3, 1, 2]}, "ascending"),
        ({"neighbors": [0, 1, 0, 3, 0, 3, 1, 2]}, "itself"),
        ({"neighbors": [1, 4, 0, 3, 0, 3, 1, 2]}, "does not exist"),
        ({"offsets": [0, 2, 4, 8, 6]}, "offsets"),
        ({"offsets": [0, 2**31 - 1, -5, 4, 8]}, "offsets"),
        ({"offsets": [0]}, "at least one vertex"),
        ({"offsets": [0, 1, 2, 3, 4], "neighbors": [1, 0, 3, 2]}, "not connected"),
        ({"positions": np.zeros((3, 2))}, "positions"),
        ({"positions": np.full((4, 2), np.nan)}, r"positions\[0\]"),
        ({"outline_offsets": [0, 2, 8, 12, 16]}, r"outlines\[0\]"),
        ({"fixed_starts": {2: [0]}}, "starts.2"),
        ({"fixed_starts": {2: [0, 0]}}, "starts.2"),
    ],
)
def test_parts_that_do_not_fit_are_refused(change, sentence):
    change = {k: np.array(v) if isinstance(v, list) else v for k, v in change.items()}
    with pytest.raises(InvalidInput, match=sentence):
        replace(boards.square(2), sides=None, **change)


@settings(deadline=None)
@given(connected_graphs(), st.data())
def test_starts_are_far_apart(graph, data):
    n, edges = graph
    board = boards.from_edges(n, edges)
    seats = data.draw(st.integers(1, min(n, 4)))
    starts = board.starts(seats).tolist()
    assert len(set(starts)) == seats
    assert board.starts(seats).tolist() == starts
    assert board.starts(seats).dtype == np.int32
    reference = nx.Graph(edges)
    reference.add_nodes_from(range(n))
    far = dict(nx.all_pairs_shortest_path_length(reference))
    assert all(board.distances(u).tolist() == [far[u][v] for v in range(n)] for u in range(n))

    def least(chosen):
        return min(far[u][v] for u, v in itertools.combinations(chosen, 2))

    if seats > 1:
        best = max(map(least, itertools.combinations(range(n), seats)))
        assert 2 * least(starts) >= best
        if seats == 2 and len(edges) == n - 1:
            assert least(starts) == best
    for k in range(1, seats):  # each next one is as far as possible from those before it

        def nearest(v, chosen=starts[:k]):
            return min(far[v][u] for u in chosen)

        assert nearest(starts[k]) == max(map(nearest, range(n)))


@pytest.mark.parametrize("seats", [0, -1, 10])
def test_seats_that_a_board_has_not(seats):
    with pytest.raises(InvalidInput, match="1 to 9"):
        boards.square(3).starts(seats)


@pytest.mark.slow
def test_long_and_wide_boards_cost_no_more_than_their_edges():
    n = 200_000
    path = np.stack([np.arange(n - 1), np.arange(1, n)], axis=1)
    star = np.stack([np.zeros(n - 1, dtype=int), np.arange(1, n)], axis=1)
    assert boards.from_edges(n, path).starts(3).tolist() == [n - 1, 0, n // 2 - 1]
    assert boards.from_edges(n, star).starts(3).tolist() == [1, 2, 3]


@settings(deadline=None, max_examples=few(5, 100))
@given(connected_graphs())
def test_a_board_without_a_picture_gets_one(graph):
    n, edges = graph
    board = boards.from_edges(n, edges)
    assert board.links
    lengths = [np.hypot(*(board.positions[u] - board.positions[v])) for u, v in edges]
    assert n == 1 or 0.9 < np.mean(lengths) < 1.1
    for (u, v), length in zip(edges, lengths, strict=True):
        radius = [np.hypot(*(board.outline_of(w) - board.positions[w]).T).max() for w in (u, v)]
        assert sum(radius) < length


def test_a_grid_is_laid_out_as_a_grid():
    for size in (6, 30):  # below and above the number from which only pivots count
        square = boards.square(size)
        drawn = boards.from_edges(square.n, square.edges()).positions
        ends = drawn[square.edges()]
        lengths = np.hypot(*(ends[:, 0] - ends[:, 1]).T)
        assert 0.6 < lengths.min() <= lengths.max() < 1.5


def test_doctests():
    for module in pkgutil.iter_modules(boards.__path__, "ludograph.boards."):
        assert doctest.testmod(importlib.import_module(module.name)).failed == 0
    assert doctest.testmod(boards).failed == 0


@pytest.mark.slow
def test_importing_boards_is_light():
    code = "import sys, ludograph.boards; print({'numba', 'networkx'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"
