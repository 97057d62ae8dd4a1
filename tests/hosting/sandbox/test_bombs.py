"""A player that fills the machine with processes or threads loses, and nothing of it is left.

The bombs are bounded by the isolation of players. `benchmarks/verdict_delay.py` measures how long
after the deadline the verdict comes.
"""

import pytest

from ludograph.hosting.process_tree import bearers
from ludograph.players.isolation import Level
from tests.amounts import slow_but
from tests.hosting.fixtures import the_fault

BOMBS = {
    "sessions": "for (;;) { fork(); setsid(); }",
    "forks": "for (;;) fork();",
    "threads": "for (;;) { pthread_t one; pthread_create(&one, 0, burn, 0); }",
}
BURN = "static void *burn(void *x) { for (;;) { } return x; }"


class Passing:
    def choose(self, position):
        return "pass"


@pytest.mark.usefixtures("groups")
@pytest.mark.parametrize("level", [Level.STRICT, Level.BASIC])
@pytest.mark.parametrize("bomb", slow_but(list(BOMBS)[:2], BOMBS))
def test_a_bomb_loses_and_leaves_nothing(bomb, level, start, small, referee, tokens):
    player = small(BOMBS[bomb], functions=BURN)
    found = the_fault(referee(start, [Passing, player], clock="300ms", isolation=level))
    assert found.reason in ("timeout", "crash")
    assert not any(map(bearers, tokens))
