"""Exact solutions of Penguins agree with trying everything, and their lines lead there."""

import pytest

from ludograph import penguins, rules
from ludograph.errors import InvalidInput
from ludograph.games.penguins.solving import are_isolated, solve
from tests.amounts import amount, few
from tests.games.penguins.boards import TILINGS
from tests.games.twins import twin
from tests.reference.penguins_eat import most_fish
from tests.reference.penguins_solve import best_margin

pytestmark = pytest.mark.usefixtures("plain_in_make_test")


def begin(tiling, size, seed, *, seats=2, count=1):
    """The start of a game, and of the same by the reference."""
    board = penguins.board(tiling, *size)
    position = penguins.position(board, seats=seats, penguins=count, seed=seed)
    return position, twin(position)


def free_tiles(game):
    """How many tiles are left on which nobody stands."""
    return len(game.fish) - len(game.melted) - len(game.standing)


def check(position, slow):
    """Solve it; the margin is the reference's and so is that of the line, to the end."""
    found, game = solve(position), slow.game
    wanted = best_margin(game, {}) + game.scores()[0] - game.scores()[1]
    assert found.proven
    assert found.margin == (-wanted if position.turn else wanted)
    end = position.copy()
    for move in found.line:
        end.play(move)
    assert end.is_over
    assert found.fish == end.scores()
    assert found.fish[0] - found.fish[1] == wanted


@pytest.mark.slow
@pytest.mark.parametrize("tiling", TILINGS)
@pytest.mark.parametrize(("count", "free"), [(1, 9), (2, 8)])
def test_ends_of_games(tiling, count, free):
    solved = 0
    for seed in range(amount(30)):
        position, slow = begin(tiling, (5, 5), seed, count=count)
        rng = rules.random_state(seed)
        while free_tiles(slow.game) > free + seed % 4 and not position.is_over:
            slow.play(position.play_random(rng))
        if not position.is_over:
            check(position, slow)
            solved += 1
    assert solved >= amount(10)


@pytest.mark.slow
@pytest.mark.parametrize("tiling", TILINGS)
@pytest.mark.parametrize("count", [1, 2])
def test_whole_games(tiling, count):
    for seed in range(few(1, 4)):
        check(*begin(tiling, (3, 3), seed, count=count))


@pytest.mark.slow
@pytest.mark.parametrize("tiling", TILINGS)
@pytest.mark.parametrize("seats", [2, 3])
def test_once_isolated_each_eats_most(tiling, seats):
    solved = 0
    for seed in range(20):
        position, slow = begin(tiling, (6, 5), seed, seats=seats, count=2)
        game, rng = slow.game, rules.random_state(seed)
        while not position.is_over and (free_tiles(game) > 10 or not are_isolated(position)):
            slow.play(position.play_random(rng))
        if not position.is_over:
            wanted = [int(game.scores()[seat]) + most_fish(game, seat) for seat in range(seats)]
            found = solve(position)
            assert list(found.fish) == wanted
            own = wanted.pop(position.turn)
            assert found.margin == own - max(wanted)
            solved += 1
    assert solved > 2


def test_many_tiles_for_one():
    position, _ = begin("full-hexa", (8, 8), 1)
    first, *_, last = position.legal_moves()
    position.play(first)
    position.play(last)
    position.drop(0)
    assert solve(position).fish == (-1, position.setup.fish.sum() - position.setup.fish[first])


def test_three_who_meet():
    size = few(3, 4)
    position, _ = begin("full-hexa", (size, size), 1, seats=3)
    with pytest.raises(InvalidInput, match=r"\b3 players"):
        solve(position)
    position.drop(1)
    assert solve(position).proven


def test_a_game_that_is_over():
    position, _ = begin("full-hexa", (3, 3), 1)
    while not position.is_over:
        position.play(position.legal_moves()[0])
    with pytest.raises(InvalidInput, match="over after"):
        solve(position)


def test_when_the_time_is_over():
    position, _ = begin("full-hexa", (8, 8), 1, count=2)
    found = solve(position, 0.1)
    assert not found.proven
    assert found.margin is found.fish is None
    assert found.line == ()
    assert found.seconds > 0.05
