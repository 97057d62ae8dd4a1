"""The declaration of a tournament: players, starts, format; and the key that identifies it."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec

from ludograph.arena.finished_game import GameKey
from ludograph.arena.overtime import OVERTIME, Overtime
from ludograph.arena.playing import GamePlan, prepare_for
from ludograph.arena.results import Results
from ludograph.arena.schedules import Gauntlet, Knockout, RoundRobin, Schedule, Swiss
from ludograph.arena.sprt import Sprt, decided
from ludograph.arena.starts import MakePosition, Starts, is_fixed
from ludograph.arena.tournament.openings import DRAWN, DrawnOpenings, OpeningSuite
from ludograph.boards import to_data
from ludograph.errors import InvalidInput
from ludograph.games import Position
from ludograph.players import PlayerSpec
from ludograph.players.isolation import Isolation
from ludograph.referee.options import MatchOptions
from ludograph.referee.player_factory import labels
from ludograph.referee.seed import Seed, as_seed

Format = Literal["round-robin", "gauntlet", "swiss", "knockout"]
FORMATS: tuple[Format, ...] = ("round-robin", "gauntlet", "swiss", "knockout")


@dataclass(frozen=True)
class Tournament:
    """A tournament of players with names as on the command line.

    Attributes
    ----------
    make_position
        Called with the number of a variant and a whole number to draw by; returns a start.
    players
        The players in the order of their seeding; the first one of a gauntlet is the challenger.
    seeding
        A sentence on the order of the players of a knockout; empty: the given order.
    games
        The games of each pairing; in a Swiss tournament of each player; in a knockout of each
        match.
    seats
        The number of seats of the game.
    variants
        The number of variants of the game, which starts take in turn.
    sample
        At tables of more than two seats, draw the players of each table instead of playing all
        combinations.
    seed
        A whole number given by a person, with which the same tournament can be played again; None:
        a secret in the store determines all chance.
    secret
        The seed in the store; None: that of the number, or a new one.
    sprt
        A test that stops the tournament, of two players.
    overtime
        The most pairs of games after a tie in a knockout, or ``"until-decided"``.
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
    players: Sequence[PlayerSpec]
    format: Format = "round-robin"
    games: int = 2
    seats: int = 2
    variants: int = 1
    sample: bool = False
    seed: int | None = None
    clock: str | None = None
    foreign_clock: str | None = None
    isolation: Isolation | None = None
    sprt: Sprt | None = None
    overtime: Overtime = OVERTIME
    openings: OpeningSuite | Literal["drawn"] | None = None
    seeding: str = ""
    title: str = ""
    secret: Seed | None = field(default=None, repr=False)
    _stamps: dict[Path, object] = field(default_factory=dict, repr=False, compare=False)
    _fixed: dict[int, bool] = field(default_factory=dict, repr=False, compare=False)
    _drawn_openings: dict[int, DrawnOpenings] = field(
        default_factory=dict, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Check that the fields fit together; raise InvalidInput."""
        if self.games % self.seats:
            nearest = math.ceil(self.games / self.seats) * self.seats
            raise InvalidInput(
                f"games {self.games}: each start is played with {self.seats} seatings, so take a "
                f"multiple of {self.seats}, {nearest} for instance"
            )
        if self.sprt is not None and (len(self.players), self.seats) != (2, 2):
            raise InvalidInput("sprt: a test compares two players in games of two seats")
        if self.format == "knockout" and self.seats != 2:
            raise InvalidInput("knockout: a bracket is for games of two seats")
        if self.overtime != OVERTIME and self.format != "knockout":
            raise InvalidInput("overtime: only for a knockout, whose matches need a winner")
        if self.sample and (self.format != "round-robin" or self.seats == 2):
            raise InvalidInput("sample: only for round robins in games of three or more seats")
        _ = self.schedule  # it checks the players

    @cached_property
    def match_options(self) -> MatchOptions:
        """The options of all its games."""
        return MatchOptions.checked(
            clock=self.clock, foreign_clock=self.foreign_clock, isolation=self.isolation
        )

    @cached_property
    def luck(self) -> Seed:
        """The seed that determines all chance."""
        return as_seed("seed", self.seed if self.secret is None else self.secret)

    def with_secret(self, secret: Seed) -> Tournament:
        """Return the same tournament with its seed in the store."""
        return replace(self, secret=secret, _stamps={}, _drawn_openings={})

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The players' names; different files have different ones."""
        return tuple(labels(self.players))

    @cached_property
    def specs(self) -> dict[str, PlayerSpec]:
        """The players by name."""
        return dict(zip(self.names, self.players, strict=True))

    @property
    def schedule(self) -> Schedule:
        """The format as a function from finished games to those that come next."""
        names, starts = self.names, self.games // self.seats
        if self.format == "gauntlet":
            return Gauntlet(names[:1], names[1:], starts, self.seats)
        if self.format == "swiss":
            return Swiss(names, starts, self.seats, seed=self.seed or 0)
        if self.format == "knockout":
            return Knockout(names, starts, self.overtime)
        return RoundRobin(names, starts, self.seats, self.sample, seed=self.seed or 0)

    @property
    def total(self) -> int | None:
        """The number of games; None if it depends on results."""
        return total_games(
            self.format, len(self.players), self.games, self.seats, sample=self.sample
        )

    def is_over(self, games: Results) -> bool:
        """Tell whether no game is left after these."""
        if self.sprt is not None:
            test = decided(self.sprt, self.names[0], games)
            if test.stopped is not None:
                return True
        if self.total is not None:
            return len(self.wanted(games)) >= self.total
        return not self.schedule.remaining(games)

    def wanted(self, games: Results) -> Results:
        """Return games without those of further starts from an earlier run."""
        if self.format == "knockout":
            return games
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
                raise InvalidInput(
                    f"{path} was changed while it played: its games so far are kept, and the same "
                    "command begins another tournament"
                )

    def plan(self, key: GameKey) -> GamePlan:
        """Return a game before it is played."""
        players = [self.specs[name] for name in key.seating]
        start, seed = self.start(key.start), self.start_seed(key.start)
        return GamePlan(key, start, seed, players, self.options_of(key))

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
        if self.sprt is not None:
            optional["sprt"] = self.sprt.to_data()
        if any(spec.level for spec in self.players):
            optional["levels"] = [spec.level for spec in self.players]
        return {
            **optional,
            "title": self.title,
            "format": self.format,
            "games": self.games,
            "seats": self.seats,
            "players": [spec.text for spec in self.players],
            "names": list(self.names),
            "versions": self.versions,
            "seed": self.seed,
            "clock": self.clock,
            "foreign_clock": self.foreign_clock,
            "variants": self.variants,
            "sample": self.sample,
        }

    @cached_property
    def key(self) -> str:
        """The digest of all fields that change the games.

        The number of games is not included: with more games the same tournament goes on. A test
        that stops it is not included either, nor the levels of its players on pages. In a knockout
        the number of games is included, because the pairings depend on it.
        """
        first = self.seed or 0
        has_suite = isinstance(self.openings, OpeningSuite)
        starts = [
            self.make_position(variant, first if has_suite else first + variant)
            for variant in range(self.variants)
        ]
        described = [
            [start.game.name, start.game.version, start.game.describe(start), to_data(start.board)]
            for start in starts
        ]
        apart = ("games", "sprt", "levels")
        same = {name: value for name, value in self.declaration.items() if name not in apart}
        if isinstance(self.openings, OpeningSuite):
            same["openings"] = self.openings.variants
        if self.format == "knockout":
            same["games"] = self.games
        text = msgspec.json.encode([same, described], order="sorted")
        return hashlib.sha256(text).hexdigest()

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.start(0).game.name

    @cached_property
    def _starts(self) -> Starts:
        return Starts(self.make_position, self.variants, self.start_seed)

    def start(self, number: int) -> Position:
        """Return a start by its number; it must not be changed."""
        return self._starts.position(number)

    def opening(self, number: int) -> tuple[int, ...]:
        """Return the first moves of the games of a start."""
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
            return DrawnOpenings(self.start(number), self._opening_seed(number), self.players).of(0)
        return ()

    @property
    def _regular(self) -> int:
        """The number of starts without those of overtime."""
        return self.games // self.seats

    def _is_overtime(self, number: int) -> bool:
        return self.format == "knockout" and number >= self._regular

    def _is_fixed(self, variant: int) -> bool:
        if variant not in self._fixed:
            self._fixed[variant] = is_fixed(self.make_position, variant)
        return self._fixed[variant]

    def _drawn(self, variant: int) -> DrawnOpenings:
        """Return the openings that are drawn for a variant, whose starts are all the same."""
        if variant not in self._drawn_openings:
            seed = self._opening_seed("variant", variant)
            self._drawn_openings[variant] = DrawnOpenings(self.start(variant), seed, self.players)
        return self._drawn_openings[variant]

    def _opening_seed(self, *purpose: object) -> Seed:
        return self.luck.child("opening", *purpose)

    def start_seed(self, number: int) -> int:
        """Return the whole number by which a start is drawn.

        The openings of a suite are for one board, so with them it is always the same.
        """
        has_suite = isinstance(self.openings, OpeningSuite)
        found = self.seed or 0 if has_suite else self.luck.start(number)
        return found % (1 << 63) if found > 0 else found  # the store keeps 64 bits

    def game_seed(self, key: GameKey) -> Seed:
        """Return the seed of the players' own choices in a game."""
        texts = [self.specs[name].text for name in key.seating]
        return self.luck.child("game", key.start, texts)

    def chance_of(self, key: GameKey) -> tuple[int, tuple[str, ...]]:
        """Return what the chance of a game follows from: its start, and the players in any order.

        So all seatings of the same players on a start share their chance. Games of other players on
        this start share only what everybody sees at the beginning: the board and first moves.
        """
        return key.start, tuple(sorted(self.specs[name].text for name in key.seating))

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
        prepare_for(self.players, [self.start(variant) for variant in range(self.variants)])


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
