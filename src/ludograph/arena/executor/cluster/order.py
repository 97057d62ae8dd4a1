"""The order of a game for a machine of a cluster, the files of its players, and its outcome."""

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import msgspec

from ludograph.arena.finished_game import FinishedGame
from ludograph.arena.playing import PlannedGame
from ludograph.documents import replacing
from ludograph.errors import HostFailure, InvalidInput
from ludograph.players import PlayerSpec
from ludograph.players.spec import PROGRAMS


class CarriedFile(NamedTuple):
    """A player's file.

    Attributes
    ----------
    word
        Its path where the tournament runs, as the player names it.
    place
        Its path in the folder of a machine, which begins with a digest.
    digest
        The digest of its content.
    runs
        Whether it is executable.
    """

    word: str
    place: str
    digest: str
    runs: bool


@dataclass(frozen=True, slots=True)
class Order:
    """A game to play.

    Attributes
    ----------
    rules
        The version of the game's rules.
    files
        By seat: the files of the player.
    reference
        The seconds of random games on the machine for which the clocks are given; None: clocks are
        not scaled.
    """

    planned: PlannedGame[PlayerSpec]
    rules: int
    files: Sequence[Sequence[CarriedFile]]
    reference: float | None


class OrderOutcome(NamedTuple):
    """The outcome of an order.

    Attributes
    ----------
    machine
        The name of the machine.
    factor
        The factor by which clocks were longer there.
    began
        Whether the game had begun; an earlier error concerns all games on this machine.
    """

    machine: str
    factor: float
    began: bool
    game: FinishedGame | HostFailure | InvalidInput


def carried_files(spec: PlayerSpec, contents: Mapping[str, bytes]) -> list[CarriedFile]:
    """Return the files of a player.

    A C source and the files that it includes stay together, all others have folders of their own.

    Parameters
    ----------
    contents
        The contents of its files, by their paths.
    """
    digests = {file: hashlib.sha256(content).hexdigest() for file, content in contents.items()}
    if spec.is_source:
        beside = os.path.dirname(spec.target) or "."
        together = hashlib.sha256("".join(digests.values()).encode()).hexdigest()
        places = {file: f"{together}/{os.path.relpath(file, beside)}" for file in digests}
    else:
        places = {file: f"{digest}/{os.path.basename(file)}" for file, digest in digests.items()}
    return [
        CarriedFile(file, places[file], digest, os.access(file, os.X_OK))
        for file, digest in digests.items()
    ]


def put_down(files: Sequence[CarriedFile], contents: Sequence[bytes], folder: Path) -> None:
    """Write the missing files, each as a whole or not at all."""
    for file, content in zip(files, contents, strict=True):
        path = folder / file.place
        if path.is_file() and path.read_bytes() == content:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path, concurrent=True) as part:
            part.write_bytes(content)
            part.chmod(0o755 if file.runs else 0o644)


def brought(spec: PlayerSpec, files: Sequence[CarriedFile], folder: Path) -> PlayerSpec:
    """Return a player whose files are in the folder of this machine."""
    paths = {file.word: str(folder / file.place) for file in files}
    if spec.kind in PROGRAMS:
        words = [paths.get(word, word) for word in shlex.split(spec.target)]
        return replace(spec, target=shlex.join(words))
    options = {
        name: paths.get(value, value) if name in spec.data_files else value
        for name, value in spec.options.items()
    }
    target = paths.get(spec.target, spec.target)
    return replace(spec, target=target, options=options, library="")


def under_own_names(game: FinishedGame, order: Order, folder: Path) -> FinishedGame:
    """Return a game with the original paths of players' files in its messages.

    Data that stores do not contain, such as the players' whole output, is not sent.
    """

    def renamed(message: str | None) -> str | None:
        for file in (file for files in order.files for file in files):
            message = message and message.replace(str(folder / file.place), file.word)
        return message

    seats = tuple(msgspec.structs.replace(s, message=renamed(s.message)) for s in game.seats)
    return msgspec.structs.replace(game, seats=seats, names=(), faults=(), finish_faults=())
