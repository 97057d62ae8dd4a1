"""Hex's strategies: so far the generic searches, which play any game."""

from __future__ import annotations

from ludograph.games.searching import GENERIC
from ludograph.games.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {
    **GENERIC,
}
