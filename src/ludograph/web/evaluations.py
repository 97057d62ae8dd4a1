"""The evaluation of a recorded game for its page: chances to win by ply, and what was better.

A page asks for one part after the other, each a short piece of work for a pool, so that the curve
grows while it is computed.
"""

from __future__ import annotations

import itertools

from ludograph.analysis import MoveAnalysis, analyze_part
from ludograph.analysis.advice import cells_of, texts_of_line
from ludograph.analysis.evaluation import before_moves
from ludograph.errors import InvalidInput
from ludograph.games import Position
from ludograph.referee import Record
from ludograph.web import limits
from ludograph.web.serializers import Data

SLIP = 0.05
"""The least loss of value for which a better move is named."""

TURNING = 0.2
"""The least loss of value of a turning point."""

LINE = 6
"""The most moves of a line that are shown."""


def evaluated(record: Record) -> int:
    """Return how many moves of a game can be evaluated; 0 for a game of one seat."""
    moves = sum(event.move is not None and event.seat is not None for event in record.events)
    return moves if record.start.seats > 1 and moves <= limits.EVALUATED_MOVES else 0


def part(record: Record, first: int) -> Data:
    """Return a part of the evaluation, as many moves as a second or two suffice for.

    Its fields are ``done`` and ``total``, numbers of moves; ``points``, the values of seats by the
    number of plies before (null: unknown); ``moves``, what is said of each move.

    Raises
    ------
    InvalidInput
        If the game has no such move, one seat, or too many moves.
    """
    total = evaluated(record)
    if not 0 <= first < total:
        raise InvalidInput("there is no such move to evaluate")
    seconds = min(limits.EVALUATED_SECONDS, limits.EVALUATION_SECONDS / total)
    count = min(total - first, max(1, round(limits.PART_SECONDS / seconds)))
    analysis = analyze_part(record, first, count, time=seconds)
    positions = (position for position, _ in before_moves(record)[first : first + count])
    points: dict[int, list[float | None]] = {}
    for seat in range(analysis.seats):
        for ply, value in analysis.curve(seat):
            values = points.setdefault(ply, [None] * analysis.seats)
            values[seat] = round(value, 3)
    return {
        "done": first + len(analysis.moves),
        "total": total,
        "points": sorted(points.items()),
        "moves": [
            move_data(each, position)
            for each, position in zip(analysis.moves, positions, strict=True)
        ],
    }


def move_data(each: MoveAnalysis, position: Position) -> Data:
    """Return what is said of a move; ``position`` is the one before it."""
    better = each.better if each.drop >= SLIP else None
    data: Data = {
        "ply": each.ply,
        "seat": each.seat,
        "drop": round(each.drop, 3),
        "proven": "lost" if each.lost else "won" if each.won else None,
        "turning": better is not None and each.drop >= TURNING,
        "better": None,
    }
    if better is not None:
        same = each.line[:1] == (better.move,)
        line = each.line if same else (better.move,)
        data["better"] = {
            "cells": cells_of(position, better.move),
            "line": list(itertools.islice(texts_of_line(position, line), LINE)),
        }
    return data
