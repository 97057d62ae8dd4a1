"""Requests that never end their head, slow clients, many connections: pages go on to answer."""

from __future__ import annotations

import errno
import os
import re
import resource
import select
import signal
import socket
import subprocess
import threading
import time
from contextlib import ExitStack, closing, contextmanager

import httpx2 as httpx
import pytest
from starlette.testclient import TestClient

from ludograph import make
from ludograph.players import parse_player
from ludograph.web.app import Server, application
from ludograph.web.server import limits
from ludograph.web.server.limits import MANY, USUAL, Client, RateLimit, Rates
from ludograph.web.server.tokens import read_tokens, write_tokens
from tests.cli.run import PROGRAM
from tests.processes import wait_until

FILES = 150
HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: "
WHOLE = b"GET /enter HTTP/1.1\r\nHost: localhost\r\n\r\n"


@contextmanager
def process(folder, *options, files=FILES):
    """A server as a process of its own that may open few files; yields its port and its errors."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

    words = (*PROGRAM, "serve", "--port", 0, "--records", folder / "g", *options)
    errors = folder / "errors"
    with errors.open("w") as file:
        running = subprocess.Popen(
            list(map(str, words)),
            stdout=subprocess.PIPE,
            stderr=file,
            text=True,
            preexec_fn=limit,  # noqa: PLW1509  (no thread of this process is at work)
        )
    try:
        lines = iter(running.stdout.readline, "")
        found = next(filter(None, (re.search(r"http://\S+:(\d+)", line) for line in lines)))
        yield int(found[1]), errors
    finally:
        running.send_signal(signal.SIGTERM)
        running.communicate(timeout=60)


def connected(port, source="127.0.0.1", receives=None):
    line = socket.socket()
    line.settimeout(60)
    if receives is not None:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
    line.bind((source, 0))
    line.connect(("127.0.0.1", port))
    return line


def answered(line, request):
    """Return the status of the answer to a request; 503 if the connection is refused."""
    try:
        line.sendall(request)
        return int(line.recv(100).split()[1])
    except ConnectionError:  # the refusal has overtaken the request
        return 503


def status(port, source="127.0.0.1"):
    with closing(connected(port, source)) as line:
        return answered(line, WHOLE)


def ends(line, every=b""):
    """Tell whether the other side ends a connection, over which bytes trickle meanwhile."""
    watched = select.poll()
    watched.register(line, select.POLLIN | select.POLLRDHUP)
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if watched.poll(100):
            return True
        if every:
            try:
                line.sendall(every)
            except OSError:
                return True
    return False


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    "sent",
    [HALF, *(pytest.param(each, marks=SLOW) for each in (b"", b"\r\n" * 3, WHOLE * 2 + HALF))],
)
def test_pages_answer_whatever_number_of_heads_does_not_end(tmp_path, sent) -> None:
    with process(tmp_path) as (port, errors), ExitStack() as opened:
        for _ in range(FILES + 50):
            line = opened.enter_context(closing(connected(port)))
            line.sendall(sent)
            if line.fileno() % 40 == 0:
                assert status(port) == 200
        assert status(port) == status(port, "127.0.0.2") == 200
        assert os.strerror(errno.EMFILE) not in errors.read_text()


@SLOW
def test_pages_answer_others_while_one_address_holds_slow_bodies(tmp_path) -> None:
    head = b"POST /enter HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999\r\n"
    with process(tmp_path) as (port, errors), ExitStack() as opened:
        origin = b"Origin: http://localhost\r\n\r\ntoken="
        for _ in range(FILES + 50):
            opened.enter_context(closing(connected(port))).sendall(head + origin)
        assert status(port) == status(port, "127.0.0.2") == 200
        assert os.strerror(errno.EMFILE) not in errors.read_text()


@pytest.fixture
def hasty(monkeypatch):
    """Deadlines that a test can wait for."""
    monkeypatch.setattr(limits, "HEAD_SECONDS", 0.5)
    monkeypatch.setattr(limits, "BODY_SECONDS", 0.5)
    monkeypatch.setattr(limits, "READ_SECONDS", 0.5)


@pytest.fixture
def running(tmp_path):
    """A function that runs a server in this process, and returns its port and the server."""
    with ExitStack() as ended:

        def run(**settings):
            app = application(tmp_path / "g", str(tmp_path / "s.db"), rates=None)
            listening = socket.create_server(("127.0.0.1", 0))
            server = Server(app, **settings)
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
            thread.start()

            def end() -> None:
                app.state.context.match_manager.close()
                server.should_exit = True
                thread.join(60)

            ended.callback(end)
            return listening.getsockname()[1], server

        yield run


def test_the_body_of_an_answer_does_not_wait_for_the_acknowledgment_of_its_head(running):
    port, server = running()
    with closing(connected(port)) as line:
        assert answered(line, WHOLE) == 200
        (connection,) = server.server_state.connections
        accepted = connection.transport.get_extra_info("socket")
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def watched_match(context):
    """A match of people, which nobody plays, and the request for its events."""
    start = make("hex", size=3, pie=False)
    specs = [parse_player(each, start.game, 2) for each in ("human", "random")]
    match = context.match_manager.begin(start, specs, own=(0,))
    path = f"/match/{match.plan.number}"
    return f"GET {path}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode(), match


POST = b"POST /enter HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("begun", "every"),
    [
        (b"", b""),
        (HALF, b"a"),
        (b"", b"\r\n"),
        (b"GET / HTTP/1.1\r\n", b"X-A: a\r\n"),
        (POST + b"Content-Length: 60000\r\n\r\n", b"a"),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n"),
        (POST + b"Content-Length: 60000\r\nExpect: 100-continue\r\n\r\n", b""),
    ],
)
def test_a_request_that_does_not_end_has_a_deadline(hasty, running, begun, every) -> None:
    port, _ = running()
    with closing(connected(port)) as line:
        line.sendall(begun)
        if b"Expect" in begun:
            assert b"100" in line.recv(100)
        assert ends(line, every)
    assert status(port) == 200


@pytest.mark.slow
def test_the_next_request_of_a_connection_has_a_deadline_too(hasty, running) -> None:
    port, _ = running()
    with closing(connected(port)) as line:
        line.sendall(WHOLE + HALF)
        read = b""
        while b"</html>" not in read:
            read += line.recv(1 << 16)
        assert ends(line, b"a")


@pytest.mark.slow
def test_a_client_that_does_not_read_its_answers_has_a_deadline(hasty, running) -> None:
    port, server = running()
    with closing(connected(port, receives=4096)) as line:
        line.sendall(b"GET /static/style.css HTTP/1.1\r\nHost: localhost\r\n\r\n" * 400)
        connections = server.server_state.connections
        wait_until(lambda: any(each.flow.write_paused for each in connections.copy()))
        wait_until(lambda: not connections)
    assert status(port) == 200


@pytest.mark.slow
def test_a_large_body_has_time_as_long_as_it_keeps_arriving(hasty, running, monkeypatch) -> None:
    monkeypatch.setattr(limits, "BODY_RATE", 100)
    port, _ = running()
    body = b"token=" + b"x" * 9994
    with closing(connected(port)) as line:
        line.sendall(POST + b"Content-Length: 10000\r\n\r\n" + body[:6000])
        with closing(connected(port)) as other:
            other.sendall(POST + b"Content-Length: 10000\r\n\r\n")
            assert ends(other)  # so the first one has had more time than one without a byte
        line.sendall(body[6000:])
        assert line.recv(100).split()[1] == b"403"


@pytest.mark.slow
def test_events_go_on_when_heads_have_been_given_up(hasty, running) -> None:
    port, server = running()
    request, match = watched_match(server.context)
    with closing(connected(port)) as events, closing(connected(port)) as half:
        events.sendall(request)
        half.sendall(HALF)
        assert ends(half, b"a")
        match.say("Still here.")
        read = b""
        while b"Still here." not in read:
            chunk = events.recv(1 << 16)
            assert chunk
            read += chunk


@pytest.mark.slow
@pytest.mark.parametrize("proxied", [False, True])
def test_an_address_has_half_of_the_connections_unless_it_is_a_proxy(
    running, monkeypatch, proxied
) -> None:
    monkeypatch.setattr(limits, "CONNECTIONS", 20)
    port, server = running(proxied=proxied)
    request, _ = watched_match(server.context)
    with ExitStack() as opened:
        lines, found = [], []
        for _ in range(15):
            lines.append(opened.enter_context(closing(connected(port))))
            found.append(answered(lines[-1], request))
        assert found == ([200] * 15 if proxied else [200] * 10 + [503] * 5)
        assert status(port, "127.0.0.2") == 200  # a proxy is not everything on a machine
        lines[0].close()
        wait_until(lambda: status(port) == 200)


def tried(port, tokens, headers):
    """Return the answers to wrong tokens, each with own headers, and that to a right one."""
    address = f"http://127.0.0.1:{port}"
    with httpx.Client(base_url=address, headers={"origin": address}, timeout=60) as client:
        found = [
            client.post("/enter", data={"token": f"guess {n}"}, headers=headers(n)).status_code
            for n in range(limits.TRIES + 5)
        ]
        right = next(iter(tokens.roles))
        return found, client.post("/enter", data={"token": right}, headers=headers(0)).status_code


@pytest.mark.slow
@pytest.mark.parametrize(
    "headers",
    [
        lambda n: {"x-forwarded-for": f"203.0.113.{n}"},
        pytest.param(lambda n: {"x-forwarded-for": f"203.0.113.{n}, 127.0.0.1"}, marks=SLOW),
        pytest.param(lambda n: {"forwarded": f"for=203.0.113.{n}", "x-real-ip": "::1"}, marks=SLOW),
    ],
)
def test_an_address_that_no_proxy_has_given_counts_for_nothing(tmp_path, headers) -> None:
    write_tokens(tmp_path / "t.toml")
    with process(tmp_path, "--tokens", tmp_path / "t.toml", files=1024) as (port, _):
        found, right = tried(port, read_tokens(tmp_path / "t.toml"), headers)
    assert found[0] == 403
    assert found[-1] == 429
    assert right == 303


def test_wrong_tokens_of_many_addresses_have_a_limit_together(tmp_path) -> None:
    """Whatever a proxy says: a right token is accepted all the same."""
    write_tokens(tmp_path / "t.toml")
    tokens = read_tokens(tmp_path / "t.toml")
    rates = dict.fromkeys(("get", "post", "upload", "enter"), RateLimit(5, 0.001))
    app = application(tmp_path / "g", str(tmp_path / "s.db"), tokens=tokens, rates=rates)

    def enters(token, number):
        client = TestClient(app, base_url="http://localhost", client=(f"192.0.2.{number}", 1))
        headers = {"origin": "http://localhost"}
        return client.post(
            "/enter", data={"token": token}, headers=headers, follow_redirects=False
        ).status_code

    found = [enters("wrong token", number) for number in range(5 * MANY + 5)]
    assert found == [403] * 5 * MANY + [429] * 5
    assert enters(next(iter(tokens.roles)), 1) == 303


def test_many_visitors_do_not_make_the_tries_of_one_forgotten(monkeypatch) -> None:
    monkeypatch.setattr(limits, "VISITORS", 10)
    rates = Rates(dict.fromkeys(USUAL, RateLimit(1, 0)), clock=lambda: 0.0)
    assert rates.allow("enter", Client("", "", "a"))
    for number in range(30):
        assert rates.allow("get", Client("", "", str(number)))
    assert not rates.allow("enter", Client("", "", "a"))
