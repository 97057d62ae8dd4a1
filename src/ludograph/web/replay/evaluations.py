"""The evaluation of a recorded game for its page: the value of each position, and better moves.

One search evaluates all positions, so that the curve has one scale; the players' thoughts during
the game are shown beside it. A page requests one part after the other, each a short task for a
pool, so that the curve grows while it is computed.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludograph.analysis import MoveAnalysis, analyze_part
from ludograph.analysis.advice import position_at
from ludograph.analysis.evaluation import LONGER, before_moves, judge, judge_chance, searcher
from ludograph.analysis.kept_values import kept_values
from ludograph.analysis.measure import Measure, Unit, measure_of, unmix, usual_spread
from ludograph.errors import InvalidInput, NotFound
from ludograph.games import Position
from ludograph.referee import Record
from ludograph.web.positions.move_input import shown_line
from ludograph.web.positions.serializers import Data
from ludograph.web.positions.thoughts import SHOWN_PLIES
from ludograph.web.server import limits

SLIP = 0.25
"""The least loss for which a better move is named, as a part of a mistake."""

MISTAKE: dict[Unit, float] = {"win": 0.2, "place": 0.4, "points": 12.0}
"""The least loss of a mistake, by the unit of values; longer searches confirm it. For points it is
the upper limit: see :func:`mistakes`."""

LEAST_POINTS = 2.0
"""The least loss of a mistake in points."""

OF_SPREAD = 0.6
"""The least loss of a mistake in points, as a part of the usual spread of results."""

MARKS = {"??": 2.0, "?": 1.0, "?!": 0.5}
"""The marks of blunders, mistakes and inaccuracies, by their least loss as parts of a mistake."""


def evaluated(record: Record) -> int:
    """Return the number of moves of a game that can be evaluated; 0 for a game of one seat."""
    moves = record.move_count
    return moves if record.start.seats > 1 and moves <= limits.EVALUATED_MOVES else 0


def part(record: Record, first: int) -> Data:
    """Return a part of the evaluation, with as many moves as one or two seconds allow.

    Its fields are ``done`` and ``total``, numbers of moves; ``judge``, the name of the search that
    judges positions, as people read it; ``seconds``, the time of the search of
    a position, and of the longer one if a mistake is likely; ``unit`` of the values, see
    :class:`~ludograph.analysis.measure.Measure`; ``points``, the values of seats by the number of
    plies before (null: unknown); ``thoughts``, by the plies before, the values of seats by the
    thoughts of the player to move, if values are chances to win; ``moves``, the data of each move.

    Raises
    ------
    NotFound
        If the game has no such move, one seat, or too many moves.
    """
    total = evaluated(record)
    if not 0 <= first < total:
        raise NotFound("there is no such move to evaluate")
    boards, opening = before_moves(record), len(record.opening)
    seconds = min(limits.EVALUATED_SECONDS, limits.EVALUATION_SECONDS / total)
    stop = min(total, first + max(1, round(limits.PART_SECONDS / seconds)))
    least = mistakes(record.start)
    analysis = analyze_part(record, first, stop - first, time=seconds, doubts=least)
    measure = analysis.measure
    assert measure is not None
    points: list[tuple[int, list[float | None]]] = []
    for found, (position, _) in zip(analysis.moves, boards[first:stop], strict=True):
        points.append((position.ply, seat_values(measure, found.value, found.seat)))
    if stop == total and analysis.final is not None:
        points.append((record.plies, [measure.read(value) for value in analysis.final]))
    return {
        "done": stop,
        "total": total,
        "judge": analysis.judge,
        "seconds": [round(seconds, 3), round(LONGER * seconds, 3)],
        "unit": measure.unit,
        "points": points,
        "thoughts": thoughts(record, first, stop) if measure.unit == "win" else [],
        "moves": [
            said_of(found, position, measure, least[measure.unit], chosen=position.ply >= opening)
            for found, (position, _) in zip(analysis.moves, boards[first:stop], strict=True)
        ],
    }


def thoughts(record: Record, first: int, stop: int) -> list[tuple[int, list[float | None]]]:
    """Return the values by seat in two players' thoughts before some moves, by plies."""
    measure = Measure("win", 2, 1.0)
    boards, kept = before_moves(record), kept_values(record)
    return [
        (boards[index][0].ply, seat_values(measure, own.value, boards[index][1].seat or 0))
        for index in range(first, stop)
        if (own := kept[index]) is not None
    ]


def seat_values(measure: Measure, reward: float, seat: int) -> list[float | None]:
    """Return the value of a position by seat: one of two seats has the rest; with more, unknown."""
    values: list[float | None] = [None] * measure.seats
    if measure.seats == 2:
        values[1 - seat] = measure.read(1.0 - reward)
    values[seat] = measure.read(reward)
    return values


def mistakes(start: Position) -> dict[Unit, float]:
    """Return the least loss of a mistake by the unit of values, in games from a start.

    In points it follows the spread of results: the smaller the spread, the more a point matters.
    """
    points = max(LEAST_POINTS, OF_SPREAD * usual_spread(start))
    return MISTAKE | {"points": min(MISTAKE["points"], points)}


def said_of(
    found: MoveAnalysis, position: Position, measure: Measure, mistake: float, *, chosen: bool
) -> Data:
    """Return the data of a move.

    Its fields are ``ply``, ``seat``; ``drop``, the loss in the unit of values; ``proven``, ``lost``
    or ``won`` for the seat, else null; ``line``, the moves that the search expects from the
    position before on (see :func:`~ludograph.web.positions.move_input.shown_line`), empty if
    unknown; ``better``, whether its first move is better than the played one; ``mark``, one of
    :data:`MARKS` or empty.

    Parameters
    ----------
    position
        The position before the move.
    mistake
        The least loss of a mistake, in the unit of values.
    chosen
        Whether the player has chosen the move; a move of an opening has no mark.
    """
    drop = measure.size(found.drop)
    better = found.better if chosen and drop >= SLIP * mistake else None
    line = found.line
    if better is not None and line[:1] != (better.move,):
        line = (better.move,)
    return {
        "ply": position.ply + 1,
        "seat": found.seat,
        "drop": drop,
        "proven": proven(found),
        "line": shown_line(position, line[:SHOWN_PLIES]),
        "better": better is not None,
        "mark": "" if better is None else mark_of(drop / mistake),
    }


def mark_of(size: float) -> str:
    """Return the mark of a move with this loss, in mistakes; empty if it is too small."""
    return next((mark for mark, least in MARKS.items() if size >= least), "")


def proven(found: MoveAnalysis) -> str | None:
    """Return the proven result for the seat to move: ``lost``, ``won``, or None."""
    return "lost" if found.lost else "won" if found.won else None


def variation_value(record: Record, step: int, moves: Sequence[str]) -> Data:
    """Return the value of a position after tried moves.

    Its fields are ``judge``, the name of the search, and ``seconds``, its time; ``unit``,
    ``values`` by seat; ``proven`` and ``line`` as in :func:`said_of`, for
    the seat ``seat`` that is to move. If chance is to move, the values are the means after it, and
    ``line`` is empty. At the end of the game both are empty.

    Raises
    ------
    InvalidInput
        If the game has no such step, or one seat.
    IllegalMove
        If a move is not legal.
    """
    if not evaluated(record):
        raise InvalidInput("this game is not evaluated")
    position = position_at(record, step, moves)
    judging = searcher(position, 0)
    unmix(judging.search)
    measure = measure_of(judging.search, position.seats)
    seconds = limits.CHANCE_SECONDS if position.is_chance else limits.VARIATION_SECONDS
    data: Data = {
        "judge": judging.name,
        "seconds": seconds,
        "unit": measure.unit,
        "seat": position.turn,
        "values": [],
        "line": [],
        "proven": None,
    }
    if position.is_chance:
        mean = judge_chance(judging, position, seconds)
        if mean is not None:
            data["values"] = seat_values(measure, mean[1], mean[0])
    elif position.turn is not None and not position.is_over:
        found = judge(judging, position, seconds)
        data["values"] = seat_values(measure, found.value, position.turn)
        data["line"] = shown_line(position, judging.search.line()[:SHOWN_PLIES])
        data["proven"] = proven(found)
    return data
