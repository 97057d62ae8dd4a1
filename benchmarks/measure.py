"""What the benchmarks share: names from the command line, medians of runs, lines of figures."""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

T = TypeVar("T")


def timed(function: Callable[[], T]) -> tuple[float, T]:
    """Return the seconds that a call took, and its result."""
    began = time.perf_counter()
    result = function()
    return time.perf_counter() - began, result


def median_seconds(function: Callable[[], object], repeats: int = 5) -> float:
    """Return the median time of repeated calls, in seconds."""
    return statistics.median(timed(function)[0] for _ in range(repeats))


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
    amounts = {}
    for name, run in kinds.items():
        run(1)  # compiled, or loaded from the cache
        probe = probes[name]
        amounts[name] = max(1, int(probe * seconds / timed(lambda r=run, n=probe: r(n))[0]))
    rates: dict[str, list[float]] = {name: [] for name in kinds}
    for _ in range(repeat):
        for name, run in kinds.items():
            amount = amounts[name]
            rates[name].append(amount / timed(lambda r=run, n=amount: r(n))[0])
    return {name: statistics.median(values) for name, values in rates.items()}


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
    found: dict[str, list[Rates]] = {name: [] for name in runs}
    for run in runs.values():
        run()
    for _ in range(repeats):
        for name, run in runs.items():
            began, busy = time.perf_counter(), time.process_time()
            amount = run()
            passed, worked = time.perf_counter() - began, time.process_time() - busy
            found[name].append(Rates(amount / worked, amount / passed))
    return {
        name: Rates(*(statistics.median(values) for values in zip(*rates, strict=True)))
        for name, rates in found.items()
    }


def chosen(
    parser: argparse.ArgumentParser, given: Sequence[str], known: Iterable[str]
) -> Sequence[str]:
    """Return the names that the command line gives, or all; an unknown name ends the program."""
    every = list(known)
    for name in given:
        if name not in every:
            parser.error(f"{name} is unknown; there are {', '.join(every)}")
    return given or every


def peak_megabytes() -> float:
    """Return the peak memory of this process, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def report(what: str, ours: float, peer: float | None = None, unit: str = "/s") -> None:
    """Print a figure; if there is a peer, also its figure and the ratio of both."""
    line = f"{what:<44} {ours:>14,.1f} {unit}"
    if peer is not None:
        line += f"   peer {peer:>12,.2f} {unit}   ratio {ours / peer:>8,.1f}"
    print(line, flush=True)
