"""Processes that are forked ahead: as fresh as others, of the files of the moment, and bounded."""

import json
import os
import select
import shutil
import signal
import socket
import time
from pathlib import Path

import pytest

from ludograph import play_match
from ludograph.hosting import prefork_pool
from ludograph.hosting.forkserver_client import FORK_SERVERS, NO_TOKEN
from ludograph.hosting.host_process import HostProcess
from ludograph.hosting.leftover_processes import bearers
from ludograph.hosting.prefork_pool import PreforkPool, Terms
from ludograph.hosting.sandbox.self_test import why_not
from ludograph.hosting.start_orders import PreforkedPair
from ludograph.players.isolation import Level
from tests.hosting.fixtures import the_fault
from tests.hosting.test_forkserver import children, fork_servers
from tests.hosting.test_supervisor import gone

LEVELS = [
    pytest.param(level, marks=pytest.mark.slow if level is Level.BASIC else ())
    for level in Level
    if not why_not(level)
]


@pytest.fixture(autouse=True)
def _cold_start():
    FORK_SERVERS.close()


def waiting(count, seconds=20.0):
    """Return the supervisors that wait for a player, when there are so many."""
    (fork_server,) = fork_servers()
    until = time.monotonic() + seconds
    while True:
        found = sorted(set(children(fork_server)) & set(bearers(NO_TOKEN)))
        found = [supervisor for supervisor in found if children(supervisor)]
        if len(found) == count:
            return found
        assert time.monotonic() < until, f"{len(found)} processes wait, not {count}"
        time.sleep(0.005)


def says_so(supervisor, seconds=1.0):
    """Wait until a supervisor has said that it is ready: it polls then. Not every kernel tells."""
    until = time.monotonic() + seconds
    while "poll" not in Path(f"/proc/{supervisor}/wchan").read_text() and time.monotonic() < until:
        time.sleep(0.005)


def play(start, players, level, games=1):
    """Play; return the last result, all of them without faults."""
    for _ in range(games):
        result = play_match(start, players, isolation=level)
        assert result.faults == []
    return result


@pytest.mark.parametrize("level", LEVELS)
def test_the_second_game_of_a_player_has_another_got_ready(level, start, small):
    """None is for a player that has played but once; none bears anybody's token."""
    player = small("")
    play(start, [player, "greedy"], level)
    play(start, [player, "greedy"], level)
    (first,) = (second,) = waiting(1)
    for _ in range(20):  # who waits may still be on the way to saying that it can be asked
        play(start, [player, "greedy"], level)
        (second,) = waiting(1)
        if second != first:
            break
    assert second != first
    play(start, [player, player], level, games=2)
    waiting(2)
    FORK_SERVERS.close()
    assert gone([first, second])


@pytest.mark.parametrize("level", LEVELS)
def test_games_that_follow_at_once_start_each_player_once(level, start, small, monkeypatch):
    started = []
    launch = HostProcess.launch
    monkeypatch.setattr(
        HostProcess, "launch", lambda self, game: (started.append(1), launch(self, game))
    )
    player = small("")
    play(start, [player, player], level, games=8)
    assert len(started) == 16


@pytest.mark.parametrize("level", LEVELS)
def test_a_player_that_has_been_built_again_plays(level, start, small, tmp_path):
    """By a link to a file in another folder: under ``strict`` a file is shown by itself."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    real = elsewhere / "player.so"
    shutil.copy(small(""), real)
    link = tmp_path / "own"
    link.mkdir()
    (link / "player.so").symlink_to(real)
    player = str(link / "player.so")
    play(start, [player, "greedy"], level, games=2)
    waiting(1)
    shutil.copy(small("abort()"), elsewhere / "new.so")
    os.replace(elsewhere / "new.so", real)
    result = play_match(start, [player, "greedy"], isolation=level)
    assert the_fault(result, seat=0).message.startswith("was killed by SIGABRT")


@pytest.mark.parametrize("level", LEVELS)
def test_the_working_folder_is_that_of_the_moment(level, start, small, tmp_path, monkeypatch):
    player = small("char here[999]; puts(getcwd(here, 999))")
    for place in ("a", "a", "a", "b", "b", "a"):
        (tmp_path / place).mkdir(exist_ok=True)
        monkeypatch.chdir(tmp_path / place)
        result = play(start, [player, "greedy"], level)
        assert set(result.logs[0].split()) == {str(tmp_path / place)}


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
@pytest.mark.parametrize("whose", ["supervisor", "host"])
def test_one_that_is_attacked_while_it_waits(whose, number, start, small):
    players = [small(""), "greedy"]
    play(start, players, Level.NONE, games=2)
    (supervisor,) = waiting(1)
    says_so(supervisor)
    os.kill(supervisor if whose == "supervisor" else children(supervisor)[0], number)
    play(start, players, Level.NONE, games=3)
    FORK_SERVERS.close()
    assert gone([supervisor])


@pytest.mark.parametrize("ready", [False, True])
def test_one_that_nobody_has_heard_of_yet_gets_its_player_all_the_same(ready):
    """The fork server tells it and lets go of it, before it is ready or just after."""

    class Silent:
        def bear(self, token):
            assert token == "t"

    def supervisor():
        pair = PreforkedPair(door, Silent(), lambda: None)
        host = os.fork()
        if host == 0:
            os._exit(0 if pair.host_waits() is not None else 1)
        orders = pair.supervisor_waits(host, os.pidfd_open(os.getpid()))
        return orders is not None and orders.memory == 7 and os.waitpid(host, 0)[1] == 0

    def tell():
        with open(os.devnull, "w") as file, fork_server:
            request = json.dumps({"token": "t", "memory": 7}).encode()
            socket.send_fds(fork_server, [request], [file.fileno()] * 3)

    fork_server, door = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if not ready:
        tell()
    child = os.fork()
    if child == 0:
        fork_server.close()
        os._exit(0 if supervisor() else 1)
    door.close()
    if ready:
        assert select.select([fork_server], [], [], 20.0)[0]
        tell()
    assert os.waitpid(child, 0)[1] == 0


def test_they_end_when_nobody_comes():
    (socket_of_it, theirs) = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    kept = PreforkPool(lambda _: socket_of_it, works=True)
    terms = a_player()
    asked_for(kept, terms)
    assert kept.pause() is None
    asked_for(kept, terms)
    assert 0 < kept.pause() <= 1000 * prefork_pool.EXPIRED
    kept.tend()
    assert kept.pause() is None
    assert theirs.recv(1) == b""
    theirs.close()


def test_where_one_fails_there_are_no_others():
    forked = []

    def fork(_):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        theirs.close()
        forked.append(ours)
        return ours

    kept, terms = PreforkPool(fork, works=True), a_player()
    for _ in range(5):
        asked_for(kept, terms)
    assert len(forked) == 1


def test_so_many_and_no_more(monkeypatch):
    monkeypatch.setattr(prefork_pool, "MOST", 3)
    doors = []

    def fork(_):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        doors.append(theirs)
        return ours

    kept = PreforkPool(fork, works=True)
    for _ in range(3):
        for name in "aabbccdd":
            asked_for(kept, a_player(name))
    alive = 0
    for door in doors:
        door.setblocking(False)
        try:
            assert door.recv(1) == b""
        except BlockingIOError:
            alive += 1
        door.close()
    assert alive == 3
    kept.close()


def a_player(name="a"):
    """Return the terms of a player without files."""
    folder = os.open("/", os.O_PATH)
    request = {"paths": [], "cache": "", "environment": {"NAME": name}, "groups": ""}
    terms = Terms.of(request, folder)
    os.close(folder)
    assert terms.folder == "/"
    return terms


def asked_for(kept, terms):
    """Have a game begin; none waits that is ready."""
    assert not kept.give(terms, b"{}", [])
    kept.tend()
