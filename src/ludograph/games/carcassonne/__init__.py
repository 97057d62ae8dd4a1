"""Carcassonne: lay tiles that fit, and close roads and castles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludograph.lazy import look_up

if TYPE_CHECKING:
    from ludograph.games.carcassonne.decks import Deck, Kind, classic, course, read_deck, write_deck
    from ludograph.games.carcassonne.game import Carcassonne, carcassonne
    from ludograph.games.carcassonne.notation import Placement
    from ludograph.games.carcassonne.position import CarcassonnePosition, PlacedTile, meeples_left
    from ludograph.games.carcassonne.tiles import Terrain, Tile

_HOMES = {
    "Carcassonne": "game",
    "CarcassonnePosition": "position",
    "Deck": "decks",
    "Kind": "decks",
    "PlacedTile": "position",
    "Placement": "notation",
    "Terrain": "tiles",
    "Tile": "tiles",
    "carcassonne": "game",
    "classic": "decks",
    "course": "decks",
    "read_deck": "decks",
    "write_deck": "decks",
    "meeples_left": "position",
}

__all__ = [
    "Carcassonne",
    "CarcassonnePosition",
    "Deck",
    "Kind",
    "PlacedTile",
    "Placement",
    "Terrain",
    "Tile",
    "carcassonne",
    "classic",
    "course",
    "meeples_left",
    "read_deck",
    "write_deck",
]

__getattr__ = look_up(__name__, _HOMES)
