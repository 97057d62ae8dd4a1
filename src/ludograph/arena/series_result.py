"""The result of a series: counts, means with their intervals, pairs; as tables and as data."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ludograph.arena.finished_game import FinishedGame, SeatFault
from ludograph.arena.intervals import Interval, Pairs, of_points, of_starts, pairs_of
from ludograph.arena.rendering import forfeits_text
from ludograph.formatting import counted, seconds
from ludograph.referee.result import FINISHED
from ludograph.views.table import Column, Columns, Table, left


class FirstFault(NamedTuple):
    """The first fault of a player with some reason.

    Attributes
    ----------
    turn
        The start of its game, and the place of the player on seat 0: the order of games.
    """

    turn: tuple[int, int]
    fault: SeatFault


Faults = dict[tuple[int, str], FirstFault]
"""By the place of a player and the reason."""


@dataclass(slots=True)
class PlayerTally:
    """The counts of one player in a series.

    Attributes
    ----------
    label
        Its unique name in the games.
    given
        The text with which it was given, or its name if it was given as an object.
    own
        Its own name in quotation marks, behind a blank; empty if it has none.
    wins
        The number of wins on each seat.
    forfeits
        The number of forfeits by reason.
    finish_faults
        The number of faults at the end of a game, which changed no result; by reason.
    seconds, moves
        The sums over all games.
    """

    label: str
    given: str = ""
    own: str = ""
    games: int = 0
    wins: Counter[int] = field(default_factory=Counter)
    draws: int = 0
    forfeits: Counter[str] = field(default_factory=Counter)
    finish_faults: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    moves: int = 0

    @property
    def name(self) -> str:
        """Its unique name, followed by the player's own name."""
        return self.label + self.own

    @property
    def mean_seconds(self) -> float:
        """The mean time of its moves."""
        return self.seconds / self.moves if self.moves else 0.0

    @property
    def losses(self) -> int:
        """The games that it neither won nor drew."""
        return self.games - self.wins.total() - self.draws


@dataclass(slots=True)
class SeriesResult:
    """The games of one table: the counts of each player, in the given order, and the common data.

    The order in which games are added has no influence. ``print`` shows the tables of
    ``ludograph GAME -r``, a notebook shows them as HTML.

    Attributes
    ----------
    title
        The heading of the tables, without the number of games.
    data
        The fields of :meth:`to_data` before the counts.
    solved
        The moves of each solved game of one player alone.
    drawn
        Games that ended by the rules without a winner.
    forfeited
        Games that ended by a forfeit.
    first_faults
        The first fault by the place of a player and the reason.
    first_finish_faults
        The same for faults at the end of a game.
    """

    players: list[PlayerTally]
    title: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    games: int = 0
    plies: int = 0
    solved: list[int] = field(default_factory=list)
    drawn: int = 0
    forfeited: int = 0
    first_faults: Faults = field(default_factory=dict)
    first_finish_faults: Faults = field(default_factory=dict)
    _places: dict[str, int] = field(default_factory=dict, repr=False, compare=False)
    _by_start: dict[int, list[tuple[list[float], list[float]]]] = field(
        default_factory=dict, repr=False, compare=False
    )  # by start, of each game the points and the scores by player

    @classmethod
    def empty(
        cls,
        names: Sequence[str],
        given: Sequence[str],
        title: str = "",
        data: Mapping[str, Any] | None = None,
    ) -> SeriesResult:
        """Return the result before the first game.

        Parameters
        ----------
        names
            The players' names in the games, which are unique.
        given
            The texts with which the players were given.
        """
        tallies = [PlayerTally(name, text) for name, text in zip(names, given, strict=True)]
        places = {name: place for place, name in enumerate(names)}
        return cls(tallies, title, data or {}, _places=places)

    def add(self, game: FinishedGame) -> None:
        """Count a game."""
        seating = [self._places[seat.player] for seat in game.seats]
        first = sum(seat.rank == 1 for seat in game.seats)
        self.games += 1
        self.plies += game.plies
        self.drawn += first > 1 and not any(game.forfeits)
        self.forfeited += game.reason != FINISHED
        if self.is_solo and game.reason == FINISHED and game.seats[0].score >= -game.plies:
            self.solved.append(game.plies)
        by_player = [0.0] * len(seating), [0.0] * len(seating)
        for number, (place, seat, points) in enumerate(
            zip(seating, game.seats, game.points, strict=True)
        ):
            tally = self.players[place]
            tally.games += 1
            tally.seconds += seat.seconds
            tally.moves += seat.moves
            if seat.rank == 1 and first > 1:
                tally.draws += 1
            elif seat.rank == 1 and not self.is_solo and not seat.forfeit:
                tally.wins[number] += 1
            if seat.forfeit:
                tally.forfeits[seat.forfeit] += 1
            if game.names and not tally.own:
                tally.own = own_name(game.names[number], tally.label)
            by_player[0][place], by_player[1][place] = points, seat.score
        self._by_start.setdefault(game.start, []).append(by_player)
        turn = (game.start, seating[0])
        for fault in faults_of(game):
            note(self.first_faults, (seating[fault.seat], fault.reason), FirstFault(turn, fault))
        for fault in game.finish_faults:
            place = seating[fault.seat]
            self.players[place].finish_faults[fault.reason] += 1
            note(self.first_finish_faults, (place, fault.reason), FirstFault(turn, fault))

    def points(self) -> list[Interval]:
        """Return the share of points of each player."""
        return [
            of_points([[points[place] for points, _ in games] for games in self._by_start.values()])
            for place in range(len(self.players))
        ]

    def scores(self) -> list[Interval]:
        """Return the mean score of each player."""
        return [
            of_starts([[scores[place] for _, scores in games] for games in self._by_start.values()])
            for place in range(len(self.players))
        ]

    @property
    def is_solo(self) -> bool:
        """Whether one player plays alone."""
        return len(self.players) == 1

    @property
    def pairs(self) -> Pairs | None:
        """The pairs of games on one start with exchanged seats.

        None if there are none: with another number of players than two, or if one player starts all
        games.
        """
        if len(self.players) != 2:
            return None
        found = pairs_of([points for points, _ in games] for games in self._by_start.values())
        return found if found.total else None

    @property
    def heading(self) -> str:
        """The line above the tables."""
        games = counted(self.games, "game")
        return f"{self.title}, {games}" if self.title else games

    @property
    def sentence(self) -> str:
        """The wins and forfeits of all players, in one sentence."""
        lost = "".join(
            f"; {tally.name} forfeits {forfeits_text(tally.forfeits)}"
            for tally in self.players
            if tally.forfeits
        )
        return f"{_won(self)}{lost}."

    def tables(self) -> list[Table]:
        """Return the counts, and with at least one game points and scores with their intervals.

        Times are means per move.
        """
        counts = _solo_counts(self) if self.is_solo else _counts(self)
        return [counts, _estimates(self)] if self.games else [counts]

    def to_data(self) -> dict[str, Any]:
        """Return the series as JSON-able data: the object that ``--json`` writes."""
        shared = {**self.data, "games": self.games, "plies": self.plies}
        players = [_player_data(self, place) for place in range(len(self.players))]
        found = {**shared, "players": players}
        if self.is_solo:
            low, mean, high = _solved_moves(self) or (None, None, None)
            moves = {"solved": len(self.solved), "min": low, "mean": mean, "max": high}
            return {**found, "result": self.sentence, "moves": moves}
        pairs = self.pairs
        return {**found, "pairs": pairs._asdict() if pairs else None, "result": self.sentence}

    def __str__(self) -> str:
        """Return the heading and the tables as text."""
        drawn = ("\n".join(table.plain()) for table in self.tables())
        return f"{self.heading}\n" + "\n\n".join(drawn)

    def _repr_html_(self) -> str:
        """Return the HTML for a notebook: the heading and the tables."""
        first, *others = self.tables()
        return "\n".join([first.html(self.heading), *(table.html() for table in others)])


def _won(result: SeriesResult) -> str:
    """Return the wins of each player, or the number of solved games."""
    games = counted(result.games, "game")
    if result.is_solo:
        name, moves = result.players[0].name, _solved_moves(result)
        if moves is None:
            return f"{name} solves none of {games}"
        low, mean, high = moves
        return (
            f"{name} solves {len(result.solved)} of {games}, "
            f"in {mean:.2f} moves on average, {low} to {high}"
        )
    wins = [f"{tally.name} wins {tally.wins.total()}" for tally in result.players]
    lost = result.games - sum(tally.wins.total() for tally in result.players) - result.drawn
    drawn = f", {result.drawn} drawn" if result.drawn else ""
    nobody = f", {lost} without a winner" if lost else ""
    return f"{games}: {', '.join(wins)}{drawn}{nobody}"


def _solved_moves(result: SeriesResult) -> tuple[int, float, int] | None:
    """Return least, mean and most moves of the solved games; None if there is none."""
    moves = result.solved
    return (min(moves), sum(moves) / len(moves), max(moves)) if moves else None


LAST = ("forfeits", Column("time", seconds))


def _solo_counts(result: SeriesResult) -> Table:
    """Return the counts of a player that plays alone."""
    tally = result.players[0]
    low, mean, high = _solved_moves(result) or (0, 0.0, 0)
    columns: Columns = [left("player"), "games", "solved", "fewest"]
    columns += [Column("mean moves", "{:.2f}".format), "most", *LAST]
    row = [tally.name, tally.games, len(result.solved), low, mean, high]
    return Table(columns, [[*row, forfeits_text(tally.forfeits), tally.mean_seconds]])


def _counts(result: SeriesResult) -> Table:
    """Return the counts of several players, a row for each."""
    seats = range(len(result.players))
    columns: Columns = [left("player"), "wins", *(f"on seat {seat}" for seat in seats)]
    columns += ["draws", "losses", *LAST]
    rows = [
        [
            *(tally.name, tally.wins.total(), *(tally.wins[seat] for seat in seats)),
            *(tally.draws, tally.losses, forfeits_text(tally.forfeits), tally.mean_seconds),
        ]
        for tally in result.players
    ]
    return Table(columns, rows)


def _estimates(result: SeriesResult) -> Table:
    """Return points and mean scores with their intervals, and the pairs that each player won."""
    columns: list[tuple[Column | str, Iterable[Any]]] = []
    columns.append((left("player"), [tally.name for tally in result.players]))
    if not result.is_solo:
        points = result.points()
        columns.append((Column("points", lambda share: f"{100 * share.mean:.1f} %"), points))
        columns.append((Column("95 %", lambda share: _bounds(share, 100.0, 1)), points))
    if (pairs := result.pairs) is not None:
        columns.append(("pairs won", pairs[:2]))
    scores = result.scores()
    columns.append((Column("mean score", lambda score: f"{score.mean:z.2f}"), scores))
    columns.append((Column("95 %", lambda score: _bounds(score, 1.0, 2)), scores))
    heads, values = zip(*columns, strict=True)
    return Table(heads, list(zip(*values, strict=True)))


def _bounds(interval: Interval, unit: float, digits: int) -> str:
    """Return the bounds of an interval."""
    if interval.low is None or interval.high is None:
        return "-"
    return f"{unit * interval.low:.{digits}f} to {unit * interval.high:.{digits}f}"


def _player_data(result: SeriesResult, place: int) -> dict[str, Any]:
    """Return the results of one player as JSON-able data."""
    tally, seats = result.players[place], range(len(result.players))
    found: dict[str, Any] = {"player": tally.given, "name": tally.name, "games": tally.games}
    if not result.is_solo:
        found["wins"] = {str(seat): tally.wins[seat] for seat in seats}
        found |= {"draws": tally.draws, "losses": tally.losses}
    found["forfeits"] = dict(tally.forfeits)
    found["first_faults"] = {
        reason: first.fault.message
        for (player, reason), first in sorted(result.first_faults.items())
        if player == place
    }
    found["finish_faults"] = dict(tally.finish_faults)
    found["mean_time"] = round(tally.mean_seconds, 9)
    if result.games and not result.is_solo:
        found["points"] = _rounded(result.points()[place])
    if result.games:
        found["score"] = _rounded(result.scores()[place])
    return found


def faults_of(game: FinishedGame) -> Sequence[SeatFault]:
    """Return the faults of players; of a game from a store without the players' output."""
    return game.faults or [
        SeatFault(number, seat.forfeit, seat.message or "")
        for number, seat in enumerate(game.seats)
        if seat.forfeit
    ]


def note(firsts: Faults, kind: tuple[int, str], found: FirstFault) -> None:
    """Note a fault, unless one in an earlier game is known."""
    if kind not in firsts or found.turn < firsts[kind].turn:
        firsts[kind] = found


def own_name(called: str, label: str) -> str:
    """Return what follows in a match behind the label of a player, which may sit there twice."""
    for before in (label, re.sub(r"#[0-9]+\Z", "", label)):
        if called.startswith(f"{before} "):
            return called.removeprefix(before)
    return ""


def _rounded(interval: Interval) -> dict[str, float | None]:
    """Return an interval as JSON-able data."""
    return {
        key: None if bound is None else round(bound, 6)
        for key, bound in zip(("mean", "low", "high"), interval, strict=True)
    }
