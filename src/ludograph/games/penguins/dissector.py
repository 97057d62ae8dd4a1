"""The strategy ``dissector``: it cuts enemies off, or takes territory if it cannot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.games.analysis_info import MOST_MOVES, AnalysisInfo, Considered
from ludograph.games.penguins.cuts import count_moves, make_flow, minimum_cut
from ludograph.games.penguins.eat import Eat
from ludograph.games.penguins.evaluation import add_territory
from ludograph.games.penguins.greedy import greedy_move
from ludograph.games.penguins.isolated import isolated_regions
from ludograph.games.penguins.lookahead import leads_after_reply, make_scratch
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
"""Fish of its lead after the best reply that it gives up at most to begin a cut."""

NEVER = 2**30
"""Moves to a tile that a penguin does not get to."""


class Dissector:
    """Splits the ice along a minimum cut between two penguins if it gets there before the enemy.

    Every minimum vertex cut between an own and an enemy penguin is looked at, the one nearest to
    each of the two. It can be had if own penguins get to its tiles one after the other by shortest
    paths, and to each before any enemy. What it is worth is the fish collected and the territory
    then. Otherwise it moves where most territory is left, compared to the best other's, after the
    best reply. Isolated penguins wait, and eat when all are.
    """

    def __init__(self, seed: int, time: float | None = None) -> None:
        self.rng = random_state(seed)
        self.eat = Eat(seed, time)
        self.seen: Seen | None = None

    def prepare(self, position: PenguinsPosition) -> None:
        """Load the kernels that the first moves would wait for."""
        setup, state = position.setup, position.state
        self.eat.prepare(position)
        leads_of(setup, state, position.legal_moves()[:1])
        minimum_cut(setup, state, 0, 0, make_flow(setup), np.empty(setup.fish.size, np.int32))
        distances_of(setup, state, [0])

    def choose(self, position: PenguinsPosition, time_left: TimeLeft = UNLIMITED) -> int:
        """Return a move."""
        self.seen = None
        setup, state = position.setup, position.state
        seat = position.turn or 0
        if position.ply == 0:
            return int(greedy_move(setup, state, self.rng))
        moves = position.legal_moves()
        if position.is_placing:
            leads = leads_of(setup, state, moves)
            self.seen = Seen(position.copy(), moves, leads, self.any_best(moves, leads), None)
            return self.seen.move
        regions, contested = isolated_regions(setup, state, seat)
        if not contested:
            return self.eat.choose(position, time_left)
        if regions:
            moves = [move for move in moves if mover(setup, state, move) in contested]
        leads = leads_of(setup, state, moves)
        cut = best_cut(setup, state, contested)
        if cut is not None and cut.value > leads.max() <= leads[moves.index(cut.move)] + MAX_COST:
            self.seen = Seen(position.copy(), moves, leads, cut.move, cut)
        else:
            self.seen = Seen(position.copy(), moves, leads, self.any_best(moves, leads), None)
        return self.seen.move

    def thoughts(self) -> AnalysisInfo | None:
        """Return the lead that each move leaves, both territories, the cut that is begun."""
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
            note="" if cut is None else "it cuts the ice",
            overlays=tuple(overlays),
        )

    def any_best(self, moves: list[int], leads: npt.NDArray[np.float64]) -> int:
        """Return a move with the greatest lead, all of those equally likely."""
        best = np.flatnonzero(leads == leads.max())
        return moves[best[random_below(self.rng, best.size)]]


def leads_of(setup: PenguinsSetup, state: State, moves: list[int]) -> npt.NDArray[np.float64]:
    """Return the lead that the best reply to each move leaves: float64[k]."""
    leads = np.empty(len(moves))
    leads_after_reply(setup, state, np.array(moves, np.int32), make_scratch(setup), leads)
    return leads


class Cut(NamedTuple):
    """A cut that can be had."""

    move: int
    """The first one on the way to it."""
    value: float
    """What it is worth."""
    tiles: tuple[int, ...]


class Seen(NamedTuple):
    """What the strategy has seen before its move."""

    position: PenguinsPosition
    moves: list[int]
    leads: npt.NDArray[np.float64]
    move: int
    cut: Cut | None


def best_cut(setup: PenguinsSetup, state: State, own: list[int]) -> Cut | None:
    """Return the best cut that can be had.

    Parameters
    ----------
    own
        The penguins to cut with; their seat is to move.
    """
    seat = int(state[TURN])
    tiles = state[tiles_at(setup) : tiles_at(setup) + setup.owners.size].tolist()
    enemies = [penguin for penguin in on_ice(setup, state) if setup.owners[penguin] != seat]
    distances, firsts = distances_of(setup, state, own)
    arrivals = distances_of(setup, state, enemies)[0].min(axis=0, initial=NEVER)
    flow, out = make_flow(setup), np.empty(setup.fish.size, np.int32)
    tried: set[tuple[int, ...]] = set()
    best: Cut | None = None
    for one in own:
        for other in enemies:
            for source, sink in ((one, other), (other, one)):
                count = int(minimum_cut(setup, state, tiles[source], tiles[sink], flow, out))
                cut = tuple(out[:count].tolist())
                if not 0 < count <= MAX_CUT or cut in tried:
                    continue
                tried.add(cut)
                begun = first_step(setup, state, own, distances, firsts, arrivals, cut)
                if begun is not None:
                    value = value_of_cut(setup, state, seat, cut)
                    if best is None or value > best.value:
                        best = Cut(begun, value, cut)
    return best


def on_ice(setup: PenguinsSetup, state: State) -> list[int]:
    """Return the penguins that stand somewhere, of all seats that are still there."""
    tiles = state[tiles_at(setup) : tiles_at(setup) + setup.owners.size].tolist()
    return [
        penguin
        for penguin, owner in enumerate(setup.owners.tolist())
        if tiles[penguin] != NOWHERE and not state[SEATS + SEAT_SLOTS * owner + GONE]
    ]


def territories(setup: PenguinsSetup, state: State) -> Iterator[Overlay]:
    """Yield the tiles that the seat to move gets to before all others, and those that they do."""
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
    """Return the first move to take all tiles of a cut in time, the most urgent first; or None.

    Parameters
    ----------
    own
        The penguins that may take them.
    distances, firsts
        ``int32[len(own), n]``: in how many moves each gets to a tile, and by which first one.
    arrivals
        ``int32[n]``: in how many moves the first enemy gets there.
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
        # The penguin stands there now.
        state[tiles_at(setup) + own[nearest]] = tile
        state[cells_at(setup) + tile] = own[nearest] + 1
        distances, firsts = distances_of(setup, state, own)
    return begun


def distances_of(
    setup: PenguinsSetup, state: State, penguins: list[int]
) -> tuple[IntArray, IntArray]:
    """Return in how many moves penguins get to each tile, and the first move: int32[k, n] each."""
    distances = np.empty((len(penguins), setup.fish.size), np.int32)
    firsts = np.empty_like(distances)
    queue = np.empty(setup.fish.size + 1, np.int32)
    for index, penguin in enumerate(penguins):
        count_moves(setup, state, penguin, queue, distances[index], firsts[index])
    distances[distances < 0] = NEVER
    return distances, firsts


def value_of_cut(setup: PenguinsSetup, state: State, seat: int, cut: tuple[int, ...]) -> float:
    """Return how many fish a seat would be ahead if it had eaten the tiles of a cut."""
    after = state.copy()
    out: npt.NDArray[np.float64] = np.empty(setup.seats)
    after[cells_at(setup) + np.array(cut)] = MELTED
    rules.scores(setup, after, out)
    out[seat] += setup.fish[list(cut)].sum()
    add_territory(setup, after, 1.0, out)
    return float(margin(out, seat))


def mover(setup: PenguinsSetup, state: State, move: int) -> int:
    """Return the penguin that a move moves."""
    source = setup.tiles[(move - setup.fish.size) >> setup.shift]
    return int(state[cells_at(setup) + source]) - 1
