"""Finished games in files: inert, in their order, out of the reach of players."""

import csv
import errno
import itertools
import json
import os
from functools import partial

import pytest

from ludograph import boards, flood
from ludograph.arena.executor import InProcess
from ludograph.arena.game_files import GameFiles
from ludograph.arena.playing import play_unrecorded
from ludograph.arena.series import series_of
from ludograph.arena.tournament import play_games
from ludograph.errors import InvalidInput
from ludograph.hosting.sandbox.readable_paths import WITHHELD
from ludograph.referee.options import MatchOptions
from ludograph.referee.seed import Seed


def positions(seed):
    return flood.position(boards.square(5), colors=4, seed=seed)


def formula(position):
    raise ValueError('x;=HYPERLINK("http://a");\t@a, -1, \'=2; a"=3;"=4\nand a line')


formula.name = "=1+1;+2"


def played(players, games=4):
    """Return a series and its games."""
    series = series_of(positions, players, games, MatchOptions(seed=Seed(2)))
    with InProcess(partial(play_unrecorded, objects=players)) as here:
        return series, list(play_games(series, here))


def written(path, series, games):
    with GameFiles(path, None, {"greedy": "0f"}) as files:
        for game in games:
            files.add(series.game_number(game.key), game)
    return path.read_text()


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_games_are_written_in_the_order_of_their_numbers(tmp_path, suffix):
    """In whichever order they end, and although one of them is missing."""
    series, games = played(["greedy", "random"])
    texts = [
        written(tmp_path / f"{number}{suffix}", series, order)
        for number, order in enumerate(itertools.permutations(games))
    ]
    assert len(set(texts)) == 1
    found = written(tmp_path / f"less{suffix}", series, [games[3], games[0], games[2]])
    assert set(found.splitlines()) < set(texts[0].splitlines())


def test_both_forms_hold_the_same(tmp_path):
    series, games = played(["greedy", "random"])
    table = written(tmp_path / "games.csv", series, games)
    rows = list(csv.DictReader(table.splitlines()))
    objects = written(tmp_path / "games.jsonl", series, games).splitlines()
    assert len(rows) == 2 * len(objects) == 8
    for place, row in enumerate(rows):
        game = json.loads(objects[place // 2])
        seat = game["seats"][int(row["seat"])]
        assert game["number"] == int(row["number"]) == place // 2
        assert [row["player"], float(row["score"])] == [seat["player"], seat["score"]]
        assert row["version"] == seat["version"] == {"greedy": "0f"}.get(seat["player"], "")


def test_a_file_of_games_has_no_formulas(tmp_path):
    series, games = played([formula, "greedy"])
    text = written(tmp_path / "games.csv", series, games)
    assert "HYPERLINK" in text
    for quoting, sign in itertools.product((csv.QUOTE_MINIMAL, csv.QUOTE_NONE), ",;\t|"):
        for cells in csv.reader(text.splitlines(), delimiter=sign, quoting=quoting):
            for cell in cells:
                assert not cell.strip(' "').startswith(tuple("=+-@")), cell


def test_no_player_can_read_the_files_while_they_are_written(tmp_path):
    table, folder = tmp_path / "games.csv", tmp_path / "records"
    with GameFiles(table, folder, {}):
        assert {str(table), str(folder)} <= WITHHELD.keys()
    assert not {str(table), str(folder)} & WITHHELD.keys()


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/full")])
def test_a_device_or_a_pipe_is_no_file_of_games(tmp_path, make):
    path = tmp_path / "games.jsonl"
    make(path)
    with pytest.raises(InvalidInput, match=f"{path}: "), GameFiles(path, None, {}):
        pass
    assert os.path.realpath(path) not in WITHHELD


def test_a_full_disk_is_an_error_with_the_file(tmp_path, monkeypatch):
    series, games = played(["greedy", "random"])
    with (
        open("/dev/full", "wb", buffering=0) as full,
        GameFiles(tmp_path / "games.jsonl", None, {}) as files,
    ):
        monkeypatch.setattr(files, "_file", full)
        with pytest.raises(OSError, match=r"games\.jsonl") as raised:
            files.add(series.game_number(games[0].key), games[0])
        assert raised.value.errno == errno.ENOSPC
