"""A solver in the background: it and the simulations take turns, and guide each other.

The simulations say which positions matter: the root, and those next to it on the line that is
visited most. A few nodes of a proof show how far it is from an end, by its proof numbers; where it
is near the solver gets a share of the time. What it proves is drawn upward through the tree as the
ends of games are (:mod:`ludograph.search.mcts.proofs`); of positions that stay open it leaves the
moves that can still be best. A proof of the root ends the search. Where the root is lost the solver
looks for the move that takes the longest to refute.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ludograph import rules
from ludograph.rules import OVER, TURN, Setup, State, compiled
from ludograph.rules.atomic import store
from ludograph.search.hints import candidates
from ludograph.search.mcts.hints import Solver
from ludograph.search.mcts.leaf_evaluation import to_rewards
from ludograph.search.mcts.probes import restrict_to
from ludograph.search.mcts.proofs import back_up_proof, close, is_decided, is_excluded, is_lost
from ludograph.search.mcts.tree import ROOT, SETTLED, Rave, Tree
from ludograph.search.pacing import ROUNDS, is_over, now

SHARE = 0.75
"""Of the time, for questions that are near an answer."""

LEAST_SECONDS, LEAST_NODES = 0.002, 2
"""What the solver has to be granted before it takes a turn."""

LEAST_ROUND = 0.005
"""Seconds of a round that is long enough for a step too many."""

STEP = 2
"""Nodes after which the clock is looked at, and how far an answer is."""

NEAR, FAR = 24, 96
"""Up to the first distance a question has the whole share, less as it is farther from an answer,
and nothing beyond the second one. Each turn looks anew how far it is."""

TRIES = 4
"""How often the moves of a root that is won are gone through: for a node each, then for four ..."""

RECALLED = 64
"""Nodes granted at once, where simulations are the limit, if the last search ended with a proof:
the next one must not forget it."""

RESISTING = 0.25
"""Of the limits of a search: what may be spent on the move of a root that is lost."""

LEAST_VISITS, DEEPEST = 1000, 3
"""Of a position below the root that is worth a question: its visits, and how deep it is at most."""


class Limits(NamedTuple):
    """When a turn ends, at the latest."""

    deadline: float | None
    nodes: int | None

    def part(self, part: float) -> Limits:
        """Return the limits of a part of what is left."""
        deadline = self.deadline
        if deadline is not None:
            deadline = now() + (deadline - now()) * part
        return Limits(deadline, None if self.nodes is None else math.ceil(self.nodes * part))


class BackgroundSolver:
    """A solver that works in the background of a search.

    Attributes
    ----------
    seconds, credit
        What the solver is granted: seconds, and nodes where simulations are the limit.
    turn
        How many turns the solver has taken in this search.
    parts
        What part of the share a position gets, by how far from an answer it has shown to be.
    was_proven
        Whether the last search ended with a proof: its root is asked about however far it seems.
    asked
        The position that the solver has before it now.
    best, reward
        A move that is proven to bring the seat to move at the root as much as any, and how much;
        or None.
    refutation
        Where the root is lost: the nodes of the proof that refutes ``best``, the most of all moves,
        or those spent on it without an end. 0 if the root is not lost.
    nodes
        Those of all questions.
    """

    def __init__(self, setup: Setup, solver: Solver) -> None:
        self.setup, self.solver = setup, solver
        self.seconds = self.credit = 0.0
        self.turn = 0
        self.parts: dict[bytes, float] = {}
        self.was_proven = False
        self.asked: bytes | None = None
        self.best: int | None = None
        self.reward = 0.0
        self.refutation = 0
        self.nodes = 0
        self.codes = np.zeros(rules.info(setup).move_capacity, np.int32)

    def prepare(self, tree: Tree, rave: Rave | None) -> None:
        """Load all that a turn calls, with a tree of a root only: done before any clock runs."""
        state = np.zeros(rules.info(self.setup).state_size, np.int32)
        rules.start(self.setup, state)
        candidates(self.setup, state, self.codes)
        self.solver.ask(state)
        self.solver.advance(0)
        rules.play(self.setup, state, int(self.codes[0]))
        rules.scores(self.setup, state, tree.scores)
        reward_of(tree, 0)
        is_decided(tree, ROOT)
        tree.path[0] = ROOT
        record_answer(tree, rave, 0, False, 0)
        restrict_to(tree, rave, ROOT, 0)

    def begin(self) -> None:
        """Forget what was asked in the last search, not what is proven."""
        self.best = None
        self.refutation = 0
        self.asked = None
        self.turn = 0
        self.parts.clear()

    def work(
        self, tree: Tree, rave: Rave | None, root: State, end: float | None, sims: int | None
    ) -> bool:
        """Take a turn, if there is enough time for one; tell whether the root is decided.

        Parameters
        ----------
        end, sims
            Of the round that begins.
        """
        if tree.progress.is_lost:
            return False
        self.turn += 1
        began, before = now(), self.nodes
        recalls = self.was_proven and not self.parts
        deadline = nodes = None
        if end is not None:
            self.seconds += (end - began) * (1.0 if recalls else SHARE)
            if not recalls and (self.seconds < LEAST_SECONDS or end - began < LEAST_ROUND):
                return False
            deadline = min(began + self.seconds, end)
        if sims is not None:
            self.credit += sims * SHARE / (1.0 - SHARE) / self.solver.simulations_per_node
            if recalls:
                self.credit = max(self.credit, RECALLED)
            if self.credit < LEAST_NODES:
                return False
            nodes = int(self.credit)
        self.ask_questions(tree, rave, root, Limits(deadline, nodes), end)
        # What is not needed now is the simulations'; what was too much the next turn lacks.
        self.seconds = min(self.seconds - (now() - began), 0.0)
        self.credit = min(self.credit - (self.nodes - before), 0.0)
        return self.best is not None or bool(is_decided(tree, ROOT))

    def ask_questions(
        self, tree: Tree, rave: Rave | None, root: State, limits: Limits, end: float | None
    ) -> None:
        """Put questions until the turn is over, or all are far from an answer."""
        last = None if limits.nodes is None else self.nodes + limits.nodes
        while not (is_over(limits.deadline) or (last is not None and self.nodes >= last)):
            found = self.question(tree, root)
            if found is None:
                return
            depth, state = found
            left = Limits(limits.deadline, None if last is None else last - self.nodes)
            known = self.proceed(state, left, is_near=depth == 0 and self.was_proven)
            if known and depth == 0:
                self.settle_root(tree, rave, root, end)
                return
            self.record_finding(tree, rave, depth, state)
            if is_decided(tree, ROOT) or not (known or self.is_far(state)):
                return

    def question(self, tree: Tree, root: State) -> tuple[int, State] | None:
        """Return the next position to be asked about, by its depth on the line visited most.

        That is the first one which is not far from an answer, as far as is known. In the last turn
        the root is left out: the move that would be played is checked. The line is left in
        ``tree.path``; None if there is no such position.
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
            rules.play(self.setup, state, int(tree.move[index]))
            depth += 1
        return None

    def is_far(self, state: State) -> bool:
        """Tell whether a position has shown to be far from an answer."""
        return self.parts.get(state.tobytes(), 1.0) == 0.0

    def proceed(self, state: State, limits: Limits, *, is_near: bool) -> bool:
        """Work on a question for its part of these limits; tell whether it is answered.

        The part is the whole if the question is known to be near an answer.
        """
        key = state.tobytes()
        if key != self.asked:
            self.solver.ask(state)
            self.asked = key
        known = False
        if key not in self.parts:
            known = self.advance(limits._replace(nodes=STEP))
            distance = self.solver.distance
            self.parts[key] = 1.0 if is_near else part_at(distance)
        if not (known or self.is_far(state)):
            known = self.advance(limits.part(self.parts[key]))
            self.parts[key] = 1.0 if is_near else part_at(self.solver.distance)
        if known:
            self.asked = None
        return known

    def advance(self, limits: Limits) -> bool:
        """Let the solver go on; tell whether it has an answer."""
        before = self.solver.nodes
        done, known = 0, False
        while not known:
            left = STEP if limits.nodes is None else min(STEP, limits.nodes - done)
            if left <= 0 or (done > 0 and is_over(limits.deadline)):
                break
            known = self.solver.advance(left)
            done = self.solver.nodes - before
        self.nodes += done
        return known

    def settle_root(self, tree: Tree, rave: Rave | None, root: State, end: float | None) -> None:
        """Take in a proof of the root: name the move, or play on without the solver if it has lost.

        Then the moves that can still be answered wrongly are left.
        """
        count = self.solver.answer(tree.scores, tree.codes)[1]
        seat = int(root[TURN])
        reward = reward_of(tree, seat)
        if reward <= tree.proofs[0, seat].low:
            tree.progress.is_lost = 1
            if count > 0:
                restrict_to(tree, rave, ROOT, count)
            return
        moves = tree.codes[:count].tolist()
        self.best = moves[0] if count == 1 else self.sure_move(tree, root, reward, moves, end)
        self.reward = reward

    def finish(
        self, tree: Tree, root: State, deadline: float | None, time: float | None, sims: int | None
    ) -> None:
        """Note whether the root is proven; if it is lost choose the move that is hardest to refute.

        The candidates are the moves that the search has left, which a proof has to answer. Each
        gets a node at first, then four, and so on; of those that are never refuted, or take equally
        many nodes, the one visited most is chosen. A proof that is remembered counts with the nodes
        that it took first.

        Parameters
        ----------
        deadline, time, sims
            Of the search: its end, and its limits.
        """
        self.was_proven = self.best is not None or is_lost(tree) or bool(is_decided(tree, ROOT))
        if not is_lost(tree):
            return
        limits = Limits(deadline, None)
        if time is not None:
            limits = Limits(min(deadline or math.inf, now() + time * RESISTING), None)
        if sims is not None:
            nodes = math.ceil(sims * RESISTING / self.solver.simulations_per_node)
            limits = limits._replace(nodes=nodes)
        efforts = dict.fromkeys(moves_left(tree, ROOT), 0)
        unrefuted = list(efforts)
        last = None if limits.nodes is None else self.nodes + limits.nodes
        granted = 1
        self.asked = None
        while len(unrefuted) > 1:
            for move in tuple(unrefuted):
                if is_over(limits.deadline) or (last is not None and self.nodes >= last):
                    unrefuted.clear()
                    break
                known, effort = self.refute(root, move, Limits(limits.deadline, granted))
                efforts[move] = max(efforts[move], effort)
                if known:
                    unrefuted.remove(move)
            granted *= 4
        self.best = max(efforts, key=lambda move: efforts[move], default=None)
        self.reward = float(tree.proofs[0, int(root[TURN])].low)
        self.refutation = max(efforts.values(), default=0)

    def refute(self, root: State, move: int, limits: Limits) -> tuple[bool, int]:
        """Try to prove that a move loses; tell whether it is proven, and the nodes of the proof."""
        after = np.array(root)
        rules.play(self.setup, after, move)
        if after[TURN] == OVER:
            return True, 0
        before = self.nodes
        self.solver.ask(after)
        known = self.advance(limits)
        return known, self.solver.effort if known else self.nodes - before

    def sure_move(
        self, tree: Tree, root: State, reward: float, moves: list[int], end: float | None
    ) -> int | None:
        """Return that of some moves which is proven first to bring a reward.

        The proof of the root has found most of what it takes. None if the round ends before.
        """
        seat = int(root[TURN])
        visits = visits_of(tree, ROOT)
        self.asked = None
        for tried in range(TRIES):
            for move in sorted(moves, key=lambda move: -visits.get(move, 0)):
                after = np.array(root)
                rules.play(self.setup, after, move)
                if after[TURN] == OVER:
                    rules.scores(self.setup, after, tree.scores)
                    known = True
                else:
                    self.solver.ask(after)
                    known = self.advance(Limits(end, 4**tried))
                    if known:
                        self.solver.answer(tree.scores, tree.codes)
                if known and reward_of(tree, seat) >= reward:
                    return move
                if is_over(end):
                    return None
        return None

    def record_finding(self, tree: Tree, rave: Rave | None, depth: int, state: State) -> None:
        """Let the tree know what is proven of a node on ``tree.path``, or which moves are left.

        A move that the tree does not consider may be left instead of another that is as good: then
        nothing is left out.
        """
        settled, count = self.solver.answer(tree.scores, tree.codes)
        if not settled:
            listed = self.codes[: candidates(self.setup, state, self.codes)]
            if not np.isin(tree.codes[:count], listed).all():
                return
        record_answer(tree, rave, depth, settled, count)


@compiled
def record_answer(tree: Tree, rave: Rave | None, depth: int, settled: bool, count: int) -> None:
    """Close a node on the path, or restrict it to some moves; back the result up.

    The tree's scratch arrays hold the scores that settle it, or the ``count`` moves that are left.
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
        restrict_to(tree, rave, index, count)
        back_up_proof(tree, depth + 1)


def part_at(distance: int) -> float:
    """Return what part of the share a question gets that is so far from an answer."""
    return 0.0 if distance > FAR else min(1.0, NEAR / max(distance, 1))


def reward_of(tree: Tree, seat: int) -> float:
    """Return what the scores in the scratch of the tree are worth to a seat."""
    settings = tree.settings
    to_rewards(tree.scores, settings.margin_cap, settings.margin_weight, tree.rewards)
    return float(tree.rewards[seat])


def most_visited(tree: Tree, index: int) -> int:
    """Return the child of a node that is visited most and not known yet, or -1."""
    node = tree.nodes[index]
    first = int(node.first_child)
    children = slice(first, first + int(node.expanded))
    visits = tree.visits[children] * (tree.width[children] > 0.0)
    return first + int(visits.argmax()) if visits.any() else -1


def moves_left(tree: Tree, index: int) -> list[int]:
    """Return the moves of a node that are not taken out, those visited most first."""
    node = tree.nodes[index]
    first, fresh = int(node.first_child), int(node.first_child) + int(node.expanded)
    known = [child for child in range(first, fresh) if not is_excluded(tree, child)]
    known.sort(key=lambda child: -int(tree.visits[child]))
    return tree.move[[*known, *range(fresh, first + int(node.children))]].tolist()


def visits_of(tree: Tree, index: int) -> dict[int, int]:
    """Return how often each move of a node was tried that is considered."""
    node = tree.nodes[index]
    children = slice(int(node.first_child), int(node.first_child) + int(node.expanded))
    return dict(zip(tree.move[children].tolist(), tree.visits[children].tolist(), strict=True))
