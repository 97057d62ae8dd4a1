"""Variations: moves that a visitor tries in a position of a recorded game."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from ludograph.analysis.advice import position_at
from ludograph.errors import InvalidInput, LudographError
from ludograph.referee import Record
from ludograph.web import replays
from ludograph.web.context import context_of, json_error
from ludograph.web.move_input import choices
from ludograph.web.replay_pages import JSON, number_in
from ludograph.web.serializers import Data, SceneEncoder, frame

LONGEST = 200
"""The most moves of a variation."""


async def variation(request: Request) -> Response:
    """Answer with the position behind moves that were tried: ``?step=9&move=d4&move=e5``."""
    context, step = context_of(request), number_in(request, "step", 0)
    source, number = request.path_params["source"], request.path_params["number"]
    moves = tuple(request.query_params.getlist("move"))
    try:
        data = await run_in_threadpool(context.replays.data, source, number)
        made = await context.pools.reading.result(request, variation_of, data, step, moves)
    except LudographError as error:
        return json_error(error, 404)
    return Response(made, media_type=JSON)


def variation_of(data: bytes, step: int, moves: Sequence[str]) -> bytes:
    """Return a variation of a record as JSON; see :func:`variation_data`."""
    return msgspec.json.encode(variation_data(replays.read(data), step, moves))


def variation_data(record: Record, step: int, moves: Sequence[str]) -> Data:
    """Return the position behind some moves that follow a step of a game.

    Its fields are ``now``, a frame; ``shapes`` of its picture; ``ask``, the legal moves, None if no
    seat is to move; ``ways``, by move, the cells over which it went.

    Raises
    ------
    InvalidInput
        If the game has no such step, a move is illegal, or there are too many.
    """
    if len(moves) > LONGEST:
        raise InvalidInput(f"a variation has {LONGEST} moves at most")
    position = position_at(record, step).copy()
    for move in moves:
        if position.is_over or position.is_chance:
            raise InvalidInput("no player is to move there")
        position.play(position.parse(move))
    ways = [list(way) for way in position.game.presentation.ways(position)]
    encoder = SceneEncoder(record.start.scene())
    now = frame(position, encoder, record.names, record.header.get("specs") or ())
    asked = not position.is_over and not position.is_chance
    ask = choices(position, encoder) if asked else None
    return {
        "now": now,
        "shapes": encoder.shapes,
        "ask": ask,
        "ways": ways[len(ways) - len(moves) :],
    }
