"""The store: tournaments, players and finished games in an SQLite file or on a server."""

from typing import TYPE_CHECKING

from ludograph.lazy import look_up

if TYPE_CHECKING:
    from ludograph.arena.store.games import GameFilter
    from ludograph.arena.store.location import default_store
    from ludograph.arena.store.results import KeptTournament, PlayerVersion
    from ludograph.arena.store.store import Store

__getattr__ = look_up(
    __name__,
    {
        "GameFilter": "games",
        "default_store": "location",
        **dict.fromkeys(("KeptTournament", "PlayerVersion"), "results"),
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
