"""A background solver: what it proves is true, counts at once, and takes its share only."""

from __future__ import annotations

import types

import numpy as np
import pytest

from ludograph.rules import OVER, TURN
from ludograph.search import pacing
from ludograph.search.mcts import MonteCarlo, SearchOptions, background_solver
from tests.search import brute_force
from tests.search.mcts.known import known
from tests.search.mcts.test_threads import check_bounds
from tests.toys.nim import nim

pytestmark = pytest.mark.usefixtures("interpreted")

WON, LOST = nim([6, 3, 2]), nim([3, 2, 1])


class Plodder:
    """Knows after so many nodes who wins, and before only which moves do not lose."""

    simulations_per_node = 2.0

    def __init__(self, setup, takes=4, *, first_ply=0, distance=1):
        self.setup, self.takes, self.first_ply = setup, takes, first_ply
        self.distance = distance
        self.total = self.nodes = 0

    def is_hopeful(self, state):
        return state[1] >= self.first_ply

    def ask(self, state):
        assert state[TURN] != OVER
        self.state, self.nodes = np.array(state), 0

    def advance(self, nodes):
        done = min(nodes, self.takes - self.nodes)
        self.nodes += done
        self.total += done
        return self.nodes >= self.takes

    def answer(self, scores, moves):
        seat = int(self.state[TURN])
        won = brute_force.value(self.setup, self.state, seat) > 0
        if settled := self.nodes >= self.takes:
            scores[seat], scores[1 - seat] = float(won), float(not won)
        listed = brute_force.moves_of(self.setup, self.state)
        if won and not settled:
            listed = [move for move in listed if keeps_the_win(self.setup, self.state, move)]
        moves[: len(listed)] = listed
        return settled, len(listed)

    @property
    def effort(self):
        return self.nodes


def keeps_the_win(setup, state, move):
    seat = int(state[TURN])
    return brute_force.value(setup, brute_force.after(setup, state, move), seat) > 0


def searcher(setup, solver, **options):
    return MonteCarlo(setup, SearchOptions(expand_threshold=1, **options), known(solver=solver))


def test_a_won_root_is_played_by_a_move_that_wins():
    state = brute_force.fresh(WON)
    result = searcher(WON, Plodder(WON)).search(state, sims=400)
    assert result.proven
    assert result.simulations < 400
    place = result.moves.tolist().index(result.move)
    assert result.low[place] == result.high[place] == 1.0
    assert keeps_the_win(WON, state, result.move)


def test_a_lost_root_is_told_and_played_on():
    state = brute_force.fresh(LOST)
    solver = Plodder(LOST, 2)
    search = searcher(LOST, solver)
    result = search.search(state, sims=100)
    assert result.proven
    assert search.is_lost
    assert result.low.max() == result.high.max() == 0.0
    assert (
        result.simulations == 1 + 99 // pacing.ROUNDS
    )  # those of the round in which it was proven
    assert result.visits.max() > 1
    assert solver.total > 2


class Uneven(Plodder):
    """Takes the more nodes the more objects are left: 1 of a root, of others thrice as many."""

    def ask(self, state):
        super().ask(state)
        self.takes = 1 if state[1] == 0 else 3 * int(sum(state[-3:]))


def test_in_a_lost_root_the_move_is_played_that_is_hardest_to_refute():
    state = brute_force.fresh(LOST)
    result = searcher(LOST, Uneven(LOST)).search(state, sims=4000)
    left = [brute_force.after(LOST, state, move) for move in result.moves.tolist()]
    most = max(sum(after[-3:]) for after in left)
    assert sum(brute_force.after(LOST, state, result.move)[-3:]) == most
    assert result.proven
    assert result.low.max() == 0.0
    assert result.refutation >= 3 * most


def test_a_move_of_a_lost_root_is_hardest_by_nodes_spent_where_no_proof_ends():
    state = brute_force.fresh(LOST)
    solver = Uneven(LOST)
    search = searcher(LOST, solver)
    result = search.search(state, sims=20)
    assert result.proven
    assert result.move in result.moves.tolist()
    assert 0 <= result.refutation <= solver.total


@pytest.mark.slow
def test_of_an_open_root_the_moves_that_can_be_best_are_left():
    state = brute_force.fresh(WON)
    result = searcher(WON, Plodder(WON, 10**9)).search(state, sims=200)
    tried = result.moves[result.visits > 0].tolist()
    assert tried
    assert all(keeps_the_win(WON, state, move) for move in tried)
    assert (result.low.max(), result.proven) in [(0.0, False), (1.0, True)]


def test_what_is_proven_below_the_root_is_drawn_upward(monkeypatch):
    """Asked about later positions only, the solver settles the root with the simulations."""
    monkeypatch.setattr(background_solver, "LEAST_VISITS", 5)
    for setup in (WON, LOST, nim([3, 2])):
        search = searcher(setup, Plodder(setup, 2, first_ply=1))
        result = search.search(brute_force.fresh(setup), sims=600)
        assert check_bounds(setup, search.trees[0]) > 0
        if setup is not LOST:
            assert result.proven
            assert keeps_the_win(setup, brute_force.fresh(setup), result.move)


@pytest.mark.slow
@pytest.mark.parametrize("takes", [2, 6, 10**9])
def test_all_bounds_hold_with_threads(monkeypatch, takes):
    monkeypatch.setattr(background_solver, "LEAST_VISITS", 5)
    for setup in (WON, LOST):
        state = brute_force.fresh(setup)
        search = searcher(setup, Plodder(setup, takes), threads=3)
        result = search.search(state, sims=300)
        check_bounds(setup, search.trees[0])
        won = brute_force.value(setup, state, 0) > 0
        assert result.low.max() <= won
        assert not result.proven or result.low.max() == won
        assert not won or keeps_the_win(setup, state, result.move) or not result.proven


def test_the_same_simulations_find_the_same():
    def found(takes):
        search = searcher(WON, Plodder(WON, takes, first_ply=1), seed=3)
        result = search.search(brute_force.fresh(WON), sims=150)
        return result.move, result.visits.tolist(), search.background.nodes

    assert found(50) == found(50)


@pytest.mark.slow
def test_simulations_grant_nodes():
    solver = Plodder(WON, 10**9)
    result = searcher(WON, solver).search(brute_force.fresh(WON), sims=121)
    if not result.proven:
        assert result.simulations == 121
    share = background_solver.SHARE
    assert 0 < solver.total <= 120 * share / (1.0 - share) / solver.simulations_per_node


def test_what_is_far_from_an_answer_gets_a_step_only():
    solver = Plodder(WON, 10**9, distance=background_solver.FAR + 1, first_ply=0)
    searcher(WON, solver).search(brute_force.fresh(WON), sims=500)
    assert solver.total == background_solver.STEP


class Asked(Plodder):
    """Never has an answer, and keeps which plies it was asked about."""

    def __init__(self, setup, *, distance):
        super().__init__(setup, 10**9, distance=distance)
        self.plies = []

    def advance(self, nodes):
        self.plies += [int(self.state[1])] * nodes
        return super().advance(nodes)

    def answer(self, scores, moves):
        return False, 0


@pytest.mark.slow
@pytest.mark.parametrize("distance", [background_solver.NEAR, background_solver.FAR])
def test_at_the_end_the_position_after_the_chosen_move_is_asked(monkeypatch, distance):
    monkeypatch.setattr(background_solver, "LEAST_VISITS", 5)
    setup = nim([9, 8, 7, 6])
    solver = Asked(setup, distance=distance)
    searcher(setup, solver).search(brute_force.fresh(setup), sims=800)
    assert set(solver.plies) == {0, 1}
    assert solver.plies == sorted(solver.plies)
    assert solver.plies.count(1) < solver.plies.count(0)


class Accuser(Plodder):
    """Knows at once of a position after the first move who wins, and of the root nothing."""

    def advance(self, nodes):
        self.takes = 1 if self.state[1] == 1 else 10**9
        return super().advance(nodes)

    def answer(self, scores, moves):
        settled, count = super().answer(scores, moves)
        return settled, count if settled else 0


@pytest.mark.slow
def test_a_move_that_the_solver_refutes_is_not_played(monkeypatch):
    monkeypatch.setattr(background_solver, "LEAST_VISITS", 1)
    for seed in range(5):
        search = searcher(WON, Accuser(WON), seed=seed)
        result = search.search(brute_force.fresh(WON), sims=100)
        assert keeps_the_win(WON, brute_force.fresh(WON), result.move)


@pytest.mark.parametrize("setup", [WON, LOST])
def test_what_was_proven_is_asked_again_however_far_it_seems(setup):
    """So a proven value stays proven one ply later."""
    state = brute_force.fresh(setup)
    solver = Plodder(setup, 4)
    search = searcher(setup, solver)
    first = search.search(state, sims=200)
    assert first.proven
    search.last = None  # nothing is left of the tree
    solver.distance = background_solver.FAR + 1
    after = brute_force.after(setup, state, first.move)
    second = search.search(after, sims=200)
    assert second.proven
    assert second.low.max() == 1.0 - first.low.max()


def test_where_there_is_no_hope_nothing_changes():
    state = brute_force.fresh(WON)
    plain = MonteCarlo(WON, SearchOptions(expand_threshold=1)).search(state, sims=100)
    solver = Plodder(WON, first_ply=100)
    other = searcher(WON, solver).search(state, sims=100)
    assert solver.total == 0
    assert other.visits.tolist() == plain.visits.tolist()
    assert other.move == plain.move


class Clock:
    """A clock that runs by what is done: a node takes 4 ms, a simulation 0.2 ms."""

    search, solver, looks = None, None, 0

    def perf_counter(self):
        self.looks += 1
        done = 0 if self.search is None else int(self.search.trees[0].progress.simulations)
        return 1e-6 * self.looks + 4e-3 * self.solver.total + 2e-4 * done


def test_the_clock_is_kept_and_the_share(monkeypatch):
    setup = nim([9, 8, 7, 6])
    solver, clock = Plodder(setup, 10**9), Clock()
    solver.answer = lambda scores, moves: (False, 0)
    clock.solver = solver
    monkeypatch.setattr(pacing, "time", types.SimpleNamespace(perf_counter=clock.perf_counter))
    clock.search = searcher(setup, solver)
    step = 4e-3 * background_solver.STEP
    for seconds in (0.1, 0.05, 0.002):
        began, before = clock.perf_counter(), solver.total
        result = clock.search.search(brute_force.fresh(setup), time=seconds)
        assert clock.perf_counter() - began <= seconds + step + 2e-3
        assert 4e-3 * (solver.total - before) <= seconds * background_solver.SHARE + step
        if seconds > background_solver.LEAST_ROUND and not result.proven:
            assert solver.total > before
    assert 4e-3 * solver.total <= (0.1 + 0.05) * background_solver.SHARE + 2 * step
