"""A finished game, as sent between processes, and written to stores and to files of a series."""

from __future__ import annotations

import msgspec

from ludograph.arena.played_game import Forfeit, GameKey, PlayedGame


class SeatResult(msgspec.Struct, frozen=True):
    """The result of a seat.

    Attributes
    ----------
    player
        Its name in the tournament.
    moves, seconds
        The number of its moves, and their total time.
    forfeit, message
        The reason and the message, if the seat dropped out.
    """

    player: str
    rank: int
    score: float
    moves: int
    seconds: float
    forfeit: str | None = None
    message: str | None = None


class SeatFault(msgspec.Struct, frozen=True):
    """A fault of a player.

    Attributes
    ----------
    reason
        The reason, such as ``timeout``.
    log
        Head and tail of the player's output, or its traceback.
    """

    seat: int
    reason: str
    message: str
    log: str = ""


class FinishedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game with its result and its record.

    Attributes
    ----------
    start
        The number of the start in its tournament.
    seed
        The whole number by which its start was drawn.
    board
        The name of the board.
    reason
        ``finished``, or the reason of the fault that ended the game.
    sentence
        The result in one sentence.
    record
        The game's file, compressed by zlib.
    line
        A digest of the start and all moves; 0 if it is not known.
    starts
        The own seconds of each player's start, by seat. A store contains neither these nor the next
        fields.
    names
        By seat: the player's label, with its own name.
    faults
        The faults of players, in order.
    finish_faults
        Faults at the end of the game, which changed no result.
    """

    start: int
    seed: int
    board: str
    reason: str
    plies: int
    sentence: str
    seats: tuple[SeatResult, ...]
    record: bytes
    starts: tuple[float, ...] = ()
    line: int = 0
    names: tuple[str, ...] = ()
    faults: tuple[SeatFault, ...] = ()
    finish_faults: tuple[SeatFault, ...] = ()

    @property
    def key(self) -> GameKey:
        """The key that identifies it among all games of its tournament."""
        return GameKey(self.start, tuple(seat.player for seat in self.seats))

    @property
    def played(self) -> PlayedGame:
        """The part of it that tables and ratings need."""
        return PlayedGame(
            *self.key,
            tuple(seat.rank for seat in self.seats),
            tuple(seat.score for seat in self.seats),
            tuple(Forfeit(n, seat.forfeit) for n, seat in enumerate(self.seats) if seat.forfeit),
            self.line,
        )
