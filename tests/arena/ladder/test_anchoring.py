"""The fixed points of a ladder: all steps of a game, among which ratings have both limits."""

from random import Random

import pytest

from ludograph.arena.ladder.pairing import next_pairings
from ludograph.arena.ladder.table import PRIOR
from ludograph.arena.ratings.rating import rate
from ludograph.arena.results import Results
from ludograph.arena.schedules import rotations
from ludograph.cli.declared_files import default_anchors
from ludograph.games.registry import declaration, load, names
from ludograph.players.spec import parse_player
from tests.arena.games import game


@pytest.mark.parametrize("name", names())
def test_fixed_points_of_every_game_are_players_that_no_clock_changes(name):
    declared = declaration(name)
    rules, seats = load(declared), max(2, declared.seats[0])
    anchors = default_anchors(declared, seats)
    assert len(set(anchors)) == len(anchors) >= 4
    assert anchors[0] == declared.anchors[0]
    for text in anchors:
        spec = parse_player(text, rules, seats)
        timed = "time" in {option.name for option in rules.strategy(spec.target).options}
        assert not timed or spec.options.keys() & {"sims", "depth"}


def test_a_player_for_fewer_seats_is_no_fixed_point():
    two, three = (default_anchors(declaration("penguins"), seats) for seats in (2, 3))
    assert set(three) <= set(two)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(("weak", "gap"), [(5, 350), (5, 200), (1, 350), (15, 200)])
def test_weak_players_get_closed_intervals(weak, gap, seed):
    """The steps of Hex are a chain: a neighbor wins at least one of ten games."""
    steps = default_anchors(declaration("hex"), 2)
    order = sorted(steps, key=declaration("hex").steps.index)
    elo = {step: gap * number for number, step in enumerate(order)}
    players = [f"bot{number}.py" for number in range(weak)]
    elo |= {player: gap / 2 + 300 * number / weak for number, player in enumerate(players)}
    drawn, games, start = Random(seed), [], 0
    while len(games) < 75 * len(elo):
        pairings = next_pairings(
            sorted(elo), Results.of(games), start, 2, 20, steps=frozenset(steps[1:])
        )
        start += len(pairings)
        for key in (key for pairing in pairings for key in rotations(pairing)):
            one, other = key.seating
            wins = drawn.random() < 1 / (1 + 10 ** ((elo[other] - elo[one]) / 400))
            games.append(game(key.start, key.seating, (1, 2) if wins else (2, 1)))
    found = rate(games, sorted(elo), anchor=steps[0], anchor_elo=elo[steps[0]], prior=PRIOR)
    for rating in found.table:
        if rating.player in players:
            assert rating.low is not None
            assert rating.high is not None
