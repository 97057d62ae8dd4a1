"""The result of a Monte Carlo search: the moves of its root, and its best line."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ludograph.rules import CHANCE, Setup, State
from ludograph.rules.answers import moves_at
from ludograph.search.mcts.background_solver import BackgroundSolver
from ludograph.search.mcts.leaf_evaluation import sure_win
from ludograph.search.mcts.proofs import is_excluded, is_lost
from ludograph.search.mcts.tree import ROOT, Tree
from ludograph.search.searched import ShownResult

LEAST = 2
"""The least visits of a move with a meaningful value."""

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MonteCarloResult(ShownResult):
    """What a search found.

    Attributes
    ----------
    move
        The best move by the proven bounds, or in a lost position the move that is hardest to
        refute; else the most visited move, of equal ones that of the best value.
    moves, visits
        ``int32[k]``: the legal moves in ``legal_moves``' order, and the visits of each.
    values
        ``float64[k]``: the mean reward of each for the seat to move, nan without visits; for a lone
        seat the mean score.
    low, high
        ``float64[k]``: the reward that the seat to move is proven to reach by each move, and the
        one that it is proven not to exceed; see :mod:`ludograph.search.mcts.proofs`.
    proven
        Whether it is proven that no move is better than ``move``, and its reward: its ``low`` and
        ``high`` agree. The search ended with the proof, or, in a lost position, soon after it: then
        ``visits`` and ``values`` show how often random games answer wrongly.
    refutation
        In a position proven to be lost: the nodes that a solver needs to refute ``move``, the most
        of all moves. 0 in other positions, or without a solver or the time for it.
    simulations, seconds
        The work of all threads together, and its time; ``visits`` also count those of a reused
        tree, and miss updates that two threads made at the same instant.
    """

    move: int
    moves: npt.NDArray[np.int32]
    visits: npt.NDArray[np.int64]
    values: Numbers
    low: Numbers
    high: Numbers
    proven: bool
    simulations: int
    seconds: float
    refutation: int = 0


def gather(
    setup: Setup,
    root: State,
    tree: Tree,
    solver: BackgroundSolver | None,
    simulations: int,
    seconds: float,
) -> MonteCarloResult:
    """Return the result at a tree's root, with the proofs of the background solver, if any."""
    moves = moves_at(setup, root)
    place = {move: index for index, move in enumerate(moves.tolist())}
    visits = np.zeros(moves.size, np.int64)
    values = np.full(moves.size, np.nan)
    low = np.full(moves.size, tree.proofs[0, 0].low)
    high = np.full(moves.size, tree.proofs[0, 0].high)
    node = tree.nodes[ROOT]
    for child in range(node.first_child, node.first_child + node.expanded):
        if is_excluded(tree, child):
            continue
        index = place[int(tree.move[child])]
        visits[index] = tree.visits[child]
        if visits[index] > 0:
            values[index] = tree.mean[child]
        known = tree.proofs[tree.nodes[child].proof, node.seat]
        low[index], high[index] = known.low, known.high
    known = tree.proofs[node.proof, node.seat]
    proven = bool(known.low >= known.high)
    chosen = None if solver is None else solver.best
    if is_lost(tree):
        proven = True
        high[:] = low[:] = tree.proofs[0, node.seat].low
    elif solver is not None and chosen is not None:
        proven = True
        index = place[chosen]
        low[index] = high[index] = solver.reward
    certain = sure_win(tree.scores.size, float(tree.settings.margin_weight))
    enough = float(low.max()) if proven else certain
    best = choose(visits, values, low, high, enough) if chosen is None else place[chosen]
    move, refutation = int(moves[best]), 0 if solver is None else solver.refutation
    return MonteCarloResult(
        move, moves, visits, values, low, high, proven, simulations, seconds, refutation
    )


def choose(
    visits: npt.NDArray[np.int64], values: Numbers, low: Numbers, high: Numbers, enough: float
) -> int:
    """Return the index of the move to play.

    Parameters
    ----------
    enough
        A move that is proven to reach this reward is preferred to all that are not.
    """

    def most_visited(indices: list[int]) -> int:
        return max(indices, key=lambda index: (visits[index], values[index]))

    everything = range(visits.size)
    sure = [index for index in everything if low[index] >= enough]
    if sure:
        return most_visited(sure)
    # A closed move gets no more visits, so its value counts instead of its visits.
    known = max(
        (index for index in everything if low[index] >= high[index]),
        key=lambda index: low[index],
        default=None,
    )
    others = [index for index in everything if low[index] < high[index]]
    if known is None:
        return most_visited(others)
    others = [index for index in others if high[index] > low[known]]
    if not others:
        return known
    other = most_visited(others)
    return known if low[known] > (values[other] if visits[other] else low[other]) else other


def principal_variation(tree: Tree, first: int) -> tuple[int, ...]:
    """Return a move at the root, followed by the most visited move of each node.

    The line ends at a chance node, or at a node whose moves all have at most one visit.
    """
    line = [first]
    node = _child(tree, ROOT, first)
    while node is not None and len(line) < tree.path.size:
        record = tree.nodes[node]
        children = [
            child
            for child in range(record.first_child, record.first_child + record.expanded)
            if not is_excluded(tree, child)
        ]
        if record.seat == CHANCE or not children:
            break
        node = max(children, key=lambda child: int(tree.visits[child]))
        if tree.visits[node] < LEAST:
            break
        line.append(int(tree.move[node]))
    return tuple(line)


def _child(tree: Tree, node: int, move: int) -> int | None:
    record = tree.nodes[node]
    children = range(record.first_child, record.first_child + record.expanded)
    return next((child for child in children if tree.move[child] == move), None)
