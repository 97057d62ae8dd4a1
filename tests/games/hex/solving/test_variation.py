"""Positions of the game itself, against the proof search that knows only the rules."""

import numpy as np
import pytest

from ludograph import hex
from ludograph.errors import InvalidInput
from ludograph.games.hex import hex_board
from ludograph.games.hex.solving import HexSolver, solve_position
from ludograph.search import proof
from ludograph.search.proof import LOSS, WIN
from tests.games.hex.solving.boards import random_position


def check_line(position, found):
    """The line ends the game, with the winner that was promised."""
    winner = position.turn if found.value == WIN else 1 - position.turn
    position = position.copy()
    for move in found.line:
        position.play(move)
    assert position.is_over
    assert position.scores()[winner] == 1.0


@pytest.mark.slow
@pytest.mark.parametrize(("n", "pie"), [(2, True), (3, True), (3, False), (4, False)])
def test_the_proof_search_on_the_rules_agrees(n, pie):
    rng = np.random.default_rng(n)
    solver = HexSolver(n)
    for _ in range(25):
        position = random_position(rng, n, pie, int(rng.integers(0 if n < 4 else 3, n * n - 2)))
        found = solve_position(position, solver=solver)
        assert found.value == proof.solve(position.setup, position.state, table_bits=16).value
        check_line(position, found)


def test_every_winning_move_of_a_line_wins():
    position = hex.position(4, pie=False)
    found = solve_position(position)
    assert found.verdict == "win"
    assert position.text(found.line[0]) in {"d1", "c2", "b3", "a4"}
    for move in found.line[:-1]:
        position.play(move)
        after = solve_position(position)
        assert after.value == (WIN if position.turn == 0 else LOSS)


@pytest.mark.parametrize(("opening", "answer"), [("c3", "swap"), ("a1", None)])
def test_the_pie_rule(opening, answer):
    position = hex.position(5)
    assert solve_position(position).verdict == "loss"
    position.play(opening)
    found = solve_position(position)
    assert found.verdict == "win"
    assert (position.text(found.line[0]) == "swap") == (answer == "swap")
    check_line(position, found)


def test_a_board_of_one_cell():
    assert solve_position(hex.position(1)).verdict == "win"


@pytest.mark.parametrize("kind", ["c", "t"])
def test_other_boards_are_refused(kind):
    with pytest.raises(InvalidInput, match="hexagonal"):
        solve_position(hex.position(hex_board(4, kind)))


def test_what_cannot_be_solved():
    with pytest.raises(InvalidInput, match="size 1 to 16"):
        solve_position(hex.position(17))
    position = hex.position(1)
    position.play("a1")
    with pytest.raises(InvalidInput, match="over"):
        solve_position(position)


def test_out_of_time():
    position = hex.position(7, pie=False)
    position.play("a1")
    found = solve_position(position, time=0.01)
    assert found.value is None
    assert found.verdict == "unknown"
    assert found.line == ()
