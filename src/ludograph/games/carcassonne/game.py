"""The game of Carcassonne."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np

from ludograph import boards
from ludograph.boards import Board
from ludograph.errors import InvalidInput
from ludograph.games.carcassonne import evaluation, notation, observation, rules
from ludograph.games.carcassonne.decks import course
from ludograph.games.carcassonne.interaction import CarcassonneInteraction
from ludograph.games.carcassonne.options import DECLARATION, OFFICIAL
from ludograph.games.carcassonne.position import CarcassonnePosition
from ludograph.games.carcassonne.presentation import CarcassonnePresentation
from ludograph.games.carcassonne.setup import (
    FINITE_MEEPLE,
    MODES,
    NEVER,
    CarcassonneSetup,
    make_setup,
)
from ludograph.games.declaration import Declaration
from ludograph.games.game import Game
from ludograph.games.interop import Interop
from ludograph.games.search_view import SearchView
from ludograph.games.strategy import Strategy
from ludograph.rules import info, register
from ludograph.rules.dispatch import same_rules
from ludograph.search.searched import TREE

register(
    CarcassonneSetup,
    rules.carcassonne_weights,
    rules.carcassonne_sample_move,
    rules.carcassonne_drop,
    rules.carcassonne_key,
    evaluation.carcassonne_leaf_value,
    evaluation.carcassonne_evaluate,
    observation.carcassonne_observation,
    observation.carcassonne_observe,
    observation.carcassonne_touch,
)


class Carcassonne(Game[CarcassonnePosition]):
    """Lay tiles that fit, and close roads and castles."""

    declaration: ClassVar[Declaration] = DECLARATION
    version: ClassVar[int] = 1
    setup_type: ClassVar[type] = CarcassonneSetup
    move_text = staticmethod(notation.move_text)
    parse_move = staticmethod(notation.parse_move)
    presentation = CarcassonnePresentation()
    interaction = CarcassonneInteraction()

    def feature_range(self, setup: CarcassonneSetup) -> tuple[float, float]:
        """Return the least and the greatest number of a learner's view: coordinates and points."""
        return -float(setup.tiles), max(float(NEVER), float(info(setup).highest_score))

    @staticmethod
    def table() -> Board:
        """Return the board of all games: one vertex, as only the tiles matter."""
        return boards.from_edges(1, np.zeros((0, 2), np.int32), name="table")

    def begin(self, values: dict[str, Any], seats: int, seed: int) -> CarcassonnePosition:  # noqa: ARG002
        """Return the start of a game: the first tile lies on the table, chance deals the next.

        The order of the deck is not fixed here: chance draws each tile.
        """
        setup = make_setup(
            values["deck"],
            MODES.index(values["mode"]),
            seats=seats,
            meeples=values["meeples"],
            discard=values["discard"],
            official=values["rules"] == OFFICIAL,
        )
        start = self.setup_type(*setup)
        return CarcassonnePosition(self, self.table(), start, deck=values["deck"])

    def samples(self) -> Iterator[CarcassonnePosition]:
        """Yield a small deck, by the course rules and by the official ones."""
        yield self.position(deck=course(8), mode="finite")
        yield self.position(deck=course(8), rules="official")

    def values_of(self, position: CarcassonnePosition) -> dict[str, Any]:
        """Return the rules, deck, mode and meeples, and whether tiles are discarded."""
        setup = position.setup
        meeples = {"meeples": setup.meeples} if setup.mode == FINITE_MEEPLE else {}
        return {
            "rules": position.rules,
            "mode": position.mode,
            "deck": position.deck,
            "discard": bool(setup.discard),
            **meeples,
        }

    def restore(self, board: Board, data: Mapping[str, Any]) -> CarcassonnePosition:
        """Return the start of a game from the data of :meth:`describe`."""
        if board.n != 1:
            raise InvalidInput(
                f"carcassonne: it is played on a table of one vertex, not on {board.name!r:.60}"
            )
        return super().restore(board, data)

    def search_view(self, position: CarcassonnePosition, kind: str) -> SearchView:
        """Return the game itself; the parameters of a tree search are tuned for it."""
        from ludograph.games.carcassonne.strategies import TUNED

        is_tuned = kind == TREE and same_rules(type(position.setup), CarcassonneSetup)
        return SearchView(position.setup, options=TUNED if is_tuned else None)

    @property
    def strategies(self) -> Mapping[str, Strategy]:
        """The built-in strategies by name."""
        from ludograph.games.carcassonne.strategies import STRATEGIES
        from ludograph.games.searching import GENERIC

        return STRATEGIES if same_rules(self.setup_type, CarcassonneSetup) else GENERIC

    @property
    def interop(self) -> Interop:
        """The interface of C libraries that play the game."""
        from ludograph.games.carcassonne.native import CarcassonneLibrary

        return Interop(library=CarcassonneLibrary())


carcassonne = Carcassonne()
