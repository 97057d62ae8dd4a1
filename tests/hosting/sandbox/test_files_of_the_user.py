"""A player changes nothing about the files of the user who runs the match, though it is that user.

Fault row 43. Landlock leaves modes, owners, times and attributes alone; under ``strict`` the
interpreter is reached through ``/proc/self/exe``, outside of the player's read-only mounts.
"""

import array
import fcntl
import os
import shutil
import struct
import sys
import tempfile
from pathlib import Path

import pytest

from ludograph import play_match
from ludograph.hosting.sandbox.privileges import NOBODY, is_root
from ludograph.hosting.sandboxed_command import Build, SandboxedCommand
from ludograph.players.isolation import Isolation, Level
from tests.amounts import slow_but
from tests.hosting.sandbox.vandal import GETFLAGS

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
GET_HINT = 1035  # F_GET_RW_HINT


@pytest.fixture
def ground(monkeypatch):
    """Yield a folder with an interpreter and two players, all of which belong to the players."""
    with tempfile.TemporaryDirectory() as name:
        folder, python = Path(name), os.path.realpath(sys.executable)
        own = folder / "python" / "bin" / "python3"
        own.parent.mkdir(parents=True)
        shutil.copy(python, own)
        (folder / "python" / "pyvenv.cfg").write_text(f"home = {os.path.dirname(python)}\n")
        for player in ("own", "other"):
            (folder / player).mkdir()
        shutil.copy(HERE / "vandal.py", folder / "own")
        (folder / "other" / "book.txt").write_text("an opening\n")
        (folder / "other" / "bot.py").write_text(
            "def choose(position):\n    return position.legal_moves()[0]\n"
        )
        if is_root():
            for path in (folder, *folder.rglob("*")):
                os.chown(path, NOBODY, NOBODY)
        monkeypatch.setattr(sys, "executable", str(own))
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(os.path.isdir, sys.path)))
        yield folder


def played(start, ground, level, *players):
    """Play a match; return its faults."""
    seats = [str(ground / one) if "/" in one else one for one in players]
    return play_match(start, seats, isolation=level, clock="20s").faults


def state(path):
    """Return all about a file that others can notice."""
    found = os.stat(path)
    told = [found.st_mode, found.st_uid, found.st_gid, found.st_size]
    told += [found.st_mtime_ns, found.st_ctime_ns]
    try:
        told.append(os.listxattr(path))
        with open(os.open(path, os.O_RDONLY), "rb", closefd=True) as file:
            flags = array.array("l", [0])
            fcntl.ioctl(file, GETFLAGS, flags)
            told += [flags[0], struct.unpack("Q", fcntl.fcntl(file, GET_HINT, bytes(8)))]
    except OSError as error:
        told.append(error.errno)  # a folder, or a file system without them
    return told


def states(ground):
    return {str(path): state(path) for path in [*ground.rglob("*"), Path("/dev/null")]}


@pytest.mark.parametrize("level", slow_but(["basic"], ["strict", "basic"]))
def test_nothing_about_the_files_of_the_user_changes(level, start, ground):
    before = states(ground)
    assert played(start, ground, level, "own/vandal.py", "other/bot.py") == []
    assert states(ground) == before
    assert played(start, ground, level, "other/bot.py", "greedy") == []


@pytest.mark.slow
def test_without_isolation_they_change(start, ground):
    """Else the attempts would prove nothing."""
    before = states(ground)
    played(start, ground, "none", "own/vandal.py", "greedy")
    after = states(ground)
    own = ("own/vandal.py", "other", "other/bot.py", "other/book.txt", "python/bin/python3")
    assert [name for name in own if after[f"{ground}/{name}"] == before[f"{ground}/{name}"]] == []


WORK = """
set -e
cd /tmp
mkdir from; echo hello > from/a; chmod 644 from/a
cp -p from/a b; cp -a from to; touch -d 2001-01-01 b; mv b c; ln -s c d; sed -i s/h/j/ c
tar cf all.tar from; mkdir out; tar xf all.tar -C out; gzip out/from/a
echo 'int one(void) { return 1; }' > one.c; gcc -shared -fPIC one.c -o one.so
python3 - <<END
import ctypes, multiprocessing, os, shutil, sqlite3, subprocess, tempfile
shutil.copy("c", "e"); shutil.copy2("c", "f"); shutil.copytree("from", "g")
shutil.make_archive("h", "zip", "g"); shutil.unpack_archive("h.zip", "i"); shutil.rmtree("i")
os.chmod("e", 0o600); os.utime("e", (1, 1))
tempfile.TemporaryDirectory().cleanup()
base = sqlite3.connect("base.db"); base.execute("create table t (x)"); base.commit()
base.execute("pragma journal_mode=wal"); base.execute("insert into t values (1)"); base.commit()
assert multiprocessing.Pool(2).map(abs, [-1]) == [1]
assert subprocess.run(["cat"], input=b"x", capture_output=True).stdout == b"x"
assert ctypes.CDLL("./one.so").one() == 1
END
echo done > {}
"""


@pytest.mark.slow
def test_ordinary_programs_work_in_the_scratch_folder(tmp_path):
    """They copy, unpack and compile there; modes and times seem to change."""
    command = SandboxedCommand(["sh", "-c", WORK], str(tmp_path))
    made = Build(command, Isolation(Level.STRICT)).awaited()
    assert made.file == b"done\n", made.said


@pytest.mark.slow
@pytest.mark.parametrize("level", ["strict", "basic"])
def test_a_program_changes_nothing_either(level, tmp_path, start):
    """With the tools of the system."""
    book = tmp_path / "book.txt"
    book.write_text("an opening\n")
    if is_root():
        os.chown(book, NOBODY, NOBODY)
    player = tmp_path / "player.sh"
    player.write_text(
        f"chmod 600 {book}; touch {book}; truncate -s 0 {book}; chattr +d {book}\n"
        "while read line; do echo 0; done\n"
    )
    before = state(book)
    play_match(start, ["random", f"cmd: sh {player}"], isolation=level, clock="20s")
    assert state(book) == before
