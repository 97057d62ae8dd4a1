"""Random games of Penguins per second on one core, beside the slow reference in plain Python.

    python benchmarks/penguins_random_games.py [--games 20000] [--reference-games 10]
        [--older CHECKOUT]

Then the growth of the time of a game with the board: players that take the most fish in reach, on
boards of up to 300 x 300 hexagons with 8 players and 20 penguins each.

With ``--older`` only the random games of an older checkout (``git worktree add ../older <commit>``)
and of this one are compared, by processor time: both take turns, and the medians are compared.
"""

from __future__ import annotations

import argparse
import random
import sys
from functools import partial
from pathlib import Path

from ludograph import boards, penguins, rules
from ludograph.games.penguins.greedy import greedy_move
from ludograph.rules import OVER, TURN, compiled

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.measure import median_seconds, processor_rate, report, timed
from benchmarks.random_play import play_uniform
from benchmarks.versions import add_older, tell_rates
from tests.games.penguins.boards import around
from tests.reference.penguins import ReferencePenguins

PLAYERS = ((2, 3), (2, 2), (4, 2))
"""Players, and penguins of each."""


@compiled
def play_line(setup, state, rng):
    """Play a game in which each player takes the most fish in reach."""
    rules.start(setup, state)
    while state[TURN] != OVER:
        rules.play(setup, state, greedy_move(setup, state, rng))


def reference_games(position, games: int) -> None:
    setup = position.setup
    board, fish = around(position.board), setup.fish.tolist()
    rng = random.Random(1)
    for _ in range(games):
        game = ReferencePenguins(board, fish, setup.seats, setup.penguins)
        while not game.over:
            game.play(rng.choice(list(game.legal_moves())))


def start_of(seats: int, each: int):
    """The board of the printed game for some players, and its name."""
    position = penguins.position(boards.full_hexa(8), seats=seats, penguins=each, seed=1)
    return position, f"random games, 8 x 8, {seats} players, {each} penguins each"


def rates(games: int) -> dict[str, float]:
    """Random games per second of processor time."""
    found = {}
    for seats, each in PLAYERS:
        position, name = start_of(seats, each)
        setup, state, rng = position.setup, position.state.copy(), rules.random_state(1)
        found[name] = processor_rate(
            lambda n, s=setup, t=state, r=rng: play_uniform(s, t, r, n), games
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--reference-games", type=int, default=10)
    parser.add_argument("--sizes", default="30,100,300")
    add_older(parser)
    options = parser.parse_args()
    if tell_rates(
        options, partial(rates, options.games), __file__, ["--games", str(options.games)]
    ):
        return
    print("Penguins, one core; the peer is tests/reference/penguins.py")
    for seats, each in PLAYERS:
        position, name = start_of(seats, each)
        setup, state, rng = position.setup, position.state.copy(), rules.random_state(1)
        play_uniform(setup, state, rng, 1)  # compile, or load from the cache
        seconds = median_seconds(
            lambda s=setup, t=state, r=rng: play_uniform(s, t, r, options.games)
        )
        slow = median_seconds(lambda p=position: reference_games(p, options.reference_games), 3)
        report(name, options.games / seconds, options.reference_games / slow)
    for size in map(int, options.sizes.split(",")):
        position = penguins.position(boards.full_hexa(size), seats=8, penguins=20, seed=1)
        setup, state, rng = position.setup, position.state.copy(), rules.random_state(1)
        play_line(setup, state, rng)
        seconds = timed(lambda s=setup, t=state, r=rng: play_line(s, t, r))[0]
        plies = int(state[rules.PLY])
        report(f"line, {size} x {size}, 8 players, {plies} plies: a game", seconds, unit="s")
        report("    a ply", 1e6 * seconds / plies, unit="us")


if __name__ == "__main__":
    main()
