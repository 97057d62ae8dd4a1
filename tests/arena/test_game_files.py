"""Finished games as lines of CSV: no spreadsheet finds a formula in them."""

import csv
import itertools
from functools import partial

from msgspec.structs import replace

from ludograph import boards, flood
from ludograph.arena.executor import InProcess
from ludograph.arena.game_files import first_line, lines_of
from ludograph.arena.playing import play_unrecorded
from ludograph.arena.series import series_of
from ludograph.arena.tournament import play_games
from ludograph.referee.options import MatchOptions
from ludograph.referee.seed import Seed


def positions(seed):
    return flood.position(boards.square(5), colors=4, seed=seed)


def formula(position):
    raise ValueError('x;=HYPERLINK("http://a");\t@a, -1, \'=2; a"=3;"=4\nand a line')


formula.name = "=1+1;+2"


def test_a_file_of_games_has_no_formulas():
    players = [formula, "greedy"]
    series = series_of(positions, players, 4, MatchOptions(seed=Seed(2)))
    with InProcess(partial(play_unrecorded, objects=players)) as here:
        games = [replace(game, versions=("", "0f")) for game in play_games(series, here)]
    text = first_line(".csv") + "".join(lines_of(game, ".csv") for game in games)
    assert "HYPERLINK" in text
    for quoting, sign in itertools.product((csv.QUOTE_MINIMAL, csv.QUOTE_NONE), ",;\t|"):
        for cells in csv.reader(text.splitlines(), delimiter=sign, quoting=quoting):
            for cell in cells:
                assert not cell.strip(' "').startswith(tuple("=+-@")), cell
