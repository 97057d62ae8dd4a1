"""Random games under fixed seeds, and how they ended: the same seed gives the same game anywhere.

``python -m tests.golden.random_games`` writes the data anew, which is right only where the rules of
a game, or how it draws its random moves, were changed on purpose.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ludograph import amazons, boards, carcassonne, flood, hex, penguins, rules
from ludograph.games.hex import hex_board
from ludograph.games.position import Position
from ludograph.rules import OVER, PLY, TURN

DATA = Path(__file__).with_name("random_games.json")
SEEDS = range(4)

GAMES: dict[str, Callable[[int], Position]] = {
    "flood square 14": lambda seed: flood.position(boards.square(14), colors=6, seed=seed),
    "flood hatched 12, 3 seats": lambda seed: flood.position(
        boards.hatched(12), colors=8, seats=3, seed=seed
    ),
    "flood torus 6, forbidden": lambda seed: flood.position(
        boards.torus(6), colors=6, forbidden=1, seed=seed
    ),
    "flood square 6, solo": lambda seed: flood.position(
        boards.square(6), colors=4, seats=1, seed=seed
    ),
    "hex 11": lambda _: hex.position(hex_board(12, "h")),
    "hex square cells 6": lambda _: hex.position(hex_board(6, "c"), pie=False),
    "hex triangular 4": lambda _: hex.position(hex_board(4, "t")),
    "penguins full-hexa 8": lambda seed: penguins.position(
        boards.full_hexa(8), seats=2, penguins=3, seed=seed
    ),
    "penguins penrose 8, 4 seats": lambda seed: penguins.position(
        penguins.board("penrose", 8), seats=4, penguins=2, seed=seed
    ),
    "carcassonne no-meeple": lambda _: carcassonne.position(mode="no-meeple", discard=False),
    "carcassonne infinite, discard": lambda _: carcassonne.position(
        mode="infinite", discard=True, seats=3
    ),
    "carcassonne finite": lambda _: carcassonne.position(mode="finite", discard=False),
    "carcassonne official, 3 seats": lambda _: carcassonne.position(rules="official", seats=3),
    "amazons 10": lambda _: amazons.position(),
    "amazons torus 6, 2 queens": lambda _: amazons.position("torus:6", queens=2),
    "amazons full-hexa 7": lambda _: amazons.position("full-hexa:7"),
    "amazons penrose 6, 3 queens": lambda _: amazons.position("penrose:6", queens=3),
}


def stepwise(position: Position, seed: int) -> np.ndarray:
    """Play a game move by move, each legal move equally likely; return its last state."""
    setup, state, rng = position.setup, position.state.copy(), rules.random_state(seed)
    while state[TURN] != OVER:
        rules.play(setup, state, rules.sample_move(setup, state, rng))
    return state


def played_out(position: Position, seed: int) -> np.ndarray:
    """Play a game by the playout of its searches; return its last state."""
    setup, state = position.setup, position.state.copy()
    rules.playout(setup, state, rules.random_state(seed), np.zeros(rules.info(setup).seats))
    return state


def ending(position: Position, state: np.ndarray) -> list[Any]:
    """Return a game's number of plies, its scores and a digest of its last state."""
    out = np.zeros(rules.info(position.setup).seats)
    rules.scores(position.setup, state, out)
    digest = hashlib.sha256(np.ascontiguousarray(state, "<i4").tobytes()).hexdigest()
    return [int(state[PLY]), out.tolist(), digest[:16]]


def endings(name: str) -> dict[str, list[Any]]:
    """Return how the games of a setting end, by the way they are played."""
    return {
        way.__name__: [
            ending(position, way(position, seed))
            for seed in SEEDS
            for position in [GAMES[name](seed)]
        ]
        for way in (stepwise, played_out)
    }


def main() -> None:
    """Write the data."""
    rows = {name: endings(name) for name in GAMES}
    text = json.dumps(rows, indent=1)
    DATA.write_text(text + "\n")


if __name__ == "__main__":
    main()
