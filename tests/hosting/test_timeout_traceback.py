"""A player whose time is over is told with where it was, and killed whether it says so or not."""

import re
import time

import pytest

from ludograph.formatting import one_line
from ludograph.hosting import crash_report
from tests.hosting.fixtures import the_fault

LOOP = """
import signal
{first}
def dream(n):
    while n:
        n += 1

def choose(position):
    dream(1)
"""


@pytest.fixture
def patient(monkeypatch):
    """The machine may be busy: wait long for a player's last words."""
    monkeypatch.setattr(crash_report, "ASK_SECONDS", 20.0)


def late(referee, start, player):
    found = the_fault(referee(start, ["greedy", player], clock="300ms"))
    assert found.reason == "timeout"
    return found


def own(message):
    """Leave out what a busy machine has taken from a player, and it was granted."""
    return re.sub(r" and [\de.-]+ s more, for which it had to wait for a processor", "", message)


@pytest.mark.usefixtures("patient")
def test_a_python_player_is_told_with_its_function_and_line(start, file, referee):
    found = late(referee, start, file(LOOP.format(first="")))
    told, _, place = found.message.partition("; it was in dream (")
    assert own(told).endswith(" 0.3 s")
    assert place.endswith((", line 5)", ", line 6)"))
    assert crash_report.STACK in found.log
    assert "line 9 in choose" in found.log
    assert not any(folder in found.log for folder in crash_report.OURS)


@pytest.mark.slow
@pytest.mark.parametrize(
    "first",
    [
        "signal.signal(signal.SIGUSR2, signal.SIG_IGN)",
        "signal.signal(signal.SIGUSR2, lambda *_: print('not me', flush=True))",
        "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])",
    ],
)
def test_who_does_not_say_is_killed_all_the_same(start, file, referee, first):
    began = time.monotonic()
    found = late(referee, start, file(LOOP.format(first=first)))
    assert own(found.message).endswith(" 0.3 s")
    assert time.monotonic() - began < 20.0


STACK = f"""{crash_report.STACK}
  File "/lib/json.py", line 7 in loads
  File "/x/bot.py", line 3 in think
"""


@pytest.mark.parametrize(
    ("log", "place"),
    [
        ("", ""),
        ("nothing of the kind", ""),
        (STACK, " in think (bot.py, line 3)"),
        (f"{STACK}and\n{STACK.replace('line 3', 'line 4')}", " in think (bot.py, line 4)"),
        (STACK.replace("/x/", "/y/"), ""),
        (STACK.replace("think", "x" * 500), f" in {one_line('x' * 500)} (bot.py, line 3)"),
        (STACK.replace("line 3", "line three"), ""),
    ],
)
def test_the_innermost_call_of_its_own_counts(log, place):
    assert crash_report.place_in(log, "/x/bot.py") == place
