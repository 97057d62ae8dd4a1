"""The delay from the deadline of a player that does not answer to the verdict and its end.

    python benchmarks/verdict_delay.py [--games 10]

Four players do not answer: one sleeps, three start many processes or threads. At each level of
isolation the delay is measured from the deadline to the verdict; all processes of the player have
ended by then. The deadline contains the time that is granted because the player had to wait for a
processor.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

from measure import compiled_player, machine

from ludograph import boards, flood, play_match
from ludograph.games import Position
from ludograph.hosting.sandbox.sandbox import why_not
from ludograph.hosting.turn_time import TurnTime
from ludograph.players.isolation import Level

CLOCK = 0.3
"""Seconds for all moves of a player."""

GOALS = {"sleep": 50.0, "forks": 200.0, "sessions": 200.0, "threads": 200.0}
"""Milliseconds from the deadline to the verdict, at most."""

PLAYER = """
#include "player.h"
#include <pthread.h>
#include <unistd.h>
static void *burn(void *unused) { (void) unused; for (;;) { } return 0; }
char const *get_player_name() { return "late"; }
void initialize(size_t id, struct graph_t *g, enum color_t *c, struct color_set_t f[2]) {
  (void) id; (void) g; (void) c; (void) f; (void) burn;
}
struct move_t play(struct move_t previous) { LATE; return previous; }
void finalize() { }
"""
LATE = {
    "sleep": "for (;;) sleep(1)",
    "forks": "for (;;) fork()",
    "sessions": "for (;;) { fork(); setsid(); }",
    "threads": "for (;;) { pthread_t one; pthread_create(&one, 0, burn, 0); }",
}


class Opponent:
    """Passes, and records the times of the other player's question and of the end of the game."""

    def __init__(self) -> None:
        self.asked = self.ended = 0.0

    def start(self, position: Position, seat: int) -> None: ...

    def play(self, *_: object) -> str:
        self.asked = time.perf_counter()
        return "pass"

    def finish(self, *_: object) -> None:
        self.ended = time.perf_counter()


def delay(start: Position, player: str, level: Level) -> float:
    """Return the milliseconds from the deadline to the verdict of one game."""
    opponent, granted, close = Opponent(), [0.0], TurnTime.close

    def recorded(turn: TurnTime) -> None:
        granted.append(turn.granted)
        close(turn)

    TurnTime.close = recorded
    try:
        result = play_match(start, [opponent, player], clock=f"{CLOCK}s", isolation=level)
    finally:
        TurnTime.close = close
    assert result.faults, result.sentence
    return 1e3 * (opponent.ended - opponent.asked - CLOCK - granted[-1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=10)
    arguments = parser.parse_args()
    start = flood.position(boards.square(8), colors=6, seed=3)
    levels = [level for level in (Level.STRICT, Level.BASIC) if not why_not(level)]
    print(f"{arguments.games} games each, {machine()}\n")
    print(f"{'player':10}{'level':8}{'least, ms':>12}{'median':>10}{'most':>10}{'goal':>8}")
    missed = False
    with tempfile.TemporaryDirectory() as name:
        for kind, code in LATE.items():
            player = compiled_player(Path(name), kind, PLAYER.replace("LATE", code))
            for level in levels:
                found = [delay(start, player, level) for _ in range(arguments.games)]
                median = statistics.median(found)
                missed |= median > GOALS[kind]
                print(f"{kind:10}{level:8}{min(found):12.0f}{median:10.0f}", end="")
                print(f"{max(found):10.0f}{GOALS[kind]:8.0f}")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
