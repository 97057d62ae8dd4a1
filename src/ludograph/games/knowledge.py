"""Exact knowledge and the rules for which it holds: only those from which it was made.

Solvers, tables of openings, networks and patterns are valid for the rules of one Setup type. A
variant (a game derived from another with its own Setup type or positions) inherits the methods that
use them, but not this knowledge.
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
"""The members of a position that decide a game: a class that replaces one has other rules."""


def holds_for(position: Position, setup_type: type) -> bool:
    """Tell whether knowledge of games with Setups of a type holds for a position."""
    kind: Any = type(position)
    return same_rules(type(position.setup), setup_type) and all(
        getattr(kind, name) is getattr(Position, name) for name in DECIDING
    )
