"""H-search for one color: the rules are applied to the smallest connection until all is known."""

from __future__ import annotations

from ludograph.games.hex.connections.nodes import find_groups, offer_adjacent
from ludograph.games.hex.connections.queue import NOTHING, SEMI, clear, keep, take
from ludograph.games.hex.connections.room import Connections
from ludograph.games.hex.connections.rules import combine, unite
from ludograph.games.hex.setup import HexSetup
from ludograph.rules import compiled
from ludograph.rules.kernels.bits import NONE

NO_CONNECTION, SEMI_CONNECTION, VIRTUAL_CONNECTION = range(3)
"""What :func:`connect` has found."""


@compiled
def connect(setup: HexSetup, room: Connections, color: int, moves_first: bool) -> int:
    """Look for connections of a color's two borders, by the stones in ``room.colors``.

    Parameters
    ----------
    moves_first
        Whether a semi connection is enough, because the color is to move.

    Returns
    -------
    int
        What was found. Of a virtual connection ``room.used`` is the carrier. Of semi connections
        ``room.needed`` are the cells that all of them need, and ``room.used`` those of the ones
        that tell so; ``room.progress.key`` is a stone that makes the first one virtual.
    """
    progress = room.progress
    progress.won = 0
    progress.semis = 0
    progress.key = NOTHING
    for word in range(len(room.words)):
        room.used[word] = NONE
        room.needed[word] = NONE
    clear(room)
    if find_groups(setup, room, color):
        return VIRTUAL_CONNECTION
    offer_adjacent(setup, room, color)
    while progress.kept < room.limits.kept:
        index = take(room)
        if index == NOTHING:
            break
        if room.pool[index].semi == SEMI:
            unite(room, index)
        keep(room, index)
        combine(room, index)
        if progress.won:
            return VIRTUAL_CONNECTION
        if moves_first and progress.semis > 0:
            return SEMI_CONNECTION
    return SEMI_CONNECTION if progress.semis > 0 else NO_CONNECTION
