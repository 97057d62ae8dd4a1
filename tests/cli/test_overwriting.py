"""Files that are there stay as they are unless --force is given; pictures appear whole."""

import os
import re

import pytest

from ludograph import boards
from ludograph.documents import write_bytes
from tests.cli.run import refuse, succeed

GAME = ("flood", "-m", 4, "-c", 3, "--seed", 1, "--starter", 0, "-q")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_game_is_not_recorded_over_its_own_board(folder):
    boards.save(boards.square(4), "own.json")
    before = (folder / "own.json").read_bytes()
    game = ("flood", "--board", "own.json", "-q", "--record", "own.json", "greedy", "random")
    assert re.match("--record: own.json .*--force", refuse(*game))
    assert (folder / "own.json").read_bytes() == before


def test_nothing_written_earlier_is_overwritten_but_by_force(folder):
    succeed(*GAME, "--record", "game.jsonl", "greedy", "random")
    first = (folder / "game.jsonl").read_bytes()
    again = (*GAME, "--record", "game.jsonl", "random", "greedy")
    assert "--force" in refuse(*again)
    assert (folder / "game.jsonl").read_bytes() == first
    succeed(*again, "--force")
    assert (folder / "game.jsonl").read_bytes() != first
    succeed("replay", "game.jsonl", "--svg", "end.svg")
    assert refuse("replay", "game.jsonl", "--svg", "end.svg").startswith("--svg: end.svg ")
    succeed("replay", "game.jsonl", "--svg", "end.svg", "--force")


def test_two_outputs_need_two_files():
    succeed(*GAME, "--record", "game.jsonl", "greedy", "random")
    said = refuse("replay", "game.jsonl", "--svg", "a.svg", "--animate", "../a/../a.svg", "--force")
    assert said.startswith("--animate")  # there is no folder "../a"
    said = refuse("replay", "game.jsonl", "--svg", "a.svg", "--animate", "./a.svg", "--force")
    assert re.match("--svg and --animate .* a.svg$", said)


def test_a_file_appears_whole_or_not_at_all(folder, monkeypatch):
    target = folder / "picture.svg"
    write_bytes(target, b"old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match=r"No space left.*picture\.svg"):
        write_bytes(target, b"new")
    assert target.read_bytes() == b"old"
    assert os.listdir(folder) == ["picture.svg"]
