"""How many sound players lose on time because the machine is busy: at most 1 game in 5,000.

    python benchmarks/false_timeouts.py [--games 200] [--first 0] [--clock 20ms] [--busy CORES]
        [--built-in | --forked]
    python benchmarks/false_timeouts.py --clock 200ms+2ms --busy 0

Two C players play Flood with ``--clock`` for a move and use a millisecond of processor time for it,
while busy loops keep all cores at work. A player in an endless loop plays, too: the delay of its
verdict is printed with the time that was granted. Two rules judge the same games: *before*, the
seconds from a question to the reading of its answer counted; *now* the player's own time counts.
With ``--built-in`` the players are built-in ones in the referee's process; with ``--forked`` each
starts three processes for a move, one after the other, which use the millisecond and end.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from importlib.resources import files
from pathlib import Path
from typing import Any

from measure import busy_loops, compiled_player, machine

from ludograph import boards, flood, play_match
from ludograph.errors import MachineBusy
from ludograph.games import Position
from ludograph.hosting.turn_time import GRACE, TurnTime
from ludograph.referee import Clock
from ludograph.referee.clock import Stopwatch

LIMIT = 1 / 5000
BURN = """#include <time.h>
struct move_t play(struct move_t previous_move)
{
  for (clock_t began = clock(); clock() - began < CLOCKS_PER_SEC / 1000;)
    ;
"""
FORK = """#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
struct move_t play(struct move_t previous_move)
{
  for (int part = 0; part < 3; part++) {
    pid_t const child = fork();
    if (child == 0) {
      for (clock_t began = clock(); clock() - began < CLOCKS_PER_SEC / 3000;)
        ;
      _exit(0);
    }
    waitpid(child, NULL, 0);
  }
"""
LOOP = "struct move_t play(struct move_t previous_move)\n{\n  for (;;) {}\n"


def player(folder: Path, name: str, begin: str) -> str:
    """Compile the template of a C player with code before each move; return its path."""
    text = (files("ludograph.games.flood") / "templates" / "player.c.txt").read_text()
    text = text.replace("struct move_t play(struct move_t previous_move)\n{\n", begin)
    return compiled_player(folder, name, text.replace("@NAME@", name))


class OldRule:
    """Records the answers that were late by wall-clock time."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.late = False
        self.most = 0.0
        spent, left, watched = TurnTime.spent, TurnTime.left, Stopwatch.spent
        note = self.note

        def noted_spent(turn: TurnTime, *arguments: Any, **options: Any) -> float:
            note(time.perf_counter() - turn.began)
            return spent(turn, *arguments, **options)

        def noted_left(turn: TurnTime) -> float:
            note(time.perf_counter() - turn.began)
            return left(turn)

        def noted_watch(watch: Stopwatch, **options: Any) -> float:
            note(time.perf_counter() - watch._began, 0.0)
            return watched(watch, **options)

        TurnTime.spent, TurnTime.left = noted_spent, noted_left
        Stopwatch.spent = noted_watch

    def note(self, seconds: float, grace: float = GRACE) -> None:
        """Record the time of a move."""
        self.late |= seconds > self.seconds + grace
        self.most = max(self.most, seconds)


def verdict(start: Position, players: list[Any], clock: str) -> str:
    """Return how a game ended."""
    try:
        result = play_match(start, players, clock=clock)
    except MachineBusy:
        return "void"
    for fault in result.faults:
        print(f"{fault.reason}: {fault.message}")
    return str(result.reason)


def slowest_death(start: Position, looper: str, clock: str, seconds: float, games: int) -> float:
    """Return the longest time, in seconds, from the deadline of an endless loop to its verdict."""
    most = 0.0
    for _ in range(games):
        began: list[float] = []
        moved = lambda *_, began=began: began.append(time.perf_counter())  # noqa: E731
        result = play_match(start, ["greedy", looper], clock=clock, on_move=moved)
        assert [fault.reason for fault in result.faults] == ["timeout"], result.sentence
        most = max(most, time.perf_counter() - began[-1] - seconds)
    return most


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    parser.add_argument("--clock", default="20ms")
    parser.add_argument(
        "--busy", type=int, default=os.cpu_count(), help="busy loops during the games"
    )
    parser.add_argument("--built-in", action="store_true")
    parser.add_argument("--forked", action="store_true")
    options = parser.parse_args()
    begin = FORK if options.forked else BURN
    clock = Clock.parse(options.clock)
    seconds = clock.move or clock.game or 0.0  # a first move may use the time of its game
    counts = {"before": 0, "now": 0, "void": 0, "other": 0}
    with tempfile.TemporaryDirectory() as folder:
        sound = "greedy" if options.built_in else player(Path(folder), "sound", begin)
        looper = player(Path(folder), "looper", LOOP)
        start = flood.position(boards.square(8), colors=6, seed=1)
        play_match(start, [sound, sound], clock="60s")  # compiles the rules
        rule = OldRule(seconds)
        with busy_loops(options.busy):
            for number in range(options.first, options.first + options.games):
                rule.late = False
                start = flood.position(boards.square(8), colors=6, seed=number)
                reason = verdict(start, [sound, sound], options.clock)
                counts["before"] += rule.late
                counts["now"] += reason == "timeout"
                counts["void"] += reason == "void"
                counts["other"] += reason not in {"timeout", "void", "finished"}
            slowest, death = rule.most, 0.0
            if not options.built_in:
                games = min(max(1, options.games // 20), 50)
                death = slowest_death(start, looper, options.clock, seconds, games)
    print(f"{options.games} games, {options.clock} a move, {options.busy} busy loops,")
    print(f"{machine()}; slowest move {slowest:.3f} s\n")
    if clock.move is not None:
        print(f"false timeouts before: {counts['before']}")
    print(f"false timeouts now:    {counts['now']} (at most 1 in {1 / LIMIT:.0f})")
    print(f"void, played again:    {counts['void']}")
    if counts["other"]:
        print(f"other faults:          {counts['other']}")
    if not options.built_in:
        print(f"the latest verdict on an endless loop came {1e3 * death:.0f} ms after its", end="")
        print(" deadline, with the granted time and the end of the game")
    return int(counts["now"] > options.games * LIMIT)


if __name__ == "__main__":
    sys.exit(main())
