"""The settings of learning: a run goes on only with the same settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ludograph.errors import InvalidInput
from ludograph.games import Position
from ludograph.learning.selfplay import SelfPlayOptions
from ludograph.rules.products import LANES


@dataclass(frozen=True)
class LearningSettings:
    """The settings that determine a run's results.

    Attributes
    ----------
    boards
        The boards as texts of the command line.
    options
        The other options of the game, as texts.
    games
        The games of each round, on all boards together.
    channels, layers
        The sizes of the network.
    rate
        The learning rate of AdamW. With 3e-3 the network of Hex 5 x 5 became worse and worse.
    batch
        Positions in a batch.
    reuse
        The mean number of times that a position is used for learning.
    window
        The greatest number of newest positions from which batches are drawn.
    start
        The digest of the network with the run's first numbers; None: random ones.
    teacher
        The strategy whose games are learned from; None: the games of the network itself.
    """

    boards: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    seats: int = 2
    seed: int = 0
    games: int = 128
    channels: int = 32
    layers: int = 6
    rate: float = 3e-3
    batch: int = 64
    reuse: float = 6.0
    window: int = 100_000
    selfplay: SelfPlayOptions = field(default_factory=SelfPlayOptions)
    start: str | None = None
    teacher: str | None = None

    def __post_init__(self) -> None:
        """Raise InvalidInput if there is no network with these channels."""
        if self.channels % LANES:
            raise InvalidInput(
                f"channels of a network must be a multiple of {LANES}, got {self.channels}"
            )

    def to_data(self) -> dict[str, Any]:
        """Return the settings as JSON-able data."""
        return {**asdict(self), "boards": list(self.boards), "options": dict(self.options)}


@dataclass(frozen=True)
class Task:
    """The task of a run.

    Attributes
    ----------
    game
        The name of the game.
    make_position
        Called with the place of a board and a whole number; returns a start that is drawn by it.
    """

    game: str
    make_position: Callable[[int, int], Position]
    settings: LearningSettings
