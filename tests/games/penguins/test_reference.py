"""The fast rules and the slow reference play the same games, move by move."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludograph import penguins, rules
from ludograph.games.penguins.notation import slides
from ludograph.games.penguins.rules import GONE, REACH, SEAT_SLOTS, SEATS, UNPLACED, WAITING
from tests.amounts import amount, few
from tests.games.penguins.boards import BOARDS, around
from tests.reference.penguins import ReferencePenguins

GAMES = few(36, 90)


def twin(position) -> ReferencePenguins:
    """The same game for the reference."""
    setup = position.setup
    return ReferencePenguins(
        around(position.board), setup.fish.tolist(), setup.seats, setup.penguins
    )


def codes_of(position) -> dict:
    """The code of every move on the empty board, as the reference writes moves."""
    codes = {tile: tile for tile in range(position.board.n)}
    for source in range(position.board.n):
        codes |= {(source, target): code for code, target in slides(position.setup, source)}
    return codes


def compare(position, slow: ReferencePenguins, codes: dict) -> None:
    assert position.turn == slow.turn
    assert position.is_over == slow.over
    assert position.ply == slow.ply
    legal = position.legal_moves()
    assert set(legal) == {codes[move] for move in slow.legal_moves()}
    assert len(legal) == len(set(legal))
    assert list(position.scores()) == slow.scores()
    tiles = range(position.board.n)
    assert [position.owner(tile) for tile in tiles] == [slow.standing.get(tile) for tile in tiles]
    assert [tile for tile in tiles if not position.fish(tile)] == sorted(slow.melted)
    assert [tile for tile in tiles if position.is_free(tile)] == list(filter(slow.is_free, tiles))
    for seat in range(position.seats):
        assert sorted(position.penguins(seat)) == slow.tiles_of(seat)
        assert position.is_eliminated(seat) == (seat in slow.dropped)
    seats = position.state[SEATS : SEATS + SEAT_SLOTS * position.seats].reshape(-1, SEAT_SLOTS)
    able = seats[:, WAITING if position.state[UNPLACED] else REACH] * (1 - seats[:, GONE])
    assert set(np.flatnonzero(able == 0).tolist()) == slow.out()


def play_both(start, seed: int, *, drops: bool, every: int = 1) -> None:
    """Play a random game on both, comparing every so many plies and at the end."""
    rng = random.Random(seed)
    codes = codes_of(start)
    position, slow = start.copy(), twin(start)
    while not slow.over:
        if slow.ply % every == 0:
            compare(position, slow, codes)
        if drops and rng.random() < 0.03:
            seat = rng.randrange(position.seats)
            if seat not in slow.dropped:
                slow.drop(seat)
                position.drop(seat)
                continue
        move = rng.choice(sorted(slow.legal_moves(), key=str))
        slow.play(move)
        rules.play(position.setup, position.state, codes[move])
    compare(position, slow, codes)


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("name", BOARDS)
def test_random_games_agree(name: str, seats: int) -> None:
    board = BOARDS[name]
    for game in range(GAMES // seats):
        start = penguins.position(board, seats=seats, penguins=1 + game % 3, seed=game)
        play_both(start, game, drops=game % 2 == 1, every=1 if game == 0 else 7)


@settings(max_examples=amount(30), deadline=None)
@given(data=st.data())
def test_any_fish_and_any_number_of_players(data) -> None:
    board = BOARDS[data.draw(st.sampled_from(sorted(BOARDS)))]
    seats = data.draw(st.integers(2, 6))
    penguins_each = data.draw(st.integers(1, board.n // 2 // seats))
    ones = data.draw(st.integers(max((board.n + 1) // 2, seats * penguins_each), board.n))
    others = data.draw(
        st.lists(st.sampled_from([2, 3]), min_size=board.n - ones, max_size=board.n - ones)
    )
    fish = data.draw(st.permutations([1] * ones + others))
    start = penguins.position(board, seats=seats, penguins=penguins_each, fish=fish)
    play_both(start, data.draw(st.integers(0, 10**6)), drops=data.draw(st.booleans()), every=5)
