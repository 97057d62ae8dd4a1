"""Many games in a row, fair to all: each board is played once with every seating."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from ludograph.games import Position
from ludograph.players import PlayerSpec
from ludograph.players.factory import labels
from ludograph.players.protocol import Playing
from ludograph.referee.clock import Clock
from ludograph.referee.match import play_match
from ludograph.referee.result import MatchResult


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

    def add(self, result: MatchResult, seating: Sequence[int]) -> None:
        """Count a game; ``seating[seat]`` is the player that sat there."""
        self.games += 1
        self.plies += len(result.moves)
        for seat, player in enumerate(seating):
            tally = self.players[player]
            tally.games += 1
            if result.names[seat].startswith(f"{tally.name} "):
                tally.name = result.names[seat]
            times = [played.seconds for played in result.moves if played.seat == seat]
            tally.seconds += sum(times)
            tally.moves += len(times)
            if result.winner == seat and result.position.seats > 1:
                tally.wins[seat] += 1
            elif len(result.outcome.winners) > 1 and seat in result.outcome.winners:
                tally.draws += 1
        for fault in result.faults:
            self.players[seating[fault.seat]].forfeits[str(fault.reason)] += 1
        for fault in result.finish_faults:
            self.players[seating[fault.seat]].finish_faults[str(fault.reason)] += 1


Starter = int | Callable[[int], int] | None
"""The player that starts every game, a function of the game's number, or None: each in turn."""


def seating_of(game: int, players: int, starter: Starter = None) -> list[int]:
    """Return which player sits on each seat in a game of a series.

    Parameters
    ----------
    game
        Its number from 0. Consecutive games rotate the seats on one board.
    starter
        The player that starts every game, a function of the game's number, or None: each in turn.
    """
    if starter is None:
        first = game % players
    else:
        first = starter if isinstance(starter, int) else starter(game)
    return [(first + seat) % players for seat in range(players)]


def play_series(
    make_position: Callable[[int], Position],
    players: Sequence[PlayerSpec | str | Playing],
    games: int,
    *,
    clock: Clock | str | None = None,
    seed: int = 0,
    starter: Starter = None,
    on_game: Callable[[int, MatchResult, list[int]], None] | None = None,
    on_output: Callable[[int, int, str], None] | None = None,
) -> SeriesResult:
    """Play games one after the other.

    Parameters
    ----------
    make_position
        Called with a seed; returns the start of a game. Games that differ only in who sits where
        get the same seed, and chance deals alike in them.
    starter
        The player that always starts, a function of the game's number; None: all in turn.
    on_game
        Called after each game with its number, its result, and the player on each seat.
    on_output
        Called with a player's place, its seat and a line that it has just printed.
    """
    count = len(players)
    series = SeriesResult([PlayerTally(name) for name in labels(players)])
    for number in range(games):
        board_number = number // count if starter is None else number
        position = make_position(seed + board_number)
        seating = seating_of(number, count, starter)
        result = play_match(
            position,
            [players[i] for i in seating],
            clock=clock,
            seed=seed + number,
            chance_seed=seed + board_number,
            on_output=on_output and partial(_printed, on_output, seating),
        )
        series.add(result, seating)
        if on_game is not None:
            on_game(number, result, seating)
    return series


def _printed(
    on_output: Callable[[int, int, str], None], seating: list[int], seat: int, line: str
) -> None:
    """Tell which player has printed a line."""
    on_output(seating[seat], seat, line)
