"""The process that runs one foreign player: ``python -m ludograph.players.host DESCRIPTOR``.

The descriptor is one end of a private socket to the referee. Whatever the player prints goes to
standard output and error, which the referee keeps as its log.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import sys
import traceback
from typing import Any, Protocol

from ludograph.errors import InvalidInput
from ludograph.players.channel import START_LIMIT, Channel, ChannelClosed

PR_SET_PDEATHSIG = 1
TRACE_LINES = 20


class Runner(Protocol):
    """One kind of player inside its host; what it raises is the player's fault."""

    def start(self, order: dict[str, Any]) -> str | None:
        """Load the player and begin a game; return the player's own name."""

    def play(self, moves: list[int], time_left: list[Any]) -> dict[str, Any]:
        """Return ``{"move": code}`` or ``{"fault": reason, "text": ...}``."""

    def finish(self, ranks: list[int] | None) -> None:
        """End the game."""


def runner(kind: str) -> Runner:
    """Return the runner for a kind of player; its imports are paid for only when needed."""
    if kind == "library":
        from ludograph.players.library_host import LibraryRunner

        return LibraryRunner()
    from ludograph.players.python_host import PythonRunner

    return PythonRunner()


def main() -> None:
    """Serve the referee until it hangs up."""
    # If the referee is killed, so is this process.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    connection = socket.socket(fileno=int(sys.argv[1]))
    os.set_inheritable(connection.fileno(), False)
    channel = Channel(connection, START_LIMIT)
    player: Runner | None = None
    try:
        while True:
            message = channel.receive()
            if "start" in message:
                order = message["start"]
                player = runner(order["kind"])
                channel.send(_guarded(_start, player, order, reason="no-start"))
            elif player is None:
                raise ChannelClosed("the first message must be a start")
            elif "play" in message:
                channel.send(_guarded(player.play, *message["play"], reason="crash"))
            else:
                channel.send(_guarded(_finish, player, message["finish"], reason="crash"))
                return
    except ChannelClosed:
        return


def _start(player: Runner, order: dict[str, Any]) -> dict[str, Any]:
    return {"name": player.start(order)}


def _finish(player: Runner, ranks: list[int] | None) -> dict[str, Any]:
    player.finish(ranks)
    return {"finished": True}


def _guarded(function: Any, *args: Any, reason: str) -> dict[str, Any]:
    """Call the player's code; an exception becomes the answer that says so."""
    try:
        answer: dict[str, Any] = function(*args)
        return answer
    except InvalidInput as error:
        return {"fault": reason, "text": str(error)}
    except BaseException as error:  # noqa: BLE001  (SystemExit too is only this player's end)
        traceback.print_exc(limit=-TRACE_LINES)
        return {"fault": reason, "text": f"{type(error).__name__}: {error}"[:4000]}


if __name__ == "__main__":
    main()
