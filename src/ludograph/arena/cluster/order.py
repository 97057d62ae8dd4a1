"""A game on a machine of a cluster: the files of its players, and its outcome."""

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from ludograph.arena.cluster.process import failure_here
from ludograph.arena.cluster.worker import folder
from ludograph.arena.finished_game import FinishedGame
from ludograph.arena.playing import GamePlan
from ludograph.errors import HostFailure, LudographError
from ludograph.hosting.sandbox.sandbox import check_isolation
from ludograph.players import PlayerSpec
from ludograph.players.c_sources import laid_out
from ludograph.players.isolation import Isolation
from ludograph.players.spec import PROGRAMS

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
