"""Schedules are fair, and go on where they were left."""

import random
from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludograph.arena import Knockout, RoundRobin, Swiss
from ludograph.arena.rendering import (
    bracket_table,
    champion_sentence,
)
from ludograph.arena.schedules import bracket_order
from ludograph.errors import InvalidInput
from tests.arena.games import DRAWN, Row, by_name

NAMES = tuple("abcdefghijk")


def schedules(players, seats=2):
    found = [
        RoundRobin(players, 2, seats),
        RoundRobin(players, 4, seats, sample=True, seed=3),
        RoundRobin(players, 2, seats, challenger=players[0]),
        Swiss(players, 4, seats, seed=1),
    ]
    return [*found, Knockout(players, 2), Knockout(players, 1)] if seats == 2 else found


def played_out(schedule):
    """Play a tournament, some games at a time; return its games in order."""
    finished = []
    while keys := schedule.remaining(finished):
        assert len(set(keys)) == len(keys)
        finished += by_name(keys)
    return finished


SHAPES = [(5, 2), (6, 2), (6, 3), (7, 3), (9, 4)]
EACH = [
    pytest.param(schedule, id=f"{type(schedule).__name__}-{number}-{count}-{seats}")
    for count, seats in SHAPES
    for number, schedule in enumerate(schedules(NAMES[:count], seats))
]


@pytest.mark.parametrize("schedule", EACH)
def test_everybody_has_each_seat_equally_often(schedule):
    sat = Counter(
        (player, seat) for game in played_out(schedule) for seat, player in enumerate(game.seating)
    )
    for player, _ in sat:
        assert len({sat[player, seat] for seat in range(getattr(schedule, "seats", 2))}) == 1


@pytest.mark.parametrize("schedule", EACH)
def test_each_start_is_played_with_all_rotations(schedule):
    tables = Counter((game.start, frozenset(game.seating)) for game in played_out(schedule))
    assert set(tables.values()) == {getattr(schedule, "seats", 2)}


@pytest.mark.parametrize("schedule", EACH)
def test_killed_at_any_instant_exactly_the_rest_is_played(schedule):
    whole = played_out(schedule)
    chaos = random.Random(1)
    for _ in range(3):
        finished, at_once = [], 1 + len(whole) // chaos.randint(3, 12)
        while keys := schedule.remaining(chaos.sample(finished, len(finished))):
            # any games of those that may be played now are finished before it is killed again
            keys = chaos.sample(keys, min(len(keys), at_once))
            assert not {game.key for game in finished} & set(keys)
            finished += by_name(keys)
        assert sorted(finished) == sorted(whole)


@pytest.mark.parametrize("schedule", EACH)
def test_a_game_that_was_lost_is_played_again(schedule):
    whole = played_out(schedule)
    for lost in (0, len(whole) // 2, len(whole) - 1):
        rest = whole[:lost] + whole[lost + 1 :]
        if not isinstance(schedule, Knockout):  # whose later matches hang on it
            assert schedule.remaining(rest) == [whole[lost].key]
        else:
            assert whole[lost].key in schedule.remaining(rest)


@pytest.mark.parametrize("schedule", EACH)
def test_games_of_strangers_change_nothing(schedule):
    seats = getattr(schedule, "seats", 2)
    strangers = by_name(RoundRobin(("w", "x", "y", "z")[:seats], 3, seats).remaining(()))
    whole = played_out(schedule)
    some = whole[: len(whole) // 2]
    assert schedule.remaining(some + strangers) == schedule.remaining(some)


def test_a_round_robin_is_everybody_against_everybody():
    met = Counter(frozenset(key.seating) for key in RoundRobin(NAMES, 3).remaining(()))
    assert met == {frozenset(pair): 6 for pair in combinations(NAMES, 2)}


def test_a_sample_is_balanced():
    """Each plays about equally often, and with each other one about as often."""
    keys = RoundRobin(NAMES, 30, 3, sample=True).remaining(())
    often = Counter(player for key in keys for player in key.seating)
    assert max(often.values()) - min(often.values()) <= 3
    met = Counter(frozenset(pair) for key in keys for pair in combinations(key.seating, 2))
    assert len(met) == 55
    assert max(met.values()) <= 2.2 * min(met.values())


def test_in_a_gauntlet_opponents_do_not_meet():
    keys = RoundRobin(("new", "a", "b", "c"), 4, challenger="new").remaining(())
    assert all("new" in key.seating for key in keys)
    assert Counter(p for key in keys for p in key.seating)["b"] == 8


def test_a_swiss_tournament_brings_equals_together_and_finds_the_order():
    players = NAMES[:8]
    swiss = Swiss(players, 5, seed=2)
    games = played_out(swiss)
    met = Counter(frozenset(game.seating) for game in games)
    assert set(met.values()) == {2}  # nobody meets the same opponent again
    points = Counter()
    for game in games:
        for player, gained in zip(game.seating, game.points, strict=True):
            points[player] += gained
    assert points["a"] == 10
    assert points["h"] == 0
    assert points["a"] > max(points[player] for player in players[1:])


@given(st.integers(3, 12), st.integers(0, 1000))
@settings(max_examples=20, deadline=None)
def test_nobody_rests_twice_before_everybody_rested_and_meets_again_if_avoidable(count, seed):
    players = tuple(f"p{n:02d}" for n in range(count))
    rounds = max(1, (count - 1) // 2)
    games = played_out(Swiss(players, rounds, seed=seed))
    often = Counter(player for game in games for player in game.seating)
    assert max(often.values()) - min([often[player] for player in players]) <= 2
    assert max(Counter(frozenset(game.seating) for game in games).values()) == 2


def test_a_knockout_is_won_by_the_best_and_seeds_meet_late():
    strength = {player: -number for number, player in enumerate(NAMES)}
    for players in (NAMES, NAMES[::-1], NAMES[4:] + NAMES[:4]):
        cup = Knockout(players, 1)
        finished = []
        while keys := cup.remaining(finished):
            finished += by_name(keys, strength)
        assert cup.winner(finished) == "a"
        assert sum(duel.winner is not None for row in cup.bracket(finished) for duel in row) == 15
    final = Knockout(NAMES, 1).bracket(played_out(Knockout(NAMES, 1)))[-1][0]
    assert set(final.players) == {"a", "b"}


def test_a_tie_in_a_knockout_is_played_off_then_decided_by_the_seeds():
    cup = Knockout(("a", "b"), 1, overtime=3)
    finished, starts = [], []
    while keys := cup.remaining(finished):
        starts.append({key.start for key in keys})
        finished += [Row(key.start, key.seating, DRAWN) for key in keys]
    assert starts == [{0}, {1}, {2}, {3}]
    assert cup.winner(finished) == "a"
    assert cup.bracket(finished)[0][0].points == (4, 4)
    assert cup.bracket(finished)[0][0].decided_by == "seed"
    tied = [game for game in finished if game.start == 0]
    assert cup.winner(tied) is None
    assert cup.winner([*tied, *(Row(1, key, (2, 1)) for key in [("a", "b")])]) is None
    beaten = [Row(1, ("a", "b"), (2, 1)), Row(1, ("b", "a"), (1, 1))]
    assert cup.winner(tied + beaten) == "b"
    assert cup.bracket(tied + beaten)[0][0].decided_by == "points"


def test_a_bracket_under_way_shows_who_goes_on_and_who_is_not_known_yet():
    cup = Knockout(("a", "b", "c"), 1)
    half = [Row(0, ("b", "c"), (2, 1))]
    assert bracket_table(cup.bracket(half)).rows == [
        ["semifinals", "a", "", "a (bye)"],
        ["semifinals", "b - c", "0 : 1", ""],
        ["final", "a - ?", "", ""],
    ]
    assert "decided" in champion_sentence(cup.winner(half))


@pytest.mark.parametrize("size", [2, 4, 8, 16])
def test_the_best_of_any_block_of_a_bracket_are_spread(size):
    order = bracket_order(size)
    assert sorted(order) == list(range(size))
    assert all(one + other == size - 1 for one, other in list(pairwise(order))[::2])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: RoundRobin(("a", "a"), 1), "'a'"),
        (lambda: RoundRobin(("a", "b"), 0), "starts 0"),
        (lambda: RoundRobin(("a", "b"), 1, seats=3), "2 players .* 3 seats"),
        (lambda: RoundRobin(("a", "b"), 1, seats=1), "two seats"),
        (lambda: Swiss(("a", "b"), 0), "rounds 0"),
        (lambda: RoundRobin(("a", "b"), 1, challenger="c"), "'c'"),
        (lambda: Knockout(("a",), 1), "1 player for"),
        (lambda: Knockout(("a", "b"), 1, overtime=-1), "overtime -1: 0 to 500"),
    ],
)
def test_wrong_settings_get_a_sentence(make, message):
    with pytest.raises(InvalidInput, match=message):
        make()
