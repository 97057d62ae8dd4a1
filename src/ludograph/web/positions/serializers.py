"""Positions, moves, pictures and analysis info as data for the browser's code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np

from ludograph.analysis.measure import counts_points
from ludograph.games import Position
from ludograph.games.analysis_info import MOVES, AnalysisInfo, overlays_of
from ludograph.games.pictures import holding
from ludograph.games.presentation import terms_text
from ludograph.views import Region, Scene, Shape, Sketch, elements, svg
from ludograph.views.canvas import Canvas, ink, is_faint
from ludograph.views.colors import hexadecimal, parse, readable
from ludograph.views.polygons import Borders, bounds, inner_radii, node_radii
from ludograph.views.scene import Floats
from ludograph.web.positions.thoughts import considered_moves, in_words
from ludograph.web.positions.wording import display_names


def frame(
    position: Position,
    encoder: SceneEncoder,
    names: Sequence[str],
    specs: Sequence[str | None] = (),
    levels: Sequence[int] = (),
) -> Data:
    """Return a frame: a position for pages, with its picture, its seats, its scores.

    Parameters
    ----------
    specs
        By seat, the player as written on the command line, or None if unknown.
    levels
        By seat, the number of the player's level; 0 if it was not chosen as a level.
    """
    scene = position.scene()
    scores = list(position.scores())
    shown = display_names(names, levels)
    return {
        "ply": position.ply,
        "turn": position.turn,
        "over": position.is_over,
        "picture": encoder.picture(
            scene, focus(position, scene), position.game.presentation.regions(position)
        ),
        "seats": [
            seat_data(position, scene, seat, name)
            | {"spec": (specs[seat] if seat < len(specs) else None) or "", "shown": shown[seat]}
            for seat, name in enumerate(names)
        ],
        "scores": scores,
        "leads": leader(scores),
        "breakdown": breakdown_data(position),
        "remains": "; ".join(filter(None, (*scene.captions, scene.remains))),
    }


def focus(position: Position, scene: Scene) -> int | None:
    """Return the cell of the last move, for a picture that grows with the game.

    None for pictures of a fixed size, and if no move has a cell yet.
    """
    if not scene.sketches:
        return None
    ends = [way[-1] for way in position.game.presentation.ways(position) if len(way)]
    return ends[-1] if ends else None


def leader(scores: Sequence[float]) -> int | None:
    """Return the seat with most points; None if several have them."""
    most = max(scores, default=0.0)
    return scores.index(most) if list(scores).count(most) == 1 and len(scores) > 1 else None


def breakdown_data(position: Position) -> Data | None:
    """Return the parts of all seats' points; None for a game without them."""
    breakdown = position.game.presentation.breakdown(position)
    if breakdown is None:
        return None
    return {
        "columns": list(breakdown.columns),
        "rows": breakdown.rows(),
        "caption": breakdown.caption(),
    }


def seat_data(position: Position, scene: Scene, seat: int, name: str) -> Data:
    """Return a seat as data."""
    facts = position.game.presentation.seat_facts(position, seat)
    return {
        "name": name,
        "color": facts.color,
        "chip": chip(scene, seat, facts.color),
        "holding": holding(position, scene, seat),
        "stuck": "" if position.is_over else facts.stuck,
        "terms": terms_text(facts.terms),
    }


def chip(scene: Scene, seat: int, named: str) -> str:
    """Return the color that a seat has on the picture, as ``#rrggbb``; empty if it has none.

    Parameters
    ----------
    named
        The name of the seat's color, such as ``black``; empty if it has none.
    """
    for swatch in (*scene.in_cells.palette[::-1], *scene.palette):  # players come after grounds
        if named and swatch.name == named:
            return swatch.rgb
    if scene.groups is None:
        return ""
    fills = set(scene.fills[scene.groups == seat].tolist())
    return scene.palette[fills.pop()].rgb if len(fills) == 1 else ""


def moved(position: Position, seat: int | None, move: int, seconds: float) -> Data:
    """Return a move of a game; ``position`` is the one after it."""
    way: Sequence[int] = ()
    if position.history:
        *_, way = position.game.presentation.ways(position)
    data = move_data(position, seat, move)
    text = position.text(move)
    data |= {"code": text} if text not in data["text"] and seat is not None else {}
    return data | {"seconds": round(seconds, 3), "way": list(way)}


def move_data(position: Position, seat: int | None, move: int) -> Data:
    """Return a move's player, number and text; ``position`` is the one after it.

    The number counts the moves of players: a move of chance has none.
    """
    presentation = position.game.presentation
    data: Data = {"seat": seat, "text": presentation.label(position, move)}
    if seat is not None:
        data["number"] = position.move_count
        data["color"] = presentation.seat_facts(position, seat).color
    return data | {"announcement": presentation.announce(position, move)}


def line_data(position: Position, line: Iterable[int | str]) -> list[Data]:
    """Return legal moves of seats and of chance that follow a position.

    Each has the fields of :func:`move_data`, and ``move``, as it is typed.
    """
    board = position.copy()
    found: list[Data] = []
    for move in line:
        code = board.parse(move) if isinstance(move, str) else move
        seat, text = None if board.is_chance else board.turn, board.text(code)
        board.push(code)
        found.append({"move": text} | move_data(board, seat, code))
    return found


def view(thoughts: AnalysisInfo | None, before: Position) -> Data | None:
    """Return thoughts for a page: ``text`` and ``overlays``; None without any.

    Parameters
    ----------
    before
        The position in which the move was chosen.
    """
    if thoughts is None:
        return None
    considered = considered_moves(thoughts, before)
    overlays: list[Data] = [{"name": MOVES, "moves": considered}] if considered else []
    others = overlays_of(thoughts, before).values()
    overlays += [msgspec.to_builtins(each) for each in others if each.name != MOVES]
    text = in_words(thoughts, before.seats, points=counts_points(before))
    return {"text": text, "overlays": overlays} if text or overlays else None


Data = dict[str, Any]

UNIT = 200
"""The side of a usual cell in pictures on pages."""

MOST_NAMED = 3000
"""Cells of larger boards have no names."""


class SceneEncoder:
    """Turns the pictures of one game into data.

    Repeated shapes (stones, tiles) have numbers: a picture has the numbers, and :attr:`shapes` the
    shapes of all numbers so far.

    Parameters
    ----------
    scene
        Any scene of the game.
    """

    def __init__(self, scene: Scene) -> None:
        self._canvas = Canvas.bare(scene, UNIT)
        self.scale = self._canvas.scale
        self.shapes: list[list[Data]] = []
        self._numbers: dict[tuple[Shape, ...], int] = {}
        self._extents: dict[tuple[Shape, ...], tuple[float, ...]] = {}
        self._borders: Borders | None = None

    def board(self, position: Position) -> Data:
        """Return the fixed part of a game's pictures: the cells; none in pictures made of sketches.

        Parameters
        ----------
        position
            Any position of the game.
        """
        scene = position.scene()
        if scene.sketches:
            return {"cells": 0}
        everything = np.arange(scene.size, dtype=np.intp)
        radii = inner_radii(scene, everything) * self.scale
        return {
            "cells": scene.size,
            "offsets": scene.outline_offsets.tolist(),
            "points": self._flat(scene.outline_points),
            "centers": self._flat(scene.positions),
            "radii": np.rint(radii).astype(int).tolist(),
            "names": list(position.game.presentation.cell_names(position).items())
            if scene.size <= MOST_NAMED
            else [],
            "discs": []
            if scene.links is None
            else np.rint(node_radii(scene, everything) * self.scale).astype(int).tolist(),
        }

    def picture(
        self, scene: Scene, focus: int | None = None, regions: Sequence[Region] = ()
    ) -> Data:
        """Return the part of a picture that changes during a game.

        Parameters
        ----------
        focus
            The cell of the last move.
        regions
            The regions for questions of a person.
        """
        lying = [sketch for sketch in scene.sketches if not sketch.held]
        data: Data = {
            "bounds": self._around(lying) if lying else self._flat(np.stack(bounds(scene))),
            "rows": [[self._one(scene.positions[c, 1]), text] for c, text in scene.rows.items()],
            "columns": [
                [self._one(scene.positions[c, 0]), text] for c, text in scene.columns.items()
            ],
        }
        if focus is not None:
            data["focus"] = self._flat(scene.positions[focus])
        if scene.sketches:
            data["sketches"] = [self.sketch(sketch) for sketch in lying]
            data["regions"] = [
                [region.text, region.color, [self.sketch(each)[:3] for each in region.cover]]
                for region in regions
            ]
            held = [sketch for sketch in scene.sketches if sketch.held]
            if held:
                sketches = [self.sketch(sketch) for sketch in held]
                data["hand"] = {"bounds": self._around(held), "sketches": sketches}
            return data
        return data | {
            "fills": scene.fills.tolist(),
            "palette": [
                [
                    *(each.name, ink(each.rgb), each.symbol),
                    hexadecimal(readable(parse(each.rgb))),
                    *(ink(color) if color else "" for color in (each.edge, each.rim)),
                ]
                for each in scene.palette
            ],
            "signs": signs(scene),
            "ground": [self.sketch(each) for each in scene.ground],
            "labels": sorted(labels(scene).items()),
            "zones": self._zones(scene),
            "links": [
                {"d": path, "color": color, "width": round(UNIT * width)}
                for path, color, width in elements.owned_links(self._canvas, scene)
            ],
            "strokes": [
                {
                    "cells": list(stroke.cells),
                    "color": ink(stroke.rgb),
                    "casing": hexadecimal(readable(parse(stroke.rgb))),
                    "below": stroke.below,
                    "arrow": stroke.arrow,
                }
                for stroke in scene.strokes
            ],
            "pieces": [self.sketch(piece) for piece in scene.pieces],
        }

    def sketch(self, sketch: Sketch) -> list[int]:
        """Return a sketch as the number of its shapes, its place and its level."""
        number = self._numbers.get(sketch.shapes)
        if number is None:
            number = self._numbers[sketch.shapes] = len(self.shapes)
            self.shapes.append([self._shape(shape) for shape in sketch.shapes])
        x, y = sketch.place
        return [number, self._one(x), self._one(y), sketch.level]

    def _around(self, sketches: Sequence[Sketch]) -> list[int]:
        """Return left, top, right and bottom of some sketches together."""
        lefts, tops, rights, bottoms = zip(
            *(
                (x + left, y + top, x + right, y + bottom)
                for (x, y), (left, top, right, bottom) in (
                    (sketch.place, self._extent(sketch.shapes)) for sketch in sketches
                )
            ),
            strict=True,
        )
        return [self._one(x) for x in (min(lefts), min(tops), max(rights), max(bottoms))]

    def _extent(self, shapes: tuple[Shape, ...]) -> tuple[float, ...]:
        """Return left, top, right and bottom of some shapes, around their origin."""
        extent = self._extents.get(shapes)
        if extent is None:
            points = np.concatenate([shape.points for shape in shapes])
            extent = (*points.min(axis=0).tolist(), *points.max(axis=0).tolist())
            self._extents[shapes] = extent
        return extent

    def path(self, points: Floats, *, closed: bool = True, curved: bool = False) -> str:
        """Return a polygon, a line or a spline as the path of an SVG picture."""
        numbers = np.rint(np.asarray(points) * self.scale).astype(int).tolist()
        texts = [f"{x} {y}" for x, y in numbers]
        steps = f"{texts[0]}C{' '.join(texts[1:])}" if curved else "L".join(texts)
        return f"M{steps}{'Z' if closed else ''}"

    def _shape(self, shape: Shape) -> Data:
        data: Data = {"d": self.path(shape.points, closed=shape.closed, curved=shape.curved)}
        if shape.fill:
            data["fill"] = ink(shape.fill)
        if shape.fade:
            data["fade"] = ink(shape.fade)
        if shape.opacity < 1:
            data["opacity"] = shape.opacity
        if shape.line:
            data |= {"line": ink(shape.line), "width": round(shape.width * self.scale, 1)}
            data |= {"blunt": True} if shape.blunt else {}
        return data

    def _zones(self, scene: Scene) -> list[Data]:
        """Return the border of each group."""
        zones: list[Data] = []
        for number, color, inside in elements.groups(scene):
            if self._borders is None:
                self._borders = Borders(scene)
            dashes = elements.DASHES[number % len(elements.DASHES)]
            zones.append(
                {
                    "d": elements.border_path(self._canvas, scene, self._borders, inside),
                    "color": color,
                    "casing": hexadecimal(readable(parse(color))),
                    "dash": [round(UNIT * sides) for sides in dashes],
                    "faint": is_faint(color),
                }
            )
        return zones

    def _one(self, value: float) -> int:
        return round(float(value) * self.scale)

    def _flat(self, points: Floats) -> list[int]:
        numbers: list[int] = np.rint(points * self.scale).astype(int).ravel().tolist()
        return numbers


def signs(scene: Scene) -> str:
    """Return a sign for each cell, if they are not those of the picture's own palette.

    A game that draws pieces on its cells has their colors only in the cells for terminals.
    """
    if scene.look is None:
        return ""
    cells = scene.in_cells
    return "".join(cells.palette[fill].symbol if fill >= 0 else " " for fill in cells.fills)


def labels(scene: Scene) -> dict[int, str]:
    """Return the texts on cells; people count seats from 1, so the number of a seat does too."""

    def label(cell: int, text: str) -> str:
        is_seat = scene.groups is not None and text == str(scene.groups[cell])
        return str(int(text) + 1) if is_seat else text

    return {cell: label(cell, text) for cell, text in scene.labels.items()}


def small_svg(scene: Scene) -> str:
    """Return a picture of a position for a card or a form, as SVG."""
    return svg.render(replace(scene, labels=labels(scene)), size=360)
