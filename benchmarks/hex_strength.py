"""How often one strategy of Hex beats another, over pairs of games with the colors exchanged.

python benchmarks/hex_strength.py [--size 9] [--pairs 10] [--jobs 2] [mcts:time=1/connex ...]

Both games of a pair begin with the same black stone, another one in each pair and near to even;
there is no swap. ``openspiel:time=1`` is OpenSpiel's C++ MCTSBot, ``sims=...`` bounds it likewise.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial

DUELS = [
    "connex/random",
    "mcts:time=1/connex",
    "mcts:time=1/minimax:time=1",
    "mcts:time=1/resistance",
    "mcts:time=1/openspiel:time=1",
]


class OpenSpiel:
    """OpenSpiel's MCTSBot, told the moves from the first on."""

    def __init__(self, size: int, seed: int, time: str = "-1", sims: str = "100000000") -> None:
        import pyspiel

        self.size = size
        self.game = pyspiel.load_game(f"hex(board_size={size})")
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        self.bot = pyspiel.MCTSBot(
            self.game, evaluator, 1.4, int(sims), 2000, True, seed, False,
            max_wall_clock_time=float(time),
        )  # fmt: skip

    def choose(self, moves: list[int]) -> int:
        state = self.game.new_initial_state()
        for move in moves:
            row, column = divmod(move, self.size + 2)
            state.apply_action((row - 1) * self.size + column - 1)
        row, column = divmod(self.bot.step(state), self.size)
        return (row + 1) * (self.size + 2) + column + 1


def chooser(text: str, size: int, seed: int):
    from ludograph.games.hex.strategies import STRATEGIES

    name, _, rest = text.partition(":")
    options = dict(part.split("=") for part in rest.split(",") if part)
    if name == "openspiel":
        return OpenSpiel(size, seed, **options)
    return STRATEGIES[name].create(options, seed)


def play_pair(one: str, other: str, size: int, seed: int) -> int:
    """Return how many of two games ``one`` wins."""
    from ludograph import hex
    from ludograph.games.hex.pie_rule import EVEN, openings

    start = hex.position(size, pie=False)
    worth = openings(start)
    evenest = sorted(worth, key=lambda vertex: abs(worth[vertex] - EVEN))
    wins = 0
    for color in (0, 1):
        position, moves = start.copy(), [evenest[seed % len(evenest)]]
        position.play(moves[0])
        players = [chooser(text, size, seed) for text in (one, other)]
        while not position.is_over:
            player = players[position.turn ^ color]
            asked = moves if isinstance(player, OpenSpiel) else position
            moves.append(player.choose(asked))
            position.play(moves[-1])
        wins += position.outcome().winner == color
    return wins


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("duels", nargs="*", default=DUELS)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    for duel in options.duels:
        one, _, other = duel.partition("/")
        with ProcessPoolExecutor(options.jobs) as pool:
            pairs = list(
                pool.map(partial(play_pair, one, other, options.size), range(options.pairs))
            )
        print(
            f"{one} against {other}, {options.size} x {options.size}, {len(pairs)} pairs: "
            f"{sum(w == 2 for w in pairs)} won, {sum(w == 1 for w in pairs)} even, "
            f"{sum(w == 0 for w in pairs)} lost; {50 * sum(pairs) / len(pairs):.1f} % of the games",
            flush=True,
        )


if __name__ == "__main__":
    main()
