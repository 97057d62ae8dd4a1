"""Variations: moves that a visitor tries in a position of a recorded game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ludograph.analysis.advice import position_at
from ludograph.analysis.evaluation import chances
from ludograph.errors import InvalidInput
from ludograph.games import Position
from ludograph.referee import Record
from ludograph.rules import random_state
from ludograph.web.positions.move_input import choices
from ludograph.web.positions.serializers import Data, SceneEncoder, frame, line_data
from ludograph.web.replay import replays

LONGEST = 200
"""The most moves of a variation."""


def variation_data(
    record: Record, step: int, moves: Sequence[str], seed: int | None = None
) -> Data:
    """Return the position after some moves of seats and of chance that follow a step of a game.

    Its fields are ``line``, the moves that lead there (see
    :func:`~ludograph.web.positions.serializers.line_data`), each with its ``way``, the cells on its
    path; ``now``, a frame; ``shapes`` of its picture; ``ask``, the legal moves, None if no seat is
    to move; ``outcomes`` of chance, empty if it is not to move.

    Parameters
    ----------
    seed
        The seed of chance after the moves; None: nothing is drawn.

    Raises
    ------
    InvalidInput
        If the game has no such step, or there are too many moves.
    IllegalMove
        If a move is not legal.
    """
    drawn = seed is not None
    if len(moves) + drawn > LONGEST:
        raise InvalidInput(f"a variation has {LONGEST} moves at most")
    before = position_at(record, step)
    position = before.copy()
    for move in moves:
        position.play(move)
    if seed is not None:
        if not position.is_chance:
            raise InvalidInput("chance is not to move there")
        position.play_random(random_state(seed, position.ply))
    line = line_data(before, position.history[len(before.history) :])
    ways = list(position.game.presentation.ways(position))
    ways = ways[len(ways) - len(line) :]
    encoder = SceneEncoder(record.start.scene())
    now = frame(position, encoder, record.names, *replays.chosen_players(record))
    asked = not position.is_over and not position.is_chance
    return {
        "line": [each | {"way": list(way)} for each, way in zip(line, ways, strict=True)],
        "now": now,
        "ask": choices(position, encoder) if asked else None,
        "shapes": encoder.shapes,
        "outcomes": outcomes(position) if position.is_chance else [],
    }


def outcomes(position: Position) -> list[Data]:
    """Return the outcomes of chance, the likeliest first: ``move``, ``text`` and ``share``.

    Equal texts are followed by the move.
    """
    found: list[Data] = []
    for code, share in chances(position):
        after = position.copy()
        after.push(code)
        text = position.game.presentation.label(after, code)
        found.append({"move": position.text(code), "text": text, "share": share})
    times = Counter(each["text"] for each in found)
    for each in found:
        if times[each["text"]] > 1:
            each["text"] += f": {each['move']}"
    return sorted(found, key=lambda each: (-each["share"], each["text"]))
