"""What is wrong with an evaluator or a search is said in one sentence that names what is wanted."""

import numpy as np
import pytest

import ludograph
from ludograph.errors import InvalidInput
from ludograph.search import BatchedSearch, Gumbel

pytestmark = pytest.mark.slow

START = ludograph.make("hex", board=3, pie=False)
ACTIONS = 26
WANTED = r"^evaluate .*\(logits, values\).* \(2, 26\) .*\(2,\).* "


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
    ("evaluate", "named"),
    [
        (lambda _: 1 / 0, WANTED + "ZeroDivisionError: division by zero"),
        (lambda _: None, WANTED + "None$"),
        (answering(np.zeros((2, 5))), WANTED + r"logits .*\(2, 5\)$"),
        (answering(values=np.zeros((2, 1))), WANTED + r"values .*\(2, 1\)$"),
        (answering(values=np.zeros(3)), WANTED + r"values .*\(3,\)$"),
        (answering(np.full((2, ACTIONS), "a")), WANTED + "logits .*<U1$"),
        (answering(values=[1j, 0]), WANTED + "values .*complex128$"),
        (
            answering(with_one(np.nan)),
            r"^logits .* nan for action .* of game 1\b",
        ),
        (
            answering(with_one(np.inf)),
            r"^logits .* inf for action .* of game 1\b",
        ),
        (answering(np.full((2, ACTIONS), -np.inf)), r"^logits .* game 0\b"),
        (answering(values=[0, 1.5]), r"^values .* 1\.5 for game 1\b"),
        (answering(values=[np.nan, 0]), r"^values .* nan for game 0\b"),
    ],
)
def test_an_evaluator(evaluate, named) -> None:
    with pytest.raises(InvalidInput, match=named):
        BatchedSearch(evaluate, simulations=3).search([START] * 2)


@pytest.mark.parametrize("number", [-0.1, np.nan, np.inf])
def test_a_probability(number) -> None:
    search = BatchedSearch(answering(with_one(number)), policy_is="probabilities")
    with pytest.raises(InvalidInput, match=rf"^probabilities .* {number:.1}"):
        search.search([START] * 2)


def test_probabilities_that_are_all_zero() -> None:
    search = BatchedSearch(answering(), policy_is="probabilities")
    with pytest.raises(InvalidInput, match=r"\bgame 0\b"):
        search.search([START] * 2)


def test_what_is_not_legal_does_not_count() -> None:
    policy = np.full((2, ACTIONS), np.nan)
    policy[:, START.legal_moves()] = 0.0
    assert BatchedSearch(answering(policy), simulations=3).search([START] * 2).visits.sum() == 6


def test_an_array_that_numpy_cannot_read() -> None:
    class Tensor:
        def __array__(self, dtype=None, copy=None):
            raise RuntimeError("call detach() first")

    with pytest.raises(InvalidInput, match=r"\bvalues: RuntimeError: call detach"):
        BatchedSearch(answering(values=Tensor())).search([START] * 2)


@pytest.mark.usefixtures("plain_in_make_test")
def test_three_seats_need_a_value_each() -> None:
    position = ludograph.make("flood", board=3, seats=3)
    search = BatchedSearch(lambda seen: (np.zeros(seen["action_mask"].shape), np.zeros(2)))
    with pytest.raises(InvalidInput, match=r"\(2, 3\), .*\bvalues\b.*\(2,\)"):
        search.search([position] * 2)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"simulations": 0}, r"^simulations .* 0$"),
        ({"policy_is": "odds"}, r"^policy_is .*\blogits or probabilities\b.* 'odds'$"),
        ({"selection": "uct"}, r"^selection .*\bGumbel\b.* 'uct'$"),
    ],
)
def test_an_option(options, named) -> None:
    with pytest.raises(InvalidInput, match=named):
        BatchedSearch(answering(), **options)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"considered": 0}, r"^considered .* 0$"),
        ({"c_scale": -1}, r"^c_scale .* -1$"),
        ({"noise": float("nan")}, r"^noise .* nan$"),
    ],
)
def test_a_selection(options, named) -> None:
    with pytest.raises(InvalidInput, match=named):
        Gumbel(**options)


@pytest.mark.parametrize(
    ("positions", "options", "named"),
    [
        ([], {}, r"^positions "),
        ([START, ludograph.make("flood", board=4)], {}, r"\bone game\b"),
        ([ludograph.make("carcassonne")], {}, r"\bposition 0: .*\bchance\b"),
        ([START], {"seeds": [1, 2]}, r"^seeds .* 1\b"),
    ],
)
def test_a_search(positions, options, named) -> None:
    with pytest.raises(InvalidInput, match=named):
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
