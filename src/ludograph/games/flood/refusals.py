"""Why a color cannot be played, in the words of a person."""

from __future__ import annotations

from ludograph.games.flood.notation import COLOR_NAMES
from ludograph.games.flood.position import FloodPosition


def called(position: FloodPosition, move: int) -> str:
    """Return a color by its number, as C players have it, and its name; otherwise nothing."""
    return f"color {move} ({COLOR_NAMES[move]})" if 0 <= move < position.color_count else ""


def reason_against(position: FloodPosition, move: int) -> str:
    """Return why a move is not legal for the seat whose turn it is."""
    seat = position.turn
    assert seat is not None
    if move == position.color_count:
        return "nobody passes who plays alone"
    if not 0 <= move < position.color_count:
        return f"the colors are 0 to {position.color_count - 1}"
    if move == position.color_of_zone(seat):
        return "its zone has that color already"
    if move in position.forbidden(seat):
        return f"forbidden to it: {', '.join(forbidden(position, seat))}"
    for other in range(position.seats):
        if position.touches(seat, other) and position.color_of_zone(other) == move:
            return f"it is the color of the zone of seat {other}, which touches its own"
    return "it gains nothing, no vertex of that color touches its zone"


def forbidden(position: FloodPosition, seat: int) -> list[str]:
    """Return the names of the colors that are forbidden to a seat."""
    return [COLOR_NAMES[color] for color in sorted(position.forbidden(seat))]


def objection(position: FloodPosition, vertex: int) -> str:
    """Return why the color of a vertex cannot be chosen; empty if it can."""
    seat, color = position.turn, int(position.colors[vertex])
    if seat is None or position.is_legal(color):
        return ""
    name = COLOR_NAMES[color]
    if color == position.color_of_zone(seat):
        return f"Your zone is {name} already"
    if color in position.forbidden(seat):
        return f"{name.capitalize()} is forbidden to you"
    for other in range(position.seats):
        if position.touches(seat, other) and position.color_of_zone(other) == color:
            return f"{name.capitalize()} is forbidden: it is the color of a zone that touches yours"
    return f"Nothing {name} touches your zone"
