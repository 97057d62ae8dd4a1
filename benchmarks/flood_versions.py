"""A player of Flood as this checkout has it against a player of an older one.

    git worktree add ../older <commit>
    python benchmarks/flood_versions.py ../older --player mcts:time=0.05
    python benchmarks/flood_versions.py ../older --player minimax:time=0.05 --other minimax:depth=4

Each version plays in a process of its own, from its checkout's `src`. Its searches read the
processor's clock, so `time` is processor time: a busy machine slows both alike. A pair is two games
on one random board (12 x 12, 6 colors) with the seats exchanged; it goes to the version with more
vertices over both games. `--family torus` or `hexagonal` takes other boards.
"""

from __future__ import annotations

from versions import parser_of, play, versions_of

from ludograph import boards, flood


def main() -> None:
    parser = parser_of(__doc__, "mcts:time=0.05")
    parser.add_argument("--family", default="square")
    parser.add_argument("--size", type=int, default=12)
    options = parser.parse_args()
    with versions_of(options) as (this, older):
        other = options.other
        margins, won = [], 0.0
        for seed in range(options.seed, options.seed + options.pairs):
            board = f"boards.family({options.family!r})({options.size})"
            start = f"flood.position({board}, colors=6, seed={seed})"
            margin = 0.0
            for seat, versions in enumerate([(this, older), (older, this)]):
                position = flood.position(
                    boards.family(options.family)(options.size), colors=6, seed=seed
                )
                scores = play(versions, position, start, [], seed).scores()
                ahead = scores[seat] - scores[1 - seat]
                won += 0.5 + 0.5 * ((ahead > 0) - (ahead < 0))
                margin += ahead
            margins.append(margin)
            more, less = sum(each > 0 for each in margins), sum(each < 0 for each in margins)
            print(
                f"{options.player} against the older {other}, {len(margins)} pairs: "
                f"{more} with more vertices, {less} with fewer, "
                f"{sum(margins) / 2 / len(margins):+.1f} vertices a game, "
                f"{won:g} points in {2 * len(margins)} games",
                flush=True,
            )


if __name__ == "__main__":
    main()
