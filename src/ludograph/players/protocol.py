"""The Player protocol, and its short form."""

from __future__ import annotations

import inspect
from typing import Any, Protocol, runtime_checkable

from ludograph.games import Outcome, Position, TimeLeft
from ludograph.players.fault import PlayerFault, Reason


@runtime_checkable
class Player(Protocol):
    """Anything that can sit on a seat for one game.

    The short form, any object with ``choose(position) -> move`` or ``choose(position, time_left)
    -> move``, becomes a player by :func:`as_player`.
    """

    def start(self, position: Position, seat: int) -> None:
        """Begin a game; the position is the player's own copy."""

    def play(self, moves: list[int], time_left: TimeLeft) -> int | str:
        """Return a move, given those since the player's own last one.

        A seat that has dropped out is told as ``drop_code(seat)`` among the moves.
        """

    def finish(self, outcome: Outcome | None) -> None:
        """End the game; None if it was stopped."""


def drop_code(seat: int) -> int:
    """Return the number that tells players that a seat has left the game: below zero."""
    return -1 - seat


def dropped_seat(move: int) -> int | None:
    """Return the seat that a :func:`drop_code` names, or None for a move."""
    return -1 - move if move < 0 else None


def follow(position: Position, moves: list[int]) -> None:
    """Play moves that the referee has checked, and drop the seats that it has dropped."""
    from ludograph import rules

    for move in moves:
        seat = dropped_seat(move)
        if seat is None:
            rules.play(position.setup, position.state, move)
        else:
            position.drop(seat)


class ChoosingPlayer:
    """The short form as a player: keeps a position of its own and asks for moves on it.

    Parameters
    ----------
    chooser
        Has ``choose``, or is that function itself.
    trusted
        Show it the player's own position rather than a copy each time: for choosers that only
        look. On a board of a million vertices a copy costs a millisecond.
    """

    def __init__(self, chooser: Any, *, trusted: bool = False) -> None:
        choose = chooser if not hasattr(chooser, "choose") else chooser.choose
        self.choose = choose
        self.trusted = trusted
        self.wants_time = takes_time(choose)
        self.position: Position | None = None

    def start(self, position: Position, seat: int) -> None:  # noqa: ARG002
        """Begin a game."""
        self.position = position

    def play(self, moves: list[int], time_left: TimeLeft) -> int | str:
        """Follow the moves, choose one, and play it on the player's own board too."""
        position = self.position
        if position is None:
            raise RuntimeError("play was called before start")
        follow(position, moves)
        shown = position if self.trusted else position.copy()
        move = self.choose(shown, time_left) if self.wants_time else self.choose(shown)
        code = position.parse(move) if isinstance(move, str) else move
        if is_code(code) and position.is_legal(code):
            follow(position, [code])
        return code  # the referee judges

    def finish(self, outcome: Outcome | None) -> None:
        """End the game."""


def is_code(move: Any) -> bool:
    """Tell whether an answer can be a move's code: an integer, no bool, no float."""
    return hasattr(move, "__index__") and not isinstance(move, bool) and move >= 0


def takes_time(choose: Any) -> bool:
    """Tell whether ``choose`` wants ``(position, time_left)`` rather than ``(position)``."""
    try:
        parameters = inspect.signature(choose).parameters.values()
    except (TypeError, ValueError):
        return False
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    variable = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    return variable or sum(p.default is p.empty for p in places) >= 2


def as_player(thing: Any) -> Player:
    """Return a player for an object, a class or a function.

    Raises
    ------
    PlayerFault
        With reason ``no-start`` if a class cannot be instantiated, or the thing is no player.
    """
    if inspect.isclass(thing):
        try:
            thing = thing()
        except Exception as error:  # a player's own code
            message = f"{thing.__name__}() raised {type(error).__name__}: {error}"
            raise PlayerFault(Reason.NO_START, message) from error
    if all(callable(getattr(thing, name, None)) for name in ("start", "play", "finish")):
        return thing
    if callable(getattr(thing, "choose", None)) or inspect.isroutine(thing):
        return ChoosingPlayer(thing)
    raise PlayerFault(
        Reason.NO_START,
        f"{thing!r} is no player: it has neither choose(position) nor start, play and finish",
    )
