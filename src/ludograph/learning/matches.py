"""Matches of the present network against fixed players.

If all games have the same start, they begin with drawn openings: two deterministic players play a
different game after each of them. Each opening is played once with every seating, so that results
have intervals by pairs of games. All matches of a run have the same openings, so that the results
of two networks can be compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ludograph.arena.openings import DRAWN, is_fixed
from ludograph.arena.series import count_games, series_of
from ludograph.games import AnyGame, Position
from ludograph.games.network_player import network_player
from ludograph.players.spec import parse_player
from ludograph.referee.options import MatchOptions
from ludograph.referee.seed import Seed


@dataclass(frozen=True)
class MatchSettings:
    """The settings of the network's matches.

    Attributes
    ----------
    anchors
        Names of players, as on the command line.
    sims
        Simulations of the network; 0: the network alone.
    games
        The number of games against each player.
    every
        The seconds of learning between matches.
    """

    anchors: tuple[str, ...]
    sims: tuple[int, ...] = (0,)
    games: int = 40
    every: float = math.inf


def measure(
    game: AnyGame,
    make_position: Callable[[int], Position],
    network: Path,
    settings: MatchSettings,
    *,
    seats: int,
    seed: int,
) -> list[dict[str, Any]]:
    """Play the matches, and return their results.

    Parameters
    ----------
    make_position
        Returns the start of a game, drawn by a whole number.
    network
        The file of the network.
    seed
        The seed of the starts of all matches.

    Returns
    -------
    For each match ``player`` and ``anchor``, the number of ``games``, and the network's share of
    the ``points`` with its 95 % interval, ``low`` to ``high``.
    """
    found = []
    for sims in settings.sims:
        for anchor in settings.anchors:
            players: list[Any] = [network_player(seed, str(network), sims=sims)]
            players += [parse_player(anchor, game, seats)] * (seats - 1)
            options = MatchOptions(seed=Seed(seed))
            series = series_of(make_position, players, settings.games, options)
            if is_fixed(series.make_position, 0):
                series = replace(series, openings=DRAWN)
            share = count_games(series).points()[0]
            found.append(
                {
                    "player": f"net:sims={sims}",
                    "anchor": anchor,
                    "games": settings.games,
                    "points": share.mean,
                    "low": share.low,
                    "high": share.high,
                }
            )
    return found


def is_weaker(found: Sequence[Mapping[str, Any]], before: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether matches show that a network is weaker than an earlier one.

    Its mean share of points over all matches must be less by more than both 95 % intervals
    together allow. If the matches are not the same, nothing is shown.

    Parameters
    ----------
    found, before
        The results of both networks, as :func:`measure` returns them.
    """

    def matches(points: Sequence[Mapping[str, Any]]) -> list[tuple[Any, ...]]:
        return [(point["player"], point["anchor"], point["games"]) for point in points]

    everything = [*found, *before]
    if matches(found) != matches(before) or any(point["low"] is None for point in everything):
        return False
    lost = sum(old["points"] - new["points"] for new, old in zip(found, before, strict=True))
    up = [point["high"] - point["points"] for point in found]
    down = [point["points"] - point["low"] for point in before]
    return bool(lost > math.hypot(*up, *down))
