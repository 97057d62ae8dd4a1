"""Pages of puzzles: positions of recorded games in which exactly one move wins."""

from __future__ import annotations

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from ludograph.analysis.advice import cells_of
from ludograph.analysis.puzzles import Puzzle, find_puzzles
from ludograph.errors import LudographError
from ludograph.games.registry import declaration, names
from ludograph.referee import Record
from ludograph.web.match.match_records import RecordSummary
from ludograph.web.positions.move_input import choices
from ludograph.web.positions.serializers import Data, SceneEncoder, frame
from ludograph.web.replay import replays
from ludograph.web.replay.replay_pages import JSON, is_secret, page_of_record
from ludograph.web.server import limits
from ludograph.web.server.context import context_of
from ludograph.web.server.responses import json_error, page

MOST = 20
"""The most puzzles of one game on its page."""


async def every(request: Request) -> Response:
    """Answer with the latest games that may have puzzles."""
    latest = await run_in_threadpool(context_of(request).match_manager.latest)
    return page(request, "puzzles.html", games=[each for each in latest if fits(each)])


def fits(summary: RecordSummary) -> bool:
    """Tell whether a record may have puzzles: a finished game of two seats with a solver."""
    known = summary.game in names() and declaration(summary.game).solving is not None
    return known and len(summary.players) == 2 and bool(summary.sentence)


one = page_of_record("puzzle.html")


async def found(request: Request) -> Response:
    """Answer with the puzzles of a recorded game, found in the background."""
    context = context_of(request)
    source, number = request.path_params["source"], request.path_params["number"]
    try:
        data = await run_in_threadpool(context.replays.data, source, number)
        if is_secret(context, source, number, data):
            return json_error("Puzzles are made of a game between people only after its end.", 403)
        made = await context.pools.evaluating.result(request, puzzles_of, data)
    except LudographError as error:
        return json_error(error, 404)
    return Response(made, media_type=JSON)


def puzzles_of(data: bytes) -> bytes:
    """Return the puzzles of a record as JSON; see :func:`puzzles_data`."""
    return msgspec.json.encode(puzzles_data(replays.read(data)))


def puzzles_data(record: Record) -> Data:
    """Return the board of a game and its puzzles, the latest of them if there are many.

    Raises
    ------
    InvalidInput
        If such a game cannot have puzzles.
    """
    encoder = SceneEncoder(record.start.scene())
    puzzles = find_puzzles(record, limits.PUZZLE_SECONDS)[-MOST:]
    shown = [puzzle_data(each, record, encoder) for each in puzzles]
    return {
        "board": encoder.board(record.start),
        "shapes": encoder.shapes,
        "puzzles": shown,
    }


def puzzle_data(puzzle: Puzzle, record: Record, encoder: SceneEncoder) -> Data:
    """Return a puzzle with its picture, its legal moves and its answer."""
    position = puzzle.position
    seat = position.turn or 0
    return {
        "ply": puzzle.ply,
        # people count seats from 1
        "question": puzzle.question.replace(f"Seat {seat} ", f"Player {seat + 1} "),
        "now": frame(position, encoder, record.names, *replays.chosen_players(record)),
        "ask": choices(position, encoder),
        "move": puzzle.move,
        "cells": cells_of(position, puzzle.move),
        "line": puzzle.line,
    }
