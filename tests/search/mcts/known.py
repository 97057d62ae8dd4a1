"""What a game knows, as a test has made it."""

from typing import Any

from ludograph.search.mcts import GameKnowledge, LeafEvaluation


class Known(GameKnowledge):
    """The same memory for every thread; None: nothing of the kind is known."""

    def __init__(
        self,
        *,
        workspace: Any = None,
        moves: Any = None,
        solver: Any = None,
        leaf_evaluation: LeafEvaluation | None = None,
    ) -> None:
        self.memory, self.moves, self.plodder = workspace, moves, solver
        self.leaf_evaluation = leaf_evaluation

    def workspace(self) -> Any:
        return self.memory

    def of_moves(self) -> Any:
        return self.moves

    def solver(self) -> Any:
        return self.plodder
