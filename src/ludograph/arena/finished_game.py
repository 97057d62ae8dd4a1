"""A finished game, as it travels between processes, into the store and into a series' files."""

from __future__ import annotations

import msgspec

from ludograph.arena.played_game import Forfeit, GameKey, PlayedGame


class SeatResult(msgspec.Struct, frozen=True):
    """How a seat came out.

    Attributes
    ----------
    player
        Its name in the tournament.
    moves, seconds
        How many moves it made, and the time of these together.
    forfeit, message
        The reason and what there is to say of it, if the seat dropped out.
    """

    player: str
    rank: int
    score: float
    moves: int
    seconds: float
    forfeit: str | None = None
    message: str | None = None


class SeatFault(msgspec.Struct, frozen=True):
    """What a player did wrong.

    Attributes
    ----------
    reason
        Such as ``timeout``.
    log
        Head and tail of what the player printed, or its traceback.
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
        Seconds of its own that the start of each player has taken, by seat. A store does not keep
        them, nor what follows.
    names
        By seat: the player's label, with what it calls itself.
    faults
        What players did wrong, in the order in which it happened.
    finish_faults
        What they did wrong at the end of the game: it changed no result.
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
        """What tells it from all other games of its tournament."""
        return GameKey(self.start, tuple(seat.player for seat in self.seats))

    @property
    def played(self) -> PlayedGame:
        """What tables and ratings need to know of it."""
        return PlayedGame(
            *self.key,
            tuple(seat.rank for seat in self.seats),
            tuple(seat.score for seat in self.seats),
            tuple(Forfeit(n, seat.forfeit) for n, seat in enumerate(self.seats) if seat.forfeit),
            self.line,
        )
