"""What H-search claims is true: by every line of play, by the solver, by a slow second search."""

import numpy as np
import pytest

from ludograph.games.hex import BLACK, NOBODY, WHITE
from ludograph.games.hex.connections.search import (
    NO_CONNECTION,
    SEMI_CONNECTION,
    VIRTUAL_CONNECTION,
    connect,
)
from ludograph.games.hex.solving import HexSolver
from ludograph.rules import interpreted
from tests.amounts import slow_but
from tests.games.hex.connections.positions import (
    WIDE,
    cells_of,
    kept,
    make_room,
    network,
    scatter,
)
from tests.reference.hex_connections import connections, connects


@pytest.mark.parametrize(("kind", "m"), [("h", 4), ("h", 6), ("c", 5), ("t", 4)])
@pytest.mark.parametrize("limits", [{}, WIDE])
def test_every_connection_holds_on_its_carrier(kind, m, limits):
    """Virtual: even if the other color begins. Semi: if its own color does."""
    setup, room = make_room(kind, m, **limits)
    rng = np.random.default_rng(m)
    looked_at = 0
    while looked_at < 400:
        color = int(rng.integers(0, 2))
        scatter(rng, room, int(rng.integers(0, room.colors.size)))
        connect(setup, room, color, False)
        if room.groups[room.colors.size - 1] == -1 and not room.progress.kept:
            continue
        neighbors, free = network(setup, room, color)
        own = neighbors.keys() - free
        found = [one for one in kept(room) if 0 < len(one[3]) <= 6]
        for one, other, is_virtual, carrier in rng.permutation(np.array(found, object))[:20]:
            looked_at += 1
            assert carrier <= free - {one, other}
            assert connects(neighbors, own, carrier, one, other, not is_virtual)


def claims_are_confirmed(rng, positions):
    """Ask the solver about every connection of the borders, all other cells being the enemy's."""
    made = {n: (*make_room("h", n + 1), HexSolver(n)) for n in (3, 4, 5, 6)}
    seen = dict.fromkeys(range(3), 0)
    for _ in range(positions):
        n = int(rng.integers(3, 7))
        setup, room, judge = made[n]
        scatter(rng, room, int(rng.integers(0, n * n)))
        color, first = (int(word) for word in rng.integers(0, 2, 2))
        found = connect(setup, room, color, bool(first))
        seen[found] += 1
        stones = [
            sum(1 << int(cell) for cell in np.flatnonzero(room.colors == one))
            for one in (BLACK, WHITE)
        ]
        free = cells_of_board(room)
        if found == NO_CONNECTION:
            continue
        carrier, needed = cells_of(room.used), cells_of(room.needed)
        assert carrier <= free
        against = stones.copy()
        against[1 - color] |= sum(1 << cell for cell in free - carrier)
        if found == VIRTUAL_CONNECTION:
            assert judge.solve(*against, 1 - color).winner == color
            continue
        assert judge.solve(*against, color).winner == color
        key = int(room.progress.key)
        assert key in carrier
        for cell in [] if first else free - needed:  # a stone elsewhere does not break all
            after = stones.copy()
            after[1 - color] |= 1 << cell
            assert judge.solve(*after, color).winner == color
        if first:
            after = stones.copy()
            after[color] |= 1 << key
            assert judge.solve(*after, 1 - color).winner == color
    return seen


def cells_of_board(room):
    return frozenset(np.flatnonzero(room.colors == NOBODY).tolist())


def test_the_solver_confirms_every_claim():
    seen = claims_are_confirmed(np.random.default_rng(1), 150)
    assert min(seen.values()) > 10


@pytest.mark.slow
def test_the_solver_confirms_every_claim_on_two_thousand_positions():
    claims_are_confirmed(np.random.default_rng(2), 2000)


@pytest.mark.parametrize(("kind", "m", "stones"), [("h", 4, 1), ("h", 5, 8), ("c", 4, 1)])
def test_without_limits_all_is_found_that_follows_from_the_rules(kind, m, stones):
    setup, room = make_room(kind, m, **WIDE)
    rng = np.random.default_rng(m)
    seen = set()
    for _ in range(12):
        color = int(rng.integers(0, 2))
        scatter(rng, room, stones + int(rng.integers(0, 4)))
        found = connect(setup, room, color, False)
        if found == VIRTUAL_CONNECTION and not cells_of(room.used):
            continue  # by its stones alone
        neighbors, free = network(setup, room, color)
        virtual, semi = connections(neighbors, free)
        borders = (room.colors.size, room.colors.size + 1)
        known = (
            VIRTUAL_CONNECTION
            if virtual.of(*borders)
            else SEMI_CONNECTION
            if semi.of(*borders)
            else NO_CONNECTION
        )
        assert found == known
        seen.add(found)
        for one, other, is_virtual, carrier in kept(room):
            slow = virtual if is_virtual else semi
            assert any(least <= carrier for least in slow.of(one, other) | virtual.of(one, other))
    assert len(seen) > 1


@pytest.mark.parametrize("n", slow_but([10], [10, 12]))
def test_boards_of_several_words_are_alike(n):
    """A row of bridges from border to border, on boards whose sets take two words and four."""
    setup, room = make_room("h", n + 1)
    room.colors[:] = NOBODY
    for row in range(1, n, 2):  # the next stone is two rows down, one column to the left
        room.colors[row * n + n - 2 - row // 2] = BLACK
    assert connect(setup, room, BLACK, False) == VIRTUAL_CONNECTION
    assert connect(setup, room, WHITE, True) == NO_CONNECTION


def test_plain_python_does_the_same():
    setup, room = make_room("h", 4)
    rng = np.random.default_rng(7)
    for _ in range(5):
        scatter(rng, room, int(rng.integers(1, 6)))
        fast = connect(setup, room, BLACK, False), set(kept(room))
        with interpreted():
            assert (connect(setup, room, BLACK, False), set(kept(room))) == fast
