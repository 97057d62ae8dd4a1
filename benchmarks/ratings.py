"""How often intervals of ratings contain the true rating, and how fast ratings are computed.

    python benchmarks/ratings.py [coverage] [speed] [--tournaments 200] [--starts 40]

- coverage: many tournaments of players with known strengths are simulated and rated, in three
  worlds: independent games; starts that favor one seat more or less, so that the two games of a
  pair tend to cancel out; starts that suit some players, so that both games of a pair tend to have
  the same winner. The true rating is the estimate of the same model from very many games of that
  world. The intervals of `rate` are compared with those of a model in which all games are
  independent.
- speed: ratings of 100 players from 100,000 games, from the games to the table, within a second.
  The peer is choix, a library that fits Bradley-Terry models without draws, first move or
  intervals, from arrays of wins by numbers. On a busy machine the threads of the linear algebra
  wait for each other; OPENBLAS_NUM_THREADS=1 limits it to one thread.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.measure import chosen
from ludograph.arena import GameKey, Results, RoundRobin, Schedule, rate
from ludograph.arena.intervals import student_quantile
from ludograph.arena.ratings.rating import ELO, Ratings
from ludograph.arena.ratings.uncertainty import reach

WORLDS = {
    "independent games": {},
    "starts favor a seat": {"bias": 350.0},
    "starts suit players": {"affinity": 250.0},
}
NOMINAL = 0.95
LEAST = 0.925

LIMIT = 1.0
"""Seconds of processor time for the ratings of two seats."""

Game = tuple[int, tuple[str, ...], tuple[int, ...]]
"""A start, a seating, and ranks by seat."""


class SimulatedPlayers:
    """Players that win by Davidson's model (two seats) or Plackett and Luce's (more, no ties).

    Parameters
    ----------
    elo
        By player.
    first_move
        The mean advantage of the first mover, in Elo.
    draws
        The share of draws among equal players.
    bias
        The standard deviation between starts of the first mover's advantage, in Elo.
    affinity
        The standard deviation between starts of a player's strength, in Elo.
    """

    def __init__(
        self,
        elo: dict[str, float],
        *,
        first_move: float = 0.0,
        draws: float = 0.0,
        bias: float = 0.0,
        affinity: float = 0.0,
        seed: int = 0,
    ) -> None:
        self.strength = {player: value / ELO for player, value in elo.items()}
        self.first_move = first_move / ELO
        self.tie = 2 * draws / (1 - draws)
        self.bias, self.affinity = bias / ELO, affinity / ELO
        self.seed = seed
        self.random = np.random.default_rng(seed)
        self.place = {player: number for number, player in enumerate(elo)}
        self.starts: dict[int, np.ndarray] = {}

    def start(self, number: int) -> np.ndarray:
        """Return the advantage of the first mover on a start, then that of each player."""
        if number not in self.starts:
            drawn = np.random.default_rng((self.seed, number)).normal(size=1 + len(self.place))
            drawn[0] = self.first_move + self.bias * drawn[0]
            drawn[1:] *= self.affinity
            self.starts[number] = drawn
        return self.starts[number]

    def play(self, keys: Iterable[GameKey]) -> list[Game]:
        """Return the results of games."""
        return [self._game(key) for key in keys]

    def _game(self, key: GameKey) -> Game:
        start = self.start(key.start)
        strengths = [
            self.strength[player] + float(start[1 + self.place[player]]) for player in key.seating
        ]
        strengths[0] += float(start[0])
        if len(strengths) > 2:
            order = np.argsort(-(np.array(strengths) + self.random.gumbel(size=len(strengths))))
            ranks = np.empty(len(strengths), int)
            ranks[order] = np.arange(1, len(strengths) + 1)
            return *key, tuple(map(int, ranks))
        half = (strengths[0] - strengths[1]) / 2
        win, lose = np.exp(half), np.exp(-half)
        drawn = self.random.random() * (win + lose + self.tie)
        ranks = (1, 2) if drawn < win else (2, 1) if drawn < win + lose else (1, 1)
        return *key, ranks


def named(elo: Sequence[float]) -> dict[str, float]:
    """Return players with names in the order of their numbers."""
    return {f"player{number:03d}": float(value) for number, value in enumerate(elo)}


def contrasts(ratings: Ratings, truth: dict[str, float]) -> tuple[int, int, int]:
    """Count the true differences in each kind of interval; return both counts and their total."""
    held = naive = count = 0
    z = student_quantile((1 + NOMINAL) / 2, np.inf)
    estimate = ratings.estimate
    for one, other in combinations(range(len(estimate.players)), 2):
        contrast = np.zeros(len(estimate.players))
        contrast[one], contrast[other] = 1, -1
        wanted = (truth[estimate.players[one]] - truth[estimate.players[other]]) / ELO
        gap = abs(float(contrast @ estimate.strengths) - wanted)
        held += gap <= float(reach(*estimate.uncertainty.of_each(contrast[None]))[0])
        naive += gap <= z * float(contrast @ estimate.uncertainty.model @ contrast) ** 0.5
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


def schedules(kind: str, names: tuple[str, ...], starts: int) -> tuple[Schedule, Schedule]:
    """Return a tournament, and a long one of the same kind that has the true ratings."""
    if kind == "four seats":
        return tuple(RoundRobin(names, n, 4, sample=True) for n in (starts, 4_000))
    if kind == "gauntlet":
        return tuple(RoundRobin(names, count, challenger=names[0]) for count in (starts, 12_000))
    return tuple(RoundRobin(names, count) for count in (starts, 3_000))


def measure_coverage(options: argparse.Namespace) -> bool:
    """Print how often intervals hold the truth; return whether that is often enough."""
    elo = named(np.linspace(-250, 250, options.players or 8))
    names = tuple(elo)
    times = options.tournaments
    print(f"nominal coverage {100 * NOMINAL:g} %; {times} tournaments of {len(names)} players each")
    print(f"standard error of a coverage: up to {100 * (0.95 * 0.05 / times) ** 0.5:.1f} points\n")
    print(f"{'':44}{'players':>9}{'pairs':>9}{'if games were':>15}{'half':>7}")
    print(f"{'':44}{'':>9}{'':>9}{'independent':>15}{'width':>7}")
    worst = 1.0
    for world, how in WORLDS.items():
        for kind, starts, judged in (
            ("round robin", options.starts, True),
            ("round robin", 10, True),
            ("round robin", 5, True),
            ("round robin", 3, False),  # too few to estimate how starts differ
            ("gauntlet", 100, True),
            ("four seats", options.starts, True),
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
    return worst >= LEAST


def games_of(players: int, count: int, seats: int) -> Results:
    """Return simulated games on 500 starts, with all rotations."""
    random = np.random.default_rng(1)
    elo = named(random.normal(0, 300, players))
    names = list(elo)
    keys = []
    for number in range(count // seats):
        table = [names[one] for one in random.choice(players, seats, replace=False)]
        for turn in range(seats):
            keys.append(GameKey(number % 500, tuple(table[turn:] + table[:turn])))
    world = SimulatedPlayers(elo, first_move=30, draws=0.2 if seats == 2 else 0)
    return Results.of(world.play(keys))


def measure_speed(options: argparse.Namespace) -> bool:
    """Print the processor time of ratings; return whether it is within the limit."""
    import choix

    def spent(function, *arguments) -> float:
        began = time.process_time()
        function(*arguments)
        return time.process_time() - began

    players = options.players or 100
    games = games_of(players, options.games, 2)
    decided = games[games.ranks.max(1) > 1]
    wins = np.take_along_axis(decided.players, np.argsort(decided.ranks, 1), 1).tolist()
    ours = min(spent(rate, games) for _ in range(3))
    peer = spent(choix.opt_pairwise, len(games.names), wins)
    rankings = spent(rate, games_of(players, options.games, 4))
    print(f"{players} players, {len(games):,} games, seconds of processor time:")
    print(f"rate, 2 seats {ours:.2f} (limit {LIMIT:g}), 4 seats {rankings:.2f}; ", end="")
    print(f"choix.opt_pairwise, its {len(wins):,} wins: {peer:.2f}, ratio {peer / ours:.1f}")
    return ours <= LIMIT


MEASURES = {"coverage": measure_coverage, "speed": measure_speed}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("measures", nargs="*", metavar="MEASURE", help=", ".join(MEASURES))
    parser.add_argument("--tournaments", type=int, default=200)
    parser.add_argument("--starts", type=int, default=40)
    parser.add_argument("--players", type=int, help="default: 8, of the measure speed 100")
    parser.add_argument("--games", type=int, default=100_000, help="of the measure speed")
    options = parser.parse_args()
    right = [MEASURES[name](options) for name in chosen(parser, options.measures, MEASURES)]
    return int(not all(right))


if __name__ == "__main__":
    sys.exit(main())
