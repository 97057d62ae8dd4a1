"""Carcassonne under its name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from ludograph import boards
from ludograph.boards import Board
from ludograph.counting import counted
from ludograph.errors import InvalidInput
from ludograph.games.carcassonne import (
    evaluation,
    notation,
    observation,
    playouts,
    rules,
)
from ludograph.games.carcassonne.decks import course
from ludograph.games.carcassonne.options import DECLARATION
from ludograph.games.carcassonne.position import CarcassonnePosition
from ludograph.games.carcassonne.setup import (
    FINITE_MEEPLE,
    MODES,
    NO_MEEPLE,
    CarcassonneSetup,
    make_setup,
)
from ludograph.games.declaration import Declaration
from ludograph.games.game import Game
from ludograph.games.library import LibraryInterface
from ludograph.games.outcome import Outcome
from ludograph.games.strategy import Strategy
from ludograph.games.wording import SeatFacts
from ludograph.rules import Setup, register
from ludograph.views import Region, Scene, Spot

register(
    CarcassonneSetup,
    rules.carcassonne_weights,
    rules.carcassonne_sample_move,
    rules.carcassonne_drop,
    rules.carcassonne_key,
    playouts.carcassonne_leaf_value,
    evaluation.carcassonne_evaluate,
    observation.carcassonne_observation,
    observation.carcassonne_observe,
    observation.carcassonne_touch,
)


class Carcassonne(Game[CarcassonnePosition]):
    """Lay tiles so that they fit, and close castles, roads and fields."""

    declaration: ClassVar[Declaration] = DECLARATION
    version: ClassVar[int] = 1
    setup_type: ClassVar[type] = CarcassonneSetup
    written_as: ClassVar[str] = (
        "x,y of a cell (up is y + 1), rN for N quarters clockwise, mV for a meeple on vertex V"
    )

    @staticmethod
    def table() -> Board:
        """Return the board that every game has: one vertex, as all that matters are the tiles."""
        return boards.from_edges(1, np.zeros((0, 2), np.int32), name="table")

    def begin(self, values: dict[str, Any], seats: int, seed: int) -> CarcassonnePosition:  # noqa: ARG002
        """Return the start of a game: the first tile lies, the next is to be dealt.

        The order of the deck is left to chance.
        """
        setup = make_setup(
            values["deck"],
            MODES.index(values["mode"]),
            seats=seats,
            meeples=values["meeples"],
            discard=values["discard"],
        )
        return CarcassonnePosition(self, self.table(), setup, deck=values["deck"])

    def samples(self) -> Iterator[CarcassonnePosition]:
        """Yield a small deck."""
        yield self.position(deck=course(8), mode="finite")

    def values_of(self, position: CarcassonnePosition) -> dict[str, Any]:
        """Return the deck, the mode with its meeples, and whether tiles are discarded."""
        setup = position.setup
        meeples = {"meeples": setup.meeples} if setup.mode == FINITE_MEEPLE else {}
        return {
            "mode": position.mode,
            "deck": position.deck,
            "discard": bool(setup.discard),
            **meeples,
        }

    def restore(self, board: Board, data: Mapping[str, Any]) -> CarcassonnePosition:
        """Return the start of the game that :meth:`describe` wrote down."""
        if board.n != 1:
            raise InvalidInput(
                f"carcassonne: it is played on a table of one vertex, not on {board.name!r:.60}"
            )
        return super().restore(board, data)

    def move_text(self, setup: Setup, move: int) -> str:
        """Return ``3,-1 r2 m4`` for a placement, ``deal GREEN`` for a tile that is dealt."""
        return notation.move_text(setup, move)

    def parse_move(self, setup: Setup, text: str) -> int:
        """Return the code of a placement or of a deal."""
        return notation.parse_move(setup, text)

    def describe_move(self, position: CarcassonnePosition, move: int) -> str:
        """Return ``plays 3,-1 r2``, what a meeple claims and what closes, or ``deals GREEN``."""
        if move >= len(position.deck.kinds):
            return f"{super().describe_move(position, move)}{effects(position, move)}"
        name = position.deck.kinds[move].name
        return f"deals {name}{'' if position.dealt is not None else unfit(position)}"

    def announce(self, position: CarcassonnePosition, move: int) -> str:
        """Return what a placement claims and closes; of a tile dealt only that it fits nowhere."""
        if move >= len(position.deck.kinds):
            return f"places the tile{effects(position, move)}"
        return "" if position.dealt is not None else f"deals a tile{unfit(position)}"

    def label(self, position: CarcassonnePosition, move: int) -> str:
        """Return what is on a tile that is dealt; of a placement what it claims and closes."""
        from ludograph.games.carcassonne.claims import contents

        if move >= len(position.deck.kinds):
            return (
                effects(position, move).removeprefix(" and ").removeprefix(", ") or "claims nothing"
            )
        return contents(position.deck.kinds[move].tile)

    def hint(self, position: CarcassonnePosition, move: int) -> str:
        """Return what the placement does: where it goes is shown."""
        told = self.action(position, move)
        return f"{told[:1].lower()}{told[1:]}"

    def reason_against(self, position: CarcassonnePosition, move: int) -> str:
        """Return why a placement is not legal: the cell, a side that does not match, a meeple."""
        from ludograph.games.carcassonne import refusals

        return refusals.reason_against(position, move)

    def seat_facts(self, position: CarcassonnePosition, seat: int) -> SeatFacts:
        """Return the color of a seat's meeples, and its points with the meeples in its hand."""
        from ludograph.games.carcassonne.claims import color_of

        points = int(position.scores()[seat])
        if points < 0:
            return SeatFacts(color_of(position, seat), holding="out")
        holding = counted(points, "point")
        if position.setup.mode == FINITE_MEEPLE:
            holding += f", {counted(position.meeples(seat) or 0, 'meeple')} left"
        return SeatFacts(color_of(position, seat), holding)

    def tasks(self, position: CarcassonnePosition) -> Sequence[str]:
        """Return that the tile is to be placed, then claimed in part, and confirmed."""
        put = "Put the tile on a dashed place"
        if position.setup.mode == NO_MEEPLE or position.meeples(position.turn or 0) == 0:
            return put, "Place it here"
        then = "Claim a free part, or place it without a meeple"
        return put, then, "Confirm, or choose otherwise"

    def objection_at(self, position: CarcassonnePosition, point: tuple[float, float]) -> str:
        """Return why the tile in hand cannot go to a place: it is taken, or no side fits."""
        from ludograph.games.carcassonne import refusals

        return refusals.objection_at(position, point)

    def action(self, position: CarcassonnePosition, move: int) -> str:
        """Return what a meeple claims, or that the tile is placed without one."""
        from ludograph.games.carcassonne.claims import action

        return action(position, move) or super().action(position, move)

    def spots(self, position: CarcassonnePosition, move: int) -> Sequence[Spot]:
        """Return the cell, the way the tile is turned, and where the meeple stands."""
        from ludograph.games.carcassonne.spots import spots

        return spots(position, move)

    def regions(self, position: CarcassonnePosition) -> Sequence[Region]:
        """Return fields, roads and castles, whose they are, and what they are worth."""
        from ludograph.games.carcassonne.holdings import regions

        return regions(position)

    def ways(self, position: CarcassonnePosition) -> Iterator[Sequence[int]]:
        """Yield a cell of each tile that was laid; nothing for a deal."""
        from ludograph.games.carcassonne.lettering import number_cells

        return number_cells(position)

    def cell_names(self, position: CarcassonnePosition) -> Mapping[int, str]:
        """Return where each tile lies, as in ``3,-1``."""
        from ludograph.games.carcassonne.lettering import names

        return names(position)

    def scene(self, position: CarcassonnePosition) -> Scene:
        """Return the picture of a position."""
        from ludograph.games.carcassonne.lettering import rows_and_columns
        from ludograph.games.carcassonne.scene import carcassonne_scene

        rows, columns = rows_and_columns(position)
        return replace(carcassonne_scene(position), rows=rows, columns=columns)

    @property
    def strategies(self) -> Mapping[str, Strategy]:
        """The built-in strategies by name."""
        from ludograph.games.carcassonne.strategies import STRATEGIES

        return STRATEGIES

    def library_interface(self) -> LibraryInterface:
        """Return how C libraries play Carcassonne."""
        from ludograph.games.carcassonne.native import CarcassonneLibrary

        return CarcassonneLibrary()

    def result(self, position: CarcassonnePosition, outcome: Outcome, names: Sequence[str]) -> str:  # noqa: ARG002
        """Return who won with how many points."""
        who = [f"{name} (seat {seat})" for seat, name in enumerate(names)]
        points = [int(score) for score in outcome.scores]
        if outcome.winner is None:
            even = outcome.winners
            each = counted(points[even[0]], "point")
            return f"A draw between {' and '.join(who[seat] for seat in even)}, {each} each."
        others = ", ".join(
            str(count) if count >= 0 else "none (out)"
            for seat, count in enumerate(points)
            if seat != outcome.winner
        )
        own = counted(points[outcome.winner], "point")
        return f"{who[outcome.winner]} wins, {own} to {others}."


def dropped(position: CarcassonnePosition) -> str:
    """Return who was eliminated by the tile just dealt: the seat, where the state shows it."""
    seats, seat = position.seats, position.next_seat
    gone: list[int] = []
    while len(gone) < seats and position.is_eliminated(seat := (seat - 1) % seats):
        gone.append(seat)
    return f"seat {gone[0]}" if len(gone) == 1 else "who was dealt it"


def effects(position: CarcassonnePosition, move: int) -> str:
    """Return what the last placement has claimed and closed, to be added to a sentence."""
    from ludograph.games.carcassonne.claims import closing, part

    vertex, laid = position.placement(move).vertex, position.last_tile
    claimed = "" if vertex is None else f" and claims {part(laid.tile, vertex)}"
    return f"{claimed}{closing(position)}"


def unfit(position: CarcassonnePosition) -> str:
    """Return what has come of a tile that fits nowhere, to be added to a sentence."""
    text = ", which fits nowhere"
    return text if position.setup.discard else f"{text}: {dropped(position)} is out"


carcassonne = Carcassonne()
