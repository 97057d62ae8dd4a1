"""Files are copied by their digests, sources compiled where they can do no harm."""

import shutil

import pytest

from ludograph.arena.ladder import intake
from ludograph.arena.ladder.intake import Changing, drop_versions, take
from ludograph.arena.ladder.roster import Watcher
from tests.arena.ladder.making import ladder_in, put

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="unavoidable: no C compiler")

SOURCE = """\
#include "player.h"
char const *get_player_name(void) { return "c"; }
"""


@pytest.fixture
def ladder(tmp_path):
    return ladder_in(tmp_path)


def taken(ladder, name):
    return take(ladder, name, Watcher(ladder.folder.players).look().settled[name])


def test_a_copy_is_played_whatever_becomes_of_the_file(ladder):
    put(ladder, "bot.py", "1")
    version = taken(ladder, "bot.py").version
    put(ladder, "bot.py", "2")
    copy = ladder.folder.played_file("bot.py", version[:12])
    assert copy.read_text() == "1\n"
    assert taken(ladder, "bot.py").version != version
    assert copy.read_text() == "1\n"


def test_a_file_that_changes_while_it_is_read_is_looked_at_again(ladder):
    put(ladder, "bot.py", "1")
    stamp = Watcher(ladder.folder.players).look().settled["bot.py"]
    put(ladder, "bot.py", "22")
    with pytest.raises(Changing):
        take(ladder, "bot.py", stamp)


def test_what_cannot_be_read_or_is_nothing_is_told(ladder, monkeypatch):
    (ladder.folder.players / "empty.py").touch()
    assert taken(ladder, "empty.py").trouble == "it is empty"
    monkeypatch.setattr(intake, "SIZE_LIMIT", 1 << 20)
    put(ladder, "large.py", "x" * (2 << 20))
    assert taken(ladder, "large.py").trouble == "it has more than 1 MiB"


@needs_gcc
def test_a_source_becomes_a_library(ladder):
    put(ladder, "bot.c", SOURCE)
    found = taken(ladder, "bot.c")
    assert found.trouble == found.report == ""
    made = ladder.folder.played_file("bot.c", found.version[:12])
    assert made.read_bytes().startswith(b"\x7fELF")
    assert ladder.specs[f"bot.c@{found.version[:12]}"].label == "bot.c"


@needs_gcc
def test_the_compilers_complaint_is_for_the_author_and_shows_no_other_file(ladder, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the teacher's notes\n")
    put(ladder, "bot.c", f'#include "{secret}"\nint broken(void) {{ return x; }}')
    found = taken(ladder, "bot.c")
    assert found.trouble.startswith("it does not compile: bot.c:1:")
    assert "secret.txt" in found.report
    assert "notes" not in found.report
    assert not ladder.folder.place("bot.c", found.version[:12]).exists()


@needs_gcc
def test_a_compiler_that_does_not_end_is_ended(ladder, monkeypatch):
    monkeypatch.setattr(intake, "SECONDS", 0.5)
    put(ladder, "bot.c", '#include "/dev/zero"')
    assert "gcc" in taken(ladder, "bot.c").trouble


def test_copies_of_old_versions_are_bounded(ladder):
    versions = []
    for number in range(5):
        put(ladder, "bot.py", number)
        versions.append(taken(ladder, "bot.py").version)
    playing = versions[0]
    assert drop_versions(ladder.folder, [("bot.py", playing)], 2) == 3
    kept = {place.name for place in (ladder.folder.versions / "bot.py").iterdir()}
    assert kept == {playing[:12], versions[-1][:12]}
