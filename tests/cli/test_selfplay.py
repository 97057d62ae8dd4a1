"""``ludograph selfplay``: games of a series as arrays, the same from any number of processes."""

import json
import re

import numpy as np
import pytest

from ludograph import make, play_series, rl
from ludograph.cli.selfplay import PlaySelf
from ludograph.errors import InvalidInput
from tests.cli.run import invoke, refuse, succeed

HEX = ("selfplay", "hex", "--board", 3, "--seed", 1, "-r", 7, "--chunk", 3)


def rows(folder):
    chunks = list(rl.read_selfplay(folder))
    return {name: np.concatenate([chunk[name] for chunk in chunks]) for name in chunks[0]}


def assert_same(one, other):
    assert one.keys() == other.keys()
    for name in one:
        np.testing.assert_array_equal(one[name], other[name], err_msg=name)


def test_the_rows_are_the_decisions_of_the_games_of_a_series(tmp_path):
    said = succeed(*HEX, "connex", "random", "--out", tmp_path / "data")
    found = rows(tmp_path / "data")
    expected = []

    def on_game(number, result, seating):
        expected.extend(
            (number, ply, move.seat, seating[move.seat], move.move, result.winner == move.seat)
            for ply, move in enumerate(result.moves)
        )

    start = make("hex", board=3)
    play_series(lambda _: start.copy(), ["connex", "random"], 7, seed=1, on_game=on_game)
    names = ("game_number", "ply", "seat", "player", "move", "result")
    assert list(zip(*(found[name].tolist() for name in names), strict=True)) == expected
    assert re.fullmatch(f"7 .* {tmp_path / 'data'}: {len(expected)} .* 3 files\n", said)


def test_the_declaration_says_what_the_arrays_are(tmp_path):
    succeed(*HEX, "--touches", "--thoughts", "random", "random", "--out", tmp_path / "data")
    declared = json.loads((tmp_path / "data" / "selfplay.json").read_text())
    assert declared["game"] == "hex"
    assert declared["seed"] == 1
    assert declared["players"] == ["random", "random"]
    assert (declared["games"], declared["games_in_a_chunk"]) == (7, 3)
    assert declared["options"]["board"] == "3"
    found = rows(tmp_path / "data")
    assert declared["arrays"] == {
        name: {"type": str(array.dtype), "shape": list(array.shape[1:])}
        for name, array in found.items()
    }


def test_the_graph_of_the_board_is_kept(tmp_path):
    succeed(*HEX, "random", "random", "--out", tmp_path / "data")
    board = make("hex", board=3).board
    with np.load(tmp_path / "data" / "graph.npz") as graph:
        np.testing.assert_array_equal(graph["offsets"], board.offsets)
        np.testing.assert_array_equal(graph["neighbors"], board.neighbors)


@pytest.mark.slow
def test_chunks_that_are_missing_are_played_again(tmp_path):
    for jobs, name in ((1, "one"), (2, "two")):
        succeed(*HEX, "random", "random", "--out", tmp_path / name, "-j", jobs)
    whole = rows(tmp_path / "one")
    assert_same(rows(tmp_path / "two"), whole)
    kept = tmp_path / "one" / "chunk-00000.npz"
    before = kept.stat().st_mtime_ns
    (tmp_path / "one" / "chunk-00001.npz").unlink()
    (tmp_path / "one" / ".chunk-00001.npz.part").write_bytes(b"PK half of a chunk")
    assert rows(tmp_path / "one")["game_number"].max() == 6
    assert len(rows(tmp_path / "one")["seat"]) < len(whole["seat"])
    succeed(*HEX, "random", "random", "--out", tmp_path / "one")
    assert_same(rows(tmp_path / "one"), whole)
    assert kept.stat().st_mtime_ns == before


@pytest.mark.slow
def test_an_interrupted_command_goes_on(tmp_path, monkeypatch):
    succeed(*HEX, "random", "random", "--out", tmp_path / "whole")
    play = PlaySelf.__call__

    def stopped(self, plan, on_output=None):
        if plan.key.start == 2:
            raise KeyboardInterrupt
        return play(self, plan, on_output)

    command = (*HEX, "random", "random", "--out", tmp_path / "data")
    with monkeypatch.context() as patched:
        patched.setattr(PlaySelf, "__call__", stopped)
        result = invoke(*command, "-j", 1)
    assert result.exit_code == 130
    assert re.search("3 of 7 games; .*the same command", result.stderr)
    assert set(rows(tmp_path / "data")["game_number"].tolist()) == {0, 1, 2}
    succeed(*command)
    assert_same(rows(tmp_path / "data"), rows(tmp_path / "whole"))


@pytest.mark.slow
def test_a_drawn_seed_is_kept_in_the_folder(tmp_path):
    command = ("selfplay", "hex", "--board", 3, "-r", 4, "--chunk", 2, "random", "random")
    succeed(*command, "--out", tmp_path / "data")
    whole = rows(tmp_path / "data")
    (tmp_path / "data" / "chunk-00000.npz").unlink()
    succeed(*command, "--out", tmp_path / "data")
    assert_same(rows(tmp_path / "data"), whole)


def test_other_games_are_refused(tmp_path):
    folder = tmp_path / "data"
    succeed(*HEX, "random", "random", "--out", folder)
    said = refuse(*HEX, "connex", "random", "--out", folder)
    assert re.match(rf'{folder}: .* players \["random", "random"\] .*\["connex", "random"\]', said)
    larger = ("selfplay", "hex", "--board", 4, "--seed", 1, "-r", 7, "random", "random")
    said = refuse(*larger, "--out", folder)
    assert re.match(f'{folder}: .* heading ".*hexagonal:3, seed 1" .*hexagonal:4, seed 1"', said)
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "letter.txt").write_text("hello")
    assert refuse(*HEX, "random", "random", "--out", mine).startswith(f"{mine}: ")
    assert [path.name for path in mine.iterdir()] == ["letter.txt"]


@pytest.mark.slow
def test_games_with_a_fault_have_no_rows(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(
        "def choose(position):\n"
        "    return position.legal_moves()[0] if position.turn else 'resign'\n"
    )
    result = invoke(*HEX, bot, "random", "--out", tmp_path / "data")
    assert result.exit_code == 0
    assert re.search("4 games .*; game 0: ", result.stderr)
    assert set(rows(tmp_path / "data")["game_number"].tolist()) == {1, 3, 5}


def test_what_is_no_such_folder_cannot_be_read(tmp_path):
    with pytest.raises(InvalidInput, match=r"selfplay\.json: "):
        next(rl.read_selfplay(tmp_path))
    succeed(*HEX, "random", "random", "--out", tmp_path / "data")
    chunk = tmp_path / "data" / "chunk-00001.npz"
    chunk.write_bytes(chunk.read_bytes()[:-40])
    chunks = rl.read_selfplay(tmp_path / "data")
    assert set(next(chunks)["game_number"].tolist()) == {0, 1, 2}
    with pytest.raises(InvalidInput, match=r"chunk-00001\.npz: "):
        next(chunks)
