"""What a strategy thinks of the move that it has just chosen: one form for all who offer it.

A strategy, or a bot, offers it by a method ``thoughts()`` that is called right behind its move,
when somebody wants to know. It returns :class:`Thoughts`, or a mapping with the same fields, such
as JSON holds. Whatever comes from a player is checked by :func:`understood` and becomes
:class:`Thoughts` whose moves are texts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from ludograph.errors import IllegalMove
from ludograph.quoting import described, one_line
from ludograph.views.scene import Overlay

if TYPE_CHECKING:
    from ludograph.games.position import Position

MOST_MOVES = 2_000
MOST_PLIES = 500
MOST_OVERLAYS = 16
MOST_CELLS = 20_000
"""Of all overlays together."""
TEXT_LIMIT = 200
WORD_LIMIT = 40
LABEL_LIMIT = 6

MOVES, LINE = "moves", "line"
"""Names of the overlays that every game has where a strategy tells its moves."""

SHOWN_MOVES = 3
SHOWN_PLIES = 8


class UnsoundThoughts(ValueError):
    """Thoughts that cannot be: one sentence says why. They change nothing about the game."""


class Considered(msgspec.Struct, frozen=True):
    """A move that was looked at.

    Attributes
    ----------
    move
        Its text; a strategy may give the code.
    value
        What it is worth, in the measure of the whole; None where that is not known.
    visits
        How often it was tried.
    """

    move: str | int
    value: float | None = None
    visits: int | None = None


class Thoughts(msgspec.Struct, frozen=True):
    """What a strategy thinks of the move that it has chosen.

    Attributes
    ----------
    value
        What it expects for itself.
    measure
        What values are: ``win`` (0 is lost, 1 is won), ``points`` (its own less the best other's),
        or a word of its own.
    proven
        Whether the value is certain.
    depth, simulations, nodes
        How far it has looked: plies, games or descents, positions.
    moves
        What it looked at, the best first.
    line
        How it expects the game to go on: the moves from its own on.
    note
        A sentence of its own.
    overlays
        What it thinks of the vertices of the board.
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


def understood(told: Any, position: Position) -> Thoughts:
    """Check thoughts of any origin.

    Parameters
    ----------
    told
        :class:`Thoughts`, or a mapping with its fields.
    position
        In which the move was chosen; the moves are legal there.

    Raises
    ------
    UnsoundThoughts
        If they are not of this form, too large, or name moves or vertices that are not there.
    """
    try:
        told = msgspec.convert(as_sent(told), Thoughts)
    except Exception as error:  # noqa: BLE001  (a player's own objects)
        raise UnsoundThoughts(one_line(str(error), TEXT_LIMIT)) from None
    for name in ("depth", "simulations", "nodes"):
        count = getattr(told, name)
        if count is not None and not 0 <= count < 1 << 63:
            raise UnsoundThoughts(f"{name} is {described(count)}")
    limits = {"moves": MOST_MOVES, "line": MOST_PLIES, "overlays": MOST_OVERLAYS}
    for name, most in limits.items():
        if len(getattr(told, name)) > most:
            raise UnsoundThoughts(f"{name} has {len(getattr(told, name))} entries, {most} may be")
    if sum(len(overlay.cells) for overlay in told.overlays) > MOST_CELLS:
        raise UnsoundThoughts(f"overlays have more than {MOST_CELLS} cells")
    return Thoughts(
        value=finite(told.value, "value"),
        measure=one_line(told.measure, WORD_LIMIT),
        proven=told.proven,
        depth=told.depth,
        simulations=told.simulations,
        nodes=told.nodes,
        moves=tuple(_considered(told.moves, position)),
        line=tuple(_line(told.line, position)),
        note=one_line(told.note, TEXT_LIMIT),
        overlays=tuple(_overlay(overlay, position.board.n) for overlay in told.overlays),
    )


def finite(value: float | None, what: str) -> float | None:
    """Return a number to six digits; raise UnsoundThoughts if it is not finite."""
    if value is None:
        return None
    if not math.isfinite(value):
        raise UnsoundThoughts(f"{what} is {value}, which is not finite")
    return float(f"{value:.6g}")


def _code(position: Position, move: str | int) -> int:
    """Return the code of a move that is given by its text or its code."""
    try:
        code = position.parse(move) if isinstance(move, str) else move
        position.text(code)
    except IllegalMove as error:
        raise UnsoundThoughts(str(error)) from None
    return code


def _considered(moves: Sequence[Considered], position: Position) -> Iterable[Considered]:
    legal = set(position.legal_moves()) if moves else set()
    for each in moves:
        code = _code(position, each.move)
        if code not in legal:
            raise UnsoundThoughts(position.why_not(code))
        text = position.text(code)
        if each.visits is not None and not 0 <= each.visits < 1 << 63:
            raise UnsoundThoughts(f"visits of {text} are {described(each.visits)}")
        yield Considered(text, finite(each.value, f"the value of {text}"), each.visits)


def _line(moves: Sequence[str | int], position: Position) -> Iterable[str]:
    board = position.copy()
    for move in moves:
        code = _code(board, move)
        if not board.is_legal(code):
            raise UnsoundThoughts(f"line: {board.why_not(code)}")
        yield board.text(code)
        board.push(code)


def _overlay(overlay: Overlay, vertices: int) -> Overlay:
    name = one_line(overlay.name, WORD_LIMIT)
    if not name or name in (MOVES, LINE):
        raise UnsoundThoughts(f"an overlay cannot be called {name!r}")
    if len(set(overlay.cells)) < len(overlay.cells):
        raise UnsoundThoughts(f"overlay {name}: a vertex comes twice")
    for cell in overlay.cells:
        if not 0 <= cell < vertices:
            raise UnsoundThoughts(f"overlay {name}: there is no vertex {described(cell)}")
    for what in ("values", "texts"):
        given = getattr(overlay, what)
        if given is not None and len(given) != len(overlay.cells):
            raise UnsoundThoughts(
                f"overlay {name}: {len(given)} {what} for {len(overlay.cells)} cells"
            )
    values, texts = overlay.values, overlay.texts
    return Overlay(
        name,
        tuple(overlay.cells),
        None if values is None else tuple(finite(v, f"overlay {name}") or 0.0 for v in values),
        None if texts is None else tuple(one_line(text, LABEL_LIMIT) for text in texts),
    )


def to_data(thoughts: Thoughts) -> dict[str, Any]:
    """Return thoughts as JSON-able data, without what is not told."""
    return {key: _plain(value) for key, value in _told(thoughts)}


def _told(struct: msgspec.Struct) -> Iterable[tuple[str, Any]]:
    for field in msgspec.structs.fields(struct):
        value = getattr(struct, field.name)
        if field.required or value != field.default:
            yield field.name, value


def _plain(value: Any) -> Any:
    """Return a field as JSON-able data."""
    if isinstance(value, Considered):
        return {key: _plain(each) for key, each in _told(value)}
    if isinstance(value, Overlay):
        named = {"values": value.values, "texts": value.texts}
        more = {key: list(each) for key, each in named.items() if each is not None}
        return {"name": value.name, "cells": list(value.cells), **more}
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


def sentence(thoughts: Thoughts) -> str:
    """Return thoughts in a line for people."""
    parts = []
    if thoughts.value is not None:
        measure = f" {thoughts.measure}" if thoughts.measure else ""
        parts.append(f"{thoughts.value:.3g}{measure}{', proven' if thoughts.proven else ''}")
    shown = [_shown(each) for each in thoughts.moves[:SHOWN_MOVES]]
    if shown:
        parts.append(", ".join(shown))
    if len(thoughts.line) > 1:
        more = " ..." if len(thoughts.line) > SHOWN_PLIES else ""
        parts.append(f"line {' '.join(map(str, thoughts.line[:SHOWN_PLIES]))}{more}")
    for name in ("depth", "simulations", "nodes"):
        count = getattr(thoughts, name)
        if count is not None:
            parts.append(f"depth {count}" if name == "depth" else f"{count} {name}")
    if thoughts.note:
        parts.append(thoughts.note)
    if thoughts.overlays:
        parts.append(f"overlays: {', '.join(overlay.name for overlay in thoughts.overlays)}")
    return f"thinks: {'; '.join(parts)}" if parts else ""


def _shown(each: Considered) -> str:
    told = []
    if each.value is not None:
        told.append(f"{each.value:.3g}")
    if each.visits is not None:
        told.append(f"{each.visits} visits")
    return f"{each.move} ({', '.join(told)})" if told else str(each.move)


def overlays_of(thoughts: Thoughts, position: Position) -> dict[str, Overlay]:
    """Return all that can be laid over the picture of a position, by name.

    Beside the strategy's own overlays these are ``moves``, the visits or the values of what it
    looked at, and ``line``, the moves that it expects, in games in which people point at moves.

    Parameters
    ----------
    position
        In which the move was chosen.
    """
    found = {overlay.name: overlay for overlay in thoughts.overlays}
    numbers: dict[int, float] = {}
    visited = any(each.visits for each in thoughts.moves)
    for each in thoughts.moves:
        number = each.visits if visited else each.value
        for cell in _target(position, str(each.move)) if number else ():
            numbers[cell] = max(numbers.get(cell, -math.inf), float(number or 0.0))
    if numbers:
        found[MOVES] = Overlay(MOVES, tuple(numbers), tuple(numbers.values()))
    steps: dict[int, str] = {}
    board = position.copy()
    for number, move in enumerate(thoughts.line, 1):
        cells = _target(board, str(move))
        if len(cells) == 1:
            steps.setdefault(cells[0], str(number))
        board.push(board.parse(str(move)))
    if steps:
        found[LINE] = Overlay(LINE, tuple(steps), texts=tuple(steps.values()))
    return found


def _target(position: Position, move: str) -> list[int]:
    """Return the cells at which people point last for a move."""
    parts = position.game.pointed(position, position.parse(move))
    return [int(cell) for cell in parts[-1]] if parts else []


def as_sent(told: Any) -> Any:
    """Return thoughts as JSON-able data, unchecked: what a player in another process sends."""
    if isinstance(told, Thoughts):
        return to_data(told)
    if isinstance(told, Mapping):
        return {str(key): as_sent(value) for key, value in told.items()}
    if isinstance(told, Overlay | Considered):
        return _plain(told)
    if isinstance(told, list | tuple):
        return [as_sent(each) for each in told]
    if hasattr(told, "tolist"):  # numpy's numbers and arrays
        return told.tolist()
    return told
