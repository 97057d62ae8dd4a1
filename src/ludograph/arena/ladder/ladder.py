"""The declaration of a ladder: its game, starts, anchors and settings; and its store.

The store is the file in the folder, or a database on a server that the declaration names. All that
reads or writes the games of a ladder opens it here. A folder holds the file of one ladder only, and
its lock keeps other processes away. On a server, each tournament of a ladder has the ladder's mark,
which is also in its state, and the number of the tournament is locked.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from ludograph.arena.finished_game import FinishedGame, GameKey
from ludograph.arena.ladder.folder import PROGRAM, LadderFolder, State, parted
from ludograph.arena.openings import MakePosition, OpeningSuite, starts_by_number
from ludograph.arena.playing import GamePlan, prepare_for
from ludograph.arena.store import Store
from ludograph.arena.store.history import LABEL_LETTERS
from ludograph.arena.store.integrity import NoStore
from ludograph.boards import to_data
from ludograph.errors import InvalidInput
from ludograph.games import AnyGame, Position
from ludograph.players import PlayerSpec
from ludograph.players.isolation import Isolation
from ludograph.players.spec import Kind
from ludograph.referee.options import MatchOptions
from ludograph.referee.seed import Seed


class UploadLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits of the players that one person, or one team, submits on pages; None for no limit.

    Attributes
    ----------
    deadline
        The time, with its zone, after which no player is accepted.
    each_day
        The number of files accepted on each day of the zone, new versions included.
    players
        The number of players.
    """

    deadline: datetime | None = None
    each_day: int | None = None
    players: int | None = None


@dataclass(frozen=True)
class Ladder:
    """A ladder: its game, players and settings, as its folder declares them.

    Attributes
    ----------
    make_position
        Called with the number of a variant and a whole number to draw by; returns a start.
    anchors
        Built-in players that always take part; the first has a fixed rating.
    anchor_elo
        The rating of the first anchor.
    first_games
        Versions with fewer games play first.
    patience
        A player is suspended after this number of forfeits in a row.
    rated_games
        The number of latest games that ratings are computed from.
    compile_seconds
        The seconds for compiling the sources of each author on each day.
    records
        The number of latest games that keep their records; results are always kept.
    secret
        The seed of all chance; once known, that of the folder and its store.
    openings
        The first moves of the games of a start; None for no openings.
    uploads
        The limits of players submitted on pages.
    zone
        The time zone of the course, in which times are shown.
    grades
        By grade: the rating that the lower limit of a player's interval must reach.
    show_names
        Whether pages show everybody the names and teams of people beside their players; operators
        always see them.
    store_url
        The URL of the store on a server; empty: the store is the file in the folder.
    """

    folder: LadderFolder
    game: AnyGame
    make_position: MakePosition
    anchors: tuple[PlayerSpec, ...]
    anchor_elo: float = 1000.0
    seats: int = 2
    variants: int = 1
    clock: str | None = None
    isolation: Isolation | None = None
    first_games: int = 20
    patience: int = 6
    rated_games: int = 50_000
    compile_seconds: int = 120
    records: int = 20_000
    title: str = ""
    secret: Seed = field(default_factory=Seed.drawn, repr=False)
    openings: OpeningSuite | None = None
    uploads: UploadLimits = field(default_factory=UploadLimits)
    zone: tzinfo = UTC
    grades: Mapping[str, float] = field(default_factory=dict)
    show_names: bool = False
    store_url: str = field(default="", repr=False)  # it may hold a password

    @property
    def store(self) -> str | Path:
        """The store, as :class:`~ludograph.arena.store.Store` takes it."""
        return self.store_url or self.folder.store

    @cached_property
    def built_in(self) -> frozenset[str]:
        """The names of the anchors, which are also their labels."""
        return frozenset(spec.text for spec in self.anchors)

    @property
    def steps(self) -> frozenset[str]:
        """The names of the anchors without a fixed rating."""
        return self.built_in - {self.anchors[0].text}

    def copied_player(self, name: str, version: str) -> PlayerSpec:
        """Return the player of a copied file, under its own name: records do not have the path.

        Parameters
        ----------
        version
            The beginning of the version, as in the player's label.

        Raises
        ------
        InvalidInput
            If the copy is gone.
        """
        path = self.folder.played_file(name, version).absolute()
        if not path.is_file():
            raise InvalidInput(f"the copy of {name} is gone")
        return self.player_in(name, path)

    @staticmethod
    def player_in(name: str, path: Path) -> PlayerSpec:
        """Return the player of a file at any place, under its own name."""
        if name.endswith(PROGRAM):
            return PlayerSpec(name, "cmd", shlex.quote(str(path)), known_as=name)
        kind: Kind = "python" if name.endswith(".py") else "library"
        return PlayerSpec(name, kind, str(path), known_as=name)

    @cached_property
    def match_options(self) -> MatchOptions:
        """The options of all its matches; records hide chance, because other games share it."""
        return MatchOptions.checked(clock=self.clock, isolation=self.isolation, hide_chance=True)

    def player(self, label: str) -> PlayerSpec:
        """Return a player by its label; raise InvalidInput if its copy is gone."""
        anchor = next((spec for spec in self.anchors if spec.text == label), None)
        return anchor or self.copied_player(*parted(label))

    @cached_property
    def start(self) -> Callable[[int], Position]:
        """A function that returns a start by its number; the start must not be changed."""
        return starts_by_number(self.make_position, self.variants, self.secret.start)

    def chance_seed(self, key: GameKey) -> Seed:
        """Return the seed of chance of a game: the same for all seatings of its versions."""
        return self.secret.child("chance", key.start, tuple(sorted(key.seating)))

    @property
    def declaration(self) -> dict[str, Any]:
        """The declaration of the ladder in the store."""
        return {
            "title": self.title,
            "format": "ladder",
            "seats": self.seats,
            "names": [spec.text for spec in self.anchors],
            "clock": self.clock,
            "variants": self.variants,
        }

    @cached_property
    def key(self) -> str:
        """The digest of all settings that change the meaning of ratings."""
        described = []
        for variant in range(self.variants):
            start, game = self.make_position(variant, 0), self.game
            described.append([game.name, game.version, game.describe(start), to_data(start.board)])
        same = ["ladder", self.seats, self.clock, self.variants, described]
        if self.openings is not None:
            same.append(self.openings.variants)
        return hashlib.sha256(msgspec.json.encode(same, order="sorted")).hexdigest()

    def opening(self, number: int) -> tuple[int, ...]:
        """Return the first moves of the games of a start."""
        return () if self.openings is None else self.openings.of(number)

    def plan(self, key: GameKey) -> GamePlan:
        """Return a game before it is played; raise InvalidInput if a player's copy is gone."""
        players = [self.player(label) for label in key.seating]
        options = replace(
            self.match_options,
            seed=self.secret.child("game", *key),
            chance_seed=self.chance_seed(key),
            opening=self.opening(key.start),
        )
        return GamePlan(key, self.start(key.start), self.secret.start(key.start), players, options)

    def without_copies(self, game: FinishedGame) -> FinishedGame:
        """Return a game with the names of players' files instead of the paths of their copies."""
        copies = re.escape(str(self.folder.versions.absolute()))
        place = re.compile(rf"{copies}/[^/]+/[0-9a-f]{{{LABEL_LETTERS}}}/")
        seats = tuple(
            msgspec.structs.replace(s, message=s.message and place.sub("", s.message))
            for s in game.seats
        )
        return msgspec.structs.replace(game, seats=seats)

    def prepare(self) -> None:
        """Compile or load the kernels of built-in players, before processes are forked."""
        prepare_for(self.anchors, [self.start(variant) for variant in range(self.variants)])


def under_names(game: FinishedGame) -> FinishedGame:
    """Return a game with the names of its players instead of their labels."""
    seats = tuple(msgspec.structs.replace(s, player=parted(s.player)[0]) for s in game.seats)
    return msgspec.structs.replace(game, seats=seats)


def open_for_games(ladder: Ladder, state: State) -> Store:
    """Open the store to play the ladder; a new one is made if there is none.

    Raises
    ------
    InvalidInput
        If it cannot be opened, or is the store of another ladder.
    HostFailure
        If a server cannot be reached.
    """
    return _checked(Store(ladder.store), state)


def check_new_store(ladder: Ladder) -> None:
    """Check the database of a new ladder on a server; make nothing in it.

    Raises
    ------
    InvalidInput
        If the server refuses, or the database has games in it.
    HostFailure
        If the server cannot be reached.
    """
    if ladder.store_url:
        with suppress(NoStore):
            _checked(Store(ladder.store, must_exist=True), State()).close()


@contextmanager
def kept_store(ladder: Ladder, state: State) -> Iterator[Store | None]:
    """Open the store to read it; None if the ladder has not been played with it.

    Raises
    ------
    InvalidInput
        If it cannot be opened, or is the store of another ladder.
    HostFailure
        If a server cannot be reached.
    """
    with ExitStack() as stack:
        store = None
        if not ladder.store_url or state.mark:
            try:
                store = Store(ladder.store, must_exist=True)
            except NoStore:
                pass
            else:
                stack.enter_context(_checked(store, state))
        yield store


def _checked(store: Store, state: State) -> Store:
    """Return a store; close it and raise InvalidInput if another ladder's games are in it."""
    with ExitStack() as stack:
        stack.enter_context(store)
        if store.path is None and any(
            one.declaration.get("mark") != state.mark for one in store.tournaments()
        ):
            raise InvalidInput(
                f"{store.name}: it is the store of another ladder or of tournaments; give each "
                "ladder a database or a schema of its own"
            )
        stack.pop_all()
    return store


def adopt_store(ladder: Ladder, state: State) -> bool:
    """Adapt the state if the ladder has moved from its file to a server, or back.

    Return whether it has moved. Then the numbers of earlier games mean nothing any more.
    """
    if bool(ladder.store_url) == bool(state.mark):
        return False
    state.mark = secrets.token_hex(16) if ladder.store_url else ""
    state.entrants = [msgspec.structs.replace(one, joined=0) for one in state.entrants]
    return True


def lock_games(store: Store, number: int) -> None:
    """Keep other processes from playing a ladder, until the store is closed.

    The folder's lock does it for a file. On a server it could be run from a copy of the folder on
    another machine.

    Raises
    ------
    InvalidInput
        If another process plays it already.
    """
    if store.path is None:
        store.lock(number)
