"""A player that fills the machine with processes or threads loses on time, and no later than that.

The bombs are bounded by the isolation of players.
"""

import time

import pytest

from ludograph.hosting.leftover_processes import bearers
from ludograph.players.isolation import Level
from tests.hosting.fixtures import the_fault

SECONDS = 0.3
LATE = 0.4
"""Seconds after the deadline for the verdict, with all processes ended: twice what is required, for
the other work of the machine that runs the tests."""

TRIES = 8
"""Games, until nothing else is in the way."""

BOMBS = {
    "sessions": "for (;;) { fork(); setsid(); }",
    "forks": "for (;;) fork();",
    "threads": "for (;;) { pthread_t one; pthread_create(&one, 0, burn, 0); }",
}
BURN = "static void *burn(void *x) { for (;;) { } return x; }"


@pytest.mark.usefixtures("groups")
@pytest.mark.parametrize("level", [Level.STRICT, Level.BASIC])
@pytest.mark.parametrize("bomb", list(BOMBS))
def test_the_verdict_is_in_time(bomb, level, start, small, referee, tokens):
    delays = []

    class Watch:
        def start(self, position, seat): ...

        def play(self, moves, time_left):
            self.asked = time.perf_counter()
            return "pass"

        def finish(self, outcome):
            delays.append(time.perf_counter() - self.asked - SECONDS)

    player = small(BOMBS[bomb], functions=BURN)
    for _ in range(TRIES):
        found = the_fault(referee(start, [Watch, player], clock="300ms", isolation=level))
        assert found.reason in ("timeout", "crash")
        assert not any(map(bearers, tokens))
        if delays[-1] < LATE:
            break
    assert min(delays) < LATE, delays
