"""Players in processes of their own: C libraries and Python files."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from ludograph.boards import to_data
from ludograph.games import Outcome, Position, TimeLeft
from ludograph.players.channel import ANSWER_LIMIT, Channel, ChannelClosed, ChannelGarbage
from ludograph.players.fault import PlayerFault, Reason, printable
from ludograph.players.log import Log
from ludograph.players.naming import PlayerSpec
from ludograph.players.processes import TOKEN, ending, kill_all

START_SECONDS = 20.0
"""For loading and ``initialize``, which no clock counts."""

SECONDS_PER_VERTEX = 5e-5
"""More time to start on big boards."""

MOVE_SECONDS = 60.0
"""For a move where no clock runs: a player that hangs must not hang the referee."""

FINISH_SECONDS = 1.0

GRACE = 0.002
"""Seconds on top of a deadline for the answer's way back."""


class ForeignPlayer:
    """A player that runs in a host process; what it does there cannot reach the referee."""

    def __init__(self, spec: PlayerSpec, seed: int) -> None:
        self.spec = spec
        self.seed = seed
        self.name = spec.label
        self.token = secrets.token_hex(16)
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: Channel | None = None
        self._log: Log | None = None
        self._lost = False

    def launch(self) -> None:
        """Start the host process without waiting for it, so that several start together."""
        ours, theirs = socket.socketpair()
        read_end, write_end = os.pipe()
        environment = {**os.environ, TOKEN: self.token, "PYTHONUNBUFFERED": "1"}
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "ludograph.players.host", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=write_end,
                stderr=write_end,
                pass_fds=[theirs.fileno()],
                env=environment,
                start_new_session=True,
            )
        finally:
            theirs.close()
            os.close(write_end)
        self._channel = Channel(ours, ANSWER_LIMIT)
        self._log = Log(read_end)

    def start(self, position: Position, seat: int) -> None:
        """Hand over the game and wait until the player is ready."""
        if self._process is None:
            self.launch()
        game = position.game
        description = game.describe(position)
        if self.spec.kind == "library":
            interface = game.library_interface()
            if interface is not None:
                interface.check(description)
        seconds = START_SECONDS + SECONDS_PER_VERTEX * position.board.n
        message = {
            "start": {
                "kind": self.spec.kind,
                "path": self.spec.target,
                "entry": self.spec.entry,
                "game": game.name,
                "board": to_data(position.board),
                "setup": description,
                "seat": seat,
                "seed": self.seed,
            }
        }
        answer = self._ask(message, seconds, Reason.NO_START)
        self.name = printable(str(answer.get("name") or self.spec.label), 60)

    def play(self, moves: list[int], time_left: TimeLeft) -> int:
        """Ask for a move; the process is killed at its deadline."""
        limits = [limit for limit in (time_left.move, time_left.game) if limit is not None]
        seconds = min(limits) if limits else MOVE_SECONDS
        answer = self._ask({"play": [moves, list(time_left)]}, seconds + GRACE, Reason.CRASH)
        move = answer.get("move")
        if not isinstance(move, int) or isinstance(move, bool):
            raise self.fault(Reason.PROTOCOL, f"the host answered {printable(repr(answer), 200)}")
        return move

    def finish(self, outcome: Outcome | None) -> None:
        """End the game and the process; what goes wrong here no longer changes the result."""
        if self._process is None:
            return
        try:
            if not self._lost and self._process.poll() is None:
                ranks = None if outcome is None else list(outcome.ranks)
                self._ask({"finish": ranks}, FINISH_SECONDS, Reason.CRASH)
        except PlayerFault:
            pass  # the game has its result; the process is ended below in any case
        finally:
            self.kill()

    def kill(self) -> None:
        """End the host and all that came out of it."""
        self._lost = True
        if self._process is not None:
            kill_all(self.token, self._process.pid if self._process.poll() is None else None)
            self._process.wait()
        if self._channel is not None:
            self._channel.close()

    def log(self) -> str:
        """Return the head and the tail of what the player printed."""
        return self._log.text() if self._log is not None else ""

    def fault(self, reason: Reason, message: str) -> PlayerFault:
        """End the player and return the fault, with its log."""
        self.kill()
        return PlayerFault(reason, f"{self.spec.label}: {message}", self.log())

    def _ask(self, message: Any, seconds: float, otherwise: Reason) -> Mapping[str, Any]:
        """Send a request and return the answer; turn all that can go wrong into a fault.

        Parameters
        ----------
        otherwise
            The reason given when the process ends, or runs out of time, in this phase.
        """
        channel, process = self._channel, self._process
        if self._lost or channel is None or process is None:
            raise self.fault(otherwise, "the player is not running")
        starting = otherwise is Reason.NO_START
        try:
            channel.send(message)
            answer = channel.receive(seconds)
        except TimeoutError:
            reason = Reason.NO_START if starting else Reason.TIMEOUT
            doing = "was not ready" if starting else "gave no move"
            raise self.fault(reason, f"{doing} within {seconds - GRACE:.3g} s") from None
        except ChannelClosed:
            raise self.fault(otherwise, self._how_it_ended()) from None
        except ChannelGarbage as error:
            raise self.fault(Reason.PROTOCOL, str(error)) from None
        if not isinstance(answer, dict):
            raise self.fault(Reason.PROTOCOL, f"answered {printable(repr(answer), 200)}")
        if "fault" in answer:
            raise self._reported(answer, otherwise)
        return answer

    def _reported(self, answer: Mapping[str, Any], otherwise: Reason) -> PlayerFault:
        text = printable(str(answer.get("text", "")))
        try:
            reason = Reason(answer["fault"])
        except ValueError:
            return self.fault(Reason.PROTOCOL, f"answered {printable(repr(answer), 200)}")
        return self.fault(Reason.NO_START if otherwise is Reason.NO_START else reason, text)

    def _how_it_ended(self) -> str:
        assert self._process is not None
        try:
            return f"the player {ending(self._process.wait(0.2))}"
        except subprocess.TimeoutExpired:
            return "the player closed its answer channel"
