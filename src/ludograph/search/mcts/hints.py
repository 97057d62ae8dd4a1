"""Hints of a game for Monte Carlo tree search alone.

:class:`GameKnowledge` is what a game hands to a search: the parts that take memory of their own or
time. ``settle``, ``priors``, ``move_values`` and ``judge`` read what it makes, and are only asked
with it.
``leaf_value`` and the two of AMAF are asked always.
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
"""What :func:`priors`, :func:`move_values` and :func:`judge` know, a ``NamedTuple`` of arrays that
the game makes."""


class LeafEvaluation(NamedTuple):
    """When nodes are evaluated by :func:`judge`, and how much that counts."""

    threshold: int
    """The visits after which a node is evaluated, 1 or more; the root is at once."""
    share: float
    """The part of a reward that an evaluation makes, in [0, 1]."""
    weight: float
    """What the likelihoods of moves are multiplied by to be added to their means, as
    ``prior_weight`` of :class:`ludograph.search.mcts.SearchOptions` is before."""


class Solver(Protocol):
    """An exact solver of positions; it works in steps of a few nodes, and remembers."""

    simulations_per_node: float
    """How many simulations take as long as a node: what a limit of simulations grants."""

    def is_hopeful(self, state: State) -> bool:
        """Tell whether there is any hope of an answer."""

    def ask(self, state: State) -> None:
        """Begin with a position."""

    def advance(self, nodes: int) -> bool:
        """Search at most ``nodes`` more nodes; tell whether the answer is known."""

    @property
    def nodes(self) -> int:
        """How many nodes the question has taken so far."""

    @property
    def distance(self) -> int:
        """How far the answer seems to be: the lesser of both proof numbers."""

    @property
    def effort(self) -> int:
        """How many nodes the answer has taken, now or when it was first found."""

    def answer(self, scores: Scores, moves: Moves) -> tuple[bool, int]:
        """Say what is known, as :func:`settle` does.

        Where the seat to move has won there may be more moves than one: one of them wins.
        """


class GameKnowledge:
    """What a game hands to a search beyond its rules; a game with knowledge overrides a part.

    Attributes
    ----------
    leaf_evaluation
        When nodes are evaluated by :func:`judge`; None: never.
    """

    leaf_evaluation: LeafEvaluation | None = None

    def workspace(self) -> Workspace | None:
        """Return memory for :func:`settle`, asked for once a thread; None: nothing is probed."""
        return None

    def of_moves(self) -> MoveKnowledge | None:
        """Return what these hints on moves read, once a thread; None: none of them is asked."""
        return None

    def network(self) -> GraphNetwork | None:
        """Return a network on the board, once a thread; None: leaves are judged by random games.

        With a network a leaf is worth what the network says, and children are selected by PUCT;
        what :meth:`of_moves` returns and the hints that read it are not asked.
        """
        return None

    def solver(self) -> Solver | None:
        """Return a background solver, which gets a share of the time; None: there is none."""
        return None


@generic_with_default
def settle(
    setup: Setup, workspace: Workspace, state: State, scores: Scores, moves: Moves
) -> tuple[bool, int]:
    """Look closely at a position: who wins, or else which moves can be best.

    It may take as long as tens of simulations: a search with a workspace asks at its root
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
    setup: Setup, knowledge: MoveKnowledge, state: State, moves: Moves, out: Scores, rewards: Scores
) -> bool:
    """Write what a position is worth, and how likely each move is the best one; tell whether known.

    It may take as long as tens of simulations: a search with a leaf evaluation asks for nodes that
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
def move_values(
    setup: Setup, knowledge: MoveKnowledge, state: State, moves: Moves, out: Scores
) -> None:
    """Write the reward that the seat to move can expect of each move, as seen without a search.

    A search by minimax that is given knowledge asks once for each node that gets children. Values
    of positions in which either seat is to move must agree. By default nothing is known.

    Parameters
    ----------
    moves, out
        ``int32[k]``, ``float64[k]``; rewards in [0, 1].
    """
    for index in range(moves.size):
        out[index] = 0.5


@generic_with_default
def priors(setup: Setup, knowledge: MoveKnowledge, state: State, moves: Moves, out: Scores) -> None:
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
