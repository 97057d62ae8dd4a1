"""The fast rules and the slow reference play the same games, ply by ply."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludograph import carcassonne, rules
from ludograph.games.carcassonne.decks import classic, course
from ludograph.games.carcassonne.notation import move_text
from ludograph.games.carcassonne.position import tile_records
from ludograph.games.carcassonne.table import (
    CLAIMS,
    CLAIMS_OF,
    CLOSED,
    FIRST_NODE,
    PARENT,
    ROOT,
    SIZE,
    look_up,
)
from tests import amounts
from tests.amounts import amount, slow_but
from tests.games.carcassonne.tiles import any_tiles, decks, sided_tiles
from tests.reference.carcassonne import ReferenceCarcassonne
from tests.reference.carcassonne_world import World

MODES = range(3)
DECKS = {"course": course(24), "classic": classic()}


def twin(position) -> ReferenceCarcassonne:
    """The same game for the reference."""
    setup, deck = position.setup, position.deck
    return ReferenceCarcassonne(
        (deck.first.components, deck.first.terrains),
        [(kind.tile.components, kind.tile.terrains) for kind in deck.kinds],
        [kind.count for kind in deck.kinds],
        seats=setup.seats,
        mode=setup.mode,
        meeples=setup.meeples,
        discard=bool(setup.discard),
    )


def text_of(x: int, y: int, quarters: int, meeple: int | None) -> str:
    return f"{x},{y} r{quarters}" + ("" if meeple is None else f" m{meeple}")


def laid(position) -> dict:
    """The tiles on the table by their cells, as the reference has them."""
    return {
        (placed.x, placed.y): (list(placed.tile.components), list(map(int, placed.tile.terrains)))
        for placed in position.tiles
    }


def components(position) -> list:
    """All components as the reference describes them."""
    setup, state = position.setup, position.state
    shown = {}
    tiles = laid(position).values()
    for record, (numbers, terrains) in zip(tile_records(setup, state), tiles, strict=True):
        for index, number in enumerate(dict.fromkeys(numbers)):
            node = int(record[FIRST_NODE]) + index * setup.layout.width
            root = int(look_up(state, node))
            meeples = (0,) * setup.seats
            if setup.mode:
                meeples = tuple(state[root + CLAIMS_OF : root + CLAIMS_OF + setup.seats].tolist())
                assert sum(meeples) == state[root + CLAIMS]
            assert state[root + PARENT] == CLOSED or state[root + PARENT] < ROOT
            closed = bool(state[root + PARENT] == CLOSED)
            terrain = terrains[numbers.index(number)]
            same = (terrain, int(state[root + SIZE]), closed, meeples)
            assert shown.setdefault(root, same) == same
    return sorted(shown.values())


def compare(position, slow: ReferenceCarcassonne) -> None:
    setup = position.setup
    assert position.is_over == slow.over
    assert list(position.scores()) == slow.scores()
    assert laid(position) == {
        cell: (list(tile[0]), list(tile[1])) for cell, tile in slow.world.tiles.items()
    }
    assert components(position) == slow.components()
    if position.mode == "FINITE_MEEPLE":
        assert [position.meeples(seat) for seat in range(setup.seats)] == slow.supply
    else:
        left = {None} if position.mode == "INFINITE_MEEPLE" else {0}
        assert {position.meeples(seat) for seat in range(setup.seats)} == left
    assert list(position.remaining.values()) == slow.left
    assert {seat for seat in range(setup.seats) if position.is_eliminated(seat)} == set(
        slow.eliminated
    )
    if slow.over:
        return
    legal = position.legal_moves()
    assert len(set(legal)) == len(legal)
    if slow.dealt is None:
        assert position.is_chance
        assert position.dealt is None
        assert legal == [kind for kind, count in enumerate(slow.left) if count]
    else:
        assert position.turn == slow.turn
        assert position.dealt is position.deck.kinds[slow.dealt]
        texts = [move_text(setup, code) for code in legal]
        assert sorted(texts) == sorted(text_of(*move) for move in slow.legal_moves())


def play_both(start, seed: int, *, drops: bool = False, every: int = 1) -> None:
    """Play a random game on both, comparing every so many plies and at the end."""
    rng = random.Random(seed)
    words = rules.random_state(seed)
    position, slow = start.copy(), twin(start)
    compare(position, slow)
    while not slow.over:
        if drops and rng.random() < 0.04:
            seat = rng.randrange(position.seats)
            if seat not in slow.eliminated:
                slow.drop(seat)
                position.drop(seat)
                continue
        move = int(rules.sample_move(position.setup, position.state, words))
        if slow.dealt is None:
            slow.deal(move)
        else:
            text = move_text(position.setup, move)
            slow.play(*read(text))
        rules.play(position.setup, position.state, move)
        if position.ply % every == 0:
            compare(position, slow)
    compare(position, slow)


def read(text: str) -> tuple[int, int, int, int | None]:
    """A move as the reference writes it."""
    cell, quarters, *meeple = text.split(" ")
    x, y = map(int, cell.split(","))
    return x, y, int(quarters[1:]), int(meeple[0][1:]) if meeple else None


STARTS = [
    (name, seats, discard, mode)
    for name in DECKS
    for seats in (2, 3, 4)
    for discard in (False, True)
    for mode in MODES
]
QUICK = [
    start
    for start in STARTS
    if (start[1] + start[3]) % 3 == 0 and (start[0] == "course" or start[2] == (start[1] == 3))
]
"""Each mode, number of seats and way to discard, but not all together."""


@pytest.mark.parametrize(
    ("name", "seats", "discard", "mode"),
    slow_but(QUICK, STARTS),
)
def test_random_games_agree(name: str, seats: int, discard: bool, mode: int) -> None:
    for game in range(2) if amounts.everything else [(seats + discard) % 2]:
        start = carcassonne.position(
            deck=DECKS[name], mode=mode, seats=seats, discard=discard, meeples=3 + 4 * game
        )
        play_both(start, game, drops=game == 1, every=20 // amount(4))


@pytest.mark.slow
@settings(max_examples=amount(60), deadline=None)
@given(data=st.data())
def test_any_deck(data) -> None:
    """Tiles of few terrains, so that many fit; or any."""
    terrains = data.draw(st.sampled_from([(0, 3), (0, 1, 3), (1,), tuple(range(8))]))
    tiles = any_tiles(terrains) if data.draw(st.booleans()) else sided_tiles(terrains)
    start = carcassonne.position(
        deck=data.draw(decks(tiles)),
        mode=data.draw(st.sampled_from(MODES)),
        seats=data.draw(st.integers(2, 4)),
        meeples=data.draw(st.integers(1, 8)),
        discard=data.draw(st.booleans()),
    )
    play_both(start, data.draw(st.integers(0, 10**6)), drops=data.draw(st.booleans()), every=4)


def test_the_world_of_the_reference_is_that_of_the_tiles() -> None:
    position = carcassonne.position(mode="infinite", discard=True)
    rng = rules.random_state(5)
    while not position.is_over:
        position.play_random(rng)
    world = World(laid(position))
    sizes = sorted(world.size(part) for part in world.parts)
    assert sizes == sorted(size for _, size, _, _ in components(position))
