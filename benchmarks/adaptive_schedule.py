"""How right the table of 100 players is after one tenth of the games of a round robin.

    python benchmarks/adaptive_schedule.py [--players 100] [--starts 1 5] [--spreads 300 600]
                                           [--repeat 5]

Players of known strengths play a whole round robin (each pair on the same number of starts, both
ways), and tournaments with a tenth of its games: with pairings by information, those of a new
ladder, Swiss, and random pairings; and random pairings with twice as many games. All tables are
ordered by ratings. Printed are

- clear: the whole round robin of the same simulation orders some pairs of players with 95 %
  confidence; this is the share of these pairs that the table has in the same order. The table is
  called *right* if the share is 95 % or more: then it is as reliable as the round robin;
- tau, rho: Kendall's and Spearman's rank correlation with the true order (1: the same). A tenth of
  the games has three times the error, so these values are lower than those of the round robin;
- worst: the largest true difference, in Elo, of two players in the wrong order.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.simulated_games import Game, SimulatedPlayers, named
from ludograph.arena import Adaptive, Ratings, Results, RoundRobin, Schedule, Swiss, rate
from ludograph.arena.ladder.pairing import next_pairings
from ludograph.arena.schedules import rotations

RIGHT = 0.95

FIRST_GAMES = 10
"""Of a player of a ladder, before others go on."""


class Quality(NamedTuple):
    """How good a table is; see above."""

    games: int
    clear: float
    tau: float
    rho: float
    worst: float


def played(schedule: Schedule, world: SimulatedPlayers, most: int) -> list[Game]:
    """Return the games of a tournament, or as many of them as allowed."""
    games: list[Game] = []
    while len(games) < most and (keys := schedule.remaining(games)):
        games += world.play(keys[: most - len(games)])
    return games


def laddered(names: Sequence[str], world: SimulatedPlayers, most: int) -> list[Game]:
    """Return the first games of a new ladder."""
    games: list[Game] = []
    start = 0
    while len(games) < most:
        pairings = next_pairings(names, Results.of(games), start, first_games=FIRST_GAMES)
        start += len(pairings)
        keys = [key for pairing in pairings for key in rotations(pairing)]
        games += world.play(keys[: most - len(games)])
    return games


def strengths(ratings: Ratings, names: Sequence[str]) -> np.ndarray:
    """Return estimates in the order of the names."""
    place = {name: number for number, name in enumerate(ratings.estimate.players)}
    return ratings.estimate.strengths[[place[name] for name in names]]


def quality(games: list[Game], names: Sequence[str], true: np.ndarray, full: Ratings) -> Quality:
    """Compare the table of some games with the truth, and with that of the round robin."""
    found = strengths(rate(games, names, prior=1.0), names)
    one, other = np.triu_indices(len(names), 1)
    same = np.sign(found[one] - found[other]) == np.sign(true[one] - true[other])
    place = {name: number for number, name in enumerate(full.estimate.players)}
    rows = np.array([place[name] for name in names])
    covariance = full.estimate.uncertainty.model[np.ix_(rows, rows)]
    variance = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
    gap = full.estimate.strengths[rows][one] - full.estimate.strengths[rows][other]
    clear = np.abs(gap) > 1.96 * np.sqrt(variance)
    agreed = np.sign(found[one] - found[other])[clear] == np.sign(gap)[clear]
    worst = float(np.abs(true[one] - true[other])[~same].max(initial=0.0))
    places = (np.argsort(np.argsort(values)) for values in (found, true))
    rho = float(np.corrcoef(*places)[0, 1])
    return Quality(len(games), float(agreed.mean()), 2 * float(same.mean()) - 1, rho, worst)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=100)
    parser.add_argument("--starts", type=int, nargs="*", default=[1, 5])
    parser.add_argument("--spreads", type=int, nargs="*", default=[300, 600])
    parser.add_argument("--repeat", type=int, default=5)
    arguments = parser.parse_args()
    failed = False
    for spread in arguments.spreads:
        for starts in arguments.starts:
            failed |= not compared(arguments.players, starts, spread, arguments.repeat)
    return int(failed)


def compared(players: int, starts: int, spread: int, repeat: int) -> bool:
    """Print how good the tables of all formats are; return whether the adaptive one is right."""
    rows: dict[str, list[Quality]] = {}
    for seed in range(repeat):
        true = np.random.default_rng(seed).normal(0, spread, players)
        elo = named(true)
        names = tuple(elo)
        world = SimulatedPlayers(elo, first_move=30, draws=0.1, seed=seed)
        whole = RoundRobin(names, starts)
        full_games = world.play(whole.remaining(()))
        full = rate(full_games, names, prior=1.0)
        tenth = len(full_games) // 10
        rounds = 1 + tenth // (players // 2 * 2)
        formats = {
            "a tenth, by information": Adaptive(names, rounds, seed=seed),
            "a tenth, Swiss": Swiss(names, rounds, seed=seed),
            "a tenth, drawn": RoundRobin(names, rounds, sample=True, seed=seed),
            "two tenths, drawn": RoundRobin(names, 2 * rounds, sample=True, seed=seed),
        }
        rows.setdefault("the whole round robin", []).append(quality(full_games, names, true, full))
        for what, schedule in formats.items():
            games = played(schedule, world, tenth * (2 if what.startswith("two") else 1))
            rows.setdefault(what, []).append(quality(games, names, true, full))
        games = laddered(names, world, tenth)
        rows.setdefault("a tenth, of a ladder", []).append(quality(games, names, true, full))
    print(f"{players} players, strengths normal with {spread} Elo; medians of {repeat}")
    print(f"{'':26}{'games':>8}{'clear':>10}{'tau':>8}{'rho':>8}{'worst':>8}")
    for what, found in rows.items():
        medians = (float(np.median(column)) for column in zip(*found, strict=True))
        games, clear, tau, rho, worst = medians
        print(
            f"{what:26}{games:8.0f}{100 * clear:8.2f} %{tau:8.3f}{rho:8.3f}{worst:8.0f}", flush=True
        )
    right = float(np.median([found.clear for found in rows["a tenth, by information"]])) >= RIGHT
    print("right by this measure\n" if right else "NOT right by this measure\n", flush=True)
    return right


if __name__ == "__main__":
    sys.exit(main())
