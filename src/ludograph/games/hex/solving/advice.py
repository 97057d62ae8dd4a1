"""The values of Monte Carlo search for the first plies of a proof."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.solving.proof_tree import Advice
from ludograph.games.hex.strategies.searches import HexMcts

SIMULATIONS = 20_000
"""The simulations for a position: some tenths of a second."""


def monte_carlo_advice(start: HexPosition, simulations: int = SIMULATIONS) -> Advice:
    """Return a function that searches the position after some moves from an empty board."""
    size = start.size
    vertices = [start.vertex(row, column) for row in range(size) for column in range(size)]
    cells = {vertex: cell for cell, vertex in enumerate(vertices)}

    def advice(moves: Sequence[int]) -> dict[int, tuple[int, float]]:
        position = start.copy()
        for cell in moves:
            position.push(vertices[cell])
        player = HexMcts(1, sims=simulations, openings="off")
        player.choose(position)
        found = player.found
        assert found is not None
        values = zip(
            found.moves.tolist(), found.visits.tolist(), found.values.tolist(), strict=True
        )
        return {
            cells[move]: (int(visits), value)
            for move, visits, value in values
            if visits and not math.isnan(value)
        }

    return advice
