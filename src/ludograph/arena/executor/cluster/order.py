"""A game on a machine of a cluster: the files of its players, and its outcome."""

from __future__ import annotations

import hashlib
import os
import shlex
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ludograph.arena.executor.cluster.process import failure_here
from ludograph.arena.executor.cluster.worker import folder
from ludograph.arena.finished_game import FinishedGame
from ludograph.arena.playing import GamePlan
from ludograph.errors import HostFailure, LudographError
from ludograph.games.bulk import playouts
from ludograph.games.registry import game as registered
from ludograph.hosting.sandbox.sandbox import check_isolation
from ludograph.players import PlayerSpec
from ludograph.players.c_sources import laid_out
from ludograph.players.isolation import Isolation
from ludograph.players.spec import PROGRAMS

GAMES = 20_000
REPEATS = 5

UNEQUAL = 1.3
"""The ratio of the slowest machine to the fastest above which players are not treated alike."""

isolated = cache(check_isolation)


class OrderOutcome(NamedTuple):
    """The outcome of a game: its result, or the error for which it has none.

    Attributes
    ----------
    machine
        The name of the machine.
    seconds
        The seconds of random games there; None if no player has a clock.
    """

    machine: str
    seconds: float | None
    result: Any


def play_here(
    play: Callable[[GamePlan, None], Any],
    plan: GamePlan,
    files: Sequence[Mapping[str, str]],
) -> OrderOutcome:
    """Play a game on this machine.

    Parameters
    ----------
    play
        Plays the game, whose players are the plan's with files of this machine.
    files
        By seat: the places of the player's files in the folder of this machine, by their paths
        where the command runs.

    Raises
    ------
    InvalidInput
        If this machine cannot isolate players as requested.
    """
    options = plan.options
    isolation = options.isolation or Isolation()
    if any(files):
        isolated(isolation.level)
    has_clock = (options.clock or options.foreign_clock) is not None
    seconds = measured(plan.start.game.name) if has_clock else None
    options = replace(options, isolation=isolation)
    players = [
        brought(spec, places, folder())
        for spec, places in zip(plan.players, files, strict=True)
        if isinstance(spec, PlayerSpec)
    ]
    try:
        result = play(replace(plan, players=players, options=options), None)
    except (LudographError, HostFailure, OSError) as error:
        result = error
    if isinstance(result, LudographError | HostFailure | OSError):
        result = failure_here(result)
    elif isinstance(result, FinishedGame):
        result = under_own_names(result, files, folder())
    return OrderOutcome(socket.gethostname(), seconds, result)


@cache
def measured(name: str) -> float:
    """Return the processor time of 20,000 random games in seconds, the least of five measurements.

    Searches by simulation spend their time on such games. They are the same on every machine: all
    begin from a small position that the game declares.
    """
    start = next(iter(registered(name).samples()))
    playouts(start, 1, threads=1)  # compile or load, outside of the measurement
    times = []
    for _ in range(REPEATS):
        began = time.process_time()
        playouts(start, GAMES, threads=1)
        times.append(time.process_time() - began)
    return min(times)


def places_of(spec: PlayerSpec, contents: Mapping[str, bytes]) -> dict[str, str]:
    """Return the places of a player's files on any machine, by their paths: they name digests.

    A C source and the files that it includes stay together, all others have folders of their own.

    Parameters
    ----------
    contents
        The contents of its files, by their paths.
    """
    digests = {file: hashlib.sha256(content).hexdigest() for file, content in contents.items()}
    if not spec.is_source:
        return {file: f"{digest}/{os.path.basename(file)}" for file, digest in digests.items()}
    beside = os.path.join(os.path.dirname(spec.target), "")
    names = {file: file.removeprefix(beside) for file in digests}
    places = laid_out(Path(spec.target), names.values())
    together = hashlib.sha256("".join(digests.values()).encode()).hexdigest()
    return {file: f"{together}/{places[name]}" for file, name in names.items() if name in places}


def brought(spec: PlayerSpec, files: Mapping[str, str], folder: Path) -> PlayerSpec:
    """Return a player whose files are in the folder of this machine."""
    paths = {file: str(folder / place) for file, place in files.items()}
    if spec.kind in PROGRAMS:
        words = [paths.get(word, word) for word in shlex.split(spec.target)]
        return replace(spec, target=shlex.join(words))
    options = {
        name: paths.get(value, value) if name in spec.data_files else value
        for name, value in spec.options.items()
    }
    target = paths.get(spec.target, spec.target)
    return replace(spec, target=target, options=options, library="")


def under_own_names(
    game: FinishedGame, files: Sequence[Mapping[str, str]], folder: Path
) -> FinishedGame:
    """Return a game with the original paths of players' files in its messages.

    Data that stores do not contain, such as the players' whole output, is not sent.
    """

    def renamed(message: str | None) -> str | None:
        for file, place in (pair for places in files for pair in places.items()):
            message = message and message.replace(str(folder / place), file)
        return message

    seats = tuple(msgspec.structs.replace(s, message=renamed(s.message)) for s in game.seats)
    return msgspec.structs.replace(game, seats=seats, names=(), faults=(), finish_faults=())
