"""The generic searches, with knowledge of Hex and an answer to the pie rule."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec import structs

from ludograph.games.analysis_info import AnalysisInfo, Considered
from ludograph.games.from_search import value_of
from ludograph.games.hex.connections.verdicts import holds_on, make_workspace
from ludograph.games.hex.evaluation.openings import (
    FAIR,
    known_answer,
    opening_answer,
    opening_values,
    prepare_opening,
    propose,
    proposes,
)
from ludograph.games.hex.evaluation.patterns import make_patterns
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.setup import EXACTLY_ONE, NEVER
from ludograph.games.hex.solving.background import SteppedSolver
from ludograph.games.hex.solving.solver import solvable
from ludograph.games.position import Position
from ludograph.games.search_players import MctsPlayer, MinimaxPlayer
from ludograph.games.search_view import SearchView
from ludograph.games.strategy import RESIGN
from ludograph.games.timing import UNLIMITED, TimeLeft
from ludograph.search.alphabeta import AlphaBeta
from ludograph.search.mcts import GameKnowledge, LeafEvaluation, MonteCarlo, SearchOptions
from ludograph.search.mcts.hints import nothing

ON, OFF = "on", "off"
"""The values of the options for connections, patterns, network, solver and openings."""

EXPLORATION, NETWORK_EXPLORATION = 0.2, 0.03
"""The weight of exploration without and with the network, chosen by 12 to 32 games for each value
on 9 x 9, at 0.1 s a move, from 0.03 to 0.5."""

PRIOR_WEIGHT, EXPAND_THRESHOLD = 3.0, 8
"""The options with patterns, chosen by 80 games for each value on 9 x 9, at 0.02 s a move: among
the weights 2, 4 and 8 the last one was worse than the others."""

LEAF_EVALUATION = LeafEvaluation(threshold=20, share=0.9, weight=3.0)
"""The options of the network, chosen by 20 or 24 games for each value on 11 x 11, at 0.3 s a move,
from thresholds of 10 to 40, shares of 0.65 to 1 and weights of 3 and 6."""


class HexMinimax(MinimaxPlayer):
    """Alpha-beta search on distances; known openings and swaps need no search."""

    def choose(self, position: Position, time_left: TimeLeft = UNLIMITED) -> int:
        """Return a move, or the swap."""
        assert isinstance(position, HexPosition)
        self.found = None
        answer = opening_answer(position)
        return super().choose(position, time_left) if answer is None else answer

    def prepare(self, position: Position) -> AlphaBeta:
        """Return the search of a position's game, with its memory and machine code ready.

        Call it before clocks start, since it may take seconds.
        """
        assert isinstance(position, HexPosition)
        prepare_opening(position)
        return super().prepare(position)


def hex_view(
    position: HexPosition,
    *,
    connections: bool = True,
    patterns: bool = True,
    network: bool = True,
    solver: bool = True,
) -> SearchView:
    """Return the game without the pie rule, and the requested knowledge; a variant as it is.

    Parameters
    ----------
    connections
        Request the search for virtual connections.
    patterns
        Request priors by patterns, on hexagonal cells.
    network
        Request the evaluation of leaves by the network, if there are patterns.
    solver
        Request the exact solver, on usual boards of at most 16 x 16 cells.
    """
    options = SearchOptions(c=EXPLORATION)
    if position.is_variant:
        return SearchView(position.setup, None, options)
    setup = position.setup._replace(swap_ply=NEVER)
    patterns = patterns and setup.joined == EXACTLY_ONE
    knowledge = GameKnowledge(
        workspace=partial(make_workspace, setup) if connections and holds_on(setup) else nothing,
        of_moves=partial(make_patterns, setup) if patterns else nothing,
        solver=partial(SteppedSolver, setup) if solver and solvable(setup) else nothing,
        leaf_evaluation=LEAF_EVALUATION if network and patterns else None,
    )
    if patterns:
        options = SearchOptions(
            c=NETWORK_EXPLORATION if network else EXPLORATION,
            prior_weight=PRIOR_WEIGHT,
            expand_threshold=EXPAND_THRESHOLD,
        )
    return SearchView(setup, knowledge, options)


class HexMcts(MctsPlayer):
    """Monte Carlo tree search of the game without the pie rule.

    Openings and swaps are chosen outside of the search, see :meth:`choose`.
    """

    def __init__(
        self,
        seed: int,
        connections: str = ON,
        patterns: str = ON,
        network: str = ON,
        solver: str = ON,
        openings: str = ON,
        **others: Any,
    ) -> None:
        view: Any = partial(
            hex_view,
            connections=connections == ON,
            patterns=patterns == ON,
            network=network == ON,
            solver=solver == ON,
        )
        super().__init__(seed, view=view, **others)
        self.openings = openings
        self.swapped: int | None = None
        self.known: tuple[int, float] | None = None

    def choose(self, position: Position, time_left: TimeLeft = UNLIMITED) -> int | str:
        """Return a move, the swap, or ``RESIGN``.

        It swaps if black's chance to win after the opening is above one half, by the known values
        of openings or, without these, by the search.
        """
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
        """Return the known value of the opening, or the result of the search.

        The value of a swap is the value of the opponent before it.
        """
        if self.known is not None:
            move, value = self.known
            return AnalysisInfo(
                value,
                "win",
                proven=value in (0.0, 1.0),
                moves=(Considered(move, value),),
                line=(move,),
                note="The value of this first move is known; there was no search.",
            )
        found = super().thoughts()
        if found is None or self.swapped is None or found.value is None:
            return found
        value = 1.0 - found.value
        moves = (Considered(self.swapped, value), *found.moves)
        return structs.replace(found, value=value, moves=moves, line=(self.swapped,))

    def prepare(self, position: Position) -> MonteCarlo:
        """Return the search of a position's game, with its memory and machine code ready.

        Call it before clocks start, since it may take seconds.
        """
        assert isinstance(position, HexPosition)
        if not position.is_variant:
            prepare_opening(position)
            if self.openings == ON:
                known_answer(position)  # the random games for equal openings are played only once
        return super().prepare(position)
