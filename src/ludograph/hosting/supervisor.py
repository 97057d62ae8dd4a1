"""The supervisor: the parent of a player's process, which ends it with all its descendants.

It forks the process that becomes the player. As a *subreaper* it inherits every orphan among the
player's descendants, daemons in their own sessions included, so it can find and kill them all. It
does so when the player ends, when the referee closes the lifeline, and when the referee ends for
any reason.

It runs no code of the player and imports only what it needs. Under ``strict`` isolation it is the
first process of the player's namespaces: nothing in there outlives it, and nothing can signal it.
It also limits the memory of the player's processes, if the kernel does not.

What others do with a supervisor, and with its lifeline, follows at the end.
"""

from __future__ import annotations

import mmap
import os
import resource
import select
import signal
import socket
import struct
import sys
import time
import traceback
from array import array
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple, NoReturn

from ludograph.hosting.process_tree import descendants
from ludograph.hosting.sandbox.control_group import ControlGroup
from ludograph.hosting.sandbox.memory import held, pause
from ludograph.hosting.sandbox.sandbox import Sandbox
from ludograph.hosting.sandbox.syscalls import (
    PR_SET_CHILD_SUBREAPER,
    PR_SET_DUMPABLE,
    PR_SET_PDEATHSIG,
    prctl,
)

STATUS = struct.Struct("<i")
VERDICT = struct.Struct("<?")
"""Whether a player used too much memory. It is sent before its processes are ended, which may take
longer than the referee waits."""

REPORT = struct.Struct("<idq")
"""The report on the player's end: the wait status of its process, the processor seconds of all its
processes, and the most bytes used."""

SUPERVISOR_SECONDS = 0.25
"""Seconds for the supervisor to end all processes of the player before others do it."""

LEFTOVER_SECONDS = 1.0
"""Seconds for the fork server to end what a killed supervisor has left."""

FIRST = -20
"""The priority of the supervisor while it ends others."""

AT_ONCE = 300
"""The number of searches for remaining processes without a pause between them."""


class Report(NamedTuple):
    """The end of a player's processes, and the resources that they used; see ``REPORT``."""

    status: int
    seconds: float
    most: int


def supervise(
    channel: int,
    lifeline: int,
    referee: int,
    memory: int,
    host: Callable[[mmap.mmap], int],
    sandbox: Sandbox,
) -> NoReturn:
    """Fork the player's process and watch over it; end when all of its processes are dead.

    First the lifeline sends the number of the player's process in this namespace, with descriptors
    of this process, of the player's, and of the folder of its control group, if there is one. At
    the end it sends the verdict, and the report with the shared page.

    Parameters
    ----------
    channel, lifeline
        Descriptors of sockets to the referee; the channel is the host's.
    referee
        A descriptor of the referee's process.
    memory
        The memory limit of the player's processes together, in bytes.
    host
        Called with the page in the player's process; returns its exit code.
    sandbox
        The sandbox of this process, which the player's process then enters.
    """
    page = mmap.mmap(-1, mmap.PAGESIZE)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    supervisor = os.getpid()
    player = sandbox.fork()
    if player == 0:
        os.setsid()
        signal.pthread_sigmask(signal.SIG_SETMASK, [])  # unblock inherited signals
        os.close(referee)
        os.close(lifeline)
        become("host", lambda: confined(sandbox, supervisor, lambda: host(page)))
    sandbox.admit(player)
    prctl(PR_SET_DUMPABLE, 0)  # root owns its files in /proc: the player may have the same user
    os.close(channel)
    watched = [lifeline, referee]
    with socket.socket(fileno=lifeline) as line, suppress(OSError):
        # If the referee has closed the lifeline already, sending fails and the end follows.
        ends = [os.pidfd_open(supervisor), os.pidfd_open(player)]
        ends += [] if sandbox.group is None else [sandbox.group.folder]
        socket.send_fds(line, [STATUS.pack(player)], ends)
        most, too_much = watch(player, watched, memory, sandbox)
        line.sendall(VERDICT.pack(too_much))
        line.sendall(REPORT.pack(*end_player(player, most, sandbox.group)) + page[:])
    end_all(player)
    sandbox.clear()
    os._exit(0)


def confined(sandbox: Sandbox, supervisor: int, host: Callable[[], int]) -> int:
    """Enter the sandbox and run the host; this process ends with its supervisor."""
    sandbox.confine()
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    return host() if os.getppid() == supervisor else 1


def become(name: str, act: Callable[[], int]) -> NoReturn:
    """Act as the process of a name, in one that was just forked, and end it."""
    code = 1
    try:
        code = act()
    except OSError as error:  # the machine lacks something
        print(f"the {name} cannot go on: {error}", file=sys.stderr)
    except BaseException:  # noqa: BLE001  (no exception may return to what has forked it)
        traceback.print_exc()
    finally:
        os._exit(code)


def watch(player: int, watched: list[int], memory: int, sandbox: Sandbox) -> tuple[int, bool]:
    """Wait for an end, or for too much memory; return the most bytes, and whether it was memory."""
    group = sandbox.group
    limited = group is not None and group.limit(memory)
    poll = select.poll()
    for descriptor in (*watched, os.pidfd_open(player)):
        poll.register(descriptor, select.POLLIN)
    now = most = 0
    while now <= memory and not poll.poll(None if limited else pause(memory - now) * 1000.0):
        now = held(descendants(os.getpid()), memory, sandbox.scratch)
        most = max(most, now)
    return most, now > memory or (group is not None and group.ran_out())


def end_player(player: int, most: int, group: ControlGroup | None) -> Report:
    """End all processes of a player; return the report.

    Parameters
    ----------
    player
        The player's first process.
    most
        The most bytes measured.
    group
        The player's control group, if there is one.
    """
    if group is not None:
        group.freeze()  # so that a fork bomb stops growing and using the processors
        group.kill()
    with suppress(OSError):  # it is not a group leader yet, or is gone
        os.killpg(player, signal.SIGKILL)
    status = end_all(player)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime
    most = max(most, used.ru_maxrss * 1024, group.most() if group is not None else 0)
    return Report(status, seconds, most)


def end_all(player: int) -> int:
    """Kill all descendants; return the wait status of one of them.

    When a process is killed, its children become this one's; its death ends the wait, and this
    process searches again. A chain of processes, each of which starts the next and ends, is always
    one step ahead of the search. So while new ones are found, this process does not wait between
    two searches, and runs with a high priority if it may.
    """
    result, rounds = 0, 0
    with suppress(OSError):  # only root may
        os.setpriority(os.PRIO_PROCESS, 0, FIRST)
    known: set[int] = set()
    options = os.WNOHANG
    while True:
        try:
            process, status = os.waitpid(-1, options)
        except ChildProcessError:
            return result
        options = os.WNOHANG
        if process == player:
            result = status
        elif process == 0:
            found = kill_below()
            if found <= known:
                options = 0  # all are about to die
            known |= found
            rounds += 1
            if rounds > AT_ONCE:
                time.sleep(0.0005)


def kill_below() -> set[int]:
    """Kill all processes below this one; return those found by a search."""
    if os.getpid() == 1:  # first of its namespaces: the kernel knows them all
        with suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
        return set()
    found = set(descendants(os.getpid()))
    for one in found:
        with suppress(ProcessLookupError):
            os.kill(one, signal.SIGKILL)
    return found


def number_of(process: int) -> int:
    """Return the number of a process in this namespace, from its descriptor."""
    with open(f"/proc/self/fdinfo/{process}", encoding="ascii") as file:
        fields = dict(line.split(":", 1) for line in file)
    return int(fields["Pid"])


def received(line: socket.socket, size: int, seconds: float) -> bytes:
    """Return the received bytes, up to a size, or until no more come in time."""
    found = b""
    while len(found) < size and readable(line.fileno(), seconds):
        chunk = line.recv(size - len(found))
        if not chunk:
            break
        found += chunk
    return found


def received_with_descriptors(
    line: socket.socket, size: int, count: int
) -> tuple[bytes, list[int]]:
    """Wait for a message; return it and the descriptors that came with it, at most ``count``.

    Programs that this process starts do not get them: ``socket.recv_fds`` ignores such a flag
    in Python 3.11. The message is empty if the other end is closed.
    """
    numbers = array("i")
    space = socket.CMSG_LEN(count * numbers.itemsize)
    data, notes, _, _ = line.recvmsg(size, space, socket.MSG_CMSG_CLOEXEC)
    for level, kind, rights in notes:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            numbers.frombytes(rights[: len(rights) - len(rights) % numbers.itemsize])
    return data, list(numbers)


def readable(descriptor: int, seconds: float | None = None) -> bool:
    """Wait until something can be read, or a process has ended; return whether in time."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(None if seconds is None else seconds * 1000.0))


PATIENCE = 0.01
"""Seconds until a supervisor that has not ended is resumed, in case it was stopped."""


def end(supervisor: int, seconds: float) -> None:
    """Wait at most this time for a supervisor to end by itself; then kill it.

    Parameters
    ----------
    supervisor
        A descriptor of the supervisor's process.
    """
    until = time.perf_counter() + seconds
    with suppress(ProcessLookupError):
        while not readable(supervisor, PATIENCE) and time.perf_counter() < until:
            signal.pidfd_send_signal(supervisor, signal.SIGCONT)
        signal.pidfd_send_signal(supervisor, signal.SIGKILL)
    readable(supervisor)
