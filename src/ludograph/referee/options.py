"""Match options, gathered in one object, and the callbacks that observe a match."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludograph.games import Position
from ludograph.players import PlayerSpec
from ludograph.players.human import Front
from ludograph.players.isolation import Isolation
from ludograph.players.protocol import Playing
from ludograph.referee.clock import Clock, as_clock
from ludograph.referee.player_factory import is_foreign
from ludograph.referee.result import Fault, PlayedMove
from ludograph.referee.seed import Seed, as_seed

NO_CLOCK = "none"
"""The text for games without a clock."""

SERIES_CLOCK = "2s"
"""The clock of players in processes of their own, in a series without a clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchOptions:
    """The options of one match: clocks, seeds, opening, isolation, record.

    It is made once from its source: by :meth:`checked` from keywords, by a command from its
    options, by a page from its form. For the single games of a series or a tournament,
    ``dataclasses.replace`` makes the options from those that all games share.

    The fields are the keywords of :func:`~ludograph.referee.match.play_match` that decide the game,
    with clocks, seeds and isolation as objects.

    Examples
    --------
    >>> options = MatchOptions.checked(clock="1s", seed=7)
    >>> options.clock, options.seed
    (Clock(move=1.0, game=None, increment=0.0, start=None), Seed(7))
    """

    clock: Clock | None = None
    foreign_clock: Clock | None = None
    seed: Seed = field(default_factory=Seed.drawn)
    chance_seed: Seed | None = None
    hide_chance: bool = False
    opening: Sequence[int | str] = ()
    earlier: Sequence[PlayedMove] = ()
    spent: Mapping[int, float] = field(default_factory=dict)
    dealt: Sequence[int] = ()
    isolation: Isolation | None = None
    thoughts: bool = False
    raise_faults: bool = False
    record: Path | None = None

    def __post_init__(self) -> None:
        """Give chance its own seed if it is hidden."""
        if self.hide_chance and self.chance_seed is None:
            object.__setattr__(self, "chance_seed", Seed.drawn())

    @classmethod
    def checked(
        cls,
        *,
        clock: Clock | str | None = None,
        foreign_clock: Clock | str | None = None,
        seed: Seed | int | str | None = None,
        chance_seed: Seed | int | str | None = None,
        isolation: Isolation | str | None = None,
        record: str | Path | None = None,
        **others: Any,
    ) -> MatchOptions:
        """Return the options of a person's keywords, in which clocks and seeds may be texts.

        Raises
        ------
        InvalidInput
            If a value is wrong; the sentence names it.
        """
        return cls(
            clock=as_clock("clock", clock),
            foreign_clock=as_clock("foreign_clock", foreign_clock),
            seed=as_seed("seed", seed),
            chance_seed=None if chance_seed is None else as_seed("chance_seed", chance_seed),
            isolation=isolation
            if isolation is None or isinstance(isolation, Isolation)
            else Isolation.chosen(isolation),
            record=None if record is None else Path(record),
            **others,
        )

    @property
    def luck(self) -> Seed:
        """The seed of chance."""
        return self.seed if self.chance_seed is None else self.chance_seed

    @property
    def start_seconds(self) -> float | None:
        """The seconds for the start of a player in a process of its own; None: the default."""
        rule = self.clock or self.foreign_clock
        return None if rule is None else rule.start

    def clock_of(self, player: PlayerSpec | Playing) -> Clock | None:
        """Return the clock of a player."""
        return self.clock or (self.foreign_clock if is_foreign(player) else None)


def series_clocks(
    text: str | None, players: Sequence[PlayerSpec | Playing]
) -> tuple[str | None, str | None]:
    """Return ``clock`` and ``foreign_clock`` of each of many games.

    Parameters
    ----------
    text
        A clock; :data:`NO_CLOCK` for none; None if none is given: then players in processes of
        their own have :data:`SERIES_CLOCK`.
    """
    if text == NO_CLOCK:
        return None, None
    if text is None and any(map(is_foreign, players)):
        return None, SERIES_CLOCK
    return text, None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchObserver:
    """The callbacks of a caller that observes a match; None: no call.

    They are keywords of :func:`~ludograph.referee.match.play_match`, and one more.

    Attributes
    ----------
    on_clock
        Called with a seat and the seconds that its clock for the game shows, if it has one, where
        its moves alone do not tell: before ``on_take_back``, and when a match is suspended.
    """

    on_ready: Callable[[], None] | None = None
    on_move: Callable[[Position, PlayedMove], None] | None = None
    on_fault: Callable[[Position, Fault], None] | None = None
    on_take_back: Callable[[Position, int], None] | None = None
    on_clock: Callable[[int, float], None] | None = None
    on_output: Callable[[int, str], None] | None = None
    front: Front | None = None


SILENT = MatchObserver()
"""No callbacks."""
