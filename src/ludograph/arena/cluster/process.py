"""The program that plays games on a machine of a cluster: one process for each thread of a worker.

Its arguments are the descriptor of a connection, from which it reads orders and on which it answers
with their results, and the worker's process id. It ends with the thread of the worker that started
it, even while it plays, and when no order comes for a minute.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import shlex
import signal
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgspec

from ludograph.arena.cluster.worker import folder
from ludograph.arena.finished_game import FinishedGame
from ludograph.arena.playing import GamePlan
from ludograph.errors import HostFailure, InvalidInput, LudographError, MachineBusy, shortage
from ludograph.games import AnyGame
from ludograph.hosting.sandbox.sandbox import check_isolation
from ludograph.hosting.sandbox.syscalls import PR_SET_PDEATHSIG, prctl
from ludograph.players import PlayerSpec
from ludograph.players.c_sources import laid_out
from ludograph.players.isolation import Isolation
from ludograph.players.spec import PROGRAMS
from ludograph.rules.announcer import announcer

isolated = cache(check_isolation)


def play_here(
    play: Callable[[GamePlan, None], Any],
    plan: GamePlan,
    files: Sequence[Mapping[str, str]],
) -> tuple[Any]:
    """Return the result of a game on this machine, or the error for which it has none; in a tuple.

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
    return (result,)  # an error that is not in it is one of this machine


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


IDLE_SECONDS = 60.0


def order_of(game: AnyGame, function: Callable[..., Any], *arguments: object) -> bytes:
    """Return an order: a call of a function on a machine with the same rules of a game.

    An error that the function raises concerns all orders on this machine.
    """
    return pickle.dumps((game, game.version, function, arguments))


def answer(order: bytes) -> Any:
    """Return the result of an order, or the error for which this machine cannot play it."""
    try:
        return _call(order)
    except (LudographError, HostFailure, OSError) as error:
        return failure_here(error)


def _call(order: bytes) -> Any:
    try:
        game, version, function, arguments = pickle.loads(order)
    except Exception as error:
        raise InvalidInput(
            f"it cannot read the game, because other versions are installed: {error}"
        ) from error
    if game.version != version:
        raise InvalidInput(
            f"{game.name}: its rules are version {game.version}, the command needs version "
            f"{version}"
        )
    return function(*arguments)


def failure_here(error: LudographError | HostFailure | OSError) -> HostFailure | InvalidInput:
    """Return an error as one of this machine, which its message names."""
    of_input = isinstance(error, LudographError) and shortage(error) is None
    busy = isinstance(error, MachineBusy)
    kind = InvalidInput if of_input else MachineBusy if busy else HostFailure
    return kind(f"{socket.gethostname()}: {error}")


def serve(descriptor: int, parent: int) -> None:
    """Answer the orders of a worker, until none has come for a minute."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # with the worker; supervisors then end players
    if os.getppid() != parent:
        return  # it has ended already
    announcer.enabled = False
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    worker = Connection(descriptor)
    with contextlib.suppress(EOFError, BrokenPipeError):  # the worker has ended
        while worker.poll(IDLE_SECONDS):
            worker.send_bytes(pickle.dumps(answer(worker.recv_bytes())))


if __name__ == "__main__":
    serve(*map(int, sys.argv[1:]))
