"""The process that runs one foreign player, forked by :mod:`ludograph.hosting.supervisor`.

It answers the referee on a private socket. The player's output goes to standard output and error,
which the referee stores as its log.
"""

from __future__ import annotations

import fcntl
import json
import os
import resource
import socket
import sys
import traceback
from collections.abc import Callable
from typing import Any

import msgspec

from ludograph.errors import HostFailure, InvalidInput
from ludograph.formatting import one_line, printable
from ludograph.hosting.channel import START_LIMIT, Answer, Channel, ChannelClosed, ChannelGarbage
from ludograph.players.forfeit import PlayerFault, Reason, error_text, own_part
from ludograph.players.isolation import Level

TRACE_LIMIT = -20
"""The innermost calls of a traceback that are printed."""

THOUGHTS_LIMIT = 48 << 10
"""The greatest size of an analysis in bytes; less than that of a frame."""

HIGH = 700
"""The channel's descriptor is above those that a careless player closes in a loop."""


class Runner:
    """One kind of player inside its host; an exception is the player's fault.

    By default it needs no preparation, leaves no notes, and sends no analysis.
    """

    def prepare(self, needed: str) -> None:
        """Prepare for games; none of the player's code runs yet.

        Parameters
        ----------
        needed
            The game's name; for a library, the result of ``LibraryInterface.description``, as JSON.

        Raises
        ------
        InvalidInput
            If something is missing on this machine, which is not the player's fault.
        """

    def share(self, memory: Any) -> None:
        """Write notes for a crash report into a page shared with another process."""

    def start(self, order: dict[str, Any]) -> Answer:
        """Load the player and begin a game; the answer has the player's own name."""
        raise NotImplementedError

    def play(self, question: Any) -> Answer:
        """Ask for a move; the question is that of the player's dialogue."""
        raise NotImplementedError

    def thoughts(self) -> Answer:
        """Return the player's analysis of its last move; never a fault."""
        return Answer()

    def finish(self, result: Any) -> None:
        """End the game; the result is that of the player's dialogue, None if it was stopped."""
        raise NotImplementedError


def prepare(player: Runner, needed: str) -> str:
    """Prepare a player; return a sentence on what this machine lacks for it, if anything."""
    try:
        player.prepare(needed)
    except InvalidInput as error:
        return str(error)
    return ""


def serve(
    descriptor: int, player: Runner, missing: str, page: Any = None, level: str = Level.NONE
) -> int:
    """Serve the referee until the game is over or the channel is closed; return the exit code.

    Parameters
    ----------
    descriptor
        The descriptor of the channel.
    missing
        What :func:`prepare` has returned for the player.
    page
        Memory shared with a process that outlives this one; None if there is none.
    level
        The level of this process's isolation.
    """
    if page is not None:
        player.share(page)
    channel = Channel(socket.socket(fileno=_high(descriptor)), START_LIMIT)
    own = os.getpid()
    try:
        if missing:
            channel.send(Answer(broken=missing))
            return 1
        channel.send(Answer(ready=True, isolation=level))
        while True:
            message = channel.receive()
            if "start" in message:
                answer = _guarded(player.start, message["start"], reason=Reason.NO_START)
            elif "play" in message:
                answer = _guarded(player.play, message["play"], reason=Reason.CRASH)
            elif "thoughts" in message:
                answer = _thoughts(player)
            else:
                answer = _guarded(_finish, player, message["finish"], reason=Reason.CRASH)
            if os.getpid() != own:
                return 1  # the player has forked, and its child came back here
            answer.id = message["id"]
            _send(channel, answer)
    except ChannelClosed:
        return 0
    except ChannelGarbage:  # only the player itself can have removed bytes
        return 1


def _high(descriptor: int) -> int:
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if limit != resource.RLIM_INFINITY and limit <= HIGH:
        return descriptor
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, HIGH)
    os.close(descriptor)
    return moved


def _finish(player: Runner, result: Any) -> Answer:
    player.finish(result)
    return Answer(finished=True)


def _thoughts(player: Runner) -> Answer:
    """Ask for the player's analysis; a failure is reported in words, and is no fault."""
    try:
        answer = player.thoughts()
        plain = msgspec.to_builtins(answer.thoughts)
        encoded = json.dumps(plain, allow_nan=False, ensure_ascii=False).encode()
        if len(encoded) > THOUGHTS_LIMIT:
            return Answer(text=f"they have more than {THOUGHTS_LIMIT} bytes")
        answer.thoughts = msgspec.Raw(encoded)
    except BaseException as error:  # noqa: BLE001  (the player's code, or its objects)
        return Answer(text=error_text(error) + place_of(error))
    return answer


def _guarded(function: Callable[..., Answer], *args: Any, reason: Reason) -> Answer:
    """Call the player's code; turn an exception into an answer."""
    try:
        return function(*args)
    except InvalidInput as error:
        return Answer(fault=reason, text=str(error))
    except HostFailure as error:
        return Answer(broken=str(error))
    except PlayerFault as fault:
        _print_trace(fault.__cause__ or fault)
        return Answer(fault=reason, text=fault.message)
    except BaseException as error:  # noqa: BLE001  (SystemExit too ends only this player)
        _print_trace(error)
        return Answer(fault=reason, text=error_text(error) + place_of(error))


def place_of(error: BaseException) -> str:
    """Return the failed line in the player's code, as in `` (bot.py, line 3)``; or nothing."""
    trace = own_part(error)
    if trace is None:
        return ""
    folder, place = os.path.dirname(trace.tb_frame.f_code.co_filename), ""
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if os.path.dirname(file) == folder:
            place = f" ({one_line(os.path.basename(file))}, line {trace.tb_lineno})"
        trace = trace.tb_next
    return place


def _send(channel: Channel, answer: Answer) -> None:
    """Send an answer with its texts bounded; a lone surrogate could not even be sent."""
    answer.name = one_line(answer.name) if answer.name is not None else None
    answer.text = printable(answer.text)
    answer.illegal = printable(answer.illegal)
    try:
        channel.send(answer)
    except ChannelClosed as error:
        os.write(2, f"the answer cannot be sent, its channel is closed: {error}\n".encode())
        raise


def _print_trace(error: BaseException) -> None:
    """Print the traceback of the player's own code, without the frames of this package."""
    try:
        kept = own_part(error)
        traceback.print_exception(type(error), error, kept, TRACE_LIMIT, sys.__stderr__)
    except BaseException:  # noqa: BLE001  (the player's exception cannot be printed, or stderr)
        return
