"""Messages between a tournament and the machines of a cluster: orders, files, outcomes."""

from __future__ import annotations

import hashlib
import os
import shlex
import struct
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import msgspec

from ludograph.arena.finished_game import FinishedGame
from ludograph.arena.played_game import GameKey
from ludograph.boards import from_data, to_data
from ludograph.documents import replacing
from ludograph.errors import InvalidInput
from ludograph.games import Position
from ludograph.games.registry import game
from ludograph.players import PlayerSpec
from ludograph.players.spec import PROGRAMS, Kind, program_line
from ludograph.referee.player_factory import labels
from ludograph.version import VERSION


class Carried(msgspec.Struct, frozen=True):
    """A reference to a player's file.

    Attributes
    ----------
    word
        The path of the file in the player's name.
    digest
        The digest of the file's content.
    runs
        Whether the file is executable.
    """

    word: str
    digest: str
    runs: bool


class CarriedPlayer(msgspec.Struct, frozen=True):
    """A player, with references to its files instead of the files."""

    text: str
    kind: Kind
    target: str
    options: dict[str, str]
    entry: str
    known_as: str
    files: tuple[Carried, ...]


class CarriedStart(msgspec.Struct, frozen=True):
    """The start of a game, as records hold it."""

    game: str
    version: int
    setup: dict[str, Any]
    board: dict[str, Any]


class GameOrder(msgspec.Struct, frozen=True, kw_only=True):
    """A game to play.

    Attributes
    ----------
    ludograph
        The version of Ludograph that sends it; a machine with another version refuses it.
    isolation, memory
        The isolation level and the memory limit of players; an empty level is the strongest that
        the machine has.
    reference
        The seconds that random games take where clocks count as written; None: clocks are not
        scaled.
    """

    number: int
    seating: tuple[str, ...]
    start: CarriedStart
    players: tuple[CarriedPlayer, ...]
    start_seed: int
    seed: str
    chance_seed: str
    hide_chance: bool = False
    clock: str | None
    foreign_clock: str | None
    opening: tuple[int, ...] = ()
    isolation: str
    memory: int
    reference: float | None = None
    ludograph: str = VERSION

    @property
    def key(self) -> GameKey:
        """The key of the game in its tournament."""
        return GameKey(self.number, self.seating)

    @property
    def digests(self) -> list[str]:
        """The digests of all files that it needs, each once."""
        return sorted({file.digest for player in self.players for file in player.files})


def carried_start(start: Position) -> CarriedStart:
    """Return a start as data."""
    return CarriedStart(
        start.game.name, start.game.version, start.game.describe(start), to_data(start.board)
    )


def restored(carried: CarriedStart) -> Position:
    """Return a start from data.

    Raises
    ------
    InvalidInput
        If this machine has another version of the game, or none.
    """
    rules = game(carried.game)
    if rules.version != carried.version:
        raise InvalidInput(
            f"{carried.game}: its rules are version {rules.version}, the tournament needs version "
            f"{carried.version}"
        )
    position: Position = rules.restore(from_data(carried.board), carried.setup)
    return position


def read_files(players: Iterable[PlayerSpec], known: Collection[str] = ()) -> dict[str, bytes]:
    """Return the contents of players' files by path, without files that are known."""
    return {
        file: Path(file).read_bytes()
        for spec in players
        for file in spec.files
        if file not in known
    }


def digest_of(content: bytes) -> str:
    """Return the digest by which a file travels."""
    return hashlib.sha256(content).hexdigest()


def carried_players(
    players: Iterable[PlayerSpec], digests: Mapping[str, str]
) -> tuple[CarriedPlayer, ...]:
    """Return players with references to their files.

    Parameters
    ----------
    digests
        The digests of files by path.
    """
    specs = list(players)
    return tuple(
        CarriedPlayer(
            spec.text,
            spec.kind,
            spec.target,
            spec.options,
            spec.entry,
            known_as,
            tuple(Carried(f, digests[f], os.access(f, os.X_OK)) for f in dict.fromkeys(spec.files)),
        )
        for spec, known_as in zip(specs, labels(specs), strict=True)
    )


def brought(player: CarriedPlayer, folder: Path) -> PlayerSpec:
    """Return a player whose files are in folders named by their digests."""
    places = {file.word: str(place_of(file, folder)) for file in player.files}
    spec = PlayerSpec(
        player.text, player.kind, player.target, player.options, player.entry, player.known_as
    )
    if player.kind in PROGRAMS:
        words = [places.get(word, word) for word in shlex.split(player.target)]
        commands = program_line(player.text, player.kind)[1]
        return replace(spec, target=shlex.join(words), commands=commands)
    return replace(spec, target=places.get(player.target, player.target))


def place_of(file: Carried, folder: Path) -> Path:
    """Return the path of a file on this machine."""
    return folder / file.digest / Path(file.word).name


def under_own_names(game: FinishedGame, order: GameOrder, folder: Path) -> FinishedGame:
    """Return a game with the original paths of players' files in its messages.

    What stores do not keep, such as all that players have printed, does not travel.
    """
    places = {
        str(place_of(file, folder)): file.word for player in order.players for file in player.files
    }

    def renamed(message: str | None) -> str | None:
        for place, word in places.items():
            message = message and message.replace(place, word)
        return message

    seats = tuple(msgspec.structs.replace(s, message=renamed(s.message)) for s in game.seats)
    return msgspec.structs.replace(game, seats=seats, names=(), faults=(), finish_faults=())


def put_down(order: GameOrder, contents: Mapping[str, bytes], folder: Path) -> None:
    """Write the files of an order that are not there yet, each as a whole or not at all.

    Raises
    ------
    InvalidInput
        If one is not what its digest says.
    """
    for player in order.players:
        for file in player.files:
            path = place_of(file, folder)
            if path.is_file() and digest_of(path.read_bytes()) == file.digest:
                continue
            content = contents[file.digest]
            if digest_of(content) != file.digest:
                raise InvalidInput(f"{file.word}: it was changed on its way")
            path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(path, concurrent=True) as part:
                part.write_bytes(content)
                part.chmod(0o755 if file.runs else 0o644)


LENGTH = struct.Struct("<Q")


class Errand(msgspec.Struct):
    """An encoded order, with the contents of the files that it needs, by digest."""

    order: bytes
    contents: dict[str, bytes]


class OrderOutcome(msgspec.Struct):
    """The outcome of an order: a game, or the sentence of an error.

    Attributes
    ----------
    machine
        The name of the machine.
    factor
        The factor by which clocks were longer on this machine.
    wrong
        Whether the order was wrong, rather than the machine.
    played
        Whether the game had begun; an earlier error concerns all games on this machine.
    """

    machine: str
    factor: float = 1.0
    game: FinishedGame | None = None
    error: str = ""
    wrong: bool = False
    played: bool = False


def send(stream: IO[bytes], data: bytes) -> None:
    """Write data behind its length."""
    stream.write(LENGTH.pack(len(data)) + data)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes:
    """Read what was sent; raise EOFError at the end."""
    (size,) = LENGTH.unpack(_whole(stream, LENGTH.size))
    return _whole(stream, size)


def _whole(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data
