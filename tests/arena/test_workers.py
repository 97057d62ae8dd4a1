"""Games in several processes: all of them come back, failures too, and nobody is left behind."""

import errno
import os
import pickle
import signal
import time

import pytest
from msgspec.structs import replace

from ludograph import boards, flood
from ludograph.arena.executor import ListedJobs, LocalProcesses, local_executor, play_all
from ludograph.arena.playing import failure_of, play_unrecorded
from ludograph.arena.series import count_games, series_of
from ludograph.arena.tournament import play_games
from ludograph.errors import HostFailure, InvalidInput, shortage
from ludograph.referee.options import MatchOptions
from ludograph.referee.seed import Seed


def positions(seed):
    return flood.position(boards.square(5), colors=4, seed=seed)


def timeless(game):
    seats = tuple(replace(seat, seconds=0.0) for seat in game.seats)
    return replace(game, seats=seats, starts=())


def played(play, jobs, numbers):
    """Yield what comes of games that are played by several processes."""
    with LocalProcesses(play, jobs, lambda: None) as executor:
        yield from play_all(executor, ListedJobs([number] for number in numbers))


def series(games):
    return series_of(positions, ["greedy", "random"], games, MatchOptions(seed=Seed(3)))


def test_games_are_those_of_one_process():
    plan, found = series(7), []
    for jobs in (1, 3):
        with local_executor(play_unrecorded, jobs, plan.prepare) as executor:
            games = sorted(play_games(plan, executor), key=lambda game: game.key)
            found.append([timeless(game) for game in games])
    assert found[0] == found[1]
    assert [plan.game_number(game.key) for game in found[0]] == list(range(7))


def test_what_fails_in_a_process_is_raised_here():
    def play(number, _):
        raise InvalidInput(f"game {number} cannot be played")

    with pytest.raises(InvalidInput, match="game 4 cannot"):
        list(played(play, 2, [4]))


def test_a_result_that_cannot_be_sent_is_an_error_of_its_own():
    with pytest.raises((AttributeError, pickle.PicklingError), match="pickle"):
        list(played(lambda *_: lambda: 0, 1, [4]))


def test_a_shortage_in_a_process_is_raised_here_and_not_what_it_led_to():
    def play(*_):
        try:
            raise OSError(errno.EMFILE, "Too many open files", "bot.py")
        except OSError as error:
            raise InvalidInput(f"bot.py: {error.strerror}") from None

    with pytest.raises(OSError, match=r"bot\.py") as raised:
        list(played(play, 2, [4]))
    assert raised.value.errno == errno.EMFILE


@pytest.mark.parametrize("refuses", [True, False])
@pytest.mark.parametrize("number", [errno.ETOOMANYREFS, errno.EMFILE, errno.ENOMEM])
def test_a_game_for_which_the_machine_lacks_something_is_void(refuses, number):
    def lacking():
        try:
            raise OSError(number, os.strerror(number))
        except OSError as error:
            if refuses:
                raise InvalidInput(f"bot.py: {error.strerror}") from None
            raise

    with pytest.raises((OSError, InvalidInput)) as raised:
        lacking()
    assert type(failure_of(raised.value)) is HostFailure


def test_a_lock_that_another_process_holds_is_no_shortage():
    refusal = InvalidInput("another process plays this")
    refusal.__context__ = BlockingIOError(errno.EAGAIN, "held")
    assert shortage(refusal) is None


@pytest.mark.parametrize(("code", "how"), [(0, "exited, 0"), (9, "exited, 9")])
def test_a_process_that_ends_is_no_hang(code, how):
    with pytest.raises(HostFailure, match=f"played game 5 {how}"):
        list(played(lambda *_: os._exit(code), 1, [5]))


def test_a_series_plays_the_game_of_a_lost_process_again(tmp_path):
    """As a tournament does."""

    def die_once(plan, _):
        path = tmp_path / "died"
        if plan.key.start == 1 and not path.exists():
            path.touch()
            os.kill(os.getpid(), signal.SIGKILL)

    assert count_games(series(4), jobs=2, on_result=die_once).pairs.total == 2
    assert (tmp_path / "died").exists()


def test_processes_are_gone_after_the_context(tmp_path):
    def play(number, _):
        (tmp_path / str(os.getpid())).touch()
        while number == 0 or len(list(tmp_path.iterdir())) < 2:
            time.sleep(0.01)
        os._exit(1)

    with pytest.raises(HostFailure, match="game 1"):
        list(played(play, 2, range(2)))
    numbers = [int(path.name) for path in tmp_path.iterdir()]
    assert len(numbers) == 3  # one of them has played the game again
    for number in numbers:
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)


def test_a_process_that_ignores_signals_is_killed_at_the_end_and_others_go_on(tmp_path):
    def play(task, _):
        (tmp_path / str(os.getpid())).touch()
        if task == "hang":
            signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
            while True:
                time.sleep(1000)
        return task

    with LocalProcesses(play, 2, lambda: None) as executor:
        executor.submit("hang")
        for number in range(3):
            executor.submit(number)
            assert list(executor.ended()) == [(number, number)]
        assert executor.free == 1
    for path in tmp_path.iterdir():
        with pytest.raises(ProcessLookupError):
            os.kill(int(path.name), 0)


def test_a_task_that_cannot_be_sent_is_refused():
    with pytest.raises(InvalidInput, match="one process alone"):
        list(played(lambda *_: 1, 2, [lambda: 0]))
