"""Who plays next, and who plays no more."""

import re
from collections import Counter
from itertools import combinations

import pytest

from ludograph.arena.ladder.pairing import basis, next_pairings, novelty
from ludograph.arena.ladder.suspension import OwnFaults
from ludograph.arena.results import Results
from tests.arena.games import game, match, rows

NAMES = ["ann", "bob", "cid", "dee"]


def met(pairings):
    return [frozenset(pairing.players) for pairing in pairings]


def all_met(rounds):
    games = []
    for one in NAMES:
        for other in NAMES:
            if one < other:
                games += match(one, other, rounds, 0, rounds, first=len(games))
    return Results.of(games)


def test_everybody_plays_in_a_round():
    found = next_pairings(NAMES, all_met(4), 100)
    for first in range(0, len(found), 2):
        assert sorted(p for pairing in found[first : first + 2] for p in pairing.players) == NAMES
    assert [pairing.start for pairing in found] == list(range(100, 100 + len(found)))


def test_versions_without_games_go_first():
    found = next_pairings([*NAMES, "new"], all_met(10), 0, first_games=10)
    assert found
    assert all("new" in pairing.players for pairing in found)
    assert len(set(met(found))) > 1  # and not always against the same


def test_steps_do_not_go_first_and_a_version_without_games_never_rests():
    """Though it has more games than they have, and one of five rests."""
    games = Results.of(match("new", "ann", 2, 0, 2))
    found = next_pairings([*NAMES, "new"], games, 0, first_games=10, steps=frozenset(NAMES))
    assert found
    assert all("new" in pairing.players for pairing in found)
    assert next_pairings(NAMES, games, 0, first_games=10, steps=frozenset(NAMES))


def test_who_makes_games_void_does_not_go_first_and_meets_all():
    """Though it has no games with a result, by which opponents are chosen."""
    count = Counter()
    for start in range(0, 100, 4):
        found = next_pairings([*NAMES, "bad"], all_met(4), start, first_games=10, suspects={"bad"})
        assert not all("bad" in pairing.players for pairing in found)
        count.update(
            player for table in found if "bad" in table.players for player in table.players
        )
    assert min(count.values()) > count["bad"] / 10
    assert len(count) == 5


def test_more_games_are_planned_at_a_time_the_more_there_are():
    assert len(next_pairings(NAMES, all_met(100), 0)) > 2 * len(next_pairings(NAMES, all_met(4), 0))


def test_it_is_a_pure_function_of_players_and_games():
    games = all_met(3)
    assert next_pairings(NAMES, games, 7) == next_pairings(NAMES[::-1], games, 7)


@pytest.mark.parametrize("seats", [2, 3])
def test_who_rested_plays_next(seats):
    players = [*NAMES, "eve"]
    count = Counter()
    games = []
    for start in range(0, 200, 20):
        for pairing in next_pairings(players, Results.of(games), start, seats):
            count.update(pairing.players)
            ranks = tuple(range(1, seats + 1))
            games.append(game(pairing.start, pairing.players, ranks))
    assert max(count.values()) - min(count.values()) <= 2


def test_two_players_that_repeat_their_games_meet_less_often():
    """By their distinct games all pairs are as close, and as uncertain."""
    games = []
    for pair in combinations(NAMES, 2):
        games += match(*pair, 2, 0, 2, first=len(games))
    games = [one._replace(line=1 + number) for number, one in enumerate(games)]
    often = [one._replace(start=100 + n) for n in range(40) for one in games[:4]]
    played = Results.of(games + often)
    values = novelty(NAMES, played.without_repeats(), played)
    assert values[0, 1] == values[1, 0] == 5 / 165
    assert values[0, 2] == values[2, 3] == 1
    found = Counter(met(next_pairings(NAMES, played, 500)))
    assert found[frozenset(("ann", "bob"))] == 0
    assert len(found) > 2


def test_nobody_is_paired_where_seats_stay_empty():
    assert next_pairings(["ann"], Results.of(()), 0) == []


def test_games_against_those_who_left_count_but_their_number_is_bounded():
    games = [
        game(n, pair) for n, pair in enumerate([("ann", "old"), ("bob", "older"), ("bob", "old")])
    ]
    found = basis(Results.of(games), {"ann", "bob"}, most_past=1)
    assert rows(found) == [one._replace(scores=(0.0, 0.0)) for one in (games[0], games[2])]


def test_forfeits_in_a_row_are_counted_until_a_game_is_played_out():
    faults = OwnFaults(3)
    failed = (("ann", "bob"), ("crash", ""))
    for _ in range(2):
        faults.add(*failed)
    assert faults.too_many("ann") == ""
    faults.add(*failed)
    assert re.fullmatch("3 forfeits .*crash", faults.too_many("ann"))
    assert faults.too_many("bob") == ""
    faults.add(("ann", "bob"), ("", ""))
    assert faults.too_many("ann") == ""


def test_a_win_by_the_forfeit_of_another_tells_nothing():
    faults = OwnFaults(4)
    for _ in range(4):
        faults.add(("ann", "bob"), ("crash", ""))
        faults.add(("bob", "ann"), ("timeout", ""))
    assert re.fullmatch("4 forfeits .*crash", faults.too_many("ann"))
    assert re.fullmatch("4 forfeits .*timeout", faults.too_many("bob"))


def test_the_share_of_forfeits_counts_where_they_are_not_in_a_row():
    faults = OwnFaults(4)
    for number in range(8):
        assert faults.too_many("ann") == ""
        faults.add(("ann", "bob"), ("crash" if number % 4 else "", ""))
    assert faults.too_many("ann") == "forfeits in 6 of the latest 8 games, crash"
