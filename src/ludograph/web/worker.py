"""The processes in which a server does costly work: a fork server, and the workers that it forks.

The fork server imports all games once; a worker is there a moment after it is asked for, and shares
that memory. It does one piece of work at a time. All of them end with the server, however it ends.

    python -m ludograph.web.worker DESCRIPTOR
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
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from ludograph.arena.store.integrity import DamagedStore
from ludograph.errors import LudographError
from ludograph.games.registry import declaration, names
from ludograph.players.isolation.kernel import PR_SET_PDEATHSIG, prctl
from ludograph.rules.announcer import announcer

MEMORY = 2 << 30
"""Bytes that a worker may have."""

KEPT_MEMORY = 384 << 10
"""KiB of resident memory above which a worker ends after its work, and another takes its place."""


class Reply(NamedTuple):
    """What a worker says when it has done its work, and of what takes its time once.

    Attributes
    ----------
    value
        The result; or the sentence of a refusal, or the traceback of a fault of ours; or what is
        compiled now, empty when that has been done.
    last
        Whether this worker ends now.
    cost
        Seconds of processor time that the work has taken.
    """

    kind: str
    value: Any
    last: bool = False
    cost: float = 0.0


DONE, REFUSED, DAMAGED = "done", "refused", "damaged"
FAILED, PREPARING = "failed", "preparing"


def serve(control: socket.socket) -> None:
    """Fork a worker for every descriptor that comes, until the server hangs up or dies.

    Before each descriptor stands a byte: how much nicer than this process the worker is to others.
    """
    announcer.enabled = False
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for workers
    import_games()
    gc.freeze()  # what all share is not written to
    while True:
        data, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not data:
            return
        if os.fork() == 0:
            control.close()
            _work_to_the_end(descriptors[0], data[0])
        os.close(descriptors[0])


def import_games() -> None:
    """Import all games with their strategies, so that no piece of work waits for an import."""
    for name in names():
        declaration(name).game().strategies  # noqa: B018


def _work_to_the_end(descriptor: int, niceness: int) -> None:
    """Be a worker, and nothing else afterwards."""
    code = 1
    try:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.nice(niceness)
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        with socket.socket(fileno=os.dup(descriptor)) as line:
            own = os.pidfd_open(os.getpid())
            socket.send_fds(line, [b"."], [own])  # by which the server can end this process
            os.close(own)
        with Connection(descriptor) as line:
            work(line)
        code = 0
    finally:
        os._exit(code)


def work(line: Connection) -> None:
    """Do what comes, one after the other, until the server hangs up."""

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
    """Do a piece of work; return what came of it."""
    began = time.process_time()
    try:
        value = function(*arguments)
    except DamagedStore as error:
        return Reply(DAMAGED, str(error))
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
    # By its name, so that there is one class Reply.
    from ludograph.web.worker import serve as serve_by_name

    with socket.socket(fileno=int(sys.argv[1])) as line:
        serve_by_name(line)
