"""How likely moves are at first sight: as the definition of their features says."""

import numpy as np
import pytest

from ludograph import hex
from ludograph.games.hex import hex_board
from ludograph.games.hex.evaluation.patterns import (
    COUNT_OF_FEATURES,
    make_patterns,
    strengths,
    turned,
    write_priors,
)
from ludograph.games.hex.strategies import HexMcts
from tests.amounts import few, slow_but
from tests.games.hex.solving.boards import random_position
from tests.reference.hex_patterns import teams_of

pytestmark = pytest.mark.slow


def told(position):
    """Return the likelihood of each free vertex, as a search is told it."""
    moves = np.array(position.legal_moves(), np.int32)
    out = np.empty(moves.size)
    before = position.state.copy()
    write_priors(position.setup, make_patterns(position.setup), position.state, moves, out)
    assert np.array_equal(position.state, before)
    return dict(zip(moves.tolist(), out.tolist(), strict=True))


def some_positions(size, count=12):
    rng = np.random.default_rng(size)
    for _ in range(count):
        yield random_position(rng, size, False, int(rng.integers(1, size * size - 1)))


@pytest.mark.parametrize("size", [2, 3, 6, 9])
def test_priors_multiply_the_strengths_of_features(size):
    worth = np.append(strengths(), 0.0)
    for position in some_positions(size):
        moves = np.array(position.legal_moves(), np.int32)
        expected = np.exp(worth[teams_of(position.setup, position.state, moves)].sum(axis=1))
        expected /= expected.sum()
        assert list(told(position).values()) == pytest.approx(expected.tolist(), rel=1e-4)


def replayed(position, turn):
    after = hex.position(position.size, pie=False)
    for move in position.history:
        after.play(after.vertex(*turn(*position.place(move))))
    return after


def test_a_board_turned_by_half_looks_the_same():
    last = 6 - 1
    for position in some_positions(6):
        other = told(replayed(position, lambda row, column: (last - row, last - column)))
        for move, likelihood in told(position).items():
            row, column = position.place(move)
            there = position.vertex(last - row, last - column)
            assert other[there] == pytest.approx(likelihood, rel=1e-5)


def test_turning_is_undone_by_turning_again():
    there = turned()
    assert np.array_equal(there[there], np.arange(COUNT_OF_FEATURES))


def test_white_sees_the_mirrored_board_as_black_sees_its_own():
    """Away from the corners, whose stones belong to one color."""
    black, white = hex.position(9, pie=False), hex.position(9, pie=False)
    for text in ("e5", "f4", "d6", "g3"):
        black.play(black.parse(text))
    white.play(white.parse("i9"))  # far away, and white is to move
    for text in ("e5", "f4", "d6", "g3"):
        row, column = black.place(black.parse(text))
        white.play(white.vertex(column, row))
    assert (black.color_to_move, white.color_to_move) == (0, 1)
    ones, others = told(black), told(white)
    near = [black.parse(text) for text in ("d5", "e4", "f5", "c7", "d7", "e6")]
    shares = [ones[move] for move in near]
    mirrored = [others[white.vertex(*black.place(move)[::-1])] for move in near]
    ratios = np.array(shares) / np.array(mirrored)
    assert ratios == pytest.approx(np.full(len(near), ratios[0]), rel=1e-4)


def test_who_is_cut_at_a_bridge_is_likely_to_complete_it():
    position = hex.position(9, pie=False)
    # e4 and d6 are a bridge of black's, d5 intrudes into it.
    for text in ("e4", "h2", "d6", "d5"):
        position.play(position.parse(text))
    found = told(position)
    best = sorted(found, key=lambda move: -found[move])[:2]
    assert position.parse("e5") in best


def test_only_boards_of_hexagonal_cells_have_patterns():
    assert make_patterns(hex.position(4).setup) is not None
    for kind in ("c", "t"):
        assert make_patterns(hex.position(hex_board(4, kind)).setup) is None


@pytest.mark.usefixtures("plain_in_make_test")
@pytest.mark.parametrize("patterns", slow_but(["on"], ["on", "off"]))
def test_a_search_finds_who_wins_with_patterns_and_without(patterns):
    position = hex.position(3, pie=False)
    position.play(position.parse("a1"))  # loses
    player = HexMcts(1, sims=few(300, 3000), connections="off", patterns=patterns)
    player.choose(position)
    assert player.found is not None
    assert player.found.proven
    assert player.found.low.max() == 1.0
