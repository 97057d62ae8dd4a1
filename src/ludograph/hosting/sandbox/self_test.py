"""The self-test of isolation: each level is tried on this machine."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from ludograph.errors import InvalidInput
from ludograph.hosting.sandbox import landlock, seccomp
from ludograph.hosting.sandbox.readable_paths import system
from ludograph.hosting.sandbox.sandbox import Sandbox
from ludograph.players.isolation import STRONGEST_FIRST, Level

REASON_BYTES = 1000

OUTSIDE = "/etc/passwd"
"""A file that every process can read, except isolated players."""


def strongest(levels: Sequence[Level] = STRONGEST_FIRST) -> tuple[Level | None, dict[Level, str]]:
    """Return the first level that works here, and the reasons against those before it."""
    reasons: dict[Level, str] = {}
    for level in levels:
        reason = why_not(level)
        if not reason:
            return level, reasons
        reasons[level] = reason
    return None, reasons


def check_isolation(level: Level | None) -> Level:
    """Return the level that works here: the requested one, or else the strongest.

    Raises
    ------
    InvalidInput
        If it does not work here.
    """
    found, reasons = strongest(STRONGEST_FIRST if level is None else [level])
    if found is None:
        raise InvalidInput(no_isolation(reasons))
    return found


def no_isolation(reasons: Mapping[Level, str]) -> str:
    """Return the sentence on why other people's players cannot run here."""
    told = "; ".join(f"{level}: {reason}" for level, reason in reasons.items())
    return (
        f"players' files cannot be isolated here ({told}): 'ludograph doctor' tells what helps, "
        "and --isolation none runs those that you trust"
    )


def why_not(level: Level) -> str:
    """Return why a level does not work here; an empty text if it does.

    A forked process enters an empty sandbox, and then tries all actions that must fail there.
    """
    if level is Level.NONE:
        return ""
    try:
        instructions = seccomp.program(level)
    except OSError as error:
        return str(error)
    if level is Level.BASIC and not landlock.version():
        return "this kernel has no Landlock, or it is switched off"
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        _say(write_end, lambda: _supervisor(level, instructions, write_end))
    os.close(write_end)
    with suppress(ChildProcessError):  # if children are reaped automatically
        os.waitpid(child, 0)
    with open(read_end, "rb") as file:  # it ends when all processes have ended
        said = file.read(REASON_BYTES).decode()
    return "" if said == "+" else said or "the process that tried it died"


def _say(descriptor: int, action: Callable[[], str]) -> None:
    """Write what an action returns or raises, and end this process."""
    try:
        told = action()
    except BaseException as error:  # noqa: BLE001  (it is the answer)
        told = str(error) or type(error).__name__
    os.write(descriptor, told.encode()[:REASON_BYTES])
    os._exit(0)


def _supervisor(level: Level, instructions: bytes, descriptor: int) -> str:
    sandbox = Sandbox(level, system(), instructions=instructions)
    sandbox.enter()
    child = sandbox.fork()
    if child == 0:
        _say(descriptor, lambda: _player(sandbox))
    sandbox.admit(child)
    os.waitpid(child, 0)
    return ""


def _player(sandbox: Sandbox) -> str:
    """Confine this process; return ``+`` if all forbidden actions fail."""
    sandbox.confine()
    with suppress(OSError), socket.socket():
        return "a socket can be opened"
    with suppress(OSError):
        os.close(os.open(OUTSIDE, os.O_RDONLY))
        return f"{OUTSIDE} can be read"
    with suppress(OSError):
        os.mkdir("/ludograph-trial")
        return "a folder can be made"
    return "+"
