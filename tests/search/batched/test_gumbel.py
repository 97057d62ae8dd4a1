"""Gumbel AlphaZero: as a slow reference has it, and what the paper promises."""

import numpy as np
import pytest

import ludograph
from ludograph.rules import lockstep, random_state
from ludograph.search import BatchedSearch, Gumbel
from ludograph.search.batched.gumbel import visits_schedule
from tests.amounts import few, slow_but
from tests.reference.batched_search import schedule, search_gumbel
from tests.search.batched.evaluators import linear, uniform
from tests.search.batched.test_batched_search import GAMES, judge_with, judging, started

pytestmark = pytest.mark.usefixtures("plain_in_make_test")

START = ludograph.make("hex", board=3, pie=False)


@pytest.mark.slow
@pytest.mark.parametrize("judgement", ["uniform", "linear"])
@pytest.mark.parametrize("game", slow_but(["hex"], GAMES))
def test_a_search_is_that_of_the_reference(game, judgement) -> None:
    positions = [started(game, plies, plies, **GAMES[game]) for plies in (0, 1, 3, 4)]
    evaluate = judging(judgement, positions[0].seats)
    search = BatchedSearch(evaluate, simulations=50, selection=Gumbel(considered=6))
    found = search.search(positions, seeds=[7, 8, 9, 10])
    for row, position in enumerate(positions):
        root, best, policy = search_gumbel(
            position, lambda leaf: judge_with(evaluate, leaf), 50, 6, random_state(7 + row)
        )
        moves = position.legal_moves()
        actions = moves if search.observer.by_code else list(range(len(moves)))
        visits = [root.children[move].visits if move in root.children else 0 for move in moves]
        assert found.visits[row, actions].tolist() == visits
        for action, move in zip(actions, moves, strict=True):
            if found.visits[row, action]:
                mean = root.children[move].mean
                assert found.q[row, action] == pytest.approx(mean, abs=1e-6)
        assert found.values[row] == pytest.approx(root.value)
        assert found.moves[row] == best
        assert found.policy[row, actions] == pytest.approx(
            [policy[move] for move in moves], abs=1e-5
        )
        assert found.policy[row].sum() == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("considered", [1, 2, 3, 4, 7, 16])
@pytest.mark.parametrize("simulations", [1, 2, 16, 50, 64])
def test_simulations_are_shared_out_by_halving(considered, simulations) -> None:
    wanted = visits_schedule(considered, simulations)
    assert wanted == schedule(considered, simulations)
    assert len(wanted) == simulations
    counts = np.bincount(wanted)
    assert counts[0] == min(considered, simulations)
    assert (np.diff(counts) <= 0).all()


@pytest.mark.slow
def test_as_many_simulations_as_moves_find_the_best_of_known_values() -> None:
    """Each move is tried once, so the values are exactly those of its position."""
    moves = len(START.legal_moves())

    def evaluate(observations):
        policy, values = uniform(observations)
        stones = observations["vertices"].reshape(len(values), -1).astype(np.float64)
        return policy, np.sin(stones @ np.arange(1.0, stones.shape[1] + 1))

    search = BatchedSearch(evaluate, simulations=moves, selection=Gumbel(considered=moves, noise=0))
    found = search.search([START, START], seeds=[1, 2])
    legal = START.legal_moves()
    assert (found.visits[:, legal] == 1).all()
    assert (found.actions == np.nanargmax(found.q, axis=1)).all()
    assert (found.policy.argmax(axis=1) == found.actions).all()


@pytest.mark.slow
def test_noise_draws_moves_by_the_policy_of_an_evaluator_that_finds_all_positions_even() -> None:
    """Then the move with the greatest logit and Gumbel number is a draw from the softmax."""
    logits = np.zeros(26)
    logits[START.legal_moves()] = np.linspace(-1.5, 1.5, 9)

    def evaluate(observations):
        policy, values = uniform(observations)
        return policy + logits, values

    search = BatchedSearch(evaluate, simulations=4, selection=Gumbel(considered=4))
    games = few(2000, 4000)
    found = search.search([START] * games)
    shares = np.bincount(found.actions, minlength=26)[START.legal_moves()] / games
    expected = np.exp(logits[START.legal_moves()])
    assert shares == pytest.approx(expected / expected.sum(), abs=0.03)
    assert found.policy[:, START.legal_moves()].mean(axis=0) == pytest.approx(
        expected / expected.sum(), abs=1e-4
    )


def test_a_win_in_one_is_found() -> None:
    position = START.copy()
    for move in ("a1", "b1", "a2", "b2"):
        position.play(move)
    selection = Gumbel(considered=5, noise=0)
    found = BatchedSearch(uniform, simulations=20, selection=selection).search([position])
    assert position.text(int(found.moves[0])) == "a3"
    assert found.policy[0].max() > 0.9
    assert np.nanmax(found.q[0]) == 1.0


def test_a_move_that_is_impossible_for_the_evaluator_is_not_played() -> None:
    legal = START.legal_moves()

    def evaluate(observations):
        policy, values = uniform(observations)
        policy[:, legal[3:]] = -np.inf
        return policy, values

    found = BatchedSearch(evaluate, simulations=9).search([START] * 50)
    assert set(found.actions.tolist()) <= set(legal[:3])
    assert (found.policy[:, legal[3:]] == 0).all()


@pytest.mark.slow
def test_a_game_does_not_depend_on_its_neighbours_nor_on_threads(monkeypatch) -> None:
    monkeypatch.setattr(lockstep, "LEAST_ROWS", 8)
    positions = [started("hex", plies % 4, plies, board=3) for plies in range(40)]
    options = {"simulations": 20}
    together = BatchedSearch(linear(2), **options).search(positions, seeds=range(40))
    threads = BatchedSearch(linear(2), threads=3, **options).search(positions, seeds=range(40))
    alone = BatchedSearch(linear(2), **options)
    for name in vars(together):
        np.testing.assert_array_equal(getattr(together, name), getattr(threads, name))
    for row in range(0, 40, 7):
        found = alone.search([positions[row]], seeds=[row])
        for name in vars(together):
            np.testing.assert_array_equal(getattr(together, name)[row], getattr(found, name)[0])
