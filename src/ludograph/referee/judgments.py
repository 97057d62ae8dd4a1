"""What is thought of the moves of a recorded game, and what follows from that."""

from __future__ import annotations

from dataclasses import dataclass, field

from ludograph.referee.record import Record

LOST = 0.2
"""The value below which a position counts as lost."""

LEVEL = 0.5
"""The value of an even position: who cannot come first, alone or with others, stays below."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A move that a search has looked at, with its value for the seat to move."""

    move: int
    text: str
    value: float
    visits: int


@dataclass(slots=True)
class Judgment:
    """What a search thinks of a position in which a seat was to move, and what was played.

    Attributes
    ----------
    ply
        The number of the move, from 1.
    seconds
        That the player took.
    scores
        Of all seats, before the move.
    value
        For the seat to move: 0 is lost, 1 is won, a lone seat's is its expected score.
    after
        What the position was worth to it after its move, at most ``value``.
    mean
        What the search of the position before it thinks of the move.
    choices
        The best moves that the search saw, best first.
    exchange
        The move by which the seat could take the other's side, such as a swap; None: it could not.
    lost, won
        Whether the search proves that the seat cannot come first, or that it comes first alone.
    """

    ply: int
    seat: int
    move: int
    played: str
    seconds: float
    scores: tuple[float, ...]
    value: float = LEVEL
    mean: float = LEVEL
    after: float = LEVEL
    choices: list[Choice] = field(default_factory=list)
    exchange: Choice | None = None
    lost: bool = False
    won: bool = False

    @property
    def drop(self) -> float:
        """What the move has cost."""
        return self.value - self.after

    @property
    def better(self) -> Choice | None:
        """The search's move, where it is not the one that was played."""
        best = self.choices[0] if self.choices else None
        return best if best is not None and best.move != self.move else None

    @property
    def missed(self) -> Choice | None:
        """The exchange, where that was best and something else was played."""
        better = self.exchange is not None and self.choices[0] is self.exchange
        return self.exchange if better and self.choices[0].move != self.move else None


@dataclass(slots=True)
class Analysis:
    """The judgments of a whole game.

    Attributes
    ----------
    judgments
        One for each move of a seat, in order.
    worst
        By seat, the move that cost it most; searched once more, for longer. None where none did.
    final
        By seat, the value of the end, None where the rules did not end the game.
    """

    record: Record
    judgments: list[Judgment] = field(default_factory=list)
    worst: list[Judgment | None] = field(default_factory=list)
    final: list[float] | None = None

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self.record.start.seats

    def of(self, seat: int) -> list[Judgment]:
        """Return the judgments of a seat's own moves."""
        return [each for each in self.judgments if each.seat == seat]

    def curve(self, seat: int) -> list[tuple[int, float]]:
        """Return a seat's values by the number of moves before them.

        Between two seats one's loss is the other's gain, so there is one for each ply; of more
        seats each is known where it was to move.
        """
        points = [
            (each.ply - 1, each.value if each.seat == seat else 1.0 - each.value)
            for each in self.judgments
            if each.seat == seat or self.seats == 2
        ]
        if self.final is not None:
            points.append((self.record.plies, self.final[seat]))
        return points

    def lost_at(self, seat: int, below: float = LOST) -> int | None:
        """Return the first ply from which on a seat's value stays below; None if it does not.

        The number is that of the moves played by then; the last value counts too.
        """
        found = None
        for ply, value in reversed(self.curve(seat)):
            if value >= below:
                break
            found = ply
        return found

    def proven_lost_at(self, seat: int) -> int | None:
        """Return the moves played when a search proves that a seat cannot come first, for good.

        A proof that the other side did not know how to use does not count.
        """
        begin = self.lost_at(seat, LEVEL)
        for each in self.judgments:
            other = self.seats == 2 and each.seat != seat and each.won
            proven = (each.seat == seat and each.lost) or other
            if proven and begin is not None and each.ply > begin:
                return each.ply - 1
        return None
