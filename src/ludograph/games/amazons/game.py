"""Amazons under its name."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from ludograph import boards
from ludograph.games.amazons import evaluation, notation, rules
from ludograph.games.amazons.options import DECLARATION
from ludograph.games.amazons.scene import amazons_scene
from ludograph.games.amazons.setup import AmazonsSetup, make_setup
from ludograph.games.amazons.strategies import STRATEGIES
from ludograph.games.declaration import Declaration
from ludograph.games.game import Game
from ludograph.games.outcome import Outcome
from ludograph.games.position import Position
from ludograph.rules import register
from ludograph.views import Scene

register(
    AmazonsSetup, rules.amazons_key, evaluation.amazons_evaluate, evaluation.amazons_leaf_value
)


class Amazons(Game[Position]):
    """Slide a queen and shoot an arrow; who cannot move any more has lost."""

    declaration: ClassVar[Declaration] = DECLARATION
    version: ClassVar[int] = 1
    setup_type: ClassVar[type] = AmazonsSetup
    strategies = STRATEGIES
    move_text = staticmethod(notation.move_text)
    parse_move = staticmethod(notation.parse_move)

    def begin(self, values: dict[str, Any], seats: int, seed: int) -> Position:  # noqa: ARG002
        """Return the start of a game; nothing is drawn for it."""
        return Position(self, values["board"], make_setup(values["board"], values["queens"]))

    def samples(self) -> Iterator[Position]:
        """Yield a small board."""
        yield self.position(boards.square(4), queens=1)

    def values_of(self, position: Position) -> dict[str, Any]:
        """Return how many queens each seat has."""
        return {"queens": len(position.setup.starts) // 2}

    def color_of(self, position: Position, seat: int) -> str:  # noqa: ARG002
        """Return the color of a seat's queens."""
        return ("white", "black")[seat]

    def scene(self, position: Position) -> Scene:
        """Return the picture of a position."""
        return amazons_scene(position)

    def result(self, position: Position, outcome: Outcome, names: Sequence[str]) -> str:
        """Return who made the last move, and when."""
        who = outcome.winner or 0
        color = self.color_of(position, who)
        return f"{names[who]} (seat {who}, {color}) wins after {position.ply} moves."


amazons = Amazons()
