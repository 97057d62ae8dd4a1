"""An author's functions in our searches: what they replace, and what stays the game's own."""

import random
from typing import NamedTuple

import numpy as np
import pytest
from numba.core import event

from ludograph import InvalidInput, boards, flood, hex, make, penguins, rules, search
from ludograph.games import registry
from ludograph.rules import TURN, compiled
from ludograph.search.custom.setups import customized, part_of
from tests.toys.nim import HEAPS
from tests.toys.nim_game import nim_game


def tall_first(setup, state, out):
    """Seat 0 likes what is left on heap 0."""
    out[0] = state[HEAPS]
    out[1] = 0.0


def second_heap(setup, state, out):
    """Look at moves on heap 1 where there are any."""
    count = rules.legal_moves(setup, state, out)
    kept = 0
    for index in range(count):
        if out[index] // setup.most == 1:
            out[kept] = out[index]
            kept += 1
    return max(kept, 1)


def shifted(setup, state, out):
    """The game's own evaluation, in which seat 0 is 1000 ahead."""
    rules.evaluate(setup, state, out)
    out[0] += thousand(state)


@compiled
def thousand(state):
    return 1000.0


def shifted_back(setup, state, out):
    rules.evaluate(setup, state, out)
    out[0] -= thousand(state)


@pytest.mark.slow
def test_functions_decide_what_is_searched_and_what_it_is_worth() -> None:
    position = nim_game.position(heaps=(9, 7))
    own = search.AlphaBetaSearch(position, evaluate=tall_first, candidates=second_heap)
    found = own.search(position, depth=1)
    assert position.text(found.move).startswith("1-")
    assert (found.value, found.depth, found.exact) == (9.0, 1, False)
    position.play("0-3")
    found = own.search(position, depth=1)  # seat 1 is to move: what seat 0 likes is bad for it
    assert position.text(found.move).startswith("1-")
    assert found.value == -6.0


@pytest.mark.slow
def test_a_function_can_build_on_the_game_s_own() -> None:
    position = hex.position(4, pie=False)
    plain = search.AlphaBetaSearch(position).search(position, depth=2)
    own = search.AlphaBetaSearch(position, evaluate=shifted).search(position, depth=2)
    assert own.value == plain.value + 1000.0
    assert own.move == plain.move


@pytest.mark.slow
def test_a_search_of_another_game_is_refused() -> None:
    position = flood.position(boards.square(5), colors=4, seed=2)
    own = search.AlphaBetaSearch(position)
    with pytest.raises(InvalidInput, match=r"\bgame\b"):
        own.search(flood.position(boards.square(5), colors=4, seed=3), depth=1)
    for limits in ({"depth": 0}, {"time": -1.0}, {"time": float("nan")}, {"depth": 1.5}):
        with pytest.raises(InvalidInput, match="must be a"):
            own.search(position, **limits)
    rng = rules.random_state(1)
    while not position.is_over:
        position.play_random(rng)
    with pytest.raises(InvalidInput, match=r"\bseat\b"):
        own.search(position, depth=1)


def full_heap(setup, state, rng, out):
    """Seat 0 wins while heap 0 is as full as at the start."""
    out[0] = 1.0 if state[HEAPS] == 9 else 0.0
    out[1] = 0.5


def third_of_heap_one(setup, state, moves, out):
    """Only one move is likely, the last one where it is not legal."""
    likely = moves.size - 1
    for place in range(moves.size):
        out[place] = 0.0
        if moves[place] == setup.most + 2:
            likely = place
    out[likely] = 1.0


LEAVES = {"expand_threshold": 10_000, "seed": 5}
"""Only the root has children: what is seen is what leaves are worth."""


@pytest.mark.slow
def test_leaves_are_worth_what_a_function_says() -> None:
    position = nim_game.position(heaps=(9, 7))
    own = search.MonteCarloSearch(position, leaf_value=full_heap, **LEAVES)
    found = own.search(position, sims=60)
    wins = [position.text(move).startswith("1-") for move in found.moves]
    assert [value > 0.5 for value in found.values] == wins
    assert own.line()[0] == found.move


@pytest.mark.usefixtures("interpreted")
def test_a_playout_is_what_leaves_are_worth_unless_that_is_given() -> None:
    position = nim_game.position(heaps=(9, 7))
    by_leaf = search.MonteCarloSearch(position, leaf_value=full_heap, **LEAVES)
    by_playout = search.MonteCarloSearch(position, playout=full_heap, **LEAVES)
    both = search.MonteCarloSearch(position, playout=by_chance, leaf_value=full_heap, **LEAVES)
    values = [
        each.search(position, sims=60).values.tolist() for each in (by_leaf, by_playout, both)
    ]
    assert values[0] == values[1] == values[2]


def by_chance(setup, state, rng, out):
    rules.playout(setup, state, rng, out)


@pytest.mark.slow
@pytest.mark.usefixtures("interpreted")
def test_a_playout_replaces_that_of_a_game_with_its_own() -> None:
    """Hex has playouts of its own, with more care at leaves; Penguins judges leaves earlier."""
    options = {"seed": 3, "expand_threshold": 10_000}
    for position in (hex.position(3), make("penguins")):
        own = search.MonteCarloSearch(position, playout=seat_one_wins, **options)
        found = own.search(position, sims=20)
        assert np.nanmax(found.values) < 0.5


def seat_one_wins(setup, state, rng, out):
    rules.playout(setup, state, rng, out)
    for seat in range(out.size):
        out[seat] = 1.0 if seat == 1 else 0.0


@pytest.mark.slow
def test_likely_moves_are_looked_at_first() -> None:
    position = nim_game.position(heaps=(9, 7))
    own = search.MonteCarloSearch(position, priors=third_of_heap_one, prior_weight=50.0)
    assert position.text(own.search(position, sims=5).move) == "1-3"


def test_a_search_without_a_limit_is_refused(interpreted) -> None:
    position = nim_game.position(heaps=(2, 1))
    own = search.MonteCarloSearch(position, options=search.SearchOptions(seed=2))
    with pytest.raises(InvalidInput, match=r"\btime\b.*\bsims\b"):
        own.search(position)
    with pytest.raises(InvalidInput, match=r"^sims "):
        own.search(position, sims=0)


class Weights(NamedTuple):
    heaps: np.ndarray
    bonus: float


def weighted(setup, state, out, data):
    out[0] = data.bonus
    out[1] = 0.0
    for heap in range(setup.heaps.size):
        out[0] += data.heaps[heap] * state[HEAPS + heap]


@pytest.mark.slow
def test_data_change_without_compilation() -> None:
    position = nim_game.position(heaps=(9, 7))
    kinds = set()
    for heaps, bonus, value in [((1.0, 0.0), 0.5, 9.5), ((0.0, -1.0), 0.0, -4.0)]:
        data = Weights(np.array(heaps), bonus)
        own = search.AlphaBetaSearch(position, evaluate=weighted, data=data)
        assert own.search(position, depth=1).value == value
        kinds.add(type(own.inner.setup))
    assert len(kinds) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "name", "parameters", "limit"),
    [
        (search.AlphaBetaSearch, "evaluate", "setup, state, out", {"depth": 4}),
        (search.MonteCarloSearch, "leaf_value", "setup, state, rng, out", {"sims": 100}),
    ],
)
def test_nothing_is_compiled_while_a_clock_runs(kind, name, parameters, limit) -> None:
    new = f"def {name}({parameters}):\n    out[0] = {random.random()}\n    out[1] = 0.0\n"
    space: dict = {"__name__": __name__}
    exec(new, space)
    position = nim_game.position(heaps=(9, 7))
    own = kind(position, **{name: space[name]})
    recorder = event.RecordingListener()
    with event.install_listener("numba:compile", recorder):
        own.search(position, **limit)
        position.play("0-1")
        own.search(position, **limit)
    assert [each.data["dispatcher"].py_func.__name__ for _, each in recorder.buffer] == []


def setup_type(position, **functions):
    kinds = (type(position.setup),)
    parts = {name: part_of(name, each, kinds) for name, each in functions.items()}
    return type(customized(position, parts))


def test_equal_functions_have_one_setup_type_and_others_another() -> None:
    position = nim_game.position(heaps=(9, 7))
    source = "def evaluate(setup, state, out):\n    out[0] = {}\n    out[1] = 0.0\n"

    def made(number):
        space: dict = {"__name__": __name__}
        exec(source.format(number), space)
        return space["evaluate"]

    one = setup_type(position, evaluate=made(1.0))
    assert setup_type(position, evaluate=made(1.0)) is one
    assert setup_type(position, evaluate=made(2.0)) is not one
    assert setup_type(nim_game.position(heaps=(1, 2)), evaluate=made(1.0)) is one


def test_a_change_in_a_called_function_is_noticed() -> None:
    position = nim_game.position(heaps=(9, 7))
    source = (
        "from ludograph.rules import compiled\n@compiled\ndef helper(state):\n    return {}\n"
        "def evaluate(setup, state, out):\n    out[0] = helper(state)\n    out[1] = 0.0\n"
    )
    kinds = []
    for number in (1.0, 2.0):
        space: dict = {"__name__": __name__}
        exec(source.format(number), space)
        kinds.append(setup_type(position, evaluate=space["evaluate"]))
    assert kinds[0] is not kinds[1]


def by_bigger_area(setup, state, out):
    """Read what only the Setup of the position has, not that of Penguins' own searches."""
    rules.scores(setup, state, out)
    out[0] += setup.fish.size


@pytest.mark.slow
def test_functions_get_the_setup_of_the_position() -> None:
    position = penguins.position(seed=1)
    assert position.game.search_view(position, "own").setup is not position.setup
    own = search.AlphaBetaSearch(position, evaluate=by_bigger_area)
    assert own.search(position, depth=1).value > 30.0


@pytest.mark.slow
@pytest.mark.parametrize("name", registry.names())
def test_every_game_is_searched(name) -> None:
    position = make(name)
    while position.is_chance:
        position.play(position.legal_moves()[0])
    assert position.state[TURN] == position.turn
    own = search.AlphaBetaSearch(position, evaluate=shifted_back)
    assert own.search(position, depth=1).move in position.legal_moves()
    other = search.MonteCarloSearch(position, leaf_value=by_chance, priors=all_alike)
    assert other.search(position, sims=50).move in position.legal_moves()


def all_alike(setup, state, moves, out):
    for place in range(moves.size):
        out[place] = 1.0 / moves.size
