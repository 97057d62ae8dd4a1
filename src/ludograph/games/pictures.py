"""The texts around the picture of a position: what is played, who is to move, who holds what."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludograph.games.position import Position
    from ludograph.views import Scene

MOST_SEATS = 8
"""A line each for so many seats; more share one."""


def titled(position: Position, names: Sequence[str] | None = None, sentence: str = "") -> Scene:
    """Return the picture of a position, with its title above and the score below.

    Parameters
    ----------
    names
        The players by seat; ``seat 0``, ``seat 1`` and so on by default.
    sentence
        The result, where it is known better than by the board alone.
    """
    scene = position.game.scene(position)
    lines = score_lines(position, scene, names)
    captions = (sentence or state_of(position, names), *lines)
    return dataclasses.replace(scene, title=heading(position), captions=captions)


def heading(position: Position) -> str:
    """Return game, board and ply, as in ``Flood on square 12x12, after 7 moves``."""
    where = f" on {position.board.name}" if position.board.n > 1 else ""
    moves = f"after {position.ply} move{'' if position.ply == 1 else 's'}"
    return f"{position.game.name.capitalize()}{where}, {moves if position.ply else 'the start'}"


def called(position: Position, seat: int, names: Sequence[str] | None = None) -> str:
    """Return what a seat is called: its player and color, as in ``greedy (seat 0, blue)``."""
    color = position.game.color_of(position, seat)
    if names is None:
        return f"seat {seat}{f' ({color})' if color else ''}"
    return f"{names[seat]} (seat {seat}{f', {color}' if color else ''})"


def state_of(position: Position, names: Sequence[str] | None = None) -> str:
    """Return who is to move, or who has won."""
    outcome = position.outcome()
    if outcome is None:
        turn = position.turn
        return "Chance moves." if turn is None else f"{called(position, turn, names)} to move."
    if position.seats == 1:
        return "The game is over."
    best = [called(position, seat, names) for seat in outcome.winners]
    return f"{best[0]} wins." if len(best) == 1 else f"A draw between {' and '.join(best)}."


def score_lines(
    position: Position, scene: Scene, names: Sequence[str] | None = None
) -> tuple[str, ...]:
    """Return what each seat holds, in a line each; nothing where the game counts nothing."""
    held = [holding(position, scene, seat) for seat in range(position.seats)]
    lines = [f"{called(position, seat, names)}: {text}" for seat, text in enumerate(held) if text]
    return tuple(lines) if len(lines) <= MOST_SEATS else ("; ".join(lines),)


def holding(position: Position, scene: Scene, seat: int) -> str:
    """Return what a seat holds, as the game tells it or as its cells on the picture."""
    told = position.game.holding(position, seat)
    if told or scene.groups is None:
        return told
    cells = int((scene.groups == seat).sum())
    return f"{cells} cell{'' if cells == 1 else 's'}"
