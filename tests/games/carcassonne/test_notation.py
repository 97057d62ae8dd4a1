"""The door of Carcassonne: options, decks, moves as text, records."""

import pytest
from hypothesis import given, settings

from ludograph import InvalidInput, boards, carcassonne, rules
from ludograph.games import Outcome
from ludograph.games.carcassonne.decks import GREEN, INIT, Deck, Kind, course
from ludograph.games.carcassonne.setup import FARTHEST
from ludograph.games.carcassonne.tiles import Tile
from tests.amounts import amount
from tests.games.carcassonne.tiles import decks


@pytest.mark.parametrize("number", range(3))
def test_modes_have_three_names(number: int) -> None:
    names = ("no-meeple", "infinite", "finite")
    long = ("NO_MEEPLE", "INFINITE_MEEPLE", "FINITE_MEEPLE")
    for mode in (number, names[number], long[number]):
        assert carcassonne.position(deck="course", mode=mode).setup.mode == number


def test_too_many_different_sides() -> None:
    def tile(number: int) -> Tile:
        sides = (0, number // 64, number // 8 % 8, number % 8)
        return Tile(tuple(range(13)), (*sides[1:], *(0,) * 10))

    kinds = tuple(Kind(str(number), tile(number), 1) for number in range(254))
    assert carcassonne.position(deck=Deck(GREEN, kinds[:-1])).legal_moves()
    with pytest.raises(InvalidInput, match=r"\b254\b"):
        carcassonne.position(deck=Deck(GREEN, (*kinds, Kind("more", tile(300), 1))))


def test_a_record_is_restored_on_the_table_alone() -> None:
    data = carcassonne.describe(carcassonne.position())
    with pytest.raises(InvalidInput, match="square"):
        carcassonne.restore(boards.square(2), data)


@pytest.mark.slow
@settings(max_examples=amount(40), deadline=None)
@given(deck=decks())
def test_a_record_keeps_the_deck_as_it_was_given(deck: Deck) -> None:
    position = carcassonne.position(deck=deck)
    restored = carcassonne.restore(position.board, carcassonne.describe(position))
    assert restored == position
    assert restored.deck == deck
    assert [kind.tile.components for kind in restored.deck.kinds] == [
        kind.tile.components for kind in deck.kinds
    ]


def test_names_of_tiles_that_end_in_blanks_or_look_like_moves() -> None:
    names = ("a", "a ", " a", "0,1 r0", "deal a", "Größe №1")
    deck = Deck(INIT, tuple(Kind(name, GREEN, 1) for name in names))
    position = carcassonne.position(deck=deck)
    for kind, name in enumerate(names):
        assert position.text(kind) == f"deal {name}"
        assert position.parse(f"deal {name}") == kind
    assert position.parse("  deal Größe №1 ") == 5


def test_the_largest_deck_has_codes() -> None:
    position = carcassonne.position(deck=course(10_000), mode="finite")
    for x, y in ((FARTHEST, FARTHEST), (-FARTHEST, FARTHEST), (-FARTHEST, -FARTHEST)):
        text = f"{x},{y} r3 m12"
        assert position.text(position.parse(text)) == text
        assert position.parse(text) < 2**31


def test_what_a_seat_holds() -> None:
    position = carcassonne.position(deck="course", mode="finite", seats=3)
    assert carcassonne.presentation.seat_facts(position, 0).holding == "0 points, 7 meeples left"
    position.drop(2)
    assert carcassonne.presentation.seat_facts(position, 2).holding == "out"
    assert carcassonne.presentation.seat_facts(carcassonne.position(), 1).holding == "0 points"
    rng = rules.random_state(1)
    while not position.is_over:
        position.play_random(rng)
    assert position.scores()[2] == -1.0
    outcome = Outcome.from_scores((3.0, 1.0, -1.0))
    sentence = carcassonne.presentation.result(position, outcome, ["x", "y", "z"])
    assert sentence == "x (seat 0) wins, 3 points to 1, none (out)."
