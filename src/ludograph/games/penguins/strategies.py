"""Penguins' own strategies, beside the generic searches."""

from __future__ import annotations

from ludograph.games.penguins.eat import Eat
from ludograph.games.penguins.greedy import best_at_sight
from ludograph.games.position import Position
from ludograph.games.searching import GENERIC, TIME
from ludograph.games.strategy import Strategy
from ludograph.rules import random_state


class Line:
    """Goes where most fish are in reach; places its penguins beside three-fish tiles."""

    def __init__(self, seed: int) -> None:
        self.rng = random_state(seed)

    def prepare(self, position: Position) -> None:
        """Load the kernel that the first move would wait for."""
        best_at_sight(position.setup, position.state, self.rng.copy())

    def choose(self, position: Position) -> int:
        """Return a move, any of those that are as good; O(moves)."""
        return int(best_at_sight(position.setup, position.state, self.rng))


STRATEGIES: dict[str, Strategy] = {
    **GENERIC,
    "line": Strategy(
        "line", "the tile in reach with most fish; starts beside three-fish ones", Line
    ),
    "eat": Strategy("eat", "line, then most fish where nobody else can get", Eat, options=(TIME,)),
}
"""The strategies by name."""
