"""The strategy ``resistance``: Hex as electric circuits of both colors."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from msgspec import structs

from ludograph.games.analysis_info import AnalysisInfo
from ludograph.games.from_search import from_alphabeta
from ludograph.games.hex.evaluation.circuit import circuits
from ludograph.games.hex.evaluation.focus import focused
from ludograph.games.hex.pie_rule import opening_answer, prepare_opening
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.setup import HexSetup
from ludograph.games.timing import UNLIMITED, TimeLeft
from ludograph.search.alphabeta import AlphaBeta, AlphaBetaResult
from ludograph.views import Overlay

LEAST_SHARE = 0.001
"""The least share of a color's current that the thoughts show."""


class Resistance:
    """The strategy with a narrow alpha-beta search on resistances.

    It prefers moves after which the own color's circuit has a small resistance, compared with the
    opponent's.
    """

    def __init__(
        self,
        seed: int,  # noqa: ARG002  (it plays without dice)
        time: float | None = None,
        width: int = 24,
        depth: int = 1,
    ) -> None:
        self.time, self.width, self.depth = time, width, depth
        self.plain: HexSetup | None = None
        self.search: AlphaBeta | None = None
        self.found: tuple[HexPosition, AlphaBetaResult] | None = None

    def prepare(self, position: HexPosition) -> AlphaBeta:
        """Return the search of a position's board, with kernels loaded and vertices ordered.

        Call it before clocks start, since it may take seconds.
        """
        prepare_opening(position)
        if self.search is None or self.plain is not position.setup:
            self.plain = position.setup
            self.search = AlphaBeta(focused(self.plain, self.width))
        return self.search

    def choose(self, position: HexPosition, time_left: TimeLeft = UNLIMITED) -> int:
        """Return a move; without a limit of time, equal positions get equal moves."""
        self.found = None
        answer = opening_answer(position)
        if answer is not None:
            return answer
        seconds = time_left.budget(self.time)
        search = self.prepare(position)
        result = search.search(position.state, time=seconds, depth=self.depth)
        self.found = (position.copy(), result)
        return result.move

    def thoughts(self) -> AnalysisInfo | None:
        """Return the result of the search, and the currents through the free vertices."""
        if self.found is None or self.search is None:
            return None
        position, result = self.found
        found = from_alphabeta(result)
        measure = found.measure if found.proven else "balance of conductances"
        return structs.replace(found, measure=measure, overlays=tuple(currents(position)))


def currents(position: HexPosition) -> Iterator[Overlay]:
    """Yield, for each color, the share of its current that flows through each free vertex."""
    for name, circuit in zip(
        ("black", "white"), circuits(position.setup, position.state), strict=True
    ):
        if 0.0 < circuit.conductance < math.inf:
            shares = circuit.currents / circuit.conductance
            cells = np.flatnonzero(shares > LEAST_SHARE)
            values = tuple(np.round(shares[cells], 4).tolist())
            yield Overlay(f"current of {name}", tuple(cells.tolist()), values)
