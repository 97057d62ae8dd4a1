"""Players of two games leave no messages on the files that both see, and cannot change each other.

Each attack is a player in Python on both seats: two processes with an own sandbox each, as in two
games at a time.
"""

import os
import platform
import re
import resource
import shutil
import signal
import socket
import time
from contextlib import suppress
from fcntl import F_SETFL, F_SETOWN, fcntl
from pathlib import Path

import pytest

from ludograph import boards, flood, play_match
from ludograph.hosting.sandbox import seccomp, syscalls
from ludograph.players.isolation import Level

HERE = Path(__file__).parent
PAGES = 64
WAYS = {"flock", "hint", "lockf", "watch"}
"""The ways that work in every file system and on every machine."""


@pytest.fixture
def book(tmp_path):
    """Return a file with some pages, on the disk and in memory, beside a player that uses it."""
    shutil.copy(HERE / "gossip.py", tmp_path)
    book = tmp_path / "book.bin"
    with book.open("wb") as file:
        file.write(bytes(PAGES * 4096))
        os.fsync(file.fileno())
    return book


def told(folder, level):
    """Let the player gossip; return what came of each way."""
    start = flood.position(boards.square(4), colors=4, seed=3)
    players = [str(folder / "gossip.py")] * 2
    result = play_match(start, players, isolation=level, clock="20s")
    assert result.faults == []
    return dict(line.rsplit(" ", 1) for log in result.logs.values() for line in log.splitlines())


def in_memory(book):
    """Return whether all pages of a file are in memory; None if that cannot be found out."""
    with book.open("rb") as file:
        try:
            for page in range(PAGES):
                os.preadv(file.fileno(), [bytearray(1)], page * 4096, os.RWF_NOWAIT)
        except BlockingIOError:
            return False
        except OSError:
            return None
    return True


def leaves_memory(book):
    """Tell whether the pages of a file leave the memory by advice, as in most file systems."""
    with book.open("rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        left = in_memory(book) is False
        file.read()
    return left


@pytest.mark.parametrize("level", ["strict", "basic"])
def test_no_message_is_left_on_a_file(level, book):
    results = told(book.parent, level)
    assert set(results) == WAYS | {
        "aio",
        "cachestat",
        "cold",
        "lease",
        "mincore",
        "page out",
        "pages",
    }
    assert set(results.values()) == {"held"}
    assert in_memory(book) is not False


@pytest.mark.slow
def test_without_isolation_messages_are_left(book):
    """Else the attempts would prove nothing."""
    leaves = leaves_memory(book)
    results = told(book.parent, "none")
    assert {way for way, came in results.items() if came == "broken"} >= WAYS
    assert not leaves or in_memory(book) is False


TAMPERER = """
import os, resource

def choose(position):
    if position.ply < 2:
        for process in range(max(2, os.getpid() - 200), os.getpid() + 200):
            if process in (os.getpid(), os.getppid()):
                continue
            for name, action in {
                "limits": lambda: resource.prlimit(process, resource.RLIMIT_CPU, (900, 900)),
                "priority": lambda: os.setpriority(os.PRIO_PROCESS, process, 11),
                "policy": lambda: os.sched_setscheduler(process, 3, os.sched_param(0)),
                "processors": lambda: os.sched_setaffinity(process, os.sched_getaffinity(0)),
            }.items():
                try:
                    action()
                except OSError:
                    pass
        for action in (
            lambda: os.setpriority(os.PRIO_USER, 0, 12),
            lambda: os.setpriority(os.PRIO_PGRP, 0, 12),
        ):
            try:
                action()
            except OSError:
                print("refused")
    return position.legal_moves()[0]
"""
VICTIM = """
import os, resource

def choose(position):
    priority = os.getpriority(os.PRIO_PROCESS, 0)
    limit = resource.getrlimit(resource.RLIMIT_CPU)[0]
    print("priority", priority, "policy", os.sched_getscheduler(0), "limit", limit)
    return position.legal_moves()[0]
"""


@pytest.mark.parametrize("level", ["strict", "basic"])
def test_a_player_cannot_change_the_limits_of_another(level, tmp_path):
    (tmp_path / "tamperer.py").write_text(TAMPERER)
    (tmp_path / "victim.py").write_text(VICTIM)
    start = flood.position(boards.square(4), colors=4, seed=3)
    players = [str(tmp_path / "tamperer.py"), str(tmp_path / "victim.py")]
    result = play_match(start, players, isolation=level, clock="20s")
    assert result.faults == []
    found = re.findall(r"priority (-?\d+) policy (\d+) limit (-?\d+)", result.logs[1])
    inherited = os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(0)
    limit = resource.getrlimit(resource.RLIMIT_CPU)[0]
    assert set(found) == {tuple(map(str, (*inherited, limit)))}
    if level == "basic":
        assert result.logs[0].split() == ["refused", "refused"]


@pytest.mark.skipif(platform.machine() not in ("x86_64", "aarch64"), reason="numbers of calls")
def test_before_landlock_knows_signals_no_file_sends_them():
    """The kernel sends the signals of a file to its owner, which a process chooses."""
    hits = []
    before = signal.signal(signal.SIGUSR1, lambda *_: hits.append(1))
    referee = os.getpid()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            syscalls.prctl(syscalls.PR_SET_NO_NEW_PRIVS, 1)
            seccomp.install(seccomp.program(Level.BASIC, os.getpid()))
            ours, theirs = socket.socketpair()
            try:
                fcntl(ours, F_SETOWN, referee)
            except PermissionError:
                status = 0
            with suppress(PermissionError):
                fcntl(ours, 10, signal.SIGUSR1)  # F_SETSIG
            fcntl(ours, F_SETFL, os.O_ASYNC)
            theirs.send(b"!")
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    time.sleep(0.05)
    signal.signal(signal.SIGUSR1, before)
    assert hits == []
