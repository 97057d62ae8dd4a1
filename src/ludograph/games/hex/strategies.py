"""Hex's own strategies, and the generic searches with an answer to the pie rule."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from msgspec import structs

from ludograph.games.found import of_alphabeta
from ludograph.games.hex.connections.room import holds_on, make_connections
from ludograph.games.hex.evaluation.circuit import circuits
from ludograph.games.hex.evaluation.distances import BLOCKED, Paths, shortest_paths
from ludograph.games.hex.evaluation.focus import focused, valued_by_circuit
from ludograph.games.hex.evaluation.two_distance import FAR, SECOND, leads_after, potential
from ludograph.games.hex.pie_rule import openings, propose, proposes, worth_taking
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.setup import BLACK, HexSetup
from ludograph.games.position import Position
from ludograph.games.searching import GENERIC, TIME, MctsPlayer, MinimaxPlayer, mcts_options
from ludograph.games.strategy import RESIGN, Option, Strategy, number_between, one_of
from ludograph.games.thoughts import Considered, Thoughts
from ludograph.games.timing import UNLIMITED, TimeLeft
from ludograph.rules import random_below, random_state
from ludograph.search.alphabeta import AlphaBeta, Result
from ludograph.search.mcts import MonteCarlo
from ludograph.views import Overlay

RESISTANCE = "resistance"
DISTANCE, CIRCUIT = "distance", "circuit"
"""What alpha-beta values positions by: shortest paths or resistances."""

TRIED = 64
"""Moves after which connex measures both ways."""

LEAST_SHARE = 0.001
"""Of a color's current: less is not worth telling."""

FAIR = 0.5
"""The part of the games that an even position wins."""

ON, OFF = "on", "off"

RAVE = 1000.0
HEX_EXPLORATION = 0.03
"""Chosen by some 60 games on 9 x 9 each, at 0.1 s a move: sharing explores by itself."""


def opening_answer(position: HexPosition) -> int | None:
    """Return the opening to propose, or the swap where it pays; None: play on."""
    if proposes(position):
        return propose(position)
    if position.may_swap and worth_taking(position):
        return position.swap
    return None


def prepare_opening(position: HexPosition) -> None:
    """Find out what :func:`opening_answer` will want to know."""
    if proposes(position) or position.may_swap:
        openings(position)


def meeting_currents(position: HexPosition) -> list[int]:
    """Return the free vertices through which most of both colors' currents runs.

    Of the two shares of a vertex the smaller one counts; where a color is cut off, the other one.
    """
    shares = [
        circuit.currents / circuit.conductance
        for circuit in circuits(position.setup, position.state)
        if 0.0 < circuit.conductance < math.inf
    ]
    if not shares:
        return []
    least = np.round(np.minimum.reduce(shares), 9)  # equal by symmetry but for their last digits
    return np.flatnonzero(least == least.max()).tolist() if least.max() > 0.0 else []


class Connex:
    """Plays where its own way across the board meets the opponent's.

    A way is as long as its second-best continuation makes it, since an opponent takes the best one:
    see :mod:`ludograph.games.hex.evaluation.two_distance`. Of several vertices where both ways are
    short, those are taken that leave the greatest lead.

    Parameters
    ----------
    metric
        ``distance``: where the sum of both colors' ways is least; ``resistance``: where most of
        both colors' currents meets.
    """

    def __init__(self, seed: int, metric: str = DISTANCE) -> None:
        self.rng = random_state(seed)
        self.metric = metric
        self.ways: tuple[Paths, Paths] | None = None

    def prepare(self, position: HexPosition) -> None:
        """Load the kernels and weigh the openings: best done before any clock runs."""
        prepare_opening(position)
        shortest_paths(position.setup, position.state, BLACK)
        self.meeting(position, BLACK)
        if self.metric == RESISTANCE:
            meeting_currents(position)

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
            meeting = self.metric == RESISTANCE
            moves = meeting_currents(position) if meeting else self.meeting(position, color)
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

    def thoughts(self) -> Thoughts | None:
        """Return how many stones both need, and where their shortest paths run."""
        if self.ways is None:
            return None
        own, other = self.ways
        names = ("own shortest paths", "their shortest paths")
        value = other.length - own.length if BLOCKED not in (own.length, other.length) else None
        return Thoughts(
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
    return f"{who} needs {ways.length} stone{'' if ways.length == 1 else 's'}"


class Resistance:
    """Plays what leaves it the least resistance, against the opponent's: a narrow alpha-beta."""

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
        self.found: tuple[HexPosition, Result] | None = None

    def prepare(self, position: HexPosition) -> AlphaBeta:
        """Load the kernels and order the board's vertices: best done before any clock runs."""
        prepare_opening(position)
        if self.search is None or self.plain is not position.setup:
            self.plain = position.setup
            self.search = AlphaBeta(focused(self.plain, self.width))
        return self.search

    def choose(self, position: HexPosition, time_left: TimeLeft = UNLIMITED) -> int:
        """Return a move; without a limit of time the same for the same position."""
        self.found = None
        answer = opening_answer(position)
        if answer is not None:
            return answer
        seconds = time_left.budget(self.time)
        search = self.prepare(position)
        result = search.search(position.state, time=seconds, depth=self.depth)
        self.found = (position.copy(), result)
        return result.move

    def thoughts(self) -> Thoughts | None:
        """Return what the search has found, and the currents through the free vertices."""
        if self.found is None or self.search is None:
            return None
        position, result = self.found
        found = of_alphabeta(result, self.search.setup)
        measure = found.measure if found.proven else "balance of conductances"
        return structs.replace(found, measure=measure, overlays=tuple(currents(position)))


def currents(position: HexPosition) -> Iterator[Overlay]:
    """Yield the share of each color's current that runs through every free vertex."""
    for name, circuit in zip(
        ("black", "white"), circuits(position.setup, position.state), strict=True
    ):
        if 0.0 < circuit.conductance < math.inf:
            shares = circuit.currents / circuit.conductance
            cells = np.flatnonzero(shares > LEAST_SHARE)
            values = tuple(np.round(shares[cells], 4).tolist())
            yield Overlay(f"current of {name}", tuple(cells.tolist()), values)


class HexMinimax(MinimaxPlayer):
    """Alpha-beta on distances or circuits; the opening goes by what it is worth in random games."""

    def __init__(
        self,
        seed: int,
        time: float | None = None,
        depth: int | None = None,
        threads: int = 1,
        evaluate: str = DISTANCE,
    ) -> None:
        super().__init__(seed, time=time, depth=depth, threads=threads)
        self.evaluate = evaluate
        self.plain: HexSetup | None = None

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
        if self.evaluate == DISTANCE:
            return super().prepare(position)
        if self.search is None or self.plain is not position.setup:
            self.plain = position.setup
            self.search = AlphaBeta(valued_by_circuit(self.plain), threads=self.threads)
        return self.search


class HexMcts(MctsPlayer):
    """Monte-Carlo tree search of the game without the pie rule, which it answers by itself."""

    def __init__(
        self,
        seed: int,
        time: float | None = None,
        sims: int | None = None,
        threads: int = 1,
        c: float = HEX_EXPLORATION,
        rave: float = RAVE,
        resign: float = 0.0,
        connections: str = ON,
        **others: Any,
    ) -> None:
        super().__init__(seed, time=time, sims=sims, threads=threads, c=c, resign=resign, **others)
        self.rave = rave
        self.connections = connections
        self.swapped: int | None = None
        self.plain: HexSetup | None = None

    def choose(self, position: Position, time_left: TimeLeft = UNLIMITED) -> int | str:
        """Return a move; the swap if white's best answer is found to win less than half."""
        assert isinstance(position, HexPosition)
        self.found, self.swapped = None, None
        if proposes(position):
            return propose(position)
        search = self.prepare(position)
        seconds = time_left.budget(self.time)
        self.found = result = search.search(position.state, time=seconds, sims=self.sims)
        if position.may_swap:
            value = result.values[result.moves.tolist().index(result.move)]
            if value < FAIR:
                self.swapped = position.swap
                return position.swap
        return RESIGN if self.gives_up(position) else result.move

    def thoughts(self) -> Thoughts | None:
        """Return what the last search has found; a swap is worth what the other had."""
        found = super().thoughts()
        if found is None or self.swapped is None or found.value is None:
            return found
        value = 1.0 - found.value
        moves = (Considered(self.swapped, value), *found.moves)
        return structs.replace(found, value=value, moves=moves, line=(self.swapped,))

    def prepare(self, position: Position) -> MonteCarlo:
        """Get memory and machine code for a game: best done before any clock runs."""
        assert isinstance(position, HexPosition)
        prepare_opening(position)
        if self.search is None or self.plain is not position.setup:
            self.plain = position.setup
            setup = position.without_pie().setup
            looks = self.connections == ON and holds_on(setup)
            self.search = MonteCarlo(
                setup,
                seed=self.seed,
                threads=self.threads,
                c=self.c,
                reuse=True,
                rave=self.rave,
                make_room=partial(make_connections, setup) if looks else None,
                **self.others,
            )
        return self.search


STRATEGIES: dict[str, Strategy] = {
    **GENERIC,
    "mcts": replace(
        GENERIC["mcts"],
        make=HexMcts,
        options=(
            *mcts_options(HEX_EXPLORATION),
            Option("rave", number_between(0.0, 1e9), RAVE, "visits that outweigh shared ones"),
            Option(
                "connections",
                one_of(ON, OFF),
                ON,
                "on or off: whether virtual connections are looked for",
                words=(ON, OFF),
            ),
        ),
    ),
    "minimax": replace(
        GENERIC["minimax"],
        summary="alpha-beta search on both shortest paths or both resistances",
        make=HexMinimax,
        options=(
            *GENERIC["minimax"].options,
            Option(
                "evaluate",
                one_of(DISTANCE, CIRCUIT),
                DISTANCE,
                "distance or circuit: what positions are valued by",
                words=(DISTANCE, CIRCUIT),
            ),
        ),
    ),
    "connex": Strategy(
        "connex",
        "where both shortest paths, or both currents, meet",
        Connex,
        options=(
            Option(
                "metric",
                one_of(DISTANCE, RESISTANCE),
                DISTANCE,
                "distance or resistance: what both colors' ways are measured by",
                words=(DISTANCE, RESISTANCE),
            ),
        ),
    ),
    "resistance": Strategy(
        "resistance",
        "the board as an electric circuit: least resistance against the opponent's",
        Resistance,
        options=(
            replace(TIME, summary="seconds per move at most"),
            Option("width", number_between(1, 100_000, whole=True), 24, "moves looked at"),
            Option("depth", number_between(1, 10, whole=True), 1, "plies to look ahead"),
        ),
    ),
}
