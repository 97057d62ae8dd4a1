"""Many games of the same players, fair to all: each board is played once with every seating."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from ludograph.arena.executor import ListedGames, OnOutput, local_executor, play_all
from ludograph.arena.rendering import forfeits_text
from ludograph.arena.series.game_rows import GameRow, row_of
from ludograph.arena.tournament.playing import prepare_for, seated, until_judged
from ludograph.errors import InvalidInput
from ludograph.games import Position
from ludograph.players import PlayerSpec
from ludograph.players.factory import labels
from ludograph.players.isolation.levels import Isolation
from ludograph.players.protocol import Playing
from ludograph.referee.clock import Clock
from ludograph.referee.match import referee_match
from ludograph.referee.options import SILENT, MatchObserver, MatchOptions
from ludograph.referee.result import MatchResult
from ludograph.referee.seed import Seed
from ludograph.views.table import Table

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


@dataclass(frozen=True, slots=True)
class SeriesPlan:
    """The games of a series, each of which can be played for itself, in any order and process.

    Attributes
    ----------
    make_position
        Called with a whole number; returns the start of a game. Games that differ only in who
        sits where get the same one, and chance deals alike in them.
    players
        As :func:`play_match` understands them.
    options
        How each game is played. From its seed the seeds of all games follow.
    starter
        The player that always starts, a function of the game's number; None: all in turn.
    """

    make_position: Callable[[int], Position]
    players: Sequence[PlayerSpec | str | Playing]
    options: MatchOptions = field(default_factory=MatchOptions)
    starter: Starter = None

    @property
    def seed(self) -> Seed:
        """The seed from which those of all games follow."""
        return self.options.seed

    def seating(self, number: int) -> list[int]:
        """Return which player sits on each seat."""
        return seating_of(number, len(self.players), self.starter)

    def start(self, number: int) -> int:
        """Return the whole number by which the start of a game is drawn."""
        return self.seed.start(self._pair(number))

    def game_seed(self, number: int) -> Seed:
        """Return the seed of the players' own choices in a game."""
        return self.seed.child("game", number)

    def chance_seed(self, number: int) -> Seed:
        """Return the seed of chance in a game, which all seatings on one start share."""
        return self.seed.child("chance", self._pair(number))

    def _pair(self, number: int) -> int:
        """Return the number of the start, which games with other seatings share."""
        return number // len(self.players) if self.starter is None else number

    def match(
        self,
        number: int,
        *,
        record: str | Path | None = None,
        on_output: OnOutput | None = None,
    ) -> MatchResult:
        """Play a game; ``on_output`` hears a player's place, its seat and a line it printed.

        One that is void as the machine was too busy is played again.

        Raises
        ------
        MachineBusy
            If that happens again and again.
        """
        return until_judged(lambda: self._match(number, record, on_output))

    def _match(
        self,
        number: int,
        record: str | Path | None,
        on_output: OnOutput | None,
    ) -> MatchResult:
        seating = self.seating(number)
        options = replace(
            self.options,
            seed=self.game_seed(number),
            chance_seed=self.chance_seed(number),
            record=None if record is None else Path(record),
        )
        return referee_match(
            self.make_position(self.start(number)),
            [self.players[place] for place in seating],
            options,
            SILENT if on_output is None else MatchObserver(on_output=seated(on_output, seating)),
        )

    def warm_up(self) -> None:
        """Compile or load what built-in players need: each plays a game, looking at little."""
        built_in = [player for player in self.players if isinstance(player, PlayerSpec)]
        prepare_for(built_in, [self.make_position(self.start(0))])

    def play(
        self,
        number: int,
        *,
        record: str | Path | None = None,
        on_output: OnOutput | None = None,
        on_match: Callable[[int, MatchResult], None] = lambda *_: None,
    ) -> GameRow:
        """Play a game and return it in one row; ``on_match`` hears its number and result."""
        match = self.match(number, record=record, on_output=on_output)
        on_match(number, match)
        return self.row(number, match)

    @contextmanager
    def playing(
        self,
        numbers: Sequence[int],
        *,
        jobs: int = 1,
        record: Callable[[int], str | Path | None] = lambda _: None,
        on_output: OnOutput | None = None,
        on_match: Callable[[int, MatchResult], None] = lambda *_: None,
    ) -> Iterator[Iterator[GameRow]]:
        """Yield an iterator that plays games as it is asked for them, in several processes or here.

        The game of a process that dies is played again, once.

        Parameters
        ----------
        jobs
            How many processes; from 2 on they are forked now, and the games come as they end.
        record
            Returns the file to write a game to.
        on_output
            Called with a player's place, its seat and a line that it has just printed.
        on_match
            Called with each game's number and result, in the process that has played it.
        """

        def play(number: int, printed: OnOutput | None) -> GameRow:
            return self.play(number, record=record(number), on_output=printed, on_match=on_match)

        jobs = min(jobs, len(numbers))
        with local_executor(play, jobs, self.warm_up, on_output) as executor:
            yield play_all(executor, ListedGames(numbers))

    def row(self, number: int, result: MatchResult) -> GameRow:
        """Return a game that was played as a row."""
        seeds = self.game_seed(number), self.start(number)
        return row_of(number, seeds, self.seating(number), result)


def play_series(  # noqa: PLR0913  (keywords, each with a default)
    make_position: Callable[[int], Position],
    players: Sequence[PlayerSpec | str | Playing],
    games: int,
    *,
    jobs: int = 1,
    on_game: Callable[[int, MatchResult, list[int]], None] | None = None,
    on_output: OnOutput | None = None,
    seed: Seed | int | str | None = None,
    starter: Starter = None,
    clock: Clock | str | None = None,
    foreign_clock: Clock | str | None = None,
    isolation: Isolation | str | None = None,
    thoughts: bool = False,
    opening: Sequence[int | str] = (),
    margin: float = 0.0,
) -> SeriesResult:
    """Play games, and return the counts.

    Parameters
    ----------
    make_position, players, starter
        Those of :class:`~ludograph.arena.series.series.SeriesPlan`.
    jobs
        How many processes play; the result is that of one, for players that watch no clock.
    on_game
        Called after each game with its number, its result, and the player on each seat; in one
        process only.
    on_output
        Called with a player's place, its seat and a line that it has just printed.
    seed
        From which the seeds of all games follow, as :func:`play_match` understands it.
    clock, foreign_clock, isolation, thoughts, opening, margin
        As :func:`play_match` understands them.

    Raises
    ------
    InvalidInput
        If there are several processes and ``on_game``: they hand back no boards.
    HostFailure
        If one of several processes dies, and so does the one that plays its game again.
    """
    if jobs > 1 and on_game is not None:
        raise InvalidInput("on_game hears of games that are played in this process: jobs must be 1")
    options = MatchOptions.checked(
        clock=clock,
        foreign_clock=foreign_clock,
        seed=seed,
        isolation=isolation,
        thoughts=thoughts,
        opening=opening,
        margin=margin,
    )
    series = SeriesPlan(make_position, players, options, starter)
    result = SeriesResult([PlayerTally(name) for name in labels(players)])

    def on_match(number: int, match: MatchResult) -> None:
        if on_game is not None:
            on_game(number, match, series.seating(number))

    with series.playing(range(games), jobs=jobs, on_output=on_output, on_match=on_match) as rows:
        for row in sorted(rows, key=lambda row: row.game):
            result.add(row)
    return result


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
                forfeits_text(tally.forfeits),
                f"{tally.mean_seconds:.3g}",
            )
            for tally in self.players
        ]
        counted = f"{self.games} game{'' if self.games == 1 else 's'}, {self.plies} moves"
        return Table(head, rows).html(counted)

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
