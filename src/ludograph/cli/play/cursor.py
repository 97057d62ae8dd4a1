"""Moves by keys: a cursor that chooses the cells of a move, or a list of whole moves."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from itertools import groupby

import numpy as np

from ludograph.cli.play.frames import Frame
from ludograph.cli.terminal import DOWN, LEFT, RIGHT, UP
from ludograph.cli.texts import common_start
from ludograph.games import Position
from ludograph.games.interaction import effect
from ludograph.views import Scene, Swatch
from ludograph.views.colors import blend, hexadecimal, parse
from ludograph.views.columns import width

DIRECTIONS = {LEFT: (-1.0, 0.0), RIGHT: (1.0, 0.0), UP: (0.0, -1.0), DOWN: (0.0, 1.0)}

ASIDE = 1.2
"""The weight of a cell's distance from the line of the cursor."""

Marks = dict[int, str]
"""By cell, the signs before and after its symbol on a board without colors."""


class BoardCursor:
    """The cursor on a board, and the parts of a move that are chosen.

    Parameters
    ----------
    near
        The cursor begins at the target nearest to this point; None: nearest to the middle.

    Attributes
    ----------
    parts
        For each legal move, the cells that choose each of its parts: see
        :meth:`ludograph.games.interaction.Interaction.pointed`.
    chosen
        The cells chosen so far.
    cell
        The cell of the cursor; -1 if no move has parts.
    """

    def __init__(
        self,
        position: Position,
        moves: Collection[int],
        near: tuple[float, float] | None = None,
    ) -> None:
        self.position = position
        self.scene: Scene = position.scene().in_cells
        pointed = {move: position.game.interaction.pointed(position, move) for move in moves}
        self.parts = {
            move: [frozenset(part) for part in parts] for move, parts in pointed.items() if parts
        }
        self.chosen: list[int] = []
        self.cell = -1
        targets = sorted(self.targets())
        if targets:
            spots = self.scene.positions
            point = spots.mean(axis=0) if near is None else np.array(near)
            self.put(targets[int(np.abs(spots[targets] - point).sum(axis=1).argmin())])

    def put(self, cell: int) -> None:
        """Put the cursor on a cell."""
        self.cell = cell
        self._aim = self.scene.positions[cell].copy()

    @property
    def point(self) -> tuple[float, float]:
        """The position of the cursor on the picture."""
        x, y = self.scene.positions[self.cell].tolist()
        return x, y

    def begun(self, chosen: Sequence[int]) -> list[int]:
        """Return the legal moves whose first parts are chosen by these cells."""
        return [
            move
            for move, parts in self.parts.items()
            if len(parts) >= len(chosen)
            and all(cell in part for cell, part in zip(chosen, parts, strict=False))
        ]

    def targets(self) -> set[int]:
        """Return the cells that choose the next part of a legal move."""
        step = len(self.chosen)
        parts = (self.parts[move][step:] for move in self.begun(self.chosen))
        return {cell for part in parts if part for cell in part[0]}

    def move(self, key: str) -> None:
        """Move the cursor to the nearest cell in the direction of a key.

        The cursor keeps to its row or column: up and down between shifted rows do not move it
        aside.
        """
        if self.cell < 0:
            return
        right, down = DIRECTIONS[key]
        away = self.scene.positions - self.scene.positions[self.cell]
        beside = self.scene.positions - self._aim
        along = away[:, 0] * right + away[:, 1] * down
        across = np.abs(beside[:, 0] * down) + np.abs(beside[:, 1] * right)
        least = 1e-6 * float(np.abs(away).max())
        ahead = (along > least) & (self.scene.fills >= 0)
        ahead &= np.abs(away[:, 0] * down) + np.abs(away[:, 1] * right) <= 2.0 * along
        if not ahead.any():
            return
        far = np.where(ahead, along + ASIDE * across, np.inf)
        self.cell = int(far.argmin())
        axis = 0 if right else 1
        self._aim[axis] = self.scene.positions[self.cell, axis]

    def next(self, step: int) -> None:
        """Put the cursor on the next target, row by row."""
        spots = self.scene.positions
        order = sorted(self.targets(), key=lambda cell: (round(spots[cell, 1], 6), spots[cell, 0]))
        if order:
            place = order.index(self.cell) + step if self.cell in order else 0
            self.put(order[place % len(order)])

    def choose(self) -> list[int] | None:
        """Choose the cell of the cursor.

        A cell that does not continue the chosen ones begins another move, if one begins there.

        Returns
        -------
        list of int or None
            The moves that are complete now; None if the cell cannot be chosen.
        """
        for chosen in ([*self.chosen, self.cell], [self.cell]):
            begun = self.begun(chosen)
            if begun:
                self.chosen = chosen
                ends = all(len(self.parts[move]) == len(chosen) for move in begun)
                return begun if ends else []
        return None

    def back(self) -> None:
        """Undo the last choice."""
        if self.chosen:
            self.put(self.chosen.pop())

    def explanation(self) -> str:
        """Return why the cursor's cell cannot be chosen next; empty if the game gives no reason."""
        interaction = self.position.game.interaction
        cells = [*self.chosen, self.cell]
        return interaction.why_not_cells(self.position, cells) if self.cell >= 0 else ""

    def description(self, columns: int) -> str:  # noqa: ARG002  (it is short)
        """Return the move that the cell of the cursor would continue, and the name of its color."""
        if self.cell < 0:
            return ""
        swatch = self.scene.palette[int(self.scene.fills[self.cell])].name
        begun = self.begun([*self.chosen, self.cell])
        if begun:
            return f"{self._prefix(begun)}  ({swatch})"
        so_far = self._prefix(self.begun(self.chosen)) if self.chosen else ""
        return f"{so_far}  ({swatch}, nothing to choose)".strip()

    def _prefix(self, moves: Sequence[int]) -> str:
        return common_start([self.position.text(move) for move in moves])

    def marked(self, frame: Frame) -> tuple[Scene, Marks]:
        """Return the picture with marks in color, and the marks of a board without colors."""
        targets = marked_targets(self.scene, self.targets())
        marks = dict.fromkeys(targets, TARGET_SIGN) | dict.fromkeys(self.chosen, CHOSEN_SIGN)
        if self.cell >= 0:
            marks[self.cell] = CURSOR_SIGN
        return frame.lettered(marked_scene(self.scene, marks)), marks


class MovePicker:
    """A selection among the legal moves, which are grouped by their first word.

    Attributes
    ----------
    groups
        The texts of the moves, by group.
    """

    chosen: Sequence[int] = ()

    def __init__(self, position: Position, moves: dict[str, int]) -> None:
        self.position, self.moves = position, moves
        self.groups = [list(group) for _, group in groupby(moves, lambda text: text.split()[0])]
        self.group = self.member = 0

    @property
    def text(self) -> str:
        """The text of the selected move; empty if none is selected."""
        return self.groups[self.group][self.member] if self.group >= 0 else ""

    def move(self, key: str) -> None:
        """Select a move of another group (left, right), or another move of the group (up, down)."""
        step = 1 if key in (RIGHT, DOWN) else -1
        if key in (LEFT, RIGHT) or self.group < 0:
            self.group = (self.group + step) % len(self.groups) if self.group >= 0 else 0
            self.member = 0
        else:
            self.member = (self.member + step) % len(self.groups[self.group])

    def next(self, step: int) -> None:
        """Select the first move of the next group, or of the previous one."""
        self.move(RIGHT if step > 0 else LEFT)

    def choose(self) -> list[int]:
        """Return a list of the selected move; empty if none is selected."""
        return [self.moves[self.text]] if self.text else []

    def back(self) -> None:
        """Select no move."""
        self.group = self.member = -1

    def explanation(self) -> str:
        """Return nothing: there is no move that cannot be chosen."""
        return ""

    def description(self, columns: int) -> str:
        """Return the selected move, its place, and its effect if that fits in the line."""
        if not self.text:
            return ""
        place = f"place {self.group + 1} of {len(self.groups)}"
        place += f", way {self.member + 1} of {len(self.groups[self.group])}"
        does = effect(self.position, self.moves[self.text])
        full = f"{self.text}  ({does}; {place})"
        return full if does and width(full) <= columns else f"{self.text}  ({place})"

    def marked(self, frame: Frame) -> tuple[Scene, Marks]:
        """Return the picture after the selected move; its place has a mark in plain text."""
        board = self.position.copy()
        for move in self.choose():
            board.play(move)
        scene = dataclasses.replace(frame, position=board).scene()
        places = [stroke.cells[-1] for stroke in scene.strokes[-1:]]
        return scene, dict.fromkeys(places, CURSOR_SIGN)


TARGET, CHOSEN = "#1f9d55", "#ff8c1a"
CURSORS = ("#ff2fd0", "#ffff2e", "#12e0ff")
"""The possible colors of the cursor; the least similar one to the board's colors is used."""

TARGET_SIGN, CHOSEN_SIGN, CURSOR_SIGN = "+ ", "()", "[]"
"""The signs around the symbol of a cell if there are no colors."""


def marked_scene(scene: Scene, marks: Marks) -> Scene:
    """Return a picture with the marks of cells in color."""
    palette, fills, labels = list(scene.palette), scene.fills.copy(), dict(scene.labels)
    inks = [parse(swatch.rgb) for swatch in palette]
    cursor = max(CURSORS, key=lambda rgb: min(distance(parse(rgb), ink) for ink in inks))
    for cell, sign in marks.items():
        old = palette[int(fills[cell])]
        target = hexadecimal(blend(parse(old.rgb), parse(TARGET), 0.5))
        color = {TARGET_SIGN: target, CHOSEN_SIGN: CHOSEN, CURSOR_SIGN: cursor}[sign]
        swatch = Swatch(old.name, color, old.symbol)
        if swatch not in palette:
            palette.append(swatch)
        fills[cell] = palette.index(swatch)
        if sign == CURSOR_SIGN:
            labels[cell] = sign
    return dataclasses.replace(scene, palette=tuple(palette), fills=fills, labels=labels)


def marked_targets(scene: Scene, targets: Collection[int]) -> list[int]:
    """Return the targets to mark; none if the targets are all cells of their colors."""
    fills = set(scene.fills[sorted(targets)].tolist())
    alike = int(np.isin(scene.fills, list(fills)).sum())
    return sorted(targets) if alike > len(targets) else []


def distance(color: tuple[int, int, int], other: tuple[int, int, int]) -> int:
    """Return the difference of two colors."""
    return sum((a - b) ** 2 for a, b in zip(color, other, strict=True))
