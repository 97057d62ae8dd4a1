"""Amazons under its name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np

from ludograph import boards
from ludograph.boards import Board
from ludograph.errors import InvalidInput
from ludograph.games.amazons import evaluation, notation, rules  # noqa: F401  (register themselves)
from ludograph.games.amazons.options import DECLARATION
from ludograph.games.amazons.setup import QUEENS, AmazonsSetup, make_setup, usual_starts
from ludograph.games.declaration import Declaration
from ludograph.games.game import Game
from ludograph.games.position import Position
from ludograph.games.strategy import Strategy
from ludograph.rules import Setup
from ludograph.views import Scene


class Amazons(Game):
    """Slide a queen and shoot an arrow; who cannot move any more has lost."""

    declaration: ClassVar[Declaration] = DECLARATION
    version: ClassVar[int] = 1
    setup_type: ClassVar[type] = AmazonsSetup

    def begin(self, values: dict[str, Any], seats: int, seed: int) -> Position:  # noqa: ARG002
        """Return the start of a game; nothing is drawn for it."""
        board, queens, starts = values["board"], values["queens"], values["starts"]
        if starts is None:
            starts = usual_starts(board, QUEENS if queens is None else queens)
        try:
            starts = np.asarray(starts)
        except ValueError:  # lists of different lengths
            starts = np.array(None)
        setup = make_setup(board, starts)
        if queens not in (None, setup.queens):
            raise InvalidInput(f"amazons: {len(starts)} starts are not for {queens} queens each")
        return Position(self, board, setup)

    def samples(self) -> Iterator[Position]:
        """Yield a small board."""
        yield self.position(boards.square(4), queens=1)

    def describe(self, position: Position) -> dict[str, Any]:
        """Return where the queens start."""
        return {"starts": position.setup.starts.tolist()}

    def restore(self, board: Board, data: Mapping[str, Any]) -> Position:
        """Return the start of the game that :meth:`describe` wrote down."""
        if not isinstance(data.get("starts"), list):
            raise InvalidInput("amazons: the setup has no list 'starts'")
        return self.position(board, starts=data["starts"])

    def move_text(self, setup: Setup, move: int) -> str:
        """Return ``d1-d7/g7`` or ``12-17/20``."""
        return notation.move_text(setup, move)

    def parse_move(self, setup: Setup, text: str) -> int:
        """Return the code of a move."""
        return notation.parse_move(setup, text)

    def color_of(self, position: Position, seat: int) -> str:  # noqa: ARG002
        """Return the color of a seat's queens."""
        return ("white", "black")[seat]

    def scene(self, position: Position) -> Scene:
        """Return the picture of a position."""
        from ludograph.games.amazons.scene import amazons_scene

        return amazons_scene(position)

    @property
    def strategies(self) -> Mapping[str, Strategy]:
        """The built-in strategies by name."""
        from ludograph.games.amazons.strategies import STRATEGIES

        return STRATEGIES


amazons = Amazons()
