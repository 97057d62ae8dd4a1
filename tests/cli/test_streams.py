"""Streams that are closed or full, a folder that is gone: one sentence, and whose fault it is."""

import errno
import io
import os
import re
import shlex
import subprocess
import sys

import pytest

from tests.amounts import slow_but
from tests.cli.run import PROGRAM, invoke

GAME = "flood -m 3 -c 3 --seed 1 --starter 0 -q greedy random"
FULL = f"standard output: {os.strerror(errno.ENOSPC)}"


def shell(line, folder, game=GAME):
    """Run a shell's line, in which $GAME plays one."""
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    env["GAME"] = f"{sys.executable} -m ludograph {game}"
    return subprocess.run(
        ["sh", "-c", line], cwd=folder, env=env, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("line", "named"),
    [("$GAME >&-", "standard output .*/dev/null.*"), ("$GAME >/dev/full", FULL)],
)
def test_the_machine_fails(line, named, tmp_path):
    done = shell(line, tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    assert re.fullmatch(f"ludograph: {named}\n", done.stderr)


@pytest.mark.parametrize("word", ["--help", "--version"])
def test_a_full_device_for_the_help(word, tmp_path):
    done = shell("$GAME >/dev/full", tmp_path, word)
    assert done.returncode == 3
    assert done.stderr == f"ludograph: {FULL}\n"


@pytest.mark.slow
@pytest.mark.parametrize("closed", slow_but(["<&- 2>&-"], ["<&-", "2>&-", "<&- 2>&-"]))
def test_a_game_needs_neither_input_nor_errors(closed, tmp_path):
    done = shell(f"$GAME --record game.jsonl {closed}", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("greedy (seat 0)")
    assert (tmp_path / "game.jsonl").read_bytes().startswith(b'{"record"')


@pytest.mark.slow
def test_a_folder_that_is_gone(tmp_path):
    """What needs nothing of it is done; a record has no place any more."""
    done = shell("mkdir gone; cd gone; rmdir ../gone; $GAME --record game.jsonl", tmp_path)
    assert done.returncode in {2, 3}
    assert done.stdout == ""
    assert done.stderr.startswith("ludograph: ")
    assert done.stderr.count("\n") == 1
    assert "game.jsonl" in done.stderr or "folder" in done.stderr


@pytest.mark.slow
def test_too_few_descriptors_are_named(tmp_path):
    (tmp_path / "bot.py").write_text("def choose(position): return position.legal_moves()[0]\n")
    words = shlex.join([*PROGRAM, "flood", "-m", "5", "bot.py", "random"])
    done = subprocess.run(
        ["bash", "-c", f"ulimit -n 12; exec {words}"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
    )
    assert done.returncode == 3
    assert done.stderr.endswith(" 12 (ulimit -n)\n")
    assert "standard output" not in done.stderr


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ENOMEM])
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("board.json", "flood --board board.json greedy random"),
        ("game.jsonl", "replay game.jsonl"),
        ("plan.toml", "tournament plan.toml"),
    ],
)
def test_a_file_for_which_the_machine_has_no_descriptor_is_no_wrong_input(
    number, name, words, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text("{}")
    before = io.open

    def opened(file, *arguments, **options):
        if os.path.basename(str(file)) == name:
            raise OSError(number, os.strerror(number), name)
        return before(file, *arguments, **options)

    monkeypatch.setattr(io, "open", opened)
    monkeypatch.setattr("builtins.open", opened)
    done = invoke(*words.split())
    assert done.exit_code == 3
    assert name in done.stderr
    assert "Traceback" not in done.stderr
