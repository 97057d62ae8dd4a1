"""Hints of a game for every search, in addition to its rules.

Each has a default that knows nothing; a game that knows more says so with ``@implements`` and names
the function when it registers its Setup. What only one kind of search asks lives with it:
:mod:`ludograph.search.mcts.hints` and :mod:`ludograph.search.proof.game`.
"""

from __future__ import annotations

from ludograph import rules
from ludograph.rules import Moves, Scores, Setup, State
from ludograph.rules.dispatch import generic_with_default


@generic_with_default
def candidates(setup: Setup, state: State, out: Moves) -> int:
    """Write the moves that a search has to look at; return how many, at least one of the best.

    By default all legal moves; at a chance node it is always all outcomes. What searches say is
    proven or exact rests on the moves left out being no better, for any seat, than one that is
    listed.
    """
    return rules.legal_moves(setup, state, out)


@generic_with_default
def proven_scores(setup: Setup, state: State, out: Scores) -> bool:
    """Tell whether it is proven what best play of all leads to, though the game is not over.

    If so the scores at its end are written; if not, ``out`` may hold anything. Searches look no
    further then. It is only asked where a seat is to move; by default nothing is known.
    Searches never ask at their root, where a move is wanted.
    """
    return False


@generic_with_default
def score_bounds_at(setup: Setup, state: State, low: Scores, high: Scores) -> bool:
    """Write what every seat can make sure of at the end, and what it can have at most.

    Exact searches leave out what these bounds decide. False if nothing is known, as by default;
    then ``low`` and ``high`` may hold anything. It is only asked where a seat is to move.
    Alpha-beta search asks where its window lies among final values, proof-number search always;
    Monte Carlo search does not: it has no window, and bounds that do not meet would seldom save a
    simulation, which costs less.
    """
    return False
