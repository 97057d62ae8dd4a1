"""What H-search claims is true: by every line of play, by the solver, by a slow second search."""

import itertools

import numpy as np
import pytest

from ludograph.games.hex import BLACK, WHITE
from ludograph.games.hex.connections.search import NO_CONNECTION, SEMI, VIRTUAL
from ludograph.games.hex.solving import HexSolver
from ludograph.games.hex.solving.workspace import CONNECTIONS, EVERYTHING
from ludograph.rules import interpreted
from tests.amounts import amount, slow_but
from tests.games.hex.connections.positions import Board, bits_of, cells_of, check_claim
from tests.reference.hex_connections import connections, connects

pytestmark = pytest.mark.slow

BOARDS = [("h", 4), ("h", 6), ("c", 5), ("t", 3)]


@pytest.mark.parametrize(("kind", "m"), BOARDS)
def test_every_connection_holds_on_its_carrier(kind, m):
    """Virtual: even if the other color begins. Semi: if its own color does."""
    board = Board(kind, m)
    rng = np.random.default_rng(m)
    seen = dict.fromkeys((SEMI, VIRTUAL), 0)
    for _ in range(amount(2400)):
        color, first = (int(word) for word in rng.integers(0, 2, 2))
        board.scatter(rng, int(rng.integers(0, board.cells)))
        if rng.integers(0, 2):  # on triangular cells there is little to be found otherwise
            board.stones[1 - color] = 0
        found, carrier, _ = board.connect(color, bool(first))
        assert carrier & ~board.free == 0
        if found == NO_CONNECTION or (found == SEMI and not first):
            continue  # the carrier of several semi connections is looked at below
        neighbors, free = board.network(color)
        borders = (board.cells, board.cells + 1)
        if not carrier:
            assert found == VIRTUAL
            continue
        if carrier.bit_count() > 8:
            continue
        seen[found] += 1
        own = neighbors.keys() - free
        assert connects(neighbors, own, frozenset(cells_of(carrier)), *borders, found == SEMI)
    assert min(seen.values()) > 3


def claims_are_confirmed(rng, positions):
    """Ask a solver that knows no connections, of small boards nothing at all."""
    means = {3: 0, 4: 0, 5: EVERYTHING & ~CONNECTIONS, 6: EVERYTHING & ~CONNECTIONS}
    made = {n: (Board("h", n + 1), HexSolver(n, techniques=means[n])) for n in means}
    seen = dict.fromkeys(itertools.product(range(3), (False, True)), 0)
    for _ in range(positions):
        n = int(rng.integers(3, 7))
        board, judge = made[n]
        board.scatter(rng, int(rng.integers(0 if n == 3 else 3, n * n)))
        color, first = int(rng.integers(0, 2)), bool(rng.integers(0, 2))
        found = board.connect(color, first)
        seen[found[0], first] += 1
        check_claim(judge, board.stones, board.free, color, found, first)
    return seen


@pytest.mark.usefixtures("plain_in_make_test")
def test_the_solver_confirms_every_claim():
    seen = claims_are_confirmed(np.random.default_rng(1), 150)
    assert min(seen.values()) > 3


def test_the_solver_confirms_every_claim_on_two_thousand_positions():
    claims_are_confirmed(np.random.default_rng(2), 2000)


@pytest.mark.parametrize(("kind", "m", "stones"), [("h", 4, 1), ("h", 5, 8), ("c", 4, 1)])
def test_all_that_is_found_follows_from_the_rules_and_most_of_it_is_found(kind, m, stones):
    board = Board(kind, m)
    rng = np.random.default_rng(m)
    follows = same = 0
    for _ in range(24):
        color = int(rng.integers(0, 2))
        board.scatter(rng, stones + int(rng.integers(0, 4)))
        found, carrier, _ = board.connect(color, False)
        if found == VIRTUAL and not carrier:
            continue  # by its stones alone
        virtual, semi = connections(*board.network(color))
        borders = (board.cells, board.cells + 1)
        strength = {NO_CONNECTION: 0, SEMI: 1, VIRTUAL: 2}
        known = VIRTUAL if virtual.of(*borders) else SEMI if semi.of(*borders) else NO_CONNECTION
        assert strength[found] <= strength[known]
        follows += 1
        same += found == known
    assert same >= 0.8 * follows > 8


@pytest.mark.parametrize("n", slow_but([10], [10, 12]))
def test_boards_of_several_words_are_alike(n):
    """A row of bridges from border to border, on boards whose sets take two words and four."""
    board = Board("h", n + 1)
    # The next stone is two rows down, one column to the left.
    board.stones[BLACK] = bits_of(row * n + n - 2 - row // 2 for row in range(1, n, 2))
    assert board.connect(BLACK, False)[0] == VIRTUAL
    assert board.connect(WHITE, True)[0] == NO_CONNECTION


def test_plain_python_does_the_same():
    board = Board("h", 4)
    rng = np.random.default_rng(7)
    for _ in range(5):
        board.scatter(rng, int(rng.integers(1, 6)))
        fast = board.connect(BLACK, False)
        with interpreted():
            assert board.connect(BLACK, False) == fast
