"""Where games of Hex between two versions are lost, and whether a proof could have come in time.

    git worktree add ../older <commit>
    python benchmarks/hex_turning_points.py ../older --size 11 --pairs 5 --player mcts:time=0.2

The games are those of `hex_versions.py`; without an older checkout this one plays against itself.
After each game that this checkout loses, `mcts` searches every position for ``--seconds`` of
processor time, and the exact solver works on each position for as long, back from the end until
three in a row stay open or one is won. Printed for such a game:

- the plies until connections on the board prove the winner;
- the *turning point*: the first ply from which each search values this checkout's seat below 0.5;
- the first ply at which the solver proves that this seat has lost.

Between the two lies a game that is lost, but whose loss nothing here can prove.
"""

from __future__ import annotations

import argparse
import statistics
import time
import types
from pathlib import Path

from hex_late import truth
from hex_strength import first_stones, winner_by_connections
from versions import HERE, Version, play

from ludograph import hex
from ludograph.games.hex import HexPosition
from ludograph.games.hex.connections.verdicts import make_workspace
from ludograph.games.hex.solving import HexSolver
from ludograph.games.hex.strategies import HexMcts
from ludograph.search import pacing

OPEN_AT_MOST = 3
"""How many positions in a row stay open before the way back with the solver ends."""


def positions_of(size: int, moves: list[int]) -> list[HexPosition]:
    """Return the positions of a game from the start to where connections prove the winner."""
    position = hex.position(size, pie=False)
    workspace = make_workspace(position.setup)
    positions = [position.copy()]
    for move in moves:
        if winner_by_connections(position, workspace) is not None:
            break
        position.play(move)
        positions.append(position.copy())
    return positions


def turning_point(positions: list[HexPosition], loser: int, seconds: float) -> int:
    """Return the first ply from which each search values the loser below 0.5."""
    player = HexMcts(0, time=seconds, openings="off")
    for ply in range(len(positions) - 2, 0, -1):
        player.choose(positions[ply].copy())
        value = player.thoughts().value
        assert value is not None
        if (value if ply % 2 == loser else 1.0 - value) >= 0.5:
            return ply + 1
    return 1


def first_proof(positions: list[HexPosition], loser: int, seconds: float) -> int:
    """Return the first ply at which the solver proves the loss, on the way back from the end."""
    proven, still_open = len(positions) - 1, 0
    solver = HexSolver(positions[0].size)
    for ply in range(len(positions) - 2, 0, -1):
        score = truth(positions[ply], solver, seconds)
        if score is None:
            still_open += 1
        elif (score == 1.0) == (ply % 2 == loser):  # here the loser could still win
            break
        else:
            proven, still_open = ply, 0
        if still_open == OPEN_AT_MOST:
            break
    return proven


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("older", type=Path, nargs="?", default=HERE)
    parser.add_argument("--size", type=int, default=11)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--player", default="mcts:time=0.2")
    parser.add_argument("--seconds", type=float, default=1.0)
    options = parser.parse_args()
    pacing.time = types.SimpleNamespace(perf_counter=time.process_time)  # of this process
    stones = first_stones(hex.position(options.size, pie=False))
    this, older = (Version(at, options.player) for at in (HERE, options.older))
    start = f"hex.position({options.size}, pie=False)"
    played, lengths, turned, proven = 0, [], [], []
    for seed in range(options.seed, options.seed + options.pairs):
        for seat, versions in enumerate(((this, older), (older, this))):
            moves = [stones[seed % len(stones)]]
            final = play(versions, hex.position(options.size, pie=False), start, moves, seed)
            played += 1
            if final.outcome().winner == seat:
                continue
            positions = positions_of(options.size, moves)
            lengths.append(len(positions) - 1)
            turned.append(turning_point(positions, seat, options.seconds))
            proven.append(first_proof(positions, seat, options.seconds))
            print(
                f"seed {seed}, seat {seat}: decided by connections at ply {lengths[-1]}, "
                f"turning point {turned[-1]}, proven from ply {proven[-1]}",
                flush=True,
            )
    this.close()
    older.close()
    print(f"{options.size} x {options.size}, {options.player}: {len(lengths)} of {played} lost")
    if lengths:
        middles = [statistics.median(each) for each in (lengths, turned, proven)]
        print(
            "medians: decided by connections at ply {:g}, turning point {:g}, "
            "proven from ply {:g}".format(*middles)
        )


if __name__ == "__main__":
    main()
