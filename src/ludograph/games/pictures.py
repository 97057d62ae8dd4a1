"""The texts around the picture of a position: the game, the seat to move, the holdings."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ludograph.errors import InvalidInput
from ludograph.formatting import counted
from ludograph.views import EMPTY, Numeral

if TYPE_CHECKING:
    from ludograph.games.played import PlayedPosition
    from ludograph.views import Scene

MOST_SEATS = 8
"""The most seats that have a line each; more seats share one."""


def titled(
    position: PlayedPosition,
    players: Sequence[str] | None = None,
    sentence: str = "",
    *,
    numbers: bool = False,
    names: bool = False,
) -> Scene:
    """Return the picture of a position, with its title above and the score below.

    Parameters
    ----------
    players
        By seat; ``seat 0``, ``seat 1`` and so on by default.
    sentence
        The result, if it does not follow from the board alone.
    numbers, names
        As in `written`.
    """
    scene = position.scene(numbers=numbers, names=names)
    lines = score_lines(position, scene, players)
    captions = (*scene.captions, sentence or state_of(position, players), *lines)
    return dataclasses.replace(scene, title=heading(position), captions=captions)


def written(position: PlayedPosition, scene: Scene, *, numbers: bool, names: bool) -> Scene:
    """Return a picture with texts on its cells.

    Parameters
    ----------
    numbers
        The ply at which each piece came to its cell.
    names
        The name of each cell in moves.

    Raises
    ------
    InvalidInput
        If the moves are needed and not known.
    """
    if names:
        scene = dataclasses.replace(scene, notes=position.game.presentation.cell_names(position))
    if not numbers:
        return scene
    cells = scene.in_cells
    return dataclasses.replace(
        scene,
        numerals={
            cell: Numeral(ply, cells.palette[int(cells.fills[cell])].rgb)
            for cell, ply in plies(position).items()
            if cells.fills[cell] != EMPTY
        },
    )


def plies(position: PlayedPosition) -> dict[int, int]:
    """Return the ply at which the piece on each cell of the picture came there.

    Raises
    ------
    InvalidInput
        If the moves are not known, for example because kernels have played them.
    """
    if len(position.history) != position.ply:
        raise InvalidInput(
            f"the position is at ply {position.ply} and knows {len(position.history)} of its "
            "moves: only those played by its methods can be numbered"
        )
    found: dict[int, int] = {}
    for ply, way in enumerate(position.game.presentation.ways(position), 1):
        for cell in way[:-1]:
            found.pop(cell, None)
        if way:
            found[way[-1]] = ply
    return found


def heading(position: PlayedPosition) -> str:
    """Return game, board and number of moves, as in ``Flood on square 12x12, after 7 moves``."""
    title = position.title()
    moves = f"after {counted(position.move_count, 'move')}"
    return f"{title[:1].upper()}{title[1:]}, {moves if position.move_count else 'the start'}"


def called(position: PlayedPosition, seat: int, names: Sequence[str] | None = None) -> str:
    """Return the name of a seat: its player and color, as in ``greedy (seat 0, blue)``."""
    color = position.game.presentation.seat_facts(position, seat).color
    if names is None:
        return f"seat {seat}{f' ({color})' if color else ''}"
    return f"{names[seat]} (seat {seat}{f', {color}' if color else ''})"


def state_of(position: PlayedPosition, names: Sequence[str] | None) -> str:
    """Return the sentence on the seat to move, or on the winner."""
    outcome = position.outcome()
    if outcome is None:
        turn = position.turn
        return "Chance moves." if turn is None else f"{called(position, turn, names)} to move."
    if position.seats == 1:
        return "The game is over."
    best = [called(position, seat, names) for seat in outcome.winners]
    return f"{best[0]} wins." if len(best) == 1 else f"A draw between {' and '.join(best)}."


def score_lines(
    position: PlayedPosition, scene: Scene, names: Sequence[str] | None
) -> tuple[str, ...]:
    """Return the holdings of each seat, in a line each; no lines if the game counts nothing."""
    held = [holding(position, scene, seat) for seat in range(position.seats)]
    lines = [f"{called(position, seat, names)}: {text}" for seat, text in enumerate(held) if text]
    return tuple(lines) if len(lines) <= MOST_SEATS else ("; ".join(lines),)


def holding(position: PlayedPosition, scene: Scene, seat: int) -> str:
    """Return the holdings of a seat, by the game or by its cells on the picture."""
    told = position.game.presentation.seat_facts(position, seat).holding
    if told or scene.groups is None:
        return told
    cells = int((scene.groups == seat).sum())
    return counted(cells, "cell")
