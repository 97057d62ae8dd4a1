"""Costly work: shared, bounded, stopped in time, and no page waits for it."""

from __future__ import annotations

import asyncio
import errno
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import httpx2 as httpx
import pytest
from starlette.requests import ClientDisconnect

from ludograph.errors import HostFailure, InvalidInput
from ludograph.web.app import application
from ludograph.web.boards.uploaded_boards import brought
from ludograph.web.server.limits import ANYBODY, Identity
from ludograph.web.server.work_pools import Answers, Overloaded, Pool, PoolLimits
from ludograph.workers import Failed, TooLong, Worker, WorkerForkServer
from tests.cli.run import spawn
from tests.processes import descendants, gone
from tests.web.load import all_at_once, pages_of, visits, write_records


class Client:
    """Somebody who waits for an answer until told to go."""

    def __init__(self, person: Identity = ANYBODY) -> None:
        self.goes = asyncio.Event()
        self.state = SimpleNamespace(person=person)

    async def receive(self) -> dict[str, str]:
        await self.goes.wait()
        return {"type": "http.disconnect"}


@pytest.fixture(scope="module")
def forks():
    found = WorkerForkServer()
    yield found
    found.close()


def test_a_pool_goes_on_after_there_was_no_descriptor_for_a_worker(forks, monkeypatch) -> None:
    """The kernel then drops the descriptor that comes with the message."""
    pool, receive = Pool(PoolLimits(1, 4, 10.0), forks, Answers()), socket.recv_fds
    monkeypatch.setattr(socket, "recv_fds", lambda *_: (b".", [], socket.MSG_CTRUNC, None))
    with pytest.raises(HostFailure):
        asyncio.run(pool.result(Client(), len, "abc"))
    monkeypatch.setattr(socket, "recv_fds", receive)
    assert asyncio.run(pool.result(Client(), len, "abc")) == 3
    pool.close()


@pytest.mark.parametrize("number", [errno.ETOOMANYREFS, errno.EAGAIN, errno.EMFILE])
def test_a_machine_without_descriptors_or_processes_is_not_blamed_on_the_work(
    number, forks, monkeypatch
) -> None:
    """The fork server stays: to start another would need more of what is missing."""
    pool = Pool(PoolLimits(1, 4, 10.0), forks, Answers())
    assert asyncio.run(pool.result(Client(), len, "abc")) == 3
    pool.close()
    before, pool = forks._process, Pool(PoolLimits(1, 4, 10.0), forks, Answers())

    def fails(*_):
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patched:
        patched.setattr(socket, "send_fds", fails)
        with pytest.raises(OSError, match=os.strerror(number)):
            asyncio.run(pool.result(Client(), len, "abcd"))
    assert forks._process is before
    assert asyncio.run(pool.result(Client(), len, "abcde")) == 5
    pool.close()


@pytest.mark.slow
def test_a_fork_server_that_was_closed_starts_no_process() -> None:
    """A pool's thread may ask for a worker while the server ends."""
    server = WorkerForkServer()
    server.fork(0).close()
    server.close()
    with pytest.raises(Failed, match="shutting down"):
        server.fork(0)
    server.start()
    server.fork(0).close()
    server.close()


@pytest.fixture
def pool(forks):
    """One process, a queue of two, a minute each."""
    made = Pool(PoolLimits(processes=1, queue=2, seconds=60.0), forks, Answers())
    asyncio.run(made.result(Client(), os.getpid))  # it has come up
    yield made
    made.close()


def test_work_is_done_in_another_process_which_is_kept(pool) -> None:
    async def both():
        return [await pool.result(Client(), os.getpid) for _ in range(2)]

    one, other = asyncio.run(both())
    assert one == other != os.getpid()


@pytest.mark.slow
def test_a_deadline_ends_the_process_and_another_takes_its_place(pool, monkeypatch) -> None:
    monkeypatch.setattr(pool, "kind", pool.kind._replace(seconds=2.0))
    before = asyncio.run(pool.result(Client(), os.getpid))
    began = time.monotonic()
    with pytest.raises(TooLong):
        asyncio.run(pool.result(Client(), time.sleep, 600))
    assert 2 <= time.monotonic() - began < 300
    assert asyncio.run(pool.result(Client(), os.getpid)) != before
    assert gone([before])  # it is killed; a busy machine takes a moment to end it


def test_one_person_and_one_address_leave_room_for_others(forks) -> None:
    pool = Pool(PoolLimits(processes=1, queue=7, seconds=60.0), forks, Answers())
    assert (pool.kind.room, pool.kind.each, pool.kind.together) == (8, 4, 6)
    ann, bob, eve = (Identity(f"visitor {name}", "192.0.2.7") for name in ("ann", "bob", "eve"))

    async def crowd():
        asked = 0

        def ask(person):
            nonlocal asked
            asked += 1
            return asyncio.ensure_future(pool.result(Client(person), time.sleep, 100 + asked))

        running = [ask(ann) for _ in range(4)] + [ask(bob) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Overloaded, match=r"^you "):
            await ask(ann)
        with pytest.raises(Overloaded, match=r"^your address "):
            await ask(eve)
        running += [ask(Identity("visitor zoe", "192.0.2.8")), ask(Identity("token t"))]
        await asyncio.sleep(0)
        with pytest.raises(Overloaded, match=r"^the server "):
            await ask(ANYBODY)
        for each in running:
            each.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    try:
        asyncio.run(crowd())
    finally:
        pool.close()


@pytest.fixture
def pipe(tmp_path):
    """A file that is read only when it is written."""
    file = tmp_path / "boards.txt"
    os.mkfifo(file)
    return file


def write(pipe: Path, text: str) -> None:
    """Write what somebody reads, as soon as somebody does."""
    until = time.monotonic() + 60
    while True:
        try:
            end = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            assert time.monotonic() < until, "nobody reads"
            time.sleep(0.01)
        else:
            os.write(end, text.encode())
            os.close(end)
            return


def test_the_same_work_is_done_once(pool, pipe) -> None:

    async def many():
        waiting = asyncio.gather(*(pool.result(Client(), Path.read_text, pipe) for _ in range(20)))
        await asyncio.sleep(0.1)
        await asyncio.to_thread(write, pipe, "drawn")  # one reads, and only once
        return await waiting

    assert asyncio.run(many()) == ["drawn"] * 20


@pytest.mark.slow
def test_what_took_its_time_is_kept(pool) -> None:
    costly = (re.sub, "(?:xy)+", "z", "xy" * 8_000_000)
    assert asyncio.run(pool.result(Client(), *costly)) == "z"
    pool.close()  # from here on nothing is worked on
    assert asyncio.run(pool.result(Client(), *costly)) == "z"
    with pytest.raises(Overloaded):
        asyncio.run(pool.result(Client(), os.getpid))


def test_a_queue_has_an_end_and_who_has_gone_leaves_it(pool) -> None:
    async def crowd():
        clients = [Client() for _ in range(3)]
        asked = [
            asyncio.ensure_future(pool.result(client, time.sleep, 50 + place))
            for place, client in enumerate(clients)
        ]
        await asyncio.sleep(0.2)
        with pytest.raises(Overloaded):
            await pool.result(Client(), time.sleep, 0.5)
        for client in clients:
            client.goes.set()
        began = time.monotonic()
        told = await asyncio.gather(*asked, return_exceptions=True)
        assert await pool.result(Client(), os.getpid) > 0
        return time.monotonic() - began, told

    took, told = asyncio.run(crowd())
    assert [type(each) for each in told] == [ClientDisconnect] * 3
    assert took < 50  # the process that slept was ended, the others never began


def test_work_goes_on_while_one_of_several_waits(pool, pipe) -> None:
    async def two():
        leaver, stayer = (
            (client, asyncio.ensure_future(pool.result(client, Path.read_text, pipe)))
            for client in (Client(), Client())
        )
        await asyncio.sleep(0.1)
        leaver[0].goes.set()
        with pytest.raises(ClientDisconnect):
            await leaver[1]
        await asyncio.to_thread(write, pipe, "drawn")
        return await stayer[1]

    assert asyncio.run(two()) == "drawn"


def test_a_process_that_is_stopped_as_it_answers_does_no_other_task(pool, monkeypatch) -> None:
    """The last client may go when the answer is there: the next one's task is not lost."""
    do = Worker.do

    async def late(process, task, seconds):
        reply = await do(process, task, seconds)
        process.close()
        return reply

    with monkeypatch.context() as patch:
        patch.setattr(Worker, "do", late)
        first = asyncio.run(pool.result(Client(), os.getpid))
    assert asyncio.run(pool.result(Client(), os.getpid)) != first


@pytest.mark.slow
def test_refusals_are_told_and_a_process_that_dies_is_no_refusal(pool) -> None:
    with pytest.raises(InvalidInput, match="ends with"):
        asyncio.run(pool.result(Client(), brought, "x.py", b""))
    with pytest.raises(Failed):
        asyncio.run(pool.result(Client(), os._exit, 3))
    with pytest.raises(Failed, match="ZeroDivisionError"):
        asyncio.run(pool.result(Client(), divmod, 1, 0))
    assert asyncio.run(pool.result(Client(), os.getpid)) > 0


@pytest.mark.slow
def test_processes_end_with_the_server_even_if_it_is_killed() -> None:
    code = (
        "import asyncio, os, sys, time; from ludograph.web.server.work_pools import *\n"
        "from types import SimpleNamespace\n"
        "from ludograph.web.server.limits import ANYBODY\n"
        "class Client:\n state = SimpleNamespace(person=ANYBODY)\n"
        " async def receive(self): await asyncio.sleep(600)\n"
        "pool = Pools().reading\n"
        "print(asyncio.run(pool.result(Client(), os.getpid)), flush=True)\n"
        "asyncio.run(pool.result(Client(), time.sleep, 600))\n"
    )
    server = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    worker = int(server.stdout.readline())
    assert worker in descendants(server.pid)
    server.kill()
    server.communicate()
    assert gone([worker])


@pytest.mark.slow
def test_who_comes_to_a_full_queue_is_asked_to_come_again(tmp_path, monkeypatch, opened) -> None:
    app = application(tmp_path / "games", str(tmp_path / "store.db"))
    number = write_records(tmp_path / "games", 1)[0]

    async def full(*_: object) -> None:
        raise Overloaded("full")

    monkeypatch.setattr(app.state.context.pools.drawing, "result", full)
    client = opened(app)
    for accept in ("text/html", "*/*"):
        answer = client.get(f"/replay/here/{number}/animation.gif", headers={"accept": accept})
        assert answer.status_code == 503
        assert int(answer.headers["retry-after"]) > 0
        assert "Full" in answer.text


@pytest.mark.slow
def test_pages_answer_while_costly_things_are_asked_for_and_the_server_ends(tmp_path) -> None:
    """45 animations and 42 dense graphs at once; then the clients go, come again, and SIGTERM."""
    numbers = write_records(tmp_path / "games", 12)
    process = spawn(
        "serve", "--port", 0, "--records", tmp_path / "games", "--store", tmp_path / "s.db"
    )
    address = re.search(r"http://\S+:\d+", process.stdout.readline())[0]
    pages = pages_of(numbers[0])
    with httpx.Client(base_url=address, timeout=120) as client:
        visits(client, pages, 0.1)  # everything is loaded then
        with all_at_once(address, numbers):
            found = visits(client, pages, 4.0)
        assert {visit.status for visit in found} == {200}
        times = sorted(visit.seconds for visit in found)
        assert times[len(times) // 2] < 10  # `benchmarks/web_load.py` measures it
        # They have gone, and nothing is done for them any more.
        began = time.monotonic()
        path = client.post(
            "/boards?name=path.txt", content="0 1\n1 2\n", headers={"origin": address}
        )
        assert path.status_code == 200
        assert time.monotonic() - began < 60
    with all_at_once(address, numbers):
        time.sleep(0.5)
        processes = descendants(process.pid)
        assert processes
        process.send_signal(signal.SIGTERM)
        _, complaints = process.communicate(timeout=60)
        assert "Traceback" not in complaints
        assert "Exception" not in complaints
    assert gone(processes)


@pytest.mark.slow
def test_who_goes_away_in_the_middle_leaves_no_traceback(tmp_path) -> None:
    process = spawn("serve", "--port", 0, "--records", tmp_path, "--store", tmp_path / "s.db")
    address = re.search(r"http://\S+:\d+", process.stdout.readline())[0]
    place = httpx.URL(address)
    for path in ("/games/hex", "/open", "/boards?name=x.txt"):
        for _ in range(10):
            with socket.create_connection((place.host, place.port)) as line:
                line.sendall(
                    f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: {address}\r\n"
                    "Content-Length: 500\r\n\r\nhalf of it".encode()
                )
    assert httpx.get(address, timeout=60).status_code == 200
    process.send_signal(signal.SIGTERM)
    _, complaints = process.communicate(timeout=60)
    assert "Traceback" not in complaints
