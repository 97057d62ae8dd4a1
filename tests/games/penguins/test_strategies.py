"""The strategies of Penguins."""

import numpy as np
import pytest

from ludograph import boards, penguins, rules
from ludograph.games.penguins.greedy import greedy_move
from tests.games.penguins.boards import BOARDS, around


def line(position, rng) -> int:
    return int(greedy_move(position.setup, position.state, rng))


@pytest.mark.parametrize("name", BOARDS)
def test_line_takes_most_fish(name: str) -> None:
    rng = rules.random_state(1)
    for seed in range(5):
        position = penguins.position(BOARDS[name], seats=3, penguins=2, seed=seed)
        fish = position.setup.fish
        beside = around(position.board)
        while not position.is_over:
            moves = position.legal_moves()
            move = line(position, rng)
            assert move in moves
            texts = {code: position.text(code) for code in moves}
            if "-" in texts[move]:
                values = {code: fish[int(text.split("-")[1])] for code, text in texts.items()}
            else:
                empty = position.all_owners < 0
                near = {tile: [v for v in beside[tile] if v is not None] for tile in moves}
                counts = {t: [int(fish[v]) for v in near[t] if empty[v]] for t in moves}
                values = {t: (counts[t].count(3), counts[t].count(2)) for t in moves}
            assert values[move] == max(values.values())
            position.play(move)


def test_line_draws_among_the_best() -> None:
    position = penguins.position(boards.square(4), penguins=1, fish=[1] * 16)
    rng = rules.random_state(3)
    drawn = np.bincount([line(position, rng) for _ in range(16_000)], minlength=16)
    assert np.abs(drawn - 1000).max() < 200


@pytest.mark.parametrize("name", ["step", "slide"])
@pytest.mark.parametrize("board", BOARDS)
def test_walks_are_legal_and_of_the_lengths_that_they_say(name: str, board: str) -> None:
    longest = 0
    for seed in range(4):
        position = penguins.position(BOARDS[board], seats=2, penguins=2, seed=seed)
        walker = penguins.strategy(name).create({}, seed)
        while not position.is_over:
            move = walker.choose(position)
            assert move in position.legal_moves()
            if not position.is_placing:
                longest = max(longest, len(position.path(move)) - 1)
            position.play(move)
    assert longest > 1 if name == "slide" else longest == 1


def test_walks_take_every_open_way_equally_often() -> None:
    position = penguins.position(BOARDS[next(iter(BOARDS))], seats=2, penguins=1, seed=1)
    while position.is_placing:
        position.play(position.legal_moves()[0])
    ways = {tuple(position.path(move)[:2]) for move in position.legal_moves()}
    walker = penguins.strategy("slide").create({}, 5)
    counts = dict.fromkeys(ways, 0)
    for _ in range(300 * len(ways)):
        counts[tuple(position.path(walker.choose(position))[:2])] += 1
    assert all(200 < count < 400 for count in counts.values())
