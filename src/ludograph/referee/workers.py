"""Games of a series in several processes, which are forked from this one.

What was compiled or loaded before is theirs too; a C player's warm process each has for itself.
They end with this process, however it ends.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any, Self

from ludograph.errors import HostFailure
from ludograph.players.isolation.kernel import PR_SET_PDEATHSIG, prctl
from ludograph.referee.game_row import GameRow
from ludograph.rules.announcer import announcer

Printed = Callable[[int, int, str], None]
Play = Callable[[int, Printed | None], GameRow]
"""Plays the game of a number; what players print goes to the other argument."""

END_SECONDS = 2.0
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Workers:
    """Processes that play games; a context at whose end they are gone.

    Parameters
    ----------
    play
        Plays a game; called in the processes.
    count
        How many processes.
    on_output
        Called in this process with a player's place, its seat and a line that it has printed.
    """

    def __init__(self, play: Play, count: int, on_output: Printed | None = None) -> None:
        self._on_output = on_output
        self._busy: dict[Connection, int] = {}
        self._processes: dict[Connection, Any] = {}
        context = multiprocessing.get_context("fork")
        parent = os.getpid()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)  # until a worker has its own
        try:
            for worker in range(count):
                ours, theirs = context.Pipe()
                arguments = (theirs, play, parent, worker == 0, on_output is not None)
                process = context.Process(target=_work, args=arguments, daemon=True)
                process.start()
                theirs.close()
                self._processes[ours] = process
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        for process in self._processes.values():
            process.kill()  # keepers see that it is gone, and end the players
        for line, process in self._processes.items():
            process.join(END_SECONDS)
            line.close()

    def play(self, numbers: Iterable[int]) -> Iterator[GameRow]:
        """Yield games as they end, in whichever order.

        Raises
        ------
        HostFailure
            If one of the processes dies.
        """
        waiting = deque(numbers)
        for line in self._processes:
            self._give(line, waiting)
        while self._busy:
            ready = set(wait(list(self._busy)))
            for line in [line for line in self._busy if line in ready]:
                row = self._heard(line)
                if row is not None:
                    del self._busy[line]
                    self._give(line, waiting)
                    yield row

    def _give(self, line: Connection, waiting: deque[int]) -> None:
        """Have a process play the next game."""
        if waiting:
            self._busy[line] = number = waiting.popleft()
            with suppress(OSError):  # it is gone, which the next look at its line will tell
                line.send(number)

    def _heard(self, line: Connection) -> GameRow | None:
        """Return a game that has ended, if that is what a process has to say."""
        try:
            told = line.recv()
        except (EOFError, OSError):
            raise HostFailure(self._how_it_died(line)) from None
        if isinstance(told, BaseException):
            raise told
        if isinstance(told, GameRow):
            return told
        if self._on_output is not None:
            self._on_output(*told)
        return None

    def _how_it_died(self, line: Connection) -> str:
        process = self._processes[line]
        process.join(END_SECONDS)
        code = process.exitcode
        how = "has ended"
        if code is not None:
            how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"exited, {code}"
        return f"a process that played game {self._busy[line]} {how}"


def _work(line: Connection, play: Play, parent: int, speaks: bool, listens: bool) -> None:
    """Play games in a process of one's own, until there are no more."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, lambda *_: None)  # for the parent; players do not inherit this
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        return
    announcer.enabled = announcer.enabled and speaks  # one says what is being compiled

    def printed(place: int, seat: int, text: str) -> None:
        line.send((place, seat, text))

    while True:
        try:
            number = line.recv()
        except EOFError:
            return
        try:
            line.send(play(number, printed if listens else None))
        except Exception as error:  # noqa: BLE001  (the parent raises it)
            line.send(error)
            return
