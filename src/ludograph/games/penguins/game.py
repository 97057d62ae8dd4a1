"""Penguins under its name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ludograph import boards
from ludograph.boards import Board
from ludograph.errors import InvalidInput
from ludograph.games.declaration import Declaration
from ludograph.games.game import Game
from ludograph.games.knowledge import holds_for
from ludograph.games.outcome import Outcome
from ludograph.games.penguins import (
    bounds,
    evaluation,
    notation,
    observation,
    playouts,
    rules,
)
from ludograph.games.penguins.options import DECLARATION, TILINGS, make_board
from ludograph.games.penguins.position import PenguinsPosition
from ludograph.games.penguins.search_setup import PenguinsSearchSetup, make_search_setup
from ludograph.games.penguins.setup import PenguinsSetup, check_players, draw_fish, make_setup
from ludograph.games.solution import Progress, Solution, nobody
from ludograph.games.strategy import Strategy
from ludograph.games.wording import SeatFacts
from ludograph.rules import Setup, register
from ludograph.rules.dispatch import same_rules
from ludograph.views import Scene

if TYPE_CHECKING:
    from ludograph.games.library import LibraryInterface

register(
    PenguinsSetup,
    rules.penguins_sample_move,
    rules.penguins_drop,
    rules.penguins_key,
    playouts.penguins_leaf_value,
    evaluation.penguins_evaluate,
    observation.penguins_observation,
    observation.penguins_observe,
    observation.penguins_touch,
)
register(
    PenguinsSearchSetup,
    bounds.penguins_proven_scores,
    bounds.penguins_score_bounds_at,
    otherwise="base",
)


class Penguins(Game[PenguinsPosition]):
    """Slide over ice that melts behind you, and collect more fish than anybody else."""

    declaration: ClassVar[Declaration] = DECLARATION
    version: ClassVar[int] = 1
    setup_type: ClassVar[type] = PenguinsSetup
    written_as: ClassVar[str] = "a tile to place a penguin on, then as from-to"

    @staticmethod
    def board(tiling: str = "full-hexa", width: int = 8, height: int | None = None) -> Board:
        """Return a board of ``width * height`` tiles; the height is the width unless given.

        Parameters
        ----------
        tiling
            ``full-tetra``, ``full-hexa``, ``octo-tetra``, ``dodeca-hexa-tetra`` or ``penrose``.

        Raises
        ------
        InvalidInput
            If there is no such tiling, or it has no board of this size.
        """
        if tiling not in TILINGS:
            raise InvalidInput(
                f"penguins: no tiling {tiling!r:.40}; there are {', '.join(TILINGS)}"
            )
        return make_board(tiling, width, height)

    def begin(self, values: dict[str, Any], seats: int, seed: int) -> PenguinsPosition:
        """Return the start of a game of Penguins; fish that are not given are drawn."""
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
        return PenguinsPosition(self, board, make_setup(board, counts, seats, penguins))

    def samples(self) -> Iterator[PenguinsPosition]:
        """Yield small ice."""
        yield self.position(boards.full_hexa(4), penguins=1)

    def values_of(self, position: PenguinsPosition) -> dict[str, Any]:
        """Return the fish, and how many penguins each player has."""
        setup = position.setup
        return {"penguins": setup.penguins, "fish": setup.fish}

    def move_text(self, setup: Setup, move: int) -> str:
        """Return ``17`` for a placement, ``12-17`` for a move."""
        return notation.move_text(setup, move)

    def parse_move(self, setup: Setup, text: str) -> int:
        """Return the code of a placement or a move."""
        return notation.parse_move(setup, text)

    def tasks(self, position: PenguinsPosition) -> Sequence[str]:
        """Return that a penguin is to be placed, or picked and then moved."""
        if position.is_placing:
            return ("Place a penguin on a tile with one fish",)
        return ("Pick one of your penguins", "Choose where it slides")

    def objection(self, position: PenguinsPosition, cells: Sequence[int]) -> str:
        """Return why no penguin is placed there, or slides there."""
        from ludograph.games.penguins import refusals

        return refusals.objection(position, cells)

    def pointed(self, position: PenguinsPosition, move: int) -> tuple[tuple[int, ...], ...]:
        """Return the tile of a placement, from and to of a move."""
        first, *others = position.path(move)
        return ((first,), (others[-1],)) if others else ((first,),)

    def pieces(self, position: PenguinsPosition) -> Sequence[int]:
        """Return how many fish a tile may have, and that a penguin of each seat may be placed."""
        from ludograph.games.penguins.arranging import pieces

        return pieces(position)

    def arranged(self, position: PenguinsPosition, fills: Sequence[int]) -> PenguinsPosition:
        """Return the position with these fish, and these penguins placed in turn."""
        from ludograph.games.penguins.arranging import arranged

        return arranged(position, fills)

    def ways(self, position: PenguinsPosition) -> Iterator[Sequence[int]]:
        """Yield the tiles over which each penguin went."""
        return (position.path(move) for move in position.history)

    def seat_facts(self, position: PenguinsPosition, seat: int) -> SeatFacts:
        """Return the color of a seat's penguins, its fish, and whether no penguin can move."""
        return SeatFacts(
            color=color_of(position, seat),
            holding="out" if position.is_eliminated(seat) else f"{position.eaten(seat)} fish",
            stuck="no penguin can move any more" if position.is_stuck(seat) else "",
        )

    def hint(self, position: PenguinsPosition, move: int) -> str:
        """Return what the move gets: from where and to where is shown."""
        *_, tile = path = position.path(move)
        if len(path) == 1:
            return "place a penguin on the marked tile"
        return f"slide the marked penguin to the marked tile: {position.fish(tile)} fish"

    def announce(self, position: PenguinsPosition, move: int) -> str:
        """Return that a penguin was placed, or slid: where is seen."""
        return "slides a penguin" if len(position.path(move)) > 1 else "places a penguin"

    def label(self, position: PenguinsPosition, move: int) -> str:
        """Return what a penguin has got."""
        *_, tile = path = position.path(move)
        fish = f"{position.fish(tile)} fish"
        return f"slides: {fish}" if len(path) > 1 else f"placed: {fish}"

    def scene(self, position: PenguinsPosition) -> Scene:
        """Return the picture of a position."""
        from ludograph.games.penguins.scene import penguins_scene

        return penguins_scene(position)

    def search_setup(self, setup: Setup) -> Setup:
        """Return a Setup that remembers what has been proven of isolated penguins."""
        known = same_rules(type(setup), PenguinsSetup)
        return make_search_setup(setup) if known else setup

    @property
    def strategies(self) -> Mapping[str, Strategy]:
        """The built-in strategies by name."""
        from ludograph.games.penguins.strategies import STRATEGIES
        from ludograph.games.searching import GENERIC

        return STRATEGIES if same_rules(self.setup_type, PenguinsSetup) else GENERIC

    def solve(
        self,
        position: PenguinsPosition,
        seconds: float,
        progress: Progress = nobody,
    ) -> Solution:
        """Tell what best play leads to, to the last fish."""
        if not holds_for(position, PenguinsSetup):
            return super().solve(position, seconds, progress)
        from ludograph.games.penguins.answers import best_play

        return best_play(position, seconds)

    def library_interface(self) -> LibraryInterface:
        """Return how C libraries play Penguins."""
        from ludograph.games.penguins.native import PenguinsLibrary

        return PenguinsLibrary()

    def result(self, position: PenguinsPosition, outcome: Outcome, names: Sequence[str]) -> str:
        """Return who won with how many fish."""
        who = [
            f"{name} (seat {seat}, {color_of(position, seat)})" for seat, name in enumerate(names)
        ]
        fish = [int(score) for score in outcome.scores]
        if outcome.winner is None:
            even = outcome.winners
            return (
                f"A draw between {' and '.join(who[s] for s in even)}, {fish[even[0]]} fish each."
            )
        others = ", ".join(
            str(count) if count >= 0 else "none (out)"
            for seat, count in enumerate(fish)
            if seat != outcome.winner
        )
        return f"{who[outcome.winner]} wins, {fish[outcome.winner]} fish to {others}."


def color_of(position: PenguinsPosition, seat: int) -> str:
    """Return the color of a seat's penguins."""
    from ludograph.games.penguins.scene import player_colors

    return player_colors(position.seats)[seat].name


penguins = Penguins()
