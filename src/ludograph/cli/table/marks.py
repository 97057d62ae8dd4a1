"""Marks on the picture of a board: the cursor, what is chosen, what can be chosen."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection

import numpy as np

from ludograph.views import Scene, Swatch
from ludograph.views.colors import blend, hexadecimal, parse

TARGET = "#1f9d55"
CHOSEN = "#ff8c1a"
CURSORS = ("#ff2fd0", "#ffff2e", "#12e0ff")
"""The one is taken that is least like the colors of the board."""

SIGN = "[]"
AROUND = {"target": "+ ", "chosen": "()", "cursor": SIGN}
"""What stands around a symbol where there are no colors."""


def marked(scene: Scene, cursor: int, chosen: Collection[int], targets: Collection[int]) -> Scene:
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


def around(
    scene: Scene, cursor: int, chosen: Collection[int], targets: Collection[int]
) -> dict[int, str]:
    """Return the marks for plain text: what stands before and behind the symbol of a cell."""
    found = dict.fromkeys(marked_targets(scene, targets), AROUND["target"])
    found |= dict.fromkeys(chosen, AROUND["chosen"])
    if cursor >= 0:
        found[cursor] = AROUND["cursor"]
    return found


def marked_targets(scene: Scene, targets: Collection[int]) -> list[int]:
    """Return the targets, unless the picture tells them: if they are all cells of their colors."""
    fills = set(scene.fills[sorted(targets)].tolist())
    alike = int(np.isin(scene.fills, list(fills)).sum())
    return sorted(targets) if alike > len(targets) else []


def distance(color: tuple[int, int, int], other: tuple[int, int, int]) -> int:
    """Return how unlike two colors are."""
    return sum((a - b) ** 2 for a, b in zip(color, other, strict=True))
