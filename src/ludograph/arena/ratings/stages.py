"""Games as choices: first who comes first among all, then who among the rest, and so on.

A ranking is read from the top (Plackett 1975, "The analysis of permutations"; Luce 1959,
"Individual choice behavior"). At each stage one seat is chosen among those that are left, or
several that are tied. A game of two seats has one stage with three outcomes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, combinations
from math import comb
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludograph.arena.played import PlayedGame

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_OUTCOMES = 255
"""Outcomes of a stage that are told apart: all ties of up to eight seats."""

LARGEST = 1 << 62


class GameArrays(NamedTuple):
    """Games as arrays.

    Attributes
    ----------
    players
        int64[games, seats]: numbers of players.
    ranks
        int64[games, seats].
    ranked
        bool[games, seats]: False for seats that are left out.
    start
        int64[games].
    """

    players: Ints
    ranks: Ints
    ranked: NDArray[np.bool_]
    start: Ints


class Stages(NamedTuple):
    """Distinct stages with one number of seats left.

    Attributes
    ----------
    players, seats
        int64[stages, left].
    chosen
        int64[stages]: which of ``outcomes``.
    times
        float64[stages]: how often it happened.
    outcomes
        What may be chosen, as tuples of columns.
    of
        int64[occurrences]: the stage of each occurrence in a game.
    game
        int64[occurrences]: that game.
    weight
        What an occurrence counts: 1, or 1/2 if a tie was broken both ways.
    """

    players: Ints
    seats: Ints
    chosen: Ints
    times: Floats
    outcomes: tuple[tuple[int, ...], ...]
    of: Ints
    game: Ints
    weight: float


def arrays(
    games: Sequence[PlayedGame], number: Mapping[str, int], seats: int, *, forfeits: bool
) -> GameArrays:
    """Return games as arrays.

    Parameters
    ----------
    number
        Of each player.
    forfeits
        Whether seats that forfeited count as ranked; a game that all forfeited never counts.
    """
    shape = (len(games), seats)
    names = chain.from_iterable(map(attrgetter("seating"), games))
    players = np.fromiter(map(number.__getitem__, names), np.int64, len(games) * seats)
    places = chain.from_iterable(map(attrgetter("ranks"), games))
    ranks = np.fromiter(places, np.int64, len(games) * seats)
    ranked = np.ones(shape, np.bool_)
    for row, game in enumerate(games):
        if not game.forfeits:
            continue
        if game.is_void:
            ranked[row] = False
        elif not forfeits:
            ranked[row, [forfeit.seat for forfeit in game.forfeits]] = False
    start = np.fromiter(map(attrgetter("start"), games), np.int64, len(games))
    return GameArrays(players.reshape(shape), ranks.reshape(shape), ranked, start)


def stages(games: GameArrays) -> tuple[list[Stages], tuple[int, ...]]:
    """Return the stages of games, by how many seats are left, and the sizes of ties that occur.

    Ties that would make too many outcomes (nine seats and more) are broken, once in the order of
    the seats and once in reverse, each counting one half; no sizes are returned then.
    """
    found = list(_occurrences(games.players, games.ranks, games.ranked))
    sizes = tuple(sorted({int(size) for stage in found for size in distinct(stage.tied)} - {1}))
    left = max((stage.players.shape[1] for stage in found), default=2)
    weight = 1.0
    if sum(comb(left, size) for size in (1, *sizes)) > MOST_OUTCOMES:
        seats = games.players.shape[1]
        order = np.arange(seats)
        sizes, weight, found = (), 0.5, []
        for broken in (order, order[::-1]):
            found += _occurrences(games.players, games.ranks * seats + broken, games.ranked)
    return [_distinct(stage, sizes, weight) for stage in found], sizes


class _Occurrences(NamedTuple):
    players: Ints
    seats: Ints
    bits: Ints
    tied: Ints
    game: Ints


def _occurrences(
    players: Ints, ranks: Ints, ranked: NDArray[np.bool_]
) -> list[_Occurrences]:  # a game appears once in each of its stages
    left = ranked.copy()
    found: dict[int, list[_Occurrences]] = {}
    worst = np.iinfo(np.int64).max
    while True:
        sizes = left.sum(1)
        if not (sizes > 1).any():
            break
        best = np.where(left, ranks, worst).min(1)
        first = left & (ranks == best[:, None])
        for size in distinct(sizes[sizes > 1]):
            game = np.flatnonzero(sizes == size)
            seats = np.nonzero(left[game])[1].reshape(-1, size)
            chosen = np.take_along_axis(first[game], seats, 1)
            bits = chosen @ (1 << np.arange(size))
            at = np.take_along_axis(players[game], seats, 1)
            found.setdefault(int(size), []).append(
                _Occurrences(at, seats, bits, chosen.sum(1), game)
            )
        left &= ~first
    return [
        _Occurrences(*(np.concatenate(column) for column in zip(*parts, strict=True)))
        for parts in found.values()
    ]


def _distinct(stage: _Occurrences, sizes: tuple[int, ...], weight: float) -> Stages:
    """Return equal stages as one."""
    left = stage.players.shape[1]
    outcomes = tuple(
        outcome
        for size in (1, *sizes)
        if size <= left
        for outcome in combinations(range(left), size)
    )
    place = np.zeros(1 << left, np.int64)
    for number, outcome in enumerate(outcomes):
        place[sum(1 << column for column in outcome)] = number
    chosen = place[stage.bits]
    of = labels(np.column_stack([chosen, stage.players, stage.seats]))
    first = np.zeros(of.max() + 1, np.int64)
    first[of[::-1]] = np.arange(len(of))[::-1]
    times = np.bincount(of).astype(np.float64) * weight
    at, seats = stage.players[first], stage.seats[first]
    return Stages(at, seats, chosen[first], times, outcomes, of, stage.game, weight)


def labels(rows: Ints) -> Ints:
    """Return a number for each row, the same for equal rows, from 0 without gaps."""
    found, count = np.zeros(len(rows), np.int64), 1
    for column in rows.T:
        values = int(column.max(initial=0)) + 1
        if count * values >= LARGEST or column.min(initial=0) < 0:
            column, found = _dense(column), _dense(found)  # noqa: PLW2901
            count, values = len(rows), len(rows)
        found, count = found * values + column, count * values
    return _dense(found)


def distinct(values: Ints) -> Ints:
    """Return the different ones, the least first: ``np.unique``, which imports masked arrays."""
    ordered = np.sort(values)
    return ordered[_begins(ordered)]


def _dense(values: Ints) -> Ints:
    """Return the number of each value among the different ones, the least being 0."""
    order = np.argsort(values, kind="stable")
    numbers = np.empty(len(values), np.int64)
    numbers[order] = np.cumsum(_begins(values[order])) - 1
    return numbers


def _begins(ordered: Ints) -> NDArray[np.bool_]:
    """Tell of each value whether it is another one than that before it."""
    begins = np.ones(len(ordered), np.bool_)
    begins[1:] = ordered[1:] != ordered[:-1]
    return begins
