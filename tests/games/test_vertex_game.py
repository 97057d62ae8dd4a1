"""Games in which a move is a vertex: notation, clicks, sentences and picture come for free."""

import importlib
import re
import sys
from typing import Any, NamedTuple

import numpy as np
import pytest

from ludograph import play_match, rules
from ludograph.conformance import check_game
from ludograph.errors import GameFault, IllegalMove
from ludograph.games.declaration import Declaration
from ludograph.rules import CHANCE, HEADER, OVER, PLY, TURN, interpreted
from tests.cli.installed import EXAMPLES

sys.path.insert(0, str(EXAMPLES / "tiny"))
example = importlib.import_module("col")
sys.path.remove(str(EXAMPLES / "tiny"))
Col: Any = example.Col
ColSetup: Any = example.ColSetup
col: Any = example.col


def test_it_keeps_the_contract() -> None:
    with interpreted():
        check_game(lambda seed: col.position("torus:4" if seed % 2 else "square:4"), games=2)


@pytest.mark.slow
def test_texts_are_numbers_of_vertices() -> None:
    position = col.position("square:3")
    assert [position.text(move) for move in position.legal_moves()] == list("012345678")
    position.play("4")
    assert position.history == (4,)
    assert position.game.presentation.cell_names(position)[4] == "4"


@pytest.mark.parametrize("text", ["9", "-1", "a1", "", "1.0", "00004", "²", "pass"])
def test_other_texts_are_refused_in_a_sentence(text) -> None:
    position = col.position("square:3")
    sentences = r"moves are the numbers of vertices|'9' is not legal for seat 0"
    with pytest.raises(IllegalMove, match=sentences):
        position.play(text)


@pytest.mark.slow
def test_what_is_taken_is_named() -> None:
    position = col.position("square:3")
    position.play("4")
    with pytest.raises(IllegalMove, match=re.escape("4 is taken")):
        position.play("4")
    assert col.interaction.why_not_cells(position, [4]) == "4 is taken"
    assert "1" in col.interaction.why_not_cells(position, [1]).split()
    assert col.interaction.pointed(position, 1) == ((1,),)


def test_the_picture_shows_who_holds_what() -> None:
    position = col.position("square:3")
    for move in "40":
        position.play(move)
    assert str(position).split("\n")[-3:] == ["o . .", ". x .", ". . ."]
    assert col.presentation.seat_facts(position, 0).color == "blue"
    assert "Blue" in position.svg().title() or "blue" in position.svg()
    assert [tuple(way) for way in col.presentation.ways(position)] == [(4,), (0,)]


def test_its_samples_are_those_that_can_be_solved() -> None:
    assert [start.board.n for start in col.samples()] == [9]
    without = type(
        "Plain",
        (Col,),
        {
            "declaration": Declaration(
                "col", "claim", "no:where", col.declaration.help, options=col.declaration.options
            )
        },
    )()
    assert [start.board.n for start in without.samples()] == [16]


def first_wins(position) -> bool:
    """Tell whether the seat to move wins, by trying everything."""
    for move in position.legal_moves():
        after = position.copy()
        after.play(move)
        if after.is_over or not first_wins(after):
            return True
    return False


@pytest.mark.slow
def test_searches_play_it() -> None:
    position = col.position("square:3")
    wins = first_wins(position)
    assert col.solving.solve(position, 60.0).verdict == ("win" if wins else "loss")
    result = play_match(position, ["mcts:sims=300", "mcts:sims=3000"], seed=1)
    assert result.outcome.winner == (0 if wins else 1)


class Forgotten(NamedTuple):
    """Has all rules, but nobody has registered it."""

    offsets: np.ndarray
    neighbors: np.ndarray


for function in (rules.info, rules.start, rules.legal_moves, rules.play, rules.scores):
    rules.implements(function, Forgotten)(function.kernels[ColSetup].python)


@pytest.mark.parametrize(
    ("spoiled", "named"),
    [
        (
            {"make_setup": lambda self, board, values: Forgotten(board.offsets, board.neighbors)},
            r"\brules\.register\(Forgotten\)",
        ),
        (
            {"fills": lambda self, position: position.state[1:]},
            r"^col: fills .*\b9 vertices\b.*\(10,\)$",
        ),
    ],
)
def test_what_an_author_forgets_is_told_in_a_sentence(spoiled, named) -> None:
    game = type("Forgetful", (Col,), spoiled)()
    with pytest.raises(TypeError, match=named):
        str(game.position("square:3"))


class RollSetup(NamedTuple):
    """Before each claim of a vertex a die of six faces is rolled, which means nothing."""

    offsets: np.ndarray


SEAT, CELLS = HEADER, HEADER + 1


def roll_info(setup):
    n = setup.offsets.size - 1
    return rules.GameInfo(CELLS + n, 2, max(n, 6), 2 * n, 0.0, float(n))


def roll_start(setup, state):
    state[:] = 0
    state[TURN] = CHANCE


def roll_legal_moves(setup, state, out):
    count = 0
    if state[TURN] == CHANCE:
        for face in range(6):
            out[face] = face + 1
        return 6
    if state[TURN] != OVER:
        for vertex in range(setup.offsets.size - 1):
            if state[CELLS + vertex] == 0:
                out[count] = vertex
                count += 1
    return count


def roll_play(setup, state, move):
    state[PLY] += 1
    if state[TURN] == CHANCE:
        state[TURN] = state[SEAT]
        return
    if move < setup.offsets.size - 1:  # not a pass
        state[CELLS + move] = 1 + state[SEAT]
    state[SEAT] = 1 - state[SEAT]
    state[TURN] = OVER if state[PLY] == 2 * (setup.offsets.size - 1) else CHANCE


def roll_scores(setup, state, out):
    out[0] = out[1] = 0.0
    for vertex in range(setup.offsets.size - 1):
        if state[CELLS + vertex] > 0:
            out[state[CELLS + vertex] - 1] += 1.0


ROLL_RULES = (roll_info, roll_start, roll_legal_moves, roll_play, roll_scores)
for rule in ROLL_RULES:
    rules.implements(getattr(rules, rule.__name__.removeprefix("roll_")), RollSetup)(rule)
rules.register(RollSetup)


class Roll(Col):
    setup_type = RollSetup
    declaration = Declaration(
        "roll", "roll and claim", "no:where", col.declaration.help, options=col.declaration.options
    )

    def make_setup(self, board, values):
        return RollSetup(board.offsets.copy())

    def fills(self, position):
        return position.state[CELLS:].copy()


def test_outcomes_of_chance_may_outnumber_the_vertices_and_are_no_moves_on_the_picture() -> None:
    game = Roll()
    with interpreted():
        check_game(lambda seed: game.position("square:2"), games=2)
        position = game.position("square:2")
        for move in "5310":
            position.play(move)
        assert list(game.presentation.ways(position)) == [(), (3,), (), (0,)]
        position.push(5)
        position.push(4)  # a pass
        assert list(game.presentation.ways(position))[4:] == [(), ()]
        shown = position.scene(numbers=True).numerals
    assert {cell: numeral.ply for cell, numeral in shown.items()} == {3: 2, 0: 4}


class EndlessSetup(ColSetup):
    """Col in which a claimed vertex stays free."""


def endless_play(setup, state, move):
    state[PLY] += 1
    state[TURN] = 1 - state[TURN]


rules.implements(rules.play, EndlessSetup)(endless_play)
rules.register(EndlessSetup, otherwise=ColSetup)


class Endless(Col):
    setup_type = EndlessSetup

    def make_setup(self, board, values):
        return EndlessSetup(board.offsets.copy(), board.neighbors.copy())


def test_a_match_of_a_game_without_an_end_stops_at_its_bound() -> None:
    asked = []

    def first(position):
        asked.append(position.ply)
        return position.legal_moves()[0]

    with interpreted():
        start = Endless().position("square:2")
        with pytest.raises(GameFault, match=r"^col: .*\b4 plies.*\bply_bound\b"):
            play_match(start, [first, first])
        play_match(col.position("square:2"), [first, first])
    assert asked[:5] == [0, 1, 2, 3, 0]
