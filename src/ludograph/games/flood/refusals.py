"""Why a color cannot be played, in the words of a person."""

from __future__ import annotations

from ludograph.games.flood.notation import COLOR_NAMES
from ludograph.games.flood.setup import FloodSetup, forbidden_sets
from ludograph.games.flood.zones import COLOR, TOUCHING, zone_at
from ludograph.games.position import Position


def called(position: Position, move: int) -> str:
    """Return a color by its number, as C players have it, and its name; otherwise nothing."""
    setup: FloodSetup = position.setup
    return f"color {move} ({COLOR_NAMES[move]})" if 0 <= move < setup.color_count else ""


def reason_against(position: Position, move: int) -> str:
    """Return why a move is not legal for the seat whose turn it is."""
    setup: FloodSetup = position.setup
    state, seat = position.state, position.turn
    assert seat is not None
    if move == setup.color_count:
        return "nobody passes who plays alone"
    if not 0 <= move < setup.color_count:
        return f"the colors are 0 to {setup.color_count - 1}"
    zone = zone_at(seat)
    if move == state[zone + COLOR]:
        return "its zone has that color already"
    if move in forbidden_sets(setup)[seat]:
        return f"forbidden to it: {', '.join(forbidden(position, seat))}"
    for other in range(position.seats):
        if (state[zone + TOUCHING] >> other) & 1 and state[zone_at(other) + COLOR] == move:
            return f"it is the color of the zone of seat {other}, which touches its own"
    return "it gains nothing, no vertex of that color touches its zone"


def forbidden(position: Position, seat: int) -> list[str]:
    """Return the names of the colors that are forbidden to a seat."""
    return [COLOR_NAMES[color] for color in sorted(forbidden_sets(position.setup)[seat])]
