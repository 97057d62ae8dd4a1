"""Workers of a fork server: their deadline, and their end."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import socket
import subprocess
import threading
import time
from multiprocessing.connection import Connection

import pytest

from ludograph.workers import Done, TooLong, Worker

TASK = pickle.dumps((len, ("abc",)))


@pytest.fixture
def sleeping():
    """A worker whose process sleeps, its end of the line, and the process."""
    ours, theirs = socket.socketpair()
    process = subprocess.Popen(["sleep", "1000"])
    descriptor = os.pidfd_open(process.pid)
    socket.send_fds(theirs, [b"."], [descriptor])
    os.close(descriptor)
    with Connection(theirs.detach()) as line:
        yield Worker(ours), line, process
    process.kill()
    process.wait()


def test_a_worker_is_spent_at_its_deadline_and_killed(sleeping) -> None:
    worker, line, process = sleeping
    with pytest.raises(TooLong):
        asyncio.run(worker.do(TASK, 0.01))
    assert pickle.loads(line.recv_bytes()) == (len, ("abc",))
    assert worker.is_spent
    worker.close()
    assert process.wait(60) == -signal.SIGKILL


def test_a_worker_may_be_cancelled_in_the_moment_in_which_it_has_started(sleeping) -> None:
    worker, _, _ = sleeping
    errors: list[dict] = []

    async def cancelled():
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, error: errors.append(error))
        doing = asyncio.create_task(worker.do(TASK, 100.0))
        await asyncio.sleep(0)  # it waits for the process, which is there
        loop.call_soon(doing.cancel)
        with pytest.raises(asyncio.CancelledError):
            await doing

    asyncio.run(cancelled())
    worker.close()
    assert not errors


@pytest.mark.slow
def test_compilation_does_not_count_for_the_deadline(sleeping) -> None:
    worker, line, _ = sleeping
    done = Done(3, None, 0.0, 0)
    line.send("preparing hex")

    def answer():
        time.sleep(2.5)
        line.send("")
        line.send(done)

    answering = threading.Thread(target=answer)
    answering.start()
    assert asyncio.run(worker.do(TASK, 2.0)) == done
    assert not worker.is_spent
    answering.join()
    worker.close()
