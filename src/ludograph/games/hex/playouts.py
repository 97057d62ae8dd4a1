"""Random games of Hex to the end, for searches.

Where two colors cannot both join their borders, stones played after the end change nothing: such a
game is as good as a random sharing out of the free vertices, which is looked at once. The pie rule
plays no part in it, a swap being a choice.

On hexagonal cells three neighbors meet at every corner, so between the stones of two colors runs a
line that never forks. The one that starts in the corner between the borders at the top and on the
left ends beside the other border of the winner: following it decides a full board (Gale:
"The game of Hex and the Brouwer fixed-point theorem", 1979), and only vertices beside it need a
color. Full playouts there also answer intrusions into bridges, which makes them worth their time:
nine of ten games were won by it at equal time (9 x 9, 40 games, 0.1 s a move).
"""

from __future__ import annotations

from ludograph.games.hex.rules import (
    CELLS,
    FREE,
    LAST,
    SEEN,
    STONE,
    SWAPPED,
    WINNER,
    Index,
    list_at,
)
from ludograph.games.hex.setup import ANY, BLACK, EXACTLY_ONE, WHITE, HexSetup
from ludograph.rules import (
    OVER,
    PLY,
    TURN,
    Rng,
    Scores,
    State,
    compiled,
    contract,
    implements,
    random_below,
)
from ludograph.search.mcts.hints import amaf_playout

SOUTH = 3
"""A place in ``HexSetup.steps``."""

BOTTOM, RIGHT = 2, 4
"""Bits in ``HexSetup.touches``: black's second border, and white's that has the least vertex."""


@implements(contract.playout, HexSetup)
def hex_playout(setup: HexSetup, state: State, rng: Rng, out: Scores) -> None:
    if setup.joined == EXACTLY_ONE and state[TURN] != OVER:
        follow_border(setup, state, rng)
        contract.scores(setup, state, out)
    else:
        amaf_playout(setup, state, rng, out)


@implements(amaf_playout, HexSetup)
def hex_amaf_playout(setup: HexSetup, state: State, rng: Rng, out: Scores) -> None:
    if setup.joined == ANY:
        while state[TURN] != OVER:
            contract.play(setup, state, contract.sample_move(setup, state, rng))
    elif state[TURN] != OVER:
        if setup.joined == EXACTLY_ONE:
            fill_with_answers(setup, state, rng)
            follow_border(setup, state, rng)
        else:
            fill(setup, state, rng)
            if crosses(setup, state, BLACK):
                state[WINNER] = BLACK
            elif crosses(setup, state, WHITE):
                state[WINNER] = WHITE
    contract.scores(setup, state, out)


@compiled
def follow_border(setup: HexSetup, state: State, rng: Rng) -> None:
    """End a game on hexagonal cells: follow the line between the colors, drawing what is free.

    A vertex drawn as it is reached is as likely black as in a board filled up by turns before:
    the colors that are left are a bag without order. O(line), with a stone on either side.
    """
    steps, touches = setup.steps, setup.touches
    cells = Index(CELLS)
    left = state[FREE]
    color = state[TURN] ^ state[SWAPPED] if state[TURN] != OVER else BLACK
    black_left = (left + 1 - color) // 2
    black = 0  # the corner is black's, what is south of it white's
    side = SOUTH
    while True:
        vertex = Index(black + steps[side + 5])
        cell = state[cells + vertex]
        if cell >= 0:
            is_black = 1 if random_below(rng, left) < black_left else 0
            left -= 1
            black_left -= is_black
            cell = STONE - 1 + is_black
            state[cells + vertex] = cell
        if cell == STONE - BLACK:
            if touches[vertex] & BOTTOM:
                state[WINNER] = BLACK
                break
            black += steps[side + 5]
            side = side + 1 if side < 5 else 0
        else:
            if touches[vertex] & RIGHT:
                state[WINNER] = WHITE
                break
            side = side - 1 if side > 0 else 5
    state[PLY] += state[FREE]
    state[FREE] = 0
    state[TURN] = OVER


@compiled
def fill(setup: HexSetup, state: State, rng: Rng) -> None:
    """Share out the free vertices at random, as taking turns would; the groups are not kept."""
    listed = list_at(setup)
    count = state[FREE]
    color = state[TURN] ^ state[SWAPPED]
    mine, theirs = STONE - color, STONE - (1 - color)
    half = (count + 1) // 2
    cells, first = Index(CELLS), Index(listed)
    for place in range(half):
        other = first + Index(place + random_below(rng, count - place))
        vertex = state[other]
        state[other] = state[first + Index(place)]
        state[cells + Index(vertex)] = mine
        state[first + Index(place)] = vertex
    for place in range(half, count):
        state[cells + Index(state[first + Index(place)])] = theirs
    state[FREE] = 0
    state[PLY] += count
    state[TURN] = OVER


@compiled
def fill_with_answers(setup: HexSetup, state: State, rng: Rng) -> None:
    """Fill a board of hexagonal cells by turns; a bridge that is intruded into is completed.

    Otherwise a random vertex is played; the groups are not kept.
    """
    cells = Index(CELLS)
    listed = Index(list_at(setup))
    color = state[TURN] ^ state[SWAPPED]
    last = state[LAST]
    state[PLY] += state[FREE]
    for count in range(state[FREE], 0, -1):
        if last < 0:
            place = random_below(rng, count)
        else:
            place = reply_at_bridges(setup, state, rng, last, color, count)
        last = state[listed + Index(place)]
        moved = state[listed + Index(count - 1)]
        state[listed + Index(place)] = moved
        state[cells + Index(moved)] = place
        state[cells + Index(last)] = STONE - color
        color = 1 - color
    state[FREE] = 0
    state[TURN] = OVER


@compiled(inlined=True)
def reply_at_bridges(
    setup: HexSetup, state: State, rng: Rng, last: int, color: int, count: int
) -> int:
    """Return the place of a vertex: that which completes a bridge intruded into, or any of them.

    A *bridge* is two stones with two free neighbors in common: whichever is taken, the other joins
    them.
    """
    stones, free = stones_around(setup, state, last, color)
    stones |= stones << 6
    gaps = free & (stones >> 1) & (stones >> 5)
    if gaps:
        side = 0
        while not (gaps >> side) & 1:
            side += 1
        return state[Index(CELLS) + Index(last + setup.steps[side])]
    return random_below(rng, count)


@compiled(inlined=True)
def stones_around(setup: HexSetup, state: State, vertex: int, color: int) -> tuple[int, int]:
    """Return which of the six neighbors have stones of a color, and which are free: a bit each."""
    cells, mine = Index(CELLS), STONE - color
    stones = 0
    free = 0
    for side in range(6):
        cell = state[cells + Index(vertex + setup.steps[side])]
        stones |= (1 if cell == mine else 0) << side
        free |= (1 if cell >= 0 else 0) << side
    return stones, free


@compiled
def crosses(setup: HexSetup, state: State, color: int) -> bool:
    """Tell whether a color has joined its borders on a full board; O(stones that are reached).

    The list of free vertices is the stack of the search, and what it reaches is marked as seen:
    this is for states that are thrown away.
    """
    stack = list_at(setup)
    waiting = 0
    mine, seen = STONE - color, SEEN - color
    far = 2 << (2 * color)
    first = color * setup.black_doors
    end = setup.black_doors if color == BLACK else setup.doors.size
    for door in range(first, end):
        start = setup.doors[door]
        if state[CELLS + start] == mine:
            state[CELLS + start] = seen
            state[stack + waiting] = start
            waiting += 1
        while waiting > 0:
            waiting -= 1
            vertex = state[stack + waiting]
            if setup.touches[vertex] & far:
                return True
            for slot in range(setup.offsets[vertex], setup.offsets[vertex + 1]):
                near = setup.neighbors[slot]
                if state[CELLS + near] == mine:
                    state[CELLS + near] = seen
                    state[stack + waiting] = near
                    waiting += 1
    return False
