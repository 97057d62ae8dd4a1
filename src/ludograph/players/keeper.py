"""The process above a player's: it ends the player with all that came out of it.

It runs as a script, ``python keeper.py CHANNEL LIFELINE REFEREE KIND GAME ROOT``, and forks the
process that becomes the player. As a *subreaper* it inherits every orphan among the player's
descendants, daemons in sessions of their own included, so it can find and kill them all. That
happens when the player ends, when the referee hangs up the lifeline, and when the referee dies,
however it does.

It runs none of the player's code and imports no more than it needs. A player that attacks this
process is held by the sandbox, not by this.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import select
import signal
import socket
import struct
import sys
import time
import traceback
from types import ModuleType

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
PID = struct.Struct("<i")


def main() -> None:
    """Fork the player's process and watch over it."""
    channel, lifeline, referee = (int(text) for text in sys.argv[1:4])
    os.set_inheritable(channel, False)
    os.set_inheritable(lifeline, False)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    prctl = ctypes.CDLL(None).prctl
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    try:
        watched = [lifeline, os.pidfd_open(referee)]
    except OSError:
        os._exit(1)
    if os.getppid() != referee:  # it died before this process watched it
        os._exit(1)
    keeper = os.getpid()
    player = os.fork()
    if player == 0:
        os.setsid()
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != keeper:
            os._exit(1)
        for descriptor in watched:
            os.close(descriptor)
        run(channel, *sys.argv[4:7])
    os.close(channel)
    with socket.socket(fileno=lifeline) as line:
        line.sendall(PID.pack(player))
        status = watch(player, watched)
        # The referee sees the end of the lifeline when this process is gone.
        end_like(status)


def run(channel: int, kind: str, game: str, root: str) -> None:
    """Become the player's host; the root is where ludograph is, should it not be installed."""
    sys.path.append(root)
    code = 1
    try:
        if kind != "python":
            bare_package("ludograph.players", root)
            bare_package("ludograph.games", root)
            bare_package(f"ludograph.games.{game}", root)
        from ludograph.players.host import serve

        code = serve(channel, kind, game)
    except BaseException:  # noqa: BLE001  (whatever it is, it must not return to the keeper)
        traceback.print_exc()
    finally:
        os._exit(code)


def bare_package(name: str, root: str) -> None:
    """Let a package's modules be imported without all that the package offers to its users.

    The host of a C library or a program needs a few light modules; NumPy and the boards, which it
    does not need, would more than double the time that it takes to start.
    """
    package = ModuleType(name)
    package.__path__ = [os.path.join(root, *name.split("."))]
    sys.modules[name] = package


def watch(player: int, watched: list[int]) -> int:
    """Wait for an end; return the wait status of the player's process, all others dead too."""
    poll = select.poll()
    for descriptor in (*watched, os.pidfd_open(player)):
        poll.register(descriptor, select.POLLIN)
    poll.poll()
    with contextlib.suppress(OSError):  # it has not become a leader yet, or is gone
        os.killpg(player, signal.SIGKILL)  # at once, so that a bomb of forks has no time to grow
    return end_all(player)


def end_all(player: int) -> int:
    """Kill all descendants; return the wait status of one of them."""
    result = 0
    while True:
        try:
            process, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return result
        if process == player:
            result = status
        elif process == 0:
            for one in descendants(os.getpid()):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(one, signal.SIGKILL)
            time.sleep(0.0005)


def descendants(root: int) -> list[int]:
    """Return the processes below one, from the parents in ``/proc``."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", "rb") as file:
                    fields = file.read().rpartition(b")")[2].split()
            except OSError:
                continue  # it ended meanwhile
            children.setdefault(int(fields[1]), []).append(int(entry))
    found = list(children.get(root, []))
    for process in found:  # it grows on the way
        found += children.get(process, [])
    return found


def end_like(status: int) -> None:
    """End this process in the way that the player's ended."""
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        if code != -signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(max(code, 0))


if __name__ == "__main__":
    main()
