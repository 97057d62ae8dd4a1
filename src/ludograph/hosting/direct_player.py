"""A player in its own files, called directly for debugging.

No clock runs, the player is never suspended, and its exceptions and crashes appear where they
happen. The calls are those of a host, through the same code.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from ludograph.errors import InvalidInput
from ludograph.games import Outcome, Position, TimeLeft
from ludograph.games.dialogue import Dialogue, More
from ludograph.hosting import crash_report
from ludograph.hosting.channel import Answer
from ludograph.hosting.dialogues import answered_move, dialogue, interface, needed, start_of
from ludograph.hosting.exit_status import ending, whereabouts
from ludograph.hosting.host import Runner
from ludograph.hosting.library_host import LibraryRunner
from ludograph.hosting.python_host import PythonRunner
from ludograph.players.forfeit import PlayerFault, Reason
from ludograph.players.spec import PlayerSpec


class DirectPlayer:
    """A Python file or a C library in this very process; one game, as a library keeps its state.

    Parameters
    ----------
    spec
        A player of kind ``python`` or ``library``.
    seed
        For the player's own random choices.
    folder
        A folder to remove when this process ends, even by a crash; None if there is none.
    """

    def __init__(self, spec: PlayerSpec, seed: int, folder: Path | None = None) -> None:
        self.spec = spec
        self.seed = seed
        self.folder = folder
        self.name = spec.label
        self.ply = 0
        self.opening: Sequence[int] = ()
        self._dialogue: Dialogue
        self._runner: Runner

    def start(self, position: Position, seat: int) -> None:
        """Load the player and hand the game over."""
        kind = self.spec.kind
        if kind == "library":
            interface(kind, position.game).check(position)
        self._dialogue = dialogue(kind, position, seat)
        self._dialogue.begun = self.opening
        try:
            self.prepare(needed(kind, position.game), position)
            self.name = self.begin(start_of(self.spec, self._dialogue, self.seed)) or self.name
        except InvalidInput as error:
            raise PlayerFault(Reason.NO_START, str(error)) from None

    def play(self, moves: list[int], time_left: TimeLeft) -> int:
        """Ask for a move."""
        self.ply += sum(move >= 0 for move in moves) + 1
        self.note()
        answer = self.ask(self._dialogue.question(moves, time_left))
        move = self._understood(answer)
        while isinstance(move, More):
            move = self._understood(self.ask(move.question))
        return move

    def finish(self, outcome: Outcome | None) -> None:
        """End the game."""
        self.ply = 0
        self.note()
        self._runner.finish(self._dialogue.ending(outcome))

    def _understood(self, answer: Answer) -> int | More:
        if answer.fault:
            raise PlayerFault(Reason(answer.fault), answer.text, answer=answer.illegal)
        return answered_move(self._dialogue, answer)

    def prepare(self, needed: str, position: Position) -> None:
        """Prepare the code that calls the player."""
        self._runner = LibraryRunner() if self.spec.kind == "library" else PythonRunner()
        self._runner.prepare(needed)
        if isinstance(self._runner, LibraryRunner):
            self._runner.box.interruptible = True
            fork_crash_watcher(self._runner.box, self.spec, position, self.folder)

    def begin(self, order: dict[str, Any]) -> str | None:
        """Start the player; return its own name."""
        return self._runner.start(as_sent(order)).name

    def ask(self, question: Any) -> Answer:
        """Ask the player."""
        return self._runner.play(as_sent(question))

    def note(self) -> None:
        """Note the ply of the question, for the report of a crash."""
        if isinstance(self._runner, LibraryRunner):
            self._runner.box.page.ply = self.ply


def as_sent(data: Any) -> Any:
    """Return data as it arrives at a host."""
    return msgspec.json.decode(msgspec.json.encode(data))


def fork_crash_watcher(
    box: crash_report.CrashReporter, spec: PlayerSpec, position: Position, folder: Path | None
) -> None:
    """Fork a process that waits for the end of this one, and then removes its folder.

    If a signal has ended this process, the other prints where the player was.
    """
    library = position.game.interop.library
    assert library is not None
    names = (*library.symbols, library.names, library.finishes)
    process = os.getpid()
    own = os.pidfd_open(process)
    sys.stdout.flush()
    sys.stderr.flush()
    if os.fork():
        os.close(own)
        return
    try:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        select.select([own], [], [])
        crash = crash_report.read(box.memory[:], os.path.abspath(spec.target), names, process)
        if crash.signal:
            ply = f"; at ply {crash.ply}" if crash.ply else ""
            text = f"{spec.label} {ending(-crash.signal)}{whereabouts(crash)}{ply}\n"
            os.write(2, f"ludograph: {text}".encode())
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        os._exit(0)
