"""Boards whose cells are more than the bits of a word."""

import numpy as np
import pytest

from ludograph import hex
from ludograph.games.hex import BLACK, WHITE
from ludograph.games.hex.solving import HexSolver, solve_openings, solve_position
from ludograph.games.hex.solving.solver import stones_of
from ludograph.rules import interpreted
from ludograph.search.proof import WIN
from tests.amounts import slow_but
from tests.games.hex.solving import plain
from tests.games.hex.solving.boards import cells, random_position, random_stones

pytestmark = pytest.mark.slow


def open_ends(rng, n, free):
    """Random stones on all cells but so many, where neither color has joined its borders."""
    while True:
        black, white, color = random_stones(rng, n, n * n - free)
        if not any(
            plain.joins_borders(n, set(cells(stones)), one)
            for one, stones in ((BLACK, black), (WHITE, white))
        ):
            return black, white, color


def check_ends(solver, seed, count):
    """Of ends of games, a slow search finds the same winner, who needs the carrier only."""
    n, rng, winners = solver.n, np.random.default_rng(seed), set()
    for _ in range(count):
        black, white, color = open_ends(rng, n, int(rng.integers(4, 12)))
        found = solver.solve(black, white, color)
        assert found.winner == plain.winner(n, cells(black), cells(white), color)
        winners.add(found.winner == color)
        rest = (1 << n * n) - 1 & ~(black | white | found.carrier)
        assert found.carrier & (black | white) == 0
        stones = [black, white]
        stones[1 - found.winner] |= rest
        assert plain.winner(n, *map(cells, stones), color) == found.winner
    assert winners == {True, False}


@pytest.mark.parametrize("n", slow_but([9], [9, 11]))
def test_ends_of_games_against_every_move_tried(n):
    check_ends(HexSolver(n, table_bits=12), n, 20)


@pytest.mark.parametrize("n", [12, 13, 16])
def test_ends_of_games_on_boards_of_four_words(n):
    check_ends(HexSolver(n, table_bits=12), n, 10)


@pytest.mark.parametrize("words", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_more_words_find_the_same(words):
    one, more = HexSolver(6), HexSolver(6, words=words)
    assert solve_openings(one).rows == solve_openings(more).rows
    assert one.nodes == more.nodes > 1000
    one, more = HexSolver(8, table_bits=16), HexSolver(8, table_bits=16, words=words)
    rng = np.random.default_rng(words)
    for _ in range(100):
        stones = random_stones(rng, 8, int(rng.integers(14, 60)))
        assert one.solve(*stones) == more.solve(*stones)


@pytest.mark.parametrize("n", slow_but([9], [9, 11]))
def test_the_move_named_wins(n):
    rng = np.random.default_rng(n)
    solver = HexSolver(n, table_bits=16)
    won = 0
    while won < 5:
        position = random_position(rng, n, False, n * n - int(rng.integers(7, 14)))
        found = solve_position(position, solver=solver)
        color = position.color_to_move
        if found.value != WIN:
            assert plain.winner(n, *map(cells, stones_of(position)), color) != color
            continue
        won += 1
        position.play(found.line[0])
        assert plain.winner(n, *map(cells, stones_of(position)), 1 - color) == color
        for move in found.line[1:]:
            position.play(move)
        assert position.winner == color


def test_a_game_of_eleven_by_eleven_at_its_first_stones():
    """A chain of bridges from border to border has won, however few stones stand."""
    position = hex.position(11, pie=False)
    for move in ("g2", "a1", "f4", "a2", "e6", "a3", "d8", "a4", "c10", "k11"):
        position.play(position.parse(move))
    found = solve_position(position, solver=HexSolver(11, table_bits=16), line=False)
    assert found.value == WIN
    position.play(position.parse("b1"))
    assert solve_position(position, time=600.0, line=False).value == -WIN


@pytest.mark.parametrize("words", [2, 4])
def test_plain_python_does_the_same(words):
    rng = np.random.default_rng(words)
    questions = [random_stones(rng, 3) for _ in range(6)]
    fast = HexSolver(3, table_bits=8)
    expected = [fast.solve(*question) for question in questions]
    with interpreted():
        slow = HexSolver(3, table_bits=8, words=words)
        assert [slow.solve(*question) for question in questions] == expected
    assert slow.nodes == fast.nodes
