"""A player of Amazons as this checkout has it against a player of an older one.

    git worktree add ../older <commit>
    python benchmarks/amazons_versions.py ../older --player mcts:time=0.1
    python benchmarks/amazons_versions.py ../older --player mcts:time=0.1 --other minimax:time=0.1

Each version plays in a process of its own, from its checkout's `src`. Its searches read the
processor's clock, so `time` is processor time: a busy machine slows both alike. A pair is two games
with the seats exchanged, from the start after two random moves.
"""

from __future__ import annotations

import random

from versions import parser_of, play, versions_of

from ludograph import amazons
from ludograph.arena.intervals import of_starts


def main() -> None:
    parser = parser_of(__doc__, "mcts:time=0.1")
    parser.add_argument("--size", type=int, default=8, help="of the square board")
    options = parser.parse_args()
    with versions_of(options) as (this, older):
        other = options.other
        pairs: list[list[float]] = []
        for seed in range(options.seed, options.seed + options.pairs):
            opened, rng = amazons.position(options.size, queens=4), random.Random(seed)
            opening = []
            for _ in range(2):
                opening.append(rng.choice(sorted(opened.legal_moves())))
                opened.push(opening[-1])
            pairs.append([])
            for seat, versions in enumerate([(this, older), (older, this)]):
                position = amazons.position(options.size, queens=4)
                start = f"amazons.position({options.size}, queens=4)"
                ended = play(versions, position, start, list(opening), seed)
                pairs[-1].append(100 * ended.scores()[seat])
            share, low, high = of_starts(pairs)
            print(
                f"{options.player} against the older {other} on {options.size} x {options.size}, "
                f"{len(pairs)} pairs: {sum(map(sum, pairs)) / 100:g} of {2 * len(pairs)} games, "
                f"{share:.1f} %" + ("" if low is None else f" ({low:.0f} to {high:.0f})"),
                flush=True,
            )


if __name__ == "__main__":
    main()
