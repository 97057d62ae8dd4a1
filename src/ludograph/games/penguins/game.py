"""The game of Penguins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ludograph import boards
from ludograph.boards import Board
from ludograph.errors import InvalidInput
from ludograph.games.declaration import Declaration
from ludograph.games.game import Game
from ludograph.games.interop import Interop
from ludograph.games.penguins import evaluation, isolated, notation, observation, rules
from ludograph.games.penguins.evaluation import TUNED, PenguinsSearchSetup, make_search_setup
from ludograph.games.penguins.interaction import PenguinsInteraction
from ludograph.games.penguins.options import DECLARATION
from ludograph.games.penguins.position import PenguinsPosition
from ludograph.games.penguins.presentation import PenguinsPresentation
from ludograph.games.penguins.setup import PenguinsSetup, check_players, draw_fish, make_setup
from ludograph.games.search_view import SearchView
from ludograph.games.strategy import Strategy
from ludograph.rules import register
from ludograph.rules.dispatch import same_rules

if TYPE_CHECKING:
    from ludograph.games.penguins.solving import PenguinsSolving

register(
    PenguinsSetup,
    rules.penguins_sample_move,
    rules.penguins_drop,
    rules.penguins_key,
    evaluation.penguins_evaluate,
    observation.penguins_observation,
    observation.penguins_observe,
    observation.penguins_touch,
)
register(
    PenguinsSearchSetup,
    evaluation.penguins_leaf_value,
    evaluation.search_evaluate,
    isolated.penguins_proven_scores,
    isolated.penguins_score_bounds_at,
    isolated.penguins_candidates,
    otherwise="base",
)


class Penguins(Game[PenguinsPosition]):
    """Slide over ice that melts behind you, and collect more fish than any opponent."""

    declaration: ClassVar[Declaration] = DECLARATION
    version: ClassVar[int] = 1
    setup_type: ClassVar[type] = PenguinsSetup
    move_text = staticmethod(notation.move_text)
    parse_move = staticmethod(notation.parse_move)
    presentation = PenguinsPresentation()
    interaction = PenguinsInteraction()

    def feature_range(self, setup: PenguinsSetup) -> tuple[float, float]:  # noqa: ARG002
        """Return the least and the greatest number of a learner's view."""
        return 0.0, 3.0  # fish per tile

    @staticmethod
    def board(tiling: str = "full-hexa", width: int = 8, height: int | None = None) -> Board:
        """Return a board of ``width * height`` tiles; the height defaults to the width.

        Parameters
        ----------
        tiling
            The name of a family of boards, such as ``octo-tetra``.

        Raises
        ------
        InvalidInput
            If there is no such family, or it has no board of this size.
        """
        return boards.family(tiling)(width, height)

    def begin(self, values: dict[str, Any], seats: int, seed: int) -> PenguinsPosition:
        """Return the start of a game of Penguins; fish that are not given are drawn by the seed."""
        board, penguins, fish = values["board"], values["penguins"], values["fish"]
        check_players(board, seats, penguins)
        if fish is None:
            fish = draw_fish(board.n, seats * penguins, seed)
        try:
            counts = np.asarray(fish)
        except ValueError:  # lists of different lengths
            counts = np.array(None)
        if counts.ndim != 1 or counts.dtype.kind not in "iu":
            raise InvalidInput("penguins: the fish must be whole numbers, one for every tile")
        setup = make_setup(board, counts, seats, penguins)
        return PenguinsPosition(self, board, self.setup_type(*setup))

    def values_of(self, position: PenguinsPosition) -> dict[str, Any]:
        """Return the fish of all tiles, and the number of penguins of each player."""
        setup = position.setup
        return {"penguins": setup.penguins, "fish": setup.fish}

    def search_view(self, position: PenguinsPosition, kind: str) -> SearchView:
        """Return a Setup that remembers the proven results of isolated penguins."""
        if not same_rules(type(position.setup), PenguinsSetup):
            return super().search_view(position, kind)
        return SearchView(make_search_setup(position.setup), options=TUNED)

    @property
    def strategies(self) -> Mapping[str, Strategy]:
        """The built-in strategies by name."""
        from ludograph.games.penguins.strategies import STRATEGIES
        from ludograph.games.searching import GENERIC

        return STRATEGIES if same_rules(self.setup_type, PenguinsSetup) else GENERIC

    @property
    def interop(self) -> Interop:
        """The interface of C libraries that play the game."""
        from ludograph.games.penguins.native import PenguinsLibrary

        return Interop(library=PenguinsLibrary())

    @property
    def solving(self) -> PenguinsSolving:
        """The solver of positions: the result of best play, to the last fish."""
        from ludograph.games.penguins.solving import PenguinsSolving

        return PenguinsSolving()


penguins = Penguins()
