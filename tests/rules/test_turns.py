"""Of several processes that want a kernel at once one compiles it, whatever becomes of it."""

import os
import shutil
import signal
import time
from contextlib import contextmanager

import numpy as np
import pytest

from ludograph.rules import cache, compiled
from ludograph.rules import turns as module
from ludograph.rules.compile_errors import CannotCompile
from ludograph.rules.turns import Turns, byte_of

ONE, OTHER = ("one.kernel-0123456789abcdef.kernel", "one.kernel-fedcba9876543210.kernel")


@compiled
def twice(number):
    return 2 * number


def sleep():
    time.sleep(1000)


@contextmanager
def another(path, then=sleep):
    """Let another process have its turn at a kernel; it ends when it has done what follows."""
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        Turns().begin(path)
        os.write(tell, b"x")
        then()
        os._exit(0)
    assert os.read(told, 1) == b"x"
    try:
        yield child
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(told)
        os.close(tell)


def is_free(path):
    """Tell whether another process would get its turn at once."""
    child = os.fork()
    if child == 0:
        module.PATIENCE = 0.0
        turns = Turns()
        turns.begin(path)
        os._exit(turns.held[0][0] != module.NO_TURN)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1


def test_one_at_a_time_has_its_turn(tmp_path) -> None:
    turns = Turns()
    turns.begin(tmp_path / ONE)
    turns.begin(tmp_path / OTHER)
    assert not is_free(tmp_path / ONE)
    turns.end()
    assert is_free(tmp_path / OTHER)
    assert not is_free(tmp_path / ONE)
    turns.abandon()
    assert is_free(tmp_path / ONE)


def test_other_kernels_are_not_waited_for(tmp_path) -> None:
    with another(tmp_path / ONE):
        assert is_free(tmp_path / OTHER)
        assert not is_free(tmp_path / ONE)


def test_who_is_killed_has_no_turn_any_more(tmp_path) -> None:
    with another(tmp_path / ONE) as child:
        os.kill(child, signal.SIGKILL)
        Turns().begin(tmp_path / ONE)
        assert not is_free(tmp_path / ONE)


def test_who_was_stopped_is_not_waited_for_forever(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.1)
    with another(tmp_path / ONE) as child:
        os.kill(child, signal.SIGSTOP)
        turns = Turns()
        turns.begin(tmp_path / ONE)
        assert turns.held[0][0] == module.NO_TURN


def test_who_works_is_waited_for(tmp_path) -> None:
    with another(tmp_path / ONE, lambda: time.sleep(0.2)):
        turns = Turns()
        turns.begin(tmp_path / ONE)
        assert turns.held[0][0] != module.NO_TURN
        assert not is_free(tmp_path / ONE)


def test_where_nothing_can_be_locked_nobody_waits(tmp_path) -> None:
    turns = Turns()
    turns.begin(tmp_path / "nowhere" / ONE)
    turns.end()


@pytest.fixture
def kernels(tmp_path, monkeypatch):
    """An empty folder of kernels, and one with the kernel; dispatchers are made anew."""

    def chosen(name):
        (tmp_path / name).mkdir(exist_ok=True)
        monkeypatch.setenv(cache.VARIABLE, str(tmp_path / name))
        twice._entries.clear()
        return tmp_path / name

    yield chosen
    twice._entries.clear()


@pytest.mark.slow
def test_what_another_process_made_meanwhile_is_not_compiled(kernels, monkeypatch) -> None:
    full = kernels("full")
    assert twice(4) == 8
    (made,) = full.glob("*.kernel")
    assert is_free(made)
    empty = kernels("empty")
    monkeypatch.setattr(module.turns, "begin", lambda path: shutil.copy(made, path))
    assert twice(5) == 10
    assert sum(twice.entry(int).stats.cache_hits.values()) == 1
    assert [path.name for path in empty.glob("*.kernel")] == [made.name]


def test_what_does_not_compile_is_nobodys_turn(kernels) -> None:
    folder = kernels("folder")
    with pytest.raises(CannotCompile):
        twice(np.array(["text"]))
    assert module.turns.held == []
    assert (folder / module.NAME).exists()


def test_each_kernel_has_a_byte(tmp_path) -> None:
    assert byte_of(tmp_path / ONE) == 0x0123456789ABCDE
    assert byte_of(tmp_path / OTHER) == 0xFEDCBA987654321
