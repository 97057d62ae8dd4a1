"""A whole game on a torus of up to a million vertices: time, memory, and their growth.

    python benchmarks/big_torus.py [--sizes 100 300 1000]

Two greedy players play one game of Flood on each size, in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.measure import peak_megabytes, timed


def one(size: int) -> dict[str, float]:
    """Set up and play a torus in this process."""
    from ludograph import boards, flood, play_match

    play_match(flood.position(boards.torus(6), colors=6), ["greedy", "greedy"])  # load kernels
    board_seconds, board = timed(lambda: boards.torus(size))
    setup_seconds, position = timed(lambda: flood.position(board, colors=6, seed=1))
    game_seconds, result = timed(lambda: play_match(position, ["greedy", "greedy"]))
    return {
        "vertices": board.n,
        "board": board_seconds,
        "setup": setup_seconds,
        "game": game_seconds,
        "moves": len(result.moves),
        "megabytes": peak_megabytes(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 300, 1000])
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(one(options.one)))
        return
    print("Flood on a torus, 6 colors, greedy against greedy; a process of its own per size")
    before: dict[str, float] | None = None
    for size in options.sizes:
        done = subprocess.run(
            [sys.executable, __file__, "--one", str(size)],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        now = json.loads(done.stdout)
        total = now["board"] + now["setup"] + now["game"]
        line = (
            f"{size:>5} x {size:<5} board {now['board']:6.2f} s  set-up {now['setup']:6.2f} s  "
            f"game {now['game']:6.2f} s ({now['moves']} moves)  total {total:6.2f} s  "
            f"{now['megabytes']:6.0f} MB"
        )
        if before is not None:
            vertices = now["vertices"] / before["vertices"]
            line += f"   vertices x {vertices:.1f}, time x {total / before['total']:.1f}"
        print(line, flush=True)
        before = {**now, "total": total}


if __name__ == "__main__":
    main()
