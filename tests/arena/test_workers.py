"""Games in several processes: all of them come back, failures too, and nobody is left behind."""

import errno
import multiprocessing
import os
import signal
import threading
import time

import pytest
from msgspec.structs import replace

from ludograph import boards, flood
from ludograph.arena.executor import (
    ListedJobs,
    LocalProcesses,
    local_executor,
    play_all,
    workers,
)
from ludograph.arena.executor.workers import TaskStopped, Workers
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


def next_ended(pool):
    """Wait for a task; return it with its result."""
    while True:
        for task, result in pool.ended():
            return task, result


def pids():
    return {process.pid for process in multiprocessing.active_children()}


def hang():
    """Ignore all signals that can be ignored, for ever."""
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    while True:
        time.sleep(1000)


class Clock:
    """The time of the pool; each wait for messages takes some of it."""

    def __init__(self, monkeypatch):
        self.now, self.step, self.left = 0.0, 0.0, []
        monkeypatch.setattr(workers, "monotonic", lambda: self.now)
        monkeypatch.setattr(workers, "wait", self.wait)

    def wait(self, lines, seconds):
        self.left.append(seconds)
        ready = multiprocessing.connection.wait(lines)
        self.now += self.step
        return ready


@pytest.mark.parametrize("how", ["deadline", "stop"])
def test_a_process_that_hangs_is_killed_and_others_go_on(how, tmp_path):
    released = multiprocessing.get_context("fork").Event()

    def play(task, _):
        (tmp_path / f"{task} in {os.getpid()}").touch()
        if task == "hang":
            hang()
        released.wait()
        return os.getpid()

    with Workers(play, 2, replays=1) as pool:
        first = pids()
        pool.give("other")
        if how == "deadline":
            pool.give("hang", seconds=0.05)
        else:
            pool.give("hang")
            pool.stop("no such task")
            threading.Thread(target=pool.stop, args=("hang",)).start()
        task, result = next_ended(pool)
        assert (task, type(result)) == ("hang", TaskStopped)
        assert pool.idle == 1
        (killed,) = first - pids()
        with pytest.raises(ProcessLookupError):
            os.kill(killed, 0)
        pool.give("later", seconds=1000)
        released.set()
        ended = dict(next_ended(pool) for _ in range(2))
        assert ended["other"] in first
        assert ended["later"] not in first
        assert len(list(tmp_path.glob("hang*"))) <= 1  # it is not repeated
        last = pids()
    for number in first | last:
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)


def test_what_was_printed_before_the_deadline_arrives(monkeypatch):
    clock, lines, printed_all = Clock(monkeypatch), [], multiprocessing.get_context("fork").Event()

    def play(_, printed):
        printed("bot", 0, "a")
        printed("bot", 0, "b")
        printed_all.set()
        hang()

    def listen(*line):
        lines.append(line)
        printed_all.wait()
        clock.now = 7.0

    with Workers(play, 1, listen) as pool:
        pool.give(1, seconds=5)
        assert type(next_ended(pool)[1]) is TaskStopped
    assert lines == [("bot", 0, "a"), ("bot", 0, "b")]


def test_a_result_that_waits_at_the_deadline_counts(monkeypatch):
    clock = Clock(monkeypatch)
    with Workers(lambda task, _: (task, os.getpid()), 1) as pool:
        (process,) = pids()
        for number in range(2):
            clock.step = 7.0
            pool.give(number, seconds=5)
            assert next_ended(pool) == (number, (number, process))


def test_the_pool_waits_until_the_nearest_deadline(monkeypatch):
    clock = Clock(monkeypatch)
    with Workers(lambda task, _: task, 3) as pool:
        pool.give("endless")
        pool.give("late", seconds=9)
        pool.give("soon", seconds=5)
        clock.now = 2.0
        {next_ended(pool)[0] for _ in range(3)}
    assert clock.left[0] == 3.0


def test_a_task_that_was_stopped_as_it_ended_has_its_result_and_a_new_process(monkeypatch):
    clock, pools = Clock(monkeypatch), []

    def stop(lines, _):
        ready = multiprocessing.connection.wait(lines)
        pools[0].stop("task")
        return ready

    monkeypatch.setattr(workers, "wait", stop)
    with Workers(lambda *_: os.getpid(), 1) as pool:
        pools.append(pool)
        pool.give("task")
        task, process = next_ended(pool)
        assert task == "task"
        assert process not in pids()
        monkeypatch.setattr(workers, "wait", clock.wait)
        pool.give("next")
        assert next_ended(pool)[0] == "next"


def test_a_task_that_cannot_be_sent_is_refused():
    with pytest.raises(InvalidInput, match="one process alone"):
        list(played(lambda *_: 1, 2, [lambda: 0]))
