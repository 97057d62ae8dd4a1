"""Random games of Carcassonne per second on one core, beside the slow reference in plain Python.

python benchmarks/carcassonne_random_games.py [--games 20000] [--reference-games 2]
    [--older CHECKOUT]

Two players, the classic deck, in each mode. Then the time of a tile, its deal included, with
10 and 100 times that deck; there, tiles without a place are put away, so that games last.

With ``--older`` only the random games of an older checkout (``git worktree add ../older <commit>``)
and of this one, by processor time: both take turns, and the medians are compared.
"""

from __future__ import annotations

import argparse
import random
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

from ludograph import carcassonne, rules
from ludograph.games.carcassonne.decks import Deck, classic
from ludograph.games.carcassonne.setup import MODES

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.measure import median_seconds, processor_rate, report
from benchmarks.random_play import play_uniform
from benchmarks.versions import add_older, tell_rates
from tests.reference.carcassonne import ReferenceCarcassonne


def times(deck: Deck, factor: int) -> Deck:
    """A deck with so many times as many tiles of every kind, the first one apart."""
    kinds = tuple(replace(kind, count=kind.count * factor) for kind in deck.kinds)
    return Deck(deck.first, kinds)


def reference_games(deck: Deck, mode: int, games: int) -> None:
    tiles = [(kind.tile.components, kind.tile.terrains) for kind in deck.kinds]
    counts = [kind.count for kind in deck.kinds]
    rng = random.Random(1)
    for _ in range(games):
        first = (deck.first.components, deck.first.terrains)
        game = ReferenceCarcassonne(first, tiles, counts, mode=mode)
        while not game.over:
            if game.dealt is None:
                game.deal(rng.choices(range(len(tiles)), game.left)[0])
            else:
                game.play(*rng.choice(game.legal_moves()))


def rates(games: int) -> dict[str, float]:
    """Random games with the classic deck per second of processor time, by mode."""
    found = {}
    for mode, name in enumerate(MODES):
        position = carcassonne.position(deck=classic(), mode=mode)
        setup, state, rng = position.setup, position.state.copy(), rules.random_state(1)
        found[f"random games, 72 tiles, {name}"] = processor_rate(
            lambda n, s=setup, t=state, r=rng: play_uniform(s, t, r, n), games
        )
    return found


def seconds_per_game(deck: Deck, mode: int, games: int, *, discard: bool = False) -> float:
    position = carcassonne.position(deck=deck, mode=mode, discard=discard)
    setup, state, rng = position.setup, position.state, rules.random_state(1)
    play_uniform(setup, state, rng, 1)  # compile, or load from the cache
    return median_seconds(lambda: play_uniform(setup, state, rng, games)) / games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--reference-games", type=int, default=2)
    add_older(parser)
    options = parser.parse_args()
    if tell_rates(
        options, partial(rates, options.games), __file__, ["--games", str(options.games)]
    ):
        return
    print("Carcassonne, one core, two players; the peer is tests/reference/carcassonne.py")
    deck = classic()
    for mode, name in enumerate(MODES):
        seconds = seconds_per_game(deck, mode, options.games)
        many = options.reference_games
        slow = median_seconds(lambda m=mode, n=many: reference_games(deck, m, n), 1) / many
        report(f"random games, 72 tiles, {name}", 1 / seconds, 1 / slow)
    for mode, name in enumerate(MODES):
        for factor in (1, 10, 100):
            larger = times(deck, factor)
            games = max(1, options.games // (10 * factor))
            seconds = seconds_per_game(larger, mode, games, discard=True)
            what = f"a tile, {larger.size} tiles, {name}"
            report(what, 1e9 * seconds / (larger.size - 1), unit="ns")


if __name__ == "__main__":
    main()
