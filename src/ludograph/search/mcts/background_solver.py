"""A solver in the background: it and the simulations take turns, and guide each other.

The simulations choose the positions: the root, and the first positions of the most visited line.
The proof numbers after a few nodes of a proof show how far it is from its end. If it is near, the
solver gets a share of the time. Its proofs are backed up through the tree as the ends of games are
(:mod:`ludograph.search.mcts.proofs`); in positions that stay open it removes the moves that cannot
be best. A proof of the root ends the search. If the root is lost, the solver chooses the move that
takes the longest to refute.
"""

from __future__ import annotations

import math

import numpy as np

from ludograph import rules
from ludograph.rules import OVER, TURN, Setup, State, compiled
from ludograph.rules.answers import fresh_state, play_at
from ludograph.rules.atomic import store
from ludograph.search.hints import candidates
from ludograph.search.mcts.hints import StepwiseSolver
from ludograph.search.mcts.leaf_evaluation import to_rewards
from ludograph.search.mcts.probes import restrict_to
from ludograph.search.mcts.proofs import (
    back_up_proof,
    close,
    is_excluded,
    is_lost,
    is_root_decided,
)
from ludograph.search.mcts.tree import ROOT, SETTLED, Tree
from ludograph.search.pacing import ROUNDS, is_over, now

SHARE = 0.75
"""The share of the time for questions that are near an answer."""

LEAST_SECONDS, LEAST_ROUND = 0.002, 0.005
"""If time is the limit, the solver takes a turn when its credit reaches the first amount, in rounds
of at least the second one, which can afford one step too many."""

STEP = 2
"""The solver reads the clock and the distance of the answer after this number of nodes."""

NEAR, FAR = 24, 96
"""A question up to the first distance from its answer gets the whole share, a farther one less, and
one beyond the second distance nothing. Each turn reads the distance again."""

TRIES = 4
"""The number of passes over the moves of a won root: with one node each, then with four ..."""

RECALLED = 64
"""Nodes given at once if simulations are the limit and the last search ended with a proof, which
the next search must not lose."""

RESISTING = 0.25
"""The part of a search's limit that the choice of a move at a lost root may use."""

LEAST_VISITS, DEEPEST = 1000, 3
"""A position below the root becomes a question with at least these visits, at most at this
depth."""


class BackgroundSolver:
    """A solver that works in the background of a search.

    If simulations are the limit, its clock counts those in the time of its nodes, else seconds.

    Attributes
    ----------
    step
        The time of a step if simulations are the limit; else 0, as only the clock knows it.
    limit, deadline
        The limit of the search, and its latest end, if any.
    credit
        The time that the solver may use.
    turn
        The number of the solver's turns in this search.
    parts
        The part of the share that each position gets, by its distance from an answer.
    was_proven
        Whether the last search ended with a proof: then the root is a question at any distance.
    asked
        The solver's present position.
    best, reward
        A move that is proven to be best for the seat to move at the root, and its reward; or None.
    refutation
        If the root is lost: the nodes of the proof that refutes ``best``, the most of all moves, or
        those of its unfinished proof. 0 if the root is not lost.
    nodes
        The nodes of all questions.
    """

    def __init__(self, setup: Setup, solver: StepwiseSolver) -> None:
        self.setup, self.solver = setup, solver
        self.step, self.limit = 0.0, math.inf
        self.deadline: float | None = None
        self.credit = 0.0
        self.turn = 0
        self.parts: dict[bytes, float] = {}
        self.was_proven = False
        self.asked: bytes | None = None
        self.best: int | None = None
        self.reward = 0.0
        self.refutation = 0
        self.nodes = 0
        self.codes = np.zeros(rules.info(setup).move_capacity, np.int32)

    def prepare(self, tree: Tree) -> None:
        """Load all kernels of a turn, with a tree of only a root, before any clock runs."""
        state = fresh_state(self.setup)
        candidates(self.setup, state, self.codes)
        self.solver.ask(state)
        self.solver.advance(0)
        rules.scores(self.setup, state, tree.scores)
        reward_of(tree, 0)
        tree.path[0] = ROOT
        record_answer(tree, 0, False, 0)

    def begin(self, deadline: float | None, time: float | None, sims: int | None) -> None:
        """Begin a search with these limits: forget the last one's questions, but no proofs."""
        step = 0.0 if sims is None else STEP * self.solver.simulations_per_node
        if self.step != step:
            self.step, self.credit = step, 0.0
        limit = time if sims is None else sims
        self.limit = math.inf if limit is None else limit
        self.deadline = deadline
        self.best = None
        self.refutation = 0
        self.asked = None
        self.turn = 0
        self.parts.clear()

    def clock(self) -> float:
        """Return the reading of the solver's clock."""
        return self.nodes * self.solver.simulations_per_node if self.step else now()

    def is_over(self, end: float) -> bool:
        """Tell whether a time on the solver's clock is over, or, by simulations, too short."""
        return self.clock() + self.step > end or is_over(self.deadline)

    def work(self, tree: Tree, root: State, end: float | None, sims: int | None) -> bool:
        """Take a turn if there is enough time for one; return whether the root is decided.

        Parameters
        ----------
        end, sims
            The limits of the round that begins.
        """
        if tree.progress.is_lost:
            return False
        self.turn += 1
        began, latest = self.clock(), math.inf
        recalls = self.was_proven and not self.parts
        if sims is not None:
            self.credit += sims * SHARE / (1.0 - SHARE)
            if recalls:
                self.credit = max(self.credit, RECALLED * self.solver.simulations_per_node)
        elif end is not None:
            latest = end
            self.credit += (end - began) * (1.0 if recalls else SHARE)
            if not recalls and (self.credit < LEAST_SECONDS or end - began < LEAST_ROUND):
                return False
        turn_end = min(began + self.credit, latest)
        if self.is_over(turn_end):
            return False
        self.ask_questions(tree, root, turn_end, latest)
        # Unused time goes to the simulations; the next turn has less by the time that was too much.
        self.credit = min(self.credit - (self.clock() - began), 0.0)
        return self.best is not None or is_root_decided(tree)

    def ask_questions(self, tree: Tree, root: State, end: float, latest: float) -> None:
        """Work on questions until the turn is over, or all are far from an answer.

        The search for the winning move of a proven root may take until ``latest``.
        """
        while not self.is_over(end):
            found = self.question(tree, root)
            if found is None:
                return
            depth, state = found
            known = self.proceed(state, end, is_near=depth == 0 and self.was_proven)
            if known and depth == 0:
                self.settle_root(tree, root, latest)
                return
            self.record_finding(tree, depth, state)
            if is_root_decided(tree) or not (known or self.is_far(state)):
                return

    def question(self, tree: Tree, root: State) -> tuple[int, State] | None:
        """Return the next question, as its depth on the most visited line and its position.

        It is the first position that is not known to be far from an answer. The last turn skips the
        root and checks the move that would be played. The line is left in ``tree.path``; None if
        there is no such position.
        """
        index, depth, state = ROOT, 0, np.array(root)
        shallowest = 1 if self.turn >= ROUNDS else 0
        while tree.nodes[index].children > 0 and tree.nodes[index].seat >= 0:
            tree.path[depth] = index
            is_asked = depth >= shallowest and not self.is_far(state)
            if is_asked and self.solver.is_hopeful(state):
                return depth, state
            index = most_visited(tree, index)
            if index < 0 or depth == DEEPEST or tree.visits[index] < LEAST_VISITS:
                return None
            play_at(self.setup, state, int(tree.move[index]))
            depth += 1
        return None

    def is_far(self, state: State) -> bool:
        """Tell whether a position is known to be far from an answer."""
        return self.parts.get(state.tobytes(), 1.0) == 0.0

    def proceed(self, state: State, end: float, *, is_near: bool) -> bool:
        """Work on a question for its part of the time; tell whether it is answered.

        The part is the whole if the question is known to be near an answer.
        """
        key = state.tobytes()
        if key != self.asked:
            self.solver.ask(state)
            self.asked = key
        known = False
        if key not in self.parts:
            known = self.advance(end, STEP)
            self.parts[key] = 1.0 if is_near else part_at(self.solver.distance)
        if not (known or self.is_far(state)):
            began = self.clock()
            known = self.advance(began + (end - began) * self.parts[key])
            self.parts[key] = 1.0 if is_near else part_at(self.solver.distance)
        if known:
            self.asked = None
        return known

    def advance(self, end: float, nodes: float = math.inf) -> bool:
        """Let the solver go on, by a step at least; return whether it has an answer."""
        known, done = False, 0
        while not known and done < nodes and not (done and self.is_over(end)):
            before = self.solver.nodes
            known = self.solver.advance(int(min(STEP, nodes - done)))
            done += self.solver.nodes - before
            self.nodes += self.solver.nodes - before
        return known

    def settle_root(self, tree: Tree, root: State, end: float) -> None:
        """Note the winning move of a proven root, or go on without the solver if the root is lost.

        Then the moves are left that can still be answered wrongly.
        """
        count = self.solver.answer(tree.scores, tree.codes)[1]
        seat = int(root[TURN])
        reward = reward_of(tree, seat)
        if reward <= tree.proofs[0, seat].low:
            tree.progress.is_lost = 1
            record_answer(tree, 0, False, count)
            return
        moves = tree.codes[:count].tolist()
        self.best = moves[0] if count == 1 else self.sure_move(tree, root, reward, moves, end)
        self.reward = reward

    def sure_move(
        self, tree: Tree, root: State, reward: float, moves: list[int], end: float
    ) -> int | None:
        """Return the first of some moves that is proven to bring a reward.

        The proof of the root has found most of its positions already. None if the time is over
        before.
        """
        order = {move: place for place, move in enumerate(moves_left(tree, ROOT))}
        moves.sort(key=lambda move: order.get(move, len(order)))
        self.asked = None
        for tried in range(TRIES):
            for move in moves:
                known, _ = self.look_ahead(tree, root, move, end, 4**tried)
                if known and reward_of(tree, int(root[TURN])) >= reward:
                    return move
                if self.is_over(end):
                    return None
        return None

    def finish(self, tree: Tree, root: State) -> None:
        """Note whether the root is proven; if it is lost, choose the move hardest to refute.

        The candidates are the moves that the search has left, which a proof must answer. Each gets
        one node at first, then four, and so on. Of moves that are never refuted, or need equally
        many nodes, the most visited one is chosen. A stored proof counts with the nodes that it
        first took.
        """
        self.was_proven = self.best is not None or is_lost(tree) or is_root_decided(tree)
        if not is_lost(tree):
            return
        end = self.clock() + max(self.limit * RESISTING, self.step)
        efforts = dict.fromkeys(moves_left(tree, ROOT), 0)
        unrefuted = list(efforts)
        granted = 1
        self.asked = None
        while len(unrefuted) > 1 and not self.is_over(end):
            for move in tuple(unrefuted):
                if self.is_over(end):
                    break
                known, effort = self.look_ahead(tree, root, move, end, granted)
                efforts[move] = max(efforts[move], effort)
                if known:
                    unrefuted.remove(move)
            granted *= 4
        self.best = max(efforts, key=lambda move: efforts[move], default=None)
        self.reward = float(tree.proofs[0, int(root[TURN])].low)
        self.refutation = max(efforts.values(), default=0)

    def look_ahead(
        self, tree: Tree, root: State, move: int, end: float, nodes: int
    ) -> tuple[bool, int]:
        """Try to prove the result of a move at the root, and write its scores.

        Tell whether it is proven, and the nodes of the proof.
        """
        after = np.array(root)
        play_at(self.setup, after, move)
        if after[TURN] == OVER:
            rules.scores(self.setup, after, tree.scores)
            return True, 0
        self.solver.ask(after)
        known = self.advance(end, nodes)
        if known:
            self.solver.answer(tree.scores, tree.codes)
        return known, self.solver.effort if known else self.solver.nodes

    def record_finding(self, tree: Tree, depth: int, state: State) -> None:
        """Store in the tree what is proven of a node on ``tree.path``, or which moves are left.

        A move that the tree does not consider may be left instead of an equally good one: then the
        tree keeps all moves.
        """
        settled, count = self.solver.answer(tree.scores, tree.codes)
        if not settled:
            listed = self.codes[: candidates(self.setup, state, self.codes)]
            if not np.isin(tree.codes[:count], listed).all():
                return
        record_answer(tree, depth, settled, count)


@compiled
def record_answer(
    tree: Tree,
    depth: int,
    settled: bool,
    count: int,
) -> None:
    """Close a node on the path, or restrict it to some moves; back the result up.

    The tree's scratch arrays contain the proven scores, or the ``count`` moves that are left.
    """
    index = tree.path[depth]
    if settled:
        settings = tree.settings
        to_rewards(tree.scores, settings.margin_cap, settings.margin_weight, tree.rewards)
        close(tree, index)
        tree.progress.newly_closed = 0
        store(tree.nodes[index], "probed", SETTLED)
        back_up_proof(tree, depth)
    elif count > 0:
        restrict_to(tree, index, count)
        back_up_proof(tree, depth + 1)


def part_at(distance: int) -> float:
    """Return the part of the share that a question at this distance from its answer gets."""
    return 0.0 if distance > FAR else min(1.0, NEAR / max(distance, 1))


def reward_of(tree: Tree, seat: int) -> float:
    """Return a seat's reward for the scores in the tree's scratch array."""
    settings = tree.settings
    to_rewards(tree.scores, settings.margin_cap, settings.margin_weight, tree.rewards)
    return float(tree.rewards[seat])


def most_visited(tree: Tree, index: int) -> int:
    """Return the most visited child of a node that is not closed, or -1."""
    node = tree.nodes[index]
    first = int(node.first_child)
    children = slice(first, first + int(node.expanded))
    visits = tree.visits[children] * (tree.width[children] > 0.0)
    return first + int(visits.argmax()) if visits.any() else -1


def moves_left(tree: Tree, index: int) -> list[int]:
    """Return the moves of a node that are not removed, the most visited ones first."""
    node = tree.nodes[index]
    first, fresh = int(node.first_child), int(node.first_child) + int(node.expanded)
    known = [child for child in range(first, fresh) if not is_excluded(tree, child)]
    known.sort(key=lambda child: -int(tree.visits[child]))
    return tree.move[[*known, *range(fresh, first + int(node.children))]].tolist()
