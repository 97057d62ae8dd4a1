"""Players: anything that can sit on a seat, how it is named, and the hosts of foreign ones."""

from ludograph.players.fault import PlayerFault, Reason
from ludograph.players.naming import PlayerSpec, parse_player
from ludograph.players.protocol import Player, as_player, drop_code, dropped_seat

__all__ = [
    "Player",
    "PlayerFault",
    "PlayerSpec",
    "Reason",
    "as_player",
    "drop_code",
    "dropped_seat",
    "parse_player",
]
