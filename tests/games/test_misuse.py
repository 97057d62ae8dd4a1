"""Whatever is asked of a position: a result, or one sentence; never a hang, a crash or nonsense."""

import re

import numpy as np
import pytest

import ludograph
from ludograph import IllegalMove, InvalidInput, Position, play_match
from ludograph.formatting import described
from ludograph.games.registry import game, names
from ludograph.rules import random_state

HUGE = 10**5000
"""Python refuses to write it down: nothing may try."""


def kind(value):
    """Name a test by what is tried in it."""
    return "huge" if value == HUGE else repr(value)


@pytest.fixture(params=names())
def start(request):
    return next(iter(game(request.param).samples()))


@pytest.fixture
def ended(start):
    position, rng = start.copy(), random_state(1)
    while not position.is_over:
        position.play_random(rng)
    return position


def test_after_the_end_nothing_is_played(ended):
    before = ended.copy()
    for misuse in (lambda: ended.play(0), lambda: ended.play_random(random_state(1))):
        with pytest.raises(IllegalMove, match=rf"\bover\b.*\b{ended.move_count} moves"):
            misuse()
    ended.drop(0)
    assert ended == before


@pytest.mark.parametrize("seat", [-1, 99, 0.0, True, "0", None, HUGE], ids=kind)
def test_only_seats_that_are_there_drop_out(start, seat):
    with pytest.raises(InvalidInput, match=f"the seats are 0 to {start.seats - 1}, got"):
        start.copy().drop(seat)


@pytest.mark.parametrize("move", [1.0, None, True, [], 1 + 0j, float("nan")], ids=kind)
def test_moves_are_numbers_or_texts(start, move):
    for door in (start.play, start.text):
        with pytest.raises(IllegalMove, match=re.escape(described(move))):
            door(move)


@pytest.mark.parametrize("move", [-1, 2**31 - 1, 2**31, -(2**31), 2**63, HUGE], ids=kind)
def test_codes_that_name_nothing(start, move):
    before = start.copy()
    with pytest.raises(IllegalMove) as caught:
        start.play(move)
    assert len(str(caught.value)) < 1000
    assert start == before
    with pytest.raises(IllegalMove):
        start.text(move)


@pytest.mark.parametrize(
    "move", [-1, 2**31, -(2**31), 2**62, -(2**63), HUGE, 3.0, None, "a1"], ids=kind
)
def test_what_is_no_code_is_not_pushed(start, move):
    before = start.copy()
    with pytest.raises(IllegalMove, match=re.escape(described(move))):
        start.push(move)
    assert start == before
    start.push(np.int32(start.legal_moves()[0]))
    assert type(start.history[-1]) is int


@pytest.mark.parametrize("text", [None, 7, b"a1", 1.5, ["a1"]])
def test_only_texts_are_read(start, text):
    with pytest.raises(IllegalMove, match=re.escape(described(text))):
        start.parse(text)


@pytest.mark.parametrize("rng", [1, None, 1.5, np.zeros(2, np.uint64), np.zeros(1, np.int64)])
def test_luck_comes_from_random_state(start, rng):
    for door in (start.play_random, start.playout):
        with pytest.raises(InvalidInput, match=r"\brng\b.*\brandom_state\b"):
            door(rng)


def states(state):
    """Arrays that are no state, though some of their numbers are."""
    wide = np.zeros(2 * state.size, np.int32)
    fixed = state.copy()
    fixed.flags.writeable = False
    yield from (wide[::2], state[::-1], state.reshape(1, -1), state[:-1], wide, fixed)
    yield from (state.astype(np.int64), state.astype(np.float32), state.astype(">i4"))
    yield from (state.tolist(), None, state.tobytes(), "x" * 10_000)


def test_a_state_has_the_size_of_the_game(start):
    kept = start.state
    for wrong in states(kept):
        with pytest.raises(InvalidInput, match=rf"^state: .*int32\[{len(kept)}\], got"):
            start.state = wrong
        if wrong is not None:
            with pytest.raises(InvalidInput, match="state: "):
                Position(start.game, start.board, start.setup, wrong)
    assert start.state is kept
    start.state = kept.copy()
    assert np.array_equal(start.state, kept)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"clock": 1.0}, r"^clock .*\btext\b.* 1\.0$"),
        ({"foreign_clock": 3}, r"^foreign_clock .*\btext\b.* 3$"),
        ({"seed": 1.5}, r"^seed .* 1\.5$"),
        ({"chance_seed": "7x"}, r"^chance_seed: .*'7x'$"),
    ],
)
def test_arguments_of_a_match(start, given, named):
    with pytest.raises(InvalidInput, match=named):
        play_match(start, ["random"] * start.seats, **given)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: ludograph.make(5), r"\bgame 5;"),
        (lambda: ludograph.make("x" * 9999), "'xxx"),
        (lambda: ludograph.make(names()[0], seed=HUGE), r"\bseed\b.*\b16610 bits"),
        (lambda: ludograph.make(names()[0], seats="two"), r"\bseats .* 'two'"),
        (lambda: ludograph.make(names()[0], **{"y" * 9999: 1}), "'yyy"),
    ],
)
def test_arguments_of_make(call, named):
    with pytest.raises(InvalidInput, match=named) as caught:
        call()
    assert len(str(caught.value)) < 500
