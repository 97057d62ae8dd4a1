"""Limits of visitors: by token, by browser, and by address only where there is neither."""

import contextlib
import errno
import os
import re
import signal
import sqlite3
from http.cookies import SimpleCookie

import httpx2 as httpx
import pytest
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.testclient import TestClient

from ludograph import make
from ludograph.arena.ladder.people import Person, Role
from ludograph.arena.store import Store, sqlite
from ludograph.errors import HostFailure
from ludograph.players import parse_player
from ludograph.rules.announcer import announcer
from ludograph.web.app import application
from ludograph.web.match import seats
from ludograph.web.server import access, limits
from ludograph.web.server.access import COOKIE, VISITOR, token_of
from ludograph.web.server.limits import MANY, BrowserNames, Client, Identity, RateLimit, network_of
from ludograph.web.server.tokens import OPEN, Tokens, Visitor
from ludograph.workers import call
from tests.cli.run import spawn
from tests.web.conftest import ORIGIN

PAGE = {"accept": "text/html"}
SELDOM = dict.fromkeys(("get", "post", "upload", "enter"), RateLimit(10, 0.001))


def visitors(tmp_path, count, tokens=OPEN):
    """Browsers behind one address."""
    app = application(tmp_path / "g", str(tmp_path / "s.db"), tokens=tokens, rates=SELDOM)
    return [
        TestClient(app, base_url="http://localhost", headers=ORIGIN | PAGE) for _ in range(count)
    ]


def statuses(client, path, times):
    return [client.get(path).status_code for _ in range(times)]


def test_browsers_behind_one_address_have_limits_of_their_own(tmp_path) -> None:
    hasty, calm = visitors(tmp_path, 2)
    for client in (hasty, calm):
        assert client.get("/ladders").status_code == 200
        assert VISITOR in client.cookies
    assert statuses(hasty, "/ladders", 11) == [200] * 10 + [429]
    assert statuses(calm, "/ladders", 10) == [200] * 10


def test_who_brings_no_name_or_makes_one_up_shares_the_limit_of_the_address(tmp_path) -> None:
    first, second = visitors(tmp_path, 2)
    found = []
    for number in range(12):
        for client in (first, second):
            client.cookies.clear()
            client.cookies.set(VISITOR, f"{number}.{'0' * 64}")
            found.append(client.get("/ladders").status_code)
    assert found == [200] * 10 + [429] * 14


def test_addresses_of_one_machine_have_a_limit_together(tmp_path) -> None:
    app = application(tmp_path / "g", str(tmp_path / "s.db"), tokens=OPEN, rates=SELDOM)

    def status(address):
        client = TestClient(app, base_url="http://localhost", client=(address, 1))
        return client.get("/ladders").status_code

    found = [status(f"2001:db8:0:7::{number:x}") for number in range(12)]
    assert found == [200] * 10 + [429] * 2
    assert status("2001:db8:0:8::1") == status("192.0.2.7") == 200


@pytest.mark.parametrize("value", ["correct horse battery", 'a"b\\c;d,e=f~!', "x" * 12])
def test_a_token_in_a_cookie_is_read_as_it_was_set(value) -> None:
    answer = Response()
    answer.set_cookie(COOKIE, value)
    sent = answer.headers["set-cookie"].partition("; Path")[0]
    for cookies in (sent, f"other=1; {sent}", f"{sent};third", f"x{COOKIE}=no; {sent}"):
        assert token_of(Headers({"cookie": cookies})) == value
    assert token_of(Headers({"cookie": "other=1"})) == ""


def test_large_cookies_are_not_parsed(monkeypatch) -> None:
    """It takes seconds in some versions of Python, before any limit counts the request."""
    parsed = []
    monkeypatch.setattr(access, "SimpleCookie", lambda text: parsed.append(text) or SimpleCookie())
    quoted = '"' + 31_000 * '\\"' + '"'
    for name in (COOKIE, VISITOR, "other"):
        assert token_of(Headers({"cookie": f"{name}={quoted}"})) == ""
    assert not parsed


def test_many_names_from_one_address_have_a_limit_together(tmp_path) -> None:
    (client,) = visitors(tmp_path, 1)
    doors = client.app
    client.get("/ladders")
    while not isinstance(getattr(doors, "browsers", None), BrowserNames):
        doors = doors.middleware_stack if hasattr(doors, "middleware_stack") else doors.app
    found = []
    for _ in range(2 * MANY):
        client.cookies.clear()
        client.cookies.set(VISITOR, doors.browsers.new())
        found += statuses(client, "/ladders", 10)
    assert found.count(200) == 10 * MANY
    assert found[-1] == 429


def test_each_token_has_limits_of_its_own(tmp_path, tokens) -> None:
    one, other = visitors(tmp_path, 2, tokens)
    for client, token in zip((one, other), tokens.roles, strict=False):
        client.headers["authorization"] = f"Bearer {token}"
    assert statuses(one, "/ladders", 11) == [200] * 10 + [429]
    assert statuses(other, "/ladders", 10) == [200] * 10


@pytest.mark.slow
def test_a_right_token_is_taken_whatever_others_have_tried(tmp_path, tokens) -> None:
    """At a real server: twenty wrong tokens and more, then the right one, all from one address."""
    token, path = next(iter(tokens.roles)), tmp_path / "tokens.toml"
    process = spawn("serve", "--port", 0, "--records", tmp_path / "g", "--tokens", path)
    address = re.search(r"http://\S+:\d+", process.stdout.readline())[0]

    def enter(token, client=httpx):
        sent = {"data": {"token": token}, "headers": {"origin": address}}
        return client.post(f"{address}/enter", timeout=60, **sent).status_code

    try:
        found = [enter(f"wrong token {number}") for number in range(2 * limits.TRIES)]
        assert found[: limits.TRIES] == [403] * limits.TRIES
        assert 429 in found
        with httpx.Client() as client:
            assert enter(token, client) == 303
            assert COOKIE in client.cookies
            assert client.get(address, timeout=60).status_code == 200
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("limit", "listener"),
    [
        ("EACH_LISTENS", Identity("address testclient")),
        ("ADDRESS_LISTENS", Identity("browser b", "testclient")),
    ],
)
def test_open_pages_of_matches_are_limited_by_person_and_by_address(
    tmp_path, monkeypatch, limit, listener
) -> None:
    monkeypatch.setattr(limits, limit, 40)
    (client,) = visitors(tmp_path, 1)
    context = client.app.state.context
    begun = client.post("/games/hex", data={"player0": "human"}, follow_redirects=False)
    path = begun.headers["location"].partition("?")[0] + "/events"
    try:
        context.listeners[:] = [listener] * 40
        client.cookies.clear()
        answer = client.get(path, headers={"accept": "text/event-stream"})
        assert answer.status_code == 429
        assert ("your address" in answer.json()["error"]) == (limit == "ADDRESS_LISTENS")
    finally:
        context.match_manager.close()


@pytest.mark.parametrize("taken", ["192.0.2.7", "2001:db8::a:7"])
def test_a_token_tells_a_person_and_a_cookie_only_its_address(taken) -> None:
    address = network_of(taken)
    assert Client("t", "", address).identity.address == ""
    assert Client("", "v", address).identity.address == address
    assert Client("", "", address).identity.address == address
    assert Client("", "v", address).identity == Client("", "v", "elsewhere").identity


def test_a_machine_without_room_or_with_a_locked_store_answers_with_a_sentence(
    tmp_path, monkeypatch
) -> None:
    (client,) = visitors(tmp_path, 1)
    for number in (errno.ENOSPC, errno.ETOOMANYREFS, errno.EAGAIN, errno.ENFILE):

        def full(*_, number=number, **__):
            raise OSError(number, os.strerror(number), "/a/path")

        monkeypatch.setattr(seats, "write_whole", full)
        answer = client.post("/games/hex", data={"player0": "human"})
        assert answer.status_code == 503
        assert os.strerror(number) in answer.text
        assert "/a/path" not in answer.text
    Store(tmp_path / "s.db").close()
    monkeypatch.setattr(sqlite, "TIMEOUT", 0.05)
    with contextlib.closing(sqlite3.connect(tmp_path / "s.db")) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        answer = client.get("/replay/store/1/story")
        assert answer.status_code == 503
        assert "locked" in answer.text


def test_a_worker_hands_on_the_failure_of_a_machine() -> None:
    def locked():
        raise HostFailure("locked")

    with pytest.raises(HostFailure, match="locked"):
        call((locked, ()), print)
    assert announcer.line is not print


def test_who_may_only_look_pauses_no_match_of_strategies(tmp_path) -> None:
    (looker,) = visitors(tmp_path, 1, Tokens(Role.LOOK, {}))
    match_manager = looker.app.state.context.match_manager
    start = make("hex", size=11)
    players = [parse_player("random", start.game, 2)] * 2
    match = match_manager.begin(start, players, own=(), form={"pause": "5"})
    path = f"/match/{match.plan.number}/wish"
    try:
        assert looker.post(path, json={"kind": "stop"}).status_code == 403
        assert match.running
    finally:
        match_manager.close()


def test_a_person_uploads_only_to_its_own_ladder_even_where_anybody_may_operate() -> None:
    ann = Visitor(Role.OPERATE, "person s1", True, Person("s1", "Ann"), "spring", Role.OPERATE)

    def answer(method, ladder):
        scope = {"type": "http", "method": method, "path": f"/ladders/{ladder}/players/x.py"}
        return access.refused(Request({**scope, "headers": []}), ann)

    assert answer("POST", "autumn").status_code == 403  # whose own s1 would have the file
    assert answer("POST", "spring") is None
    assert answer("GET", "autumn") is None
