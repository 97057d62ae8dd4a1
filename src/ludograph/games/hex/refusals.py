"""Why a vertex cannot be played on, in the words of a person."""

from __future__ import annotations

from ludograph.games.hex.boards.layouts import COLOR_NAMES
from ludograph.games.hex.notation import move_text
from ludograph.games.hex.rules import SWAPPED
from ludograph.games.hex.scene import stones
from ludograph.games.hex.setup import BLACK, NEVER, NOBODY, HexSetup
from ludograph.games.position import Position


def called(position: Position, move: int) -> str:
    """Return a vertex by its number, as C players have it, and its coordinates; else nothing."""
    setup: HexSetup = position.setup
    if not 0 <= move < setup.owners.size:
        return ""
    if setup.columns and setup.owners[move] == NOBODY:
        return f"vertex {move} ({move_text(setup, move)})"
    return f"vertex {move}"


def reason_against(position: Position, move: int) -> str:
    """Return why a move is not legal for the seat whose turn it is."""
    setup: HexSetup = position.setup
    vertices = setup.owners.size
    if move == vertices:
        return (
            "this game is played without the pie rule"
            if setup.swap_ply == NEVER
            else "only the opening can be swapped, at ply 2"
        )
    if not 0 <= move < vertices:
        return f"the vertices are 0 to {vertices - 1}"
    owner = setup.owners[move]
    if owner != NOBODY:
        return f"it is a border vertex of {COLOR_NAMES[owner]}"
    color = int(stones(position)[move])
    return f"it is occupied by {_stone(position, color)}"


def _stone(position: Position, color: int) -> str:
    """Return whose stone it is: the opening too, as long as it is the only one of black."""
    seat = color ^ int(position.state[SWAPPED])
    own = seat == position.turn
    whose = "its own" if own else f"seat {seat}'s"
    placed = position.ply - int(position.state[SWAPPED])
    if color != BLACK or placed > 2:
        return f"{whose} stone, {COLOR_NAMES[color]}"
    if position.state[SWAPPED]:
        opening = "the opening" if own else "its own opening"
        return f"{opening}, which seat 1 has taken"
    return f"{whose} opening, {COLOR_NAMES[color]}"
