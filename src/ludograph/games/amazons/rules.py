"""The rules of Amazons, also for a search that plays each move as two.

A move is a slide and a shot together: its code is ``(source * n + target) * n + arrow``, for all
lines between these tiles. A queen that can take one step can always shoot back to its source, so a
seat can move as long as a tile next to one of its queens is free.

A queen has some 20 slides, and 20 shots after each, so a position has hundreds of moves but only
dozens of slides. A search finds the good slides before it examines their shots: it plays a slide,
then a shot of the same seat. States are those of the game, except that ``LAST`` is the tile of the
queen that has to shoot, or ``NO_SHOT``. Moves are ``source * n + target`` for a slide, and the tile
of the arrow for a shot.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ludograph import rules
from ludograph.games.amazons.setup import AmazonsSetup, IntArray
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
from ludograph.rules.kernels.bits import bit
from ludograph.rules.kernels.sets import CAPACITY, LENGTHS, WORD, is_empty
from ludograph.rules.kernels.zobrist import hash_at, toggle, word_of

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


HASH = HEADER  # two slots: a Zobrist hash of the tiles
BLOCKED = HEADER + 2  # the set of tiles that are not free, of a grid; two slots for a word
LAST = BLOCKED + 2 * LENGTHS[-1]  # the move played last, or -1; no rule reads it
CELLS = LAST + 1  # for each tile FREE, ARROW or 1 + the seat of its queen

# After the cells: the tiles of the queens; then a workspace, zeros between calls: a number for each
# tile, or five if the board is no grid.

FREE, ARROW = 0, -1


@compiled
def queens_at(setup: AmazonsSetup) -> int:
    """Return the slot of the first queen's tile; queens with even numbers are seat 0's."""
    return CELLS + setup.offsets.size - 1


@implements(rules.info, AmazonsSetup)
def amazons_info(setup: AmazonsSetup) -> GameInfo:
    scratch = 5 if is_empty(setup.grid.tiles) else 1
    return GameInfo(
        state_size=queens_at(setup) + setup.starts.size + scratch * (setup.offsets.size - 1),
        seats=2,
        move_capacity=setup.capacity,
        ply_bound=setup.offsets.size - 1 - setup.starts.size,
        lowest_score=0.0,
        highest_score=1.0,
    )


@implements(rules.start, AmazonsSetup)
def amazons_start(setup: AmazonsSetup, state: State) -> None:
    rules.fill(state, 0)
    state[LAST] = -1
    rules.copy(setup.starts, state[queens_at(setup) :])
    for queen in range(setup.starts.size):
        put(state, setup.starts[queen], 1 + queen % 2)
    state[TURN] = 0 if can_move(setup, state, 0) else OVER


@compiled
def put(state: State, tile: int, what: int) -> None:
    """Put a queen of seat ``what - 1`` or an ``ARROW`` on a free tile; ``FREE`` removes it."""
    toggle(state, HASH, word_of(3 * tile + max(what, state[CELLS + tile]) + 1))
    state[CELLS + tile] = what
    if tile < CAPACITY:
        toggle(state, BLOCKED + 2 * (tile // WORD), bit(tile % WORD))


@compiled
def can_move(setup: AmazonsSetup, state: State, seat: int) -> bool:
    """Tell whether a tile next to a queen of a seat is free."""
    for queen in range(seat, setup.starts.size, 2):
        source = state[queens_at(setup) + queen]
        for line in range(setup.offsets[source], setup.offsets[source + 1]):
            place = setup.lines[line]
            if place < setup.lines[line + 1] and state[CELLS + setup.tiles[place]] == FREE:
                return True
    return False


@implements(rules.legal_moves, AmazonsSetup)
def amazons_legal_moves(setup: AmazonsSetup, state: State, out: Moves) -> int:
    n, count, queens = setup.offsets.size - 1, 0, state[queens_at(setup) :]
    if state[TURN] == OVER:
        return 0
    targets = queens[setup.starts.size :]
    for queen in range(state[TURN], setup.starts.size, 2):
        source = queens[queen]
        state[CELLS + source] = FREE  # the queen shoots through its former tile
        for place in range(list_reach(setup, state, source, 0, targets)):
            target = targets[place]
            count += list_reach(setup, state, target, (source * n + target) * n, out[count:])
            targets[place] = 0
        state[CELLS + source] = 1 + state[TURN]
    return count


@compiled(inlined=True)
def list_reach(setup: AmazonsSetup, state: State, source: int, code: int, out: Moves) -> int:
    """Write the free tiles at which lines from a tile can end, each added to a code; count them."""
    count = 0
    for line in range(setup.offsets[source], setup.offsets[source + 1]):
        for place in range(setup.lines[line], setup.lines[line + 1]):
            tile = setup.tiles[place]
            if state[CELLS + tile] != FREE:
                break
            if not (setup.tangled and code + tile in out[:count]):
                out[count] = code + tile
                count += 1
    return count


@implements(rules.play, AmazonsSetup)
def amazons_play(setup: AmazonsSetup, state: State, move: int) -> None:
    n, seat, queen = setup.offsets.size - 1, state[TURN], queens_at(setup)
    source, target, arrow = move // (n * n), move // n % n, move % n
    while state[queen] != source:
        queen += 1
    state[queen] = target
    put(state, source, FREE)
    put(state, target, 1 + seat)
    put(state, arrow, ARROW)
    state[LAST] = move
    state[PLY] += 1
    state[TURN] = 1 - seat if can_move(setup, state, 1 - seat) else OVER


@implements(rules.scores, AmazonsSetup)
def amazons_scores(setup: AmazonsSetup, state: State, out: Scores) -> None:  # noqa: ARG001
    # The seats move in turn, without a pass: the seat of the last move has won.
    out[0] = float(state[PLY] % 2) if state[TURN] == OVER else 0.5
    out[1] = 1.0 - out[0]


@implements(rules.key, AmazonsSetup)
def amazons_key(setup: AmazonsSetup, state: State) -> np.uint64:
    tiles = setup.offsets.size - 1
    return hash_at(state, HASH) ^ word_of(3 * tiles + state[TURN] + 3)  # not the word of a tile
