"""Further anchors: built-in players that close the intervals which the declared ones leave open.

A rating has both ends of its interval only if the player has scored against the first anchor, and
the first anchor against it, each directly or through others. Where a chain of games breaks off,
a built-in player of a strength between its two ends takes part too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from ludograph.arena.played import PlayedGame, check_games
from ludograph.arena.ratings.comparable import closure, scored
from ludograph.arena.ratings.stages import arrays, stages
from ludograph.games.declaration import Declaration

FEWEST_GAMES = 10
"""Games that players on both sides of a gap must have before it is filled."""

SHARES = (0.75, 0.5, 0.25)
"""Shares of random moves in the weaker forms of an anchor, where a game declares no steps."""


def steps_of(declared: Declaration) -> tuple[str, ...]:
    """Return built-in players of a game that differ in strength, the weakest first."""
    if declared.steps:
        return declared.steps
    first = declared.anchors[0]
    weaker = [f"{first}{',' if ':' in first else ':'}random={share}" for share in SHARES]
    return tuple(dict.fromkeys(["random", *weaker, first] if first != "random" else ["random"]))


def further_anchor(
    games: Sequence[PlayedGame],
    steps: Sequence[str],
    anchors: Sequence[str],
    players: Collection[str],
    first_games: int = 0,
) -> str | None:
    """Return the step that most players with an open interval need; None if none needs one.

    Parameters
    ----------
    steps
        Built-in players, the weakest first.
    anchors
        Those that take part already, the one with the fixed rating first.
    players
        The others.
    first_games
        Nothing is said about a player with fewer games, nor about a gap beside an anchor with
        fewer.
    """
    if not games:
        return None
    enough = max(first_games, FEWEST_GAMES)
    count = Counter(player for game in games for player in game.seating)
    if any(count[anchor] < enough for anchor in anchors):
        return None
    names = sorted(count)
    place = {name: number for number, name in enumerate(names)}
    found, _ = stages(arrays(games, place, check_games(games), forfeits=True))
    reaches = closure(scored(found, len(names)))
    fixed = place[anchors[0]]
    there = [number for number, step in enumerate(steps) if step in anchors]
    wanted: Counter[str] = Counter()
    for player in players:
        if count[player] < enough:
            continue
        own = place[player]
        if not reaches[own, fixed]:
            worse = [number for number in there if reaches[own, place[steps[number]]]]
            wanted.update(_above(steps, there, max(worse, default=-1)))
        if not reaches[fixed, own]:
            better = [number for number in there if reaches[place[steps[number]], own]]
            wanted.update(_below(steps, there, min(better, default=len(steps))))
    return max(wanted, key=lambda step: (wanted[step], -steps.index(step)), default=None)


def _above(steps: Sequence[str], there: Sequence[int], last: int) -> Sequence[str]:
    """Return the middle of the gap above a step, as a sequence of one; nothing if it is closed."""
    following = min((number for number in there if number > last), default=len(steps))
    gap = steps[last + 1 : following]
    if following == len(steps):
        return gap[:1]  # stronger than all that take part: the next one will do
    return gap[len(gap) // 2 :][:1] if last >= 0 else gap[-1:]


def _below(steps: Sequence[str], there: Sequence[int], first: int) -> Sequence[str]:
    """Return the middle of the gap below a step; above all that take part the next one."""
    before = max((number for number in there if number < first), default=-1)
    gap = steps[before + 1 : first]
    return gap[:1] if first == len(steps) else gap[len(gap) // 2 :][:1]
