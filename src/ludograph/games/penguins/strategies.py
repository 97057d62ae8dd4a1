"""The strategies of Penguins, in addition to the generic searches."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from ludograph.games.analysis_info import AnalysisInfo
from ludograph.games.penguins.dissector import Dissector
from ludograph.games.penguins.eat import Eat
from ludograph.games.penguins.evaluation import TUNED
from ludograph.games.penguins.greedy import greedy_move
from ludograph.games.penguins.isolated import isolated_regions
from ludograph.games.penguins.position import PenguinsPosition
from ludograph.games.search_players import MctsPlayer, MinimaxPlayer
from ludograph.games.searching import GENERIC, TIME, mcts_options
from ludograph.games.strategy import Strategy
from ludograph.games.timing import UNLIMITED, TimeLeft
from ludograph.rules import random_below, random_state


class WithEndgame:
    """A search that is replaced by :class:`Eat` when its penguins are isolated.

    A search with a limit of steps instead of time is not replaced, so that its moves are always the
    same.
    """

    def __init__(self, make: type[MctsPlayer | MinimaxPlayer], seed: int, **options: Any) -> None:
        self.search = make(seed, **options)
        self.eat = Eat(seed, self.search.time)
        self.searched = False

    def prepare(self, position: PenguinsPosition) -> None:
        """Allocate memory and load machine code for a game: call it before any clock runs."""
        self.search.prepare(position)
        self.eat.prepare(position)

    def choose(self, position: PenguinsPosition, time_left: TimeLeft = UNLIMITED) -> int | str:
        """Return a move."""
        self.searched = False
        if self.search.time is not None and not position.is_placing:
            seat = position.turn or 0
            regions, contested = isolated_regions(position.setup, position.state, seat)
            if regions and not contested:
                return self.eat.choose(position, time_left)
        self.searched = True
        return self.search.choose(position, time_left)

    def thoughts(self) -> AnalysisInfo | None:
        """Return the analysis of the search, if it has chosen the last move."""
        return self.search.thoughts() if self.searched else None


class Walk:
    """Walks at random: one step along an open way or, if ``far``, any number of steps.

    A way is a penguin and a side of its tile; all ways are equally likely, long or short.
    """

    def __init__(self, seed: int, *, far: bool) -> None:
        self.rng = random_state(seed)
        self.far = far

    def prepare(self, position: PenguinsPosition) -> None:  # noqa: ARG002
        """Load the kernel of the first move, so that this move is not delayed."""
        random_below(self.rng.copy(), 2)

    def choose(self, position: PenguinsPosition) -> int:
        """Return a random step or slide, or a random placement."""
        moves = position.legal_moves()
        if position.is_placing:
            return moves[random_below(self.rng, len(moves))]
        n, shift = position.setup.fish.size, position.setup.shift
        ways: dict[int, list[int]] = {}  # by the slot of the first step
        for move in moves:
            ways.setdefault((move - n) >> shift, []).append(move)
        way = list(ways.values())[random_below(self.rng, len(ways))]
        return way[random_below(self.rng, len(way))] if self.far else min(way)


class Line:
    """Slides to the tile with most fish, and places its penguins beside tiles with three fish."""

    def __init__(self, seed: int) -> None:
        self.rng = random_state(seed)

    def prepare(self, position: PenguinsPosition) -> None:
        """Load the kernel of the first move, so that this move is not delayed."""
        greedy_move(position.setup, position.state, self.rng.copy())

    def choose(self, position: PenguinsPosition) -> int:
        """Return a best move, at random among equal ones; O(moves)."""
        return int(greedy_move(position.setup, position.state, self.rng))


STRATEGIES: dict[str, Strategy] = {
    **GENERIC,
    "mcts": replace(
        GENERIC["mcts"],
        make=partial(WithEndgame, MctsPlayer),
        summary="Monte Carlo tree search with an evaluation of territory",
        options=mcts_options(TUNED.c),
    ),
    "minimax": replace(GENERIC["minimax"], make=partial(WithEndgame, MinimaxPlayer)),
    "step": Strategy("step", "one step in a random free direction", partial(Walk, far=False)),
    "slide": Strategy(
        "slide", "a random number of steps in a random free direction", partial(Walk, far=True)
    ),
    "line": Strategy(
        "line", "the tile in reach with most fish; starts beside tiles with three fish", Line
    ),
    "dissector": Strategy(
        "dissector",
        "cuts opponents off if it can, otherwise takes territory; then collects fish",
        Dissector,
        options=(TIME,),
    ),
    "eat": Strategy(
        "eat",
        "plays like line, then collects most fish where no opponent can go",
        Eat,
        options=(TIME,),
    ),
}
"""The strategies by name."""
