"""What it is worth in Carcassonne to know the next tiles: the share of luck in a pair of games.

    python benchmarks/carcassonne_luck.py [--pairs 40] [--mode no-meeple] [--plies 1 4 8]

A player tries each placement of its tile, lets `greedy` place the next tiles of both seats, for
some plies, and keeps the placement after which it is most ahead, in the mean over some deals. It
comes in two kinds, which differ in nothing else. The *fair* one draws these deals from the tiles
left in the deck. The *clairvoyant* one knows the tiles that will come, in their order.

Both play against `greedy`, in pairs of games with the same order of tiles and exchanged seats.
Printed: the pairs in which they have more points in both games together, points a game, and how
much the points of a pair scatter. What the clairvoyant wins more is what no fair player can know.
"""

from __future__ import annotations

import argparse
import statistics
from typing import NamedTuple

import numpy as np
from pairs import ahead

from ludograph import carcassonne, rules
from ludograph.games.carcassonne.greedy import greedy_placement
from ludograph.rules import CHANCE, OVER, TURN, Moves, Rng, Scores, State, compiled, random_state
from ludograph.search.values import margin

DEALS = 32
"""How many deals the fair player tries for each placement."""


class Memory(NamedTuple):
    """The memory for looking ahead: two states, all moves, and the scores of both seats."""

    ahead: State
    after: State
    moves: Moves
    scores: Scores


@compiled(allocates=True)
def lead_after(
    setup: rules.Setup, memory: Memory, plies: int, tiles: Rng, ties: Rng, seat: int
) -> float:
    """Let `greedy` place some tiles in ``memory.ahead``; return the lead of a seat then."""
    state, scores = memory.ahead, memory.scores
    placed = 0
    while state[TURN] != OVER and placed < plies:
        if state[TURN] == CHANCE:
            rules.play(setup, state, rules.sample_move(setup, state, tiles))
        else:
            move = greedy_placement(setup, state, memory.after, memory.moves, scores, ties)
            rules.play(setup, state, move)
            placed += 1
    rules.scores(setup, state, scores)
    return float(margin(scores, seat))


class Table:
    """A game under way, and the memory for looking ahead in it."""

    def __init__(self, mode: str, number: int) -> None:
        position = carcassonne.position(mode=mode)
        self.setup, self.state = position.setup, position.state
        self.memory = Memory(
            np.empty_like(self.state),
            np.empty_like(self.state),
            np.empty(self.setup.capacity, np.int32),
            np.empty(2),
        )
        self.tiles, self.ties = random_state(number), random_state(number + 10**6)
        self.own = np.random.default_rng(number)

    def placement(self, plies: int, *, clairvoyant: bool) -> int:
        """Return the placement after which the seat to move is most ahead."""
        seat = int(self.state[TURN])
        memory = self.memory
        placements = memory.moves[: rules.legal_moves(self.setup, self.state, memory.moves)].copy()
        leads = np.zeros(len(placements))
        for _ in range(DEALS):
            deal = self.tiles if clairvoyant else random_state(int(self.own.integers(2**62)))
            for index, placement in enumerate(placements):
                rules.copy(self.state, memory.ahead)
                rules.play(self.setup, memory.ahead, placement)
                leads[index] += lead_after(self.setup, memory, plies, deal.copy(), self.ties, seat)
        return int(placements[leads.argmax()])

    def play(self, seat: int, plies: int, *, clairvoyant: bool) -> float:
        """Play to the end against `greedy`; return the lead of the player on a seat."""
        while self.state[TURN] != OVER:
            if self.state[TURN] == CHANCE:
                move = rules.sample_move(self.setup, self.state, self.tiles)
            elif self.state[TURN] == seat:
                move = self.placement(plies, clairvoyant=clairvoyant)
            else:
                _, after, moves, scores = self.memory
                move = greedy_placement(self.setup, self.state, after, moves, scores, self.ties)
            rules.play(self.setup, self.state, move)
        rules.scores(self.setup, self.state, self.memory.scores)
        return float(margin(self.memory.scores, seat))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--mode", choices=("no-meeple", "infinite", "finite"), default="no-meeple")
    parser.add_argument("--plies", type=int, nargs="+", default=[1, 4, 8])
    options = parser.parse_args()
    for plies in options.plies:
        for clairvoyant in (False, True):
            leads = [
                sum(
                    Table(options.mode, number).play(seat, plies, clairvoyant=clairvoyant)
                    for seat in (0, 1)
                )
                for number in range(options.pairs)
            ]
            more, _, (share, low, high) = ahead(leads)
            print(
                f"{'clairvoyant' if clairvoyant else 'fair':11} {plies} plies: ahead in {more} of "
                f"{options.pairs} pairs ({100 * share:.0f} %, {100 * low:.0f} to "
                f"{100 * high:.0f}), {statistics.mean(leads) / 2:+.0f} points a game, "
                f"a pair scatters by {statistics.pstdev(leads):.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
