"""A player of Carcassonne as this checkout has it against a player of an older one.

    git worktree add ../older <commit>
    python benchmarks/carcassonne_versions.py ../older --player mcts:time=0.05
    python benchmarks/carcassonne_versions.py ../older --mode finite --other expectimax:time=0.05

Each version plays in a process of its own, from its checkout's `src`. Its searches read the
processor's clock, so `time` is processor time: a busy machine slows both alike. A pair is two games
with the same tiles in the same order and with the seats exchanged; it goes to the version with more
points over both games.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from pairs import ahead
from versions import Version, parser_of, versions_of

from ludograph import carcassonne
from ludograph.games.carcassonne import CarcassonnePosition


def margin(versions: tuple[Version, Version], start: str, seed: int) -> float:
    """Play a game with the tiles in an order drawn by the seed; return the first one's lead."""
    position = eval(start, {"carcassonne": carcassonne})
    tiles = shuffled(position, seed)
    for version in versions:
        version.begin(start, seed)
    moves: list[int] = []
    while not position.is_over:
        if position.is_chance:
            moves.append(position.parse(f"deal {next(tiles)}"))
        else:
            moves.append(versions[position.turn].move(moves))
        position.play(moves[-1])
    scores = position.scores()
    return float(scores[0] - scores[1])


def shuffled(position: CarcassonnePosition, seed: int) -> Iterator[str]:
    """Yield the names of all tiles in an order drawn by the seed."""
    tiles = [name for name, count in position.remaining.items() for _ in range(count)]
    random.Random(seed).shuffle(tiles)
    return iter(tiles)


def main() -> None:
    parser = parser_of(__doc__, "mcts:time=0.05")
    parser.add_argument("--mode", default="no-meeple", help="a mode, or official")
    options = parser.parse_args()
    rules = 'rules="official"' if options.mode == "official" else f'mode="{options.mode}"'
    start = f"carcassonne.position({rules})"
    with versions_of(options) as (this, older):
        other = options.other
        margins = []
        for seed in range(options.seed, options.seed + options.pairs):
            one = margin((this, older), start, seed)
            margins.append(one - margin((older, this), start, seed))
            count = len(margins)
            more, equal, (share, low, high) = ahead(margins)
            print(
                f"{options.player} against the older {other}, {count} pairs: "
                f"{more} with more points, {count - more - equal} with fewer, "
                f"{sum(margins) / 2 / count:+.1f} points a game, "
                f"{100 * share:.0f} % of the pairs ({100 * low:.0f} to {100 * high:.0f})",
                flush=True,
            )


if __name__ == "__main__":
    main()
