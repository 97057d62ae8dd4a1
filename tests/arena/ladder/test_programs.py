"""Programs in any language take part in a ladder as one file, whose name ends with .run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator

import pytest

from ludograph.hosting.exit_status import unrunnable
from tests.arena.ladder.making import ladder_in
from tests.arena.ladder.test_submission import needs_gcc, submitted
from tests.cli.run import succeed

SHELL = """\
#!/bin/sh
while read -r line; do
  case $line in
    *'"type":"hello"'*) echo '{"version":1}' ;;
    *'"type":"start"'*) echo '{"ready":true}' ;;
    *'"type":"ping"'*) echo '{"pong":true}' ;;
    *'"type":"play"'*) move=${line#*'"legal":["'}; echo "{\\"move\\":\\"${move%%\\"*}\\"}" ;;
  esac
done
"""
"""A player of every game, which plays the first legal move."""


@pytest.fixture(autouse=True)
def _private() -> Iterator[None]:
    """What the program writes is for its user only, whatever the mask of who runs the tests."""
    before = os.umask(0o077)
    yield
    os.umask(before)


def test_a_program_plays_in_a_ladder_and_its_faults_are_its_own(tmp_path) -> None:
    course = tmp_path / "my course"
    succeed("ladder", "init", course, "flood", "-m", 4)
    file = course / "ladder.toml"
    quick = re.sub(r"(?m)^anchors = .*", 'anchors = ["greedy", "random"]', file.read_text())
    file.write_text(quick)  # nothing is compiled for the other steps of the game
    (course / "players" / "first.run").write_text(SHELL)
    (course / "players" / "mute.run").write_text("#!/bin/sh\nread -r line\n")
    succeed("ladder", "run", course, "--games", 12, "-j", 1)
    shown = (course / "ladder.log").read_text()
    assert "first.run has joined" in shown
    assert "mute.run is suspended: " in shown
    csv = succeed("ladder", "table", course, "--csv").splitlines()
    games, forfeits = next(row.split(",")[6:11:4] for row in csv if ",first.run," in row)
    assert int(games) >= 4
    assert forfeits == "0"
    assert str(course / "versions") not in succeed("ladder", "why", course, "mute.run")


@pytest.mark.slow
def test_an_author_whose_player_needs_other_files_reads_that_a_player_is_one_file(
    tmp_path,
) -> None:
    course = tmp_path / "course"
    succeed("ladder", "init", course, "flood", "-m", 4)
    for name, begins in (
        ("data.py", "open('weights.txt')"),
        ("module.py", "import helpers"),
        ("sound.py", ""),
        ("wrong.py", "1 / 0"),
    ):
        text = f"{begins}\n\n\ndef choose(position):\n    return position.legal_moves()[0]\n"
        (course / "players" / name).write_text(text)
    told = {"data.py.txt", "module.py.txt"}
    if shutil.which("gcc") is not None:
        (course / "players" / "header.c").write_text('#include "list.h"\n')
        told.add("header.c.txt")
    succeed("ladder", "run", course, "--games", 16, "-j", 1)
    reports = {file.name: file.read_text() for file in (course / "reports").iterdir()}
    assert told == {name for name, text in reports.items() if "one file" in text}
    assert "'helpers'" in reports["module.py.txt"]
    assert "corrected" in reports["wrong.py.txt"]


@pytest.mark.parametrize("name", ["bot.js", "bot.py"])
def test_a_program_that_player_new_writes_is_one_for_a_ladder(tmp_path, name) -> None:
    succeed("player", "new", "hex", tmp_path / name, "--program")
    program = (tmp_path / name).read_bytes()
    assert unrunnable(program) == ""
    interpreter = program.partition(b"\n")[0].decode().rpartition(" ")[2]
    assert interpreter == {"bot.js": "node", "bot.py": "python3"}[name]


def test_a_file_that_is_no_program_does_not_take_part(tmp_path) -> None:
    ladder = ladder_in(tmp_path)
    (ladder.folder.players / "text.run").write_text("hello\n")
    assert "Linux" in submitted(ladder, "text.run").detail


def test_what_keeps_a_file_from_running_is_told_before_a_game(tmp_path) -> None:
    with open("/proc/self/exe", "rb") as file:
        head = file.read(64)
    other = bytes([183 if head[18] != 183 else 62])
    assert unrunnable(head) == unrunnable(b"#!/bin/sh\nexit\n") == ""
    assert "compiled for" in unrunnable(head[:18] + other + head[19:])
    assert "Windows" in unrunnable(b"#!/bin/sh\r\nexit\r\n")
    for data in (b"", b"MZ", b"\x7fELF", b"#"):
        assert "Linux" in unrunnable(data)


@needs_gcc
def test_an_object_file_is_not_linked_yet(tmp_path) -> None:
    (tmp_path / "p.c").write_text("int main(void) { return 0; }\n")
    subprocess.run(["gcc", "-c", "p.c"], cwd=tmp_path, check=True)
    assert "link it" in unrunnable((tmp_path / "p.o").read_bytes())
