"""A finished game, as sent between processes, written to stores, and read from them."""

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
        The result in one sentence.
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
    def played(self) -> PlayedGame:
        """The part of it that tables and ratings need."""
        return PlayedGame(
            *self.key,
            tuple(seat.rank for seat in self.seats),
            tuple(seat.score for seat in self.seats),
            tuple(Forfeit(n, seat.forfeit) for n, seat in enumerate(self.seats) if seat.forfeit),
            self.line,
        )
