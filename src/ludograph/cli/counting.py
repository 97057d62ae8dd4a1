"""A series as it is counted: sums of the players, points and scores with their intervals."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ludograph.arena.intervals import Interval
    from ludograph.cli.play.match import MatchPlan
    from ludograph.referee import SeriesResult
    from ludograph.referee.game_row import GameRow


class First(NamedTuple):
    """The first fault of a kind: its message, and what the player printed in that game."""

    message: str
    seat: int
    log: str


@dataclass(slots=True)
class Count:
    """A series so far: the tallies of the players, and what they do not hold.

    Attributes
    ----------
    rows
        The games, in their order.
    solved
        The moves of each solved solo game.
    drawn
        Games that ended by the rules without a winner.
    first_faults
        By the place of a player and the reason, the first such fault.
    first_finish_faults
        Likewise, of faults at the end of a game, which changed no result.
    forfeited
        Games that a forfeit has ended.
    found
        Games that an earlier run has left.
    """

    plan: MatchPlan
    asked: int
    heading: str
    series: SeriesResult
    rows: list[GameRow] = field(default_factory=list)
    solved: list[int] = field(default_factory=list)
    drawn: int = 0
    first_faults: dict[tuple[int, str], First] = field(default_factory=dict)
    first_finish_faults: dict[tuple[int, str], First] = field(default_factory=dict)
    forfeited: int = 0
    found: int = 0

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.plan.players)

    def add(self, row: GameRow) -> None:
        """Count a game."""
        self.rows.append(row)
        self.series.add(row)
        self.forfeited += row.reason != "finished"
        for firsts, faults in (
            (self.first_faults, row.faults),
            (self.first_finish_faults, row.finish_faults),
        ):
            for fault in faults:
                first = First(fault.message, fault.seat, fault.log)
                firsts.setdefault((fault.player, fault.reason), first)
        self.drawn += self.seats > 1 and row.winner is None and not row.faults
        if row.solved:
            self.solved.append(row.plies)

    def points(self) -> list[Interval]:
        """Return the share of points of each player."""
        from ludograph.arena.intervals import of_points

        return [of_points(starts) for starts in self._by_start([row.points for row in self.rows])]

    def scores(self) -> list[Interval]:
        """Return the mean score of each player."""
        from ludograph.arena.intervals import of_starts

        return [of_starts(starts) for starts in self._by_start([row.scores for row in self.rows])]

    def _by_start(self, numbers: list[list[float]]) -> list[list[list[float]]]:
        """Return for each player, for each start, the numbers of the games on it."""
        starts: dict[int, list[list[float]]] = {}
        for row, own in zip(self.rows, numbers, strict=True):
            starts.setdefault(row.start, []).append(own)
        return [
            [[own[place] for own in games] for games in starts.values()]
            for place in range(self.seats)
        ]
