"""Files are copied by their digests, sources compiled where they can do no harm."""

import re
import shutil
import subprocess
import time
from dataclasses import replace

import pytest

from ludograph.arena.ladder import folder as state_file
from ludograph.arena.ladder import submission
from ludograph.arena.ladder.enrolment import Enrolment, Watcher
from ludograph.arena.ladder.folder import State
from ludograph.arena.ladder.submission import Changing, SourceCompiler, drop_versions, submit
from tests.arena.ladder.making import ladder_in, put

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="unavoidable: no C compiler")

SOURCE = """\
#include "player.h"
char const *get_player_name(void) { return "c"; }
void initialize(size_t id, struct graph_t *graph, enum color_t *colors,
                struct color_set_t forbidden[NUM_PLAYERS]) {}
struct move_t play(struct move_t previous) { return previous; }
void finalize(void) {}
"""

SLOW = """\
#if __INCLUDE_LEVEL__ < 60
#include "bot.c"
#include "bot.c"
#endif
"""
"""More files to read than anybody has time for, in little memory."""


@pytest.fixture
def ladder(tmp_path):
    return ladder_in(tmp_path)


def submitted(ladder, name):
    return submit(ladder, name, Watcher(ladder.folder.players).look().settled[name])


def compiled(ladder, name):
    """Take a source and compile it; return what came of it."""
    taken_in = submitted(ladder, name)
    assert taken_in.is_source
    beside = SourceCompiler(ladder, State())
    assert beside.add(name, taken_in.version) == ""
    while (found := beside.look()) is None:
        assert beside.is_busy
        time.sleep(0.02)
    assert not beside.is_busy
    return found


@pytest.mark.slow
@needs_gcc
def test_a_source_is_compiled_anew_for_a_game_with_another_header(ladder):
    (ladder.folder.players / "bot.c").write_text(SOURCE)
    version = compiled(ladder, "bot.c").version
    assert not submitted(ladder, "bot.c").is_source
    (ladder.folder.place("bot.c", version[:12]) / "player.h").write_text("of another game")
    assert submitted(ladder, "bot.c").is_source


def test_a_copy_is_played_whatever_becomes_of_the_file(ladder):
    put(ladder, "bot.py", "1")
    version = submitted(ladder, "bot.py").version
    put(ladder, "bot.py", "2")
    copy = ladder.folder.played_file("bot.py", version[:12])
    assert copy.read_text() == "1\n"
    assert submitted(ladder, "bot.py").version != version
    assert copy.read_text() == "1\n"


def test_a_file_that_changes_while_it_is_read_is_looked_at_again(ladder):
    put(ladder, "bot.py", "1")
    stamp = Watcher(ladder.folder.players).look().settled["bot.py"]
    put(ladder, "bot.py", "22")
    with pytest.raises(Changing):
        submit(ladder, "bot.py", stamp)


def test_what_cannot_be_read_or_is_nothing_is_told(ladder, monkeypatch):
    (ladder.folder.players / "empty.py").touch()
    assert submitted(ladder, "empty.py").trouble == "it is empty"
    monkeypatch.setattr(submission, "SIZE_LIMIT", 1 << 20)
    put(ladder, "large.py", "x" * (2 << 20))
    assert "1 MiB" in submitted(ladder, "large.py").trouble


@pytest.mark.slow
@needs_gcc
@pytest.mark.parametrize("name", ["bot.c", "-o x.c", "@bot.c", "-fplugin=a.c"])
def test_a_source_becomes_a_library_whatever_its_name(ladder, name):
    put(ladder, name, SOURCE)
    found = compiled(ladder, name)
    assert found.trouble == found.report == ""
    made = ladder.folder.played_file(name, found.version[:12])
    assert made.read_bytes().startswith(b"\x7fELF")
    assert ladder.player(f"{name}@{found.version[:12]}").label == name


@pytest.mark.slow
@needs_gcc
def test_a_c_player_that_needs_a_function_that_nobody_defines_is_not_taken(ladder, tmp_path):
    source = "int my_own(); int f(void) { return my_own(); }\n"
    put(ladder, "bot.c", source)
    found = compiled(ladder, "bot.c")
    assert (found.trouble, "my_own" in found.detail) == ("it cannot be loaded", True)
    assert found.report.startswith(f"bot.c {found.detail}\n")
    assert not ladder.folder.place("bot.c", found.version[:12]).exists()
    library = ladder.folder.players / "made.so"
    words = ["gcc", "-w", "-shared", "-fPIC", ladder.folder.players / "bot.c", "-o", library]
    subprocess.run(words, check=True)
    found = compiled(ladder, "made.so")
    assert "my_own" in found.detail
    assert found.final


@needs_gcc
def test_the_compilers_complaint_is_for_the_author_and_shows_no_other_file(ladder, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the teacher's notes\n")
    put(ladder, "bot.c", f'#include "{secret}"\nint broken(void) {{ return x; }}')
    found = compiled(ladder, "bot.c")
    assert (found.trouble, found.detail[:8]) == ("it does not compile", "bot.c:1:")
    assert "secret.txt" in found.report
    assert "notes" not in found.report
    assert not ladder.folder.place("bot.c", found.version[:12]).exists()


@needs_gcc
def test_a_report_that_is_read_with_cat_moves_no_cursor(ladder):
    """What a source says by ``#error`` is shown by the compiler as it stands."""
    put(ladder, "bot.c", "#error \x1b[2J\x1b]0;owned\x07 \u202egone")
    entering = Enrolment(ladder, State(), lambda _: None)
    entering.look(0)
    while entering.compiling.is_busy:
        time.sleep(0.02)
        entering.look(0)
    kept = ladder.folder.report("bot.c").read_text()
    assert "owned" in kept
    assert "\\x1b[2J" in kept
    assert not {"\x1b", "\x07", "\u202e"} & set(kept)


@pytest.mark.slow
@needs_gcc
def test_a_compiler_that_does_not_end_is_ended_and_its_author_has_a_budget(ladder, monkeypatch):
    """Neither a restart nor the same source in new words spends more on that day."""
    monkeypatch.setattr(submission, "SECONDS", 0.5)
    count = state_file.Spent.add

    def add(spent, author, amount):  # however busy the machine is
        assert amount > 0
        count(spent, author, 0.5)

    monkeypatch.setattr(state_file.Spent, "add", add)
    limited = replace(ladder, compile_seconds=1)
    state, said = State(), []

    def settle():
        entering = Enrolment(limited, state, said.append)
        entering.look(0)
        while entering.compiling.is_busy:
            time.sleep(0.02)
            entering.look(0)

    for number in range(3):
        put(ladder, "bot.c", f"{SLOW}// {number}")
        settle()
        settle()  # which knows that it does not compile
    monkeypatch.setattr(submission, "SECONDS", 30.0)
    put(ladder, "other.c", SOURCE)
    settle()
    first, second, third = [line for line in said if "bot.c" in line]
    assert " 0.5 s" in first
    assert " 0.5 s" in second
    assert re.search("tomorrow .* 1 s ", third)
    assert "tomorrow" in ladder.folder.read_report("bot.c")
    assert state.named("other.c") is not None
    monkeypatch.setattr(submission, "SECONDS", 0.5)
    monkeypatch.setattr(state_file, "today", lambda: "2100-01-01")
    settle()
    assert state.troubles["bot.c"].endswith("does not compile")
    assert "not done" in ladder.folder.read_report("bot.c")


def test_copies_of_old_versions_are_bounded(ladder):
    versions = []
    for number in range(5):
        put(ladder, "bot.py", number)
        versions.append(submitted(ladder, "bot.py").version)
    playing = versions[0]
    drop_versions(ladder.folder, [("bot.py", playing)], 2)
    kept = {place.name for place in (ladder.folder.versions / "bot.py").iterdir()}
    assert kept == {playing[:12], versions[-1][:12]}
