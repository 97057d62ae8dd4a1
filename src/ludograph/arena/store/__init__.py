"""The store: tournaments, players and finished games in one file."""

from ludograph.arena.store.games import GameFilter, KeptGame, Played
from ludograph.arena.store.opening import default_store
from ludograph.arena.store.store import KeptTournament, PlayerVersion, Store

__all__ = [
    "GameFilter",
    "KeptGame",
    "KeptTournament",
    "Played",
    "PlayerVersion",
    "Store",
    "default_store",
]
