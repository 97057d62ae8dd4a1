"""A person on a seat: a player whose moves come from a front end."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cached_property
from typing import Any, Protocol

from ludograph.games import Outcome, Position, TimeLeft
from ludograph.players.forfeit import check_time
from ludograph.players.protocol import follow


class TakeBack(Exception):
    """A person takes its last move back, and all moves after it.

    Parameters
    ----------
    seat
        The seat whose last move it is; None: the seat that is to move.
    """

    def __init__(self, seat: int | None = None) -> None:
        super().__init__(seat)
        self.seat = seat


class Resignation(Exception):
    """A person who is not to move resigns.

    Parameters
    ----------
    seat
        The seat of that person.
    """

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.seat = seat


class Quit(KeyboardInterrupt):
    """A person leaves; the game is stopped as by Ctrl-C, without a result."""


class Turn:
    """The question to a person: one move.

    Attributes
    ----------
    position
        The position with the person to move; it must not be changed.
    advice
        Searches for a second, and returns a good move.
    """

    def __init__(
        self,
        position: Position,
        seat: int,
        time_left: TimeLeft,
        kept: Callable[[int], str],
        advice: Callable[[TimeLeft], int],
    ) -> None:
        self.position = position
        self.seat = seat
        self._kept = kept
        self._advice = advice
        self._began, self._allowed = time.monotonic(), time_left.allowed

    @cached_property
    def moves(self) -> dict[str, int]:
        """The legal moves: code by text, in the order of the codes."""
        codes = sorted(self.position.legal_moves())
        return {self.position.text(code): code for code in codes}

    def kept(self, seat: int | None = None) -> str:
        """Return why the last move of a seat cannot be taken back; an empty text if it can.

        Without a seat, the result is for the seat to move.
        """
        return self._kept(self.seat if seat is None else seat)

    def seconds_left(self) -> float | None:
        """Return the time that is left for this move, None without a clock.

        Raises
        ------
        PlayerFault
            With the reason ``timeout`` when it is over.
        """
        if self._allowed is None:
            return None
        passed = time.monotonic() - self._began
        check_time(passed, self._allowed, sentence="the time ended before a move was entered")
        return max(0.0, self._allowed - passed)

    def advice(self) -> int:
        """Return a good move, after at most a second or half of the time that is left."""
        left = self.seconds_left()
        return self._advice(TimeLeft(None if left is None else left / 2))


class Front(Protocol):
    """The interface between a game and the people who play it; one for all of them."""

    def ask(self, turn: Turn) -> int:
        """Return a legal move.

        Raises
        ------
        PlayerFault
            With the reason ``resign`` or ``timeout``.
        TakeBack, Resignation, Quit
            If a person requests it.
        """


class HumanPlayer:
    """A person on a seat.

    Parameters
    ----------
    seed
        The seed of the strategy that gives advice.

    Attributes
    ----------
    kept
        Returns why the last move of a seat cannot be taken back; set by the referee.
    """

    def __init__(self, front: Front, seed: int) -> None:
        self.front = front
        self.seed = seed
        self.kept: Callable[[int], str] = lambda _: "moves cannot be taken back here"
        self._adviser: Any = None

    def start(self, position: Position, seat: int) -> None:
        """Begin a game."""
        self.position, self.seat = position, seat

    def play(self, moves: list[int], time_left: TimeLeft) -> int:
        """Ask for a move until a legal one comes."""
        follow(self.position, moves)
        move = self.front.ask(Turn(self.position, self.seat, time_left, self.kept, self.advise))
        self.position.play(move)
        return move

    def finish(self, outcome: Outcome | None) -> None:
        """End the game."""

    def advise(self, time_left: TimeLeft) -> int:
        """Return the move of the game's own adviser."""
        from ludograph.players.protocol import ChoosingPlayer
        from ludograph.players.spec import parse_player

        game = self.position.game
        if self._adviser is None:
            spec = parse_player(game.adviser(self.position.seats), game, self.position.seats)
            self._adviser = game.strategy(spec.target).create(spec.options, self.seed)
        adviser = ChoosingPlayer(self._adviser)
        adviser.start(self.position.copy(), self.seat)
        return int(adviser.play([], time_left))
