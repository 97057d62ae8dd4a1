"""What players did in a series: sums over its games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from ludograph.referee.game_row import GameRow


def html_table(head: Sequence[str], rows: Sequence[Sequence[str]], caption: str) -> str:
    """Return a table as HTML; names come from strangers, so every text is escaped."""
    lines = [
        "<tr>" + "".join(f"<{tag}>{escape(text)}</{tag}>" for text in row) + "</tr>"
        for tag, row in (("th", head), *(("td", row) for row in rows))
    ]
    return f"<table><caption>{escape(caption)}</caption>{''.join(lines)}</table>"


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


@dataclass(slots=True)
class SeriesResult:
    """A series: a tally per player in the order in which they were given."""

    players: list[PlayerTally]
    games: int = 0
    plies: int = 0

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
                ", ".join(f"{why}: {times}" for why, times in sorted(tally.forfeits.items())),
                f"{tally.mean_seconds:.3g}",
            )
            for tally in self.players
        ]
        counted = f"{self.games} game{'' if self.games == 1 else 's'}, {self.plies} moves"
        return html_table(head, rows, counted)

    def add(self, row: GameRow) -> None:
        """Count a game."""
        self.games += 1
        self.plies += row.plies
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
        for fault in row.finish_faults:
            self.players[fault.player].finish_faults[fault.reason] += 1
