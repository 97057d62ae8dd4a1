"""What the host of a virtual machine takes is nobody's time, and gives nobody time to think."""

import time
from types import SimpleNamespace

import pytest

from ludograph.hosting import turn_time
from ludograph.hosting.kernel_counts import FRESH, TICK, StealTime
from ludograph.hosting.turn_time import SchedulerLatency, TurnTime
from tests.hosting.fixtures import Alone


class Counts:
    """The kernel's counts, as they are told."""

    others = 1

    def __init__(self, path, ticks):
        self.path = path
        self.take(ticks)

    def take(self, ticks, other=100):
        """Say how much was taken since the machine began, of the first processor and the other."""
        rest = [(f"cpu{number}", other) for number in range(1, 1 + self.others)]
        lines = [("cpu ", ticks + self.others * other), ("cpu0", ticks), *rest]
        text = "".join(f"{name} 9 8 7 6 5 4 3 {count} 0 0\n" for name, count in lines)
        self.path.write_text(text + "intr 1 2 3 4 5 6 7 8 9\n")


@pytest.fixture
def counts(tmp_path):
    return Counts(tmp_path / "stat", 100)


@pytest.fixture
def turn(counts):
    turn = TurnTime(Alone())
    turn._steal_time.close()
    turn._steal_time = StealTime(str(counts.path))
    yield turn
    turn.close()


@pytest.fixture
def idle(monkeypatch):
    """The player has neither run nor waited for a processor."""
    monkeypatch.setattr(SchedulerLatency, "others_fault", lambda self, passed, by_now=False: 0.0)
    monkeypatch.setattr(SchedulerLatency, "ran", lambda self: 0.0)


def test_counts_from_the_beginning_of_a_turn(counts):
    stolen = StealTime(str(counts.path))
    assert stolen.since() == (0.0, 0.0)
    counts.take(130, other=120)
    assert stolen.since() == pytest.approx((50 * TICK, 30 * TICK))
    stolen.begin(time.perf_counter() + 2 * FRESH)
    assert stolen.since() == (0.0, 0.0)
    assert stolen.uncertainty == TICK
    stolen.close()


@pytest.mark.parametrize("text", ["", "cpu0 1 2 3\n", "cpu0 9 8 7 6 5 4 3 0 0 0\n"])
def test_nothing_is_taken_where_nothing_is_counted(tmp_path, text):
    (tmp_path / "stat").write_text(text)
    stolen = StealTime(str(tmp_path / "stat"))
    assert (*stolen.since(), stolen.uncertainty) == (0.0, 0.0, 0.0)
    stolen.close()
    assert StealTime(str(tmp_path / "none")).uncertainty == 0.0


def test_stolen_time_is_granted(turn, counts, idle):
    turn.begin(0.02)
    counts.take(105)  # 50 ms
    assert turn.spent(turn.began + 0.06, exact=False) == pytest.approx(0.01)
    assert turn.granted == pytest.approx(0.05)
    assert turn.spent(turn.began + 0.10, exact=False) == pytest.approx(0.05)


def test_what_a_tick_hides_is_let_pass(turn, idle):
    turn.begin(0.02)
    assert turn.spent(turn.began + 0.029, exact=False) == 0.02
    assert turn.spent(turn.began + 0.031, exact=False) == pytest.approx(0.031)


def test_nothing_is_let_pass_where_nothing_is_ever_taken(turn, counts, idle):
    counts.take(0, other=0)
    turn._steal_time.close()
    turn._steal_time = StealTime(str(counts.path))
    turn.begin(0.02)
    assert turn.spent(turn.began + 0.021, exact=False) == pytest.approx(0.021)


def test_who_has_run_gains_no_more_than_one_processor_lost(turn, counts, idle, monkeypatch):
    """What was taken while it ran may count as run; of two processors it had one."""
    monkeypatch.setattr(SchedulerLatency, "ran", lambda self: 0.08)
    turn.begin(0.02)
    assert turn.spent(turn.began + 0.08, exact=False) == pytest.approx(0.08)
    counts.take(103, other=103)
    assert turn.spent(turn.began + 0.08, exact=False) == pytest.approx(0.05)
    counts.take(107, other=103)
    assert turn.spent(turn.began + 0.08, exact=False) == pytest.approx(0.01)


def test_what_is_taken_of_many_processors_is_not_taken_from_one_player(turn, counts, idle):
    """One that sleeps for ever loses, though of a hundred processors some is always taken."""
    counts.others = 100
    counts.take(100)
    turn._steal_time._before = turn._steal_time._ticks()
    turn.begin(0.02)
    counts.take(101, other=101)  # a second in all
    assert turn.spent(turn.began + 1.0, exact=False) == pytest.approx(1.0 - 2 * TICK)


def test_a_player_that_waits_is_out_when_nothing_more_can_be_missing(
    turn, counts, idle, monkeypatch
):
    now = [100.0]
    clock = SimpleNamespace(perf_counter=lambda: now[0], sleep=lambda _: None)
    monkeypatch.setattr(turn_time, "time", clock)
    turn.begin(0.02)
    now[0] += 0.025
    assert turn.left() > 0.0  # the first look has nothing to compare with
    now[0] += 0.1
    counts.take(111)
    assert turn.left() > 0.0
    now[0] += 0.2
    assert turn.left() == 0.0
