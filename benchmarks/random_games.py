"""Random games per second on one core, move by move, beside slow references and OpenSpiel's C++.

    python benchmarks/random_games.py [GAME ...] [--seconds 0.2] [--older CHECKOUT | --bulk]

Every legal move is equally likely. The reference of a game is that of the tests, in plain Python;
`playouts` are the games of its searches. OpenSpiel (`pip install ludograph[openspiel]`) plays Hex:
its rollout evaluator needs no Python. All take turns, and medians are compared. Larger boards and
decks show how the time of a ply grows.

With ``--older`` this checkout is compared with an older one (``git worktree add ../older
<commit>``) by processor time. With ``--bulk`` a loop of `Position.play_random` in Python is the
peer of `random_games` and `playouts` on one thread, and of `playouts` on all cores, by the clock.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

import ludograph
from ludograph import Position, amazons, boards, carcassonne, flood, hex, penguins, rules
from ludograph.games.blocks import usable_cores
from ludograph.games.carcassonne.decks import Deck, classic
from ludograph.rules import OVER, TURN, compiled

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.measure import (
    ROOT,
    chosen,
    in_turns,
    median_rates,
    printed_by,
    processor_rate,
    report,
)
from tests.games.twins import twin

REPEATS = 5


def larger(factor: int) -> Deck:
    """Return the classic deck with so many times as many tiles of each kind."""
    deck = classic()
    return Deck(deck.first, tuple(replace(kind, count=kind.count * factor) for kind in deck.kinds))


def amazons_of(size: int) -> Position:
    return amazons.position(size, queens=4)


def carcassonne_of(mode: str, factor: int = 1) -> Position:
    return carcassonne.position(deck=larger(factor), mode=mode, discard=factor > 1)


def flood_of(size: int) -> Position:
    return flood.position(boards.square(size), colors=6, seed=1)


def hex_of(size: int) -> Position:
    return hex.position(size, pie=False)


def penguins_of(size: int, seats: int, each: int) -> Position:
    return penguins.position(boards.full_hexa(size), seats=seats, penguins=each, seed=1)


STARTS: dict[str, dict[str, Callable[[], Position]]] = {
    "amazons": {f"{n} x {n}": lambda n=n: amazons_of(n) for n in (8, 10)},
    "carcassonne": {
        f"{mode}, {71 * factor + 1} tiles": lambda m=mode, f=factor: carcassonne_of(m, f)
        for factor in (1, 10, 100)
        for mode in ("no-meeple", "infinite", "finite")
    },
    "flood": {f"{n} x {n}, 6 colors": lambda n=n: flood_of(n) for n in (14, 50, 300)},
    "hex": {f"{n} x {n}": lambda n=n: hex_of(n) for n in (5, 7, 9, 11, 13, 19)},
    "penguins": {
        f"{n} x {n}, {seats} seats, {each} penguins": lambda n=n, s=seats, e=each: penguins_of(
            n, s, e
        )
        for n, seats, each in ((8, 2, 3), (8, 2, 2), (8, 4, 2), (30, 8, 20), (100, 8, 20))
    },
}

PROBE = 20
"""The games of machine code from whose time the amount of a run follows."""

SMALL = 200
"""The most vertices or tiles of a game that the reference plays, too."""


@compiled
def play_uniform(setup, state, rng, games):
    """Play games, and return the number of plies."""
    plies = 0
    for _ in range(games):
        rules.start(setup, state)
        while state[TURN] != OVER:
            rules.play(setup, state, rules.sample_move(setup, state, rng))
            plies += 1
    return plies


@compiled
def play_out(setup, state, rng, out, games):
    """Play games as a search does, by the game's own playout."""
    for _ in range(games):
        rules.start(setup, state)
        rules.playout(setup, state, rng, out)


def play_twin(position: Position, games: int) -> None:
    """Play games by the slow reference."""
    luck = random.Random(1)
    for _ in range(games):
        slow = twin(position)
        while not slow.over:
            slow.play(luck.choice(slow.moves()))


def openspiel(size: int) -> Callable[[int], None] | None:
    """Return a function that plays games of Hex in OpenSpiel; None if it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(f"hex(board_size={size})")
    state = game.new_initial_state()

    def run(games: int) -> None:
        # One simulation of the search makes this number of rollouts from the root, in one call.
        evaluator = pyspiel.RandomRolloutEvaluator(games, 1)
        pyspiel.MCTSBot(game, evaluator, 1.4, 1, 10, False, 1, False).step(state)

    return run


def measured(name: str, position: Position, seconds: float) -> None:
    """Print the figures of one start."""
    setup, state = position.setup, position.state.copy()
    rng, out = rules.random_state(1), np.zeros(position.seats)
    kinds = {
        "games": lambda n: play_uniform(setup, state, rng, n),
        "playouts": lambda n: play_out(setup, state, rng, out, n),
    }
    if rules.info(setup).ply_bound <= SMALL:
        kinds["reference"] = lambda n: play_twin(position, n)
    if position.game is hex and (other := openspiel(position.size)):
        kinds["OpenSpiel"] = other
    probes = {kind: 1 if kind == "reference" else PROBE for kind in kinds}
    rates = median_rates(kinds, probes, seconds, REPEATS)
    plies = play_uniform(setup, state, rng, 10) / 10
    report(f"{name}: games", rates["games"], rates.get("reference"))
    report("    playouts", rates["playouts"], rates.get("OpenSpiel"))
    report("    a ply", 1e9 / (rates["games"] * plies), unit="ns")


def processor_rates(games: list[str], seconds: float) -> dict[str, float]:
    """Return games per second of processor time by the name of the start."""
    found = {}
    for game in games:
        for name, make in STARTS[game].items():
            position = make()
            setup, state, rng = position.setup, position.state.copy(), rules.random_state(1)
            play = lambda n, s=setup, t=state, r=rng: play_uniform(s, t, r, n)  # noqa: E731
            amount = max(1, int(seconds * processor_rate(play, 1)))
            found[f"{game}, {name}"] = processor_rate(play, amount)
    return found


def compare(older: Path, arguments: list[str]) -> None:
    """Print the rates of both checkouts, which take turns."""

    def rates(checkout: Path) -> dict[str, float]:
        return json.loads(printed_by(checkout, __file__, "--rates", *arguments, tests=True))

    kinds = {"before": lambda: rates(older), "now": lambda: rates(ROOT)}
    before, now = in_turns(kinds, REPEATS).values()
    for name in now[0]:
        old, new = (statistics.median(each[name] for each in rates) for rates in (before, now))
        print(f"{name}: {old:,.0f}/s before, {new:,.0f}/s now, ratio {new / old:.2f}")


def in_bulk(name: str, position: Position, seconds: float) -> None:
    """Print how many times as many games in bulk are as those of a loop in Python."""

    def loop(count: int) -> None:
        for game in range(count):
            copy, luck = position.copy(), rules.random_state(1, game)
            while not copy.is_over:
                copy.play_random(luck)

    kinds = {
        "loop": loop,
        "random_games": lambda n: ludograph.random_games(position, n, threads=1),
        "playouts": lambda n: ludograph.playouts(position, n, threads=1),
        f"playouts on {usable_cores()} threads": lambda n: ludograph.playouts(position, n),
    }
    probes = dict.fromkeys(kinds, 1000) | {"loop": PROBE}
    rates = median_rates(kinds, probes, seconds, REPEATS)
    for kind, rate in rates.items():
        report(f"{name}: {kind}", rate, None if kind == "loop" else rates["loop"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help=", ".join(STARTS))
    parser.add_argument("--seconds", type=float, default=0.2, help="per run, about")
    parser.add_argument("--older", type=Path, help="a checkout to compare with")
    parser.add_argument("--bulk", action="store_true", help="many games by one call")
    parser.add_argument("--rates", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    games = list(chosen(parser, options.games, STARTS))
    if options.rates:
        print(json.dumps(processor_rates(games, options.seconds)))
        return
    if options.older:
        compare(options.older, [*games, "--seconds", str(options.seconds)])
        return
    for game in games:
        for name, make in STARTS[game].items():
            (in_bulk if options.bulk else measured)(f"{game}, {name}", make(), options.seconds)


if __name__ == "__main__":
    main()
