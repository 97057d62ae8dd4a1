"""Equal keys mean equal positions, and equal positions have equal keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import networkx as nx
import numpy as np
import pytest

from ludograph import amazons, boards, carcassonne, flood, hex, penguins, rules
from ludograph.games import Position
from ludograph.games.carcassonne.decks import course
from ludograph.games.carcassonne.position import tile_records
from ludograph.games.carcassonne.table import HASH, LAST
from ludograph.games.flood.rules import PASSED
from tests.amounts import few
from tests.games.test_references import quickly


def on_the_table(position: Position) -> Any:
    """Return the tiles in any order, and what else matters."""
    tiles = sorted(tile_records(position.setup, position.state)[:, [0, 1, 3]].tolist())
    head = position.state[: position.setup.layout.tiles].tolist()
    ignored = (rules.PLY, LAST, HASH, HASH + 1)
    return tiles, [value for slot, value in enumerate(head) if slot not in ignored]


def on_ice(position: Position) -> Any:
    tiles = np.where(position.all_fish == 0, -2, position.all_owners)
    return tiles.tolist(), position.scores(), position.turn


class Shown(NamedTuple):
    """What there is to see of positions with keys.

    Attributes
    ----------
    make
        Makes a start by its number.
    see
        Returns all on which the rest of a game depends.
    starts, games
        How many starts there are, and games from each.
    different
        More positions than so many are met.
    """

    make: Callable[[int], Position]
    see: Callable[[Any], Any]
    starts: int
    games: int
    different: int


SHOWN = {
    "amazons": Shown(
        lambda _: amazons.position(boards.square(4), queens=1),
        lambda position: (position.tiles.tolist(), position.turn),
        *(1, few(150, 2000), few(400, 4000)),
    ),
    "carcassonne": Shown(
        lambda _: carcassonne.position(deck=course(5), mode="finite", meeples=1, discard=False),
        on_the_table,
        *(1, few(500, 3000), few(500, 1000)),
    ),
    "flood": Shown(
        lambda seed: flood.position(boards.square(4), colors=4, seed=seed),
        lambda position: (
            *(position.colors.tolist(), position.zones.tolist()),
            *(position.turn, int(position.state[PASSED])),
        ),
        *(few(3, 40), 60, few(375, 5000)),
    ),
    "hex": Shown(
        lambda _: hex.position(3),
        lambda position: (position.stones.tolist(), position.turn, position.swapped),
        *(1, few(400, 1500), few(1000, 2000)),
    ),
    "penguins": Shown(
        lambda _: penguins.position(boards.full_hexa(4, 3), penguins=1, fish=[1] * 10 + [2, 3]),
        on_ice,
        *(1, few(500, 3000), few(1000, 3000)),
    ),
}


@pytest.mark.every_case
@pytest.mark.parametrize("name", quickly(SHOWN, ("amazons", "flood", "hex")))
def test_equal_keys_mean_equal_positions(name: str) -> None:
    make, see, starts, games, different = SHOWN[name]
    seen: dict[tuple[int, int], str] = {}
    twice = 0
    for seed in range(starts):
        start, rng = make(seed), rules.random_state(seed, 5)
        for _ in range(games):
            position = start.copy()
            while not position.is_over:
                position.play_random(rng)
                shown = f"{seed} {see(position)}"
                key = seed, position.key()
                twice += key in seen
                assert seen.setdefault(key, shown) == shown
    assert len(set(seen.values())) == len(seen)
    assert len(seen) > different
    assert twice > few(50, 1000)


TRANSPOSED = {
    "slides of two queens": (
        amazons.position(6),
        *("b1-b2/b3 b6-b5/b4 e1-e2/e3", "e1-e2/e3 b6-b5/b4 b1-b2/b3"),
    ),
    "which queen of a seat it is": (
        amazons.position(6),
        *("b1-b4/a4 b6-b5/c5 e1-e4/f4", "b1-e4/f4 b6-b5/c5 e1-b4/a4"),
    ),
    "two ways around": (
        flood.position(
            boards.from_networkx(nx.Graph([(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (4, 5)])),
            colors=6,
            coloring=[0, 1, 2, 3, 4, 5],
            starts=[0, 5],
            forbidden=0,
        ),
        *("red pass green pass yellow", "green pass red pass yellow"),
    ),
}


@pytest.mark.every_case
@pytest.mark.parametrize(("start", "moves", "others"), TRANSPOSED.values(), ids=TRANSPOSED)
def test_two_orders_of_moves_meet_in_one_key(start: Position, moves: str, others: str) -> None:
    one, other = start.copy(), start.copy()
    for position, texts in ((one, moves), (other, others)):
        for text in texts.split():
            position.play(text)
    assert str(one) == str(other)
    assert one.key() == other.key()
    other.play(other.legal_moves()[0])
    assert one.key() != other.key()
