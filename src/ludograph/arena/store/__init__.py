"""The store: tournaments, players and finished games in an SQLite file or on a server."""

from typing import TYPE_CHECKING

from ludograph.lazy import look_up

if TYPE_CHECKING:
    from ludograph.arena.store.games import GameFilter, KeptTournament, PlayerVersion
    from ludograph.arena.store.location import default_store
    from ludograph.arena.store.store import Store

__getattr__ = look_up(
    __name__,
    {
        "default_store": "location",
        **dict.fromkeys(("GameFilter", "KeptTournament", "PlayerVersion"), "games"),
        "Store": "store",
    },
)

__all__ = [
    "GameFilter",
    "KeptTournament",
    "PlayerVersion",
    "Store",
    "default_store",
]
