"""Positions that are set up piece by piece: those that were played come out as they were."""

import numpy as np
import pytest

from ludograph import make
from ludograph.errors import InvalidInput
from ludograph.rules import random_state

STARTS = {
    "hex": {"size": 4, "pie": False},
    "hex-triangles": {"board": "triangular:4"},
    "penguins": {"board": "full-hexa:4", "penguins": 2, "seats": 3},
}


@pytest.mark.parametrize("name", STARTS)
def test_what_was_played_can_be_set_up(name) -> None:
    options = STARTS[name]
    position, luck = make(name.partition("-")[0], **options, seed=1), random_state(2)
    start = position.copy()
    for _ in range(6):
        found = start.game.interaction.arranged(start, position.scene().in_cells.fills.tolist())
        assert found.scores() == position.scores()
        assert found.turn == position.turn
        assert found.scene().in_cells.fills.tolist() == position.scene().in_cells.fills.tolist()
        again = found.game.restore(found.board, found.game.describe(found))
        for move in found.history:
            again.play(move)
        assert again == found
        position.play_random(luck)


def test_a_board_of_flood_is_painted() -> None:
    start = make("flood", "square:3", colors=3, seats=2, forbidden=1, seed=1)
    fills = [0, 1, 2, 2, 1, 0, 0, 1, 2]
    found = start.game.interaction.arranged(start, fills)
    assert found.colors.tolist() == fills
    assert [found.forbidden(seat) for seat in (0, 1)] == [start.forbidden(s) for s in (0, 1)]
    with pytest.raises(InvalidInput, match="start"):
        start.game.interaction.arranged(start, [0] * 9)


def fills_of(game, **stones):
    start = make(game, **STARTS[game])
    fills = start.scene().in_cells.fills.copy()
    names = [swatch.name for swatch in start.scene().in_cells.palette]
    free = np.flatnonzero(np.isin(fills, list(start.game.interaction.pieces(start))))
    for name, where in stones.items():
        fills[free[where]] = names.index(name)
    return start, fills.tolist()


@pytest.mark.parametrize(
    ("game", "stones", "reason"),
    [
        ("hex", {"black": [0, 1]}, "not 2 to 0"),
        ("hex", {"white": [0]}, "not 0 to 1"),
        ("hex", {"black": [0, 4, 8, 12], "white": [1, 2, 3]}, "has joined its borders"),
        ("penguins", {"red": [0]}, "in turn"),
        ("penguins", {"blue": [0, 1, 2], "red": [3, 4, 5], "green": [6, 7, 8]}, "2 penguins"),
    ],
)
def test_what_cannot_come_about_is_refused_with_the_reason(game, stones, reason) -> None:
    start, fills = fills_of(game, **stones)
    with pytest.raises(InvalidInput, match=reason):
        start.game.interaction.arranged(start, fills)
