"""Fixtures for players and referee: compiled players, refereed games, nothing left behind."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from ludograph import boards, flood, play_match, read_record
from ludograph.games import Position
from ludograph.hosting import foreign_player, turn_time
from ludograph.hosting.process_tree import bearers
from ludograph.hosting.sandbox import control_group
from ludograph.referee import MatchResult
from tests.hosting.c_players import C_PLAYERS

NEEDS = "the tests need a C compiler and libgsl: apt-get install gcc libgsl-dev"


@pytest.fixture(scope="session")
def libraries(tmp_path_factory) -> Callable[[str], Callable[..., str]]:
    """Return a function that takes a game's name and returns what compiles its C players.

    That compiles each player once, and returns its path.
    """
    if shutil.which("gcc") is None or shutil.which("gsl-config") is None:
        pytest.fail(NEEDS)
    built: dict[Any, str] = {}

    def compiler(game: str) -> Callable[..., str]:
        folder = tmp_path_factory.getbasetemp() / game
        folder.mkdir(exist_ok=True)

        def compiled(name: str, **options: Any) -> str:
            key = (game, name, *sorted(options.items()))
            if key not in built:
                built[key] = str(C_PLAYERS[game].build(name, folder, **options))
            return built[key]

        return compiled

    return compiler


@pytest.fixture(scope="session")
def library(libraries) -> Callable[..., str]:
    """Return a function that compiles a C player of Flood once and returns its path."""
    found: Callable[..., str] = libraries("flood")
    return found


SMALL = """
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
struct move { int c; }; FUNCTIONS
void *leave(void *x) { usleep(20000); _exit(9); return x; }
const char *get_player_name(void) { return "small"; }
void initialize(size_t id, void *g, int *c, void *f) { }
struct move play(struct move m) { PLAY; return (struct move){-1}; }
void finalize(void) { FINALIZE; }
"""


@pytest.fixture
def small(tmp_path):
    """Return a function that compiles a player, given the body of ``play`` and of ``finalize``."""

    def compiled(play, finalize="", functions=""):
        source, path = tmp_path / "small.c", tmp_path / "small.so"
        code = SMALL.replace("PLAY", play).replace("FINALIZE", finalize)
        source.write_text(code.replace("FUNCTIONS", functions))
        subprocess.run(["gcc", "-shared", "-fPIC", str(source), "-o", str(path)], check=True)
        return str(path)

    return compiled


@pytest.fixture
def file(tmp_path) -> Callable[..., str]:
    """Return a function that writes a Python player and returns its path."""

    def write(code: str, name: str = "bot.py") -> str:
        path = tmp_path / name
        path.write_text(code)
        return str(path)

    return write


@pytest.fixture
def tokens(monkeypatch) -> list[str]:
    """Return the tokens of all foreign players of the test."""
    seen: list[str] = []
    original = foreign_player.ForeignPlayer.__init__

    def remember(self, *arguments):
        original(self, *arguments)
        seen.append(self.host.token)

    monkeypatch.setattr(foreign_player.ForeignPlayer, "__init__", remember)
    return seen


class Alone:
    """The tree of a player that is this very process."""

    control = None
    first = os.getpid()

    def has_changed(self) -> bool:
        return False

    def is_crowd(self) -> bool:
        return False

    def is_alone(self) -> bool:
        return True

    def processes(self) -> list[int]:
        return [self.first]

    def threads(self) -> list[int]:
        return [int(number) for number in os.listdir("/proc/self/task")]


EXITING = 0x4
"""The kernel's flag of a thread that is ending."""

KILLED = 1 << (signal.SIGKILL - 1)


def is_ending(process: int) -> bool:
    """Tell whether a process has ended, or has been killed and waits for a processor to end on."""
    for thread in Path(f"/proc/{process}/task").glob("*"):
        with suppress(OSError):
            fields = (thread / "stat").read_text().rpartition(")")[2].split()
            pending = re.findall(r"(?:SigPnd|ShdPnd):\s*(\w+)", (thread / "status").read_text())
            killed = any(int(signals, 16) & KILLED for signals in pending)
            if not (fields[0] in "ZX" or int(fields[6]) & EXITING or killed):
                return False
    return True


@pytest.fixture(autouse=True)
def _nothing_left(tokens) -> Iterator[None]:
    yield
    left = {token: [each for each in bearers(token) if not is_ending(each)] for token in tokens}
    assert not any(left.values()), f"processes left behind: {left}"


@pytest.fixture
def unisolated(monkeypatch) -> None:
    """Let players of this test write files and see all variables: it looks at something else."""
    monkeypatch.setenv("LUDOGRAPH_ISOLATION", "none")


NO_GROUPS = "unavoidable: this machine has no control groups of version 2 that can be written to"


@pytest.fixture(params=["without one", "in a control group"])
def groups(request, monkeypatch) -> bool:
    """Have players in control groups and without them; return whether they are."""
    grouped = request.param == "in a control group"
    if not grouped:
        monkeypatch.setenv(control_group.VARIABLE, "none")
    elif not control_group.place():
        pytest.skip(NO_GROUPS)
    return grouped


@pytest.fixture
def start() -> Position:
    """Return a small game for two."""
    return flood.position(boards.square(8), colors=6, seed=3)


@pytest.fixture
def referee(tmp_path, monkeypatch) -> Callable[..., MatchResult]:
    """Return ``play_match``, which checks the record of every game and how long it took.

    On a busy machine it waits longer than usual before it gives up.
    """
    monkeypatch.setattr(turn_time, "GRANTED", 60.0)

    def play(
        position: Position, players: list[Any], *, within: float = 90.0, **options: Any
    ) -> MatchResult:
        path = Path(options.pop("record", tmp_path / "record.jsonl"))
        before = position.copy()
        began = time.monotonic()
        result = play_match(position, players, record=path, **options)
        assert time.monotonic() - began < within
        assert position == before
        check_record(path, result)
        return result

    return play


def check_record(path: Path, result: MatchResult) -> None:
    """Check that a record tells the same game as the result."""
    record = read_record(path)
    assert record.warning == ""
    assert record.end is not None
    assert record.end["end"] == result.reason
    assert record.end["sentence"] == result.sentence
    assert record.end["ranks"] == list(result.outcome.ranks)
    assert record.names == list(result.names)
    *_, (board, _) = record.positions()
    assert board == result.position
    moves = [(e.seat, e.move) for e in record.events if e.move is not None]
    assert moves == [(played.seat, played.move) for played in result.moves]
    drops = [(e.drop, e.reason, e.answer) for e in record.events if e.drop is not None]
    assert drops == [(fault.seat, fault.reason, fault.answer) for fault in result.faults]


def the_fault(result: MatchResult, seat: int = 1) -> Any:
    """Return the only fault of a game, which cost its seat the game."""
    assert [fault.seat for fault in result.faults] == [seat]
    fault = result.faults[0]
    assert result.reason == fault.reason
    assert result.winner == 1 - seat
    assert result.outcome.ranks[seat] == 2
    assert "\x1b" not in result.sentence + fault.message + fault.log
    assert "\n" not in result.sentence
    return fault
