"""Why a vertex cannot be played on, in the words of a person."""

from __future__ import annotations

from ludograph.games.hex.boards.layouts import COLOR_NAMES
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.setup import BLACK, NOBODY


def called(position: HexPosition, move: int) -> str:
    """Return a vertex by its number, as C players have it, and its coordinates; else nothing."""
    if not 0 <= move < position.board.n:
        return ""
    if position.size and position.borders[move] == NOBODY:
        return f"vertex {move} ({position.text(move)})"
    return f"vertex {move}"


def reason_against(position: HexPosition, move: int) -> str:
    """Return why a move is not legal for the seat whose turn it is."""
    if move == position.swap:
        return (
            "only the opening can be swapped, at ply 2"
            if position.pie
            else "this game is played without the pie rule"
        )
    if not 0 <= move < position.board.n:
        return f"the vertices are 0 to {position.board.n - 1}"
    owner = position.borders[move]
    if owner != NOBODY:
        return f"it is a border vertex of {COLOR_NAMES[owner]}"
    return f"it is occupied by {_stone(position, int(position.stones[move]))}"


def _stone(position: HexPosition, color: int) -> str:
    """Return whose stone it is: the opening too, as long as it is the only one of black."""
    seat = position.seat(color)
    own = seat == position.turn
    whose = "its own" if own else f"seat {seat}'s"
    placed = position.ply - int(position.swapped)
    if color != BLACK or placed > 2:
        return f"{whose} stone, {COLOR_NAMES[color]}"
    if position.swapped:
        opening = "the opening" if own else "its own opening"
        return f"{opening}, which seat 1 has taken"
    return f"{whose} opening, {COLOR_NAMES[color]}"


def objection(position: HexPosition, vertex: int) -> str:
    """Return why no stone can be put on a vertex; empty if one can."""
    owner = position.borders[vertex]
    if owner != NOBODY:
        return f"That is {COLOR_NAMES[owner]}'s border; stones go on the cells between the borders"
    if position.stones[vertex] != NOBODY:
        return f"{position.text(vertex)} is taken"
    return ""
