"""How often intervals of ratings contain the true rating: nominal against real, by simulation.

    python benchmarks/rating_coverage.py [--tournaments 200] [--players 8] [--starts 40]

Many tournaments of players with known strengths are simulated and rated, in three worlds:
independent games; starts that favor one seat more or less, so that the two games of a pair tend to
cancel out; starts that suit some players, so that both games of a pair tend to have the same
winner. The true rating is the estimate of the same model from very many games of that world. The
intervals of `rate` are compared with those of a model in which all games are independent.
"""

from __future__ import annotations

import argparse
import sys
from itertools import combinations
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.simulated_games import SimulatedPlayers, named
from ludograph.arena import Gauntlet, RoundRobin, Schedule, rate
from ludograph.arena.distributions import student_quantile
from ludograph.arena.ratings import ELO, Ratings

WORLDS = {
    "independent games": {},
    "starts favor a seat": {"bias": 350.0},
    "starts suit players": {"affinity": 250.0},
}
NOMINAL = 0.95
LEAST = 0.925


def contrasts(ratings: Ratings, truth: dict[str, float]) -> tuple[int, int, int]:
    """Count the true differences in each kind of interval; return both counts and their total."""
    held = naive = count = 0
    z = student_quantile((1 + NOMINAL) / 2, np.inf)
    for one, other in combinations(range(len(ratings.estimate.players)), 2):
        contrast = np.zeros(len(ratings.estimate.players))
        contrast[one], contrast[other] = 1, -1
        wanted = (
            truth[ratings.estimate.players[one]] - truth[ratings.estimate.players[other]]
        ) / ELO
        gap = abs(float(contrast @ ratings.estimate.strengths) - wanted)
        held += gap <= ratings.estimate.uncertainty.interval(contrast, NOMINAL)
        naive += gap <= z * float(contrast @ ratings.estimate.uncertainty.model @ contrast) ** 0.5
        count += 1
    return held, naive, count


def coverage(
    schedule: Schedule, many: Schedule, elo: dict[str, float], world: dict[str, float], times: int
) -> tuple[float, float, float, float]:
    """Return the coverage of ratings, of differences, of naive differences, and the half width."""
    keys = schedule.remaining(())
    big = SimulatedPlayers(elo, first_move=30, draws=0.2, seed=987_654_321, **world)
    limit = rate(big.play(many.remaining(())))
    truth = {rating.player: rating.elo or 0.0 for rating in limit.table}
    own = count = held = naive = pairs = 0
    width = []
    for number in range(times):
        world_of = SimulatedPlayers(elo, first_move=30, draws=0.2, seed=number, **world)
        ratings = rate(world_of.play(keys))
        for rating in ratings.table:
            count += 1
            low = -np.inf if rating.low is None else rating.low
            high = np.inf if rating.high is None else rating.high
            own += low <= truth[rating.player] <= high
            width.append((high - low) / 2)
        found = contrasts(ratings, truth)
        held, naive, pairs = held + found[0], naive + found[1], pairs + found[2]
    return own / count, held / pairs, naive / pairs, float(np.median(width))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tournaments", type=int, default=200)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--starts", type=int, default=40)
    arguments = parser.parse_args()
    elo = named(np.linspace(-250, 250, arguments.players))
    names = tuple(elo)
    times = arguments.tournaments
    print(f"nominal coverage {100 * NOMINAL:g} %; {times} tournaments of {len(names)} players each")
    print(f"standard error of a coverage: up to {100 * (0.95 * 0.05 / times) ** 0.5:.1f} points\n")
    print(f"{'':44}{'players':>9}{'pairs':>9}{'if games were':>15}{'half':>7}")
    print(f"{'':44}{'':>9}{'':>9}{'independent':>15}{'width':>7}")
    worst = 1.0
    for world, how in WORLDS.items():
        for kind, starts, judged in (
            ("round robin", arguments.starts, True),
            ("round robin", 10, True),
            ("round robin", 5, True),
            ("round robin", 3, False),  # too few to estimate how starts differ
            ("gauntlet", 100, True),
            ("four seats", arguments.starts, True),
        ):
            schedule, many = schedules(kind, names, starts)
            own, held, naive, width = coverage(schedule, many, elo, how, times)
            print(
                f"{f'{world}, {kind}, {starts} starts':44}{100 * own:7.1f} %{100 * held:7.1f} %"
                f"{100 * naive:13.1f} %{width:7.0f}{'' if judged else '   (not judged)'}",
                flush=True,
            )
            if judged:
                worst = min(worst, own, held)
    print(f"\nworst coverage of rate, from five starts on: {100 * worst:.1f} %")
    return int(worst < LEAST)


def schedules(kind: str, names: tuple[str, ...], starts: int) -> tuple[Schedule, Schedule]:
    """Return a tournament, and a long one of the same kind that has the true ratings."""
    if kind == "four seats":
        return tuple(RoundRobin(names, n, 4, sample=True) for n in (starts, 4_000))
    if kind == "gauntlet":
        return tuple(Gauntlet(names[:1], names[1:], count) for count in (starts, 12_000))
    return tuple(RoundRobin(names, count) for count in (starts, 3_000))


if __name__ == "__main__":
    sys.exit(main())
