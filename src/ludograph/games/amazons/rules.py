"""The rules of Amazons.

A move is a slide and a shot, played as one: its code is ``(source * n + target) * n + arrow``, the
same whichever lines lead there. A queen that can take one step can always shoot back to where it
came from, so a seat can move as long as some tile next to one of its queens is free.
"""

from __future__ import annotations

import numpy as np

from ludograph.games.amazons.setup import AmazonsSetup
from ludograph.rules import (
    HEADER,
    OVER,
    PLY,
    TURN,
    Moves,
    Rng,
    Scores,
    State,
    compiled,
    contract,
    fill,
    implements,
    random_below,
)
from ludograph.rules.random import GAMMA, HALF, scramble

HASH_LOW = HEADER  # two halves of a Zobrist hash of the tiles
HASH_HIGH = HEADER + 1
LAST = HEADER + 2  # the move played last, or -1; no rule reads it
QUEENS = HEADER + 3  # the tile of each queen

# After the queens: a cell per tile, then room for evaluations, which is all zeros between them.

FREE, ARROW = 0, -1  # a cell; or 1 + the queen that stands there
ROOM = 5  # slots per tile that an evaluation needs


@compiled
def cells_at(setup: AmazonsSetup) -> int:
    """Return the slot of tile 0's cell."""
    return QUEENS + setup.starts.size


@implements(contract.state_size, AmazonsSetup)
def amazons_state_size(setup: AmazonsSetup) -> int:
    return cells_at(setup) + (1 + ROOM) * (setup.offsets.size - 1)


@implements(contract.seat_count, AmazonsSetup)
def amazons_seat_count(setup: AmazonsSetup) -> int:  # noqa: ARG001
    return 2


@implements(contract.move_capacity, AmazonsSetup)
def amazons_move_capacity(setup: AmazonsSetup) -> int:
    return setup.capacity


@implements(contract.ply_bound, AmazonsSetup)
def amazons_ply_bound(setup: AmazonsSetup) -> int:
    return setup.offsets.size - 1 - setup.starts.size


@implements(contract.score_bounds, AmazonsSetup)
def amazons_score_bounds(setup: AmazonsSetup, out: Scores) -> None:  # noqa: ARG001
    out[0] = 0.0
    out[1] = 1.0


@implements(contract.start, AmazonsSetup)
def amazons_start(setup: AmazonsSetup, state: State) -> None:
    fill(state, 0)
    state[LAST] = -1
    cells = cells_at(setup)
    for queen in range(setup.starts.size):
        tile = setup.starts[queen]
        state[QUEENS + queen] = tile
        state[cells + tile] = queen + 1
        toggle(state, tile, queen // setup.queens)
    if not can_move(setup, state, 0):
        state[TURN] = OVER


@compiled
def can_move(setup: AmazonsSetup, state: State, seat: int) -> bool:
    """Tell whether a tile next to a queen of a seat is free."""
    cells = cells_at(setup)
    for queen in range(seat * setup.queens, (seat + 1) * setup.queens):
        source = state[QUEENS + queen]
        for line in range(setup.offsets[source], setup.offsets[source + 1]):
            place = setup.lines[line]
            if place < setup.lines[line + 1] and state[cells + setup.tiles[place]] == FREE:
                return True
    return False


@compiled
def comes_again(setup: AmazonsSetup, state: State, source: int, place: int) -> bool:
    """Tell whether an earlier line out of a tile leads to the tile at a place of ``tiles`` too."""
    if not setup.tangled:
        return False
    cells = cells_at(setup)
    for line in range(setup.offsets[source], setup.offsets[source + 1]):
        for earlier in range(setup.lines[line], setup.lines[line + 1]):
            if earlier == place or state[cells + setup.tiles[earlier]] != FREE:
                break
            if setup.tiles[earlier] == setup.tiles[place]:
                return True
        if setup.lines[line + 1] > place:
            return False
    return False


@implements(contract.legal_moves, AmazonsSetup)
def amazons_legal_moves(setup: AmazonsSetup, state: State, out: Moves) -> int:
    count = 0
    if state[TURN] == OVER:
        return count
    cells = cells_at(setup)
    first = state[TURN] * setup.queens
    for queen in range(first, first + setup.queens):
        source = state[QUEENS + queen]
        state[cells + source] = FREE  # it shoots through where it stood
        for line in range(setup.offsets[source], setup.offsets[source + 1]):
            for place in range(setup.lines[line], setup.lines[line + 1]):
                target = setup.tiles[place]
                if state[cells + target] != FREE:
                    break
                if not comes_again(setup, state, source, place):
                    count = list_shots(setup, state, source, target, out, count)
        state[cells + source] = queen + 1
    return count


@compiled
def list_shots(
    setup: AmazonsSetup, state: State, source: int, target: int, out: Moves, count: int
) -> int:
    """Write the codes of all shots after a slide behind others; return how many there are then."""
    cells = cells_at(setup)
    n = setup.offsets.size - 1
    for line in range(setup.offsets[target], setup.offsets[target + 1]):
        for place in range(setup.lines[line], setup.lines[line + 1]):
            arrow = setup.tiles[place]
            if state[cells + arrow] != FREE:
                break
            if not comes_again(setup, state, target, place):
                out[count] = (source * n + target) * n + arrow
                count += 1
    return count


@compiled
def shot(setup: AmazonsSetup, state: State, target: int, wanted: int) -> int:
    """Return the tile of a shot by its number; if there are not so many, -1 less their number."""
    cells = cells_at(setup)
    count = 0
    for line in range(setup.offsets[target], setup.offsets[target + 1]):
        for place in range(setup.lines[line], setup.lines[line + 1]):
            arrow = setup.tiles[place]
            if state[cells + arrow] != FREE:
                break
            if not comes_again(setup, state, target, place):
                if count == wanted:
                    return arrow
                count += 1
    return -1 - count


@implements(contract.sample_move, AmazonsSetup)
def amazons_sample_move(setup: AmazonsSetup, state: State, rng: Rng) -> int:
    """Each slide takes the place of those before it by its share of the shots counted so far."""
    cells = cells_at(setup)
    n = setup.offsets.size - 1
    total, chosen, slide, shots = 0, 0, 0, 0
    first = state[TURN] * setup.queens
    for queen in range(first, first + setup.queens):
        source = state[QUEENS + queen]
        state[cells + source] = FREE
        for line in range(setup.offsets[source], setup.offsets[source + 1]):
            for place in range(setup.lines[line], setup.lines[line + 1]):
                target = setup.tiles[place]
                if state[cells + target] != FREE:
                    break
                if not comes_again(setup, state, source, place):
                    more = -1 - shot(setup, state, target, n)
                    total += more
                    if random_below(rng, total) < more:
                        chosen, slide, shots = queen, source * n + target, more
        state[cells + source] = queen + 1
    source = state[QUEENS + chosen]
    state[cells + source] = FREE
    arrow = shot(setup, state, slide % n, random_below(rng, shots))
    state[cells + source] = chosen + 1
    return slide * n + arrow


@implements(contract.play, AmazonsSetup)
def amazons_play(setup: AmazonsSetup, state: State, move: int) -> None:
    n = setup.offsets.size - 1
    cells = cells_at(setup)
    seat = state[TURN]
    source, target, arrow = move // (n * n), move // n % n, move % n
    queen = state[cells + source] - 1
    state[cells + source] = FREE
    state[cells + target] = queen + 1
    state[cells + arrow] = ARROW
    state[QUEENS + queen] = target
    toggle(state, source, seat)
    toggle(state, target, seat)
    toggle(state, arrow, ARROW)
    state[LAST] = move
    state[PLY] += 1
    state[TURN] = 1 - seat if can_move(setup, state, 1 - seat) else OVER


@compiled
def toggle(state: State, tile: int, who: int) -> None:
    """Put a seat's queen (or an ``ARROW``) on a tile, or take it away, in the hash."""
    word = scramble(GAMMA * np.uint64(3 * tile + who + 2))
    state[HASH_LOW] ^= np.int32(np.uint32(word))
    state[HASH_HIGH] ^= np.int32(np.uint32(word >> HALF))


@implements(contract.scores, AmazonsSetup)
def amazons_scores(setup: AmazonsSetup, state: State, out: Scores) -> None:  # noqa: ARG001
    fill(out, 0.5)
    if state[TURN] == OVER:
        winner = (state[PLY] + 1) % 2  # who moved last, since the seats take turns without a pass
        out[winner] = 1.0
        out[1 - winner] = 0.0


@implements(contract.key, AmazonsSetup)
def amazons_key(setup: AmazonsSetup, state: State) -> np.uint64:  # noqa: ARG001
    low = np.uint64(np.uint32(state[HASH_LOW]))
    high = np.uint64(np.uint32(state[HASH_HIGH]))
    return ((high << HALF) | low) ^ scramble(GAMMA * np.uint64(state[TURN] + 3))
