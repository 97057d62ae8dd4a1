"""Analysis info: a player's view of the move that it has just chosen, in one form for all.

A strategy, or a bot, returns it from a method ``thoughts()``, which is called directly after its
move, on request. The result is an :class:`AnalysisInfo`, or a mapping with the same fields, as in
JSON. :func:`ludograph.games.analysis_info_validation.validated` checks a player's data; then its
moves are texts. Records, options and bots call it *thoughts*.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import msgspec

from ludograph.formatting import described
from ludograph.views.scene import Overlay

if TYPE_CHECKING:
    from ludograph.games.played import PlayedPosition

MOST_MOVES = 2_000
"""The most moves in a strategy's info."""

MOVES, LINE = "moves", "line"
"""Names of the overlays that every game has if a strategy returns its moves."""

SHOWN_MOVES = 3
SHOWN_PLIES = 8


class Considered(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move that the player considered.

    Attributes
    ----------
    move
        Its text; a strategy may give the code.
    value
        Its value, in the measure of the info; None if it is not known.
    visits
        The number of its visits.
    proven
        Whether the value is certain.
    """

    move: str | int
    value: float | None = None
    visits: int | None = None
    proven: bool = False


class AnalysisInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """A strategy's analysis of the move that it has chosen.

    Attributes
    ----------
    value
        The expected result of the strategy itself.
    measure
        The meaning of values: ``win`` (0 is lost, 1 is won), ``points`` (its own less the best
        other's), or a word of its own.
    proven
        Whether the value is certain.
    depth, simulations, nodes
        The size of the search: plies, simulations, positions.
    moves
        The moves that it considered, the best first.
    line
        The expected moves, beginning with its own.
    note
        A sentence of its own.
    overlays
        Values of the vertices of the board.
    """

    value: float | None = None
    measure: str = ""
    proven: bool = False
    depth: int | None = None
    simulations: int | None = None
    nodes: int | None = None
    moves: tuple[Considered, ...] = ()
    line: tuple[str | int, ...] = ()
    note: str = ""
    overlays: tuple[Overlay, ...] = ()


def to_data(info: Any) -> Any:
    """Return an analysis info, checked or not, as JSON-able data, without empty fields."""
    return msgspec.to_builtins(info, str_keys=True, enc_hook=_of_numpy)


def _of_numpy(value: Any) -> Any:
    """Return a number or an array of NumPy as Python's own."""
    if not hasattr(value, "tolist"):
        raise TypeError(f"an analysis has no place for {described(value)}")
    return value.tolist()


def sentence(info: AnalysisInfo) -> str:
    """Return an analysis info as a line of text."""
    parts = []
    if info.value is not None:
        measure = f" {info.measure}" if info.measure else ""
        parts.append(f"{info.value:z.3g}{measure}{', proven' if info.proven else ''}")
    shown = [_shown(each) for each in info.moves[:SHOWN_MOVES]]
    if shown:
        parts.append(", ".join(shown))
    if len(info.line) > 1:
        more = " ..." if len(info.line) > SHOWN_PLIES else ""
        parts.append(f"line {' '.join(map(str, info.line[:SHOWN_PLIES]))}{more}")
    for name in ("depth", "simulations", "nodes"):
        count = getattr(info, name)
        if count is not None:
            parts.append(f"depth {count}" if name == "depth" else f"{count} {name}")
    if info.note:
        parts.append(info.note)
    if info.overlays:
        parts.append(f"overlays: {', '.join(overlay.name for overlay in info.overlays)}")
    return f"thinks: {'; '.join(parts)}" if parts else ""


def _shown(each: Considered) -> str:
    parts = []
    if each.value is not None:
        parts.append(f"{each.value:z.3g}")
    if each.visits is not None:
        parts.append(f"{each.visits} visits")
    return f"{each.move} ({', '.join(parts)})" if parts else str(each.move)


def overlays_of(info: AnalysisInfo, position: PlayedPosition) -> dict[str, Overlay]:
    """Return all overlays for the picture of a position, by name.

    Beside the strategy's own overlays these are ``moves``, the visits or the values of considered
    moves, and ``line``, the expected moves, in games in which people point at moves.

    Parameters
    ----------
    position
        The position in which the move was chosen.
    """
    found = {overlay.name: overlay for overlay in info.overlays}
    numbers: dict[int, float] = {}
    visited = any(each.visits for each in info.moves)
    for each in info.moves:
        number = each.visits if visited else each.value
        for cell in _target(position, str(each.move)) if number else ():
            numbers[cell] = max(numbers.get(cell, -math.inf), float(number or 0.0))
    if numbers:
        found[MOVES] = Overlay(MOVES, tuple(numbers), tuple(numbers.values()))
    steps: dict[int, str] = {}
    board = position.copy()
    for number, move in enumerate(info.line, 1):
        cells = _target(board, str(move))
        if len(cells) == 1:
            steps.setdefault(cells[0], str(number))
        board.push(board.parse(str(move)))
    if steps:
        found[LINE] = Overlay(LINE, tuple(steps), texts=tuple(steps.values()))
    return found


def _target(position: PlayedPosition, move: str) -> list[int]:
    """Return the cells of the last part of a move that people point at."""
    parts = position.game.interaction.pointed(position, position.parse(move))
    return [int(cell) for cell in parts[-1]] if parts else []
