"""A crash of a C player is told with the function of its interface, and the line where known."""

import re
import shutil
import subprocess

import pytest

from ludograph.hosting import crash_report, foreign_player
from tests.hosting.fixtures import the_fault

SOURCE = """
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct move { int c; };
static char *volatile p;
static volatile int zero;
const char *get_player_name(void) { IN_NAME; return "falls"; }
void initialize(size_t id, void *g, int *c, void *f) { IN_INITIALIZE; }
#line 100
static int helper(int *q)
{
  IN_HELPER;
  return 0;
}
static int deeper(int k) { return k < 0 ? 0 : deeper(k + 1) + deeper(k + 2); }
#line 200
struct move play(struct move m) {
  IN_PLAY;
  return (struct move){-1};
}
#line 300
void finalize(void) { IN_FINALIZE; }
"""
PLACES = ("NAME", "INITIALIZE", "HELPER", "PLAY", "FINALIZE")

needs_lines = pytest.mark.skipif(
    shutil.which("addr2line") is None, reason="unavoidable: no addr2line"
)


@pytest.fixture
def falls(tmp_path):
    """Return a function that compiles a player, given what it does where."""

    def compiled(*flags, **does):
        text = SOURCE
        for place in PLACES:
            text = text.replace(f"IN_{place}", does.get(place.lower(), ""))
        source, path = tmp_path / "falls.c", tmp_path / "falls.so"
        source.write_text(text)
        command = ["gcc", *(flags or ("-g", "-O0")), "-shared", "-fPIC", str(source)]
        subprocess.run([*command, "-o", str(path)], check=True)
        return str(path)

    return compiled


def crash(referee, start, player):
    return the_fault(referee(start, ["greedy", player])).message


CALL = "helper(0)"
HELPERS = {
    "*q = 1": "SIGSEGV",
    "memset(q, 1, 99)": "SIGSEGV",
    "abort()": "SIGABRT",
    "raise(SIGFPE)": "SIGFPE",
    "raise(SIGSEGV)": "SIGSEGV",
}


@needs_lines
@pytest.mark.parametrize("body", HELPERS)
def test_the_line_of_a_crash_in_play(body, referee, start, falls):
    message = crash(referee, start, falls(helper=body, play=CALL))
    assert message.endswith(f" {HELPERS[body]} in play (helper, falls.c:102); at ply 2")


@needs_lines
def test_a_double_free_is_told_in_the_words_of_the_c_library(referee, start, falls):
    message = crash(referee, start, falls(play="p = malloc(9); free(p); free(p)"))
    assert re.search(r"SIGABRT in play \(falls\.c:201\), free\(\): .*; at ply 2$", message)


@needs_lines
def test_a_recursion_without_an_end(referee, start, falls):
    message = crash(referee, start, falls(play="deeper(0)"))
    assert re.search(r"SIGSEGV in play \(deeper, falls\.c:105\), .* 100 .*; at ply 2$", message)


@needs_lines
@pytest.mark.parametrize("name", ["get_player_name", "initialize"])
def test_a_crash_at_the_start(name, referee, start, falls):
    does = {"name" if name == "get_player_name" else name: "abort()"}
    line = 9 if name == "get_player_name" else 10
    fault = the_fault(referee(start, ["greedy", falls(**does)]))
    assert fault.reason == "no-start"
    assert fault.message.endswith(f" SIGABRT in {name} (falls.c:{line})")


@needs_lines
def test_a_crash_at_the_end(referee, start, falls):
    result = referee(start, ["greedy", falls(finalize="abort()")])
    (fault,) = result.finish_faults
    assert fault.message.endswith("SIGABRT in finalize (falls.c:300)")
    assert result.reason == "finished"


def test_without_debug_information_the_function_is_told_and_nothing_else(referee, start, falls):
    player = falls("-O2", helper="*(volatile int *)8 = 1", play=CALL)
    assert crash(referee, start, player).endswith("SIGSEGV in play; at ply 2")


def test_a_wild_jump_is_told_without_a_line(referee, start, falls):
    message = crash(referee, start, falls(play="((void (*)(void))16)()"))
    assert "SIGSEGV in play" in message


@pytest.mark.slow
@pytest.mark.usefixtures("unisolated")
def test_a_library_that_is_built_anew_meanwhile_is_not_looked_into(
    referee, start, falls, monkeypatch
):
    """The line would be another one."""
    path = falls(play='truncate(getenv("FALLS"), 100000); abort()')
    monkeypatch.setenv("FALLS", path)
    assert crash(referee, start, path).endswith("SIGABRT in play; at ply 2")


def test_exit_is_told_with_its_function(referee, start, falls):
    assert crash(referee, start, falls(play="exit(7)")) == "exited with code 7 in play; at ply 2"


@pytest.mark.slow
def test_the_crash_of_a_process_that_the_player_has_forked_is_not_its_own(referee, start, falls):
    body = "if (fork() == 0) abort(); usleep(300000); exit(5)"
    assert crash(referee, start, falls(play=body)).endswith(" code 5 in play; at ply 2")
    body = "if (fork() == 0) abort(); usleep(300000); signal(SIGKILL, 0); kill(getpid(), SIGKILL)"
    assert crash(referee, start, falls(play=body)).endswith("SIGKILL in play; at ply 2")


def test_a_handler_of_the_player_is_its_own(referee, start, falls):
    body = "signal(SIGSEGV, (void (*)(int))_exit); *(volatile int *)8 = 1"
    assert crash(referee, start, falls(play=body)) == "exited with code 11 in play; at ply 2"


@pytest.mark.parametrize(
    "page", [b"", b"x" * 100, b"\xff" * crash_report.PAGE, bytes(crash_report.PAGE)]
)
def test_whatever_is_in_the_page_tells_nothing_that_is_not_there(page):
    assert crash_report.read(page, "/nowhere.so", ("play",), 1) == crash_report.NOTHING


LATE = {
    "play (helper, falls.c:102)": {"helper": "for (;;) zero++", "play": CALL},
    "initialize (falls.c:10)": {"initialize": "for (;;) zero++"},
}


@needs_lines
@pytest.mark.parametrize("place", LATE)
def test_whose_time_is_over_is_told_with_its_line(referee, start, falls, monkeypatch, place):
    monkeypatch.setattr(crash_report, "ASK_SECONDS", 20.0)
    monkeypatch.setattr(foreign_player, "START_SECONDS", 1.0)
    found = the_fault(referee(start, ["greedy", falls(**LATE[place])], clock="300ms"))
    assert found.reason == ("no-start" if "initialize" in place else "timeout")
    assert found.message.endswith(f"; it was in {place}")
