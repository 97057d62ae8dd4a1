"""What connections prove in games of Hex, ply by ply, and the time of a probe and of a judgement.

    python benchmarks/hex_knowledge.py [--size 11] [--games 6] [--sims 3000]

The games begin with near-even stones; `mcts` plays them against itself to the end, without
connections. A position is decided if the probe proves the winner; otherwise the moves that remain
are counted. The network judges the same positions. Both times are compared with that of a
simulation of plain UCT from the empty board. Times are processor time.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from measure import processor_rate

from ludograph import hex
from ludograph.games.hex.connections.verdicts import make_workspace
from ludograph.games.hex.evaluation.openings import near_even
from ludograph.games.hex.evaluation.patterns import make_patterns
from ludograph.games.hex.strategies import HexMcts
from ludograph.rules import compiled
from ludograph.search.mcts import MonteCarlo, SearchOptions
from ludograph.search.mcts.hints import JUDGEMENT, settle, weigh

PLIES = 5
"""The plies of one line of the table."""


TIMES = 10
"""How often a position is judged, in compiled code as in a search."""


@compiled
def judge(setup, knowledge, state, moves, weights, scores):
    for _ in range(TIMES):
        weigh(setup, knowledge, state, moves, JUDGEMENT, weights, scores)


class Probed(NamedTuple):
    """What was found in one position."""

    decided: bool
    remaining: float
    probe: float
    judgement: float


def probe_games(size: int, games: int, sims: int) -> None:
    position = hex.position(size, pie=False)
    setup, n = position.setup, position.board.n
    workspace, knowledge = make_workspace(setup), make_patterns(setup)
    scores, moves, weights = np.zeros(2), np.zeros(n, np.int32), np.empty(n)

    def probe(game: hex.HexPosition) -> Probed:
        probing, found = timed(lambda: settle(setup, workspace, game.state, scores, moves))
        legal = np.array(game.legal_moves(), np.int32)
        judging, _ = timed(lambda: judge(setup, knowledge, game.state, legal, weights, scores))
        return Probed(found[0], found[1] / legal.size, probing, judging / TIMES)

    probe(position)  # compiled
    openings = near_even(position)
    lines: defaultdict[int, list[Probed]] = defaultdict(list)
    ends = []
    for number in range(games):
        game = position.copy()
        game.play(game.parse(openings[number % len(openings)]))
        player = HexMcts(number, sims=sims, connections="off")
        first = None
        while not game.is_over:
            found = probe(game)
            lines[game.ply // PLIES].append(found)
            if found.decided and first is None:
                first = game.ply
            game.play(player.choose(game))
        ends.append((first or game.ply, game.ply))
    print(f"{size} x {size}, {games} games of mcts:sims={sims}: plies, decided, moves left, probe")
    for line in sorted(lines):
        decided, shares, probing, _ = (np.array(each) for each in zip(*lines[line], strict=True))
        left = f"{100 * shares[~decided].mean():5.0f} %" if not decided.all() else "      -"
        print(
            f"  {PLIES * line:3d} to {PLIES * line + PLIES - 1:3d} {100 * decided.mean():7.0f} %"
            f"  {left}  {1e3 * np.median(probing):6.2f} ms"
        )
    first, last = np.mean(ends, axis=0)
    print(f"  decided from ply {first:.0f} on average, the game ends at ply {last:.0f}")
    every = [found for line in lines.values() for found in line]
    search = MonteCarlo(setup, SearchOptions(seed=1))
    rate = processor_rate(lambda sims: search.search(position.state, sims=sims), 20_000)
    for name in ("probe", "judgement"):
        seconds = float(np.median([getattr(found, name) for found in every]))
        print(f"  a {name} takes {1e3 * seconds:.3f} ms, as {rate * seconds:.0f} simulations")


def timed(function: Callable[[], object]) -> tuple[float, object]:
    """Return the seconds of processor time of a call, and its result."""
    began = time.process_time()
    result = function()
    return time.process_time() - began, result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=11)
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--sims", type=int, default=3000)
    options = parser.parse_args()
    probe_games(options.size, options.games, options.sims)


if __name__ == "__main__":
    main()
