"""Ratings of a ladder over time: snapshots, fewer of old times, and their chart."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, tzinfo
from itertools import pairwise

import msgspec

from ludograph.arena.ladder.folder import (
    LadderFolder,
    State,
    append_line,
    parted,
    read_lines,
    write_whole,
)
from ludograph.arena.ladder.ladder import Ladder
from ludograph.arena.ladder.table import LadderLine, ladder_ratings
from ludograph.arena.results import Results, RunningResults
from ludograph.views.chart import TimeSeries, time_chart

SECONDS = 600.0
"""The time between two snapshots."""

IDLE_SHOWN = 120.0
"""The least seconds without a game that the chart shows as a pause."""

GROWTH = 1.25
"""A snapshot is also taken when the number of games has grown by this factor."""

MOST = 2000
"""The most snapshots; beyond, every other one of the older half is dropped."""


class Snapshot(msgspec.Struct, frozen=True):
    """Ratings at one time.

    Attributes
    ----------
    time
        Seconds since 1970.
    games
        The number of games that the ratings are computed from.
    elo
        The ratings by label.
    ladder
        The number of the ladder's tournament in the store, which is different for different rules.
    bounds
        The 95 % intervals of the ratings by label; None on a side that is open.
    idle
        Whether no game has ended since the snapshot before.
    """

    time: float
    games: int
    elo: dict[str, float]
    ladder: int = 0
    bounds: dict[str, tuple[float | None, float | None]] = {}
    idle: bool = False


class Snapshots:
    """The snapshots of a ladder, in a file with a line for each."""

    def __init__(self, folder: LadderFolder) -> None:
        self._folder = folder
        self._last = -math.inf
        self._games = 0
        self._newest: object = None

    def due(self, state: State, games: RunningResults, ladder: Ladder) -> None:
        """Take a snapshot if the last one is old enough, or there are enough new games."""
        grown = len(games) >= GROWTH * max(self._games, 8)
        if len(games) and (grown or time.monotonic() - self._last >= SECONDS):
            self.take(state, games.results, ladder)

    def take(self, state: State, games: Results, ladder: Ladder) -> None:
        """Write a snapshot of the present ratings."""
        anchor = ladder.anchors[0].text
        ratings, used, _ = ladder_ratings(games, state, anchor, ladder.anchor_elo)
        present = {one.label for one in state.entrants}
        rated = [
            one
            for one in (ratings.table if ratings is not None else ())
            if one.player in present and one.elo is not None and one.games
        ]
        elo = {one.player: round(one.elo or 0.0, 1) for one in rated}
        bounds = {one.player: (_rounded(one.low), _rounded(one.high)) for one in rated}
        newest = games[-1:].keys or None
        idle = self._newest in (None, newest)  # a run begins with the games of the one before
        when = round(datetime.now(UTC).timestamp(), 1)
        now = Snapshot(when, len(used), elo, state.number, bounds, idle)
        self._last, self._games, self._newest = time.monotonic(), len(games), newest
        if not elo:
            return
        append_line(self._folder.history, now)
        snapshots = read_snapshots(self._folder)
        half = len(snapshots) // 2
        if len(snapshots) > MOST:
            kept = [*snapshots[:half:2], *snapshots[half:]]
            lines = b"".join(msgspec.json.encode(one) + b"\n" for one in kept)
            write_whole(self._folder.history, lines)


def _rounded(elo: float | None) -> float | None:
    return None if elo is None else round(elo, 1)


def read_snapshots(folder: LadderFolder, number: int | None = None) -> list[Snapshot]:
    """Return the snapshots of a ladder, in order; incomplete lines are skipped.

    Parameters
    ----------
    number
        The number of the ladder's tournament in the store; None: the snapshots of all.
    """
    snapshots = read_lines(folder.history, Snapshot)
    return [one for one in snapshots if number in (None, one.ladder)]


def curves(snapshots: Sequence[Snapshot], players: Sequence[str]) -> list[TimeSeries]:
    """Return the curves of some players, over all their versions.

    A player has the color of its place among all players in the order in which they came, so that
    it keeps its color while others rise, fall and come.
    """
    came = dict.fromkeys(parted(label)[0] for snapshot in snapshots for label in snapshot.elo)
    colors = {name: number for number, name in enumerate(came)}
    series = {name: TimeSeries(name, [], [], colors.get(name)) for name in players}
    bands: dict[str, list[tuple[float, float, float]]] = {name: [] for name in players}
    last: dict[str, str] = {}
    for snapshot in snapshots:
        for label, elo in snapshot.elo.items():
            name, version = parted(label)
            if name not in series:
                continue
            series[name].points.append((snapshot.time, elo))
            low, high = snapshot.bounds.get(label, (None, None))
            if low is not None and high is not None:
                bands[name].append((snapshot.time, low, high))
            if last.setdefault(name, version) != version:
                series[name].marks.append((snapshot.time, elo))
                last[name] = version
    return [one._replace(band=bands[name]) for name, one in series.items() if one.points]


def ratings_chart(ladder: Ladder, number: int, lines: Iterable[LadderLine]) -> str:
    """Return the chart of a ladder's ratings over time as an SVG picture.

    Parameters
    ----------
    number
        The number of the ladder's tournament in the store.
    lines
        The lines of the table.
    """
    players = [one.player for one in lines if one.rating is not None]
    snapshots = read_snapshots(ladder.folder, number)
    return plot(snapshots, players, "Ratings over time", ladder.zone)


def plot(
    snapshots: Sequence[Snapshot], players: Sequence[str], title: str, zone: tzinfo = UTC
) -> str:
    """Return the chart of ratings over time as an SVG picture, with a ring at each new version.

    Bands show the 95 % intervals of the best. Times without a game take little room, in gray.

    Parameters
    ----------
    players
        Names, the best first; as many as fit are written into the chart.
    zone
        The time zone of the axis of times.
    """
    idle = [
        (before.time, after.time)
        for before, after in pairwise(snapshots)
        if after.idle and after.time - before.time > IDLE_SHOWN
    ]
    drawn = curves(snapshots, players)
    return time_chart(drawn, title, empty="No ratings yet.", idle=idle, zone=zone)
