"""Hints of a game for every search, in addition to its rules.

Each has a default without knowledge. A game replaces it with ``@implements`` and names the function
when it registers its Setup. Hints for only one kind of search are in its own package:
:mod:`ludograph.search.mcts.hints` and :mod:`ludograph.search.proof.game`.
"""

from __future__ import annotations

from ludograph import rules
from ludograph.rules import Moves, Scores, Setup, State
from ludograph.rules.dispatch import generic_with_default


@generic_with_default
def candidates(setup: Setup, state: State, out: Moves) -> int:
    """Write the moves that a search has to consider, at least one best move; return their number.

    By default they are all legal moves; at a chance node they are always all outcomes. Proven and
    exact results of searches assume that no omitted move is better, for any seat, than a listed
    one.
    """
    return rules.legal_moves(setup, state, out)


@generic_with_default
def proven_scores(setup: Setup, state: State, out: Scores) -> bool:
    """Tell whether the result of best play is proven although the game is not over.

    If True, its scores are written, and searches do not go below the position; if False, the
    content of ``out`` is undefined. Searches call it only if a seat is to move, and never at their
    root, which needs a move. By default nothing is known.
    """
    return False


@generic_with_default
def score_bounds_at(setup: Setup, state: State, low: Scores, high: Scores) -> bool:
    """Write the least and the greatest final score that every seat can have.

    Exact searches skip positions that these bounds decide. False if nothing is known, as by
    default; then the contents of ``low`` and ``high`` are undefined. Searches call it only if a
    seat is to move: alpha-beta search if its window lies among final values, proof-number search
    always. Monte Carlo search does not call it: it has no window, and open bounds would seldom save
    a simulation, which costs less.
    """
    return False
