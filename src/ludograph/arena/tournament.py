"""A tournament: declared once, played by an executor, kept in a store.

The declaration has players, starts and format, and the key that identifies it. In the loop possible
games are played and finished games are stored.
"""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec
import numpy as np

from ludograph.arena.comparison import Comparison
from ludograph.arena.executor import Executor, play_all
from ludograph.arena.finished_game import FinishedGame, GameKey
from ludograph.arena.openings import (
    DRAWN,
    DrawnOpenings,
    MakePosition,
    OpeningSuite,
    is_fixed,
    starts_by_number,
)
from ludograph.arena.overtime import OVERTIME
from ludograph.arena.playing import GamePlan, prepare_for
from ludograph.arena.results import Games, Results, RunningResults
from ludograph.arena.schedules import Knockout, RoundRobin, Schedule, Series, Swiss
from ludograph.boards import to_data
from ludograph.errors import InvalidInput
from ludograph.games import Position
from ludograph.players import PlayerSpec
from ludograph.players.protocol import Playing
from ludograph.referee.match import starter_drawn
from ludograph.referee.options import MatchOptions
from ludograph.referee.player_factory import labels
from ludograph.referee.seed import Seed, as_seed

if TYPE_CHECKING:
    from ludograph.arena.store import Store

Format = Literal["round-robin", "gauntlet", "swiss", "knockout", "series"]
FORMATS: tuple[Format, ...] = ("round-robin", "gauntlet", "swiss", "knockout")
"""The formats of the command ``tournament``; a series is a command of its own."""


LATEST = 100
"""The most openings that are held: all games of a start have the same one."""

Starter = int | str | Callable[[int], int] | None
"""The player that starts: its place; ``random``: by lot; a function of the game's number; None: in
turn."""


@dataclass(frozen=True)
class Tournament:
    """A tournament, or a series: all players at one table.

    Attributes
    ----------
    make_position
        Called with the number of a variant and a whole number to draw by; returns a start.
    players
        The players in the order of their seeding; the first one of a gauntlet is the challenger. In
        a series a player may be there twice, and be a Python object, which stays in this process
        and its forks.
    seeding
        A sentence on the order of the players of a knockout; empty: the given order.
    games
        The games of each pairing; in a Swiss tournament of each player; in a knockout of each
        match; in a series all, any number.
    seats
        The number of seats of the game.
    variants
        The number of variants of the game, which starts take in turn.
    sample
        At tables of more than two seats, draw the players of each table instead of playing all
        combinations.
    match_options
        The options of each game, which has seeds of its own. Their opening is that of games
        without one of ``openings``.
    starter
        The player that starts each game of a series.
    seed
        A whole number or a key given by a person, with which the same tournament can be played
        again; None: a secret in the store determines all chance.
    secret
        The seed in the store; None: that of the number, or a new one.
    difference
        The difference in Elo that matters; a series of two players stops when a
        :class:`~ludograph.arena.comparison.Comparison` has an answer.
    overtime
        The most pairs of games after a tie in a knockout.
    openings
        The openings of the games. A suite: starts take its openings in turn, on the board of the
        first seed. ``"drawn"``: each start has its own opening. In the overtime of a knockout
        openings are also drawn for starts that were played before, so that deterministic players do
        not repeat their games.
    title
        The title of the tournament in headings.

    Raises
    ------
    InvalidInput
        If players, seats and games do not fit together.
    """

    make_position: MakePosition
    players: Sequence[PlayerSpec | str | Playing]
    format: Format = "round-robin"
    games: int = 2
    seats: int = 2
    variants: int = 1
    sample: bool = False
    match_options: MatchOptions = field(default_factory=MatchOptions)
    starter: Starter = None
    seed: Seed | int | None = None
    difference: float | None = None
    overtime: int = OVERTIME
    openings: OpeningSuite | Literal["drawn"] | None = None
    seeding: str = ""
    title: str = ""
    secret: Seed | None = field(default=None, repr=False)
    _stamps: dict[Path, object] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check that the fields fit together; raise InvalidInput."""
        if isinstance(self.starter, str) and self.starter != "random":
            raise InvalidInput(
                f"starter must be a player's place, 'random' or a function, got {self.starter!r}"
            )
        if self.format == "series":
            if self.seats != len(self.players):
                raise InvalidInput(f"series: {self.seats} seats for {len(self.players)} players")
        elif self.starter is not None:
            raise InvalidInput("starter: only for a series")
        elif self.games % self.seats:
            nearest = math.ceil(self.games / self.seats) * self.seats
            raise InvalidInput(
                f"games {self.games}: each start is played with {self.seats} seatings, so take a "
                f"multiple of {self.seats}, {nearest} for instance"
            )
        if self.difference is not None and (len(self.players), self.starter) != (2, None):
            raise InvalidInput("difference: a comparison is of two players, who start in turn")
        if self.format == "knockout" and self.seats != 2:
            raise InvalidInput("knockout: a bracket is for games of two seats")
        if self.overtime != OVERTIME and self.format != "knockout":
            raise InvalidInput("overtime: only for a knockout, whose matches need a winner")
        if self.sample and (self.format != "round-robin" or self.seats == 2):
            raise InvalidInput("sample: only for round robins in games of three or more seats")
        _ = self.schedule  # it checks the players

    @cached_property
    def luck(self) -> Seed:
        """The seed that determines all chance."""
        return as_seed("seed", self.seed if self.secret is None else self.secret)

    def with_secret(self, secret: Seed) -> Tournament:
        """Return the same tournament with its seed in the store."""
        twin = replace(self, secret=secret)
        twin.__dict__["versions"] = self.versions  # files may have been changed since
        return twin

    @property
    def seed_number(self) -> int | None:
        """The seed, if a person gave a whole number."""
        return self.seed.number if isinstance(self.seed, Seed) else self.seed

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The players' names; different files have different ones.

        In a series a player that is there twice has two names, as ``greedy#1`` and ``greedy#2``.
        """
        names = labels(self.players)
        if self.format != "series":
            return tuple(names)
        return tuple(
            f"{name}#{names[: place + 1].count(name)}" if names.count(name) > 1 else name
            for place, name in enumerate(names)
        )

    @cached_property
    def texts(self) -> dict[str, str]:
        """By name: the text with which a player was given, or the name of an object."""
        given = (one.text if isinstance(one, PlayerSpec) else one for one in self.players)
        named = zip(self.names, given, strict=True)
        return {name: text if isinstance(text, str) else name for name, text in named}

    @cached_property
    def specs(self) -> dict[str, PlayerSpec]:
        """The players by name, without Python objects."""
        named = zip(self.names, self.players, strict=True)
        return {name: player for name, player in named if isinstance(player, PlayerSpec)}

    @property
    def schedule(self) -> Schedule:
        """The format as a function from finished games to those that come next."""
        if self.format == "series":
            return self._series
        names, starts = self.names, self.games // self.seats
        if self.format == "gauntlet":
            return RoundRobin(names, starts, self.seats, challenger=names[0])
        if self.format == "swiss":
            return Swiss(names, starts, self.seats, seed=self.seed_number or 0)
        if self.format == "knockout":
            return Knockout(names, starts, self.overtime)
        return RoundRobin(names, starts, self.seats, self.sample, seed=self.seed_number or 0)

    @cached_property
    def _series(self) -> Series:
        starter = self.starter
        if isinstance(starter, str):

            def starter(number: int) -> int:
                return starter_drawn(self.start_seed(number), self.seats)

        return Series(self.names, self.games, starter)

    def game_key(self, number: int) -> GameKey:
        """Return the key of a game of a series by its number, from 0."""
        return self._series.key(number)

    def game_number(self, key: GameKey) -> int:
        """Return the number of a game of a series."""
        return self._series.number(key)

    @property
    def total(self) -> int | None:
        """The number of games; None if it depends on results."""
        return total_games(
            self.format, len(self.players), self.games, self.seats, sample=self.sample
        )

    def is_over(self, games: Results) -> bool:
        """Tell whether no game is left after these."""
        comparison = self.comparison(games)
        if comparison is not None and comparison.is_decided:
            return True
        if self.total is not None:
            return len(self.wanted(games)) >= self.total
        return not self.schedule.remaining(games)

    def comparison(self, games: Games) -> Comparison | None:
        """Return the comparison that stops the series, after some games; None if there is none."""
        if self.difference is None:
            return None
        return Comparison(self.difference, (self.names[0], self.names[1]), games)

    def wanted(self, games: Results) -> Results:
        """Return games without those of further starts from an earlier run."""
        if self.format == "knockout":
            return games
        if self.format == "series":
            numbers = (self.game_number(GameKey(*key)) for key in games.keys)
            return games[np.array([number < self.games for number in numbers], np.bool_)]
        return games[games.starts < self.games // self.seats]

    @cached_property
    def versions(self) -> dict[str, str]:
        """The digests of the players' files, by the players' names."""
        self._stamps.update(
            (path, _stamp(path)) for paths in self._files.values() for path in paths
        )
        return {name: _digest(paths) for name, paths in self._files.items() if paths}

    @property
    def _files(self) -> dict[str, list[Path]]:
        return {name: [Path(file) for file in spec.files] for name, spec in self.specs.items()}

    def check_files(self) -> None:
        """Raise InvalidInput if a player's file has been changed since it was read."""
        for path, stamp in self._stamps.items():
            if _stamp(path) != stamp:
                raise InvalidInput(f"{path} was changed while it played: its games so far are kept")

    def plan(self, key: GameKey) -> GamePlan:
        """Return a game before it is played."""
        seated = [self._seated[name] for name in key.seating]
        start, seed = self.start(key.start), self.start_seed(key.start)
        return GamePlan(key, start, seed, seated, self.options_of(key))

    @cached_property
    def _seated(self) -> dict[str, PlayerSpec | str | int]:
        """The players by name; a number is the place of a Python object."""
        return {
            name: player if isinstance(player, PlayerSpec | str) else place
            for place, (name, player) in enumerate(zip(self.names, self.players, strict=True))
        }

    @cached_property
    def declaration(self) -> dict[str, Any]:
        """The declaration of the tournament in the store."""
        optional: dict[str, Any] = {}  # unused fields are left out, so that older keys stay valid
        if self.openings is not None:
            optional["openings"] = self.openings if self.openings == DRAWN else self.openings.name
        if self.overtime != OVERTIME:
            optional["overtime"] = self.overtime
        if self.seeding:
            optional["seeding"] = self.seeding
        if self.difference is not None:
            optional["difference"] = self.difference
        if self.format == "series":
            optional["starter"] = self.starter_text
        if any(spec.level for spec in self.specs.values()):
            optional["levels"] = [spec.level for spec in self.specs.values()]
        options = self.match_options
        if options.opening:
            optional["opening"] = list(options.opening)
        return {
            **optional,
            "title": self.title,
            "format": self.format,
            "games": self.games,
            "seats": self.seats,
            "players": list(self.texts.values()),
            "names": list(self.names),
            "versions": self.versions,
            "seed": self.seed_number,
            "clock": options.clock and options.clock.text,
            "foreign_clock": options.foreign_clock and options.foreign_clock.text,
            "variants": self.variants,
            "sample": self.sample,
        }

    @property
    def starter_text(self) -> int | str:
        """The player that starts, as JSON-able data."""
        if self.starter is None:
            return "turns"
        return "function" if callable(self.starter) else self.starter

    @cached_property
    def key(self) -> str:
        """The digest of all fields that change the games.

        The number of games is not included: with more games the same tournament goes on. The
        difference that stops it is not included either, nor the levels of its players on pages. In
        a knockout the number of games is included, because the pairings depend on it.
        """
        first = self.seed_number or 0
        has_suite = isinstance(self.openings, OpeningSuite)
        starts = [
            self.make_position(variant, first if has_suite else first + variant)
            for variant in range(self.variants)
        ]
        described = [
            [start.game.name, start.game.version, start.game.describe(start), to_data(start.board)]
            for start in starts
        ]
        apart = ("games", "difference", "levels")
        same = {name: value for name, value in self.declaration.items() if name not in apart}
        if isinstance(self.openings, OpeningSuite):
            same["openings"] = self.openings.variants
        if self.format == "knockout":
            same["games"] = self.games
        if isinstance(self.seed, Seed):
            same["seed"] = str(self.seed)
        text = msgspec.json.encode([same, described], order="sorted")
        return hashlib.sha256(text).hexdigest()

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.start(0).game.name

    @cached_property
    def start(self) -> Callable[[int], Position]:
        """A function that returns a start by its number; the start must not be changed."""
        return starts_by_number(self.make_position, self.variants, self.start_seed)

    @cached_property
    def opening(self) -> Callable[[int], Sequence[int | str]]:
        """A function that returns the first moves of the games of a start."""
        return lru_cache(LATEST)(self._opening)

    def _opening(self, number: int) -> Sequence[int | str]:
        if self.openings is None and not self._is_overtime(number):
            return self.match_options.opening
        variant, turn = number % self.variants, number // self.variants
        if isinstance(self.openings, OpeningSuite):
            in_suite = len(self.openings.variants[variant])
            if not self._is_overtime(number) or turn < in_suite:
                return self.openings.of(number)
            return self._drawn(variant).of(turn - in_suite)
        if self._is_fixed(variant):
            if self.openings == DRAWN:
                return self._drawn(variant).of(turn)
            if self._is_overtime(number):
                return self._drawn(variant).of((number - self._regular) // self.variants)
        elif self.openings == DRAWN:
            specs = list(self.specs.values())
            return DrawnOpenings(self.start(number), self._opening_seed(number), specs).of(0)
        return ()

    @property
    def _regular(self) -> int:
        """The number of starts without those of overtime."""
        return self.games // self.seats

    def _is_overtime(self, number: int) -> bool:
        return self.format == "knockout" and number >= self._regular

    @cached_property
    def _is_fixed(self) -> Callable[[int], bool]:
        return cache(partial(is_fixed, self.make_position))

    @cached_property
    def _drawn(self) -> Callable[[int], DrawnOpenings]:
        """The openings that are drawn for a variant, whose starts are all the same."""
        specs = list(self.specs.values())
        seed = partial(self._opening_seed, "variant")
        return cache(lambda variant: DrawnOpenings(self.start(variant), seed(variant), specs))

    def _opening_seed(self, *purpose: object) -> Seed:
        return self.luck.child("opening", *purpose)

    def start_seed(self, number: int) -> int:
        """Return the whole number by which a start is drawn.

        The openings of a suite are for one board, so with them it is always the same.
        """
        has_suite = isinstance(self.openings, OpeningSuite)
        found = self.seed_number or 0 if has_suite else self.luck.start(number)
        return found % (1 << 63) if found > 0 else found  # the store keeps 64 bits

    def game_seed(self, key: GameKey) -> Seed:
        """Return the seed of the players' own choices in a game."""
        if self.format == "series":
            return self.luck.child("game", self._series.number(key))
        return self.luck.child("game", key.start, [self.texts[name] for name in key.seating])

    def chance_of(self, key: GameKey) -> tuple[int] | tuple[int, tuple[str, ...]]:
        """Return what the chance of a game follows from: its start, and the players in any order.

        So all seatings of the same players on a start share their chance. Games of other players on
        this start share only what everybody sees at the beginning: the board and first moves.
        """
        if self.format == "series":
            return (key.start,)
        return key.start, tuple(sorted(self.texts[name] for name in key.seating))

    def chance_seed(self, key: GameKey) -> Seed:
        """Return the seed of chance of a game."""
        return self.luck.child("chance", *self.chance_of(key))

    def options_of(self, key: GameKey) -> MatchOptions:
        """Return the options of one game."""
        return replace(
            self.match_options,
            seed=self.game_seed(key),
            chance_seed=self.chance_seed(key),
            opening=self.opening(key.start),
        )

    def prepare(self) -> None:
        """Compile or load the kernels of built-in players, before processes are forked."""
        starts = [self.start(variant) for variant in range(self.variants)]
        prepare_for(list(self.specs.values()), starts)


def total_games(
    format_: Format, players: int, games: int, seats: int, *, sample: bool
) -> int | None:
    """Return the number of games of a tournament; None if it depends on results.

    Parameters
    ----------
    games
        The games of each pairing, or in a Swiss tournament of each player.
    """
    if format_ == "knockout":
        return None
    if format_ == "series":
        return games
    if format_ == "swiss" or sample:
        return players // seats * games
    if format_ == "gauntlet":
        return math.comb(players - 1, seats - 1) * games
    return math.comb(players, seats) * games


def _digest(paths: Sequence[Path]) -> str:
    """Return the digest of a player's files; for a single file, that of its content."""
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]
    return (
        digests[0] if len(digests) == 1 else hashlib.sha256("".join(digests).encode()).hexdigest()
    )


def _stamp(path: Path) -> object:
    """Return data that changes with a file; None if the file does not exist."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def enrolled(store: Store, tournament: Tournament) -> tuple[int, Tournament]:
    """Enter a tournament; return its number, and the tournament with the store's seed.

    The seed stored at its beginning determines all its chance.

    Raises
    ------
    InvalidInput
        If a player is a Python object.
    """
    if len(tournament.specs) < len(tournament.players):
        raise InvalidInput("a store keeps no games of players that are Python objects")
    number = store.enroll(tournament.key, tournament.game, tournament.declaration)
    return number, tournament.with_secret(store.secret(number, tournament.luck))


def remarks_on_new(store: Store, tournament: Tournament, number: int) -> Iterator[str]:
    """Yield why a tournament that is new in a store does not continue an earlier one like it."""
    mine = {name: value for name, value in tournament.declaration.items() if name != "games"}
    for kept in store.tournaments():
        old = {name: kept.declaration.get(name) for name in mine}
        before, now = old.pop("versions") or {}, tournament.versions
        if kept.number == number or {**old, "versions": now} != mine:
            continue
        if changed := [name for name in now if before.get(name) != now[name]]:
            yield (
                f"{', '.join(changed)} changed since tournament {kept.number}: "
                f"this is a new one, {number}"
            )
            break


def play_tournament(
    tournament: Tournament,
    number: int,
    store: Store,
    executor: Executor[GamePlan, FinishedGame],
    on_game: Callable[[FinishedGame], None] = lambda _: None,
) -> Results:
    """Play the remaining games of a tournament, and return all its games.

    Parameters
    ----------
    number
        The number of the tournament in the store; it must be locked.
    executor
        An executor whose context has begun.
    on_game
        Called with each game after it was stored.

    Raises
    ------
    HostFailure
        If the executor loses a game, or one has no result. Finished games are stored.
    InvalidInput
        If a player's file has been changed, or the store has another seed for the tournament.
    """
    if store.secret(number, tournament.luck) != tournament.luck:
        raise InvalidInput(
            f"{store.name}: tournament {number} was begun with another seed, which the store keeps"
        )
    queue = TournamentQueue(tournament, store.played(number))
    for _, game in play_all(executor, queue):
        tournament.check_files()  # a game of another version does not belong to this tournament
        store.add(number, game, tournament.versions)
        on_game(game)
    return queue.finished.results


def play_games(
    tournament: Tournament,
    executor: Executor[GamePlan, FinishedGame],
    before: Games = (),
) -> Iterator[FinishedGame]:
    """Play the remaining games of a tournament, and yield them as they end.

    Parameters
    ----------
    executor
        An executor whose context has begun.
    before
        The games that were played before.

    Raises
    ------
    HostFailure, InvalidInput
        If the executor loses a game, or one has no result.
    """
    for _, game in play_all(executor, TournamentQueue(tournament, Results.of(before))):
        yield game


class TournamentQueue:
    """The queue of a schedule's games: the seatings of the same players on a start are one job.

    The schedule is called only when no job waits: a call takes time in proportion to the schedule's
    length, so it must not happen after each game.

    Attributes
    ----------
    finished
        The results of the games that have ended.
    """

    def __init__(self, tournament: Tournament, finished: Results) -> None:
        self._tournament, self.finished = tournament, RunningResults(finished)
        self._schedule = tournament.schedule
        self._under_way: set[GameKey] = set()
        self._waiting: deque[list[GameKey]] = deque()
        self._asked = -1
        self._comparison = tournament.comparison(finished)

    def next(self) -> list[GamePlan]:
        """Return the next job, which counts as under way; an empty one if there is none now."""
        if self._is_decided:
            return []
        if not self._waiting and self._asked != len(self.finished):
            self._asked = len(self.finished)
            jobs = defaultdict(list)
            for key in self._schedule.remaining(self.finished.results):
                jobs[self._tournament.chance_of(key)].append(key)
            self._waiting.extend(job for job in jobs.values() if self._under_way.isdisjoint(job))
        if not self._waiting:
            return []
        job = self._waiting.popleft()
        self._under_way.update(job)
        return [self._tournament.plan(key) for key in job]

    def needs(self, _: GamePlan) -> bool:
        """Tell whether a game is to be played, or a comparison needs none any more."""
        return not self._is_decided

    def end(self, plan: GamePlan, game: FinishedGame) -> None:
        """Count a game that has ended."""
        self._under_way.discard(plan.key)
        self.finished.add(game)
        if self._comparison is not None:
            self._comparison.add(*game.key, game.points)

    @property
    def _is_decided(self) -> bool:
        return self._comparison is not None and self._comparison.is_decided
