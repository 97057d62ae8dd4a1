"""Every fault of a C player is a forfeit with its reason; nobody else is harmed."""

import re
import time
from pathlib import Path

import pytest

from ludograph import play_match
from ludograph.hosting import foreign_player
from ludograph.hosting.sandbox.control_group import ControlGroup
from tests.hosting.fixtures import the_fault


@pytest.mark.parametrize("at", [1, 3])
def test_an_illegal_move_comes_with_all_that_was_legal(at, start, library, referee):
    misbehave = library("misbehave", fault="illegal", fault_at=at)
    result = referee(start, [library("greedy"), misbehave], clock="20s")
    found = the_fault(result)
    assert found.ply == 2 * at - 1
    assert re.search(rf"\({found.answer}\) .*seat 1 at ply {2 * at}: ", found.message)
    assert found.message.endswith("; " + result.position.legal_text())


NAMES = {
    "long-name": "xxx...",
    "html-name": "<script>",  # escaped where it is shown, see the views
    "null-name": "misbehave.so",
    "empty-name": "misbehave.so",
    "control-name": "mis\\x1b[31m\\x07 behave�",
}


@pytest.mark.parametrize("fault", NAMES)
def test_names_are_shown_safely(fault, start, library, referee):
    result = referee(start, ["greedy", library("misbehave", fault=fault)])
    name = result.names[1]
    assert name.startswith("misbehave.so")
    assert NAMES[fault] in name
    assert len(name) < 100
    assert name.isprintable()
    assert result.reason == "finished"


def test_exit_in_initialize(start, library, referee):
    fault = the_fault(referee(start, ["greedy", library("misbehave", fault="exit-init")]))
    assert (fault.reason, fault.ply) == ("no-start", 0)
    assert "exited with code 3" in fault.message


@pytest.mark.slow
def test_hang_in_initialize(start, library, referee, monkeypatch):
    monkeypatch.setattr(foreign_player, "START_SECONDS", 0.5)
    fault = the_fault(referee(start, ["greedy", library("misbehave", fault="hang-init")]))
    assert fault.reason == "no-start"
    assert " 0.5" in fault.message


def test_a_missing_function(start, library, referee):
    fault = the_fault(referee(start, ["greedy", library("no_symbol")]))
    assert fault.reason == "no-start"
    assert re.search(r"no_symbol\.so .*'play'", fault.message)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "file too short"),
        (b"no library at all, but long enough to look at" * 10, "invalid ELF header"),
        (b"ARM", "aarch64"),
    ],
)
def test_not_a_library(content, message, start, library, referee, tmp_path):
    path = tmp_path / "fake.so"
    if content == b"ARM":  # the machine in the ELF header
        content = bytearray(Path(library("greedy")).read_bytes())
        content[18:20] = (0xB7).to_bytes(2, "little")
    path.write_bytes(content)
    fault = the_fault(referee(start, ["greedy", str(path)]))
    assert fault.reason == "no-start"
    assert message in fault.message


def test_both_fail_to_start(start, library, referee):
    result = referee(start, [library("no_symbol")] * 2)
    assert result.winner is None
    assert result.outcome.ranks == (2, 2)
    assert [(fault.seat, fault.reason) for fault in result.faults] == [
        (0, "no-start"),
        (1, "no-start"),
    ]
    assert result.sentence.startswith("Nobody wins: ")


class Slow:
    def __init__(self):
        self.turns = 0

    def choose(self, position):
        self.turns += 1
        time.sleep(0.1)
        return position.legal_moves()[0]


@pytest.mark.slow
def test_exit_during_the_opponents_turn(start, small, referee):
    """Judged when its turn comes, not before; its own is over unless the machine is busy."""
    player = small("pthread_t t; pthread_create(&t, 0, leave, 0); usleep(10000)")
    turns = set()
    for _ in range(10):
        slow = Slow()
        fault = the_fault(referee(start, [slow, player], clock="20s"))
        assert fault.reason == "crash"
        assert "exited with code 9" in fault.message
        turns.add(slow.turns)
        if slow.turns == 2:
            break
    assert 2 in turns


def test_a_missing_symbol_is_told_in_the_loaders_words(start, small, referee):
    """Bound when it is called: by then the game is under way."""
    player = small('printf("so far\\n"); int my_own(); my_own()')
    result = referee(start, [Slow(), player])
    fault = the_fault(result)
    assert fault.reason == "crash"
    words = f"symbol lookup error: {player}: undefined symbol: my_own"
    assert re.search(f"my_own in play, .*{words}; at ply 2$", fault.message)
    assert f"crash, {fault.message}" in result.sentence
    assert fault.log.startswith("so far\n")
    assert words in fault.log


def test_a_missing_symbol_of_a_library_that_is_known(start, small, referee):
    fault = the_fault(referee(start, [Slow(), small("int gsl_nowhere(); gsl_nowhere()")]))
    assert re.search("gsl_nowhere; .*libgsl27 .*libgsl-dev; at ply 2$", fault.message)


def test_exit_code_127_alone_says_nothing_more(start, small, referee):
    fault = the_fault(referee(start, [Slow(), small("_exit(127)")]))
    assert fault.message == "exited with code 127 in play; at ply 2"


def test_what_it_printed_before_a_crash_is_in_the_log(start, small, referee):
    fault = the_fault(referee(start, [Slow(), small('printf("so far\\n"); abort()')]))
    assert fault.log == "so far\n"


def test_a_child_that_comes_back_from_play(start, small, referee):
    result = referee(start, ["greedy", small("fork()")])
    assert result.faults == []


def test_a_crash_in_finalize_changes_nothing(start, small, tmp_path):
    record = tmp_path / "record.jsonl"
    result = play_match(start, ["greedy", small("", "abort()")], record=record)
    assert result.reason == "finished"
    assert "killed by SIGABRT" in record.read_text()


@pytest.mark.slow
def test_a_hang_in_finalize_is_short(start, small, referee):
    assert referee(start, ["greedy", small("", "for (;;) ;")]).reason == "finished"


ENDS = {
    "raise(SIGRTMIN + 3)": "SIGRTMIN+3",
    "raise(SIGSTKFLT)": "SIGSTKFLT",
    "_exit(127)": "code 127",
    "sigset_t s; sigfillset(&s); sigprocmask(SIG_BLOCK, &s, 0); *(int *) 0 = 1": "SIGSEGV",
    "signal(SIGABRT, SIG_IGN); abort()": "SIGABRT",
}


@pytest.mark.parametrize("how", ENDS)
def test_how_it_ended_is_named(how, start, small):
    found = the_fault(play_match(start, ["greedy", small(how)]))
    assert found.reason == "crash"
    assert found.message.endswith(f" {ENDS[how]} in play; at ply 2")


def test_a_player_that_stops_itself(start, small, groups, monkeypatch):
    """At once, as it may where it is let run on one processor and the referee waits for another."""
    real = ControlGroup.thaw

    def thaw(self):
        real(self)
        time.sleep(0.05)

    monkeypatch.setattr(ControlGroup, "thaw", thaw)
    found = the_fault(play_match(start, ["greedy", small("raise(SIGSTOP)")], clock="200ms"))
    assert (found.reason, "signal" in found.message) == ("timeout", True)
