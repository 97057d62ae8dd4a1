"""What a Monte-Carlo search has found out about the moves of its root."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.rules import Setup, State
from ludograph.search.mcts.beside import Beside
from ludograph.search.mcts.reuse import is_taken_out
from ludograph.search.mcts.rewards import sure_win
from ludograph.search.mcts.tree import ROOT, Tree

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Result:
    """What a search found.

    Attributes
    ----------
    move
        The best move by what is proven; else the move visited most, of equal ones that of the
        best value.
    moves, visits
        ``int32[k]``: the legal moves in ``legal_moves``' order, how often each was tried.
    values
        ``float64[k]``: the mean reward of each for the seat to move, nan where never tried; for
        a lone seat the mean score.
    low, high
        ``float64[k]``: the reward that the seat to move is proven to reach by each move, and the
        one that it is proven not to exceed; see :mod:`ludograph.search.mcts.proofs`.
    proven
        Whether it is proven that no move is better than ``move``, and what it is worth: its
        ``low`` and ``high`` agree. The search has ended when it was, unless all is lost: then
        ``visits`` and ``values`` say how often others answer wrongly.
    simulations, seconds
        What was done, by all threads together, and how long it took; ``visits`` also count what
        was reused, and miss what two threads did at the same instant.
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


def gather(
    setup: Setup, root: State, tree: Tree, beside: Beside | None, simulations: int, seconds: float
) -> Result:
    """Return what a tree tells of its root, and the solver beside it, if there is one."""
    moves = np.empty(rules.info(setup).move_capacity, np.int32)
    moves = moves[: rules.legal_moves(setup, root, moves)]
    place = {move: index for index, move in enumerate(moves.tolist())}
    visits = np.zeros(moves.size, np.int64)
    values = np.full(moves.size, np.nan)
    low = np.full(moves.size, tree.proofs[0, 0].low)
    high = np.full(moves.size, tree.proofs[0, 0].high)
    node = tree.nodes[ROOT]
    for child in range(node.first_child, node.first_child + node.expanded):
        if is_taken_out(tree, child):
            continue
        index = place[int(tree.move[child])]
        visits[index] = tree.visits[child]
        if visits[index] > 0:
            values[index] = tree.mean[child]
        known = tree.proofs[tree.nodes[child].proof, node.seat]
        low[index], high[index] = known.low, known.high
    known = tree.proofs[node.proof, node.seat]
    proven = bool(known.low >= known.high)
    if tree.progress.is_lost:
        proven = True
        high[:] = low[:] = tree.proofs[0, node.seat].low
    elif beside is not None and beside.best is not None:
        proven = True
        index = place[beside.best]
        low[index] = high[index] = beside.reward
    certain = sure_win(tree.scores.size, float(tree.settings.margin_weight))
    enough = float(low.max()) if proven else certain
    best = choose(visits, values, low, high, enough)
    return Result(int(moves[best]), moves, visits, values, low, high, proven, simulations, seconds)


def choose(
    visits: npt.NDArray[np.int64], values: Numbers, low: Numbers, high: Numbers, enough: float
) -> int:
    """Return the index of the move to play.

    Parameters
    ----------
    enough
        A reward of which a move may be sure that none is preferred that is not.
    """

    def most_visited(indices: list[int]) -> int:
        return max(indices, key=lambda index: (visits[index], values[index]))

    everything = range(visits.size)
    sure = [index for index in everything if low[index] >= enough]
    if sure:
        return most_visited(sure)
    # One that is known is visited no more, so visits tell nothing about it: its value does.
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
