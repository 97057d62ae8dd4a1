"""Playouts of Hex: random games to the end, for searches.

If two colors cannot both join their borders, stones after the end of a game change nothing. So a
playout gives the free vertices random colors in the right numbers, and finds the winner of the full
board once. Playouts ignore the pie rule, since a swap is a choice.

On hexagonal cells three cells meet in every corner, so the line between the stones of the two
colors never forks. The line that starts in the corner between the top border and the left border
ends beside the second border of the winner. So a playout follows this line to find the winner
(Gale: "The game of Hex and the Brouwer fixed-point theorem", 1979), and only vertices beside the
line need a color. The value of a leaf comes from a playout that answers intrusions into bridges and
so fills the whole board first; the answers won nine of ten games at equal time (9 x 9, 40 games,
0.1 s a move).
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
from ludograph.search.mcts.hints import leaf_value

SOUTH = 3
"""The place of the south in ``HexSetup.steps``."""

BOTTOM, RIGHT = 2, 4
"""Bits in ``HexSetup.touches``: the bottom border, which is black's second, and the right border,
which is white's first, since it has white's least vertex."""


@implements(contract.playout, HexSetup)
def hex_playout(setup: HexSetup, state: State, rng: Rng, out: Scores) -> None:
    if setup.joined == ANY:
        while state[TURN] != OVER:
            contract.play(setup, state, contract.sample_move(setup, state, rng))
    elif state[TURN] != OVER:
        if setup.joined == EXACTLY_ONE:
            follow_border(setup, state, rng)
        else:
            fill(setup, state, rng)
            if crosses(setup, state, BLACK):
                state[WINNER] = BLACK
            elif crosses(setup, state, WHITE):
                state[WINNER] = WHITE
    contract.scores(setup, state, out)


@implements(leaf_value, HexSetup)
def hex_leaf_value(setup: HexSetup, state: State, rng: Rng, out: Scores) -> None:
    if setup.joined == EXACTLY_ONE and state[TURN] != OVER:
        fill_with_answers(setup, state, rng)
    contract.playout(setup, state, rng, out)


@compiled
def follow_border(setup: HexSetup, state: State, rng: Rng) -> None:
    """End a game on hexagonal cells: follow the line between the colors, and write the winner.

    A free vertex beside the line gets a random color when the line reaches it, by the numbers of
    stones left; so its probability to be black is that of a board filled by turns before. The cost
    is O(length of the line).
    """
    steps, touches = setup.steps, setup.touches
    left = state[FREE]
    color = state[TURN] ^ state[SWAPPED]
    black_left = (left + 1 - color) // 2
    black = 0  # the vertex in the corner is black's, and the vertex south of it is white's
    side = SOUTH
    while True:
        vertex = black + steps[side + 5]
        cell = state[CELLS + vertex]
        if cell >= 0:
            is_black = 1 if random_below(rng, left) < black_left else 0
            left -= 1
            black_left -= is_black
            cell = STONE - 1 + is_black
            state[CELLS + vertex] = cell
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
    """Give the free vertices random colors, in the numbers of a game by turns.

    It does not join the stones to groups.
    """
    listed = list_at(setup)
    count = state[FREE]
    color = state[TURN] ^ state[SWAPPED]
    mine, theirs = STONE - color, STONE - (1 - color)
    half = (count + 1) // 2
    for place in range(half):
        other = listed + place + random_below(rng, count - place)
        vertex = state[other]
        state[other] = state[listed + place]
        state[CELLS + vertex] = mine
        state[listed + place] = vertex
    for place in range(half, count):
        state[CELLS + state[listed + place]] = theirs
    state[FREE] = 0
    state[PLY] += count
    state[TURN] = OVER


@compiled
def fill_with_answers(setup: HexSetup, state: State, rng: Rng) -> None:
    """Fill a board of hexagonal cells by turns, with answers to intrusions into bridges.

    If the last stone intrudes into a bridge of the next color, this color completes the bridge;
    otherwise it plays a random vertex. The stones are not joined to groups, and the winner is open.
    """
    listed = list_at(setup)
    color = state[TURN] ^ state[SWAPPED]
    last = state[LAST]
    state[PLY] += state[FREE]
    for count in range(state[FREE], 0, -1):
        if last < 0:
            place = random_below(rng, count)
        else:
            place = reply_at_bridges(setup, state, rng, last, color, count)
        last = state[listed + place]
        moved = state[listed + count - 1]
        state[listed + place] = moved
        state[CELLS + moved] = place
        state[CELLS + last] = STONE - color
        color = 1 - color
    state[FREE] = 0


@compiled(inlined=True)
def reply_at_bridges(
    setup: HexSetup, state: State, rng: Rng, last: int, color: int, count: int
) -> int:
    """Return the place, in the list of free vertices, of the next vertex of a playout.

    It is the vertex that completes a bridge of ``color`` into which the last stone intrudes, or
    else a random one. A *bridge* consists of two stones with two common free neighbors: if the
    opponent plays on one of these, a stone on the other one joins the two stones.

    Parameters
    ----------
    last
        The vertex of the last stone.
    count
        The number of free vertices.
    """
    stones = free = 0  # the sides with stones of the color, and the free ones, a bit for each
    for side in range(6):
        cell = state[CELLS + last + setup.steps[side]]
        stones |= (1 if cell == STONE - color else 0) << side
        free |= (1 if cell >= 0 else 0) << side
    stones |= stones << 6
    gaps = free & (stones >> 1) & (stones >> 5)
    if gaps:
        side = 0
        while not (gaps >> side) & 1:
            side += 1
        return state[CELLS + last + setup.steps[side]]
    return random_below(rng, count)


@compiled
def crosses(setup: HexSetup, state: State, color: int) -> bool:
    """Tell whether a color has joined its borders on a full board; O(visited stones).

    The state must not be used afterwards: the search uses the list of free vertices as its stack,
    and marks visited stones in their cells.
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
