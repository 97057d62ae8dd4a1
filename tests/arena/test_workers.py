"""Games in several processes: all of them come back, failures too, and nobody is left behind."""

import os
import time

import pytest

from ludograph import boards, flood
from ludograph.arena.executor.workers import Workers
from ludograph.arena.series.series import SeriesPlan
from ludograph.errors import HostFailure, InvalidInput
from ludograph.referee.options import MatchOptions
from ludograph.referee.seed import Seed


def positions(seed):
    return flood.position(boards.square(5), colors=4, seed=seed)


def timeless(row):
    return {f: getattr(row, f) for f in row.__struct_fields__ if f != "seconds"}


def test_rows_are_those_of_one_process():
    plan = SeriesPlan(positions, ["greedy", "random"], MatchOptions(seed=Seed(3)))
    plan.warm_up()
    with Workers(lambda number, _: plan.play(number), 3) as workers:
        rows = sorted(workers.play(range(7)), key=lambda row: row.game)
    assert [timeless(row) for row in rows] == [timeless(plan.play(n)) for n in range(7)]


def test_what_fails_in_a_process_is_raised_here():
    def play(number, _):
        raise InvalidInput(f"game {number} cannot be played")

    with pytest.raises(InvalidInput, match="game 4 cannot"), Workers(play, 2) as workers:
        list(workers.play([4]))


@pytest.mark.parametrize(("code", "how"), [(0, "exited, 0"), (9, "exited, 9")])
def test_a_process_that_ends_is_no_hang(code, how):
    with (
        pytest.raises(HostFailure, match=f"played game 5 {how}"),
        Workers(lambda *_: os._exit(code), 1) as workers,
    ):
        list(workers.play([5]))


def test_processes_are_gone_after_the_context(tmp_path):
    def play(number, _):
        (tmp_path / str(os.getpid())).touch()
        while number == 0 or len(list(tmp_path.iterdir())) < 2:
            time.sleep(0.01)
        os._exit(1)

    with Workers(play, 2) as workers, pytest.raises(HostFailure, match="game 1"):
        list(workers.play(range(2)))
    numbers = [int(path.name) for path in tmp_path.iterdir()]
    assert len(numbers) == 2
    for number in numbers:
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)
