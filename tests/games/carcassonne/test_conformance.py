"""Carcassonne passes the suite that every game must pass, in all modes."""

import pytest

from ludograph import carcassonne
from ludograph.conformance import check_game
from ludograph.games.carcassonne.decks import course
from tests.amounts import few, slow_but

pytestmark = pytest.mark.usefixtures("plain_in_make_test")

MODES = ("no-meeple", "infinite", "finite")


@pytest.mark.slow
@pytest.mark.parametrize("discard", slow_but([False], [False, True]))
@pytest.mark.parametrize("mode", MODES)
def test_the_deck_of_the_course(mode: str, discard: bool) -> None:
    deck = course(16)
    check_game(
        lambda seed: carcassonne.position(
            deck=deck, mode=mode, seats=2 + seed % 3, meeples=1 + seed % 2, discard=discard
        ),
        games=few(2, 6),
        interpreted=few(1, 2),
    )


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_the_classic_deck(mode: str) -> None:
    check_game(
        lambda seed: carcassonne.position(mode=mode, seats=2 + seed % 3), games=2, interpreted=0
    )


def test_the_smallest_deck() -> None:
    check_game(lambda _: carcassonne.position(deck=course(2), mode="finite"), games=1)
