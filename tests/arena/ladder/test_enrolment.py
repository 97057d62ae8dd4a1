"""What counts as a player in the folder, and from when on."""

import os

import pytest

from ludograph.arena.ladder import enrolment
from ludograph.arena.ladder.enrolment import NO_FILE, Watcher


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    monkeypatch.setattr(enrolment, "SETTLE", 1.0)


class Clock:
    """Seconds since 1970 that somebody sets."""

    def __init__(self, path):
        self.now = path.stat().st_ctime

    def __call__(self):
        return self.now


def test_a_file_that_grows_is_waited_for(tmp_path):
    file = tmp_path / "bot.py"
    file.write_text("def choose(")
    clock = Clock(file)
    watcher = Watcher(tmp_path, clock)
    for _ in range(5):
        assert watcher.look().waiting == {"bot.py"}
        clock.now += 0.9
        file.write_text(file.read_text() + "x")
        os.utime(file, (clock.now, clock.now))
    assert watcher.look().waiting == {"bot.py"}
    clock.now += 1.1
    assert set(watcher.look().settled) == {"bot.py"}


def test_a_file_system_with_another_clock_is_waited_for_too(tmp_path):
    file = tmp_path / "bot.py"
    file.write_text("x")
    clock = Clock(file)
    clock.now -= 1000
    watcher = Watcher(tmp_path, clock)
    assert watcher.look().waiting == {"bot.py"}
    clock.now += 1.1
    assert set(watcher.look().settled) == {"bot.py"}


def test_old_files_are_taken_at_once(tmp_path):
    (tmp_path / "bot.so").write_text("x")
    clock = Clock(tmp_path / "bot.so")
    clock.now += 5
    assert set(Watcher(tmp_path, clock).look().settled) == {"bot.so"}


def test_what_is_no_file_is_told_and_other_files_are_passed_over(tmp_path):
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "link.c").symlink_to("/etc/passwd")
    (tmp_path / "folder.py").mkdir()
    for name in ("Makefile", "player.h", ".hidden.py", "bot.py~", "notes.txt"):
        (tmp_path / name).write_text("x")
    look = Watcher(tmp_path).look()
    assert look.troubles == dict.fromkeys(("pipe.py", "link.c", "folder.py"), NO_FILE)
    assert not look.names


def test_a_file_settles_although_the_clock_goes_back(tmp_path):
    file = tmp_path / "bot.py"
    file.write_text("def choose(position): return 0")
    clock = Clock(file)
    watcher = Watcher(tmp_path, clock)
    for change in (0, -3600, 0.9):
        clock.now += change
        assert watcher.look().waiting == {"bot.py"}
    clock.now += 0.2
    assert watcher.look().settled.keys() == {"bot.py"}


@pytest.mark.parametrize(
    "name", ["a\x1b[31m.py", "x" * 61 + ".py", "a\nb.py", "bot\u3164.py", "bot\u200f.py"]
)
def test_names_are_bounded_and_printable(tmp_path, name):
    (tmp_path / name).write_text("x")
    (shown,) = Watcher(tmp_path).look().troubles
    assert shown.isprintable()
    assert len(shown) <= 60
