"""Amazons under its name."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ludograph import boards
from ludograph.games.amazons import evaluation, notation, observation, rules
from ludograph.games.amazons.options import DECLARATION
from ludograph.games.amazons.position import AmazonsPosition
from ludograph.games.amazons.refusals import objection
from ludograph.games.amazons.scene import amazons_scene
from ludograph.games.amazons.setup import AmazonsSetup, make_setup
from ludograph.games.amazons.strategies import STRATEGIES
from ludograph.games.game import Game
from ludograph.games.outcome import Outcome
from ludograph.games.wording import SeatFacts
from ludograph.rules import register

register(
    AmazonsSetup,
    rules.amazons_key,
    evaluation.amazons_evaluate,
    evaluation.amazons_leaf_value,
    observation.amazons_observation,
    observation.amazons_observe,
    observation.amazons_touch,
)


COLORS = ("white", "black")
"""Of the queens, by seat."""


class Amazons(Game[AmazonsPosition]):
    """Slide a queen and shoot an arrow; who cannot move any more has lost."""

    declaration = DECLARATION
    version = 1
    setup_type = AmazonsSetup
    written_as = "from-to/arrow"
    strategies = STRATEGIES
    move_text = staticmethod(notation.move_text)
    parse_move = staticmethod(notation.parse_move)
    scene = staticmethod(amazons_scene)

    def begin(self, values: dict[str, Any], seats: int, seed: int) -> AmazonsPosition:  # noqa: ARG002
        """Return the start of a game; nothing is drawn for it."""
        board = values["board"]
        return AmazonsPosition(self, board, make_setup(board, values["queens"]))

    def samples(self) -> Iterator[AmazonsPosition]:
        """Yield a small board."""
        yield self.position(boards.square(4), queens=1)

    def values_of(self, position: AmazonsPosition) -> dict[str, Any]:
        """Return how many queens each seat has."""
        return {"queens": len(position.setup.starts) // 2}

    def tasks(self, position: AmazonsPosition) -> Sequence[str]:  # noqa: ARG002
        """Return what the three parts of a move are."""
        return "Pick one of your queens", "Choose where it goes", "Choose where its arrow lands"

    def objection(self, position: AmazonsPosition, cells: Sequence[int]) -> str:
        """Return what is in the way, or that no line leads there."""
        return objection(position, cells)

    def pointed(self, position: AmazonsPosition, move: int) -> tuple[tuple[int, ...], ...]:
        """Return from, to and the arrow."""
        n = position.board.n
        return (move // (n * n),), (move // n % n,), (move % n,)

    def ways(self, position: AmazonsPosition) -> Iterator[Sequence[int]]:
        """Yield the tile of each arrow."""
        return ((move % position.board.n,) for move in position.history)

    def cell_names(self, position: AmazonsPosition) -> Mapping[int, str]:
        """Return the names of the tiles, such as ``a1``."""
        return {tile: notation.tile_text(position.setup, tile) for tile in range(position.board.n)}

    def announce(self, position: AmazonsPosition, move: int) -> str:
        """Return that a queen has moved, and shot."""
        return f"moves a {self.label(position, move)}"

    def label(self, position: AmazonsPosition, move: int) -> str:
        """Return where a queen went, and where its arrow landed."""
        cells = (tile for part in self.pointed(position, move) for tile in part)
        start, end, arrow = (notation.tile_text(position.setup, tile) for tile in cells)
        return f"queen from {start} to {end}, arrow at {arrow}"

    def seat_facts(self, position: AmazonsPosition, seat: int) -> SeatFacts:  # noqa: ARG002
        """Return the color of a seat's queens."""
        return SeatFacts(color=COLORS[seat])

    def result(self, position: AmazonsPosition, outcome: Outcome, names: Sequence[str]) -> str:
        """Return who made the last move, and when."""
        who = outcome.winner or 0
        return f"{names[who]} (seat {who}, {COLORS[who]}) wins after {position.ply} moves."


amazons = Amazons()
