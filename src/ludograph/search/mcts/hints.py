"""Hints of a game for Monte Carlo tree search alone.

A game passes a :class:`GameKnowledge` to a search: its parts have memory of their own or take time.
``settle``, ``priors``, ``move_values`` and ``judge`` read these parts, and a search calls them only
with the parts. It always calls ``leaf_value`` and the two AMAF functions.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, TypeAlias

from ludograph import rules
from ludograph.rules import Moves, Rng, Scores, Setup, State
from ludograph.rules.dispatch import generic_with_default
from ludograph.search.network.board import GraphNetwork

Workspace: TypeAlias = Any
"""Memory that :func:`settle` works in, a ``NamedTuple`` of arrays that the game makes."""

MoveKnowledge: TypeAlias = Any
"""The data of :func:`priors`, :func:`move_values` and :func:`judge`, a ``NamedTuple`` of arrays
that the game makes."""


class LeafEvaluation(NamedTuple):
    """The visits at which :func:`judge` evaluates nodes, and the weight of its rewards."""

    threshold: int
    """The visits after which a node is evaluated, 1 or more; the root is evaluated at once."""
    share: float
    """The share of an evaluation in a reward, in [0, 1]."""
    weight: float
    """The factor of the moves' likelihoods in the bonus on their means; before the evaluation it is
    ``prior_weight`` of :class:`ludograph.search.mcts.SearchOptions`."""


class StepwiseSolver(Protocol):
    """An exact solver of positions; it works in steps of a few nodes, and stores its results."""

    simulations_per_node: float
    """The number of simulations that take as long as one node."""

    def is_hopeful(self, state: State) -> bool:
        """Tell whether an answer is possible at all."""

    def ask(self, state: State) -> None:
        """Begin to solve a position."""

    def advance(self, nodes: int) -> bool:
        """Search at most ``nodes`` more nodes; return whether the answer is known."""

    @property
    def nodes(self) -> int:
        """The nodes of the present question so far."""

    @property
    def distance(self) -> int:
        """The estimated distance of the answer: the lesser of both proof numbers."""

    @property
    def effort(self) -> int:
        """The nodes that the answer took, now or when it was first found."""

    def answer(self, scores: Scores, moves: Moves) -> tuple[bool, int]:
        """Return and write the result as :func:`settle` does.

        If the seat to move has won, there may be several moves, of which one wins.
        """


class GameKnowledge:
    """A game's knowledge for a search beyond its rules; a game overrides the parts that it has.

    Attributes
    ----------
    leaf_evaluation
        The options of evaluations by :func:`judge`; None: no evaluations.
    """

    leaf_evaluation: LeafEvaluation | None = None

    def workspace(self) -> Workspace | None:
        """Return memory for :func:`settle`, one for each thread; None: no probes."""
        return None

    def of_moves(self) -> MoveKnowledge | None:
        """Return the data of the hints on moves, one for each thread; None: no such hints."""
        return None

    def network(self) -> GraphNetwork | None:
        """Return a network on the board, one for each thread; None: random games evaluate leaves.

        With a network, a leaf has the value that the network returns, and children are selected by
        PUCT; the search then uses neither :meth:`of_moves` nor the hints that read its data.
        """
        return None

    def solver(self) -> StepwiseSolver | None:
        """Return a background solver, which gets a share of the time; None: there is none."""
        return None


@generic_with_default
def settle(
    setup: Setup, workspace: Workspace, state: State, scores: Scores, moves: Moves
) -> tuple[bool, int]:
    """Analyse a position exactly: find the winner, or else the moves that can be best.

    A call may take as long as tens of simulations: a search with a workspace calls it at its root
    and at nodes with many visits. The state must be left as it was.

    Returns
    -------
    settled
        Whether the result of best play is proven; then its scores are written.
    count
        The number of moves written, a best one among them; 0: all may be best. If the seat to move
        has won: one winning move; if it has lost: the moves that can still be answered wrongly.
    """
    return False, 0


@generic_with_default
def leaf_value(setup: Setup, state: State, rng: Rng, out: Scores) -> None:
    """Write the scores of a leaf; the state may change.

    By default they are the scores of a playout. A game with a good evaluation may play only a part
    of a playout; the values must be on the scale of final scores.
    """
    rules.playout(setup, state, rng, out)


@generic_with_default
def amaf_playout(setup: Setup, state: State, rng: Rng, out: Scores) -> None:
    """Play a playout as ``rules.playout`` does, and record the moves for :func:`amaf_owners`.

    A game whose playout takes shortcuts replaces it. It may choose its moves with more care: only
    the search with statistics shared between moves (all moves as first, RAVE) calls it.
    """
    rules.playout(setup, state, rng, out)


@generic_with_default
def amaf_owners(setup: Setup, state: State, moves: Moves, out: Moves) -> None:
    """Write the seats that have played some moves, at the end of an AMAF playout; -1: none.

    A game with this function can share statistics between the moves of a game (RAVE).

    Parameters
    ----------
    moves, out
        ``int32[k]`` each.
    """
    for index in range(moves.size):
        out[index] = -1


@generic_with_default
def judge(
    setup: Setup, knowledge: MoveKnowledge, state: State, moves: Moves, out: Scores, rewards: Scores
) -> bool:
    """Write a position's rewards and its moves' likelihoods; return whether they are known.

    A call may take as long as tens of simulations: a search with a leaf evaluation calls it for
    nodes with many visits. By default nothing is known.

    Parameters
    ----------
    moves, out
        ``int32[k]``, ``float64[k]``: some of the moves; their likelihoods sum to 1.
    rewards
        ``float64[seats]``: the expected reward of each seat.
    """
    return False


@generic_with_default
def move_values(
    setup: Setup, knowledge: MoveKnowledge, state: State, moves: Moves, out: Scores
) -> None:
    """Write the expected reward of each move for the seat to move, without a search.

    A minimax search with knowledge calls it once for each node that it expands. The values of
    positions before and after a good move must agree. By default nothing is known.

    Parameters
    ----------
    moves, out
        ``int32[k]``, ``float64[k]``; rewards in [0, 1].
    """
    for index in range(moves.size):
        out[index] = 0.5


@generic_with_default
def priors(setup: Setup, knowledge: MoveKnowledge, state: State, moves: Moves, out: Scores) -> None:
    """Write the likelihood of each move of the seat to move to be the best one, without a search.

    A search with knowledge calls it once for each node that it expands. By default all moves are
    equally likely.

    Parameters
    ----------
    moves, out
        ``int32[k]``, ``float64[k]``; the likelihoods sum to 1.
    """
    for index in range(moves.size):
        out[index] = 1.0 / moves.size
