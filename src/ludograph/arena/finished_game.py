"""A finished game, as sent between processes, written to stores, and read from them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

Row = tuple[Any, ...]
"""A game as ``(start, seating, ranks)``; see :meth:`ludograph.arena.Results.of` for what may
follow."""


class GameKey(NamedTuple):
    """The key that identifies a game of a tournament, played or not.

    Attributes
    ----------
    start
        The number of the start in the tournament's list of starts (seeds, boards, openings).
    seating
        The player on each seat, in turn order.
    """

    start: int
    seating: tuple[str, ...]


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
    """A game with its result, and with its record unless a store's list of games has it.

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
        The result in one sentence, for everybody: without messages of faults.
    record
        The game's file, compressed by zlib; empty in a list of a store's games.
    line
        A digest of the start and all moves; 0 if it is not known.
    starts
        The own seconds of each player's start, by seat. A store contains neither these nor the next
        three fields.
    names
        By seat: the player's label, with its own name.
    faults
        The faults of players, in order.
    finish_faults
        Faults at the end of the game, which changed no result.
    number, tournament
        The numbers of the game and of its tournament in a store; only there.
    ended
        When it was stored: date and time in UTC, to the second.
    versions
        By seat: the digest of the player's file; empty for a player without one.
    """

    start: int
    seed: int
    board: str
    reason: str
    plies: int
    sentence: str
    seats: tuple[SeatResult, ...]
    record: bytes = b""
    starts: tuple[float, ...] = ()
    line: int = 0
    names: tuple[str, ...] = ()
    faults: tuple[SeatFault, ...] = ()
    finish_faults: tuple[SeatFault, ...] = ()
    number: int = 0
    tournament: int = 0
    ended: str = ""
    versions: tuple[str, ...] = ()

    @property
    def key(self) -> GameKey:
        """The key that identifies it among all games of its tournament."""
        return GameKey(self.start, tuple(seat.player for seat in self.seats))

    @property
    def move_count(self) -> int:
        """The number of moves that seats have played: the plies without those of chance."""
        return sum(seat.moves for seat in self.seats)

    @property
    def forfeits(self) -> tuple[str, ...]:
        """By seat: the reason for which it dropped out; empty if it did not."""
        return tuple(seat.forfeit or "" for seat in self.seats)

    @property
    def points(self) -> tuple[float, ...]:
        """Points by seat, as :attr:`ludograph.arena.Results.points` for a single game."""
        if all(self.forfeits):
            return (0.0,) * len(self.seats)
        return points_of(tuple(seat.rank for seat in self.seats))

    @property
    def told(self) -> str:
        """The sentence on the result, and the messages of faults that the game has."""
        messages = [f"{seat.player}: {seat.message}." for seat in self.seats if seat.message]
        return " ".join([self.sentence, *messages])

    def read_by(self, *players: str) -> FinishedGame:
        """Return the game for a reader: without messages and logs, except those of some players."""
        own = [seat.player in players for seat in self.seats]
        seats = (
            seat if is_own else msgspec.structs.replace(seat, message=None)
            for seat, is_own in zip(self.seats, own, strict=True)
        )
        return msgspec.structs.replace(
            self,
            seats=tuple(seats),
            faults=tuple(fault for fault in self.faults if own[fault.seat]),
            finish_faults=tuple(fault for fault in self.finish_faults if own[fault.seat]),
        )

    @property
    def row(self) -> Row:
        """The row of :class:`ludograph.arena.Results` for tables and ratings."""
        ranks, scores = zip(*((seat.rank, seat.score) for seat in self.seats), strict=True)
        return (*self.key, ranks, self.forfeits, scores, self.line, self.number)


@lru_cache(4096)
def points_of(ranks: tuple[int, ...]) -> tuple[float, ...]:
    """Return points by seat: the share of the others that it beat, ties counting half."""
    others = max(len(ranks) - 1, 1)
    return tuple(
        (sum(other > own for other in ranks) + (ranks.count(own) - 1) / 2) / others for own in ranks
    )
