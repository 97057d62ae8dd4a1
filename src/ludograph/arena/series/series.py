"""A series: many games of the same players, each board played once with every seating."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any, cast

from ludograph.arena.executor import Failure, ListedJobs, OnOutput, local_executor, play_all
from ludograph.arena.finished_game import FinishedGame, GameKey
from ludograph.arena.playing import (
    GamePlan,
    failure_of,
    finished_game,
    prepare_for,
    referee_plan,
)
from ludograph.arena.series.game_rows import GameRow, row_of
from ludograph.arena.series.result import SeriesResult
from ludograph.boards import to_data
from ludograph.errors import HostFailure, InvalidInput
from ludograph.games import Position
from ludograph.players import PlayerSpec
from ludograph.players.isolation import Isolation
from ludograph.players.protocol import Playing
from ludograph.referee.clock import Clock
from ludograph.referee.match import starter_drawn
from ludograph.referee.options import MatchOptions
from ludograph.referee.player_factory import labels
from ludograph.referee.result import MatchResult
from ludograph.referee.seed import Seed

Starter = int | str | Callable[[int], int] | None
"""The player that starts; ``random``: by lot; a function of the game's number; None: in turn."""


def seating_of(game: int, players: int, starter: int | None) -> list[int]:
    """Return the player on each seat in a game of a series.

    Parameters
    ----------
    game
        Its number from 0. Consecutive games rotate the seats on one board.
    starter
        The player that starts the game; None: each in turn.
    """
    first = game % players if starter is None else starter
    return [(first + seat) % players for seat in range(players)]


@dataclass(frozen=True)
class Series:
    """The games of a series; each can be played separately, in any order and process.

    Attributes
    ----------
    make_position
        Called with a whole number; returns the start of a game. Games that differ only in their
        seating get the same start and the same chance events.
    players
        As in :func:`play_match`.
    match_options
        The options of each game. Its seed determines the seeds of all games.
    starter
        The player that starts: always that of a place, one by lot (``random``), or the result of a
        function of the game's number, the same each time; None: each in turn.
    details
        The description of the starts in a heading, beside the game and the board.
    opening_of
        Called with the number of a start; returns the first moves of its games. None: those of the
        options.
    """

    make_position: Callable[[int], Position]
    players: Sequence[PlayerSpec | str | Playing]
    match_options: MatchOptions = field(default_factory=MatchOptions)
    starter: Starter = None
    details: Sequence[str] = ()
    opening_of: Callable[[int], Sequence[int]] | None = None

    def __post_init__(self) -> None:
        """Check ``starter``; raise InvalidInput."""
        if isinstance(self.starter, str) and self.starter != "random":
            raise InvalidInput(
                f"starter must be a player's place, 'random' or a function, got {self.starter!r}"
            )

    @property
    def seed(self) -> Seed:
        """The seed that determines those of all games."""
        return self.match_options.seed

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The players' names; different files have different ones."""
        return tuple(labels(self.players))

    @cached_property
    def first_start(self) -> Position:
        """The start of the first game, for descriptions of the series; it is never played."""
        return self.make_position(self.seed.start())

    @property
    def title(self) -> str:
        """The heading: game, board, details and seed."""
        return self.first_start.title([*self.details, f"seed {self.seed}"])

    def empty_result(self, games: int) -> SeriesResult:
        """Return the result of the series before its first game.

        Parameters
        ----------
        games
            The number of games to play.
        """
        data = {
            "game": self.first_start.game.name,
            "heading": self.title,
            "seed": self.seed.data,
            **self._terms,
            "asked": games,
        }
        return SeriesResult.empty(self.players, self.title, data)

    @property
    def _terms(self) -> dict[str, Any]:
        """The clocks and the starter, as JSON-able data."""
        options, starter = self.match_options, self.starter
        return {
            "clock": options.clock and options.clock.text,
            "foreign_clock": options.foreign_clock and options.foreign_clock.text,
            "starter": "turns" if starter is None else "function" if callable(starter) else starter,
        }

    def seating(self, number: int) -> list[int]:
        """Return which player sits on each seat in a game."""
        starter = self.starter
        if isinstance(starter, str):
            starter = starter_drawn(self.start_seed(number), len(self.players))
        elif callable(starter):
            starter = starter(number)
        return seating_of(number, len(self.players), starter)

    def start(self, number: int) -> int:
        """Return the number of a game's start, which games with other seatings share.

        They share the chance of the game, too.
        """
        return number // len(self.players) if self.starter is None else number

    def start_seed(self, number: int) -> int:
        """Return the whole number by which the start of a game is drawn."""
        return self.seed.start(self.start(number))

    def game_seed(self, number: int) -> Seed:
        """Return the seed of the players' own choices in a game."""
        return self.seed.child("game", number)

    def options_of(self, number: int, record: Path | None = None) -> MatchOptions:
        """Return the options of one game; all seatings on a start share the seed of chance."""
        start = self.start(number)
        opening = self.match_options.opening if self.opening_of is None else self.opening_of(start)
        return replace(
            self.match_options,
            opening=tuple(opening),
            seed=self.game_seed(number),
            chance_seed=self.seed.child("chance", start),
            record=record,
        )

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Different names of all players: a player given twice is ``a#1`` and ``a#2``."""
        count = Counter(self.names)
        seen: Counter[str] = Counter()
        found = []
        for name in self.names:
            seen[name] += 1
            found.append(f"{name}#{seen[name]}" if count[name] > 1 else name)
        return tuple(found)

    def plan(self, number: int, record: Path | None = None) -> GamePlan:
        """Return a game before it is played, with the file for its record."""
        seating, seed = self.seating(number), self.start_seed(number)
        return GamePlan(
            GameKey(self.start(number), tuple(self.keys[place] for place in seating)),
            self.make_position(seed),
            seed,
            [
                player if isinstance(player := self.players[place], PlayerSpec | str) else place
                for place in seating
            ],
            self.options_of(number, record),
        )

    def jobs(
        self, numbers: Sequence[int], record: Callable[[int], Path | None] = lambda _: None
    ) -> Iterator[list[GamePlan]]:
        """Yield the games of each start in turn; ``record`` returns the file of a game's record."""
        for _, same in groupby(numbers, self.start):
            yield [self.plan(number, record(number)) for number in same]

    def number(self, key: GameKey) -> int:
        """Return the number of a game."""
        if self.starter is not None:
            return key.start
        return key.start * len(self.players) + self.keys.index(key.seating[0])

    def row(self, number: int, game: FinishedGame) -> GameRow:
        """Return a played game as a row."""
        return row_of(number, self.game_seed(number), self.seating(number), game)

    def prepare(self) -> None:
        """Compile or load the kernels of built-in players, before processes are forked."""
        built_in = [player for player in self.players if isinstance(player, PlayerSpec)]
        prepare_for(built_in, [self.make_position(self.start_seed(0))])

    @contextmanager
    def playing(
        self,
        numbers: Sequence[int],
        *,
        jobs: int = 1,
        record: Callable[[int], Path | None] = lambda _: None,
        on_output: Callable[[int, int, str], None] | None = None,
        on_result: Callable[[int, MatchResult], None] = lambda *_: None,
    ) -> Iterator[Iterator[GameRow]]:
        """Yield an iterator that plays games on demand, in several processes or here.

        The game of a process that dies is played again, once.

        Parameters
        ----------
        jobs
            The number of processes; two or more are forked now, and the games come in the order of
            their ends.
        record
            Returns the file for the record of a game.
        on_output
            Called with a player's place, its seat and a line that it has just printed.
        on_result
            Called in the process of the game, with its number and the result of its match.
        """

        def play(plan: GamePlan, printed: OnOutput | None) -> FinishedGame | Failure:
            try:
                result = referee_plan(plan, printed, objects)
            except (OSError, HostFailure, InvalidInput) as error:
                return failure_of(error)
            on_result(self.number(plan.key), result)
            return finished_game(plan, result)

        def printed(key: str, seat: int, line: str) -> None:
            assert on_output is not None
            on_output(self.keys.index(key), seat, line)

        objects = cast("Sequence[Playing]", self.players)
        jobs, listens = min(jobs, len(numbers)), printed if on_output is not None else None
        with local_executor(play, jobs, self.prepare, listens) as executor:
            played = play_all(executor, ListedJobs(self.jobs(numbers, record)))
            yield (self.row(self.number(plan.key), game) for plan, game in played)

    @property
    def specs(self) -> dict[str, PlayerSpec]:
        """The players with names, by their names."""
        return {
            name: player
            for name, player in zip(self.names, self.players, strict=True)
            if isinstance(player, PlayerSpec)
        }

    @property
    def _digests(self) -> dict[str, str]:
        """The digests of players' files, as they are now."""
        return {
            name: hashlib.sha256(Path(file).read_bytes()).hexdigest()[:16]
            for spec in self.specs.values()
            for name, file in named_files(spec).items()
        }

    def check_files(self) -> None:
        """Raise InvalidInput if a player's file has been changed since the series was declared."""
        now = self._digests
        for name, digest in self.declaration["files"].items():
            if now.get(name) != digest:
                raise InvalidInput(f"{name} was changed while the games were starting")

    @cached_property
    def declaration(self) -> dict[str, Any]:
        """The data that identifies a series and so determines its games.

        Players must be names, and ``starter`` no function.
        """
        options, start = self.match_options, self.first_start
        described = [start.game.version, start.game.describe(start), to_data(start.board)]
        text = json.dumps(described, sort_keys=True, default=str)
        players = [player for player in self.players if isinstance(player, PlayerSpec)]
        return {
            "game": start.game.name,
            "seed": self.seed.data,
            "players": [spec.text for spec in players],
            **self._terms,
            "heading": self.title,
            "start": hashlib.sha256(text.encode()).hexdigest()[:16],
            "files": self._digests,
            **({"opening": list(options.opening)} if options.opening else {}),
            **({"margin": options.margin} if options.margin else {}),
        }


def named_files(spec: PlayerSpec) -> dict[str, str]:
    """Return the files of a player, each by the name of the player or its own."""
    return {file if file != spec.target else spec.text: file for file in spec.files}


def play_series(  # noqa: PLR0913  (keywords, each with a default)
    make_position: Callable[[int], Position],
    players: Sequence[PlayerSpec | str | Playing],
    games: int,
    *,
    jobs: int = 1,
    on_game: Callable[[int, MatchResult, list[int]], None] | None = None,
    on_output: Callable[[int, int, str], None] | None = None,
    seed: Seed | int | str | None = None,
    starter: Starter = None,
    clock: Clock | str | None = None,
    foreign_clock: Clock | str | None = None,
    isolation: Isolation | str | None = None,
    thoughts: bool = False,
    opening: Sequence[int | str] = (),
    margin: float = 0.0,
) -> SeriesResult:
    """Play games, and return the counts; ``print`` shows them as tables.

    Parameters
    ----------
    make_position, players, starter
        As in :class:`~ludograph.arena.series.series.Series`.
    jobs
        The number of processes; the result is that of one, for players that ignore the clock.
    on_game
        Called after each game with its number, its result, and the player on each seat; only with
        one process.
    on_output
        Called with a player's place, its seat and a line that it has just printed.
    seed
        The seed that determines those of all games, as in :func:`play_match`.
    clock, foreign_clock, isolation, thoughts, opening, margin
        As :func:`play_match` understands them.

    Raises
    ------
    InvalidInput
        If there are several processes and ``on_game``: they do not return boards.
    HostFailure
        If one of several processes dies, and the one that plays its game again dies, too.
    """
    if jobs > 1 and on_game is not None:
        raise InvalidInput("on_game works only for games in this process, so jobs must be 1")
    options = MatchOptions.checked(
        clock=clock,
        foreign_clock=foreign_clock,
        seed=seed,
        isolation=isolation,
        thoughts=thoughts,
        opening=opening,
        margin=margin,
    )
    series = Series(make_position, players, options, starter)
    result = series.empty_result(games)

    def on_result(number: int, match: MatchResult) -> None:
        if on_game is not None:
            on_game(number, match, series.seating(number))

    with series.playing(range(games), jobs=jobs, on_output=on_output, on_result=on_result) as rows:
        for row in sorted(rows, key=lambda row: row.game):
            result.add(row)
    return result
