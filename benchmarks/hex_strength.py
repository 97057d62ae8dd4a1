"""How often one strategy of Hex beats another, over pairs of games with the colors exchanged.

    python benchmarks/hex_strength.py [--size 9] [--pairs 10] [--jobs 2] [mcts:time=1/connex ...]
    python benchmarks/hex_strength.py --processor --decided mcts:time=1/mcts:time=1,connections=off
    python benchmarks/hex_strength.py --decided mcts:sims=3000/mcts:sims=3000,patterns=off
    python benchmarks/hex_strength.py --decided --size 11 --pairs 20 \\
        mcts:sims=100000,nodes=100000/mcts:sims=100000,nodes=100000,prune=off

Both games of a pair begin with the same near-even black stone, another one in each pair, without
the pie rule. ``openspiel:time=1`` is OpenSpiel's C++ MCTSBot; it takes ``sims=...``, too. With
``--processor`` the time of our searches is processor time, so a busy machine slows both alike; with
``--decided`` a game ends as soon as connections prove the winner. ``nodes=`` limits the nodes of
the tree; with ``prune=off`` a full tree keeps all its nodes and gets no new ones.
"""

from __future__ import annotations

import argparse
import time
import types
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
    """OpenSpiel's MCTSBot; it gets all moves of the game."""

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
    if name == "mcts" and "nodes" in options:
        return with_memory(options, seed)
    return STRATEGIES[name].create(options, seed)


def with_memory(options: dict[str, str], seed: int):
    """Return a search with a tree of limited size."""
    from ludograph.games.hex.strategies import STRATEGIES, HexMcts
    from ludograph.search.mcts import SearchOptions

    nodes, prune = int(options.pop("nodes")), options.pop("prune", "on")
    player = HexMcts(seed, tuned=SearchOptions(nodes=nodes), **STRATEGIES["mcts"].values(options))
    prepare = player.prepare

    def prepared(position):
        search = prepare(position)
        search.memory.prunes = prune == "on"
        return search

    player.prepare = prepared
    return player


def by_processor_time() -> None:
    """Make the searches of this process read the processor's clock."""
    from ludograph.search import pacing

    pacing.time = types.SimpleNamespace(perf_counter=time.process_time)


def winner_by_connections(position, workspace) -> int | None:
    """Return the seat that is proven to win, or None."""
    import numpy as np

    from ludograph.search.mcts.hints import settle

    scores, moves = np.zeros(2), np.zeros(position.board.n, np.int32)
    settled, _ = settle(position.setup, workspace, position.state, scores, moves)
    return int(scores.argmax()) if settled else None


def first_stones(start) -> list[int]:
    """Return openings, near-even ones first."""
    from ludograph.errors import InvalidInput
    from ludograph.games.hex.openings import near_even
    from ludograph.games.hex.pie_rule import EVEN, openings

    try:
        return [start.parse(text) for text in near_even(start)]
    except InvalidInput:  # none are known for this size
        values = openings(start)
        return sorted(values, key=lambda vertex: abs(values[vertex] - EVEN))


def play_pair(one: str, other: str, size: int, processor: bool, decided: bool, seed: int) -> int:
    """Return how many of two games ``one`` wins."""
    from ludograph import hex
    from ludograph.games.hex.connections.verdicts import make_workspace

    if processor:
        by_processor_time()
    start = hex.position(size, pie=False)
    evenest = first_stones(start)
    workspace = make_workspace(start.setup)
    wins = 0
    for color in (0, 1):
        position, moves = start.copy(), [evenest[seed % len(evenest)]]
        position.play(moves[0])
        players = [chooser(text, size, seed) for text in (one, other)]
        winner = None
        while not position.is_over and winner is None:
            player = players[position.turn ^ color]
            known = moves if isinstance(player, OpenSpiel) else position
            moves.append(player.choose(known))
            position.play(moves[-1])
            if decided and not position.is_over:
                winner = winner_by_connections(position, workspace)
        wins += (position.outcome().winner if winner is None else winner) == color
    return wins


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("duels", nargs="*", default=DUELS)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--first", type=int, default=0, help="number of the first pair")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--processor", action="store_true", help="the searches' time is processor time"
    )
    parser.add_argument(
        "--decided", action="store_true", help="end a game when its winner is proven"
    )
    options = parser.parse_args()
    for duel in options.duels:
        one, _, other = duel.rpartition("/")  # the first may name a path
        with ProcessPoolExecutor(options.jobs) as pool:
            pairs = list(
                pool.map(
                    partial(
                        play_pair, one, other, options.size, options.processor, options.decided
                    ),
                    range(options.first, options.first + options.pairs),
                )
            )
        print(
            f"{one} against {other}, {options.size} x {options.size}, {len(pairs)} pairs: "
            f"{sum(w == 2 for w in pairs)} won, {sum(w == 1 for w in pairs)} even, "
            f"{sum(w == 0 for w in pairs)} lost; {50 * sum(pairs) / len(pairs):.1f} % of the games",
            flush=True,
        )


if __name__ == "__main__":
    main()
