"""Fault row 47. What an author's function reads or writes beyond its arrays is found at once."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from ludograph import InvalidInput, amazons, flood, penguins, rules, search
from ludograph.rules import CHANCE, OVER, PLY, TURN, compiled
from ludograph.rules.announcer import announcer
from ludograph.search.custom.checks import MOST_INDICES, check_indices, samples
from ludograph.search.custom.setups import part_of
from tests.toys.nim_game import nim_game

TABLE = np.arange(4)
TABLES = (np.arange(4), np.arange(2))
PLACES = np.array([0, 5])
LAST = -1


SQUARE = np.arange(6).reshape(2, 3)


class Weights(NamedTuple):
    linear: np.ndarray
    offset: float


def adds_beyond(setup, state, out):
    rules.scores(setup, state, out)
    out[2] += 1.0  # fault


def multiplies_beyond(setup, state, out):
    rules.scores(setup, state, out)
    out[2] *= 2.0  # fault


def writes_far_away(setup, state, out):
    rules.scores(setup, state, out)
    out[100_000_000] = 1.0  # fault


def writes_before_the_first(setup, state, out):
    rules.scores(setup, state, out)
    out[-3] = 1.0  # fault


def writes_in_a_loop_too_long(setup, state, out):
    rules.scores(setup, state, out)
    for seat in range(out.size + 1):
        out[seat] += 0.5  # fault


def reads_beyond_the_state(setup, state, out):
    rules.scores(setup, state, out)
    out[0] += 0.0 * state[state.size]  # fault


def reads_before_the_state(setup, state, out):
    rules.scores(setup, state, out)
    out[0] += 0.0 * state[state[PLY] - 1]  # fault


def reads_beyond_the_setup(setup, state, out):
    rules.scores(setup, state, out)
    out[0] += 0.0 * setup.heaps[setup.heaps.size]  # fault


def reads_beyond_a_table(setup, state, out):
    rules.scores(setup, state, out)
    out[0] += 0.0 * TABLE[4 + state[PLY]]  # fault


def reads_before_a_table(setup, state, out):
    rules.scores(setup, state, out)
    out[0] += 0.0 * TABLE[state[PLY] - 3]  # fault


def reads_before_a_table_of_a_tuple(setup, state, out):
    rules.scores(setup, state, out)
    out[0] += 0.0 * TABLES[1][state[PLY] - 1]  # fault


def writes_at_places_of_an_array(setup, state, out):
    rules.scores(setup, state, out)
    out[PLACES] = 1.0  # fault


def writes_beyond_a_slice(setup, state, out):
    rules.scores(setup, state, out)
    part = out[1:2]
    part[1] = 1.0  # fault


def reads_beyond_a_row(setup, state, out):
    rules.scores(setup, state, out)
    out[0] += 0.0 * SQUARE[1, 2 + state[PLY]]  # fault


def reads_before_a_column(setup, state, out):
    rules.scores(setup, state, out)
    out[0] += 0.0 * SQUARE[state[PLY] - 1][0]  # fault


def writes_at_a_computed_negative_index(setup, state, out):
    rules.scores(setup, state, out)
    last = out.size - 3
    out[last] -= 1.0  # fault


def takes_away_to_the_end(setup, state, out):
    rules.scores(setup, state, out)
    place = 0
    while place <= out.size:
        out[place] //= 2.0  # fault
        place += 1


def writes_late(setup, state, out):
    rules.scores(setup, state, out)
    if state[PLY] >= 3:
        out[2] += 1.0  # fault


@compiled
def helper(values, place):
    values[place] += 1.0  # fault


def calls_a_helper(setup, state, out):
    rules.scores(setup, state, out)
    helper(out, out.size)


def copies_too_much(setup, state, out):
    rules.scores(setup, state, out)
    rules.copy(state, out)  # fault


def asks_with_half_a_state(setup, state, out):
    rules.scores(setup, state[:2], out)  # fault


NIM = [
    *(adds_beyond, multiplies_beyond, writes_far_away, writes_before_the_first),
    *(writes_in_a_loop_too_long, reads_beyond_the_state, reads_before_the_state),
    *(reads_beyond_the_setup, reads_beyond_a_table, reads_before_a_table),
    *(reads_before_a_table_of_a_tuple, writes_at_places_of_an_array, writes_beyond_a_slice),
    *(writes_late, calls_a_helper, copies_too_much, reads_beyond_a_row, reads_before_a_column),
    *(writes_at_a_computed_negative_index, takes_away_to_the_end),
]


def refused(make: Any, position: Any, name: str, function: Any) -> None:
    """Check that a search refuses a function before it is compiled, with the line of the fault."""
    with pytest.raises(InvalidInput, match=rf"^{name} .*, line \d+, in \w+: ") as caught:
        make(position, **{name: function})
    said = str(caught.value)
    assert "\n" not in said
    line = int(said.partition(", line ")[2].partition(",")[0])
    with open(__file__) as file:
        assert "# fault" in file.read().splitlines()[line - 1], said


@pytest.mark.parametrize("function", NIM)
def test_an_evaluation_of_somebodys_own_game(function) -> None:
    refused(search.AlphaBetaSearch, nim_game.position(), "evaluate", function)


@pytest.mark.parametrize("function", [adds_beyond, writes_late, asks_with_half_a_state])
@pytest.mark.parametrize("make", [flood, amazons, penguins])
def test_an_evaluation_of_a_game_of_the_package(make, function) -> None:
    refused(search.AlphaBetaSearch, make.position(4, seed=1), "evaluate", function)


def move_too_much(setup, state, out):
    count = rules.legal_moves(setup, state, out)
    out[out.size - 1 + (state[PLY] > 1)] = out[0]  # fault
    return count


def proven_beyond(setup, state, out):
    out[2] += 1.0  # fault
    return False


def bounds_beyond(setup, state, low, high):
    high[low.size] = 0.0  # fault
    return False


def playout_on(setup, state, rng, out):
    rules.playout(setup, state, rng, out)
    out[3] -= 1.0  # fault


def leaf_beyond_the_generator(setup, state, rng, out):
    rules.scores(setup, state, out)
    rng[rng.size] += np.uint64(1)  # fault


def leaf_after_the_end(setup, state, rng, out):
    for _ in range(100):
        rules.play(setup, state, rules.sample_move(setup, state, rng))  # fault
    rules.scores(setup, state, out)


def leaf_by_an_illegal_move(setup, state, rng, out):
    rules.play(setup, state, 1_000_000)  # fault
    rules.scores(setup, state, out)


def priors_beyond(setup, state, moves, out):
    for place in range(moves.size + 1):
        out[place] = 1.0 / moves.size  # fault


def priors_read_beyond(setup, state, moves, out):
    for place in range(moves.size):
        out[place] = 1.0 / moves.size + 0.0 * moves[place + 1]  # fault


def numbers_beyond(setup, state, out):
    out[0] = out[1] = 1.0
    out[out.size] += 1.0  # fault


@pytest.mark.parametrize(
    ("make", "name", "function"),
    [
        (search.AlphaBetaSearch, "candidates", move_too_much),
        (search.AlphaBetaSearch, "proven_scores", proven_beyond),
        (search.AlphaBetaSearch, "score_bounds_at", bounds_beyond),
        (search.MonteCarloSearch, "candidates", move_too_much),
        (search.MonteCarloSearch, "proven_scores", proven_beyond),
        (search.MonteCarloSearch, "playout", playout_on),
        (search.MonteCarloSearch, "leaf_value", leaf_beyond_the_generator),
        (search.MonteCarloSearch, "leaf_value", leaf_after_the_end),
        (search.MonteCarloSearch, "leaf_value", leaf_by_an_illegal_move),
        (search.MonteCarloSearch, "priors", priors_beyond),
        (search.MonteCarloSearch, "priors", priors_read_beyond),
        (search.ProofSearch, "candidates", move_too_much),
        (search.ProofSearch, "proven_scores", proven_beyond),
        (search.ProofSearch, "score_bounds_at", bounds_beyond),
        (search.ProofSearch, "proof_numbers", numbers_beyond),
    ],
)
def test_each_function_of_each_search(make, name, function) -> None:
    refused(make, flood.position(4, seed=1), name, function)


def with_weights(setup, state, out, data):
    rules.scores(setup, state, out)
    out[0] += data.offset * data.linear[1 + state[PLY]]  # fault


def test_data_are_arrays_too() -> None:
    position = flood.position(4, seed=1)
    data = Weights(np.zeros(3), 1.0)
    with pytest.raises(InvalidInput, match=r"in with_weights: data.linear .*\b\d\b"):
        search.AlphaBetaSearch(position, evaluate=with_weights, data=data)


def fails_before_it_writes(setup, state, out):
    out[2] = 1 // (out.size - 2)


def fails_late(setup, state, out):
    rules.scores(setup, state, out)
    out[0] += 1 // (1 - min(state[PLY].item(), 1))


@pytest.mark.every_case
@pytest.mark.parametrize(("function", "count"), [(fails_before_it_writes, 1), (fails_late, 0)])
def test_a_function_that_fails_in_each_sample_is_named(function, count, monkeypatch) -> None:
    warnings: list[str] = []
    monkeypatch.setattr(announcer, "warn", warnings.append)
    position = nim_game.position()
    kernel = part_of("evaluate", function, (type(position.setup),) * 2).kernel
    check_indices("evaluate", kernel, samples(position, None))
    assert len(warnings) == count
    assert all("evaluate" in each and "ZeroDivisionError" in each for each in warnings)


def ends_beyond(setup, state, out):
    for place in range(MOST_INDICES):
        out[place % 2] = 0.0
    out[2] += 1.0


@pytest.mark.slow
@pytest.mark.parametrize("function", [fails_before_it_writes, ends_beyond])
def test_guards_find_what_plain_python_does_not_reach(function, monkeypatch) -> None:
    monkeypatch.setattr(announcer, "warn", lambda _: None)
    with pytest.raises(InvalidInput, match=r"beyond out\b"):
        search.AlphaBetaSearch(nim_game.position(), evaluate=function)


def right(setup, state, out):
    rules.scores(setup, state, out)
    if state[TURN] >= 0:
        out[state[TURN]] += 1.0
    out[-1] += 0.25 + TABLE[LAST] * 0.0
    part = out[0:5]  # a slice ends with its array
    part[part.size - 1] += 0.5
    if state[TURN] == CHANCE or state[TURN] == OVER:
        out[0] += 0.0


@compiled(allocates=True)
def right_with_memory(setup, state, out):
    rules.scores(setup, state, out)
    own = np.zeros(3)
    for place in range(3):
        own[place - 1] = 1.0  # a kernel that allocates counts from the end
    out[0] += own[state[PLY] % 3 - 1]


@pytest.mark.parametrize("function", [right, right_with_memory])
def test_functions_that_are_right_are_accepted(function, plain_in_make_test) -> None:
    position = nim_game.position()
    found = search.AlphaBetaSearch(position, evaluate=function).search(position, depth=2)
    assert found.move in position.legal_moves()
