"""The generic searches, with knowledge of Hex and an answer to the pie rule."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from msgspec import structs

from ludograph.games.analysis_info import AnalysisInfo, Considered
from ludograph.games.from_search import value_of
from ludograph.games.hex.connections.verdicts import Workspace, holds_on, make_workspace
from ludograph.games.hex.openings.values import opening_values
from ludograph.games.hex.patterns.strengths import Patterns, make_patterns
from ludograph.games.hex.pie_rule import (
    FAIR,
    known_answer,
    opening_answer,
    prepare_opening,
    propose,
    proposes,
)
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.setup import EXACTLY_ONE, HexSetup
from ludograph.games.hex.solving.background import SteppedSolver, solvable
from ludograph.games.position import Position
from ludograph.games.searching import MctsPlayer, MinimaxPlayer
from ludograph.games.strategy import RESIGN
from ludograph.games.timing import UNLIMITED, TimeLeft
from ludograph.search.alphabeta import AlphaBeta
from ludograph.search.mcts import GameKnowledge, LeafEvaluation, MonteCarlo, SearchOptions

ON, OFF = "on", "off"
"""Whether connections are looked for, looks of moves and first moves are known, a network judges
positions, a solver helps."""

RAVE = 1000.0
HEX_EXPLORATION = 0.03
"""Chosen by some 60 games on 9 x 9 each, at 0.1 s a move: sharing explores by itself."""

PRIOR_WEIGHT, EXPAND_THRESHOLD = 3.0, 8
"""With patterns; chosen by 80 games on 9 x 9 each, at 0.02 s a move: of weights 2, 4 and 8 the last
is worse."""

LEAF_EVALUATION = LeafEvaluation(threshold=20, share=0.9, weight=3.0)
"""Chosen by 20 or 24 games on 11 x 11 each, at 0.3 s a move, from thresholds of 10 to 40, shares of
0.65 to 1 and weights of 3 and 6."""


class HexMinimax(MinimaxPlayer):
    """Alpha-beta on distances; the opening goes by what it is worth in random games."""

    def choose(self, position: Position, time_left: TimeLeft = UNLIMITED) -> int:
        """Return a move."""
        assert isinstance(position, HexPosition)
        self.found = None
        answer = opening_answer(position)
        return super().choose(position, time_left) if answer is None else answer

    def prepare(self, position: Position) -> AlphaBeta:
        """Get memory and machine code for a game: best done before any clock runs."""
        assert isinstance(position, HexPosition)
        prepare_opening(position)
        return super().prepare(position)


class HexKnowledge(GameKnowledge):
    """What Hex hands to a search of a board: that which is wanted, and holds there."""

    def __init__(
        self, setup: HexSetup, *, connections: bool, patterns: bool, network: bool, solver: bool
    ) -> None:
        self.setup = setup
        self.connections = connections and holds_on(setup)
        self.patterns = patterns and setup.joined == EXACTLY_ONE
        self.solves = solver and solvable(setup)
        self.leaf_evaluation = LEAF_EVALUATION if network and self.patterns else None

    def workspace(self) -> Workspace | None:
        """Return memory in which virtual connections are looked for."""
        return make_workspace(self.setup) if self.connections else None

    def of_moves(self) -> Patterns | None:
        """Return the worth of patterns, and the network."""
        return make_patterns(self.setup) if self.patterns else None

    def solver(self) -> SteppedSolver | None:
        """Return the exact solver."""
        return SteppedSolver(self.setup) if self.solves else None


class HexMcts(MctsPlayer):
    """Monte Carlo tree search of the game without the pie rule, which it answers by itself."""

    def __init__(
        self,
        seed: int,
        rave: float = RAVE,
        connections: str = ON,
        patterns: str = ON,
        network: str = ON,
        solver: str = ON,
        openings: str = ON,
        **others: Any,
    ) -> None:
        tuned = replace(others.pop("tuned", SearchOptions()), rave=rave)
        super().__init__(seed, tuned=tuned, **{"c": HEX_EXPLORATION, **others})
        self.connections = connections
        self.patterns = patterns
        self.network = network
        self.solver = solver
        self.openings = openings
        self.swapped: int | None = None
        self.known: tuple[int, float] | None = None
        self.plain: HexSetup | None = None

    def choose(self, position: Position, time_left: TimeLeft = UNLIMITED) -> int | str:
        """Return a move; the swap if the opening is known, or found, to win more than half."""
        assert isinstance(position, HexPosition)
        self.found, self.swapped, self.known = None, None, None
        if position.is_variant:
            return super().choose(position, time_left)
        if proposes(position):
            return propose(position)
        known = self.openings == ON and bool(opening_values(position))
        if known and (answer := known_answer(position)) is not None:
            self.known = answer
            return answer[0]
        search = self.prepare(position)
        seconds = time_left.budget(self.time)
        self.found = result = search.search(position.state, time=seconds, sims=self.sims)
        if position.may_swap and not known:
            value = value_of(result, result.moves.tolist().index(result.move))
            if value is not None and value < FAIR:
                self.swapped = position.swap
                return position.swap
        return RESIGN if self.gives_up(position) else result.move

    def thoughts(self) -> AnalysisInfo | None:
        """Return what is known or found; a swap is worth what the other had."""
        if self.known is not None:
            move, value = self.known
            return AnalysisInfo(
                value,
                "win",
                proven=value in (0.0, 1.0),
                moves=(Considered(move, value),),
                line=(move,),
                note="This is known of first moves.",
            )
        found = super().thoughts()
        if found is None or self.swapped is None or found.value is None:
            return found
        value = 1.0 - found.value
        moves = (Considered(self.swapped, value), *found.moves)
        return structs.replace(found, value=value, moves=moves, line=(self.swapped,))

    def prepare(self, position: Position) -> MonteCarlo:
        """Get memory and machine code for a game: best done before any clock runs."""
        assert isinstance(position, HexPosition)
        if position.is_variant:
            return super().prepare(position)
        prepare_opening(position)
        if self.openings == ON:
            known_answer(position)  # which of several is best is found out once
        if self.search is None or self.plain is not position.setup:
            self.plain = position.setup
            setup = position.without_pie().setup
            knowledge = HexKnowledge(
                setup,
                connections=self.connections == ON,
                patterns=self.patterns == ON,
                network=self.network == ON,
                solver=self.solver == ON,
            )
            options = self.options
            if knowledge.patterns:
                options = replace(
                    options, prior_weight=PRIOR_WEIGHT, expand_threshold=EXPAND_THRESHOLD
                )
            self.search = MonteCarlo(setup, options, knowledge)
        return self.search
