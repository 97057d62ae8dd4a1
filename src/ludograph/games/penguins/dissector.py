"""The strategy ``dissector``: it cuts opponents off, or takes territory if it cannot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.games.analysis_info import MOST_MOVES, AnalysisInfo, Considered
from ludograph.games.penguins.cuts import count_moves, minimum_cut
from ludograph.games.penguins.eat import Eat
from ludograph.games.penguins.evaluation import add_territory
from ludograph.games.penguins.greedy import greedy_move, leads_after_reply
from ludograph.games.penguins.isolated import isolated_regions
from ludograph.games.penguins.position import PenguinsPosition
from ludograph.games.penguins.rules import (
    GONE,
    MELTED,
    NOWHERE,
    SEAT_SLOTS,
    SEATS,
    cells_at,
    tiles_at,
)
from ludograph.games.penguins.setup import IntArray, PenguinsSetup
from ludograph.games.timing import UNLIMITED, TimeLeft
from ludograph.rules import TURN, State, random_below, random_state
from ludograph.search.values import margin
from ludograph.views import Overlay

MAX_CUT = 4
"""Larger cuts are not tried."""

MAX_COST = 2.0
"""The most fish of its lead after the best reply that it gives up to begin a cut."""

NEVER = 2**30
"""The number of moves to an unreachable tile."""


class Dissector:
    """Splits the ice along a minimum cut between two penguins, if it is there before the opponent.

    For every pair of an own penguin and an opponent's, two minimum vertex cuts are examined: those
    nearest to each of them. A cut is possible if own penguins can step on all of its tiles one
    after the other by shortest paths, on each tile before any opponent. Its value is the lead in
    fish and territory after that. Without a good cut the strategy plays the move with the greatest
    lead in territory after the best reply. Isolated penguins wait, and eat when all are isolated.
    """

    def __init__(self, seed: int, time: float | None = None) -> None:
        self.rng = random_state(seed)
        self.eat = Eat(seed, time)
        self.seen: Seen | None = None

    def prepare(self, position: PenguinsPosition) -> None:
        """Load the kernels of the first moves, so that these are not delayed."""
        setup, state = position.setup, position.state
        self.eat.prepare(position)
        random_below(self.rng.copy(), 1)
        leads_after_reply(setup, state, np.array(position.legal_moves()[:1], np.int32))
        minimum_cut(setup, state, 0, 0)
        distances_of(setup, state, [0])
        value_of_cut(setup, state, 0, (0,))

    def choose(self, position: PenguinsPosition, time_left: TimeLeft = UNLIMITED) -> int:
        """Return a move."""
        self.seen = None
        setup, state = position.setup, position.state
        seat = position.turn or 0
        if position.ply == 0:
            return int(greedy_move(setup, state, self.rng))
        moves = position.legal_moves()
        if position.is_placing:
            leads = leads_after_reply(setup, state, np.array(moves, np.int32))
            self.seen = Seen(position.copy(), moves, leads, self.any_best(moves, leads), None)
            return self.seen.move
        regions, contested = isolated_regions(setup, state, seat)
        if not contested:
            return self.eat.choose(position, time_left)
        if regions:
            moves = [move for move in moves if mover(setup, state, move) in contested]
        leads = leads_after_reply(setup, state, np.array(moves, np.int32))
        cut = best_cut(setup, state, contested)
        if cut is not None and cut.value > leads.max() <= leads[moves.index(cut.move)] + MAX_COST:
            self.seen = Seen(position.copy(), moves, leads, cut.move, cut)
        else:
            self.seen = Seen(position.copy(), moves, leads, self.any_best(moves, leads), None)
        return self.seen.move

    def thoughts(self) -> AnalysisInfo | None:
        """Return the lead after each move, the territories, and the cut that the move begins."""
        if self.seen is None:
            return None
        position, moves, leads, move, cut = self.seen
        overlays = [] if cut is None else [Overlay("cut", cut.tiles)]
        overlays += territories(position.setup, position.state)
        order = sorted(range(len(moves)), key=lambda place: (moves[place] != move, -leads[place]))
        return AnalysisInfo(
            value=float(leads[moves.index(move)]) if cut is None else cut.value,
            measure="points",
            moves=tuple(
                Considered(moves[place], float(leads[place])) for place in order[:MOST_MOVES]
            ),
            note="" if cut is None else "it divides the ice",
            overlays=tuple(overlays),
        )

    def any_best(self, moves: list[int], leads: npt.NDArray[np.float64]) -> int:
        """Return a move with the greatest lead, at random among equal ones."""
        best = np.flatnonzero(leads == leads.max())
        return moves[best[random_below(self.rng, best.size)]]


class Cut(NamedTuple):
    """A cut whose tiles the seat to move can step on in time."""

    move: int
    """The first move towards it."""
    value: float
    """The seat's lead in fish and territory after the cut."""
    tiles: tuple[int, ...]


class Seen(NamedTuple):
    """The facts on which the strategy has based its move."""

    position: PenguinsPosition
    moves: list[int]
    leads: npt.NDArray[np.float64]
    move: int
    cut: Cut | None


def best_cut(setup: PenguinsSetup, state: State, own: list[int]) -> Cut | None:
    """Return the possible cut with the greatest value; None if no cut is possible.

    Parameters
    ----------
    own
        The penguins of the seat to move that may take part in the cut.
    """
    seat = int(state[TURN])
    tiles = state[tiles_at(setup) : tiles_at(setup) + setup.owners.size].tolist()
    enemies = [penguin for penguin in on_ice(setup, state) if setup.owners[penguin] != seat]
    distances, firsts = distances_of(setup, state, own)
    arrivals = distances_of(setup, state, enemies)[0].min(axis=0, initial=NEVER)
    tried: set[tuple[int, ...]] = set()
    best: Cut | None = None
    for one in own:
        for other in enemies:
            for source, sink in ((one, other), (other, one)):
                cut = tuple(minimum_cut(setup, state, tiles[source], tiles[sink]).tolist())
                if not 0 < len(cut) <= MAX_CUT or cut in tried:
                    continue
                tried.add(cut)
                begun = first_step(setup, state, own, distances, firsts, arrivals, cut)
                if begun is not None:
                    value = value_of_cut(setup, state, seat, cut)
                    if best is None or value > best.value:
                        best = Cut(begun, value, cut)
    return best


def on_ice(setup: PenguinsSetup, state: State) -> list[int]:
    """Return the placed penguins of all seats that were not eliminated."""
    tiles = state[tiles_at(setup) : tiles_at(setup) + setup.owners.size].tolist()
    return [
        penguin
        for penguin, owner in enumerate(setup.owners.tolist())
        if tiles[penguin] != NOWHERE and not state[SEATS + SEAT_SLOTS * owner + GONE]
    ]


def territories(setup: PenguinsSetup, state: State) -> Iterator[Overlay]:
    """Yield the tiles that the seat to move reaches first, and those that the others do."""
    penguins = on_ice(setup, state)
    own = [penguin for penguin in penguins if setup.owners[penguin] == state[TURN]]
    others = [penguin for penguin in penguins if setup.owners[penguin] != state[TURN]]
    first, later = (
        distances_of(setup, state, group)[0].min(axis=0, initial=NEVER) for group in (own, others)
    )
    for name, tiles in (("own territory", first < later), ("their territory", later < first)):
        if tiles.any():
            yield Overlay(name, tuple(np.flatnonzero(tiles).tolist()))


def first_step(
    setup: PenguinsSetup,
    state: State,
    own: list[int],
    distances: IntArray,
    firsts: IntArray,
    arrivals: IntArray,
    cut: tuple[int, ...],
) -> int | None:
    """Return the first move to all tiles of a cut, the most urgent tile first; None if too late.

    Parameters
    ----------
    own
        The penguins that may step on the tiles.
    distances, firsts
        ``int32[len(own), n]``: each penguin's number of moves to a tile, and the first of them.
    arrivals
        ``int32[n]``: the least number of moves of any opponent to the tile.
    """
    state = state.copy()
    spent, begun = 0, None
    for tile in sorted(cut, key=lambda each: int(arrivals[each])):
        nearest = int(distances[:, tile].argmin())
        spent += int(distances[nearest, tile])
        if spent >= arrivals[tile]:
            return None
        if begun is None:
            begun = int(firsts[nearest, tile])
        # From now on the penguin stands on this tile.
        state[tiles_at(setup) + own[nearest]] = tile
        state[cells_at(setup) + tile] = own[nearest] + 1
        distances, firsts = distances_of(setup, state, own)
    return begun


def distances_of(
    setup: PenguinsSetup, state: State, penguins: list[int]
) -> tuple[IntArray, IntArray]:
    """Return each penguin's number of moves to each tile, and the first move: int32[k, n] both."""
    distances = np.empty((len(penguins), setup.fish.size), np.int32)
    firsts = np.empty_like(distances)
    for index, penguin in enumerate(penguins):
        count_moves(setup, state, penguin, distances[index], firsts[index])
    distances[distances < 0] = NEVER
    return distances, firsts


def value_of_cut(setup: PenguinsSetup, state: State, seat: int, cut: tuple[int, ...]) -> float:
    """Return a seat's lead in fish and territory after it has eaten the tiles of a cut."""
    after = state.copy()
    out: npt.NDArray[np.float64] = np.empty(setup.seats)
    after[cells_at(setup) + np.array(cut)] = MELTED
    rules.scores(setup, after, out)
    out[seat] += setup.fish[list(cut)].sum()
    add_territory(setup, after, 1.0, out)
    return float(margin(out, seat))


def mover(setup: PenguinsSetup, state: State, move: int) -> int:
    """Return the penguin of a move."""
    source = setup.tiles[(move - setup.fish.size) >> setup.shift]
    return int(state[cells_at(setup) + source]) - 1
