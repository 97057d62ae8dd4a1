"""The game of Hex."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from ludograph.boards import Board
from ludograph.errors import InvalidInput
from ludograph.games.declaration import Declaration
from ludograph.games.hex import notation, observation, playouts, pruning, rules
from ludograph.games.hex.connections import verdicts
from ludograph.games.hex.evaluation import distances, patterns
from ludograph.games.hex.interaction import HexInteraction
from ludograph.games.hex.layouts import COLOR_NAMES, hex_board
from ludograph.games.hex.options import DECLARATION
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.presentation import PALETTE, HexPresentation, fills_of
from ludograph.games.hex.setup import BLACK, WHITE, HexSetup, make_setup
from ludograph.games.interop import Engine, Interop
from ludograph.games.options import Numbers, Option
from ludograph.games.position import Position
from ludograph.games.search_view import SearchView
from ludograph.games.strategy import Strategy
from ludograph.games.vertex_game import VertexGame
from ludograph.rules import register
from ludograph.rules.dispatch import same_rules
from ludograph.search.searched import TREE
from ludograph.views import Swatch

if TYPE_CHECKING:
    from ludograph.games.hex.solving.answers import HexSolving

register(
    HexSetup,
    rules.hex_sample_move,
    rules.hex_key,
    playouts.hex_playout,
    playouts.hex_leaf_value,
    distances.hex_evaluate,
    pruning.hex_candidates,
    verdicts.hex_settle,
    patterns.hex_weigh,
    observation.hex_observation,
    observation.hex_observe,
    observation.hex_touch,
)

BORDERS = tuple(Option(name, Numbers("vertices"), None, "its border") for name in COLOR_NAMES)
"""The fields of records in addition to the options: the border vertices of each color."""


class Hex(VertexGame[HexPosition]):
    """Hex: a seat wins by joining its two borders with a path of its stones before the other."""

    declaration: ClassVar[Declaration] = DECLARATION
    version: ClassVar[int] = 1
    setup_type: ClassVar[type] = HexSetup
    move_text = staticmethod(notation.move_text)
    parse_move = staticmethod(notation.parse_move)
    position_type: ClassVar[type[Position]] = HexPosition
    palette: ClassVar[Sequence[Swatch]] = PALETTE

    def feature_range(self, setup: HexSetup) -> tuple[float, float]:  # noqa: ARG002
        """Return the least and the greatest number of a learner's view."""
        return 0.0, 1.0

    @staticmethod
    def board(size: int = 11) -> Board:
        """Return the usual board: a rhombus of size x size free hexagons between the borders.

        Raises
        ------
        InvalidInput
            If the size is not a whole number from 1.
        """
        if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 1:
            raise InvalidInput(f"hex: the size must be a whole number from 1, got {size!r}")
        return hex_board(int(size) + 1)

    def make_setup(self, board: Board, values: Mapping[str, Any]) -> HexSetup:
        """Return the Setup of a game of Hex.

        The board needs the marks ``black`` and ``white``, each on two connected chains of border
        vertices, see :func:`hex_board`.

        Raises
        ------
        InvalidInput
            If the marks of the board are not such chains.
        """
        found: HexSetup = self.setup_type(*make_setup(board, pie=values["pie"]))
        return found

    def fills(self, position: HexPosition) -> npt.NDArray[np.integer[Any]]:
        """Return the look of each vertex: free, a stone of a color, or a border of a color."""
        return fills_of(position)

    @property
    def presentation(self) -> HexPresentation:
        """The picture with stones and borders, and sentences with colors."""
        return HexPresentation(self)

    @property
    def interaction(self) -> HexInteraction:
        """Moves are chosen by pointing at cells; the swap is typed."""
        return HexInteraction(self)

    def samples(self) -> Iterator[HexPosition]:
        """Yield the start of a game on a small board."""
        yield self.position(3)

    def warm_up_starts(self) -> Iterator[HexPosition]:
        """Yield the start of a game for each length of the solver's sets of cells."""
        yield from self.samples()
        yield self.position(9)
        yield self.position(12)

    def values_of(self, position: HexPosition) -> dict[str, Any]:
        """Return the options of a position's game: whether the pie rule holds."""
        return {"pie": position.pie}

    def describe(self, position: HexPosition) -> dict[str, Any]:
        """Return the options, and the border vertices, which boards in records may lack."""
        borders = position.borders
        black, white = (np.flatnonzero(borders == color).tolist() for color in (BLACK, WHITE))
        return {**super().describe(position), "black": black, "white": white}

    def restore(self, board: Board, data: Mapping[str, Any]) -> HexPosition:
        """Return the start of the game that :meth:`describe` described."""
        values = self.declaration.from_data(data, BORDERS)
        borders = {name: np.array(values.pop(name), np.int64) for name in COLOR_NAMES}
        same = all(
            name in board.marks and np.array_equal(np.sort(board.marks[name]), vertices)
            for name, vertices in borders.items()
        )
        return self.position(
            board if same else board.with_marks({**board.marks, **borders}), **values
        )

    def search_view(self, position: HexPosition, kind: str) -> SearchView:
        """Return the game without the pie rule, and the knowledge of Hex, for a tree search."""
        if kind == TREE and not position.is_variant:
            from ludograph.games.hex.strategies.searches import hex_view

            return hex_view(position)
        return super().search_view(position, kind)

    @property
    def strategies(self) -> Mapping[str, Strategy]:
        """The built-in strategies by name."""
        from ludograph.games.hex.strategies import STRATEGIES
        from ludograph.games.searching import GENERIC

        return STRATEGIES if same_rules(self.setup_type, HexSetup) else GENERIC

    @property
    def interop(self) -> Interop:
        """The interfaces of C libraries and of programs with HTP that play Hex; their files."""
        from ludograph.games.hex.htp import HexPrograms
        from ludograph.games.hex.native import HexLibrary
        from ludograph.games.hex.sgf import HexSgf

        return Interop(HexLibrary(), {"htp": HexPrograms()}, {"htp": htp_engine}, {"sgf": HexSgf()})

    @property
    def solving(self) -> HexSolving:
        """The solvers: the winner of a position, the winning openings; and near-even openings."""
        from ludograph.games.hex.solving.answers import HexSolving

        return HexSolving()


def htp_engine(create: Callable[[], Any], **options: Any) -> Engine:
    """Return an engine, which is imported only now: it needs the solvers."""
    from ludograph.games.hex.engine.engine import HtpEngine

    return HtpEngine(create, **options)


hex = Hex()
