"""Worker processes of the web server, and the fork server that creates them.

The fork server imports all games once, so a new worker starts at once and shares that memory. A
worker runs one task at a time. All processes end with the server, even if it is killed.

    python -m ludograph.web.server.worker DESCRIPTOR
"""

from __future__ import annotations

import gc
import os
import pickle
import resource
import signal
import socket
import sys
import time
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from ludograph.arena.store.integrity import DamagedStore
from ludograph.errors import HostFailure, LudographError
from ludograph.games.registry import declaration, names
from ludograph.hosting.sandbox.syscalls import PR_SET_PDEATHSIG, prctl
from ludograph.rules.announcer import announcer

MEMORY = 2 << 30
"""The most bytes of a worker's memory."""

KEPT_MEMORY = 384 << 10
"""KiB of resident memory above which a worker ends after its task and is replaced."""


class Reply(NamedTuple):
    """A worker's message: the result of a task, or the start and end of a compilation.

    Attributes
    ----------
    value
        The result; or the sentence of an invalid input, or a traceback; or the name of the kernels
        being compiled, empty at their end.
    last
        Whether this worker ends now.
    cost
        Seconds of CPU time of the task.
    """

    kind: str
    value: Any
    last: bool = False
    cost: float = 0.0


DONE, REFUSED, DAMAGED, HOST_FAILED = "done", "refused", "damaged", "host failed"
FAILED, PREPARING = "failed", "preparing"


def serve(control: socket.socket) -> None:
    """Fork a worker for every received descriptor, until the server closes the socket or ends.

    A byte comes with each descriptor: the niceness of the worker, added to that of this process.
    """
    announcer.enabled = False
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # workers are not waited for
    import_games()
    gc.freeze()  # shared pages are not copied by the garbage collector
    while True:
        data, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not data:
            return
        for descriptor in descriptors:  # none if this process has too many open files
            with suppress(OSError):  # no process is left: the server sees the connection close
                if os.fork() == 0:
                    control.close()
                    _work_to_the_end(descriptor, data[0])
            os.close(descriptor)


def import_games() -> None:
    """Import all games with their strategies, so that no piece of work waits for an import."""
    for name in names():
        declaration(name).game().strategies  # noqa: B018


def _work_to_the_end(descriptor: int, niceness: int) -> None:
    """Run as a worker until the server closes the connection, then exit."""
    code = 1
    try:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.nice(niceness)
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        with socket.socket(fileno=os.dup(descriptor)) as line:
            own = os.pidfd_open(os.getpid())
            socket.send_fds(line, [b"."], [own])  # the server uses it to kill this process
            os.close(own)
        with Connection(descriptor) as line:
            work(line)
        code = 0
    finally:
        os._exit(code)


def work(line: Connection) -> None:
    """Run tasks, one after the other, until the server closes the connection."""

    def preparing(text: str) -> None:
        line.send_bytes(pickle.dumps(Reply(PREPARING, text)))

    announcer.enabled, announcer.line = True, preparing
    while True:
        try:
            function, arguments = pickle.loads(line.recv_bytes())
        except EOFError:
            return
        reply = done(function, arguments)
        try:
            line.send_bytes(pickle.dumps(reply))
        except OSError:  # the server has ended
            return
        if reply.last:
            return


def done(function: Any, arguments: tuple[Any, ...]) -> Reply:
    """Run a task; return its reply."""
    began = time.process_time()
    try:
        value = function(*arguments)
    except DamagedStore as error:
        return Reply(DAMAGED, str(error))
    except HostFailure as error:
        return Reply(HOST_FAILED, str(error))
    except LudographError as error:
        return Reply(REFUSED, str(error))
    except MemoryError:
        return Reply(REFUSED, "this takes more memory than this server has for it", last=True)
    except Exception:  # noqa: BLE001  (the server logs it)
        return Reply(FAILED, traceback.format_exc())
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    cost = time.process_time() - began
    return Reply(DONE, value, last=resident > KEPT_MEMORY, cost=cost)


if __name__ == "__main__":
    # Imported by its name, so that there is only one class Reply.
    from ludograph.web.server.worker import serve as serve_by_name

    with socket.socket(fileno=int(sys.argv[1])) as line:
        serve_by_name(line)
