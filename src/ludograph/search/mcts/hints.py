"""What a game can tell Monte-Carlo tree search alone.

How to judge a leaf, who has played what, what a close look at a position says, and which moves look
good at first sight.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from ludograph import rules
from ludograph.rules import Moves, Rng, Scores, Setup, State
from ludograph.rules.dispatch import generic_with_default

Room: TypeAlias = Any
"""Memory that :func:`settle` works in, a ``NamedTuple`` of arrays that the game makes."""

Knowledge: TypeAlias = Any
"""What :func:`priors` knows, a ``NamedTuple`` of arrays that the game makes."""


@generic_with_default
def settle(
    setup: Setup, room: Room, state: State, scores: Scores, moves: Moves
) -> tuple[bool, int]:
    """Look closely at a position: who wins, or else which moves can be best.

    It may take as long as hundreds of simulations: a search that is given a room asks at its root
    and at nodes that many simulations have come to. The state must be left as it was.

    Returns
    -------
    settled
        Whether it is proven what best play leads to, and the scores at its end are written.
    count
        How many moves are written, a best one among them; 0: all may be best. Where the seat to
        move has won, one that wins; where it has lost, those that can still be answered wrongly.
    """
    return False, 0


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


@generic_with_default
def judge(
    setup: Setup, knowledge: Knowledge, state: State, moves: Moves, out: Scores, rewards: Scores
) -> bool:
    """Write what a position is worth, and how likely each move is the best one; tell whether known.

    It may take as long as tens of simulations: a search that is given knowledge asks for nodes that
    many simulations have come to. By default nothing is known.

    Parameters
    ----------
    moves, out
        ``int32[k]``, ``float64[k]``: some of the moves; their likelihoods sum to 1.
    rewards
        ``float64[seats]``: what each seat can expect.
    """
    return False


@generic_with_default
def priors(setup: Setup, knowledge: Knowledge, state: State, moves: Moves, out: Scores) -> None:
    """Write how likely each move of the seat to move is the best one, as seen without a search.

    A search that is given knowledge asks once for each node that gets children. By default all
    moves are as likely.

    Parameters
    ----------
    moves, out
        ``int32[k]``, ``float64[k]``; the likelihoods sum to 1.
    """
    for index in range(moves.size):
        out[index] = 1.0 / moves.size
