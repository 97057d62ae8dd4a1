"""Files given on the command line: devices, pipes, endless or strange ones get one sentence."""

import os
import re
import subprocess

import pytest

from tests.amounts import slow_but
from tests.cli.run import PROGRAM, refuse

TOURNAMENT = 'game = "flood"\nplayers = ["greedy", "random"]\ngames = 2\n'
LADDER = 'game = "flood"\n'


def devices(folder):
    """Return a link to a device that never ends, and a pipe into which nobody writes."""
    for suffix in ("toml", "json", "edgelist", "graphml", "jsonl", "sgf"):
        (folder / f"endless.{suffix}").symlink_to("/dev/zero")
        os.mkfifo(folder / f"silent.{suffix}")
    return "endless", "silent"


DOORS = {
    "tournament": "tournament {}.toml",
    "tokens": "serve --port 0 --tokens {}.toml",
    "board": "flood --board {}.json greedy random",
    "edge list": "flood --board {}.edgelist greedy random",
    "graphml": "penguins --board planar:{}.graphml line random",
    "deck": "carcassonne --deck {}.json greedy random",
    "record": "replay {}.jsonl",
    "why": "why {}.jsonl",
    "puzzles": "puzzles {}.jsonl",
    "resume": "flood --resume {}.jsonl",
    "sgf": "replay {}.sgf",
    "player": "flood ./{}.toml.py random",
}


@pytest.mark.slow
@pytest.mark.parametrize("door", slow_but(["tournament", "board", "record", "player"], DOORS))
def test_a_device_or_a_pipe_is_no_file(door, tmp_path):
    for name in devices(tmp_path):
        (tmp_path / f"{name}.toml.py").symlink_to(f"{name}.toml")
        done = subprocess.run(
            [*PROGRAM, *DOORS[door].format(name).split()],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 2, done.stderr
        assert done.stderr.count("\n") == 1
        assert name in done.stderr


def test_a_ladder_whose_declaration_never_ends(tmp_path):
    (tmp_path / "ladder.toml").symlink_to("/dev/zero")
    assert "ladder.toml" in refuse("ladder", "table", tmp_path)


def test_a_file_that_is_too_long(tmp_path):
    path = tmp_path / "long.toml"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    for words in (("tournament", path), ("serve", "--port", 0, "--tokens", path)):
        assert re.match(rf"{path}: 1099511627776 bytes .*\(\d+\)$", refuse(*words))


@pytest.mark.parametrize("value", ["x" * 5000, "x/" * 3000, "x\\u0000y", "hatched:12 " * 500])
def test_a_setting_that_is_no_path(tmp_path, value):
    path = tmp_path / "cup.toml"
    path.write_text(f'{TOURNAMENT}[settings]\nboard = "{value}"\n')
    assert refuse("tournament", path).startswith(f"{path}, line 5: flood: board ")
    path.write_text(f'{TOURNAMENT}openings = "{value}"\n')
    assert refuse("tournament", path).startswith(f"{path}, line 4: openings ")
    ladder = tmp_path / "ladder"
    (ladder / "players").mkdir(parents=True)
    (ladder / "ladder.toml").write_text(f'{LADDER}[settings]\nboard = "{value}"\n')
    assert refuse("ladder", "run", ladder).startswith(f"{ladder}/ladder.toml, line 3: flood: ")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("anybody = {}", "anybody: .*nothing, look, play"),
        ("anybody = {look = 1}", "anybody: .*nothing, look, play"),
        ("anybody = ['look']", "anybody: .*nothing, look, play"),
        ("play = {a = 'b'}", "play: .*12"),
        ("play = [{a = 'b'}, 3]", "play: .*12"),
        ('play = "пароль-для-игры"', "play: .*ASCII"),
        ("[play]\na = 1", "play: .*12"),
        ("play = " + "9" * 5000, "digits"),
        ("play = " + "[" * 5000, ""),
        ("play = '\x00'", "character"),
    ],
)
def test_a_file_of_tokens_that_is_none(tmp_path, text, named):
    path = tmp_path / "tokens.toml"
    path.write_text(text)
    assert re.match(f"{path}: .*{named}", refuse("serve", "--port", 0, "--tokens", path))
    (tmp_path / "cup.toml").write_text(text)
    assert refuse("tournament", tmp_path / "cup.toml").startswith(f"{tmp_path / 'cup.toml'}")
