"""The process above a player's: it ends the player with all that came out of it.

It forks the process that becomes the player. As a *subreaper* it inherits every orphan among the
player's descendants, daemons in sessions of their own included, so it can find and kill them all.
That happens when the player ends, when the referee hangs up the lifeline, and when the referee
dies, however it does.

It runs none of the player's code and imports no more than it needs. A player that attacks this
process is held by the sandbox, not by this.
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import select
import signal
import socket
import struct
import time
import traceback
from collections.abc import Callable
from typing import NoReturn

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
STATUS = struct.Struct("<i")


def keep(channel: int, lifeline: int, referee: int, host: Callable[[mmap.mmap], int]) -> NoReturn:
    """Fork the player's process and watch over it; end when all of its processes are dead.

    The lifeline takes the number of the player's process, with a descriptor of this one, and in
    the end the wait status of the player's with the page that the two share.

    Parameters
    ----------
    channel, lifeline
        Sockets; the channel is the player's.
    referee
        A descriptor of its process.
    host
        Called with the page in the player's process, which ends with the code that it returns.
    """
    page = mmap.mmap(-1, mmap.PAGESIZE)
    prctl = ctypes.CDLL(None).prctl
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    keeper = os.getpid()
    watched = [lifeline, referee]
    player = os.fork()
    if player == 0:
        os.setsid()
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != keeper:
            os._exit(1)
        for descriptor in watched:
            os.close(descriptor)
        become(lambda: host(page))
    os.close(channel)
    with socket.socket(fileno=lifeline) as line, contextlib.suppress(OSError):
        # Where the referee has hung up already, sending fails and the end is near.
        socket.send_fds(line, [STATUS.pack(player)], [os.pidfd_open(keeper)])
        line.sendall(STATUS.pack(watch(player, watched)) + page[:])
    end_all(player)
    os._exit(0)


def become(host: Callable[[], int]) -> NoReturn:
    """Be the player's host, to the end of the process."""
    code = 1
    try:
        code = host()
    except BaseException:  # noqa: BLE001  (whatever it is, it must not return to the keeper)
        traceback.print_exc()
    finally:
        os._exit(code)


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
