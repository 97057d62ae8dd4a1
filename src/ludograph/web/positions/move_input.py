"""Move input by pointing: cells that can be chosen, and why others are illegal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludograph.analysis.advice import cells_of
from ludograph.errors import IllegalMove
from ludograph.games import Position
from ludograph.games.interaction import tasks
from ludograph.views import EMPTY, Spot
from ludograph.web.positions.serializers import Data, SceneEncoder, line_data

NOTHING = "Nothing can be chosen here"


def choices(position: Position, encoder: SceneEncoder) -> Data:
    """Return the legal moves, each with its parts, which a person chooses on the board.

    A part is a set of cells, or a place beside them. Moves without parts are chosen by their texts.
    ``marked`` are the cells of a set that are marked and that keys reach, if not all of them,
    ``pieces`` what is put there.
    ``tasks`` has the instruction for each part, ``actions`` the texts of buttons; ``confirmation``
    is the text of the button that plays the choice, empty for the move's own text.
    """
    game = position.game
    parts: list[Data] = []
    numbers: dict[Any, int] = {}
    moves = []
    actions: dict[int, str] = {}
    for code in sorted(position.legal_moves()):
        chosen: list[int] = []
        spots = game.interaction.spots(position, code)
        for place, spot in enumerate(spots):
            key: Any = tuple(each.name for each in spots[: place + 1])
            if key not in numbers:
                numbers[key] = len(parts)
                parts.append(_place(spot, encoder))
            chosen.append(numbers[key])
        for cells in () if spots else game.interaction.pointed(position, code):
            key = frozenset(cells)
            if key not in numbers:
                numbers[key] = len(parts)
                parts.append({"cells": sorted(key)})
                if marked := () if chosen else game.interaction.marked(position, code):
                    parts[-1]["marked"] = sorted(marked)
                if put := game.interaction.put(position, code):
                    parts[-1]["pieces"] = [encoder.sketch(sketch) for sketch in put]
            chosen.append(numbers[key])
        text = position.text(code)
        moves.append([code, text, chosen])
        of_many = len(chosen) == 1 and not spots and len(parts[chosen[0]]["cells"]) > 1
        if spots or of_many or not chosen:  # a button plays it, or its words describe it
            action = game.interaction.action(position, code)
            actions |= {code: action} if action != f"Play {text}" else {}
    return {
        "moves": moves,
        "parts": parts,
        "tasks": tasks(position),
        "actions": actions,
        "confirmation": game.interaction.confirmation(position),
    }


def places_of(position: Position, move: int) -> Data:
    """Return a move's places beside the cells, to show it as advice.

    ``parts`` are those of :func:`choices`, and ``shapes`` those of their pieces.
    """
    encoder = SceneEncoder(position.scene())
    spots = position.game.interaction.spots(position, move)
    return {"parts": [_place(spot, encoder) for spot in spots], "shapes": encoder.shapes}


def shown_line(position: Position, line: Sequence[int | str]) -> list[Data]:
    """Return moves that follow a position, with the first one's cells on the board.

    They have the form of :func:`~ludograph.web.positions.serializers.line_data`. If the first one
    is a seat's, it also has ``cells`` and ``places`` (see :func:`places_of`).
    """
    found = line_data(position, line)
    if found and not position.is_chance:
        code = line[0] if isinstance(line[0], int) else position.parse(line[0])
        found[0] |= {"cells": cells_of(position, code), "places": places_of(position, code)}
    return found


def _place(spot: Spot, encoder: SceneEncoder) -> Data:
    """Return a place beside the cells as a part of a move."""
    return {
        "name": spot.name,
        "at": encoder.path(spot.points),
        "center": [round(x) for x in (spot.points.mean(axis=0) * encoder.scale).tolist()],
        "pieces": [encoder.sketch(sketch) for sketch in spot.sketches],
        "note": spot.note,
    }


def cell_explanation(position: Position, chosen: Sequence[int], cell: int) -> str:
    """Return why a person who has chosen some cells cannot choose another one next.

    The intended move is guessed from a legal move with equally many parts: the names of the chosen
    cells replace those of its cells in its text.
    """
    scene = position.scene()
    if not all(0 <= each < scene.size for each in (*chosen, cell)):
        return f"{NOTHING}."
    explanation = position.game.interaction.why_not_cells(position, [*chosen, cell])
    if explanation:
        return f"{explanation}."
    for text in _meant(position, [*chosen, cell]):
        try:
            code = position.parse(text)
        except IllegalMove:
            continue
        if not position.is_legal(code):
            return f"{illegal_move_text(position, code)}."
    fill = int(scene.fills[cell])
    there = "" if fill == EMPTY else f" ({scene.palette[fill].name})"
    name = position.game.presentation.cell_names(position).get(cell, "")
    return f"{NOTHING}: {name}{there}".rstrip(": ") + "."


def point_explanation(position: Position, point: Sequence[int]) -> str:
    """Return why a click on a point outside of all cells and places chooses nothing.

    Parameters
    ----------
    point
        Across and down, in the units of pictures on pages.
    """
    scale = SceneEncoder(position.scene()).scale
    across, down = point
    explanation = position.game.interaction.why_not_at(position, (across / scale, down / scale))
    return f"{explanation or NOTHING}."


def illegal_move_text(position: Position, move: int) -> str:
    """Return a sentence that explains to the person on turn why a move is illegal."""
    reason = position.game.interaction.why_not_move(position, move)
    return f"{position.text(move)} cannot be played{f': {reason}' if reason else ''}"


def _meant(position: Position, cells: Sequence[int]) -> list[str]:
    """Return the texts of the moves with these cells, legal or not."""
    game, scene = position.game, position.scene()
    names = game.presentation.cell_names(position)
    fill = int(scene.fills[cells[-1]])
    texts = []
    for code in position.legal_moves():
        parts = game.interaction.pointed(position, code)
        begins = all(c in part for c, part in zip(cells[:-1], parts, strict=False))
        if len(parts) < len(cells) or not begins:
            continue
        if all(len(part) == 1 for part in parts):
            own = [names.get(next(iter(part)), "") for part in parts]
            text = replaced(position.text(code), own, [names.get(cell, "") for cell in cells])
            texts += [text] if text else []
        break
    if len(cells) == 1:
        texts += [names.get(cells[0], "")]
        texts += [] if fill == EMPTY else [scene.palette[fill].name]
    return [text for text in texts if text]


def replaced(text: str, names: Sequence[str], others: Sequence[str]) -> str:
    """Return a text with names in it replaced, in order; empty if it does not contain them.

    Examples
    --------
    >>> replaced("a1-a4/b4", ["a1", "a4", "b4"], ["a1", "c7"])
    'a1-c7/b4'
    """
    done, rest = "", text
    for place, name in enumerate(names):
        before, match, rest = rest.partition(name)
        if not name or not match:
            return ""
        done += before + (others[place] if place < len(others) else name)
    return done + rest
