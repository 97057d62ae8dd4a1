"""Moves by keys: a cursor that chooses the cells of a move, or a list of whole moves."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from ludograph.cli.play.options import PLAIN, Lettering
from ludograph.cli.terminal import keyboard
from ludograph.cli.texts import common_start
from ludograph.games.interaction import effect
from ludograph.views import Scene, Swatch
from ludograph.views.colors import blend, hexadecimal, parse

if TYPE_CHECKING:
    from ludograph.games import Position

DIRECTIONS = {
    keyboard.LEFT: (-1.0, 0.0),
    keyboard.RIGHT: (1.0, 0.0),
    keyboard.UP: (0.0, -1.0),
    keyboard.DOWN: (0.0, 1.0),
}

ASIDE = 1.2
"""The weight of a cell's distance from the line of the cursor."""


class BoardCursor:
    """The cursor on a board, and the parts of a move that are chosen.

    Attributes
    ----------
    parts
        For each legal move, the cells that choose each of its parts: see
        :meth:`ludograph.games.interaction.Interaction.pointed`.
    chosen
        The cells chosen so far.
    """

    def __init__(self, position: Position, moves: Collection[int]) -> None:
        self.position = position
        self.scene: Scene = position.scene().in_cells
        pointed = {move: position.game.interaction.pointed(position, move) for move in moves}
        self.parts = {
            move: [frozenset(part) for part in parts] for move, parts in pointed.items() if parts
        }
        self.chosen: list[int] = []
        self.cell = -1
        self._aim = np.zeros(2)

    def place(self, near: tuple[float, float] | None) -> None:
        """Put the cursor on the target that is nearest to a point, or to the middle."""
        targets = sorted(self.targets())
        if not targets:
            return
        spots = self.scene.positions
        point = spots.mean(axis=0) if near is None else np.array(near)
        away = np.abs(spots[targets] - point).sum(axis=1)
        self.put(targets[int(away.argmin())])

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
        found: set[int] = set()
        for move in self.begun(self.chosen):
            if len(self.parts[move]) > step:
                found |= self.parts[move][step]
        return found

    def move(self, key: str) -> None:
        """Move the cursor to the nearest cell in the direction of a key.

        The cursor keeps to its row or column: up and down between shifted rows do not move it
        aside.
        """
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

    def can_choose(self) -> bool:
        """Tell whether the cell of the cursor continues the chosen ones, or begins another move."""
        if self.cell in self.targets():
            return True
        return bool(self.chosen) and any(self.cell in parts[0] for parts in self.parts.values())

    def choose(self) -> list[int]:
        """Choose the cell of the cursor; return the moves that are complete now.

        A cell that does not continue the chosen ones begins another move, if one begins there.
        """
        if not self.can_choose():
            return []
        if self.cell not in self.targets():
            self.chosen = []
        step = len(self.chosen)
        self.chosen.append(self.cell)
        whole = [move for move in self.begun(self.chosen) if len(self.parts[move]) == step + 1]
        longer = [move for move in self.begun(self.chosen) if len(self.parts[move]) > step + 1]
        return [] if longer else whole

    def back(self) -> bool:
        """Undo the last choice; return whether there was one."""
        if not self.chosen:
            return False
        self.put(self.chosen.pop())
        return True

    def explanation(self) -> str:
        """Return why the cursor's cell cannot be chosen next; empty if the game gives no reason."""
        if self.cell < 0:
            return ""
        return self.position.game.interaction.why_not_cells(
            self.position, [*self.chosen, self.cell]
        )

    def description(self) -> str:
        """Return the move that the cell of the cursor would continue, and the name of its color."""
        swatch = self.scene.palette[int(self.scene.fills[self.cell])].name
        begun = self.begun([*self.chosen, self.cell]) if self.cell in self.targets() else []
        if begun:
            return f"{self.prefix(begun)}  ({swatch})"
        so_far = self.prefix(self.begun(self.chosen)) if self.chosen else ""
        return f"{so_far}  ({swatch}, nothing to choose)".strip()

    def prefix(self, moves: Sequence[int]) -> str:
        """Return the common beginning of the texts of some moves."""
        return common_start([self.position.text(move) for move in moves])


class MovePicker:
    """A selection among the legal moves, which are grouped by their first word.

    Attributes
    ----------
    groups
        The texts of the moves, by group.
    """

    def __init__(self, position: Position, moves: dict[str, int]) -> None:
        self.position, self.moves = position, moves
        self.groups = [list(group) for _, group in groupby(moves, lambda text: text.split()[0])]
        self.group = self.member = -1

    @property
    def text(self) -> str:
        """The text of the selected move; empty if none is selected."""
        return self.groups[self.group][self.member] if self.group >= 0 else ""

    def move(self, key: str) -> None:
        """Select a move of another group (left, right), or another move of the group (up, down)."""
        if self.group < 0:
            self.group = self.member = 0
        elif key in (keyboard.LEFT, keyboard.RIGHT):
            self.group += 1 if key == keyboard.RIGHT else -1
            self.group %= len(self.groups)
            self.member = 0
        else:
            self.member += 1 if key == keyboard.DOWN else -1
            self.member %= len(self.groups[self.group])

    def next(self, step: int) -> None:
        """Select the first move of the next group, or of the previous one."""
        self.move(keyboard.RIGHT if step > 0 else keyboard.LEFT)

    def choose(self) -> list[int]:
        """Return a list of the selected move; empty if none is selected."""
        return [self.moves[self.text]] if self.text else []

    def back(self) -> bool:
        """Select no move; return whether one was selected."""
        shown = self.group >= 0
        self.group = self.member = -1
        return shown

    def scene(self, lettering: Lettering = PLAIN) -> Scene:
        """Return the picture after the selected move."""
        board = self.position.copy()
        if self.text:
            board.play(self.moves[self.text])
        return board.scene(numbers=lettering.numbers, names=lettering.names)

    def description(self, columns: int) -> str:
        """Return the selected move, its effect and its place, as far as they fit in the line."""
        if not self.text:
            return ""
        place = f"place {self.group + 1} of {len(self.groups)}"
        members = len(self.groups[self.group])
        does = effect(self.position, self.moves[self.text])
        what = f"{does}; " if does else ""
        way = f", way {self.member + 1} of {members}"
        lines = [
            f"{self.text}  ({rest})" for rest in (what + place + way, what + place, place + way)
        ]
        return next((line for line in lines if len(line) <= columns), lines[-1])


TARGET = "#1f9d55"
CHOSEN = "#ff8c1a"
CURSORS = ("#ff2fd0", "#ffff2e", "#12e0ff")
"""The possible colors of the cursor; the least similar one to the board's colors is used."""

SIGN = "[]"
AROUND = {"target": "+ ", "chosen": "()", "cursor": SIGN}
"""The signs around the symbol of a cell if there are no colors."""


def marked_scene(
    scene: Scene, cursor: int, chosen: Collection[int], targets: Collection[int]
) -> Scene:
    """Return a picture with marks in color."""
    palette, fills, labels = list(scene.palette), scene.fills.copy(), dict(scene.labels)

    def paint(cell: int, rgb: str) -> None:
        old = palette[int(fills[cell])]
        swatch = Swatch(old.name, rgb, old.symbol)
        if swatch not in palette:
            palette.append(swatch)
        fills[cell] = palette.index(swatch)

    for cell in marked_targets(scene, targets):
        own = parse(palette[int(fills[cell])].rgb)
        paint(cell, hexadecimal(blend(own, parse(TARGET), 0.5)))
    for cell in chosen:
        paint(cell, CHOSEN)
    if cursor >= 0:
        inks = [parse(swatch.rgb) for swatch in scene.palette]
        paint(cursor, max(CURSORS, key=lambda rgb: min(distance(parse(rgb), i) for i in inks)))
        labels[cursor] = SIGN
    return dataclasses.replace(scene, palette=tuple(palette), fills=fills, labels=labels)


def marks_in_text(
    scene: Scene, cursor: int, chosen: Collection[int], targets: Collection[int]
) -> dict[int, str]:
    """Return the marks for plain text: by cell, the signs before and after its symbol."""
    found = dict.fromkeys(marked_targets(scene, targets), AROUND["target"])
    found |= dict.fromkeys(chosen, AROUND["chosen"])
    if cursor >= 0:
        found[cursor] = AROUND["cursor"]
    return found


def marked_targets(scene: Scene, targets: Collection[int]) -> list[int]:
    """Return the targets to mark; none if the targets are all cells of their colors."""
    fills = set(scene.fills[sorted(targets)].tolist())
    alike = int(np.isin(scene.fills, list(fills)).sum())
    return sorted(targets) if alike > len(targets) else []


def distance(color: tuple[int, int, int], other: tuple[int, int, int]) -> int:
    """Return the difference of two colors."""
    return sum((a - b) ** 2 for a, b in zip(color, other, strict=True))
