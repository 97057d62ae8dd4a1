"""The result of a search of many games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ludograph.formatting import counted
from ludograph.rules import Moves, compiled
from ludograph.rules.batch import States
from ludograph.search.batched.forest import Simulations
from ludograph.search.mcts.tree import Tree
from ludograph.search.searched import SearchedPosition

Table = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False, repr=False)
class BatchedResult:
    """The results for each game; the arrays belong to the caller. ``print`` shows a line for each.

    Attributes
    ----------
    moves
        ``int32[games]``: the code of the chosen move; -1 for a game that is over.
    actions
        ``int64[games]``: the same as an action of the environments in :mod:`ludograph.rl`.
    policy
        ``float32[games, actions]``: the improved policy, a target for learning. 0 for illegal
        actions, and for a game that is over.
    visits
        ``int32[games, actions]``: the simulations that began with each action.
    q
        ``float32[games, actions]``: the mean reward of these, for the seat to move; NaN without
        visits.
    values
        ``float64[games]``: the value for the seat to move, by all simulations; NaN for a game that
        is over.
    positions
        The positions that were searched.
    """

    moves: npt.NDArray[np.int32]
    actions: npt.NDArray[np.int64]
    policy: Table
    visits: npt.NDArray[np.int32]
    q: Table
    values: npt.NDArray[np.float64]
    positions: Sequence[SearchedPosition]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {counted(len(self.positions), 'game')}>"

    def __str__(self) -> str:
        """Return a line for each game: the name of its move, the visits, and the value."""
        return "\n".join(self._line(game) for game in range(len(self.positions)))

    def _line(self, game: int) -> str:
        if self.moves[game] < 0:
            return f"game {game}: over"
        visits = self.visits[game]
        return (
            f"game {game}: {self.positions[game].text(int(self.moves[game]))} "
            f"({visits[self.actions[game]]} of {counted(int(visits.sum()), 'simulation')}), "
            f"value {self.values[game]:z.3g}"
        )


def empty_result(positions: Sequence[SearchedPosition], actions: int) -> BatchedResult:
    """Return the result of games that are all over."""
    games = len(positions)
    return BatchedResult(
        moves=np.full(games, -1, np.int32),
        actions=np.full(games, -1, np.int64),
        policy=np.zeros((games, actions), np.float32),
        visits=np.zeros((games, actions), np.int32),
        q=np.full((games, actions), np.nan, np.float32),
        values=np.full(games, np.nan),
        positions=positions,
    )


@compiled
def gather_all(
    tree: Tree,
    simulations: Simulations,
    by_code: bool,
    visits: States,
    q: Table,
    values: npt.NDArray[np.float64],
) -> None:
    """Write the statistics of the roots, see :class:`BatchedResult`."""
    for game in range(simulations.roots.shape[0]):
        node = tree.nodes[game]
        values[game] = node.value
        for place in range(node.children):
            child = node.first_child + place
            action = tree.move[child] if by_code else place
            visits[game, action] = tree.visits[child]
            if tree.visits[child] > 0:
                q[game, action] = tree.mean[child]


@compiled
def name_all(
    tree: Tree,
    simulations: Simulations,
    by_code: bool,
    places: Moves,
    moves: Moves,
    actions: npt.NDArray[np.int64],
) -> None:
    """Write the moves and the actions of the children at these places."""
    for game in range(simulations.roots.shape[0]):
        moves[game] = tree.move[tree.nodes[game].first_child + places[game]]
        actions[game] = moves[game] if by_code else places[game]
