"""Penguins for spectators: the scene of a position, and events in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ludograph.games.outcome import Outcome
from ludograph.games.penguins.position import PenguinsPosition
from ludograph.games.penguins.scene import penguins_scene, player_colors
from ludograph.games.presentation import Presentation, SeatFacts, scores_of_others
from ludograph.views import Scene


class PenguinsPresentation(Presentation[PenguinsPosition]):
    """The scene of a position, and sentences about moves, seats and results."""

    def scene(self, position: PenguinsPosition) -> Scene:
        """Return the scene of a position."""
        return penguins_scene(position)

    def ways(self, position: PenguinsPosition) -> Iterator[Sequence[int]]:
        """Yield the tiles of each move, from source to target."""
        return (position.path(move) for move in position.history)

    def seat_facts(self, position: PenguinsPosition, seat: int) -> SeatFacts:
        """Return the color of a seat's penguins, its fish, and a note if no penguin can move."""
        return SeatFacts(
            color=color_of(position, seat),
            holding="out" if position.is_eliminated(seat) else f"{position.eaten(seat)} fish",
            stuck="no penguin can move any more" if position.is_stuck(seat) else "",
        )

    def announce(self, position: PenguinsPosition, move: int) -> str:
        """Return the source and the target of a slide in words, or the tile of a placement."""
        path = position.path(move)
        placed = f"places a penguin on {path[-1]}"
        return f"slides from {path[0]} to {path[-1]}" if len(path) > 1 else placed

    def label(self, position: PenguinsPosition, move: int) -> str:
        """Return the move and the fish on the tile, as in ``12-17: 2 fish``."""
        return f"{position.text(move)}: {position.fish(position.path(move)[-1])} fish"

    def result(self, position: PenguinsPosition, outcome: Outcome, names: Sequence[str]) -> str:
        """Return the winner and the fish of all seats, as a sentence."""
        who = [
            f"{name} (seat {seat}, {color_of(position, seat)})" for seat, name in enumerate(names)
        ]
        fish = [int(score) for score in outcome.scores]
        if outcome.winner is None:
            even = outcome.winners
            return (
                f"A draw between {' and '.join(who[s] for s in even)}, {fish[even[0]]} fish each."
            )
        others = scores_of_others(fish, outcome.winner)
        return f"{who[outcome.winner]} wins, {fish[outcome.winner]} fish to {others}."


def color_of(position: PenguinsPosition, seat: int) -> str:
    """Return the name of the color of a seat's penguins."""
    return player_colors(position.seats)[seat].name
