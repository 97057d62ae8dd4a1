"""What the referee adds to each move: at most 30 µs in its process, 200 µs to another process.

    python benchmarks/referee_overhead.py [--games 9] [--size 11]

A whole game of Hex is played first. Then players that read their moves from a list play it again
and again, so that nearly all of the time per move is the referee's: players in its process, a
Python file in the long form, and programs in Python and in C over their text protocol, which get
the legal moves or do not. The cost of `Position.play`, which checks the move, is subtracted.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from measure import in_turns, machine

from ludograph import hex, play_match, rules
from ludograph.games import Position

IN_PROCESS, FILE, ALONE = "in the referee's process", "a Python file", "Position.play alone"

LIMITS = {IN_PROCESS: 30, FILE: 200}
"""Microseconds for a move, without `Position.play`."""

PLAYER = """
class Scripted:
    def start(self, position, seat):
        self.moves = iter(SCRIPT[seat::2])
    def play(self, moves, time_left):
        return next(self.moves)
    def finish(self, outcome):
        pass
"""

PROGRAM = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if kind == "hello":
        answer = {"version": 1}
    elif kind == "start":
        moves = iter(SCRIPT[message["seat"]::2])
        answer = {"ready": True, "legal": LEGAL}
    elif kind == "ping":
        answer = {"pong": True}
    elif kind == "play":
        answer = {"move": next(moves)}
    else:
        break
    print(json.dumps(answer), flush=True)
"""

C_PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char const *script[] = {SCRIPT};
int main(void) {
  size_t next = 0;
  char *line = NULL;
  size_t capacity = 0;
  while (getline(&line, &capacity, stdin) > 0) {
    switch (line[9]) {
      case 'h': puts("{\\"version\\":1}"); break;
      case 's': next = (size_t)atoi(strstr(line, "\\"seat\\":") + 7);
        puts("{\\"ready\\":true,\\"legal\\":LEGAL}"); break;
      case 'p': if (line[10] == 'i') { puts("{\\"pong\\":true}"); break; }
        printf("{\\"move\\":\\"%s\\"}\\n", script[next]); next += 2; break;
      default: return 0;
    }
    fflush(stdout);
  }
}
"""


def played(start: Position, script: list[int]) -> float:
    """Return the seconds per move of a position alone."""
    position = start.copy()
    began = time.perf_counter()
    for move in script:
        position.play(move)
    return (time.perf_counter() - began) / len(script)


def refereed(start: Position, player: Any, **options: Any) -> float:
    """Return seconds per move of a match of a player with itself, without its start and end."""
    times: list[float] = []
    noted = lambda *_: times.append(time.perf_counter())  # noqa: E731
    result = play_match(start, [player] * 2, clock="60s", on_move=noted, **options)
    assert not result.faults, result.faults
    return (times[-1] - times[0]) / (len(times) - 1)


def players(folder: Path, start: Position, script: list[int]) -> dict[str, Any]:
    """Write the players, and return them by what they are."""
    texts = [start.text(move) for move in script]
    namespace: dict[str, Any] = {"SCRIPT": script}
    exec(PLAYER, namespace)
    file = folder / "file.py"
    file.write_text(f"SCRIPT = {script}\n{PLAYER}")
    found = {IN_PROCESS: namespace["Scripted"], FILE: str(file)}
    for kind, legal in (("", True), (", without the legal moves", False)):
        program = folder / f"program_{legal}.py"
        program.write_text(f"SCRIPT, LEGAL = {texts}, {legal}\n{PROGRAM}")
        found[f"a program in Python{kind}"] = f"cmd: {shlex.join([sys.executable, str(program)])}"
        if shutil.which("gcc"):
            words = ", ".join(f'"{text}"' for text in texts)
            source, built = folder / f"program_{legal}.c", folder / f"program_{legal}"
            code = C_PROGRAM.replace("SCRIPT", words).replace("LEGAL", str(legal).lower())
            source.write_text(code)
            subprocess.run(["gcc", "-O2", str(source), "-o", str(built)], check=True)
            found[f"a program in C{kind}"] = f"cmd: {shlex.quote(str(built))}"
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=9)
    parser.add_argument("--size", type=int, default=11)
    arguments = parser.parse_args()
    start = hex.position(arguments.size, pie=False)
    position, rng = start.copy(), rules.random_state(5)
    while not position.is_over:
        position.play_random(rng)
    script = list(position.history)
    with tempfile.TemporaryDirectory() as folder:
        kinds: dict[str, Callable[[], float]] = {ALONE: partial(played, start, script)}
        for name, player in players(Path(folder), start, script).items():
            kinds[name] = partial(refereed, start, player)
        record = Path(folder, "record.jsonl")
        kinds[f"{IN_PROCESS}, recording"] = partial(
            refereed, start, kinds[IN_PROCESS].args[1], record=record
        )
        in_turns(kinds, 1)
        times = in_turns(kinds, arguments.games)
    medians = {kind: 1e6 * statistics.median(of) for kind, of in times.items()}
    print(f"{len(script)} moves on {start.board.name}, median of {arguments.games} games,")
    print(f"{machine()}; per move:\n")
    print(f"{'':46}{'µs':>8}{'µs more than alone':>20}{'times a Python file':>22}")
    for kind, found in medians.items():
        print(f"{kind:46}{found:8.1f}{found - medians[ALONE]:20.1f}{found / medians[FILE]:22.2f}")
    slow = [kind for kind, limit in LIMITS.items() if medians[kind] - medians[ALONE] > limit]
    print("\nover the limits" if slow else "\nwithin the limits", list(LIMITS.values()), "µs")
    return int(bool(slow))


if __name__ == "__main__":
    sys.exit(main())
