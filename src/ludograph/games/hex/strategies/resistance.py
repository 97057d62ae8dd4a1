"""The strategy ``resistance``: Hex as electric circuits of both colors."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ludograph.games.analysis_info import AnalysisInfo, Considered
from ludograph.games.hex.evaluation.circuit import balance, circuits
from ludograph.games.hex.evaluation.distances import shortest_paths
from ludograph.games.hex.evaluation.openings import opening_answer, prepare_opening
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.setup import BLACK
from ludograph.games.timing import UNLIMITED, TimeLeft
from ludograph.search.pacing import deadline_after, is_over
from ludograph.views import Overlay

LEAST_SHARE = 0.001
"""The least share of a color's current that the thoughts show."""

DIGITS = 9
"""Loads and values are rounded, since equal ones, often by symmetry, may differ in their last
digits."""


class Resistance:
    """The strategy that compares the resistances of both colors after each of some moves.

    It plays the move after which the own resistance is smallest, relative to the opponent's. The
    compared moves are the vertices with the greatest parts of both colors' currents. A move that
    wins at once, or prevents such a move, comes before all.
    """

    def __init__(
        self,
        seed: int,  # noqa: ARG002  (it plays without dice)
        time: float | None = None,
        width: int = 24,
    ) -> None:
        self.time, self.width = time, width
        self.found: tuple[HexPosition, list[Considered]] | None = None

    def prepare(self, position: HexPosition) -> None:
        """Compute the worth of openings, and load the kernels; call it before clocks start."""
        prepare_opening(position)
        shortest_paths(position.setup, position.state, BLACK)
        circuits(position.setup, position.state)

    def choose(self, position: HexPosition, time_left: TimeLeft = UNLIMITED) -> int:
        """Return a move; without a limit of time, equal positions get equal moves."""
        self.found = None
        answer = opening_answer(position)
        if answer is not None:
            return answer
        deadline = deadline_after(time_left.budget(self.time))
        considered: list[Considered] = []
        for move in self.moves(position):
            considered.append(Considered(move, share_after(position, move)))
            if is_over(deadline):
                break
        considered.sort(key=lambda each: each.value or 0.0, reverse=True)
        self.found = (position.copy(), considered)
        return int(considered[0].move)

    def moves(self, position: HexPosition) -> list[int]:
        """Return the moves that win at once, else those that prevent such moves, else the busiest.

        The load of a vertex is the sum of its shares of both colors' currents.
        """
        color = position.color_to_move or BLACK
        for each in (color, 1 - color):
            paths = shortest_paths(position.setup, position.state, each)
            if paths.length == 1:
                return sorted(paths.vertices)
        loads = np.zeros(position.board.n)
        for circuit in circuits(position.setup, position.state):
            if circuit.conductance > 0.0:
                loads += circuit.currents / circuit.conductance
        legal = sorted(move for move in position.legal_moves() if move != position.swap)
        return sorted(legal, key=lambda move: -float(np.round(loads[move], DIGITS)))[: self.width]

    def thoughts(self) -> AnalysisInfo | None:
        """Return the compared moves, and the currents through the free vertices."""
        if self.found is None:
            return None
        position, considered = self.found
        return AnalysisInfo(
            value=considered[0].value,
            measure="share of conductances",
            moves=tuple(considered),
            line=(considered[0].move,),
            overlays=tuple(currents(position)),
        )


def share_after(position: HexPosition, move: int) -> float:
    """Return the own share of the sum of both conductances after a move."""
    after = position.copy()
    after.push(move)
    lead = balance(*circuits(after.setup, after.state))
    if position.color_to_move != BLACK:
        lead = -lead
    return round(1.0 / (1.0 + math.exp(-lead)), DIGITS)


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
