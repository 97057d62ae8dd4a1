"""Whoever plays: a placement that is not legal is refused with its reason."""

import pytest

from ludograph import IllegalMove, carcassonne
from ludograph.games.carcassonne.decks import classic, course
from ludograph.games.carcassonne.notation import placement_of
from ludograph.games.carcassonne.setup import CHOICES, MODES, NO_VERTEX
from ludograph.rules import random_state
from tests.amounts import few


def refused(position, *texts):
    """Yield the sentences by which moves are refused."""
    for text in texts:
        with pytest.raises(IllegalMove) as error:
            position.play(text)
        yield str(error.value)


def test_refused_placements(wording):
    position = carcassonne.position(deck=course(9), mode="infinite")
    for move in ("deal INIT", "1,0 r0 m4", "deal INIT"):
        position.play(move)
    said = [*refused(position, "0,0 r0", "2,2 r0", "-1,0 r1", "2,0 r0 m4")]
    position = carcassonne.position(deck=course(9), mode="finite", meeples=1)
    for move in ("deal INIT", "1,0 r0 m4", "deal GREEN", "0,-1 r0 m0", "deal INIT"):
        position.play(move)
    assert [*said, *refused(position, "2,0 r0 m0")] == wording


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("deck", [course(15), classic()], ids=["course", "classic"])
def test_there_is_a_reason_against_all_that_is_not_legal_and_nothing_else(deck, mode):
    for seed in range(few(1, 2)):
        position = carcassonne.position(deck=deck, mode=mode, meeples=2)
        rng = random_state(seed)
        while not position.is_over:
            if not position.is_chance and position.ply % 24 < 2:
                check_all(position)
            position.play_random(rng)


def check_all(position):
    """Look at all placements on and around the cells where the tile dealt can lie."""
    setup, legal = position.setup, set(position.legal_moves())
    cells = {(move - setup.kinds) // (4 * CHOICES) for move in legal}
    cells |= {cell + step for cell in cells for step in (1, setup.layout.stride)}
    for cell in sorted(cells)[:6]:
        for quarters in range(4):
            first = setup.kinds + CHOICES * (4 * cell + quarters)
            choices = range(CHOICES) if setup.mode else (NO_VERTEX,)
            for code in (first + choice for choice in choices):
                said = carcassonne.interaction.why_not_move(position, code)
                assert (said == "") == (code in legal), (placement_of(setup, code), said)
