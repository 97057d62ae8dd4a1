"""Openings that ladders and tournaments draw where the start is always the same."""

import json
import zlib
from dataclasses import replace

import pytest

from ludograph.arena.openings import (
    DRAWN,
    DrawnOpenings,
    OpeningSuite,
    chosen_openings,
    first_moves,
)
from ludograph.arena.playing import play_plan
from ludograph.arena.schedules import Pairing, rotations
from ludograph.arena.tournament import Tournament
from ludograph.errors import InvalidInput
from ludograph.games.registry import game
from ludograph.players.spec import parse_player
from ludograph.referee.seed import Seed


def test_near_even_stones_take_turns_with_all_others():
    start = game("hex").position(board="hexagonal:6")
    found = [start.text(move) for (move,) in first_moves(start)]
    near_even = set(start.game.solving.openings("near-even", start))
    assert set(found[::2]) == near_even
    assert set(found[1::2]).isdisjoint(near_even)
    assert len(set(found)) == 36


def test_a_board_without_a_suite_has_all_first_moves():
    start = game("hex").position(board="triangular:3")
    found = first_moves(start)
    assert sorted(found) == [(move,) for move in start.legal_moves()]


def test_a_game_whose_c_players_cannot_begin_behind_a_move_has_none():
    start = game("flood").position(board="square:6", coloring="cyclic")
    assert first_moves(start) == ()


STARTS = {
    "hex": {"board": "hexagonal:5"},
    "amazons": {"board": "square:4"},
    "flood": {"board": "square:6", "coloring": "cyclic"},
}


def drawn(name, seed=1, players=("random", "random"), count=6):
    rules = game(name)
    start = rules.position(**STARTS[name])
    specs = [parse_player(player, rules, 2) for player in players]
    openings = DrawnOpenings(start, Seed(seed), specs)
    return start, [openings.of(number) for number in range(count)]


@pytest.mark.parametrize("name", STARTS)
def test_drawn_openings_are_different_legal_and_decided_by_the_seed(name):
    start, found = drawn(name)
    assert len(set(found)) == len(found)
    for moves in found:
        board = start.copy()
        for move in moves:
            board.play(move)
        assert not board.is_over
    assert drawn(name)[1] == found
    assert drawn(name, seed=2)[1] != found


def test_even_openings_of_the_game_are_drawn_before_random_moves():
    start = game("hex").position(board="hexagonal:5")
    even = {start.parse(text) for text in start.game.solving.openings("near-even", start)}
    _, found = drawn("hex", count=len(even) + 3)
    assert {moves[0] for moves in found[: len(even)]} == even
    assert not {moves[0] for moves in found[len(even) :]} & even
    assert all(len(moves) == 1 for moves in found)  # an answer to one stone may be a swap


def test_openings_come_again_when_none_is_left():
    rules = game("hex")
    start = rules.position(board="hexagonal:1", pie=False)
    openings = DrawnOpenings(start, Seed(1), [])
    assert openings.of(3) == ()  # the first stone ends the game
    start = rules.position(board="hexagonal:2", pie=False)
    openings = DrawnOpenings(start, Seed(1), [])
    found = [openings.of(number) for number in range(60)]
    assert len(set(found)) < 60
    assert set(found[:16]) <= set(found[16:])


def test_a_start_with_chance_has_no_drawn_openings():
    start = game("carcassonne").position()
    assert DrawnOpenings(start, Seed(1), []).of(0) == ()
    with pytest.raises(InvalidInput, match=r"carcassonne .*chance"):
        chosen_openings(DRAWN, [start], [])


def test_c_players_that_can_begin_behind_one_stone_get_openings_of_one_stone(tmp_path):
    (tmp_path / "player.so").touch()
    path = str(tmp_path / "player.so")
    _, found = drawn("hex", players=(path, "random"), count=25)
    assert {len(moves) for moves in found} == {1}
    assert drawn("flood", players=(path, "random"), count=2)[1] == [(), ()]


def tournament(rules="hex", **settings):
    """A tournament of two players whose start is always the same."""
    declared = game(rules)
    specs = [parse_player(name, declared, 2) for name in ("random", OTHER[rules])]

    def position(variant, seed):
        return declared.position(seed=seed, **{**STARTS[rules], **BOARDS[rules][variant]})

    return Tournament(position, specs, **{"seed": 0, "games": 2, **settings})


OTHER = {"hex": "connex", "flood": "greedy"}

BOARDS = {
    "hex": ({}, {"board": "hexagonal:4"}),
    "flood": ({"coloring": "random"}, {}),
}


def opening_of(plan, start):
    """The opening in the record of a game."""
    (key, _) = rotations(Pairing(start, plan.names))
    record = zlib.decompress(play_plan(plan.plan(key)).record)
    return json.loads(record.splitlines()[0]).get("opening", [])


def test_pairs_of_overtime_begin_with_drawn_openings_that_their_records_name():
    cup = tournament(format="knockout", games=4)
    assert [opening_of(cup, start) for start in range(2)] == [[], []]
    drawn = [opening_of(cup, start) for start in range(2, 5)]
    assert all(drawn)
    assert len({tuple(moves) for moves in drawn}) == 3
    other = tournament(format="knockout", games=4, seed=1)
    assert [opening_of(other, start) for start in range(2, 5)] != drawn
    longer = tournament(format="knockout", games=4, overtime=20)
    assert [opening_of(longer, start) for start in range(2, 5)] == drawn


def test_overtime_needs_no_openings_where_starts_differ():
    cup = tournament("flood", format="knockout")
    assert [cup.opening(start) for start in range(4)] == [()] * 4


def test_overtime_draws_openings_after_the_last_one_of_a_suite():
    cup = tournament(format="knockout")
    start = cup.start(0)
    suite = OpeningSuite("own", (tuple((start.parse(text),) for text in ("c3", "a1")),))
    cup = replace(cup, openings=suite)
    assert [cup.opening(n) for n in range(2)] == list(suite.variants[0])
    drawn = [cup.opening(n) for n in range(2, 5)]
    assert all(drawn)
    assert len(set(drawn)) == 3


def test_all_starts_have_different_drawn_openings_if_asked_for():
    plain = tournament(games=12)
    drawn = replace(plain, openings=DRAWN)
    assert [plain.opening(n) for n in range(6)] == [()] * 6
    assert len({drawn.opening(n) for n in range(6)} - {()}) == 6
    assert plain.key != drawn.key
    assert drawn.declaration["openings"] == DRAWN
    two = replace(drawn, variants=2)
    for number in range(4):
        board = two.start(number).copy()
        for move in two.opening(number):
            board.play(move)
        assert board.ply > 0
    boards = tournament("flood", games=4, openings=DRAWN)
    assert all(boards.opening(n) for n in range(2))  # each on a board of its own
