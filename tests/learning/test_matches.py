"""Matches of a network: drawn openings where a start is the same, and pairs on each."""

from __future__ import annotations

import pytest

from ludograph import flood, hex
from ludograph.arena.playing import referee_plan
from ludograph.arena.series import Series
from ludograph.games.registry import game
from ludograph.learning.matches import MatchSettings, drawn_openings, is_weaker, measure
from ludograph.players import parse_player
from ludograph.referee.options import MatchOptions
from ludograph.referee.seed import Seed
from tests.games.test_network_player import weights_for

PLAYERS = [parse_player("random", hex)]


@pytest.mark.slow
def test_a_start_that_comes_again_has_other_openings() -> None:
    starts = [hex.position(3), hex.position(4), hex.position(3), hex.position(3), hex.position(5)]
    found = drawn_openings(starts, Seed(1), PLAYERS)
    assert found == drawn_openings(starts, Seed(1), PLAYERS)
    assert found[1] == found[4] == ()
    again = [found[0], found[2], found[3]]
    assert len(set(again)) == 3
    assert all(again)
    for moves in again:
        position = hex.position(3)
        for move in moves:
            position.play(move)
        assert not position.is_over


def test_starts_that_differ_or_begin_with_chance_have_no_openings() -> None:
    starts = [flood.position(5, colors=4, seed=seed) for seed in range(4)]
    assert drawn_openings(starts, Seed(1), PLAYERS) == [()] * 4
    starts = [game("carcassonne").position(seed=1)] * 2
    assert drawn_openings(starts, Seed(1), PLAYERS) == [()] * 2


def test_both_games_of_a_pair_begin_with_the_opening_of_their_start() -> None:
    first, *_, last = hex.position(3, pie=False).legal_moves()
    openings = [(first, last), (last,)]
    series = Series(
        lambda _: hex.position(3, pie=False),
        ["random", "random"],
        MatchOptions(seed=Seed(2)),
        opening_of=openings.__getitem__,
    )
    for number in range(4):
        result = referee_plan(series.plan(number))
        opening = openings[number // 2]
        assert tuple(move.move for move in result.moves[: len(opening)]) == opening


def point(points: float, reach: float, anchor: str = "connex") -> dict[str, object]:
    match = {"player": "net:sims=0", "anchor": anchor, "games": 40}
    return {**match, "points": points, "low": points - reach, "high": points + reach}


def test_a_network_is_weaker_if_both_intervals_show_it() -> None:
    assert is_weaker([point(0.3, 0.1)], [point(0.6, 0.1)])
    assert not is_weaker([point(0.5, 0.1)], [point(0.6, 0.1)])
    assert not is_weaker([point(0.6, 0.1)], [point(0.3, 0.1)])
    assert not is_weaker([point(0.3, 0.1)], [])
    assert not is_weaker([point(0.3, 0.1)], [point(0.6, 0.1, "random")])
    unknown = {**point(0.6, 0.1), "low": None, "high": None}
    assert not is_weaker([point(0.1, 0.1)], [unknown])


def test_several_matches_together_show_more_than_one() -> None:
    before = [point(0.5, 0.1), point(0.5, 0.1, "random")]
    assert not is_weaker(before[:1], [point(0.62, 0.1)])
    assert is_weaker(before, [point(0.62, 0.1), point(0.62, 0.1, "random")])
    assert not is_weaker(before, [point(0.74, 0.1), point(0.38, 0.1, "random")])


@pytest.mark.slow
def test_a_match_has_a_share_of_points_with_its_interval(tmp_path) -> None:
    path = weights_for(hex.position(3), tmp_path / "own.npz")
    settings = MatchSettings(("connex",), games=12)
    (point,) = measure(hex, lambda _: hex.position(3), path, settings, seats=2, seed=1)
    assert (point["player"], point["anchor"], point["games"]) == ("net:sims=0", "connex", 12)
    assert point["low"] <= point["points"] <= point["high"]
