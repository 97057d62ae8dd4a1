"""What a game can tell Monte-Carlo tree search: how to judge a leaf, and who has played what."""

from __future__ import annotations

from ludograph import rules
from ludograph.rules import Moves, Rng, Scores, Setup, State
from ludograph.rules.dispatch import generic_with_default


@generic_with_default
def leaf_value(setup: Setup, state: State, rng: Rng, out: Scores) -> None:
    """Write the scores by which a leaf is judged; the state may change.

    By default those of a playout. A game may look at less than a whole one where its evaluation
    says more than random moves; the values must be on the scale of scores at the end.
    """
    rules.playout(setup, state, rng, out)


@generic_with_default
def amaf_playout(setup: Setup, state: State, rng: Rng, out: Scores) -> None:
    """Play as ``rules.playout`` does and leave behind who has played what: :func:`amaf_owners`.

    A game whose playout takes shortcuts replaces it; it may choose its moves with more care, as
    only the search that shares statistics between moves (all moves as first, RAVE) calls it.
    """
    rules.playout(setup, state, rng, out)


@generic_with_default
def amaf_owners(setup: Setup, state: State, moves: Moves, out: Moves) -> None:
    """Write the seats that have played some moves, at the end of an AMAF playout; -1: none.

    A game that tells it can share statistics between the moves of a game (RAVE).

    Parameters
    ----------
    moves, out
        ``int32[k]`` each.
    """
    for index in range(moves.size):
        out[index] = -1
