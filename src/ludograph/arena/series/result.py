"""The result of a series: the counts of each player, and means with their intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from ludograph.arena.rendering import forfeits_text
from ludograph.arena.series.game_rows import FaultRow, GameRow
from ludograph.arena.series.intervals import Interval, of_points, of_starts
from ludograph.counting import counted
from ludograph.players import PlayerSpec
from ludograph.players.protocol import Playing
from ludograph.referee.player_factory import labels
from ludograph.referee.result import FINISHED
from ludograph.views.table import Table


@dataclass(slots=True)
class PlayerTally:
    """What one player did in a series.

    Attributes
    ----------
    name
        As it was given, told apart from others; behind it what the player calls itself.
    wins
        By the seat that it won on.
    forfeits
        By reason.
    finish_faults
        Games at whose end it did something wrong, which changed no result; by reason.
    seconds, moves
        Summed over all games.
    """

    name: str
    games: int = 0
    wins: Counter[int] = field(default_factory=Counter)
    draws: int = 0
    forfeits: Counter[str] = field(default_factory=Counter)
    finish_faults: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    moves: int = 0

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
    """A series: a tally per player in the order in which they were given, and what all share.

    Attributes
    ----------
    solved
        The moves of each solved game of one player alone.
    drawn
        Games that ended by the rules without a winner.
    forfeited
        Games that a forfeit has ended.
    first_faults
        By the place of a player and the reason, the first such fault.
    first_finish_faults
        Likewise, of faults at the end of a game.
    """

    players: list[PlayerTally]
    games: int = 0
    plies: int = 0
    solved: list[int] = field(default_factory=list)
    drawn: int = 0
    forfeited: int = 0
    first_faults: dict[tuple[int, str], FaultRow] = field(default_factory=dict)
    first_finish_faults: dict[tuple[int, str], FaultRow] = field(default_factory=dict)
    _by_start: dict[int, list[tuple[list[float], list[float]]]] = field(
        default_factory=dict, repr=False, compare=False
    )  # by start, of each game the points and the scores by player

    @classmethod
    def empty(cls, players: Sequence[PlayerSpec | str | Playing]) -> SeriesResult:
        """Return the result of a series of which no game was played yet."""
        return cls([PlayerTally(name) for name in labels(players)])

    def add(self, row: GameRow) -> None:
        """Count a game."""
        self._by_start.setdefault(row.start, []).append((row.points, row.scores))
        self.games += 1
        self.plies += row.plies
        self.forfeited += row.reason != FINISHED
        self.drawn += len(self.players) > 1 and row.winner is None and not row.faults
        if row.solved:
            self.solved.append(row.plies)
        for place, tally in enumerate(self.players):
            tally.games += 1
            if row.names[place].startswith(f"{tally.name} "):
                tally.name = row.names[place]
            tally.seconds += row.seconds[place]
            tally.moves += row.moves[place]
            tally.draws += place in row.drawn
        if row.winner is not None:
            self.players[row.winner].wins[row.seating.index(row.winner)] += 1
        for fault in row.faults:
            self.players[fault.player].forfeits[fault.reason] += 1
            self.first_faults.setdefault((fault.player, fault.reason), fault)
        for fault in row.finish_faults:
            self.players[fault.player].finish_faults[fault.reason] += 1
            self.first_finish_faults.setdefault((fault.player, fault.reason), fault)

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

    def _repr_html_(self) -> str:
        """Return what a notebook shows: a table with a line per player."""
        head = ("player", "games", "wins", "wins by seat", "draws", "forfeits", "s per move")
        rows = [
            (
                tally.name,
                str(tally.games),
                str(tally.wins.total()),
                ", ".join(f"seat {seat}: {won}" for seat, won in sorted(tally.wins.items())),
                str(tally.draws),
                forfeits_text(tally.forfeits),
                f"{tally.mean_seconds:.3g}",
            )
            for tally in self.players
        ]
        return Table(head, rows).html(f"{counted(self.games, 'game')}, {self.plies} moves")
