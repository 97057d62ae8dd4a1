"""Pairs of games with the seats exchanged: the common part of the strength benchmarks."""

from __future__ import annotations

import argparse
import sys
import time
import types
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

MakePosition = Callable[..., Any]
"""Returns the start of both games of the pair with this number."""


def play_pair(make: MakePosition, one: Any, other: Any, number: int) -> tuple[float, float, int]:
    """Return the points of ``one`` in two games (0 to 2), its margin in scores, the forfeits."""
    from ludograph import play_match

    position = make(number)
    points, margin, forfeits = 0.0, 0.0, 0
    for seat in (0, 1):
        players = [one, other] if seat == 0 else [other, one]
        result = play_match(position, players, seed=number, chance_seed=number)
        points += 0.5 if result.winner is None else float(result.winner == seat)
        margin += result.outcome.scores[seat] - result.outcome.scores[1 - seat]
        forfeits += len(result.faults)
    return points, margin, forfeits


def count_processor_time() -> None:
    """Make the searches of this process read the processor's clock instead of the wall clock."""
    from ludograph.search import pacing

    pacing.time = types.SimpleNamespace(perf_counter=time.process_time)


def ahead(margins: Sequence[float]) -> tuple[int, int, Any]:
    """Return the pairs won and even by their margins, and the share of pairs with its interval."""
    from ludograph.arena.intervals import wilson

    more, equal = sum(each > 0 for each in margins), sum(each == 0 for each in margins)
    return more, equal, wilson((more + equal / 2) / len(margins), len(margins))


def compare(
    duels: Sequence[str],
    description: str,
    make: MakePosition,
    scored: str,
    players: Mapping[str, type] | None = None,
    **choices: Sequence[str],
) -> None:
    """Read the command line, play the duels ``one/other`` and print their results.

    Parameters
    ----------
    duels
        The default duels.
    make
        Makes the start of a pair; a function at the top of a module, so that other processes find
        it.
    scored
        The unit of the game's scores, in the plural.
    players
        Classes of additional players by the names that duels use.
    choices
        More options of the command line, which ``make`` also gets, with their values, the first
        of which is the default.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("duels", nargs="*", default=duels)
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first pair")
    parser.add_argument(
        "--processor-time",
        action="store_true",
        help="time=S means processor time, so other programs do not matter",
    )
    for name, values in choices.items():
        parser.add_argument(f"--{name}", choices=values, default=values[0])
    options = parser.parse_args()
    setting = count_processor_time if options.processor_time else None
    make = partial(make, **{name: getattr(options, name) for name in choices})
    for duel in options.duels:
        one, _, other = duel.rpartition("/")  # the first may name a path
        with ProcessPoolExecutor(options.jobs, initializer=setting) as pool:
            pairs = []
            numbers = range(options.first, options.first + options.pairs)
            duelists = [(players or {}).get(name, name) for name in (one, other)]
            for pair in pool.map(partial(play_pair, make, *duelists), numbers):
                pairs.append(pair)
                if len(pairs) % 10 == 0:
                    points = sum(pair[0] for pair in pairs)
                    print(f"{one}: {points:g} points in {len(pairs)} pairs", file=sys.stderr)
        points = [pair[0] for pair in pairs]
        won, even = sum(p > 1 for p in points), sum(p == 1 for p in points)
        count = len(pairs)
        more, equal, (share, low, high) = ahead([pair[1] for pair in pairs])
        print(
            f"{one} against {other}: ahead in {scored} in {more} of {count} pairs\n"
            f"  by games     {won} won, {even} even, {count - won - even} lost; "
            f"{50 * sum(points) / count:.1f} % of the points\n"
            f"  by {scored:9} {more} won, {equal} even, {count - more - equal} lost; "
            f"{sum(pair[1] for pair in pairs) / 2 / count:+.1f} {scored} a game; "
            f"{100 * share:.1f} % of the pairs ({100 * low:.1f} to {100 * high:.1f})\n"
            f"  forfeits     {sum(pair[2] for pair in pairs)}",
            flush=True,
        )
