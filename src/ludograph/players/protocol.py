"""The protocol of players, in its long and its short form."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Protocol, TypeAlias, TypeGuard, runtime_checkable

import numpy as np

from ludograph.errors import IllegalMove, InvalidInput
from ludograph.formatting import described
from ludograph.games import Outcome, Position, TimeLeft
from ludograph.games.strategy import Chooser, takes_time
from ludograph.players.forfeit import PlayerFault, Reason, error_text
from ludograph.players.parameters import declared_by

CODES = 1 << 31


@runtime_checkable
class Player(Protocol):
    """Anything that can sit on a seat for one game.

    The short form, any object with ``choose(position) -> move`` or ``choose(position, time_left)
    -> move``, becomes a player by :func:`as_player`.

    In both forms it may also have ``thoughts()``: called after a move on request, it returns the
    player's analysis of that move, see :mod:`ludograph.games.analysis_info`.
    """

    def start(self, position: Position, seat: int) -> None:
        """Begin a game; the position is the player's own copy."""

    def play(self, moves: list[int], time_left: TimeLeft) -> int | str:
        """Return a move, given those since the player's own last one.

        A seat that has dropped out appears as ``drop_code(seat)`` among the moves.
        """

    def finish(self, outcome: Outcome | None) -> None:
        """End the game; None if it was stopped."""


Playing: TypeAlias = Player | Chooser | Callable[..., Any]
"""A player in this process: an object in one of the two forms, a class of such objects, or a
function."""

NO_PLAYER = (
    "has no player: a class or function choose(position), or a class with start, play and finish"
)
"""The text about a file, after its name."""


def thoughts_of(player: object) -> Any:
    """Return a player's analysis of its last move, unchecked; None if it has none."""
    tell = getattr(player, "thoughts", None)
    return tell() if callable(tell) else None


def drop_code(seat: int) -> int:
    """Return the negative number that means for players that a seat has left the game."""
    return -1 - seat


def dropped_seat(move: int) -> int | None:
    """Return the seat of a :func:`drop_code`, or None for a move."""
    return -1 - move if move < 0 else None


def follow(position: Position, moves: list[int]) -> None:
    """Play moves that the referee has checked, and drop the seats that it has dropped."""
    for move in moves:
        seat = dropped_seat(move)
        if seat is None:
            position.push(move)
        else:
            position.drop(seat)


def warm_up(position: Position) -> None:
    """Run the rules once on a copy, so that no clock counts their compilation."""
    trial = position.copy()
    trial.scores()
    for _ in range(2):  # if a game begins with chance, a move comes second
        if not trial.is_over:
            move = trial.legal_moves()[0]
            trial.copy().push(move)
            trial.play(move)
    if trial.seats > 2:
        trial.drop(0)


def own_copy(position: Position) -> Position:
    """Return a copy that shares no writable data with the original."""
    arrays = [x.copy() if isinstance(x, np.ndarray) else x for x in position.setup]
    twin = position.copy()
    twin.setup = type(position.setup)(*arrays)
    return twin


class ChoosingPlayer:
    """The short form as a player: has its own position and asks for moves on it.

    Parameters
    ----------
    chooser
        An object with ``choose``, or that function itself. If it also has ``prepare(position)``,
        that is called before the game, when no clock runs: to compile, to load, to allocate.
    trusted
        Pass the player's own position rather than a copy each time: for choosers that only read it.
        On a board of a million vertices a copy costs a millisecond.
    """

    def __init__(self, chooser: Chooser | Callable[..., Any], *, trusted: bool = False) -> None:
        self.choose: Any = getattr(chooser, "choose", chooser)
        self.prepare = getattr(chooser, "prepare", None)
        self.name = getattr(chooser, "name", None)
        self.chooser = chooser
        self.trusted = trusted
        self.wants_time = takes_time(self.choose)
        self.position: Position | None = None

    def start(self, position: Position, seat: int) -> None:  # noqa: ARG002
        """Begin a game."""
        self.position = position
        if callable(self.prepare):
            self.prepare(position if self.trusted else position.copy())

    def play(self, moves: list[int], time_left: TimeLeft) -> Any:
        """Follow the moves, choose one, and play it on the player's own board too."""
        position = self.position
        if position is None:
            raise RuntimeError("play was called before start")
        follow(position, moves)
        shown = position if self.trusted else position.copy()
        answer = self.choose(shown, time_left) if self.wants_time else self.choose(shown)
        # The referee checks the answer; only a legal one is played here.
        with suppress(IllegalMove):
            code = position.parse(answer) if isinstance(answer, str) else move_code(answer)
            if code is not None:
                position.play(code)
        return answer

    def thoughts(self) -> Any:
        """Return the chooser's analysis of its last move; it may be a property that fails."""
        return thoughts_of(self.chooser)

    def finish(self, outcome: Outcome | None) -> None:
        """End the game."""


def move_code(answer: Any) -> int | None:
    """Return an answer as a move's code, 0 to 2**31 - 1; None if it cannot be one.

    Integers of any kind are codes, numpy's too; a bool or a float is not.
    """
    if type(answer) is not int:
        if isinstance(answer, bool):
            return None
        try:
            answer = int(operator.index(answer))
        except Exception:  # noqa: BLE001  (a player's own code)
            return None
    return answer if 0 <= answer < CODES else None


WHOLE = ("start", "play", "finish")
"""The methods of the long form."""


def as_player(thing: object, options: Mapping[str, str] = MappingProxyType({})) -> Player:
    """Return a player for an object, a class or a function.

    Parameters
    ----------
    options
        Parameters of the class, as texts.

    Raises
    ------
    InvalidInput
        If the object is no player, or has no such parameters.
    PlayerFault
        With reason ``no-start`` if a class cannot be instantiated.
    """
    values = declared_by(thing).values(options) if options else {}
    if inspect.isclass(thing):
        name = thing.__name__
        try:
            thing = thing(**values)
        except Exception as error:  # a player's own code
            raise PlayerFault(Reason.NO_START, f"{name}() raised {error_text(error)}") from error
    if is_whole(thing):
        return thing
    if is_chooser(thing) or callable(thing):
        return ChoosingPlayer(thing)
    lacking = [name for name in WHOLE if not callable(getattr(thing, name, None))]
    if len(lacking) < len(WHOLE):
        raise InvalidInput(f"{type(thing).__name__} is not a player: it lacks {', '.join(lacking)}")
    raise InvalidInput(
        f"{described(thing)} is not a player: "
        "it has neither choose(position) nor start, play and finish"
    )


def is_whole(thing: object) -> TypeGuard[Player]:
    """Tell whether an object has the whole protocol rather than the short form."""
    return all(callable(getattr(thing, name, None)) for name in WHOLE)


def is_chooser(thing: object) -> TypeGuard[Chooser]:
    """Tell whether an object has the short form."""
    return callable(getattr(thing, "choose", None))
