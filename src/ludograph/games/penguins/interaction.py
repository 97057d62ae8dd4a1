"""Penguins for human players: the steps of a turn, moves by pointing, illegal moves in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ludograph.errors import InvalidInput
from ludograph.games.interaction import Interaction
from ludograph.games.penguins.artwork import penguin
from ludograph.games.penguins.position import PenguinsPosition
from ludograph.games.penguins.presentation import PENGUINS, piece_size, player_colors
from ludograph.views import Sketch


class PenguinsInteraction(Interaction[PenguinsPosition]):
    """The texts of a human player's turn, and the choice of a move by pointing."""

    written_as = "a tile to place a penguin on, then as from-to"

    def tasks(self, position: PenguinsPosition) -> Sequence[str]:
        """Return the steps of a turn: place a penguin, or pick one and then its target."""
        if position.is_placing:
            return ("Place a penguin on a tile with one fish",)
        return ("Pick one of your penguins", "Choose where it slides")

    def confirmation(self, position: PenguinsPosition) -> str:
        """Return the label of the button that confirms a placement or a slide."""
        return "Place it here" if position.is_placing else "Slide here"

    def put(self, position: PenguinsPosition, move: int) -> Sequence[Sketch]:
        """Return the penguin of a placement."""
        *_, tile = path = position.path(move)
        if len(path) > 1:
            return ()
        color = player_colors(position.seats)[position.turn or 0].rgb
        x, y = position.board.positions[tile].tolist()
        return (Sketch(penguin(color, piece_size(position.board)), (x, y)),)

    def hint(self, position: PenguinsPosition, move: int) -> str:
        """Return the effect of a move; its tiles are visible in the picture."""
        *_, tile = path = position.path(move)
        if len(path) == 1:
            return "place a penguin on the marked tile"
        return f"slide the marked penguin to the marked tile: {position.fish(tile)} fish"

    def pointed(self, position: PenguinsPosition, move: int) -> tuple[tuple[int, ...], ...]:
        """Return the tile of a placement, or source and target of a slide."""
        first, *others = position.path(move)
        return ((first,), (others[-1],)) if others else ((first,),)

    def why_not_cells(self, position: PenguinsPosition, cells: Sequence[int]) -> str:
        """Return why no placement begins with this tile, or no slide with these two; else empty."""
        *before, tile = cells
        owner, fish = position.owner(tile), position.fish(tile)
        if not fish:
            return "The ice has melted there"
        if before or position.is_placing:
            if owner is not None:
                return "A penguin stands there"
            if before:
                return "No straight way over free ice leads there"
            return "" if fish == 1 else f"Penguins begin on one fish; here are {fish}"
        if owner is None:
            return "No penguin of yours stands there"
        if owner != position.turn:
            return f"That is a penguin of {player_colors(position.seats)[owner].name}"
        can = any(position.path(move)[0] == tile for move in position.legal_moves())
        return "" if can else "This penguin has nowhere to go"

    def pieces(self, position: PenguinsPosition) -> Sequence[int]:
        """Return one to three fish, and a penguin of each seat."""
        return range(1, PENGUINS + position.seats)

    def arranged(self, position: PenguinsPosition, fills: Sequence[int]) -> PenguinsPosition:
        """Return the position with these fish and penguins; a penguin's tile has one fish.

        Raises
        ------
        InvalidInput
            If a player has too many penguins, or these numbers cannot arise by turns.
        """
        own = [
            [tile for tile, fill in enumerate(fills) if fill == PENGUINS + seat]
            for seat in range(position.seats)
        ]
        counts = [len(tiles) for tiles in own]
        if counts != sorted(counts, reverse=True) or counts[0] - counts[-1] > 1:
            names = ", ".join(
                f"{count} of {swatch.name}"
                for count, swatch in zip(counts, player_colors(position.seats), strict=True)
            )
            raise InvalidInput(f"penguins are placed in turn, one of each player: here are {names}")
        if counts[0] > position.setup.penguins:
            raise InvalidInput(f"each player has {position.setup.penguins} penguins")
        fish = np.where(np.asarray(fills) >= PENGUINS, 1, np.asarray(fills))
        found: PenguinsPosition = position.game.position(
            position.board, seats=position.seats, penguins=position.setup.penguins, fish=fish
        )
        for turn in range(sum(counts)):
            found.play(own[turn % found.seats][turn // found.seats])
        if found.is_over:
            raise InvalidInput("no penguin can move, so the game would be over")
        return found
