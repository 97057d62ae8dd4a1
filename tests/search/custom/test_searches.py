"""An author's functions in our searches: what they replace, and what stays the game's own."""

import pytest

from ludograph import InvalidInput, boards, flood, make, penguins, rules, search
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


def test_a_function_can_build_on_the_game_s_own() -> None:
    position = flood.position(boards.square(5), colors=4, seed=2)
    plain = search.AlphaBetaSearch(position).search(position, depth=2)
    own = search.AlphaBetaSearch(position, evaluate=shifted).search(position, depth=2)
    assert own.value == plain.value + 1000.0
    assert own.move == plain.move


def test_a_search_of_another_game_is_refused() -> None:
    position = flood.position(boards.square(5), colors=4, seed=2)
    own = search.AlphaBetaSearch(position)
    with pytest.raises(InvalidInput, match="a new one for each game"):
        own.search(flood.position(boards.square(5), colors=4, seed=3), depth=1)
    for limits in ({"depth": 0}, {"time": -1.0}, {"time": float("nan")}, {"depth": 1.5}):
        with pytest.raises(InvalidInput, match="must be a"):
            own.search(position, **limits)
    rng = rules.random_state(1)
    while not position.is_over:
        position.play_random(rng)
    with pytest.raises(InvalidInput, match="no seat is to move"):
        own.search(position, depth=1)


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
    assert position.game.search_setup(position.setup) is not position.setup
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
