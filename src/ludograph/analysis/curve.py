"""The curve of `why`: the value of a recorded game to each seat, move by move, and its charts.

:func:`ludograph.analysis.evaluation.analyze` computes the values.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ludograph.analysis.measure import Measure
from ludograph.referee.record import Record
from ludograph.views.chart import Curve, Panel

LOST = 0.2
"""The value below which a position counts as lost."""

EVEN = 0.5
"""The value of an even position; a seat that cannot even share the first rank is below it."""

SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ#@"
"""The symbol of each seat's curve."""


class Candidate(NamedTuple):
    """A move that a search has considered, with its value for the seat to move."""

    move: int
    text: str
    value: float
    visits: int


@dataclass(slots=True)
class MoveAnalysis:
    """A move of a seat: the value of the position before it, and its loss of value.

    Attributes
    ----------
    ply
        The number of the move, from 1.
    seconds
        The time that the player took.
    scores
        The scores of all seats before the move.
    value
        The value for the seat to move: 0 is lost, 1 is won; for a lone seat its expected score.
    after
        The value for the same seat after the move, at most ``value``.
    mean
        The mean value of the move in the search of the position before it.
    candidates
        The best moves of the search, the best first.
    line
        The expected moves, beginning with the search's choice; empty for an opening.
    exchange
        The move with which the seat could take the other's side, such as a swap; None if there is
        none.
    lost, won
        Whether the search proves that the seat cannot come first, or that it comes first alone.
    kept_win
        Whether the search proves that the seat still comes first alone after the move.
    """

    ply: int
    seat: int
    move: int
    played: str
    seconds: float
    scores: tuple[float, ...]
    value: float = EVEN
    mean: float = EVEN
    after: float = EVEN
    candidates: list[Candidate] = field(default_factory=list)
    line: tuple[int, ...] = ()
    exchange: Candidate | None = None
    lost: bool = False
    won: bool = False
    kept_win: bool = False

    @property
    def drop(self) -> float:
        """The loss of value by the move."""
        return self.value - self.after

    @property
    def better(self) -> Candidate | None:
        """The search's move, if it is not the played one and is worth more."""
        best = self.candidates[0] if self.candidates else None
        if best is None or best.move == self.move or best.value <= self.after:
            return None
        return best

    @property
    def missed(self) -> Candidate | None:
        """The exchange, if it was better than the played move and best."""
        better, exchange = self.better, self.exchange
        if better is None or exchange is None or better.move != exchange.move:
            return None
        return better


@dataclass(slots=True)
class Analysis:
    """The moves of a whole game.

    Attributes
    ----------
    moves
        One for each move of a seat, in order.
    worst
        By seat, the move with the greatest loss of value, by a longer search; None without a loss.
    final
        By seat, the value of the end; None if the rules did not end the game.
    measure
        The unit of values, if the search counts only results or only points; None: it mixes them.
    judge
        The name of the search, for people; empty if pages do not show the values.
    """

    record: Record
    moves: list[MoveAnalysis] = field(default_factory=list)
    worst: list[MoveAnalysis | None] = field(default_factory=list)
    final: list[float] | None = None
    measure: Measure | None = None
    judge: str = ""

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self.record.start.seats

    def of(self, seat: int) -> list[MoveAnalysis]:
        """Return the moves of one seat."""
        return [each for each in self.moves if each.seat == seat]

    def curve(self, seat: int) -> list[tuple[int, float]]:
        """Return a seat's values by the number of moves before them.

        With two seats one's loss is the other's gain, so there is a value for each ply. With more
        seats, a seat has a value only at its own moves.
        """
        points = [
            (each.ply - 1, each.value if each.seat == seat else 1.0 - each.value)
            for each in self.moves
            if each.seat == seat or self.seats == 2
        ]
        if self.final is not None:
            points.append((self.record.plies, self.final[seat]))
        return points

    def lost_at(self, seat: int, below: float = LOST) -> int | None:
        """Return the first ply from which a seat's value stays below; None if it does not.

        The result is the number of moves played before; the last value counts too.
        """
        found = None
        for ply, value in reversed(self.curve(seat)):
            if value >= below:
                break
            found = ply
        return found

    def turned_at(self) -> int | None:
        """Return the number of moves before the last change of the lead between two seats.

        None if it never changed, or if neither lost.
        """
        behind = [self.lost_at(seat, EVEN) for seat in range(2)] if self.seats == 2 else []
        return next((at for at in behind if at), None)

    def proven_lost_at(self, seat: int) -> int | None:
        """Return the number of moves before a lasting proof that a seat cannot come first.

        A proof after which the other side lost its win again does not count.
        """
        begin = self.lost_at(seat, EVEN)
        for each in self.moves:
            other = self.seats == 2 and each.seat != seat and each.won
            proven = (each.seat == seat and each.lost) or other
            if proven and begin is not None and each.ply > begin:
                return each.ply - 1
        return None


def panels(analysis: Analysis, names: list[str]) -> list[Panel]:
    """Return the charts: the value to each seat, the scores, the seconds of each move."""
    last, seats = analysis.record.plies, range(analysis.seats)
    scores: list[list[tuple[int, float]]] = [[] for _ in seats]
    for position, _ in analysis.record.positions():
        for seat, score in enumerate(position.scores()):
            if not scores[seat] or scores[seat][-1][0] != position.ply:
                scores[seat].append((position.ply, score))
    called = [f"{SYMBOLS[seat]}: {names[seat]} (seat {seat})" for seat in seats]
    marks = [
        (seat, worst.ply - 1, worst.value)
        for seat, worst in enumerate(analysis.worst)
        if worst is not None and worst.better is not None
    ]
    values = [Curve(called[seat], SYMBOLS[seat], analysis.curve(seat)) for seat in seats]
    counted = [Curve(called[seat], SYMBOLS[seat], scores[seat]) for seat in seats]
    times = [
        Curve(called[seat], SYMBOLS[seat], [(each.ply, each.seconds) for each in analysis.of(seat)])
        for seat in seats
    ]
    bounds = (0.0, 1.0) if analysis.seats > 1 else None
    title = "value to each seat" if analysis.seats > 1 else "score to be expected"
    return [
        Panel(f"{title}, by moves played", values, last, bounds, marks),
        Panel("scores, by moves played", counted, last),
        Panel("seconds that a move took, by moves", times, last),
    ]


def analysis_data(analysis: Analysis, names: list[str], sentence: str) -> dict[str, Any]:
    """Return the analysis as data for JSON."""
    return {
        "game": analysis.record.start.game.name,
        "plies": analysis.record.plies,
        "turned_at": analysis.turned_at(),
        "players": [
            {
                "name": name,
                "seat": seat,
                "value": [[ply, round(value, 6)] for ply, value in analysis.curve(seat)],
                "lost_at": analysis.lost_at(seat) if analysis.seats > 1 else None,
                "proven_lost_at": analysis.proven_lost_at(seat),
                "worst": _move_data(worst) if (worst := analysis.worst[seat]) else None,
            }
            for seat, name in enumerate(names)
        ],
        "moves": [_move_data(each) for each in analysis.moves],
        "result": sentence,
    }


def _move_data(each: MoveAnalysis) -> dict[str, Any]:
    return {
        "ply": each.ply,
        "seat": each.seat,
        "move": each.played,
        "time": each.seconds,
        "scores": list(each.scores),
        "value": round(each.value, 6),
        "after": round(each.after, 6),
        "proven": "lost" if each.lost else "won" if each.won else None,
        "exchange": (one := each.exchange) and {"move": one.text, "value": round(one.value, 6)},
        "choices": [
            {"move": one.text, "value": round(one.value, 6), "visits": one.visits}
            for one in each.candidates
        ],
    }
