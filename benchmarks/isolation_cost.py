"""What each level of isolation costs beside none: the start of a match at most 30 ms, a move 20 us.

    python benchmarks/isolation_cost.py [--games 30]

For the cost of a start, two players from files pass at once, so a game is only the start and the
end of their processes. For the cost of a move, a C player and a Python player with little to
compute play whole games against a built-in one; their first moves are counted separately, because a
new process then touches its memory for the first time. All levels take turns in one run with the
same games. For comparison, the program bubblewrap starts a trivial program, and an interpreter that
loads the rules, in its sandbox.
"""

from __future__ import annotations

import argparse
import itertools
import shutil
import statistics
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from measure import (
    compiled_player,
    machine,
    median_seconds,
    seconds_without_moves,
)

from ludograph import boards, flood, play_match
from ludograph.games import Position
from ludograph.hosting.sandbox.sandbox import why_not
from ludograph.players.isolation import Level

START_GOAL, MOVE_GOAL = 30.0, 20.0
"""Milliseconds for the start of a match of two, microseconds for a move."""

BWRAP = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]


def move_seconds(start: Position, player: str, level: Level, seed: int) -> list[float]:
    """Return the seconds of each move of a player against one that moves at random."""
    result = play_match(start, ["random", player], isolation=level, seed=seed)
    assert not result.faults, result.sentence
    return [played.seconds for played in result.moves if played.seat == 1]


MOVER = """
/* Takes the last color that it finds beside its zone. */
#include "player.h"
#include <stdlib.h>
static struct graph_t *graph;
static enum color_t *colors;
static size_t own, other, *queue;
static char *seen;
char const *get_player_name() { return "mover"; }
void initialize(size_t id, struct graph_t *g, enum color_t *c, struct color_set_t f[2]) {
  (void) f;
  graph = g; colors = c; own = g->positions[id]; other = g->positions[1 - id];
  queue = malloc(g->num_vertices * sizeof *queue); seen = malloc(g->num_vertices);
}
static enum color_t zone(size_t start, enum color_t paint) {
  enum color_t was = colors[start], found = NO_COLOR;
  size_t head = 0, tail = 0;
  for (size_t v = 0; v < graph->num_vertices; v++) seen[v] = 0;
  seen[queue[tail++] = start] = 1;
  while (head < tail) {
    size_t v = queue[head++];
    for (int k = graph->t->p[v]; k < graph->t->p[v + 1]; k++) {
      size_t w = (size_t) graph->t->i[k];
      if (colors[w] == was && !seen[w]) seen[queue[tail++] = w] = 1;
      if (colors[w] != was && colors[w] != colors[other]) found = colors[w];
    }
  }
  for (size_t k = 0; paint != NO_COLOR && k < tail; k++) colors[queue[k]] = paint;
  return found;
}
struct move_t play(struct move_t previous) {
  struct move_t move;
  if (previous.c != NO_COLOR) zone(other, previous.c);
  move.c = zone(own, NO_COLOR);
  if (move.c != NO_COLOR) zone(own, move.c);
  return move;
}
void finalize() { gsl_spmatrix_uint_free(graph->t); free(graph); free(colors); free(queue);
                  free(seen); }
"""

FIRST = 2
"""The number of moves of a game that count as first moves."""


def low(values: list[float]) -> float:
    """Return the first decile: on a busy machine other processes decide the median."""
    return statistics.quantiles(values, n=10, method="inclusive")[0]


def compare_with_bubblewrap() -> None:
    """Print the times of programs, and of the same programs in the sandbox of bubblewrap."""
    rules = [sys.executable, "-c", "import numba, ludograph.rules"]
    plain, wrapped, fresh = (
        1e3 * median_seconds(partial(subprocess.run, command, check=True), repeats)
        for command, repeats in ((["true"], 9), ([*BWRAP, "true"], 9), ([*BWRAP, *rules], 3))
    )
    print(f"\nfor a player: 'true' {plain:.1f} ms, under bubblewrap {wrapped:.1f} ms;")
    print(f"an interpreter that loads the rules under bubblewrap {fresh:.0f} ms")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=30)
    arguments = parser.parse_args()
    if arguments.games < 2:
        parser.error("--games: quantiles need 2 or more")
    start = flood.position(boards.square(12), seed=1)
    levels = [level for level in reversed(Level) if not why_not(level)]
    begun: dict[tuple[str, Level], list[float]] = {}
    moved: dict[tuple[str, Level], list[float]] = {}
    first: dict[tuple[str, Level], list[float]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "passer.py").write_text("def choose(position):\n    return 'pass'\n")
        (folder / "mover.py").write_text(
            "def choose(position):\n    return position.legal_moves()[0]\n"
        )
        passers = {"C": compiled_player(folder, "passer"), "Python": str(folder / "passer.py")}
        movers = {"C": compiled_player(folder, "mover", MOVER), "Python": str(folder / "mover.py")}
        for game in range(arguments.games + 1):  # the first is not counted
            for kind, player in passers.items():
                for level in levels:
                    seconds = seconds_without_moves(player, level)
                    times = move_seconds(start, movers[kind], level, game)
                    if game:
                        begun.setdefault((kind, level), []).append(1e3 * seconds)
                        moved.setdefault((kind, level), []).extend(1e6 * x for x in times[FIRST:])
                        first.setdefault((kind, level), []).extend(1e6 * x for x in times[:FIRST])
    print(f"{arguments.games} games of each kind, {machine()};", end="")
    print(" first decile and median, and the decile beside none\n")
    print(f"{'':16}{'start of two, ms':>26}{'a move, us':>26}{'first moves, us':>26}")
    worst = [0.0, 0.0]
    for kind, level in itertools.product(passers, levels):
        print(f"{kind:8}{level:8}", end="")
        more = []
        for values in (begun, moved, first):
            more.append(low(values[kind, level]) - low(values[kind, Level.NONE]))
            median = statistics.median(values[kind, level])
            print(f"{low(values[kind, level]):10.1f}{median:8.1f}{more[-1]:+8.1f}", end="")
        print()
        worst = [max(pair) for pair in zip(worst, more[:2], strict=True)]
    print(
        f"\n{len(moved['C', Level.NONE])} moves of C, {len(moved['Python', Level.NONE])} of Python"
    )
    print(f"more than none: start {worst[0]:+.1f} ms (at most {START_GOAL:.0f}), ", end="")
    print(f"move {worst[1]:+.1f} us (at most {MOVE_GOAL:.0f})")
    if shutil.which("bwrap"):
        compare_with_bubblewrap()
    return int(worst[0] > START_GOAL or worst[1] > MOVE_GOAL)


if __name__ == "__main__":
    sys.exit(main())
