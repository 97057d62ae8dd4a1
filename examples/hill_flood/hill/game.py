"""The game of Hill: the moves of Flood, and an end as soon as somebody holds the middle."""

import dataclasses

from hill import DECLARATION
from ludograph import rules
from ludograph.games.flood.game import Flood
from ludograph.games.flood.presentation import FloodPresentation
from ludograph.games.flood.rules import (
    CAPTOR,
    OWNER,
    cells_at,
    flood_info,
    flood_key,
    flood_play,
    flood_sample_move,
    flood_scores,
)
from ludograph.games.flood.setup import FloodSetup
from ludograph.rules import OVER, TURN, compiled, implements


class HillSetup(FloodSetup):
    """The Setup of Flood under a name of its own, for the rules of Hill."""


@compiled
def winner(setup, state):
    """Return 1 + the seat that holds the middle, or that has won by capture; 0 without one."""
    if state[CAPTOR] > 0:
        return state[CAPTOR]
    middle = setup.region_of[setup.region_of.size // 2]
    return state[cells_at(setup) + middle] & OWNER


@implements(rules.info, HillSetup)
def hill_info(setup):
    same = flood_info(setup)
    return rules.GameInfo(
        state_size=same.state_size,
        seats=same.seats,
        move_capacity=same.move_capacity,
        ply_bound=same.ply_bound,
        lowest_score=-1.0,
        highest_score=1.0,
    )


@implements(rules.play, HillSetup)
def hill_play(setup, state, move):
    flood_play(setup, state, move)
    if winner(setup, state) > 0:
        state[TURN] = OVER


@implements(rules.scores, HillSetup)
def hill_scores(setup, state, out):
    flood_scores(setup, state, out)
    for seat in range(out.size):
        if out[seat] >= 0.0:  # below it, the seat was eliminated
            out[seat] = 1.0 if winner(setup, state) == seat + 1 else 0.0


@implements(rules.key, HillSetup)
def hill_key(setup, state):
    return flood_key(setup, state)


@implements(rules.sample_move, HillSetup)
def hill_sample_move(setup, state, rng):
    return flood_sample_move(setup, state, rng)


rules.register(HillSetup, hill_key, hill_sample_move, otherwise=FloodSetup)


class HillPresentation(FloodPresentation):
    def scene(self, position):
        usual = super().scene(position)
        labels = {position.board.n // 2: "^", **usual.labels}
        return dataclasses.replace(usual, labels=labels)

    def result(self, position, outcome, names):
        seat = outcome.winner
        if seat is None:
            return "A draw: all have passed, and nobody holds the middle."
        return f"{names[seat]} (seat {seat}) wins after {position.ply} moves."


class Hill(Flood):
    declaration = DECLARATION
    version = 1
    setup_type = HillSetup
    presentation = HillPresentation()

    def samples(self):
        yield self.position("square:4", colors=4)


hill = Hill()
