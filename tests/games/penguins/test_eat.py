"""The strategy that eats most where its penguins are isolated."""

import random

import numpy as np
import pytest

from ludograph import penguins, rules
from ludograph.games.penguins.eat import Eat, solve_endgame
from ludograph.games.penguins.isolated import isolated_regions
from tests.amounts import few
from tests.games.penguins.boards import TILINGS, around
from tests.reference.penguins import ReferencePenguins
from tests.reference.penguins_eat import most_fish

pytestmark = pytest.mark.slow


def component(position, size: int, seed: int) -> list[int]:
    """Some joined tiles."""
    rng = random.Random(seed)
    beside = around(position.board)
    tiles = [rng.randrange(position.board.n)]
    while len(tiles) < size:
        near = {v for u in tiles for v in beside[u] if v is not None} - set(tiles)
        tiles.append(rng.choice(sorted(near)))
    return tiles


@pytest.mark.parametrize("tiling", TILINGS)
@pytest.mark.parametrize("count", [1, 2])
def test_it_eats_as_much_as_brute_force(tiling: str, count: int) -> None:
    for seed in range(few(12, 40)):
        position = penguins.position(penguins.board(tiling, 5, 6), penguins=count, seed=seed)
        setup = position.setup
        tiles = component(position, 5 + seed % 4, seed)
        own, free = tiles[:count], tiles[count:]
        game = ReferencePenguins(around(position.board), setup.fish.tolist(), 2, count)
        game.standing, game.dropped = dict.fromkeys(own, 0), {1}
        game.melted = set(range(position.board.n)) - set(tiles)
        wanted = most_fish(game, 0)
        fish, moves, proven = solve_endgame(
            setup, np.array(own, np.int32), np.array(free, np.int32), rules.random_state(1), None
        )
        assert proven
        assert fish == wanted
        for move in moves:  # and the moves are legal and bring it
            game.turn = 0
            game.play(ends(position, move))
        assert game.scores()[0] == wanted + sum(int(setup.fish[tile]) for tile in own)


@pytest.mark.parametrize("tiling", TILINGS)
def test_a_lone_penguin_eats_no_less_than_line(tiling: str) -> None:
    position = penguins.position(penguins.board(tiling, 20, 20), penguins=1, seed=2)
    setup, n = position.setup, position.board.n
    own, free = np.array([7], np.int32), np.delete(np.arange(n, dtype=np.int32), 7)
    fish, moves, _ = solve_endgame(setup, own, free, rules.random_state(1), 0.2)
    game = ReferencePenguins(around(position.board), setup.fish.tolist(), 2, 1)
    game.standing, game.dropped = {7: 0}, {1}
    for move in moves:
        game.turn = 0
        game.play(ends(position, move))
    assert game.scores()[0] == fish + setup.fish[7]
    rng = random.Random(3)
    for _ in range(3):
        line = ReferencePenguins(around(position.board), setup.fish.tolist(), 2, 1)
        line.standing, line.dropped = {7: 0}, {1}
        while ways := sorted(line.moves_of(0)):
            line.turn = 0
            most = max(line.fish[tile] for _, tile in ways)
            line.play(rng.choice([way for way in ways if line.fish[way[1]] == most]))
        assert game.scores()[0] >= line.scores()[0]


@pytest.mark.parametrize("tiling", TILINGS)
def test_games_to_their_end(tiling: str) -> None:
    for seed in range(3):
        position = penguins.position(penguins.board(tiling, 6, 6), penguins=2, seed=seed)
        players = [Eat(seed, time=0.01), Eat(seed + 1, time=0.01)]
        plan = None
        while not position.is_over:
            seat = position.turn
            move = players[seat].choose(position)
            assert move in position.legal_moves()
            if seat == 0 and players[0].proven and is_isolated(position):
                sure = position.scores()[0] + players[0].fish + ends_fish(position, move)
                assert plan is None or plan == sure
                plan = sure
            position.play(move)
        assert plan is None or position.scores()[0] == plan


def ends(position, move: int) -> tuple[int, int]:
    """Where a move starts and where it ends."""
    source, *_, target = position.path(move)
    return source, target


def is_isolated(position) -> bool:
    return not isolated_regions(position.setup, position.state, position.turn)[1]


def ends_fish(position, move: int) -> int:
    return int(position.setup.fish[position.path(move)[-1]])
