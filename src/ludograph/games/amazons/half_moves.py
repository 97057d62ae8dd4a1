"""Amazons for a search that plays each move as two: a slide, then a shot of the same seat.

A queen has some 20 slides, and 20 shots after each, so a position has hundreds of moves but only
dozens of slides. A search finds the good slides before it examines their shots. States are those of
the game, except that ``LAST`` is the tile of the queen that has to shoot, or ``NO_SHOT``. Moves are
``source * n + target`` for a slide, and the tile of the arrow for a shot.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ludograph import rules
from ludograph.games.amazons.rules import (
    ARROW,
    FREE,
    LAST,
    amazons_scores,
    can_move,
    list_reach,
    put,
    queens_at,
)
from ludograph.games.amazons.setup import AmazonsSetup, IntArray
from ludograph.rules import OVER, PLY, TURN, GameInfo, Moves, Scores, State, implements

NO_SHOT = -1


class AmazonsHalfMoves(NamedTuple):
    """The setup of a game that is played by half moves."""

    base: AmazonsSetup
    slides: int
    """An upper bound of the number of slides of a seat."""


def make_half_moves(setup: AmazonsSetup) -> AmazonsHalfMoves:
    """Return the setup of a game by half moves."""
    longest = int(np.diff(setup.lines[setup.offsets]).max())
    return AmazonsHalfMoves(setup, setup.starts.size // 2 * longest)


def before_slide(state: State) -> IntArray:
    """Return a copy of a game's state as a state of half moves."""
    copy = state.copy()
    copy[LAST] = NO_SHOT
    return copy


def whole_moves(halves: Sequence[int], n: int) -> tuple[int, ...]:
    """Return the moves for alternating slides and shots; a last slide without shot is omitted."""
    return tuple(slide * n + arrow for slide, arrow in zip(halves[::2], halves[1::2], strict=False))


@implements(rules.info, AmazonsHalfMoves)
def half_moves_info(setup: AmazonsHalfMoves) -> GameInfo:
    base = rules.info(setup.base)
    return GameInfo(
        state_size=base.state_size,
        seats=2,
        move_capacity=setup.slides,
        ply_bound=2 * base.ply_bound,
        lowest_score=0.0,
        highest_score=1.0,
    )


@implements(rules.start, AmazonsHalfMoves)
def half_moves_start(setup: AmazonsHalfMoves, state: State) -> None:
    rules.start(setup.base, state)


@implements(rules.legal_moves, AmazonsHalfMoves)
def half_moves_legal_moves(setup: AmazonsHalfMoves, state: State, out: Moves) -> int:
    if state[TURN] == OVER:
        return 0
    if state[LAST] != NO_SHOT:
        return list_reach(setup.base, state, state[LAST], 0, out)
    n, count = setup.base.offsets.size - 1, 0
    for queen in range(state[TURN], setup.base.starts.size, 2):
        source = state[queens_at(setup.base) + queen]
        count += list_reach(setup.base, state, source, source * n, out[count:])
    return count


@implements(rules.play, AmazonsHalfMoves)
def half_moves_play(setup: AmazonsHalfMoves, state: State, move: int) -> None:
    n, seat, queen = setup.base.offsets.size - 1, state[TURN], queens_at(setup.base)
    if state[LAST] == NO_SHOT:
        source, target = move // n, move % n
        while state[queen] != source:
            queen += 1
        state[queen] = target
        put(state, source, FREE)
        put(state, target, 1 + seat)
        state[LAST] = target
    else:
        put(state, move, ARROW)
        state[LAST] = NO_SHOT
        state[PLY] += 1
        state[TURN] = 1 - seat if can_move(setup.base, state, 1 - seat) else OVER


@implements(rules.scores, AmazonsHalfMoves)
def half_moves_scores(setup: AmazonsHalfMoves, state: State, out: Scores) -> None:
    amazons_scores(setup.base, state, out)
