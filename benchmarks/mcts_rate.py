"""Monte Carlo simulations per second on one core, beside the same search as plain Python.

    python benchmarks/mcts_rate.py [flood] [penguins] [carcassonne] [--sizes 8,16,32]

Both searches make the same tree. Seconds are those of the processor.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

from measure import chosen

from ludograph import boards, carcassonne, flood, penguins, rules
from ludograph.games.position import Position
from ludograph.search.mcts import MonteCarlo, SearchOptions
from ludograph.search.searched import TREE


def flood_of(size: int) -> Position:
    return flood.position(boards.square(size), colors=6, seed=0)


def penguins_of(size: int) -> Position:
    return penguins.position(boards.full_hexa(size), penguins=3, seed=0)


def carcassonne_of(size: int) -> Position:
    """Return a position with half of the tiles laid."""
    from ludograph.games.carcassonne import course

    deck = "classic" if size == 72 else course(size)
    position = carcassonne.position(deck=deck, mode="finite", discard=True)
    rng = rules.random_state(0)
    while position.is_chance or position.ply < size:
        position.play_random(rng)
    return position


GAMES: dict[str, tuple[Callable[[int], Position], str, str]] = {
    "flood": (flood_of, "14", "6 colors"),
    "penguins": (penguins_of, "8,16,32", "2 players with 3 penguins each"),
    "carcassonne": (carcassonne_of, "72,720", "finite meeples, half of the tiles laid"),
}


def rate(position: Position, simulations: int) -> float:
    """Return simulations per second of processor time of one search."""
    view = position.game.search_view(position, TREE)
    search = MonteCarlo(view.setup, SearchOptions(seed=1))
    state = view.state(position)
    search.search(state, sims=1)
    started = time.process_time()
    search.search(state, sims=simulations)
    return simulations / (time.process_time() - started)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"{', '.join(GAMES)}")
    parser.add_argument("--sizes", help="widths of the board, or tiles; by default the game's own")
    parser.add_argument("--sims", type=int, default=20_000, help="simulations per run")
    parser.add_argument("--python-sims", type=int, default=20, help="the same in plain Python")
    parser.add_argument("--repeat", type=int, default=7, help="runs, of which the median counts")
    options = parser.parse_args()
    for game in chosen(parser, options.games, GAMES):
        make, sizes, about = GAMES[game]
        for size in (options.sizes or sizes).split(","):
            position = make(int(size))
            rate(position, 100)
            # In turns, so that the load of the machine is the same for both.
            compiled, plain = [], []
            for _ in range(options.repeat):
                compiled.append(rate(position, options.sims))
                with rules.interpreted():
                    plain.append(rate(position, options.python_sims))
            fast, slow = statistics.median(compiled), statistics.median(plain)
            print(
                f"{game}, size {size}, {about}, one core\n"
                f"  compiled      {fast:12,.0f} simulations/s  (best {max(compiled):,.0f})\n"
                f"  plain Python  {slow:12,.1f} simulations/s\n"
                f"  ratio         {fast / slow:12,.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
