"""Straight lines that are derived from a drawing."""

import networkx as nx
import numpy as np
import pytest

from ludograph import amazons, boards, penguins, rules
from ludograph.boards import OUTSIDE
from ludograph.errors import InvalidInput


def drawn(board):
    """Return a board with nothing but its edges and positions, and lines derived from those."""
    return boards.from_edges(board.n, board.edges(), positions=board.positions, sides="planar")


def lines(board):
    """Return the line out of every vertex through the edge to each of its neighbors."""
    found = {}
    for v in range(board.n):
        for side in range(board.sides.count(v)):
            line = board.line(v, side)
            if line:
                found[v, line[0]] = line
    return found


@pytest.mark.parametrize(
    "board",
    [
        boards.square(5, 4),
        boards.donut(6),
        boards.hatched(6),
        boards.hexagonal(5, 4),
        boards.full_hexa(6, 5),
    ],
    ids=lambda board: board.name,
)
def test_lines_of_a_tiling_are_found_again(board):
    assert lines(drawn(board)) == lines(board)


def random_drawing(seed):
    """Return positions and edges: near neighbors of random points, and what connects them."""
    generator = np.random.default_rng(seed)
    graph = nx.random_geometric_graph(40, 0.25, seed=seed)
    nx.add_path(graph, range(40))
    for v in graph:
        graph.nodes[v]["pos"] = tuple(generator.random(2))
    return graph


def direction(board, v, u):
    x, y = board.positions[u] - board.positions[v]
    return np.arctan2(x, -y) % (2 * np.pi)


@pytest.mark.parametrize("seed", range(8))
def test_sides_of_any_drawing(seed):
    board = boards.from_networkx(random_drawing(seed), sides="planar")
    for v in range(board.n):
        first, last = board.sides.offsets[v : v + 2]
        row = board.sides.neighbors[first:last]
        near = row[row != OUTSIDE]
        assert len(row) % 2 == 0
        assert sorted(near.tolist()) == board.neighbors_of(v).tolist()
        angles = [direction(board, v, u) for u in near]
        assert angles == sorted(angles)  # clockwise from the north
        for u, opposite in zip(row, np.roll(row, len(row) // 2), strict=True):
            assert (u, opposite) != (OUTSIDE, OUTSIDE)
            if OUTSIDE not in (u, opposite):
                turn = abs(direction(board, v, u) - direction(board, v, opposite))
                assert abs(turn - np.pi) <= np.pi / 4 + 1e-8


def test_a_crossroads_a_junction_and_a_fork():
    ways = {"n": (0, -1), "e": (1, 0), "s": (0.1, 1), "w": (-1, 0), "sw": (-1, 1), "ne": (2, -3)}

    def star(*names):
        positions = [(0, 0), *(ways[name] for name in names)]
        edges = [(0, v) for v in range(1, len(positions))]
        board = boards.from_edges(len(positions), edges, positions=positions, sides="planar")
        first, last = board.sides.offsets[0:2]
        return ["-" if u == OUTSIDE else names[u - 1] for u in board.sides.neighbors[first:last]]

    assert star("n", "e", "s", "w") == ["n", "e", "s", "w"]
    assert star("n", "e", "s") == ["n", "e", "s", "-"]
    assert star("e", "s", "w") == ["e", "s", "w", "-"]
    assert star("n", "ne", "sw") == ["n", "ne", "-", "sw"]  # ne and sw bend least
    assert star("e", "n") == ["n", "e", "-", "-"]
    assert star("n") == ["n", "-"]


@pytest.mark.parametrize("seed", range(4))
def test_games_are_played_on_drawings(seed):
    board = boards.from_networkx(random_drawing(seed), sides="planar")
    for position in (
        penguins.position(board, penguins=2, seats=3, seed=seed),
        amazons.position(board, queens=2),
    ):
        luck = rules.random_state(seed)
        while not position.is_over:
            for move in position.legal_moves():
                assert position.parse(position.text(move)) == move
            position.play_random(luck)


def test_without_coordinates_there_are_no_lines(tmp_path):
    with pytest.raises(InvalidInput, match="coordinates"):
        boards.from_networkx(nx.petersen_graph(), sides="planar")
    (tmp_path / "roads.txt").write_text("0 1\n")
    with pytest.raises(InvalidInput, match="coordinates"):
        boards.load(tmp_path / "roads.txt", sides="planar")
    with pytest.raises(InvalidInput, match=r"'planar'.*'straight'"):
        boards.from_edges(2, [(0, 1)], positions=[(0, 0), (1, 0)], sides="straight")


def test_derived_lines_are_kept_in_a_file(tmp_path):
    board = drawn(boards.full_hexa(5, 4))
    boards.save(board, tmp_path / "ice.json")
    assert lines(boards.load(tmp_path / "ice.json")) == lines(board)
    plain = boards.from_edges(board.n, board.edges(), positions=board.positions)
    boards.save(plain, tmp_path / "plain.json")
    assert boards.load(tmp_path / "plain.json").sides is None
    assert lines(boards.load(tmp_path / "plain.json", sides="planar")) == lines(board)
