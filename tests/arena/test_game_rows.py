"""A game in a row: by player, whoever sat where; written and read again it is the same."""

import csv
import itertools
from pathlib import Path

import msgspec
import pytest

from ludograph import boards, flood
from ludograph.arena.playing import finished_game, referee_plan
from ludograph.arena.series.game_rows import header_of, row_format
from ludograph.arena.series.series import Series
from ludograph.referee.options import MatchOptions
from ludograph.referee.seed import Seed


def positions(seed, seats=2):
    return flood.position(boards.square(5), colors=4, seats=seats, seed=seed)


def played(series, number):
    """Play a game of a series here; return its row and the result of its match."""
    plan = series.plan(number)
    result = referee_plan(plan, objects=series.players)
    return series.row(number, finished_game(plan, result)), result


def broken(position):
    raise ValueError('a "quoted", cell\nand a line')


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
@pytest.mark.parametrize("players", [["greedy"], ["greedy", broken], ["random", "greedy", broken]])
def test_what_is_read_is_what_was_written(players, suffix):
    plan = Series(lambda seed: positions(seed, len(players)), players, MatchOptions(seed=Seed(2)))
    written = row_format(Path("games" + suffix), len(players))
    for number in range(2 * len(players)):
        row = played(plan, number)[0]
        line = written.encode(row)
        assert line.count(b"\n") == 1
        assert line.endswith(b"\n")
        assert written.decode(line.rstrip(b"\n")) == row


def formula(position):
    raise ValueError('x;=HYPERLINK("http://a");\t@a, -1, \'=2; a"=3;"=4')


def test_a_file_of_games_has_no_formulas_and_is_read_back():
    players = ["greedy", formula]
    plan = Series(positions, players, MatchOptions(seed=Seed(2)))
    written = row_format(Path("games.csv"), 2)
    row = played(plan, 0)[0]
    row = msgspec.structs.replace(row, names=["=1+1", "a;+2"])
    header = {"series": "ludograph", "players": ["=1+1", "a;@x"], "odd": "x,-y"}
    head, line = written.head(header), written.encode(row)
    assert any("HYPERLINK" in fault.message for fault in row.faults)
    assert written.decode(line.rstrip(b"\n")) == row
    assert header_of(head.splitlines()[0]) == header
    assert header_of(msgspec.json.encode(header)) == header
    for quoting, sign in itertools.product((csv.QUOTE_MINIMAL, csv.QUOTE_NONE), ",;\t|"):
        for cells in csv.reader(
            (head + line).decode().splitlines(), delimiter=sign, quoting=quoting
        ):
            for cell in cells:
                assert not cell.strip(' "').startswith(tuple("=+-@")), cell


def test_lists_are_by_player():
    plan = Series(positions, ["greedy", "random"], MatchOptions(seed=Seed(2)))
    for number in range(4):
        row, result = played(plan, number)
        assert row.names == ["greedy", "random"]
        for seat, player in enumerate(row.seating):
            assert row.scores[player] == result.outcome.scores[seat]
            assert row.moves[player] == sum(played.seat == seat for played in result.moves)
        assert sum(row.points) == 1


class NoStart:
    def start(self, position, seat):
        raise ValueError

    def play(self, moves, time_left):
        return None

    def finish(self, outcome):
        pass


def test_if_all_forfeit_nobody_has_points():
    plan = Series(positions, [NoStart, NoStart])
    row = played(plan, 1)[0]
    assert row.points == [0, 0]
    assert row.winner is None
    assert [(fault.player, fault.seat) for fault in row.faults] == [(1, 0), (0, 1)]
