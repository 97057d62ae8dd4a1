"""The game of Flood."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from ludograph.boards import Board, square
from ludograph.errors import InvalidInput
from ludograph.formatting import counted
from ludograph.games.declaration import Declaration
from ludograph.games.flood import colorings, compact, evaluation, notation, observation, rules
from ludograph.games.flood.interaction import FloodInteraction
from ludograph.games.flood.options import DECLARATION
from ludograph.games.flood.position import FloodPosition
from ludograph.games.flood.presentation import FloodPresentation
from ludograph.games.flood.setup import FloodSetup, make_setup
from ludograph.games.game import Game
from ludograph.games.interop import Interop
from ludograph.games.search_view import SearchView
from ludograph.games.strategy import Strategy
from ludograph.rules import random_below, random_state, register
from ludograph.rules.dispatch import same_rules
from ludograph.search.searched import OWN

if TYPE_CHECKING:
    from ludograph.games.flood.solving import FloodSolving

register(
    FloodSetup,
    rules.flood_drop,
    rules.flood_sample_move,
    evaluation.flood_playout,
    evaluation.flood_evaluate,
    evaluation.flood_score_bounds,
    evaluation.flood_proof_numbers,
    rules.flood_key,
    observation.flood_observation,
    observation.flood_observe,
    observation.flood_touch,
)
register(
    compact.CompactSetup,
    compact.compact_key,
    compact.compact_territory,
    compact.compact_score_bounds,
    compact.compact_leaf_value,
    compact.compact_proven_scores,
)


class Flood(Game[FloodPosition]):
    """Flood: a move recolors a seat's zone, which gains the adjacent vertices of that color."""

    declaration: ClassVar[Declaration] = DECLARATION
    version: ClassVar[int] = 1
    setup_type: ClassVar[type] = FloodSetup
    move_text = staticmethod(notation.move_text)
    parse_move = staticmethod(notation.parse_move)
    presentation = FloodPresentation()
    interaction = FloodInteraction()

    def feature_range(self, setup: FloodSetup) -> tuple[float, float]:  # noqa: ARG002
        """Return the least and the greatest number of a learner's view."""
        return 0.0, 1.0

    def begin(self, values: dict[str, Any], seats: int, seed: int) -> FloodPosition:
        """Return the start of a game of Flood.

        Start vertices must have different colors. A generated coloring is changed to satisfy this;
        given colors are not.

        Raises
        ------
        InvalidInput
            If the options do not fit the board or each other, or if start vertices have equal given
            colors.
        """
        board, colors, starts = values["board"], values["colors"], values["starts"]
        if seats > board.n:
            raise InvalidInput(f"flood: {seats} seats do not fit on {counted(board.n, 'vertex')}")
        if seats > colors:
            raise InvalidInput(f"flood: {seats} seats need as many colors to start, got {colors}")
        where = check_starts(board, board.starts(seats) if starts is None else starts, seats)
        coloring = values["coloring"]
        if isinstance(coloring, str):
            painted = colorings.COLORINGS[coloring](board, colors, seed)
            painted = colorings.separate_starts(painted, where, colors)
        else:
            painted = np.asarray(coloring)
            if painted.dtype.kind not in "iu":
                raise InvalidInput("flood: a coloring is whole numbers, one color per vertex")
            painted = painted.astype(np.int32)
        forbidden = values["forbidden"]
        if isinstance(forbidden, int | str):
            forbidden = draw_forbidden(forbidden, colors, len(where), seed)
        setup = make_setup(board, painted, where, list(forbidden), colors, values["variant"])
        return FloodPosition(self, board, self.setup_type(*setup))

    def samples(self) -> Iterator[FloodPosition]:
        """Yield the start of a game on a small board for two seats, and for one seat."""
        yield self.position(square(4), colors=3)
        yield self.position(square(4), colors=3, seats=1)

    def warm_up_starts(self) -> Iterator[FloodPosition]:
        """Yield the samples, and a start for the greater length of sets of regions."""
        yield from self.samples()
        yield self.position(square(15), seed=1)

    def values_of(self, position: FloodPosition) -> dict[str, Any]:
        """Return the options of a position's game: colors, starts, forbidden sets and variant."""
        return {
            "colors": position.color_count,
            "coloring": position.first_colors,
            "starts": position.starts,
            "forbidden": [position.forbidden(seat) for seat in range(position.seats)],
            "variant": "capture" if position.captures else "standard",
        }

    def search_view(self, position: FloodPosition, kind: str) -> SearchView:
        """Return compact states if the game has them; a view of another kind is the game itself."""
        if not same_rules(type(position.setup), FloodSetup):
            return super().search_view(position, kind)
        from ludograph.games.flood.strategies import MIXED, CompactView

        setup = None if kind == OWN else compact.make_compact(position.setup)
        if setup is None:
            return SearchView(position.setup, options=MIXED)
        return CompactView(setup)

    @property
    def strategies(self) -> Mapping[str, Strategy]:
        """The built-in strategies by name."""
        from ludograph.games.flood.strategies import STRATEGIES
        from ludograph.games.searching import GENERIC

        return STRATEGIES if same_rules(self.setup_type, FloodSetup) else GENERIC

    @property
    def interop(self) -> Interop:
        """The interface of C libraries that play Flood."""
        from ludograph.games.flood.native import FloodLibrary

        return Interop(library=FloodLibrary())

    @property
    def solving(self) -> FloodSolving:
        """The solvers: the winner of a game of two, or the fewest moves of a single seat."""
        from ludograph.games.flood.solving import FloodSolving

        return FloodSolving()


def check_starts(
    board: Board, starts: Sequence[int] | npt.NDArray[np.integer[Any]], seats: int
) -> npt.NDArray[np.int32]:
    """Return start vertices as ``int32[seats]``.

    Raises
    ------
    InvalidInput
        Unless they are distinct vertices of the board, one for each seat.
    """
    where = np.asarray(starts)
    if where.shape != (seats,) or where.dtype.kind not in "iu":
        raise InvalidInput(f"flood: the starts must be {counted(seats, 'vertex')}, one per seat")
    for vertex in where.tolist():
        if not 0 <= vertex < board.n:
            raise InvalidInput(
                f"flood: there is no vertex {vertex} to start on, the board's vertices are "
                f"0 to {board.n - 1}"
            )
    if len(set(where.tolist())) < seats:
        raise InvalidInput(f"flood: the starts {where.tolist()} name a vertex twice")
    return where.astype(np.int32)


def draw_forbidden(count: int | str, colors: int, seats: int, seed: int) -> list[set[int]]:
    """Draw the forbidden colors of each seat.

    Parameters
    ----------
    count
        The number of forbidden colors of each seat, drawn independently for each; or a text such as
        ``"same:2"``, which gives the same colors to all seats.

    Raises
    ------
    InvalidInput
        If the text has another form, or unless the number is 0 to ``colors - 1``.
    """
    same = isinstance(count, str)
    if isinstance(count, str):
        found = re.fullmatch(r"same:([0-9]{1,3})", count)
        if not found:
            raise InvalidInput(
                "flood: forbidden colors are a number, same:number or a set per seat, "
                f"got {count!r:.40}"
            )
        count = int(found[1])
    if not 0 <= count < colors:
        raise InvalidInput(
            f"flood: the number of forbidden colors must be 0 to {colors - 1}, got {count}"
        )
    sets = []
    for seat in range(seats):
        rng = random_state(seed, 2, 0 if same else seat)
        bag = list(range(colors))
        sets.append({bag.pop(int(random_below(rng, len(bag)))) for _ in range(count)})
    return sets


flood = Flood()
