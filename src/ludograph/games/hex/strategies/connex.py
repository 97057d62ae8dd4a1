"""The strategy ``connex``: the vertices where short ways of both colors meet."""

from __future__ import annotations

import numpy as np

from ludograph.formatting import counted
from ludograph.games.analysis_info import AnalysisInfo
from ludograph.games.hex.evaluation.distances import BLOCKED, Paths, shortest_paths
from ludograph.games.hex.evaluation.openings import opening_answer, prepare_opening
from ludograph.games.hex.evaluation.two_distance import FAR, SECOND, leads_after, potential
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.setup import BLACK
from ludograph.rules import random_below, random_state
from ludograph.views import Overlay

TRIED = 64
"""The most moves for which the two-distances of both colors are computed."""


class Connex:
    """The strategy that plays where short ways of both colors across the board meet.

    The length of a way is measured by two-distance: the second-best continuation counts, since the
    opponent blocks the best one. Among vertices that are equally good for both colors, it plays
    one with the greatest lead after the move.
    """

    def __init__(self, seed: int) -> None:
        self.rng = random_state(seed)
        self.ways: tuple[Paths, Paths] | None = None

    def prepare(self, position: HexPosition) -> None:
        """Load the kernels and compute the worth of openings; call it before clocks start."""
        prepare_opening(position)
        shortest_paths(position.setup, position.state, BLACK)
        self.meeting(position, BLACK)
        random_below(self.rng.copy(), 1)

    def choose(self, position: HexPosition) -> int:
        """Return a move, a random one of equally good ones; some O(links) searches."""
        self.ways = None
        answer = opening_answer(position)
        if answer is not None:
            return answer
        color = position.color_to_move or BLACK
        own, other = (
            shortest_paths(position.setup, position.state, each) for each in (color, 1 - color)
        )
        self.ways = (own, other)
        moves = sorted(own.vertices & other.vertices)
        if 1 not in (own.length, other.length):
            moves = self.meeting(position, color)
        if own.length == 1 or not moves:
            # On boards with draws the paths of both colors need not meet. Then the game is a race,
            # and the seat to move wins it if its own path is not longer than the other one.
            ahead = own.length != BLOCKED and (
                other.length == BLOCKED or own.length <= other.length
            )
            moves = sorted(own.vertices if ahead else other.vertices)
        if not moves:
            moves = [move for move in position.legal_moves() if move != position.swap]
        return moves[random_below(self.rng, len(moves))]

    def meeting(self, position: HexPosition, color: int) -> list[int]:
        """Return the vertices with the least sum of both colors' two-distances.

        Among these it returns those with the greatest lead after a move of ``color``.
        """
        setup, state = position.setup, position.state
        own, other = (potential(setup, state, each) for each in (color, 1 - color))
        if FAR in (own.least, other.least):
            return []
        sums = own.sums + other.sums
        best = np.flatnonzero(sums == sums.min()).astype(np.int32)
        if sums.min() >= FAR or best.size < 2:
            return [] if sums.min() >= FAR else best.tolist()
        while best.size > TRIED:  # for example on the empty board with many vertices
            best = best[::2].copy()
        leads = leads_after(setup, state.copy(), color, SECOND, best)
        return best[leads == leads.max()].tolist()

    def thoughts(self) -> AnalysisInfo | None:
        """Return the stones that both colors need, and the vertices of their shortest paths."""
        if self.ways is None:
            return None
        own, other = self.ways
        names = ("own shortest paths", "their shortest paths")
        value = other.length - own.length if BLOCKED not in (own.length, other.length) else None
        return AnalysisInfo(
            value=value,
            measure="stones",
            note=" and ".join(map(needs, ("it", "the other"), self.ways)),
            overlays=tuple(
                Overlay(name, tuple(sorted(ways.vertices)))
                for name, ways in zip(names, self.ways, strict=True)
                if ways.vertices
            ),
        )


def needs(who: str, ways: Paths) -> str:
    """Return a sentence with the number of stones that a color needs."""
    if ways.length == BLOCKED:
        return f"{who} is cut off"
    return f"{who} needs {counted(ways.length, 'stone')}"
