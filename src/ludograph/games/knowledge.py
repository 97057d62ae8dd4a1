"""Exact knowledge and the rules for which it holds: only those from which it was made.

Solvers, tables of openings, networks and patterns are true of a game as its Setup type is played.
A variant (a game derived from another with a Setup type or positions of its own) inherits the
methods that use them, but none of what they know.
"""

from __future__ import annotations

from typing import Any

from ludograph.games.position import Position
from ludograph.rules.dispatch import same_rules

DECIDING = (
    "drop",
    "is_chance",
    "is_over",
    "legal_moves",
    "outcome",
    "play",
    "play_random",
    "push",
    "scores",
    "turn",
)
"""What a position says of the game by the rules of its Setup type."""


def holds_for(position: Position, setup_type: type) -> bool:
    """Tell whether what is known of games with Setups of a type holds for a position."""
    kind: Any = type(position)
    return same_rules(type(position.setup), setup_type) and all(
        getattr(kind, name) is getattr(Position, name) for name in DECIDING
    )
