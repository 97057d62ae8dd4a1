"""What is wrong with an evaluator or a search is said in one sentence that names what is wanted."""

import numpy as np
import pytest

import ludograph
from ludograph.errors import InvalidInput
from ludograph.search import BatchedSearch, Gumbel, Puct

pytestmark = pytest.mark.slow

START = ludograph.make("hex", board=3, pie=False)
ACTIONS = 26
WANTED = r"evaluate must return \(logits, values\), arrays of shape \(2, 26\) and \(2,\)"


def answering(policy=None, values=None):
    """Return an evaluator with a wrong answer."""
    policy = np.zeros((2, ACTIONS)) if policy is None else policy
    values = np.zeros(2) if values is None else values
    return lambda _: (policy, values)


def with_one(number):
    """Return a policy in which the last legal action of the second game has a number."""
    policy = np.full((2, ACTIONS), 0.5)
    policy[1, START.legal_moves()[-1]] = number
    return policy


@pytest.mark.parametrize(
    ("evaluate", "sentence"),
    [
        (lambda _: 1 / 0, WANTED + ", but it raised ZeroDivisionError: division by zero"),
        (lambda _: None, WANTED + ", got None"),
        (answering(np.zeros((2, 5))), WANTED + r", got logits of shape \(2, 5\)"),
        (answering(values=np.zeros((2, 1))), WANTED + r", got values of shape \(2, 1\)"),
        (answering(values=np.zeros(3)), WANTED + r", got values of shape \(3,\)"),
        (answering(np.full((2, ACTIONS), "a")), WANTED + ", got logits of type <U1"),
        (answering(values=[1j, 0]), WANTED + ", got values of type complex128"),
        (
            answering(with_one(np.nan)),
            "not all -inf; evaluate returned nan for action .* of game 1",
        ),
        (
            answering(with_one(np.inf)),
            "not all -inf; evaluate returned inf for action .* of game 1",
        ),
        (answering(np.full((2, ACTIONS), -np.inf)), "nothing else for game 0 of the batch"),
        (answering(values=[0, 1.5]), "from -1, lost, to 1, won; evaluate returned 1.5 for game 1"),
        (answering(values=[np.nan, 0]), "evaluate returned nan for game 0"),
    ],
)
def test_an_evaluator(evaluate, sentence) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        BatchedSearch(evaluate, simulations=3).search([START] * 2)


@pytest.mark.parametrize("number", [-0.1, np.nan, np.inf])
def test_a_probability(number) -> None:
    search = BatchedSearch(answering(with_one(number)), policy_is="probabilities")
    with pytest.raises(InvalidInput, match=f"from 0 on, not all 0; evaluate returned {number:.1}"):
        search.search([START] * 2)


def test_probabilities_that_are_all_zero() -> None:
    search = BatchedSearch(answering(), policy_is="probabilities")
    with pytest.raises(InvalidInput, match="nothing else for game 0"):
        search.search([START] * 2)


def test_what_is_not_legal_does_not_count() -> None:
    policy = np.full((2, ACTIONS), np.nan)
    policy[:, START.legal_moves()] = 0.0
    assert BatchedSearch(answering(policy), simulations=3).search([START] * 2).visits.sum() == 6


def test_an_array_that_numpy_cannot_read() -> None:
    class Tensor:
        def __array__(self, dtype=None, copy=None):
            raise RuntimeError("call detach() first")

    with pytest.raises(InvalidInput, match="cannot read its values: RuntimeError: call detach"):
        BatchedSearch(answering(values=Tensor())).search([START] * 2)


@pytest.mark.usefixtures("plain_in_make_test")
def test_three_seats_need_a_value_each() -> None:
    position = ludograph.make("flood", board=3, seats=3)
    search = BatchedSearch(lambda seen: (np.zeros(seen["action_mask"].shape), np.zeros(2)))
    with pytest.raises(InvalidInput, match=r"and \(2, 3\), got values of shape \(2,\)"):
        search.search([position] * 2)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"simulations": 0}, "simulations must be a whole number from 1 on, got 0"),
        ({"policy_is": "odds"}, "policy_is must be logits or probabilities, got 'odds'"),
        ({"selection": "uct"}, "selection must be puct, gumbel, a Puct or a Gumbel, got 'uct'"),
    ],
)
def test_an_option(options, sentence) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        BatchedSearch(answering(), **options)


@pytest.mark.parametrize(
    ("selection", "options", "sentence"),
    [
        (Puct, {"noise": 2}, "noise must be a number from 0 to 1, got 2"),
        (Puct, {"c": float("nan")}, "c must be a number"),
        (Puct, {"alpha": 0}, "alpha must be a number from 0.001"),
        (Gumbel, {"considered": 0}, "considered must be a whole number from 1 on, got 0"),
        (Gumbel, {"c_scale": -1}, "c_scale must be a number from 0"),
    ],
)
def test_a_selection(selection, options, sentence) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        selection(**options)


def test_gumbel_has_no_temperature() -> None:
    with pytest.raises(InvalidInput, match="temperature is a parameter of puct"):
        BatchedSearch(answering(), selection="gumbel").search([START] * 2, temperature=1.0)


@pytest.mark.parametrize(
    ("positions", "options", "sentence"),
    [
        ([], {}, "positions must be a list of one position or more"),
        ([START, ludograph.make("hex", board=4)], {}, "not of one game with observations of one"),
        ([ludograph.make("carcassonne")], {}, "no seat is to move in position 0: chance moves"),
        ([START], {"seeds": [1, 2]}, "seeds must be 1 whole numbers"),
        ([START], {"temperature": -1}, "temperature must be a number from 0 on"),
        ([START] * 2, {"temperature": [1, 1, 1]}, "or 2 of them, one for each position"),
    ],
)
def test_a_search(positions, options, sentence) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        BatchedSearch(answering()).search(positions, **options)


def test_a_search_goes_on_after_a_failure() -> None:
    fails = [True]

    def evaluate(observations):
        if fails.pop():
            raise ValueError("once")
        fails.append(False)
        return answering()(observations)

    search = BatchedSearch(evaluate, simulations=4)
    with pytest.raises(InvalidInput, match="once"):
        search.search([START] * 2)
    fails.append(False)
    assert search.search([START] * 2).visits.sum() == 8
