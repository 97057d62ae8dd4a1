"""How people choose a move by pointing: legal cells, and why others are not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludograph.errors import IllegalMove
from ludograph.games import Position
from ludograph.games.wording import tasks
from ludograph.views import EMPTY
from ludograph.web.serializers import Data, SceneEncoder

NOTHING = "Nothing can be chosen here"


def choices(position: Position, encoder: SceneEncoder) -> Data:
    """Return the legal moves, each with the parts by which it is chosen on the board.

    A part is some cells, or a place beside them. Moves without parts are chosen by their texts.
    Beside that: what is to be done, part by part, and what moves do, where their texts do not say.
    """
    game = position.game
    parts: list[Data] = []
    numbers: dict[Any, int] = {}
    moves = []
    actions: dict[int, str] = {}
    for code in sorted(position.legal_moves()):
        chosen: list[int] = []
        spots = game.spots(position, code)
        for place, spot in enumerate(spots):
            key: Any = tuple(each.name for each in spots[: place + 1])
            if key not in numbers:
                numbers[key] = len(parts)
                sketches = [encoder.sketch(sketch) for sketch in spot.sketches]
                path = encoder.path(spot.points)
                middle = [round(x) for x in (spot.points.mean(axis=0) * encoder.scale).tolist()]
                found = {"name": spot.name, "at": path, "center": middle, "pieces": sketches}
                parts.append(found)
            chosen.append(numbers[key])
        for cells in () if spots else game.pointed(position, code):
            key = frozenset(cells)
            if key not in numbers:
                numbers[key] = len(parts)
                parts.append({"cells": sorted(key)})
            chosen.append(numbers[key])
        text = position.text(code)
        moves.append([code, text, chosen])
        if spots or not chosen:  # a button plays it, or tells what it would be
            action = game.action(position, code)
            actions |= {code: action} if action != f"Play {text}" else {}
    return {"moves": moves, "parts": parts, "tasks": tasks(position), "actions": actions}


def reason(position: Position, chosen: Sequence[int], cell: int) -> str:
    """Return why the move is not legal that somebody means who has chosen cells and then another.

    What is meant is guessed from a legal move that is chosen in as many parts: the names of its
    cells in its text are put in the place of those that were pointed at.
    """
    scene = position.scene()
    if not all(0 <= each < scene.size for each in (*chosen, cell)):
        return f"{NOTHING}."
    told = position.game.objection(position, [*chosen, cell])
    if told:
        return f"{told}."
    for text in _meant(position, [*chosen, cell]):
        try:
            code = position.parse(text)
        except IllegalMove:
            continue
        if not position.is_legal(code):
            return f"{refusal(position, code)}."
    fill = int(scene.fills[cell])
    there = "" if fill == EMPTY else f" ({scene.palette[fill].name})"
    name = position.game.cell_names(position).get(cell, "")
    return f"{NOTHING}: {name}{there}".rstrip(": ") + "."


def reason_at(position: Position, point: Sequence[int]) -> str:
    """Return why no legal move is pointed at by a point, beside all cells and places.

    Parameters
    ----------
    point
        Across and down, as pictures for pages count.
    """
    scale = SceneEncoder(position.scene()).scale
    across, down = point
    told = position.game.objection_at(position, (across / scale, down / scale))
    return f"{told or NOTHING}."


def refusal(position: Position, move: int) -> str:
    """Return why a move is not legal, for the person who is to move."""
    told = position.game.reason_against(position, move)
    return f"{position.text(move)} cannot be played{f': {told}' if told else ''}"


def _meant(position: Position, cells: Sequence[int]) -> list[str]:
    """Return texts of moves that are chosen by these cells, legal or not."""
    game, scene = position.game, position.scene()
    names = game.cell_names(position)
    fill = int(scene.fills[cells[-1]])
    found = []
    for code in position.legal_moves():
        parts = game.pointed(position, code)
        begins = all(c in part for c, part in zip(cells[:-1], parts, strict=False))
        if len(parts) < len(cells) or not begins:
            continue
        if all(len(part) == 1 for part in parts):
            own = [names.get(next(iter(part)), "") for part in parts]
            text = replaced(position.text(code), own, [names.get(cell, "") for cell in cells])
            found += [text] if text else []
        break
    if len(cells) == 1:
        found += [names.get(cells[0], "")]
        found += [] if fill == EMPTY else [scene.palette[fill].name]
    return [text for text in found if text]


def replaced(text: str, names: Sequence[str], others: Sequence[str]) -> str:
    """Return a text with names in it replaced, in order; empty if it does not hold them.

    Examples
    --------
    >>> replaced("a1-a4/b4", ["a1", "a4", "b4"], ["a1", "c7"])
    'a1-c7/b4'
    """
    done, rest = "", text
    for place, name in enumerate(names):
        before, found, rest = rest.partition(name)
        if not name or not found:
            return ""
        done += before + (others[place] if place < len(others) else name)
    return done + rest
