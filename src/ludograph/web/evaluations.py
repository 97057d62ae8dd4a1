"""The evaluation of a recorded game for its page: chances to win by ply, and what was better.

A page asks for one part after the other, each a short piece of work for a pool, so that the curve
grows while it is computed.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from ludograph.analysis import MoveAnalysis, analyze_part
from ludograph.analysis.advice import cells_of, texts_of_line
from ludograph.analysis.evaluation import before_moves, final_values
from ludograph.analysis.kept_values import KeptValue, kept_values
from ludograph.errors import InvalidInput
from ludograph.games import Position
from ludograph.referee import Record
from ludograph.referee.record import Event
from ludograph.web import limits
from ludograph.web.serializers import Data

SLIP = 0.05
"""The least loss of value for which a better move is named."""

TURNING = 0.2
"""The least loss of value of a turning point."""

DOUBT = 0.1
"""The loss of kept value from which on a position is searched, to find what was better."""

LINE = 6
"""The most moves of a line that are shown."""


def evaluated(record: Record) -> int:
    """Return how many moves of a game can be evaluated; 0 for a game of one seat."""
    moves = sum(event.move is not None and event.seat is not None for event in record.events)
    return moves if record.start.seats > 1 and moves <= limits.EVALUATED_MOVES else 0


def part(record: Record, first: int) -> Data:
    """Return a part of the evaluation, as many moves as a second or two suffice for.

    One judge makes the whole curve: values of different players side by side would zigzag. If one
    player played all seats and kept a value of each position, these values are taken as they are,
    and only positions whose value falls with the move are searched, to find what was better.
    Otherwise all positions are searched.

    Its fields are ``done`` and ``total``, numbers of moves; ``points``, the values of seats by the
    number of plies before (null: unknown); ``kept``, whether the players kept the values;
    ``moves``, what is said of each move.

    Raises
    ------
    InvalidInput
        If the game has no such move, one seat, or too many moves.
    """
    total = evaluated(record)
    if not 0 <= first < total:
        raise InvalidInput("there is no such move to evaluate")
    boards = before_moves(record)
    kept = values_of_one_judge(record)
    doubts = [is_doubtful(boards, kept, index) for index in range(total)]
    seconds = min(limits.EVALUATED_SECONDS, limits.EVALUATION_SECONDS / total)
    stop = end_of_part(doubts, first, max(1, round(limits.PART_SECONDS / seconds)))
    searched = search_runs(record, doubts, first, stop, seconds)
    points: dict[int, list[float | None]] = {}
    moves = []
    for index in range(first, stop):
        (position, event), own = boards[index], kept[index]
        found = searched.get(index)
        value = own.value if own is not None else searched[index].value
        points[position.ply] = seat_values(value, event.seat or 0, position.seats)
        verdict = own.verdict if own is not None else None
        moves.append(move_data(found, position, event.seat or 0, verdict))
    final = final_values(record) if stop == total else None
    if final is not None:
        points[record.plies] = [round(value, 3) for value in final]
    return {
        "done": stop,
        "total": total,
        "points": sorted(points.items()),
        "kept": all(each is not None for each in kept),
        "moves": moves,
    }


def values_of_one_judge(record: Record) -> list[KeptValue | None]:
    """Return the kept value of each move if one player kept all of them; else None for each."""
    kept = kept_values(record)
    if None in kept or len(set(record.names)) > 1:
        return [None] * len(kept)
    return kept


def is_doubtful(
    boards: Sequence[tuple[Position, Event]], kept: Sequence[KeptValue | None], index: int
) -> bool:
    """Tell whether a position is to be searched: its value is not kept, or falls with the move.

    With more than two seats, or chance in between, two values say nothing of a move.
    """
    own = kept[index]
    if own is None:
        return True
    (position, event), following = boards[index], boards[index + 1 : index + 2]
    if not following or position.seats != 2 or following[0][0].ply != position.ply + 1:
        return False
    after = kept[index + 1]
    assert after is not None
    same = following[0][1].seat == event.seat
    return own.value - (after.value if same else 1.0 - after.value) >= DOUBT


def end_of_part(doubts: Sequence[bool], first: int, searches: int) -> int:
    """Return where a part ends that begins at a move and has that many searches at most."""
    left = searches
    for index in range(first, len(doubts)):
        left -= doubts[index]
        if left < 0:
            return index
    return len(doubts)


def search_runs(
    record: Record, doubts: Sequence[bool], first: int, stop: int, seconds: float
) -> dict[int, MoveAnalysis]:
    """Search the doubtful positions from ``first`` to ``stop``, those in a row together."""
    found: dict[int, MoveAnalysis] = {}
    for doubtful, run in itertools.groupby(range(first, stop), key=lambda index: doubts[index]):
        if doubtful:
            indices = list(run)
            analysis = analyze_part(record, indices[0], len(indices), time=seconds)
            found |= dict(zip(indices, analysis.moves, strict=True))
    return found


def seat_values(value: float, seat: int, seats: int) -> list[float | None]:
    """Return the value of a position by seat: the other of two has the rest; of more, unknown."""
    values: list[float | None] = [None] * seats
    if seats == 2:
        values[1 - seat] = round(1.0 - value, 3)
    values[seat] = round(value, 3)
    return values


def move_data(
    found: MoveAnalysis | None, position: Position, seat: int, verdict: str | None
) -> Data:
    """Return what is said of a move.

    Parameters
    ----------
    found
        From a search; None: the position was not searched.
    position
        The one before the move.
    verdict
        What the player called certain, ``won`` or ``lost``; None: nothing.
    """
    data: Data = {
        "ply": position.ply + 1,
        "seat": seat,
        "drop": 0.0,
        "proven": verdict,
        "turning": False,
        "better": None,
    }
    if found is None:
        return data
    better = found.better if found.drop >= SLIP else None
    data["drop"] = round(found.drop, 3)
    data["proven"] = "lost" if found.lost else "won" if found.won else verdict
    data["turning"] = better is not None and found.drop >= TURNING
    if better is not None:
        same = found.line[:1] == (better.move,)
        line = found.line if same else (better.move,)
        data["better"] = {
            "cells": cells_of(position, better.move),
            "line": list(itertools.islice(texts_of_line(position, line), LINE)),
        }
    return data
