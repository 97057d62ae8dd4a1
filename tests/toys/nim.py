"""Nim with a bound on what may be taken at once: who takes the last object wins.

By Sprague and Grundy the seat to move loses exactly when the heaps modulo ``most + 1`` have the
exclusive or 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.rules import (
    HEADER,
    OVER,
    PLY,
    TURN,
    GameInfo,
    Moves,
    Scores,
    State,
    compiled,
    implements,
)
from ludograph.search.mcts.hints import LIKELIHOODS, VALUES, settle, weigh

WINNER = HEADER  # 1 + the seat that took the last object
HEAPS = HEADER + 1


class Nim(NamedTuple):
    heaps: npt.NDArray[np.int32]
    """``int32[heaps]``: objects in each at the start."""
    most: int
    """How many objects a move may take."""


def nim(heaps: list[int], most: int = 3) -> Nim:
    return Nim(np.array(heaps, np.int32), most)


@implements(rules.info, Nim)
def nim_info(setup: Nim) -> GameInfo:
    return GameInfo(
        state_size=HEAPS + setup.heaps.size,
        seats=2,
        move_capacity=setup.heaps.size * setup.most,
        ply_bound=setup.heaps.sum(),
        lowest_score=0.0,
        highest_score=1.0,
    )


@implements(rules.start, Nim)
def nim_start(setup: Nim, state: State) -> None:
    state[:] = 0
    for heap in range(setup.heaps.size):
        state[HEAPS + heap] = setup.heaps[heap]


@implements(rules.legal_moves, Nim)
def nim_legal_moves(setup: Nim, state: State, out: Moves) -> int:
    count = 0
    for heap in range(setup.heaps.size):
        for taken in range(1, min(setup.most, state[HEAPS + heap]) + 1):
            out[count] = heap * setup.most + taken - 1
            count += 1
    return count


@implements(rules.play, Nim)
def nim_play(setup: Nim, state: State, move: int) -> None:
    state[HEAPS + move // setup.most] -= move % setup.most + 1
    state[PLY] += 1
    left = 0
    for heap in range(setup.heaps.size):
        left += state[HEAPS + heap]
    if left == 0:
        state[WINNER] = state[TURN] + 1
        state[TURN] = OVER
    else:
        state[TURN] = 1 - state[TURN]


@implements(rules.scores, Nim)
def nim_scores(setup: Nim, state: State, out: Scores) -> None:
    for seat in range(2):
        out[seat] = 1.0 if state[WINNER] == seat + 1 else 0.0


class Wisdom(NamedTuple):
    """What a close look needs: whether it may tell who wins, and where looks are counted."""

    tells: bool
    looks: npt.NDArray[np.int64]


@implements(settle, Nim)
def nim_settle(
    setup: Nim, workspace: Wisdom, state: State, scores: Scores, moves: Moves
) -> tuple[bool, int]:
    """Know the theory: who wins, or at least that some moves win or lose all alike."""
    workspace.looks[0] += 1
    together = 0
    for heap in range(setup.heaps.size):
        together ^= state[HEAPS + heap] % (setup.most + 1)
    wins = together != 0
    for seat in range(2):
        scores[seat] = 1.0 if (seat == state[TURN]) == wins else 0.0
    count = 0
    for heap in range(setup.heaps.size):
        for taken in range(1, min(setup.most, state[HEAPS + heap]) + 1):
            left = (state[HEAPS + heap] - taken) % (setup.most + 1)
            here = state[HEAPS + heap] % (setup.most + 1)
            if not wins or together ^ here ^ left == 0:
                moves[count] = heap * setup.most + taken - 1
                count += 1
    return workspace.tells, count


class Hunch(NamedTuple):
    """What priors and values tell: the move held for the best, how firmly; and judgements."""

    favorite: int
    likelihood: float
    faith: float = -1.0
    """What a judgement says that who can win expects; negative: none is made."""


@compiled
def write_likelihoods(knowledge: Hunch, moves: Moves, out: Scores) -> None:
    present = False
    for place in range(moves.size):
        present = present or moves[place] == knowledge.favorite
    for place in range(moves.size):
        out[place] = 1.0 / moves.size
        if present and moves.size > 1:
            out[place] = (1.0 - knowledge.likelihood) / (moves.size - 1)
            if moves[place] == knowledge.favorite:
                out[place] = knowledge.likelihood


@implements(weigh, Nim)
def nim_weigh(
    setup: Nim,
    knowledge: Hunch,
    state: State,
    moves: Moves,
    wanted: int,
    out: Scores,
    rewards: Scores,
) -> bool:
    if wanted == VALUES:
        for place in range(moves.size):
            out[place] = knowledge.likelihood if moves[place] == knowledge.favorite else 0.4
        return False
    if wanted == LIKELIHOODS:
        write_likelihoods(knowledge, moves, out)
        return False
    if knowledge.faith < 0.0:
        return False
    write_likelihoods(knowledge, moves, out)
    together = 0
    for heap in range(setup.heaps.size):
        together ^= state[HEAPS + heap] % (setup.most + 1)
    worth = knowledge.faith if together else 1.0 - knowledge.faith
    rewards[state[TURN]] = worth
    rewards[1 - state[TURN]] = 1.0 - worth
    return True


rules.register(Nim, nim_settle, nim_weigh)
