"""Players: everything that can choose moves for a seat, and their names.

Names are looked up when they are first used: a host process needs few of the modules here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludograph.lazy import look_up

if TYPE_CHECKING:
    from ludograph.players.forfeit import PlayerFault, Reason
    from ludograph.players.isolation import Isolation
    from ludograph.players.protocol import Player, as_player, drop_code, dropped_seat
    from ludograph.players.spec import PlayerSpec, parse_player

_HOMES = {
    "Isolation": "isolation",
    "Player": "protocol",
    "PlayerFault": "forfeit",
    "PlayerSpec": "spec",
    "Reason": "forfeit",
    "as_player": "protocol",
    "drop_code": "protocol",
    "dropped_seat": "protocol",
    "parse_player": "spec",
}

__all__ = [
    "Isolation",
    "Player",
    "PlayerFault",
    "PlayerSpec",
    "Reason",
    "as_player",
    "drop_code",
    "dropped_seat",
    "parse_player",
]

__getattr__ = look_up(__name__, _HOMES)
