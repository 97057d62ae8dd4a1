"""Flood's plain strategies."""

import pytest

from ludograph import boards, flood


@pytest.mark.parametrize("seats", [1, 2, 3])
def test_valid_passes_only_when_no_color_is_legal(seats):
    passes = 0
    for seed in range(12):
        position = flood.position(boards.square(5), colors=3, seats=seats, seed=seed)
        chooser = flood.strategy("valid").create({}, seed)
        while not position.is_over:
            move = chooser.choose(position)
            moves = position.legal_moves()
            assert move in moves
            if position.text(move) == "pass":
                passes += 1
                assert len(moves) == 1
            position.play(move)
    assert passes > 0 or seats == 1


def test_valid_takes_each_color_equally_often():
    position = flood.position(boards.square(6), colors=5, seed=3)
    chooser = flood.strategy("valid").create({}, 1)
    legal = [move for move in position.legal_moves() if position.text(move) != "pass"]
    counts = dict.fromkeys(legal, 0)
    for _ in range(300 * len(legal)):
        counts[chooser.choose(position)] += 1
    assert all(200 < count < 400 for count in counts.values())
