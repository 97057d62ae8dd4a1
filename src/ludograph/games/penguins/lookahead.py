"""Two-ply lookahead: the lead in fish and territory after the best reply to each move."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.games.penguins.evaluation import add_territory
from ludograph.games.penguins.setup import PenguinsSetup
from ludograph.rules import OVER, TURN, Moves, Scores, State, compiled
from ludograph.search.values import margin


@compiled
def lead_of(setup: PenguinsSetup, state: State, seat: int, scores: Scores) -> float:
    """Return a seat's lead over the best other seat, in fish and territory.

    Parameters
    ----------
    scores
        ``float64[seats]``: a workspace for the scores of all seats.
    """
    rules.scores(setup, state, scores)
    if state[TURN] != OVER:
        add_territory(setup, state, 1.0, scores)
    return margin(scores, seat)


class Scratch(NamedTuple):
    """A workspace for :func:`leads_after_reply`."""

    after: State
    later: State
    replies: Moves
    scores: Scores


def make_scratch(setup: PenguinsSetup) -> Scratch:
    """Return a workspace for the positions of a setup."""
    size = rules.info(setup).state_size
    return Scratch(
        np.empty(size, np.int32),
        np.empty(size, np.int32),
        np.empty(setup.capacity, np.int32),
        np.empty(setup.seats, np.float64),
    )


@compiled
def leads_after_reply(
    setup: PenguinsSetup,
    state: State,
    moves: Moves,
    scratch: Scratch,
    out: npt.NDArray[np.float64],
) -> None:
    """Write the lead of the seat to move after each move and the best reply of the next seat.

    Parameters
    ----------
    moves, out
        ``int32[k]``: the codes of the moves. ``float64[k]``: the leads, written.

    Notes
    -----
    O(slots) for each reply to each move.
    """
    seat = state[TURN]
    after, later, replies, scores = scratch
    for index in range(moves.size):
        rules.copy(state, after)
        rules.play(setup, after, moves[index])
        count = 0
        if after[TURN] != seat:
            count = rules.legal_moves(setup, after, replies)
        worst = lead_of(setup, after, seat, scores) if count == 0 else np.inf
        for reply in range(count):
            rules.copy(after, later)
            rules.play(setup, later, replies[reply])
            worst = min(worst, lead_of(setup, later, seat, scores))
        out[index] = worst
