"""What connections prove in games of Hex, ply by ply, and the time of a knowledge probe.

    python benchmarks/hex_connections.py [--size 11] [--games 6] [--sims 3000]
    python benchmarks/hex_connections.py --solver 5

The games begin with near-even stones; `mcts` plays them against itself to the end, without
connections. A position is decided if the probe proves the winner; otherwise the moves that remain
are counted. Then come the edge templates: for each row, whether a lone stone there is connected to
the border, and the number of cells of each connection. Times are processor time.

``--solver`` compares the solver with and without connections that one position keeps for all its
moves: the time of a node, the best of this number of runs, for openings of 7 x 7 and for the first
nodes of positions of games.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict

import numpy as np

from ludograph import hex
from ludograph.games.hex import BLACK, WHITE
from ludograph.games.hex.connections.search import connect
from ludograph.games.hex.connections.verdicts import make_workspace
from ludograph.games.hex.evaluation.openings import near_even
from ludograph.games.hex.solving import HexSolver
from ludograph.games.hex.solving.background import SMALL, STONES_A_ROW
from ludograph.games.hex.solving.solver import stones_of
from ludograph.games.hex.solving.workspace import EVERYTHING, KEPT
from ludograph.games.hex.strategies import HexMcts
from ludograph.rules.kernels.sets import as_int, from_int, put
from ludograph.search.mcts.hints import settle
from ludograph.search.proof.search import prove
from ludograph.search.proof.stack import begin

PLIES = 5
"""The plies of one line of the table."""


def probe_games(size: int, games: int, sims: int) -> None:
    position = hex.position(size, pie=False)
    workspace = make_workspace(position.setup)
    scores, moves = np.zeros(2), np.zeros(position.board.n, np.int32)
    settle(position.setup, workspace, position.state, scores, moves)  # compiled
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
            settled, count = settle(game.setup, workspace, game.state, scores, moves)
            seconds = time.process_time() - began
            rows[game.ply // PLIES].append((settled, count / len(game.legal_moves()), seconds))
            if settled and first is None:
                first = game.ply
            game.play(player.choose(game))
        firsts.append((first or game.ply, game.ply))
    print(f"{size} x {size}, {games} games of mcts:sims={sims}: plies, decided, moves left, probe")
    for start in sorted(rows):
        settled, shares, seconds = (np.array(column) for column in zip(*rows[start], strict=True))
        left = f"{100 * shares[~settled].mean():5.0f} %" if not settled.all() else "      -"
        print(
            f"  {PLIES * start:3d} to {PLIES * start + PLIES - 1:3d} {100 * settled.mean():7.0f} %"
            f"  {left}  {1e3 * np.median(seconds):6.2f} ms"
        )
    first, last = np.mean(firsts, axis=0)
    print(f"  decided from ply {first:.0f} on average, the game ends at ply {last:.0f}")


def find_templates(size: int) -> None:
    setup = hex.position(size, pie=False).setup
    workspace = make_workspace(setup)
    words = len(workspace.board)
    print("edge templates of a lone stone: row from the border, cells of each connection")
    for row in range(2, 7):
        stone = (size - row) * size + size // 2 + row // 2 - 1
        own, free = (
            from_int(1 << stone, words),
            from_int((1 << size * size) - 1 - (1 << stone), words),
        )
        connect(workspace.near, own, free, workspace.sides[BLACK], False, workspace.connections)
        border = workspace.connections.ends[1, stone]
        found = [as_int(tuple(border.vcs[place])).bit_count() for place in range(border.vc_count)]
        print(f"  row {row}: {', '.join(map(str, sorted(found))) or 'none'}")


Question = tuple[int, int, int, int]
"""The width of a board, black's and white's stones, the color to move."""


def seven_by_seven() -> list[Question]:
    return [(7, 1 << row * 7 + column, 0, WHITE) for row, column in ((3, 1), (1, 4), (3, 3))]


def of_games(size: int, rng: np.random.Generator) -> list[Question]:
    """Return positions of games, every fourth ply after which `mcts` asks the solver."""
    questions = []
    for seed in range(3):
        position = hex.position(size, pie=False)
        position.play(int(rng.choice(position.legal_moves())))
        player = HexMcts(seed, sims=300, solver="off")
        while position.ply < 3 * size and not position.is_over:
            if position.ply >= STONES_A_ROW * (size - SMALL) and position.ply % 4 == 0:
                questions.append((size, *stones_of(position), position.ply % 2))
            position.play(player.choose(position))
    return questions


def seconds_and_nodes(questions: list[Question], means: int, nodes: int) -> tuple[float, int]:
    """Return the time of ``nodes`` nodes of each question, with empty tables, and their number."""
    seconds, searched = 0.0, 0
    for size, black, white, color in questions:
        solver = HexSolver(size, table_bits=17, techniques=means)
        stones = solver.workspace.levels[0].stones
        for one, bits in ((BLACK, black), (WHITE, white)):
            put(stones[one], from_int(bits, len(solver.grid.board)))
        begin(solver.stack, color)
        began = time.process_time()
        prove(solver.grid, solver.workspace, solver.stack, nodes)
        seconds += time.process_time() - began
        searched += int(solver.stack.progress[0].nodes)
    return seconds, searched


def compare_solvers(turns: int) -> None:
    rng = np.random.default_rng(1)
    rows = [("7 x 7, three openings", seven_by_seven(), 1 << 20)]
    for size in (9, 11, 13):
        questions = of_games(size, rng)
        rows += [(f"{size} x {size}, first 100 nodes", questions, 100)]
    print("the solver: time and nodes with shared connections, without, ratio of times")
    for title, questions, nodes in rows:
        best = {EVERYTHING: (float("inf"), 0), EVERYTHING & ~KEPT: (float("inf"), 0)}
        for _ in range(turns):
            for means, before in best.items():
                best[means] = min(before, seconds_and_nodes(questions, means, nodes))
        (shared, shared_nodes), (alone, alone_nodes) = best.values()
        print(
            f"  {title}: {1e6 * shared / shared_nodes:6.1f} us a node, {shared_nodes} nodes; "
            f"{1e6 * alone / alone_nodes:6.1f} us a node, {alone_nodes} nodes; "
            f"{shared / alone:5.2f}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=11)
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--sims", type=int, default=3000)
    parser.add_argument("--solver", type=int, default=0, metavar="TURNS")
    options = parser.parse_args()
    if options.solver:
        compare_solvers(options.solver)
        return
    probe_games(options.size, options.games, options.sims)
    find_templates(max(options.size, 11))


if __name__ == "__main__":
    main()
