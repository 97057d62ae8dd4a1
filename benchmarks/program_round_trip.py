"""The time of a move of a program over its text protocol, beside a move of a Python file.

    python benchmarks/program_round_trip.py [--games 9] [--size 11]

Players that read their moves from a list play the same game again and again: a Python file in the
long form, and programs in Python and in C that get the legal moves or do not. Nearly all of the
time per move is then the exchange of messages.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measure import report

from ludograph import hex, play_match, rules
from ludograph.games import Position

FILE = """
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


def scripted_game(size: int) -> tuple[Position, list[int]]:
    """Return a start, and the moves of a whole game from there."""
    start = hex.position(size, pie=False)
    position, rng = start.copy(), rules.random_state(5)
    while not position.is_over:
        position.play_random(rng)
    return start, list(position.history)


def refereed(start: Position, player: str) -> float:
    """Return seconds per move of a match of a player with itself, without start and end."""
    times: list[float] = []
    result = play_match(
        start, [player] * 2, clock="60s", on_move=lambda *_: times.append(time.perf_counter())
    )
    assert not result.faults, result.faults
    return (times[-1] - times[0]) / (len(times) - 1)


def players(folder: Path, start: Position, script: list[int]) -> dict[str, str]:
    """Write the players, and return their names."""
    texts = [start.text(move) for move in script]
    file = folder / "file.py"
    file.write_text(f"SCRIPT = {script}\n{FILE}")
    found = {"a Python file": str(file)}
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=9)
    parser.add_argument("--size", type=int, default=11)
    arguments = parser.parse_args()
    start, script = scripted_game(arguments.size)
    with tempfile.TemporaryDirectory() as folder:
        named = players(Path(folder), start, script)
        times: dict[str, list[float]] = {name: [] for name in named}
        for game in range(arguments.games + 1):  # interleaved: all meet the same noise
            for name, player in named.items():
                seconds = refereed(start, player)
                if game:  # the first warms up
                    times[name].append(seconds)
    cores, load = os.cpu_count(), os.getloadavg()[0]
    print(f"{len(script)} moves on {start.board.name}, median of {arguments.games} games,")
    print(f"{cores} cores, load {load:.1f}; per move, beside a Python file:\n")
    peer = statistics.median(times["a Python file"]) * 1e6
    for name, seconds in times.items():
        report(name, statistics.median(seconds) * 1e6, peer, "µs")


if __name__ == "__main__":
    main()
