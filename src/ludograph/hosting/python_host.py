"""The host of a Python file."""

from __future__ import annotations

import importlib.util
import inspect
import json
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from ludograph.boards import from_data, to_data
from ludograph.errors import IllegalMove, InvalidInput
from ludograph.formatting import described, one_line
from ludograph.games import Outcome, Position, TimeLeft, analysis_info
from ludograph.games.registry import game
from ludograph.games.strategy import RESIGN
from ludograph.hosting.channel import Answer
from ludograph.hosting.crash_report import answer_with_stack
from ludograph.hosting.host import Runner
from ludograph.players.forfeit import error_text
from ludograph.players.protocol import (
    NO_PLAYER,
    Player,
    as_player,
    move_code,
    thoughts_of,
    warm_up,
)
from ludograph.rules import random_state
from ludograph.search.plain_games import leave_rules_to_the_referee

MODULE = "ludograph_player"

THOUGHTS_SECONDS = 0.5
"""Seconds for the analysis of a move, which no clock counts."""


REHEARSED_MOVES = 2
"""The number of its own moves that a player chooses in a rehearsal."""

REHEARSED_TIME = TimeLeft(move=0.5)
"""The clock in a rehearsal; nothing happens if the player takes longer."""

REHEARSED_QUIET = 3.0
"""A rehearsal ends after this number of seconds without any compilation, at most after twice as
many."""


class PythonRunner(Runner):
    """One game played by a class or function of a Python file."""

    def __init__(self) -> None:
        self.player: Player | None = None
        self.position: Position | None = None

    def prepare(self, needed: str) -> None:
        """Import the modules for every game, and load the rules; nothing of the player's file."""
        answer_with_stack()
        leave_rules_to_the_referee()
        one = game(needed)
        for start in islice(one.samples(), 1):  # this loads all that a start needs
            board, setup = json.loads(json.dumps([to_data(start.board), one.describe(start)]))
            warm_up(one.restore(from_data(board), setup))

    def start(self, order: dict[str, Any]) -> Answer:
        """Load the file, make the player, begin the game; or rehearse it."""
        from ludograph.rules.cache import own

        kernels = order.get("kernels")
        own.folder = Path(kernels) if kernels else None
        if "rehearsal" not in order:
            return self.begin(order)
        own.made = {}
        fault = self.first_moves(order)
        return Answer(started=True, kernels=own.made, text=fault)

    def first_moves(self, order: dict[str, Any]) -> str:
        """Begin a game and choose moves in it; return the error that ended it early, if any."""
        try:
            with compiling_or_quick(order["rehearsal"]):
                self.begin(order)
                assert self.position is not None
                position, moves = self.position.copy(), []
                for _ in range(REHEARSED_MOVES):
                    while not position.is_over and position.turn != order["seat"]:
                        moves.append(position.play_random(random_state(len(position.history))))
                    if position.is_over:
                        break
                    answer = self.play((moves, list(REHEARSED_TIME)))
                    if answer.move is None:
                        return answer.text
                    position.play(answer.move)
                    moves = []
        except BaseException as error:  # noqa: BLE001  (the player's code; its match will show it)
            return error_text(error)
        return ""

    def begin(self, order: dict[str, Any]) -> Answer:
        """Load the file, make the player, begin the game."""
        seed = order["seed"]
        random.seed(seed)
        np.random.seed(seed & 0xFFFFFFFF)
        board = from_data(order["board"])
        self.position = game(order["game"]).restore(board, order["setup"])
        warm_up(self.position)
        thing = entry(load(order["path"]), order["path"], order["entry"])
        self.player = as_player(thing, order["options"])
        self.player.start(self.position.copy(), order["seat"])
        name = getattr(self.player, "name", None)
        return Answer(started=True, name=one_line(name) if isinstance(name, str) else None)

    def play(self, question: tuple[list[int], list[Any]]) -> Answer:
        """Ask for a move; it may also be a text."""
        assert self.player is not None
        assert self.position is not None
        moves, time_left = question
        answer = self.player.play(moves, TimeLeft(*time_left))
        if isinstance(answer, str):
            if answer == RESIGN:
                return Answer(fault="resign", text="it resigned")
            try:
                answer = self.position.parse(str(answer))
            except IllegalMove as error:
                return Answer(fault="protocol", text=str(error))
        code = move_code(answer)
        if code is None:
            text = f"answered {described(answer)}, which is not a move"
            return Answer(fault="protocol", text=text)
        return Answer(move=code)

    def thoughts(self) -> Answer:
        """Ask for the player's analysis of its last move, with a short limit."""
        with within(THOUGHTS_SECONDS):
            return Answer(thoughts=analysis_info.to_data(thoughts_of(self.player)))

    def finish(self, ranks: list[int] | None) -> None:
        """Send the result of the game to the player."""
        assert self.player is not None
        outcome = None if ranks is None else Outcome((), tuple(ranks))
        self.player.finish(outcome)


@contextmanager
def compiling_or_quick(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in a block that takes longer, or does not compile for too long."""
    from ludograph.rules._numba.compiler import compilations

    end, before = time.monotonic() + seconds, (-1, -1)

    with compilations() as counted:

        def look(*_: object) -> None:
            nonlocal before
            begun, finished = now = counted()
            if time.monotonic() > end or (now == before and begun == finished):
                raise TimeoutError("it chose no move in time")
            before = now

        handler = signal.signal(signal.SIGALRM, look)
        signal.setitimer(signal.ITIMER_REAL, REHEARSED_QUIET, REHEARSED_QUIET)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, handler)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in a block that takes longer; the player's own alarms stay."""

    def late(*_: object) -> None:
        raise TimeoutError(f"it took more than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, late)
    left, every = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if left:
            signal.setitimer(signal.ITIMER_REAL, left, every)


def load(path: str) -> ModuleType:
    """Import a file as a module; it can import modules of its folder."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    sys.dont_write_bytecode = True  # the folder is the player's, not ours
    spec = importlib.util.spec_from_file_location(MODULE, path)
    if spec is None or spec.loader is None:
        raise InvalidInput(f"{path} cannot be loaded as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[MODULE] = module
    spec.loader.exec_module(module)
    return module


def entry(module: ModuleType, path: str, name: str) -> Any:
    """Return the class or function that plays: the one named, or the only one.

    Raises
    ------
    InvalidInput
        If there is none of this name, or, without a name, none or several.
    """
    if name:
        if not hasattr(module, name):
            raise InvalidInput(f"{path} has nothing called {name}")
        return getattr(module, name)
    own = [
        thing
        for thing in vars(module).values()
        if inspect.isclass(thing) and thing.__module__ == MODULE and _plays(thing)
    ]
    if len(own) == 1:
        return own[0]
    if not own and callable(getattr(module, "choose", None)):
        return module.choose
    if not own:
        raise InvalidInput(f"{path} {NO_PLAYER}")
    names = ", ".join(thing.__name__ for thing in own)
    raise InvalidInput(f"{path} has several players, name one of them as {path}:NAME: {names}")


def _plays(thing: type) -> bool:
    return hasattr(thing, "choose") or (hasattr(thing, "play") and hasattr(thing, "start"))
