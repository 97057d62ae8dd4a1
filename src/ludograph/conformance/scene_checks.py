"""Checks of pictures: the parts of a scene must agree."""

from __future__ import annotations

import numpy as np

from ludograph.conformance.fault import ConformanceError, require
from ludograph.formatting import described
from ludograph.views import Scene
from ludograph.views.scene import EMPTY


def check_scene(scene: Scene, at: str) -> None:
    """Check the sizes and the numbers in a scene, which renderers rely on."""
    if not isinstance(scene, Scene):  # the text of a scene takes longer than all other checks
        raise ConformanceError(f"{at}: scene must return a Scene, not {described(scene)}")
    if scene.look is not None:
        check_scene(scene.in_cells, f"{at}, in a terminal")
    cells = scene.size
    require(cells > 0, f"{at}: the scene has no cells")
    require(
        np.shape(scene.positions) == (cells, 2),
        f"{at}: the scene has {cells} fills and positions of shape {np.shape(scene.positions)}",
    )
    offsets = scene.outline_offsets
    require(
        len(offsets) == cells + 1
        and offsets[0] == 0
        and offsets[-1] == len(scene.outline_points)
        and (np.diff(offsets) >= 0).all(),
        f"{at}: the outlines of the scene do not have one polygon for each of {cells} cells",
    )
    require(
        np.issubdtype(scene.fills.dtype, np.integer),
        f"{at}: the fills of the scene must be whole numbers, not {scene.fills.dtype}",
    )
    require(
        ((scene.fills >= EMPTY) & (scene.fills < len(scene.palette))).all(),
        f"{at}: a fill of the scene is none of the {len(scene.palette)} colors of its palette",
    )
    require(
        scene.groups is None or len(scene.groups) == cells,
        f"{at}: the groups of the scene are not one per cell",
    )
    named = [*scene.labels, *(cell for stroke in scene.strokes for cell in stroke.cells)]
    for texts in (scene.notes, scene.numerals, scene.rows, scene.columns):
        named += texts
    if scene.links is not None:
        named += np.ravel(scene.links).tolist()
    require(
        all(0 <= cell < cells for cell in named),
        f"{at}: a label, a stroke, a link or a text of the scene is on a cell beyond its {cells}",
    )
