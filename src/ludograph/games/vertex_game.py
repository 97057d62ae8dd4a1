"""Games whose moves are vertices, with ready notation, clicks, sentences and picture."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ludograph.boards import Board
from ludograph.errors import GameFault, IllegalMove
from ludograph.formatting import described
from ludograph.games.game import Game
from ludograph.games.interaction import Interaction
from ludograph.games.played import P
from ludograph.games.position import Position
from ludograph.games.presentation import Presentation, SeatFacts
from ludograph.games.searching import GENERIC
from ludograph.games.strategy import Strategy
from ludograph.rules import Setup
from ludograph.views import Scene, Swatch

FREE = 0
"""The number of a vertex with nothing on it, among the fills and in the palette."""

_CODE = re.compile("0|[1-9][0-9]{0,8}")

PALETTE = (
    Swatch("free", "#dddddd", "."),
    Swatch("blue", "#2266cc", "x"),
    Swatch("red", "#cc4422", "o"),
    Swatch("green", "#3d8b40", "+"),
    Swatch("gold", "#d9a521", "*"),
)


class VertexGame(Game[P]):
    """A game on a board whose moves are vertices: the code of a move is the number of its vertex.

    Moves without a vertex, such as a pass, have greater codes. Outcomes of chance have any codes.

    A subclass defines the game's declaration (``declaration``), the Setup of a board
    (:meth:`make_setup`) and the fill of each vertex (:meth:`fills`). The rules are those of the
    Setup type. All else has a default that may be replaced: a move is written as the number of its
    vertex, people choose it by pointing at the vertex, and the picture is the board with its fills.

    Attributes
    ----------
    palette
        The look of fills: first a free vertex, then the pieces of each seat, as far as they differ.
    position_type
        The class of its positions.
    strategies
        By default random moves and the searches that play every game.
    """

    palette: ClassVar[Sequence[Swatch]] = PALETTE
    position_type: ClassVar[type[Position]] = Position

    @abstractmethod
    def make_setup(self, board: Board, values: Mapping[str, Any]) -> Setup:
        """Return the Setup of a game.

        Parameters
        ----------
        values
            The values of all options of the game, including ``board``.

        Raises
        ------
        InvalidInput
            If the game cannot be played on this board.
        """

    @abstractmethod
    def fills(self, position: P) -> npt.NDArray[np.integer[Any]]:
        """Return the fill of each vertex: ``int[n]``, 0 for none, else a number of the palette.

        Usually 1 + the seat whose piece is there.
        """

    @property
    def presentation(self) -> VertexPresentation[P]:
        """The board with its fills, and moves by the numbers of vertices."""
        return VertexPresentation(self)

    @property
    def interaction(self) -> VertexInteraction[P]:
        """Moves are chosen by pointing at vertices, or by their numbers."""
        return VertexInteraction(self)

    @property
    def strategies(self) -> Mapping[str, Strategy]:
        """The built-in strategies by name."""
        return GENERIC

    def begin(self, values: dict[str, Any], seats: int, seed: int) -> P:  # noqa: ARG002
        """Return the start of a game on the board among the options."""
        board = values["board"]
        position: P = self.position_type(self, board, self.make_setup(board, values))  # type: ignore[assignment]
        return position

    def move_text(self, setup: Setup, move: int) -> str:  # noqa: ARG002
        """Return the number of the vertex, or of the outcome at a chance node, as a text."""
        if move < 0:
            raise IllegalMove(f"{self.name}: there is no vertex {move}")
        return str(move)

    def parse_move(self, setup: Setup, text: str) -> int:  # noqa: ARG002
        """Return the vertex, or the outcome, with this number."""
        if not _CODE.fullmatch(word := text.strip()):
            raise IllegalMove(
                f"{self.name}: {described(text)} is not a move; moves are the numbers of vertices"
            )
        return int(word)


class VertexPresentation(Presentation[P]):
    """The board with the fills of its vertices.

    Parameters
    ----------
    game
        The game, which has the fills and their look.
    """

    def __init__(self, game: VertexGame[P]) -> None:
        self.game = game

    def scene(self, position: P) -> Scene:
        """Return the board with the fills of its vertices.

        Raises
        ------
        GameFault
            If there is not one fill for each vertex.
        """
        board, fills = position.board, self.game.fills(position)
        if np.shape(fills) != (board.n,):
            raise GameFault(
                f"{self.game.name}: fills must return a number for each of {board.n} vertices, "
                f"not an array of shape {np.shape(fills)}"
            )
        return Scene(
            positions=board.positions,
            outline_offsets=board.outline_offsets,
            outline_points=board.outline_points,
            fills=np.asarray(fills, np.int32),
            palette=tuple(self.game.palette),
            links=board.edges() if board.links else None,
        )

    def ways(self, position: P) -> Iterator[Sequence[int]]:
        """Yield for each move its vertex, and nothing for other moves and outcomes of chance."""
        if position.move_count == len(position.history):
            yield from ((move,) if move < position.board.n else () for move in position.history)
            return
        board = Position(self.game, position.board, position.setup)
        for move in position.history:
            yield () if board.is_chance or move >= board.board.n else (move,)
            board.push(move)

    def seat_facts(self, position: P, seat: int) -> SeatFacts:  # noqa: ARG002
        """Return the name of the seat's pieces as its color."""
        named = 1 + seat < len(self.game.palette)
        return SeatFacts(color=self.game.palette[1 + seat].name if named else "")


class VertexInteraction(Interaction[P]):
    """Moves are chosen by pointing at a vertex.

    Parameters
    ----------
    game
        The game, which knows the taken vertices.
    """

    written_as = "the number of a cell, such as 5"

    def __init__(self, game: VertexGame[P]) -> None:
        self.game = game

    def pointed(self, position: P, move: int) -> Sequence[Collection[int]]:
        """Return the vertex of a move as its only part; nothing for other moves."""
        return ((move,),) if move < position.board.n else ()

    def tasks(self, position: P) -> Sequence[str]:  # noqa: ARG002
        """Return the instruction to choose a cell."""
        return ("Choose a cell",)

    def why_not_cells(self, position: P, cells: Sequence[int]) -> str:
        """Return that the last cell is taken, if it is; else that it may not be chosen."""
        return self.why_not_move(position, cells[-1]) or f"You may not choose {cells[-1]} now"

    def why_not_move(self, position: P, move: int) -> str:
        """Return that the vertex is taken, if it is."""
        fills = self.game.fills(position)
        return f"{move} is taken" if 0 <= move < len(fills) and fills[move] != FREE else ""
