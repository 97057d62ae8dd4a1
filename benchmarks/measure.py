"""What the benchmarks share: runs that take turns, rates, C players, older checkouts, figures."""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

T = TypeVar("T")

ROOT = Path(__file__).resolve().parent.parent

PASSER = """
#include "player.h"
#include <stdlib.h>
char const *get_player_name() { return "passer"; }
void initialize(size_t id, struct graph_t *graph, enum color_t *colors, struct color_set_t f[2]) {
  (void) id; (void) f;
  gsl_spmatrix_uint_free(graph->t); free(graph); free(colors);
}
struct move_t play(struct move_t previous) {
  struct move_t pass = { NO_COLOR };
  (void) previous;
  return pass;
}
void finalize() { }
"""
"""A C player of Flood that passes."""


def timed(function: Callable[[], T]) -> tuple[float, T]:
    """Return the seconds that a call took, and its result."""
    began = time.perf_counter()
    result = function()
    return time.perf_counter() - began, result


def median_seconds(function: Callable[[], object], repeats: int = 5) -> float:
    """Return the median time of repeated calls, in seconds."""
    return statistics.median(timed(function)[0] for _ in range(repeats))


def in_turns(kinds: dict[str, Callable[[], T]], repeats: int) -> dict[str, list[T]]:
    """Return what each kind returns in all rounds: other programs disturb all kinds alike."""
    found: dict[str, list[T]] = {name: [] for name in kinds}
    for _ in range(repeats):
        for name, run in kinds.items():
            found[name].append(run())
    return found


def processor_rate(run: Callable[[int], object], amount: int) -> float:
    """Return the amount of work per second of processor time, after a run to warm up."""
    run(1)
    began = time.process_time()
    run(amount)
    return amount / (time.process_time() - began)


def median_rates(
    kinds: dict[str, Callable[[int], object]],
    probes: dict[str, int],
    seconds: float,
    repeat: int,
) -> dict[str, float]:
    """Return each kind's amount of work per second: medians of runs that take turns.

    Parameters
    ----------
    kinds
        Functions that do a given amount of work, by name.
    probes
        The first amounts, from which the amounts that take ``seconds`` are found.
    """

    def rate(run: Callable[[int], object], amount: int) -> float:
        return amount / timed(lambda: run(amount))[0]

    runs = {}
    for name, run in kinds.items():
        run(1)  # compiled, or loaded from the cache
        amount = max(1, int(seconds * rate(run, probes[name])))
        runs[name] = lambda run=run, amount=amount: rate(run, amount)
    return {name: statistics.median(found) for name, found in in_turns(runs, repeat).items()}


class Rates(NamedTuple):
    """Work done per second of processor time, and per second of the clock."""

    processor: float
    clock: float


def both_rates(runs: dict[str, Callable[[], int]], repeats: int) -> dict[str, Rates]:
    """Return the rates of some runs: medians of repeats that take turns, after one to warm up.

    Parameters
    ----------
    runs
        Functions that do some work and return its amount, by name.
    """

    def rates(run: Callable[[], int]) -> Rates:
        began, busy = time.perf_counter(), time.process_time()
        amount = run()
        passed, worked = time.perf_counter() - began, time.process_time() - busy
        return Rates(amount / worked, amount / passed)

    kinds = {name: lambda run=run: rates(run) for name, run in runs.items()}
    in_turns(kinds, 1)
    return {
        name: Rates(*map(statistics.median, zip(*found, strict=True)))
        for name, found in in_turns(kinds, repeats).items()
    }


def printed_by(checkout: Path, *arguments: object, tests: bool = False) -> str:
    """Return what Python prints for some arguments with the package of a checkout.

    Parameters
    ----------
    tests
        Whether the program imports this checkout's tests and benchmarks, too.
    """
    path = [str(checkout.resolve() / "src"), *([str(ROOT)] if tests else [])]
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout


def compiled_player(folder: Path, name: str, source: str = PASSER) -> str:
    """Compile a C player of Flood and return its path."""
    from ludograph.games.flood.native import FloodLibrary

    (folder / "player.h").write_text(FloodLibrary.header)
    (folder / f"{name}.c").write_text(source)
    path = folder / f"{name}.so"
    command = ["gcc", "-O2", "-shared", "-fPIC", str(folder / f"{name}.c"), "-o", str(path)]
    subprocess.run(command, check=True)
    return str(path)


def seconds_without_moves(player: str, level: str = "none") -> float:
    """Return the seconds of a game of Flood in which both players pass."""
    from ludograph import boards, flood, play_match

    start = flood.position(boards.square(12), seed=1)
    seconds, result = timed(lambda: play_match(start, [player, player], isolation=level))
    assert (result.reason, len(result.moves)) == ("finished", 2), result.sentence
    return seconds


@contextmanager
def busy_loops(count: int) -> Iterator[None]:
    """Let other processes use the processors for a time."""
    loop = [sys.executable, "-c", "while True: pass"]
    with ExitStack() as stack:
        for _ in range(count):
            process = stack.enter_context(subprocess.Popen(loop))
            stack.callback(process.kill)
        yield


def chosen(
    parser: argparse.ArgumentParser, given: Sequence[str], known: Iterable[str]
) -> Sequence[str]:
    """Return the names that the command line gives, or all; an unknown name ends the program."""
    every = list(known)
    for name in given:
        if name not in every:
            parser.error(f"{name} is unknown; there are {', '.join(every)}")
    return given or every


def machine() -> str:
    """Return the cores of this machine and their load."""
    return f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"


def resident() -> float:
    """Return the resident memory of this process, in MiB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def report(what: str, ours: float, peer: float | None = None, unit: str = "/s") -> None:
    """Print a figure; if there is a peer, also its figure and the ratio of both."""
    line = f"{what:<44} {ours:>14,.1f} {unit}"
    if peer is not None:
        line += f"   peer {peer:>12,.2f} {unit}   ratio {ours / peer:>8,.1f}"
    print(line, flush=True)
