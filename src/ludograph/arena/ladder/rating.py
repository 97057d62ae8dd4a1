"""Ratings of a ladder: measured from a player that stays the same all year."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ludograph.arena.ladder.pairing import basis
from ludograph.arena.ladder.state import State
from ludograph.arena.played import PlayedGame, without_repeats
from ludograph.arena.ratings import Ratings, rate

PRIOR = 1.0
"""Virtual games against an average player that each has: always, so that nobody's rating jumps
when the first point against it is won."""


def ladder_ratings(
    games: Iterable[PlayedGame], state: State, anchor: str, anchor_elo: float
) -> tuple[Ratings | None, Sequence[PlayedGame]]:
    """Return the ratings of those that take part, None without a game, and what they stand on.

    A game that repeats an earlier one move by move does not count for ratings.

    Parameters
    ----------
    games
        The latest ones; players are labels.
    anchor, anchor_elo
        The built-in player from which all are measured.
    """
    present = [one.label for one in state.entrants]
    used = basis(games, present).games
    if not used:
        return None, used
    anchor_there = anchor if anchor in present else None
    told = sorted(without_repeats(used))
    found = rate(told, present, anchor=anchor_there, anchor_elo=anchor_elo, prior=PRIOR)
    return found, used
