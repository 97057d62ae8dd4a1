"""Search: written once against the rule contract, knowing no game.

``AlphaBetaSearch`` searches from a position, with an author's own functions where some are given.
Names are looked up when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludograph.lazy import look_up

if TYPE_CHECKING:
    from ludograph.search.custom.searches import AlphaBetaSearch

_HOMES = {"AlphaBetaSearch": "custom.searches"}

__all__ = ["AlphaBetaSearch"]

__getattr__ = look_up(__name__, _HOMES)
