"""The game of Amazons."""

from collections.abc import Iterator, Mapping
from typing import Any

from ludograph.games.amazons import evaluation, notation, observation, rules
from ludograph.games.amazons.interaction import AmazonsInteraction
from ludograph.games.amazons.options import DECLARATION
from ludograph.games.amazons.position import AmazonsPosition
from ludograph.games.amazons.presentation import AmazonsPresentation
from ludograph.games.amazons.rules import AmazonsHalfMoves
from ludograph.games.amazons.setup import AmazonsSetup, make_setup
from ludograph.games.amazons.strategies import STRATEGIES, HalfMovesView
from ludograph.games.game import Game
from ludograph.games.search_view import SearchView
from ludograph.games.searching import GENERIC
from ludograph.games.strategy import Strategy
from ludograph.rules import register
from ludograph.rules.dispatch import same_rules
from ludograph.search.searched import TREE

register(
    AmazonsSetup,
    rules.amazons_key,
    evaluation.amazons_evaluate,
    evaluation.amazons_leaf_value,
    observation.amazons_observation,
    observation.amazons_observe,
    observation.amazons_touch,
)

register(AmazonsHalfMoves, evaluation.half_moves_weigh)


class Amazons(Game[AmazonsPosition]):
    """Slide a queen and shoot an arrow; a player that cannot move has lost."""

    declaration = DECLARATION
    version = 1
    setup_type = AmazonsSetup
    presentation = AmazonsPresentation()
    interaction = AmazonsInteraction()
    move_text = staticmethod(notation.move_text)
    parse_move = staticmethod(notation.parse_move)

    def feature_range(self, setup: AmazonsSetup) -> tuple[float, float]:  # noqa: ARG002
        """Return the least and the greatest number of a learner's view."""
        return 0.0, 1.0

    def begin(self, values: dict[str, Any], seats: int, seed: int) -> AmazonsPosition:  # noqa: ARG002
        """Return the start of a game; it does not depend on the seed."""
        board = values["board"]
        setup = make_setup(board, values["queens"])
        return AmazonsPosition(self, board, self.setup_type(*setup))

    def search_view(self, position: AmazonsPosition, kind: str) -> SearchView:
        """Return the game by half moves for a tree search."""
        if kind == TREE and same_rules(type(position.setup), AmazonsSetup):
            return HalfMovesView(position)
        return super().search_view(position, kind)

    @property
    def strategies(self) -> Mapping[str, Strategy]:
        """The built-in strategies by name."""
        return STRATEGIES if same_rules(self.setup_type, AmazonsSetup) else GENERIC

    def warm_up_starts(self) -> Iterator[AmazonsPosition]:
        """Yield starts on boards whose sets of tiles have one word and two words."""
        yield from self.samples()
        yield self.position("square:9", queens=1)

    def values_of(self, position: AmazonsPosition) -> dict[str, Any]:
        """Return the number of queens of each seat."""
        return {"queens": len(position.setup.starts) // 2}


amazons = Amazons()
