import numpy as np
import pytest

from ludograph import rules
from ludograph.rules import TURN
from ludograph.search import alphabeta
from ludograph.search.alphabeta.search import alphabeta as search_on
from ludograph.search.alphabeta.stack import DONE, begin, make_stack, set_root
from ludograph.search.transpositions import make_table
from tests.amounts import few, slow_but
from tests.search import brute_force
from tests.toys.coins import coins
from tests.toys.descent import descent
from tests.toys.dice import dice
from tests.toys.nim import nim
from tests.toys.tictactoe import tictactoe

pytestmark = pytest.mark.slow


def check_exact(setup, state):
    """The value is that of the full search, and the move reaches it."""
    result = alphabeta.search(setup, state)
    seat = int(state[TURN])
    assert result.exact
    assert result.value == pytest.approx(brute_force.value(setup, state, seat))
    follow = brute_force.after(setup, state, result.move)
    assert brute_force.value(setup, follow, seat) == pytest.approx(result.value)
    assert result.line[0] == result.move
    for move in result.line:
        assert move in brute_force.moves_of(setup, state)
        state = brute_force.after(setup, state, move)
    return result


@pytest.mark.parametrize("seed", range(40))
def test_small_floods_are_solved(small_flood, seed):
    width, height = [(3, 3), (3, 4), (2, 4), (4, 4)][seed % 4]
    position = small_flood(width, height, seed)
    rng = np.random.default_rng(seed)
    state = brute_force.random_state_of(position.setup, rng, seed % 3)
    check_exact(position.setup, state)


@pytest.mark.parametrize("seats", [1, 3])
def test_small_floods_of_other_seats_are_solved(small_flood, seats):
    for seed in range(6):
        position = small_flood(3, 3, seed, seats=seats, colors=4)
        if not position.is_over:
            check_exact(position.setup, position.state)


@pytest.mark.usefixtures("interpreted")
def test_tictactoe_is_a_draw():
    setup = tictactoe()
    result = alphabeta.search(setup, brute_force.fresh(setup))
    assert result.exact
    assert result.value == 0.0


@pytest.mark.usefixtures("interpreted")
def test_tictactoe_positions_are_solved():
    setup = tictactoe()
    for seed in range(few(4, 12)):
        rng = np.random.default_rng(seed)
        check_exact(setup, brute_force.random_state_of(setup, rng, 3 + seed % 4))


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("heaps", [[3, 2, 1], [5, 4], [4, 3, 1], [1, 2, 3], [7], [8], [4, 1, 1]])
def test_nim_follows_the_theory(heaps):
    setup = nim(heaps)
    result = check_exact(setup, brute_force.fresh(setup))
    wins = np.bitwise_xor.reduce(np.array(heaps) % (setup.most + 1)) != 0
    assert (result.value > alphabeta.LARGE / 2) == wins
    assert (result.value < -alphabeta.LARGE / 2) == (not wins)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_coins_are_solved_for_any_seats(seats):
    for seed in range(few(2, 6)):
        rng = np.random.default_rng(seed)
        setup = coins(rng.integers(0, 9, 8).tolist(), seats)
        check_exact(setup, brute_force.random_state_of(setup, rng, seed % 3))


def test_dice_have_their_expectation():
    for rounds in (1, 2, 3):
        setup = dice(rounds)
        check_exact(setup, brute_force.fresh(setup))
    setup = dice(3)
    for seed in range(6):
        state = brute_force.random_state_of(setup, np.random.default_rng(seed), 4)
        check_exact(setup, state)


@pytest.mark.usefixtures("interpreted")
def test_the_best_descent_is_found():
    for seed in range(4):
        setup = descent(6, seed)
        result = check_exact(setup, brute_force.fresh(setup))
        best = setup.triangle.astype(int)
        for row in range(4, -1, -1):  # the textbook solution, from the bottom up
            below = np.maximum(best[row + 1, : row + 1], best[row + 1, 1 : row + 2])
            best[row, : row + 1] += below
        assert result.value == best[0, 0]


def test_a_limit_of_depth_is_kept_and_said(small_flood):
    position = small_flood(8, 8, 1, colors=6)
    result = alphabeta.search(position.setup, position.state, depth=4)
    assert result.depth == 4
    assert not result.exact
    assert 1 <= len(result.line) <= 4
    assert abs(result.value) < alphabeta.LARGE / 2


def test_the_state_stays_as_it_is(small_flood):
    position = small_flood(6, 6, 3)
    before = position.state.copy()
    alphabeta.search(position.setup, position.state, depth=3)
    assert np.array_equal(position.state, before)


def test_time_is_kept(small_flood):
    position = small_flood(12, 12, 2, colors=6)
    search = alphabeta.AlphaBeta(position.setup)
    search.search(position.state, depth=1)
    result = search.search(position.state, time=0.05)  # which comes to its end
    assert not result.exact
    assert result.depth >= 1
    assert position.is_legal(result.move)


def test_time_is_kept_where_much_is_remembered(small_flood):
    position = small_flood(12, 12, 2, colors=6)
    search = alphabeta.AlphaBeta(position.setup)
    for _ in range(5):
        assert search.search(position.state, time=0.02).seconds < 20


def test_threads_agree_on_exact_values(small_flood):
    for seed in range(10):
        position = small_flood(4, 4, seed, colors=4)
        alone = alphabeta.search(position.setup, position.state)
        together = alphabeta.search(position.setup, position.state, threads=3)
        assert together.exact
        assert together.value == alone.value


def test_a_search_with_memory_gives_the_same_values_all_game_long(small_flood):
    position = small_flood(4, 4, 5, colors=4)
    search = alphabeta.AlphaBeta(position.setup, table_bits=8)
    while not position.is_over:
        result = search.search(position.state)
        seat = position.turn
        assert result.value == brute_force.value(position.setup, position.state, seat)
        position.play(result.move)


def test_the_search_goes_on_where_it_stopped(small_flood):
    """Chunks of one node and of many visit the same tree."""
    position = small_flood(6, 6, 1, colors=4)
    ends = []
    for budget in (1, 7, 100_000):
        stack = make_stack(position.setup, 20)
        table = make_table(12)
        set_root(stack, position.state, position.turn)
        begin(stack, 5)
        while stack.progress.step != DONE:
            search_on(position.setup, stack, table, budget)
        ends.append((stack.progress.tolist(), stack.frames[0].tolist(), table.tobytes()))
    assert ends[0] == ends[1] == ends[2]


@pytest.mark.parametrize("title", slow_but(["flood"], ["flood", "dice"]))
def test_plain_python_and_machine_code_search_alike(title, small_flood):
    flood = small_flood(5, 5, 4, colors=4)
    setup = flood.setup if title == "flood" else dice(3)
    state = brute_force.fresh(setup)
    fast = alphabeta.search(setup, state, depth=4)
    with rules.interpreted():
        slow = alphabeta.search(setup, state, depth=4)
    assert (fast.move, fast.value, fast.nodes, fast.line) == (
        slow.move,
        slow.value,
        slow.nodes,
        slow.line,
    )
