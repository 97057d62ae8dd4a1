"""The strategy ``connex``: shortest paths, and the vertices where both colors' paths meet."""

from __future__ import annotations

import numpy as np

from ludograph.counting import counted
from ludograph.games.analysis_info import AnalysisInfo
from ludograph.games.hex.evaluation.distances import BLOCKED, Paths, shortest_paths
from ludograph.games.hex.evaluation.two_distance import FAR, SECOND, leads_after, potential
from ludograph.games.hex.pie_rule import opening_answer, prepare_opening
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.setup import BLACK
from ludograph.rules import random_below, random_state
from ludograph.views import Overlay

TRIED = 64
"""Moves after which both ways are measured."""


class Connex:
    """Plays where its own way across the board meets the opponent's.

    A way is as long as its second-best continuation makes it, since an opponent takes the best one:
    see :mod:`ludograph.games.hex.evaluation.two_distance`. Of several vertices where both ways are
    short, those are taken that leave the greatest lead.
    """

    def __init__(self, seed: int) -> None:
        self.rng = random_state(seed)
        self.ways: tuple[Paths, Paths] | None = None

    def prepare(self, position: HexPosition) -> None:
        """Load the kernels and weigh the openings: best done before any clock runs."""
        prepare_opening(position)
        shortest_paths(position.setup, position.state, BLACK)
        self.meeting(position, BLACK)

    def choose(self, position: HexPosition) -> int:
        """Return a move, any of those that are as good; O(links), a few times."""
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
            # Paths that do not meet are a race, possible where a full board can be a draw: the
            # seat to move wins it if its own path is not the longer one.
            ahead = own.length != BLOCKED and (
                other.length == BLOCKED or own.length <= other.length
            )
            moves = sorted(own.vertices if ahead else other.vertices)
        if not moves:
            moves = [move for move in position.legal_moves() if move != position.swap]
        return moves[random_below(self.rng, len(moves))]

    def meeting(self, position: HexPosition, color: int) -> list[int]:
        """Return the vertices where both ways are short, those that leave the greatest lead."""
        setup, state = position.setup, position.state
        own, other = (potential(setup, state, each) for each in (color, 1 - color))
        if FAR in (own.least, other.least):
            return []
        sums = own.sums + other.sums
        best = np.flatnonzero(sums == sums.min()).astype(np.int32)
        if sums.min() >= FAR or best.size < 2:
            return [] if sums.min() >= FAR else best.tolist()
        while best.size > TRIED:  # on an empty board of many vertices
            best = best[::2].copy()
        leads = leads_after(setup, state.copy(), color, SECOND, best)
        return best[leads == leads.max()].tolist()

    def thoughts(self) -> AnalysisInfo | None:
        """Return how many stones both need, and where their shortest paths run."""
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
    """Return how many stones a color needs, in words."""
    if ways.length == BLOCKED:
        return f"{who} is cut off"
    return f"{who} needs {counted(ways.length, 'stone')}"
