"""Flood's own strategies, beside the generic searches."""

from __future__ import annotations

from ludograph.games.flood.position import FloodPosition
from ludograph.games.flood.solo import SOLO_STRATEGIES
from ludograph.games.searching import GENERIC
from ludograph.games.strategy import Strategy


class Greedy:
    """Take the color that gains most vertices; the lowest of several; pass when none is legal."""

    def prepare(self, position: FloodPosition) -> None:
        """Load the kernel that the first move would wait for."""
        position.gains(0)

    def choose(self, position: FloodPosition) -> int:
        """Return the move; O(colors)."""
        gains = position.gains(position.turn or 0).tolist()
        moves = position.legal_moves()
        return max(moves, key=lambda move: (gains[move] if move < len(gains) else -1, -move))


def _greedy(seed: int) -> Greedy:  # noqa: ARG001
    return Greedy()


STRATEGIES: dict[str, Strategy] = {
    **GENERIC,
    **SOLO_STRATEGIES,
    "greedy": Strategy("greedy", "the color that gains most vertices", _greedy),
}
