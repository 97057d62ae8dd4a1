"""What connections tell of positions in our own games of Hex, ply by ply, and what a look costs.

python benchmarks/hex_connections.py [--size 11] [--games 6] [--sims 3000]

The games begin with near-even stones and are played by `mcts` against itself, without looks, to
the end. A position is decided where a close look tells who wins; where it does not, the moves that
it leaves are counted. Then the edge templates: rows from which a lone stone is connected to the
border, by the number of cells that its connection needs. Times are of one processor.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict

import numpy as np

from ludograph import hex
from ludograph.games.hex import BLACK, NOBODY
from ludograph.games.hex.connections.queue import NOTHING
from ludograph.games.hex.connections.room import make_connections
from ludograph.games.hex.connections.search import connect
from ludograph.games.hex.openings import near_even
from ludograph.games.hex.strategies import HexMcts
from ludograph.search.mcts.hints import settle

PLIES = 5
"""Positions are counted together by so many plies."""


def look_at_games(size: int, games: int, sims: int) -> None:
    position = hex.position(size, pie=False)
    room = make_connections(position.setup)
    scores, moves = np.zeros(2), np.zeros(position.board.n, np.int32)
    settle(position.setup, room, position.state, scores, moves)  # compiled
    openings = near_even(position)
    rows: defaultdict[int, list[tuple[bool, float, float]]] = defaultdict(list)
    firsts = []
    for number in range(games):
        game = position.copy()
        game.play(game.parse(openings[number % len(openings)]))
        player = HexMcts(number, sims=sims, connections="off")
        first = None
        while not game.is_over:
            began = time.process_time()
            settled, count = settle(game.setup, room, game.state, scores, moves)
            seconds = time.process_time() - began
            rows[game.ply // PLIES].append((settled, count / len(game.legal_moves()), seconds))
            if settled and first is None:
                first = game.ply
            game.play(player.choose(game))
        firsts.append((first or game.ply, game.ply))
    print(f"{size} x {size}, {games} games of mcts:sims={sims}: plies, decided, moves left, a look")
    for start in sorted(rows):
        settled, shares, seconds = (np.array(column) for column in zip(*rows[start], strict=True))
        left = f"{100 * shares[~settled].mean():5.0f} %" if not settled.all() else "      -"
        print(
            f"  {PLIES * start:3d} to {PLIES * start + PLIES - 1:3d} {100 * settled.mean():7.0f} %"
            f"  {left}  {1e3 * np.median(seconds):6.2f} ms"
        )
    first, last = np.mean(firsts, axis=0)
    print(f"  decided for good from ply {first:.0f} on the average, played out at ply {last:.0f}")


def look_for_templates(size: int) -> None:
    setup = hex.position(size, pie=False).setup
    room = make_connections(setup)
    print("edge templates of a lone stone: row from the border, cells of each connection found")
    for row in range(2, 7):
        room.colors[:] = NOBODY
        stone = (size - row) * size + size // 2 + row // 2 - 1
        room.colors[stone] = BLACK
        connect(setup, room, BLACK, False)
        found = []
        index = int(room.pairs[0, stone * room.groups.size + size * size + 1])
        while index != NOTHING:
            found.append(int(room.pool[index].size))
            index = int(room.pool[index].sibling)
        print(f"  row {row}: {', '.join(map(str, sorted(found))) or 'none'}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=11)
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--sims", type=int, default=3000)
    options = parser.parse_args()
    look_at_games(options.size, options.games, options.sims)
    look_for_templates(max(options.size, 11))


if __name__ == "__main__":
    main()
