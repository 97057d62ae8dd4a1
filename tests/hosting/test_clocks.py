"""The clock of a player in another process counts its own time, and nothing else."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from itertools import product

import pytest

from ludograph import boards, flood, play_match
from ludograph.errors import MachineBusy
from ludograph.hosting import turn_time
from ludograph.hosting.kernel_counts import NOTHING, Counted, StealTime
from ludograph.hosting.process_tree import children, descendants
from ludograph.hosting.sandbox import control_group
from ludograph.hosting.turn_time import SchedulerLatency, TurnTime, others_fault
from tests.hosting.fixtures import Alone, the_fault

FIRST = "def choose(position): return position.legal_moves()[0]\n"


class Delays:
    """Holds the referee up at the first answers, as if it had not come to run."""

    def __init__(self, monkeypatch, seconds, answers=4):
        wait = TurnTime.wait
        left = [answers]

        def late(turn, receive):
            if left[0]:
                left[0] -= 1
                time.sleep(seconds)
            return wait(turn, receive)

        monkeypatch.setattr(TurnTime, "wait", late)


def test_a_referee_that_reads_late_blames_nobody(start, small, file, monkeypatch):
    Delays(monkeypatch, 0.3)
    result = play_match(start, [small(""), file(FIRST)], clock="200ms")
    assert result.faults == []
    assert max(played.seconds for played in result.moves) <= 0.2


@pytest.mark.slow
def test_a_referee_that_is_late_still_sees_who_does_not_answer(start, small, monkeypatch):
    Delays(monkeypatch, 0.3)
    assert the_fault(play_match(start, ["greedy", small("for (;;);")], clock="200ms")).reason == (
        "timeout"
    )


@pytest.mark.slow
def test_a_player_that_stops_the_referee_harms_only_itself(start, file, unisolated):
    """The other has answered while nobody could read it."""
    attack = (
        "import os, signal, subprocess\n"
        "def choose(position):\n"
        f"    stop = 'sleep 0.05; kill -STOP {os.getpid()}; sleep 0.6; kill -CONT {os.getpid()}'\n"
        "    if position.ply < 2:\n"
        "        subprocess.Popen(['setsid', 'sh', '-c', stop], start_new_session=True)\n"
        "    return position.legal_moves()[0]\n"
    )
    sound = "import time\ndef choose(position):\n    time.sleep(0.1)\n    return 'pass'\n"
    players = [file(attack), file(sound, "sound.py")]
    # The shell may be suspended with its player in the moment in which it has stopped this process:
    # then nobody else would let it run again.
    wake = f"while sleep 3; do kill -CONT {os.getpid()} || exit; done"
    waker = subprocess.Popen(["sh", "-c", wake])
    try:
        result = play_match(start, players, clock="400ms")
    except MachineBusy:
        return  # void is no verdict against the other
    finally:
        waker.kill()
        waker.wait()
    assert [fault for fault in result.faults if fault.seat == 1] == []


@pytest.mark.slow
def test_a_built_in_player_is_not_blamed_for_a_referee_that_was_stopped(start, monkeypatch):
    class Stopped:
        """What a strategy looks like that somebody stops from outside for half a second."""

        def choose(self, position):
            stopped = f"grep -q '^State:.*stopped' /proc/{os.getpid()}/status"
            wake = f"until {stopped}; do sleep 0.01; done; sleep 0.5; kill -CONT {os.getpid()}"
            if position.ply < 2:
                with subprocess.Popen(["sh", "-c", wake]):
                    os.kill(os.getpid(), signal.SIGSTOP)
            return position.legal_moves()[0]

    from ludograph.referee import player_factory

    make = player_factory.make_player

    def trusted(spec, *arguments):
        player = make(spec, *arguments)
        player.trusted = True
        return player

    monkeypatch.setattr("ludograph.referee.seats.make_player", trusted)
    assert play_match(start, [Stopped, "greedy"], clock="150ms").faults == []


class Known:
    """A thread whose counts are given."""

    def __init__(self, ran, waited):
        self.counted = Counted(ran, waited)

    def turn(self):
        return self.counted


def waiting(known, total):
    counts = SchedulerLatency(os.getpid())
    counts.close()
    counts.process = 0
    counts._threads = {number: Known(*thread) for number, thread in enumerate(known)}
    counts._total = max(total, sum(thread.counted.ran for thread in counts._threads.values()))
    return counts


@pytest.mark.parametrize(
    ("threads", "total", "passed", "granted"),
    [
        ([(0.2, 0.3)], 0.2, 0.5, 0.3),  # others had the processor
        ([(0.5, 0.0)], 0.5, 0.5, 0.0),  # it has thought all the time
        ([(0.0, 0.1), (0.1, 0.3)], 0.1, 0.5, 0.4),  # a host that hands on to a program
        ([(0.2, 0.3), (0.3, 0.2)], 0.5, 0.5, 0.0),  # two threads that wait for each other
        ([(0.1, 0.4), *[(0.1, 0.4)] * 8], 0.9, 0.5, 0.0),  # a bomb of forks
        ([(0.0, 0.4), (0.4, 0.0)], 0.4, 0.5, 0.0),  # its helper had the processor
        ([(0.1, 0.4)], 0.5, 0.5, 0.0),  # a chain of processes that have ended had it
        ([(0.1, 0.4)], 0.2, 0.5, 0.3),  # and others
        ([(0.0, 0.2)], 0.3, 0.5, 0.2),  # it has slept until its children had ended
        ([(0.0, 0.1), (0.1, 0.2)], 0.2, 0.5, 0.3),  # so has the program that it asks
    ],
)
def test_only_what_others_took_is_granted(threads, total, passed, granted):
    assert waiting(threads, total).others_fault(passed) == pytest.approx(granted)


def test_waiting_on_the_only_processor_that_a_player_allows_itself_is_its_own(monkeypatch):
    """Its short processes ran there for 0.8 s while it waited, and it slept for 0.1 s."""
    allowed = {0: range(8), 7: range(8)}
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(allowed[process]))
    counts = waiting([(0.1, 0.8)], 0.9)
    counts._threads = {7: counts._threads.pop(0)}
    counts.process = 7
    assert counts.others_fault(1.0) == pytest.approx(0.8)
    allowed[7] = [3]
    assert counts.others_fault(1.0) == pytest.approx(0.1)


def test_an_isolated_player_cannot_choose_its_processors(start, small, file):
    pins = (
        "import os\n"
        "def choose(position):\n"
        "    before = os.sched_getaffinity(0)\n"
        "    os.sched_setaffinity(0, {min(before)})\n"
        "    if position.ply < 2:\n"
        "        print('kept', os.sched_getaffinity(0) == before)\n"
        "    return position.legal_moves()[0]\n"
    )
    result = play_match(start, [file(pins), "greedy"])
    assert (result.faults, result.logs[0].split()) == ([], ["kept", "True"])


@pytest.mark.parametrize("processors", [1, 2, 4])
@pytest.mark.parametrize("slept", [0.0, 0.1, 0.3])
def test_a_turn_takes_at_least_what_all_have_run_on_all_processors(processors, slept):
    """However a chain of short processes is mixed with waiting and sleeping."""
    for ended, seen in product((0.0, 0.05, 0.2, 0.5, 1.0, 2.0), (0.0, 0.1, 2.0)):
        asked = Counted(0.1, 0.6 - slept)
        granted = others_fault(0.7, asked, NOTHING, 0.0, Counted(ended, seen), processors)
        assert 0.0 <= granted <= asked.waited + seen
        assert 0.7 - granted >= min(0.7, (0.1 + ended) / processors) - 1e-9
        assert 0.7 - granted >= min(0.7, 0.1 + max(0.0, ended - processors * slept)) - 1e-9


def test_what_ended_programs_have_waited_is_granted():
    """A script that starts three, one after another, of which each ran 0.1 s and waited 0.2 s."""
    asked = Counted(0.05, 0.05)
    assert others_fault(1.0, asked, NOTHING, 0.0, Counted(0.3, 0.6), 2) == pytest.approx(0.65)
    assert others_fault(1.0, asked, NOTHING, 0.0, Counted(0.3, 0.0), 2) == pytest.approx(0.05)
    assert others_fault(1.0, asked, NOTHING, 0.0, Counted(1.9, 0.6), 2) == 0.0  # they are a bomb


@pytest.fixture
def idle(monkeypatch):
    """The player runs nothing, though other threads of this process may."""
    monkeypatch.setattr(SchedulerLatency, "ran", lambda self: 0.0)


def test_a_referee_that_asks_late_blames_nobody(idle):
    turn = TurnTime(Alone())
    turn.begin(0.1)
    time.sleep(0.3)
    turn.asked()
    assert turn.spent(time.perf_counter(), exact=False) < 0.1
    turn.close()


def test_time_in_which_everything_stood_still_does_not_count(idle):
    """This process, the player and its referee, sleeps for longer than it wanted."""
    turn = TurnTime(Alone())
    turn.begin(0.1)
    answers = ["an answer", None]

    def receive(seconds):
        answer = answers.pop()
        if answer is None:
            time.sleep(seconds + 0.3)
            raise TimeoutError
        return answer

    assert turn.wait(receive) == "an answer"
    assert turn.spent(time.perf_counter(), exact=False) < 0.1
    turn.close()


def test_who_computed_in_a_thread_that_has_ended_has_thought():
    """Though the process that got the question slept and waited: it thought for that time."""
    counts = waiting([(0.0, 1.0)], 2.0)
    counts._ended = [Counted(2.0, 0.0)]
    assert counts.ran() == 2.0


def test_a_kernel_that_does_not_count_waiting_is_no_reason_not_to_play(monkeypatch):
    def missing(path, flags):
        raise FileNotFoundError(path)

    monkeypatch.setattr(os, "open", missing)
    turn = TurnTime(Alone())
    turn.begin(0.02)
    with pytest.raises(TimeoutError):
        turn.wait(sleeps)
    assert turn.spent(turn.began + 0.5, exact=True) > 0.02
    turn.close()


def sleeps(seconds):
    time.sleep(seconds)
    raise TimeoutError


@pytest.mark.parametrize("seconds", [0.02, 2.0])
def test_what_is_granted_has_an_end(seconds, monkeypatch):
    turn = TurnTime(Alone())
    turn.begin(seconds)
    most = max(turn_time.TIMES * seconds, turn_time.GRANTED)
    monkeypatch.setattr(SchedulerLatency, "others_fault", lambda self, passed, by_now=False: passed)
    monkeypatch.setattr(SchedulerLatency, "ran", lambda self: 0.0)
    assert turn.spent(turn.began + seconds + 0.9 * most, exact=False) <= seconds
    with pytest.raises(MachineBusy, match="too busy"):
        turn.spent(turn.began + seconds + 1.1 * most, exact=False)
    turn.began -= seconds + 1.1 * most
    with pytest.raises(MachineBusy):
        turn.left()
    turn.close()


def test_who_thinks_is_granted_nothing_whatever_stood_still(tmp_path):
    turn = TurnTime(Alone())
    turn._steal_time.close()
    turn._steal_time = StealTime(str(tmp_path / "none"))  # the host of this machine takes nothing
    turn.begin(0.05)
    used = time.process_time()
    while time.process_time() - used < 0.15:
        pass
    turn._stood = 10.0
    assert turn.spent(time.perf_counter(), exact=False) > 0.05
    turn.close()


def test_who_seems_late_until_the_kernel_has_counted_has_time_left(monkeypatch):
    turn = TurnTime(Alone())
    turn.begin(60.0)
    monkeypatch.setattr(turn, "_spent", lambda when: 61.0)
    monkeypatch.setattr(turn, "_own_time", lambda when, by_now: 61.0)
    monkeypatch.setattr(turn, "_after_a_tick", lambda when: 59.5)
    assert turn.left() == turn_time.STEP  # at first it is only looked at again
    assert turn.left() == 0.5
    monkeypatch.setattr(turn, "_after_a_tick", lambda when: 60.5)
    assert turn.left() == 0.0
    turn.close()


def test_a_late_player_that_ran_while_it_was_suspended_is_told_so():
    turn = TurnTime(Alone())
    turn.begin(0.02)
    assert "suspended" not in turn.why_late()
    turn.suspended = 0.25
    assert "it ran 0.25 s while it was suspended" in turn.why_late()
    turn.close()


def test_a_match_on_a_machine_too_busy_has_no_result(start, small, monkeypatch, tmp_path):
    def busy(turn, arrived, *, exact):
        raise MachineBusy("too busy")

    monkeypatch.setattr(TurnTime, "spent", busy)
    with pytest.raises(MachineBusy):
        play_match(start, [small(""), "greedy"])


def test_void_games_of_a_series_are_played_again(start, small, monkeypatch):
    from ludograph.arena.playing import referee_plan
    from ludograph.arena.series import series_of
    from ludograph.referee.options import MatchOptions

    spent, left = TurnTime.spent, [2]

    def busy(turn, arrived, *, exact):
        if left[0]:
            left[0] -= 1
            raise MachineBusy("too busy")
        return spent(turn, arrived, exact=exact)

    monkeypatch.setattr(TurnTime, "spent", busy)
    options = MatchOptions.checked(clock="20s")
    series = series_of(lambda _: start.copy(), [small(""), "greedy"], 1, options)
    plan = series.plan(series.game_key(0))
    assert referee_plan(plan).reason == "finished"
    left[0] = 100
    with pytest.raises(MachineBusy):
        referee_plan(plan)


def test_a_void_game_is_dealt_again_as_before(file, monkeypatch):
    """Otherwise a player could make its game void until chance is in its favor."""
    from ludograph import carcassonne
    from ludograph.arena.playing import referee_plan
    from ludograph.arena.series import series_of
    from ludograph.games.carcassonne.decks import course
    from ludograph.referee.options import MatchOptions
    from ludograph.referee.turn_loop import TurnLoop

    dealt, spent, chance = [[]], TurnTime.spent, TurnLoop.chance

    def noted(loop):
        chance(loop)
        dealt[-1].append(loop.position.history[-1])

    def busy(turn, arrived, *, exact):
        if len(dealt) < 3 and len(dealt[-1]) >= 4:
            dealt.append([])
            raise MachineBusy("too busy")
        return spent(turn, arrived, exact=exact)

    monkeypatch.setattr(TurnLoop, "chance", noted)
    monkeypatch.setattr(TurnTime, "spent", busy)
    start = carcassonne.position(deck=course(20))
    options = MatchOptions.checked(clock="60s")
    series = series_of(lambda _: start.copy(), [file(FIRST), "greedy"], 1, options)
    assert referee_plan(series.plan(series.game_key(0))).reason == "finished"
    first, second, last = dealt
    assert first == second == last[: len(first)]


CHILD = """
import os, time
def child():
    {leave}
    until = time.monotonic() + 20
    while time.monotonic() < until:
        with open({path!r}, "a") as file: file.write("x")
        time.sleep(0.002)
if os.fork() == 0:
    child()
    os._exit(0)
def choose(position):
    while not os.path.exists({path!r}):  # the child has begun
        time.sleep(0.001)
    return position.legal_moves()[0]
"""
LEAVES = {
    "a session": "os.setsid()",
    "a group": "os.setpgid(0, 0)",
    "a daemon": "os.setsid()\n    if os.fork(): os._exit(0)",
}


@pytest.mark.slow
@pytest.mark.parametrize("leave", LEAVES)
@pytest.mark.usefixtures("unisolated", "groups")
def test_no_child_thinks_on_the_opponents_time(leave, start, file, tmp_path):
    path = tmp_path / "thoughts"
    thoughts = []

    def written():
        return path.stat().st_size if path.exists() else 0

    class Slow:
        def choose(self, position):
            before, until = -1, time.monotonic() + 5
            while before != written() and time.monotonic() < until:  # what was begun is written
                before = written()
                time.sleep(0.02)
            time.sleep(0.1)
            thoughts.append(written() - before)
            return position.legal_moves()[0]

    bot = file(CHILD.format(leave=LEAVES[leave], path=str(path)))
    result = play_match(start, [bot, Slow], clock="20s")
    assert result.faults == []
    assert path.stat().st_size > 0
    assert set(thoughts) == {0}


def test_descendants_are_found():
    made = os.fork()
    if made == 0:
        inner = os.fork()
        if inner == 0:
            signal.pause()
        signal.pause()
    try:
        until = time.monotonic() + 60
        while len(descendants(made)) < 1 and time.monotonic() < until:
            time.sleep(0.001)
        below = descendants(made)
        assert len(below) == 1
        assert made in children(os.getpid())
        assert {made, *below} <= set(descendants(os.getpid()))
    finally:
        for process in (*descendants(made), made):
            os.kill(process, signal.SIGKILL)
        os.waitpid(made, 0)


@pytest.mark.slow
def test_threads_of_a_player_think_no_longer_than_its_move(start, file):
    """Its own threads keep it from the processor: nothing is granted for that."""
    loops = (
        "import threading, time, os\n"
        "def loop():\n    while True: pass\n"
        "def choose(position):\n"
        "    for _ in range(20): threading.Thread(target=loop, daemon=True).start()\n"
        "    loop()\n"
    )
    began = time.monotonic()
    try:
        found = the_fault(play_match(start, ["greedy", file(loops)], clock="300ms"))
        assert found.reason == "timeout"
    except MachineBusy:
        pass
    assert time.monotonic() - began < 60
    assert threading.active_count() < 20


THINKS_FIRST = """
import time
class Player:
    def start(self, position, seat):
        began = time.thread_time()
        while time.thread_time() - began < {seconds}:
            pass
        self.position = position
    def play(self, moves, clock):
        for move in moves:
            self.position.push(move)
        move = self.position.legal_moves()[0]
        self.position.push(move)
        return move
    def finish(self, outcome):
        pass
"""


@pytest.mark.slow
def test_a_start_has_a_clock_of_its_own(start, file):
    """Beside one that keeps within it, whose time runs meanwhile."""
    sound = file(THINKS_FIRST.format(seconds=0.4), "sound.py")
    endless = "import time\nclass Player:\n    def __init__(self):\n        time.sleep(60)\n"
    players = [file(f"{endless}    def choose(self, position): pass\n"), sound]
    fault = the_fault(play_match(start, players, clock="5s,start=1500ms"), 0)
    assert (fault.reason, fault.ply) == ("no-start", 0)
    assert " 1.5" in fault.message
    slow = [file(THINKS_FIRST.format(seconds=2)), "greedy"]
    assert play_match(start, slow, clock="5s").faults == []  # there is time to compile something


@pytest.mark.slow
def test_what_the_machine_takes_from_a_start_does_not_count(start, file):
    """Two that compute beside four busy loops, each for less than its start clock."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(4)]
    try:
        players = [file(THINKS_FIRST.format(seconds=0.25)) for _ in range(2)]
        assert play_match(start, players, clock="5s,start=450ms").faults == []
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def test_who_is_late_is_told_both_numbers() -> None:
    class Late:
        def choose(self, position):
            time.sleep(0.25)
            return position.legal_moves()[0]

    position = flood.position(boards.square(4), colors=3)
    result = play_match(position, [Late(), "random"], clock="200ms")
    (fault,) = result.faults
    found = re.match(r"answered after ([0-9.]+) s, too late: it had 0\.2 s", fault.message)
    assert found is not None
    assert float(found[1]) > 0.2


SLOW_TO_START = """
import time
class Player:
    def start(self, position, seat):
        time.sleep(1.5)
    def play(self, moves, time_left):
        return "pass"
    def finish(self, outcome):
        pass
"""


@pytest.mark.slow
def test_what_a_player_prints_while_another_one_starts_is_read(start, file):
    """It prints more than a pipe holds: otherwise it would wait, and its start clock would run."""
    code = SLOW_TO_START.replace("time.sleep(1.5)", "print('x' * 200_000, flush=True)")
    players = [file(SLOW_TO_START, "slow.py"), file(code)]
    result = play_match(start, players, clock="5s,start=20s")
    assert result.faults == []
    assert result.starts[1] < result.starts[0]


@pytest.mark.slow
@pytest.mark.parametrize("foreign", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_player_does_not_think_while_another_one_starts(foreign, start, file):
    """On seat 1, as a player on seat 0 is suspended at once."""
    started = []

    class Slow:
        def start(self, position, seat):
            time.sleep(1.5)
            started.append(time.monotonic())

        def play(self, moves, time_left):
            return "pass"

        def finish(self, outcome):
            pass

    thinks = """
import threading, time
begins = thought = time.monotonic()
paused = 0.0
def think():
    global thought, paused
    while True:
        before, thought = thought, time.monotonic()
        paused = max(paused, thought - before)
        time.sleep(0.001)
threading.Thread(target=think, daemon=True).start()
def choose(position):
    now = max(paused, time.monotonic() - thought)
    raise SystemExit(f"thought from {begins} on, and paused for {now}")
"""
    slow = file(SLOW_TO_START, "slow.py") if foreign else Slow
    found = the_fault(play_match(start, [slow, file(thinks)], clock="10s,start=20s"))
    begins, paused = map(float, re.findall(r"(?:from|for) ([0-9.]+)", found.message))
    if foreign:
        assert paused > 0.2  # of 1.5 s, less the time until the referee saw that it was ready
    else:
        assert begins > started[0]


WAKES = """
#include <time.h>
void woken(int number) {}
void *think(void *x) { for (;;) {} return x; }
timer_t alarm_clock;
void wake_later(void) {
  struct itimerspec once = {{0, 0}, {0, 50000000}};
  if (!alarm_clock) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
    pthread_t thread;
    signal(SIGCONT, woken);
    timer_create(CLOCK_MONOTONIC, &event, &alarm_clock);
    pthread_create(&thread, 0, think, 0);
  }
  timer_settime(alarm_clock, 0, &once, 0);
}
"""


@pytest.mark.slow
def test_a_player_that_wakes_itself_pays_for_it(start, small, monkeypatch):
    """Without a control group: its timer sends the signal that ends a suspension."""
    monkeypatch.setenv(control_group.VARIABLE, "none")

    def slow(position):
        time.sleep(2)
        return position.legal_moves()[0]

    bot = small("wake_later()", functions=WAKES)
    found = the_fault(play_match(start, [slow, bot], foreign_clock="100ms"))
    assert found.reason == "timeout"
    assert "suspended" in found.message
