"""Endgames of Penguins solved exactly: by free tiles, the share solved in time, and the time.

    python benchmarks/penguins_solve.py --games 8 --time 10

The games are played by `mcts` on 8 x 8 hexagons, two players with two penguins each. Each game is
solved from later positions to earlier ones, until a position is not proven in time; earlier ones
are not tried. Times are of one core; seconds and positions are medians of the solved games.
"""

from __future__ import annotations

import argparse
import statistics

from ludograph import penguins, play_match
from ludograph.games import Position
from ludograph.games.penguins.solving import BestLine, solve

LEAST = 20
"""Free tiles of the first position that is tried; fewer free tiles take hardly any time."""


def positions_by_free(seed: int, sims: int) -> dict[int, Position]:
    """Return the positions of a game, each under its number of free tiles."""
    board = penguins.board("full-hexa", 8, 8)
    start = penguins.position(board, seats=2, penguins=2, seed=seed)
    result = play_match(start, [f"mcts:sims={sims}"] * 2, seed=seed)
    position, found = start.copy(), {}
    for played in result.moves:
        position.play(played.move)
        if not position.is_over:
            found[board.n - position.ply] = position.copy()
    return {free: each for free, each in found.items() if free <= board.n - 4}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0, help="seed of the first game")
    parser.add_argument("--sims", type=int, default=2000, help="simulations a move of the games")
    parser.add_argument("--time", type=float, default=10.0, help="seconds for a position")
    options = parser.parse_args()
    solve(penguins.position(penguins.board("full-hexa", 3, 3), penguins=1))  # compiled, loaded
    solved: dict[int, list[BestLine]] = {}
    for seed in range(options.seed, options.seed + options.games):
        last = "none"
        for free, position in sorted(positions_by_free(seed, options.sims).items()):
            if free < LEAST or free % 2:
                continue
            found = solve(position, options.time)
            if not found.proven:
                break
            solved.setdefault(free, []).append(found)
            last = f"{free} free tiles, {found.nodes} positions, {found.seconds:.2f} s"
        print(f"game {seed}: {last}", flush=True)
    print(f"free tiles   solved in {options.time:g} s   median seconds   median positions")
    for free, each in sorted(solved.items()):
        seconds = statistics.median(found.seconds for found in each)
        nodes = statistics.median(found.nodes for found in each)
        print(f"{free:>10} {len(each):>8} of {options.games:<6} {seconds:>16.3f} {nodes:>18.0f}")


if __name__ == "__main__":
    main()
