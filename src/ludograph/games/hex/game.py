"""Hex under its name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ludograph.boards import Board
from ludograph.errors import InvalidInput
from ludograph.games.declaration import Declaration
from ludograph.games.game import Game
from ludograph.games.hex import notation, observation, playouts, pruning, rules
from ludograph.games.hex.boards.layouts import COLOR_NAMES, hex_board
from ludograph.games.hex.connections import verdicts
from ludograph.games.hex.evaluation import by_distance
from ludograph.games.hex.network import judging
from ludograph.games.hex.options import DECLARATION
from ludograph.games.hex.patterns import priors
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.setup import BLACK, NOBODY, WHITE, HexSetup, make_setup
from ludograph.games.options import Numbers, Option
from ludograph.games.outcome import Outcome
from ludograph.games.solution import Progress, Solution, nobody
from ludograph.games.strategy import Strategy
from ludograph.games.wording import SeatFacts
from ludograph.rules import Setup, register
from ludograph.rules.dispatch import same_rules
from ludograph.views import Scene

if TYPE_CHECKING:
    from ludograph.games.dialogue import ProgramInterface
    from ludograph.games.first_moves import FirstMoves
    from ludograph.games.library import LibraryInterface

register(
    HexSetup,
    rules.hex_sample_move,
    rules.hex_amaf_owners,
    rules.hex_key,
    playouts.hex_playout,
    playouts.hex_amaf_playout,
    by_distance.hex_evaluate,
    pruning.hex_candidates,
    verdicts.hex_settle,
    priors.hex_priors,
    judging.hex_judge,
    observation.hex_observation,
    observation.hex_observe,
    observation.hex_touch,
)

BORDERS = tuple(Option(name, Numbers("vertices"), None, "its border") for name in COLOR_NAMES)
"""What records hold beside the options."""


class Hex(Game[HexPosition]):
    """Join your two borders with a path of your stones before the other player joins theirs."""

    declaration: ClassVar[Declaration] = DECLARATION
    version: ClassVar[int] = 1
    setup_type: ClassVar[type] = HexSetup
    written_as: ClassVar[str] = "a free vertex, or swap for the other side's opening"

    @staticmethod
    def board(size: int = 11) -> Board:
        """Return the usual board: a rhombus of size x size free hexagons between the borders.

        Raises
        ------
        InvalidInput
            If the size is less than 1.
        """
        if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 1:
            raise InvalidInput(f"hex: the size must be a whole number from 1, got {size!r}")
        return hex_board(int(size) + 1)

    def begin(self, values: dict[str, Any], seats: int, seed: int) -> HexPosition:  # noqa: ARG002
        """Return the start of a game of Hex.

        The board needs the marks ``black`` and ``white``: two connected chains of border vertices
        each. See :func:`hex_board`.
        """
        return HexPosition(self, values["board"], make_setup(values["board"], pie=values["pie"]))

    def samples(self) -> Iterator[HexPosition]:
        """Yield a small board."""
        yield self.position(3)

    def values_of(self, position: HexPosition) -> dict[str, Any]:
        """Return whether the pie rule holds."""
        return {"pie": position.pie}

    def describe(self, position: HexPosition) -> dict[str, Any]:
        """Return the options, and the borders, which not every board brings along."""
        borders = position.borders
        black, white = (np.flatnonzero(borders == color).tolist() for color in (BLACK, WHITE))
        return {**super().describe(position), "black": black, "white": white}

    def restore(self, board: Board, data: Mapping[str, Any]) -> HexPosition:
        """Return the start of the game that :meth:`describe` wrote down."""
        values = self.declaration.from_data(data, BORDERS)
        borders = {name: np.array(values.pop(name), np.int64) for name in COLOR_NAMES}
        same = all(
            name in board.marks and np.array_equal(np.sort(board.marks[name]), vertices)
            for name, vertices in borders.items()
        )
        return self.position(
            board if same else board.with_marks({**board.marks, **borders}), **values
        )

    def move_text(self, setup: Setup, move: int) -> str:
        """Return the coordinates or the number of a vertex, or ``swap``."""
        return notation.move_text(setup, move)

    def parse_move(self, setup: Setup, text: str) -> int:
        """Return the code of a vertex, or of ``swap``."""
        return notation.parse_move(setup, text)

    def called(self, position: HexPosition, move: int) -> str:
        """Return a vertex by its number and its coordinates."""
        from ludograph.games.hex import refusals

        return refusals.called(position, move) or super().called(position, move)

    def reason_against(self, position: HexPosition, move: int) -> str:
        """Return why a vertex cannot be played on: whose stone or border is there."""
        from ludograph.games.hex import refusals

        return refusals.reason_against(position, move)

    def objection(self, position: HexPosition, cells: Sequence[int]) -> str:
        """Return whose border it is, or that a stone is there."""
        from ludograph.games.hex import refusals

        return refusals.objection(position, cells[-1])

    def tasks(self, position: HexPosition) -> Sequence[str]:
        """Return that a stone is to be put, or the sides may be swapped."""
        more = ", or swap" if position.may_swap else ""
        return (f"Put a stone on a free cell{more}",)

    def action(self, position: HexPosition, move: int) -> str:
        """Return what a swap does; else the cell."""
        if move == position.swap:
            return "Swap: take the opening stone and its color"
        return super().action(position, move)

    def pointed(self, position: HexPosition, move: int) -> tuple[tuple[int, ...], ...]:
        """Return the vertex; nothing for ``swap``, which is typed."""
        return ((move,),) if move < position.board.n else ()

    def pieces(self, position: HexPosition) -> Sequence[int]:  # noqa: ARG002
        """Return that cells are free, or have a stone."""
        from ludograph.games.hex.arranging import PIECES

        return PIECES

    def arranged(self, position: HexPosition, fills: Sequence[int]) -> HexPosition:
        """Return the position with these stones, put down in turn."""
        from ludograph.games.hex.arranging import arranged

        return arranged(position, fills)

    def ways(self, position: HexPosition) -> Iterator[Sequence[int]]:
        """Yield the vertex of each stone; nothing for ``swap``."""
        return ((move,) if move < position.board.n else () for move in position.history)

    def cell_names(self, position: HexPosition) -> Mapping[int, str]:
        """Return the names of the cells between the borders, such as ``c5``."""
        playable = np.flatnonzero(position.borders == NOBODY).tolist()
        return {vertex: position.text(int(vertex)) for vertex in playable}

    def seat_facts(self, position: HexPosition, seat: int) -> SeatFacts:
        """Return the color that a seat plays now: ``black`` or ``white``."""
        return SeatFacts(color=COLOR_NAMES[position.color(seat)])

    def scene(self, position: HexPosition) -> Scene:
        """Return the picture of a position."""
        from ludograph.games.hex.scene import hex_scene

        return hex_scene(position)

    @property
    def strategies(self) -> Mapping[str, Strategy]:
        """The built-in strategies by name."""
        from ludograph.games.hex.strategies import STRATEGIES
        from ludograph.games.searching import GENERIC

        return STRATEGIES if same_rules(self.setup_type, HexSetup) else GENERIC

    def result(self, position: HexPosition, outcome: Outcome, names: Sequence[str]) -> str:
        """Return who won with which color, and when."""
        seat = outcome.winner
        if seat is None:
            return (
                f"A draw: the board is full after {position.ply} moves and no borders are joined."
            )
        color = COLOR_NAMES[position.color(seat)]
        return f"{names[seat]} (seat {seat}, {color}) wins after {position.ply} moves."

    def openings(self, suite: str, position: HexPosition) -> Sequence[str]:
        """Return first stones after which both sides win about as often."""
        from ludograph.games.hex.openings import near_even

        if suite == "near-even" and not position.is_variant:
            return near_even(position)
        return super().openings(suite, position)

    def solve(self, position: HexPosition, seconds: float, progress: Progress = nobody) -> Solution:
        """Tell which openings of a board win; of a game under way, who wins it."""
        if position.is_variant:
            return super().solve(position, seconds, progress)
        from ludograph.games.hex.solving.answers import openings, winner

        if position.ply == 0:
            return openings(position, seconds, progress)
        return winner(position, seconds)

    def solver(self) -> Callable[[HexPosition, float], Solution]:
        """Return what tells who wins positions of a board, without the moves."""
        from ludograph.games.hex.solving.answers import Winners

        winners = Winners()

        def solve(position: HexPosition, seconds: float) -> Solution:
            known = not position.is_variant
            return winners(position, seconds) if known else self.solve(position, seconds)

        return solve

    def first_moves(self, position: HexPosition) -> FirstMoves | None:
        """Return the openings of a board, without the pie rule."""
        if position.is_variant:
            return None
        from ludograph.games.hex.solving.answers import first_moves

        return first_moves(position)

    def library_interface(self) -> LibraryInterface:
        """Return how C libraries play Hex."""
        from ludograph.games.hex.native import HexLibrary

        return HexLibrary()

    def program_interface(self, protocol: str) -> ProgramInterface | None:
        """Return how programs that speak HTP play Hex."""
        from ludograph.games.hex.htp import HexPrograms

        return HexPrograms() if protocol == "htp" else None


hex = Hex()
