"""A dice race: each turn a seat takes one sure step, or rolls a loaded die and goes that far."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.rules import (
    CHANCE,
    HEADER,
    OVER,
    PLY,
    TURN,
    GameInfo,
    Moves,
    Scores,
    State,
    implements,
)

ROLLER = HEADER  # the seat whose die is in the air
TURNS = HEADER + 1  # turns completed
PLACES = HEADER + 2  # per seat: how far it has come

STEP, ROLL = 0, 1
"""The moves; the outcomes of the die are its faces' places."""


class Dice(NamedTuple):
    faces: npt.NDArray[np.int32]
    """``int32[faces]``: how far each face goes; 0 goes back to the start."""
    chances: npt.NDArray[np.float64]
    """``float64[faces]``: the probability of each."""
    rounds: int
    """Turns that each of the two seats has."""


def dice(rounds: int = 3) -> Dice:
    faces = np.array([0, 1, 2, 4], np.int32)
    return Dice(faces, np.array([0.25, 0.125, 0.5, 0.125]), rounds)


@implements(rules.info, Dice)
def dice_info(setup: Dice) -> GameInfo:
    furthest = 0
    for face in setup.faces:
        furthest = max(furthest, face)
    return GameInfo(
        state_size=PLACES + 2,
        seats=2,
        move_capacity=max(2, setup.faces.size),
        ply_bound=4 * setup.rounds,
        lowest_score=0.0,
        highest_score=float(setup.rounds * furthest),
    )


@implements(rules.start, Dice)
def dice_start(setup: Dice, state: State) -> None:
    state[:] = 0


@implements(rules.legal_moves, Dice)
def dice_legal_moves(setup: Dice, state: State, out: Moves) -> int:
    if state[TURN] == OVER:
        return 0
    count = setup.faces.size if state[TURN] == CHANCE else 2
    for code in range(count):
        out[code] = code
    return count


@implements(rules.weights, Dice)
def dice_weights(setup: Dice, state: State, outcomes: Moves, out: Scores) -> None:
    for face in range(setup.faces.size):
        out[face] = setup.chances[face]


@implements(rules.play, Dice)
def dice_play(setup: Dice, state: State, move: int) -> None:
    state[PLY] += 1
    if state[TURN] == CHANCE:
        seat = state[ROLLER]
        far = setup.faces[move]
        state[PLACES + seat] = state[PLACES + seat] + far if far else 0
    elif move == ROLL:
        state[ROLLER] = state[TURN]
        state[TURN] = CHANCE
        return
    else:
        seat = state[TURN]
        state[PLACES + seat] += 1
    state[ROLLER] = 0
    state[TURNS] += 1
    state[TURN] = OVER if state[TURNS] == 2 * setup.rounds else 1 - seat


@implements(rules.scores, Dice)
def dice_scores(setup: Dice, state: State, out: Scores) -> None:
    for seat in range(2):
        out[seat] = state[PLACES + seat]


rules.register(Dice, dice_weights)
