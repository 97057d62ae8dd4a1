"""Flood's own strategies, beside the generic searches."""

from __future__ import annotations

from ludograph.games.flood.setup import FloodSetup
from ludograph.games.flood.solo import SOLO_STRATEGIES
from ludograph.games.flood.zones import gains_at
from ludograph.games.position import Position
from ludograph.games.searching import GENERIC
from ludograph.games.strategy import Strategy


class Greedy:
    """Take the color that gains most vertices; the lowest of several; pass when none is legal."""

    def prepare(self, position: Position) -> None:
        """Load the kernel that the first move would wait for."""
        gains_at(position.setup, 0)

    def choose(self, position: Position) -> int:
        """Return the move; O(colors)."""
        setup: FloodSetup = position.setup
        seat = position.turn or 0
        first = gains_at(setup, seat)
        gains = position.state[first : first + setup.color_count].tolist()
        moves = position.legal_moves()
        return max(moves, key=lambda move: (gains[move] if move < len(gains) else -1, -move))


def _greedy(seed: int) -> Greedy:  # noqa: ARG001
    return Greedy()


STRATEGIES: dict[str, Strategy] = {
    **GENERIC,
    **SOLO_STRATEGIES,
    "greedy": Strategy("greedy", "the color that gains most vertices", _greedy),
}
