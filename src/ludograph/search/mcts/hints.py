"""Hints of a game for Monte Carlo tree search alone.

A game passes a :class:`GameKnowledge` to a search: its parts have memory of their own or take time.
``settle`` and ``weigh`` read these parts, and a search calls them only with the parts. It always
calls ``leaf_value``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias

from ludograph import rules
from ludograph.errors import GameFault
from ludograph.rules import Moves, Rng, Scores, Setup, State
from ludograph.rules.dispatch import generic_with_default
from ludograph.search.network.forward import GraphNetwork

Workspace: TypeAlias = Any
"""Memory that :func:`settle` works in, a ``NamedTuple`` of arrays that the game makes."""

MoveKnowledge: TypeAlias = Any
"""The data of :func:`weigh`, a ``NamedTuple`` of arrays that the game makes."""

LIKELIHOODS, VALUES, JUDGEMENT = range(3)
"""What :func:`weigh` writes."""


class LeafEvaluation(NamedTuple):
    """The visits at which nodes are judged by :func:`weigh`, and the weight of their rewards."""

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


def nothing() -> None:
    """Return None: the game has no such part."""


@dataclass(frozen=True)
class GameKnowledge:
    """A game's knowledge for a search beyond its rules: functions that make its parts.

    Attributes
    ----------
    workspace
        Makes memory for :func:`settle`, one for each thread; None: no probes.
    of_moves
        Makes the data of :func:`weigh`, one for each thread; None: moves are not weighed.
    network
        Makes a network on the board, one for each thread; None: random games evaluate leaves. With
        a network, a leaf has the value that the network returns, and children are selected by PUCT;
        the search then does not use ``of_moves``.
    solver
        Makes a background solver, which gets a share of the time; None: there is none.
    leaf_evaluation
        The options of judgements by :func:`weigh`; None: no judgements.
    """

    workspace: Callable[[], Workspace | None] = nothing
    of_moves: Callable[[], MoveKnowledge | None] = nothing
    network: Callable[[], GraphNetwork | None] = nothing
    solver: Callable[[], StepwiseSolver | None] = nothing
    leaf_evaluation: LeafEvaluation | None = None

    def __init_subclass__(cls) -> None:
        raise GameFault(f"{cls.__name__}: GameKnowledge gets functions, and has no derived classes")

    @property
    def makers(self) -> tuple[Callable[[], Any], ...]:
        """The functions that make the parts."""
        return self.workspace, self.of_moves, self.network, self.solver


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
def weigh(
    setup: Setup,
    knowledge: MoveKnowledge,
    state: State,
    moves: Moves,
    wanted: int,
    out: Scores,
    rewards: Scores,
) -> bool:
    """Weigh moves of the seat to move, without a search; by default all are alike.

    Parameters
    ----------
    moves, out
        ``int32[k]``, ``float64[k]``: some of the moves, and a number for each.
    wanted
        ``LIKELIHOODS``: the likelihood of each move to be the best one, with the sum 1. A search
        with knowledge asks once for each node that it expands.

        ``VALUES``: the reward that each move promises, in [0, 1]. A minimax search asks once for
        each node that it expands. The values of positions before and after a good move must agree.

        ``JUDGEMENT``: likelihoods, and the rewards of the position. A search with a leaf evaluation
        asks at nodes with many visits, so the answer may take as long as tens of simulations.
    rewards
        ``float64[seats]``: the expected reward of each seat; only of a judgement.

    Returns
    -------
    bool
        Whether there is a judgement; for other numbers it has no meaning.
    """
    for index in range(moves.size):
        out[index] = 1.0 / moves.size
    return False
