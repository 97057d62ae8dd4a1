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
from tests.written import line_of, written

TABLE = np.arange(4)
TABLES = (np.arange(4), np.arange(2))
PLACES = np.array([0, 5])
LAST = -1


SQUARE = np.arange(6).reshape(2, 3)


class Weights(NamedTuple):
    linear: np.ndarray
    offset: float


@compiled
def helper(values, place):
    values[place] += 1.0  # fault


def evaluation(body):
    """Return an evaluation of a game's scores with something more."""
    body = f"rules.scores(setup, state, out)\n{body}"
    return written("evaluation", "setup, state, out", body, globals())


LATE = "if state[PLY] >= 3:\n    out[2] += 1.0  # fault"
HALF_A_STATE = "rules.scores(setup, state[:2], out)  # fault"
BODIES = [
    "out[2] += 1.0  # fault",
    "out[2] *= 2.0  # fault",
    "out[100_000_000] = 1.0  # fault",
    "out[-3] = 1.0  # fault",
    "for seat in range(out.size + 1):\n    out[seat] += 0.5  # fault",
    "out[0] += 0.0 * state[state.size]  # fault",
    "out[0] += 0.0 * state[state[PLY] - 1]  # fault",
    "out[0] += 0.0 * setup.heaps[setup.heaps.size]  # fault",
    "out[0] += 0.0 * TABLE[4 + state[PLY]]  # fault",
    "out[0] += 0.0 * TABLE[state[PLY] - 3]  # fault",
    "out[0] += 0.0 * TABLES[1][state[PLY] - 1]  # fault",
    "out[PLACES] = 1.0  # fault",
    "part = out[1:2]\npart[1] = 1.0  # fault",
    "out[0] += 0.0 * SQUARE[1, 2 + state[PLY]]  # fault",
    "out[0] += 0.0 * SQUARE[state[PLY] - 1][0]  # fault",
    "last = out.size - 3\nout[last] -= 1.0  # fault",
    "place = 0\nwhile place <= out.size:\n    out[place] //= 2.0  # fault\n    place += 1",
    LATE,
    "rules.copy(state, out)  # fault",
]


def refused(make: Any, position: Any, name: str, function: Any) -> None:
    """Check that a search refuses a function before it is compiled, with the line of the fault."""
    with pytest.raises(InvalidInput, match=rf"^{name} .*, line \d+, in \w+: ") as caught:
        make(position, **{name: function})
    said = str(caught.value)
    assert "\n" not in said
    line = int(said.partition(", line ")[2].partition(",")[0])
    assert "# fault" in line_of(function, line), said


@pytest.mark.parametrize("body", BODIES)
def test_an_evaluation_of_somebodys_own_game(body) -> None:
    refused(search.AlphaBetaSearch, nim_game.position(), "evaluate", evaluation(body))


def calls_a_helper(setup, state, out):
    rules.scores(setup, state, out)
    helper(out, out.size)


def test_the_line_is_that_of_a_function_that_is_called() -> None:
    line = helper.python.__code__.co_firstlineno + 2
    with pytest.raises(InvalidInput, match=rf"^evaluate .*, line {line}, in helper: "):
        search.AlphaBetaSearch(nim_game.position(), evaluate=calls_a_helper)


@pytest.mark.parametrize("body", [BODIES[0], LATE, HALF_A_STATE])
@pytest.mark.parametrize("make", [flood, amazons, penguins])
def test_an_evaluation_of_a_game_of_the_package(make, body) -> None:
    refused(search.AlphaBetaSearch, make.position(4, seed=1), "evaluate", evaluation(body))


MOVE_TOO_MUCH = (
    "setup, state, out",
    "count = rules.legal_moves(setup, state, out)\n"
    "out[out.size - 1 + (state[PLY] > 1)] = out[0]  # fault\n"
    "return count",
)
PROVEN = ("setup, state, out", "out[2] += 1.0  # fault\nreturn False")
BOUNDS = ("setup, state, low, high", "high[low.size] = 0.0  # fault\nreturn False")
LEAF = "setup, state, rng, out"
PRIORS = "setup, state, moves, out"
OF_SEARCHES = [
    (search.AlphaBetaSearch, "candidates", *MOVE_TOO_MUCH),
    (search.AlphaBetaSearch, "proven_scores", *PROVEN),
    (search.AlphaBetaSearch, "score_bounds_at", *BOUNDS),
    (search.MonteCarloSearch, "candidates", *MOVE_TOO_MUCH),
    (search.MonteCarloSearch, "proven_scores", *PROVEN),
    (
        *(search.MonteCarloSearch, "playout", LEAF),
        "rules.playout(setup, state, rng, out)\nout[3] -= 1.0  # fault",
    ),
    (
        *(search.MonteCarloSearch, "leaf_value", LEAF),
        "rules.scores(setup, state, out)\nrng[rng.size] += np.uint64(1)  # fault",
    ),
    (
        *(search.MonteCarloSearch, "leaf_value", LEAF),
        "for _ in range(100):\n"
        "    rules.play(setup, state, rules.sample_move(setup, state, rng))  # fault\n"
        "rules.scores(setup, state, out)",
    ),
    (
        *(search.MonteCarloSearch, "leaf_value", LEAF),
        "rules.play(setup, state, 1_000_000)  # fault\nrules.scores(setup, state, out)",
    ),
    (
        *(search.MonteCarloSearch, "priors", PRIORS),
        "for place in range(moves.size + 1):\n    out[place] = 1.0 / moves.size  # fault",
    ),
    (
        *(search.MonteCarloSearch, "priors", PRIORS),
        "for place in range(moves.size):\n"
        "    out[place] = 1.0 / moves.size + 0.0 * moves[place + 1]  # fault",
    ),
    (search.ProofSearch, "candidates", *MOVE_TOO_MUCH),
    (search.ProofSearch, "proven_scores", *PROVEN),
    (search.ProofSearch, "score_bounds_at", *BOUNDS),
    (
        *(search.ProofSearch, "proof_numbers", "setup, state, out"),
        "out[0] = out[1] = 1.0\nout[out.size] += 1.0  # fault",
    ),
]


@pytest.mark.parametrize(("make", "name", "parameters", "body"), OF_SEARCHES)
def test_each_function_of_each_search(make, name, parameters, body) -> None:
    refused(make, flood.position(4, seed=1), name, written(name, parameters, body, globals()))


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
