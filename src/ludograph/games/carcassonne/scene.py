"""The picture of a position of Carcassonne: for now a square for each tile."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.games.carcassonne.notation import coordinates
from ludograph.games.carcassonne.setup import TILE_SLOTS, CarcassonneSetup
from ludograph.games.carcassonne.table import CELL, LAID
from ludograph.games.position import Position
from ludograph.rules import State
from ludograph.views import Scene, Swatch

PALETTE = (Swatch("tile", "#9bc267", "#"),)
CORNERS = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


def tile_records(setup: CarcassonneSetup, state: State) -> npt.NDArray[np.int32]:
    """Return the records of the tiles on the table, in the order in which they were laid.

    Returns
    -------
    int32[tiles, TILE_SLOTS]
        See :mod:`ludograph.games.carcassonne.table`.
    """
    begin = setup.ground.tiles
    count = int(state[LAID])
    return state[begin : begin + TILE_SLOTS * count].reshape(count, TILE_SLOTS)


def carcassonne_scene(position: Position) -> Scene:
    """Return the picture: north is up."""
    setup: CarcassonneSetup = position.setup
    cells = tile_records(setup, position.state)[:, CELL].tolist()
    centers = np.array([coordinates(setup, cell) for cell in cells], np.float64) * (1, -1)
    return Scene(
        positions=centers,
        outline_offsets=np.arange(0, 4 * len(centers) + 1, 4, dtype=np.int32),
        outline_points=(centers[:, None, :] + CORNERS).reshape(-1, 2),
        fills=np.zeros(len(centers), np.int32),
        palette=PALETTE,
    )
