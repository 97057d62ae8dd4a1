"""Positions call machine code directly: it is that of their own Setup, and never outlives it."""

import copy
import multiprocessing
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import pytest

from ludograph import InvalidInput, Position, flood, hex, rules
from ludograph.games.registry import game, names
from ludograph.rules import GameInfo, Moves, State, implements
from ludograph.rules.compilation import interpreted
from ludograph.rules.direct import empty_list, list_legal
from ludograph.rules.random import random_state


def middle(position):
    """Play the middle one of the legal moves to the end; return all moves."""
    while not position.is_over:
        moves = position.legal_moves()
        position.play(moves[len(moves) // 2])
    return position.history


def by_rules(position):
    """The same through the public rules, which look at the types of what they are given."""
    state, setup = position.state.copy(), position.setup
    codes, history = np.empty(rules.info(setup).move_capacity, np.int32), []
    while state[rules.TURN] != rules.OVER:
        moves = codes[: rules.legal_moves(setup, state, codes)].tolist()
        history.append(moves[len(moves) // 2])
        rules.play(setup, state, history[-1])
    return tuple(history)


@pytest.fixture(params=names())
def start(request):
    return next(iter(game(request.param).samples()))


def test_a_game_is_that_of_the_rules(start):
    assert middle(start.copy()) == by_rules(start) == middle(start.copy())
    assert start._direct.take_turn is not None


def test_a_list_is_that_of_the_state_as_it_is_now(start):
    """Kernels may have written into it since the last list."""
    first, listed, after = start.state.copy(), start.legal_moves(), start.copy()
    after.play(listed[-1])
    expected = after.legal_moves()
    for state, moves in ((after.state, expected), (first, listed), (after.state, expected)):
        start.state[:] = state
        assert start.legal_moves() == moves
        start.state[:] = first
        assert start.is_legal(listed[0])
    start.state[:] = after.state
    assert sum(start.is_legal(move) for move in listed) == len(set(listed) & set(expected))


class Dials(NamedTuple):
    """A game in which every move is legal until its end."""

    moves: int


@implements(rules.info, Dials)
def dials_info(setup: Dials) -> GameInfo:
    return GameInfo(3, 2, setup.moves, 9, 0.0, 1.0)


@implements(rules.legal_moves, Dials)
def dials_legal_moves(setup: Dials, state: State, out: Moves) -> int:
    for move in range(out.size):
        out[move] = move
    return out.size


def test_a_rule_may_fill_its_array_of_moves():
    """It has the size that the game declares, also where the state stands behind the moves."""
    setup, state = Dials(20), np.zeros(3, np.int32)
    codes = empty_list(setup)
    assert codes.size > 20
    assert [list_legal(setup, state, codes) for _ in range(2)] == [20, 20]


def test_interpreted_rules_are_interpreted_in_positions_too():
    start = hex.position(3)
    fast = middle(start.copy())
    with interpreted():
        assert start._direct.take_turn is None
        assert middle(start.copy()) == fast
        assert start._direct.take_turn is None
    assert middle(start.copy()) == fast
    assert start._direct.take_turn is not None


def test_code_that_is_forgotten_is_found_again():
    start = flood.position(5, colors=4, seed=1)
    played = middle(start.copy())
    rules.legal_moves.kernel(type(start.setup)).forget_code()
    assert start._direct.take_turn is None
    assert middle(start.copy()) == played


def test_another_setup_has_code_of_its_own():
    """Its fields may have other types: machine code would read them as the ones before."""
    position, twin = hex.position(5), hex.position(4)
    with pytest.raises(InvalidInput, match="state"):
        position.setup = twin.setup
    played = middle(twin.copy())
    fixed = [part.copy() if isinstance(part, np.ndarray) else part for part in twin.setup]
    for part in fixed:
        if isinstance(part, np.ndarray):
            part.flags.writeable = not part.flags.writeable
    twin.setup = type(twin.setup)(*fixed)
    assert middle(twin) == played


def test_copies_are_equal_and_apart(start):
    start.play(start.legal_moves()[0])
    for twin in (start.copy(), copy.deepcopy(start), pickle.loads(pickle.dumps(start))):
        assert twin == start
        assert type(twin) is type(start)
        assert (twin.history, twin.move_count) == (start.history, start.move_count)
        if not twin.is_over:
            twin.play_random(random_state(1))
            assert twin != start
            assert middle(twin)


def test_copies_are_played_in_threads_and_in_forks():
    start = hex.position(9)
    expected = middle(start.copy())
    with ThreadPoolExecutor(4) as threads:
        copies = [start.copy() for _ in range(40)]
        assert set(threads.map(middle, copies)) == {expected}
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert set(pool.map(middle, [start.copy() for _ in range(4)])) == {expected}


def test_copies_have_what_derived_positions_hold_in_slots():
    class Named(Position):
        __slots__ = "word"  # noqa: PLC0205  (an author may write it so)

    class Marked(Named):
        __slots__ = ("first", "second")

    start = hex.position(3)
    position = Marked(start.game, start.board, start.setup)
    position.word, position.first = "a", 1
    twin = position.copy()
    assert (twin.word, twin.first, hasattr(twin, "second")) == ("a", 1, False)


WRONG = """
import numpy as np
from ludograph import InvalidInput, flood, hex, rules
from ludograph.rules.compile_errors import CannotCompile

start, other = hex.position(3), flood.position(4, colors=4, seed=1)
setup, state, move = start.setup, start.state, start.legal_moves()[0]
moves, sums = np.empty(99, np.int32), np.zeros(2)
listed = type(setup)(*(part.tolist() if isinstance(part, np.ndarray) else part for part in setup))
calls = {
    "legal_moves": lambda setup, state: rules.legal_moves(setup, state, moves),
    "play": lambda setup, state: rules.play(setup, state, move),
    "scores": lambda setup, state: rules.scores(setup, state, sums),
}
strange = [state.reshape(1, -1), state.astype(float), state.tolist(), None]
asked = [(setup, one) for one in strange] + [(one, state) for one in (listed, tuple(setup), None)]
for name, call in calls.items():
    for given in asked:
        try:
            call(*given)
        except (CannotCompile, NotImplementedError) as error:
            assert str(error), name
        else:
            raise AssertionError(f"{name} answers")
wide = np.zeros(2 * state.size, np.int32)
wide[::2] = state
for position in (start, other):
    before = position.copy()
    for wrong in ({"setup": setup if position is other else other.setup}, {"state": wide[::2]}):
        try:
            setattr(position, *wrong.popitem())
        except InvalidInput as error:
            assert "state" in str(error)
        else:
            raise AssertionError("a position takes what is not its own")
    assert position == before
rules.play(setup, wide[::2], move)
start.play(move)
assert np.array_equal(wide[::2], start.state)
"""


STOCK = """
from ludograph import flood
from ludograph.rules import compilation
from ludograph.rules._numba import insides
from tests.games.test_direct_rules import middle

start = flood.position(4, colors=4, seed=1)
played = middle(start.copy())
insides.fall_back_after(RuntimeError("a test asks for it"))
for kernel in compilation._kernels:
    kernel.forget_code()
assert start._direct.take_turn is None
assert middle(start.copy()) == played
assert start._direct.take_turn is not None
"""


@pytest.mark.slow
@pytest.mark.parametrize("script", [WRONG, STOCK], ids=["wrong setups and states", "stock Numba"])
def test_nothing_is_read_as_what_it_is_not(script):
    """In a process of its own: what machine code makes of wrong arguments may end it."""
    done = subprocess.run(
        [sys.executable, "-c", script], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
