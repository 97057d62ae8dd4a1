"""The fast rules and the slow reference play the same games, move by move."""

import random

import pytest

from ludograph import hex, rules
from ludograph.games.hex import hex_board
from tests.amounts import few
from tests.games.hex.test_conformance import grid_between_borders, tangle
from tests.reference.hex import SWAP, ReferenceHex

GAMES = few(100, 2000)
BOARDS = {
    **{f"{kind}{m}": hex_board(m, kind) for kind in "hct" for m in (2, 3, 4, 5)},
    "grid": grid_between_borders(5, 6),
    **{f"tangle{seed}": tangle(seed) for seed in range(4)},
}


def twin(position, pie: bool) -> ReferenceHex:
    """The same game for the reference."""
    board = position.board
    return ReferenceHex(
        [board.neighbors_of(v).tolist() for v in range(board.n)],
        board.marks["black"].tolist(),
        board.marks["white"].tolist(),
        swap=pie,
    )


def compare(position, slow: ReferenceHex) -> None:
    n = position.board.n
    assert position.turn == slow.turn
    assert position.is_over == slow.over
    assert sorted(position.legal_moves()) == [n if m == SWAP else m for m in slow.legal_moves()]
    assert position.stones.tolist() == slow.owner
    assert slow.winner() == position.winner
    if not slow.over:
        assert [position.color(seat) for seat in (0, 1)] == [slow.color_of(0), slow.color_of(1)]
    assert list(position.scores()) == slow.scores()


@pytest.mark.parametrize("name", BOARDS)
def test_random_games_agree(name: str) -> None:
    rng = random.Random(name)
    board = BOARDS[name]
    for pie in (True, False):
        start = hex.position(board, pie=pie)
        for game in range(GAMES // 2 if board.n < 60 else GAMES // 10):
            position, slow = start.copy(), twin(start, pie)
            whole = game % 5 == 0  # compare everything after each move in one game of five
            while not slow.over:
                if whole:
                    compare(position, slow)
                move = rng.choice(slow.legal_moves())
                if slow.ply == 1 and pie and rng.random() < 0.4:
                    move = SWAP
                rules.play(position.setup, position.state, board.n if move == SWAP else move)
                slow.play(move)
            compare(position, slow)
