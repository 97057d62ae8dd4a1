"""Hex and OpenSpiel's hex, which others have written in C++, play the same games move by move."""

import random

import networkx as nx
import pytest

from ludograph import boards, hex, rules
from ludograph.games.hex import BLACK, WHITE
from tests import openspiel
from tests.amounts import few

pytestmark = pytest.mark.slow

pyspiel = openspiel.part("pyspiel")

GAMES = few(60, 200)
SIZES = range(2, 12)
"""From 2: a stone that touches two borders of its color is no win yet in OpenSpiel."""

OBLONG = ((2, 7), (7, 2), (3, 5), (6, 4), (9, 11))


def usual(size):
    """The usual board, and the vertex of each cell, row by row."""
    inner = range(1, size + 1)
    return hex.board(size), [row * (size + 2) + column for row in inner for column in inner]


def oblong(rows, columns):
    """Any number of rows and columns, as a graph: the cells, then a vertex for each border."""
    graph = nx.Graph()
    for row in range(rows):
        for column in range(columns):
            for down, right in ((0, 1), (1, 0), (1, -1)):
                if row + down < rows and 0 <= column + right < columns:
                    other = (row + down) * columns + column + right
                    graph.add_edge(row * columns + column, other)
    n = rows * columns
    top, bottom, left, right = range(n, n + 4)
    for column in range(columns):
        graph.add_edge(top, column)
        graph.add_edge(bottom, n - columns + column)
    for row in range(rows):
        graph.add_edge(left, row * columns)
        graph.add_edge(right, row * columns + columns - 1)
    marks = {"black": [top, bottom], "white": [left, right]}
    return boards.from_networkx(graph).with_marks(marks), list(range(n))


def compare(position, state, cells):
    """Legal moves, who is to move, whether it is over, who has won."""
    assert sorted(position.legal_moves()) == [cells[action] for action in state.legal_actions()]
    assert position.is_over == state.is_terminal()
    assert position.turn == (None if state.is_terminal() else state.current_player())
    signs = {None: (0.0, 0.0), BLACK: (1.0, -1.0), WHITE: (-1.0, 1.0)}[position.winner]
    assert tuple(state.returns()) == signs
    assert position.scores() == tuple((sign + 1) / 2 for sign in signs)


def play_games(board, cells, game, games):
    rng = random.Random(board.n)
    winners = set()
    start = hex.position(board, pie=False)
    for _ in range(games):
        position, state = start.copy(), game.new_initial_state()
        compare(position, state, cells)
        while not state.is_terminal():
            action = rng.choice(state.legal_actions())
            state.apply_action(action)
            rules.play(position.setup, position.state, cells[action])
            compare(position, state, cells)
        winners.add(position.outcome().winner)
    return winners


@pytest.mark.parametrize("size", SIZES)
def test_random_games_on_the_usual_board(size):
    game = pyspiel.load_game(f"hex(board_size={size})")
    board, cells = usual(size)
    assert play_games(board, cells, game, GAMES) == {0, 1}


@pytest.mark.parametrize(("rows", "columns"), OBLONG)
def test_random_games_on_oblong_boards(rows, columns):
    game = pyspiel.load_game(f"hex(num_rows={rows},num_cols={columns})")
    board, cells = oblong(rows, columns)
    play_games(board, cells, game, GAMES)


@pytest.mark.parametrize("size", [3, 11])
def test_cells_have_the_same_names(size):
    state = pyspiel.load_game(f"hex(board_size={size})").new_initial_state()
    board, cells = usual(size)
    position = hex.position(board, pie=False)
    names = [state.action_to_string(action) for action in state.legal_actions()]
    assert [position.text(cell) for cell in cells] == names
