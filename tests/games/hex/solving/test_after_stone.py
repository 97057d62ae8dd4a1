"""Connections that are kept from before a move: they hold, and as much is found as from nothing."""

import numpy as np
import pytest

from ludograph.games.hex.connections.after_stone import UPDATE_FROM, connect_after
from ludograph.games.hex.connections.search import VIRTUAL, connect, make_connections
from ludograph.games.hex.solving import HexSolver
from ludograph.games.hex.solving.grid import fill_in, make_grid
from ludograph.games.hex.solving.workspace import CONNECTIONS, EVERYTHING
from ludograph.rules import interpreted
from ludograph.rules.kernels.sets import as_int, from_int
from tests.games.hex.connections.positions import check_claim
from tests.games.hex.solving.boards import cells, random_stones

pytestmark = pytest.mark.slow


class Board:
    """A board, and the connections that are kept."""

    def __init__(self, n, words=None):
        self.n = n
        self.grid = make_grid(n, words)
        self.words = len(self.grid.board)
        self.before, self.room = make_connections(self.words), make_connections(self.words)
        self.everything = (1 << n * n) - 1

    def set_of(self, bits):
        return from_int(bits, self.words)

    def filled(self, stones, near):
        """The stones with what is dead or captured."""
        filled = fill_in(self.grid, *map(self.set_of, stones), near)
        return [as_int(one) for one in filled[:2]]

    def moves(self, stones, color):
        """After each move of a color: its cell, the stones, and what is found in both ways."""
        stones = self.filled(stones, self.grid.board)
        sides = self.grid.sides[color]
        for cell in cells(self.everything & ~(stones[0] | stones[1])):
            after = list(stones)
            after[color] |= 1 << cell
            after = self.filled(after, tuple(self.grid.near[cell]))
            free = self.everything & ~(after[0] | after[1])
            added, lost = after[color] & ~stones[color], after[1 - color] & ~stones[1 - color]
            own, left, more, less = map(self.set_of, (after[color], free, added, lost))
            near = self.grid.near
            kept = connect_after(near, own, left, more, less, sides, self.before, self.room)
            fresh = connect(near, own, left, sides, False, self.room)
            yield cell, after, plain(kept), plain(fresh)


def plain(found):
    return found[0], as_int(found[1]), as_int(found[2])


def some_positions(rng, board, stones):
    """Positions of a game stone by stone, as long as both colors have some to play."""
    black, white, color = random_stones(rng, board.n, stones)
    while board.everything & ~(black | white):
        yield [black, white], color
        free = cells(board.everything & ~(black | white))
        move = 1 << int(rng.choice(free))
        black, white = (black | move, white) if color == 0 else (black, white | move)
        color = 1 - color


def play_and_check(n, seed, questions, techniques, words=None):
    """Check what is kept in random games; return how often each kind was found, and strengths."""
    board, judge = Board(n, words), HexSolver(n, techniques=techniques)
    rng = np.random.default_rng(seed)
    seen, stronger, weaker = dict.fromkeys(range(3), 0), 0, 0
    while sum(seen.values()) < questions:
        for stones, color in some_positions(rng, board, int(rng.integers(n, 2 * n))):
            for number, (_, after, kept, fresh) in enumerate(board.moves(stones, color)):
                if number + 1 < UPDATE_FROM:
                    assert kept == fresh
                    continue
                seen[kept[0]] += 1
                free = board.everything & ~(after[0] | after[1])
                check_claim(judge, after, free, color, kept)
                one, other = (
                    (found[0] != VIRTUAL, found[2].bit_count()) for found in (kept, fresh)
                )
                stronger += one < other
                weaker += one > other
    return seen, stronger, weaker


@pytest.mark.parametrize("n", [3, 4])
def test_what_is_kept_holds(n):
    seen, stronger, weaker = play_and_check(n, n, 400, techniques=0)
    assert min(seen.values()) > 10
    assert weaker <= stronger + 0.02 * sum(seen.values())


@pytest.mark.parametrize("n", [5, 6])
def test_what_is_kept_holds_on_larger_boards(n):
    seen, stronger, weaker = play_and_check(n, n, 5_000, techniques=EVERYTHING & ~CONNECTIONS)
    assert min(seen.values()) > 20
    assert weaker <= stronger + 0.02 * sum(seen.values())


def test_plain_python_keeps_the_same():
    rng = np.random.default_rng(8)
    for stones, color in list(some_positions(rng, Board(4), 4))[:3]:
        fast = list(Board(4).moves(stones, color))
        with interpreted():
            assert list(Board(4).moves(stones, color)) == fast


def test_both_colors_may_ask_about_an_empty_board():
    """A board and its stones do not tell which borders the connections that are kept lead to."""
    board = Board(3)
    for color in (0, 1):
        found = [kept for _, _, kept, _ in board.moves([0, 0], color)]
        assert found == [kept for _, _, kept, _ in Board(3).moves([0, 0], color)]
    assert found
