"""A player of Penguins as this checkout has it against a player of an older one.

    git worktree add ../older <commit>
    python benchmarks/penguins_versions.py ../older --player mcts:time=0.1
    python benchmarks/penguins_versions.py ../older --seats 3 --penguins 2 --player minimax:time=0.1

Each version plays in a process of its own, from its checkout's `src`. Its searches read the
processor's clock, so `time` is processor time: a busy machine slows both alike. A round is one game
for each seat, all with the same fish: this checkout's player has this seat, the older one's has all
others. In a game it gets the share of opponents that have fewer fish, ties counting half: with as
many as the older one it has 50 %, with any number of seats.
"""

from __future__ import annotations

from versions import parser_of, play, versions_of

from ludograph import penguins
from ludograph.arena.intervals import of_starts


def main() -> None:
    parser = parser_of(__doc__, "mcts:time=0.1", "rounds")
    parser.add_argument("--tiling", default="full-hexa")
    parser.add_argument("--size", type=int, default=8)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--penguins", type=int, default=2, help="of each seat")
    options = parser.parse_args()
    with versions_of(options) as (this, older):
        other = options.other
        rounds: list[list[float]] = []
        leads: list[list[float]] = []
        first = 0
        for seed in range(options.seed, options.seed + options.rounds):
            start = (
                f"penguins.position(penguins.board({options.tiling!r}, {options.size}), "
                f"seats={options.seats}, penguins={options.penguins}, seed={seed})"
            )
            rounds.append([])
            leads.append([])
            for seat in range(options.seats):
                versions = [this if each == seat else older for each in range(options.seats)]
                position = eval(start, {"penguins": penguins})
                others = list(play(versions, position, start, [], seed).scores())
                own = others.pop(seat)
                beaten = sum((own > each) + 0.5 * (own == each) for each in others)
                rounds[-1].append(100 * beaten / len(others))
                leads[-1].append(own - sum(others) / len(others))
                first += own > max(others)
            share, low, high = of_starts(rounds)
            won = sum(sum(each) > 0 for each in leads)
            lost = sum(sum(each) < 0 for each in leads)
            print(
                f"{options.player} against the older {other}, {options.seats} seats with "
                f"{options.penguins} penguins, {len(rounds)} rounds: {share:.1f} %"
                + ("" if low is None else f" ({max(0.0, low):.0f} to {min(100.0, high):.0f})")
                + f", {of_starts(leads).mean:+.1f} fish a game, first alone in {first} games; "
                f"{won} rounds with more fish, {lost} with fewer",
                flush=True,
            )


if __name__ == "__main__":
    main()
