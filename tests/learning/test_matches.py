"""Matches of a network: drawn openings where a start is the same, and pairs on each."""

from __future__ import annotations

import pytest

from ludograph import hex
from ludograph.learning.matches import MatchSettings, is_weaker, measure
from tests.games.test_network_player import weights_for


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
