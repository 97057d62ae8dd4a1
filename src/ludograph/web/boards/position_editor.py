"""The editor in which visitors set up a position, piece by piece."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

import msgspec
import numpy as np
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ludograph.boards import Board
from ludograph.errors import InvalidInput, LudographError
from ludograph.games import Declaration, Position
from ludograph.games.pictures import heading
from ludograph.games.registry import declaration
from ludograph.referee.options import MatchOptions
from ludograph.web.games import forms
from ludograph.web.games.game_pages import arranges, form, known, own_board
from ludograph.web.match.match_records import write_beginning
from ludograph.web.positions.serializers import Data, SceneEncoder
from ludograph.web.server.context import context_of
from ludograph.web.server.responses import (
    error_response,
    json_response,
    page,
    sent_data,
)


class PositionMessage(msgspec.Struct, forbid_unknown_fields=True):
    """The data of the page: its form, the pieces on the cells, and whether to play."""

    fields: dict[str, str]
    fills: list[int]
    play: bool


async def editor(request: Request) -> Response:
    """Answer with the page for setting up a position of a form's game."""
    declared = known(request)
    given = dict(request.query_params)
    try:
        own = own_board(request, declared, given)
        seed, title = await context_of(request).pools.reading.result(
            request, seed_and_title, declared.name, given, own
        )
    except LudographError as error:
        return await form(request, declared, given, f"{error}.", 400)
    if not given.get("seed"):  # a drawn start stays the same
        again = urlencode({**given, "seed": seed})
        return RedirectResponse(f"/games/{declared.name}/set-up?{again}", 303)
    if not arranges(declared.name):
        return error_response(request, "Positions of this game are not set up piece by piece.", 404)
    return page(request, "arrange.html", game=declared, title=title)


def seed_and_title(name: str, given: dict[str, str], own: Board | None) -> tuple[int, str]:
    """Return the seed of a form of the game of this name, and the title of its start."""
    start, seed = forms.read_start(declaration(name), given, own)
    return seed, heading(start)


async def board(request: Request) -> Response:
    """Answer with the board of a form, and the pieces for it."""
    declared = known(request)
    given = dict(request.query_params)
    own, reading = own_board(request, declared, given), context_of(request).pools.reading
    data = await reading.result(request, board_of, declared.name, given, own)
    return Response(data, media_type="application/json")


def board_of(name: str, given: dict[str, str], own: Board | None) -> bytes:
    """Return the board of a form of the game of this name, as JSON; see :func:`editable`."""
    return msgspec.json.encode(editable(forms.read_start(declaration(name), given, own)[0]))


def editable(start: Position) -> Data:
    """Return the plain picture of a start, and the pieces allowed on each cell."""
    picture = start.scene()
    scene = replace(picture.in_cells, strokes=(), groups=None)
    is_same = len(picture.palette) == len(scene.palette)
    if is_same and np.array_equal(scene.fills, picture.fills):  # only terminals' colors differ
        scene = replace(scene, palette=picture.palette)
    encoder = SceneEncoder(scene)
    pieces = [int(number) for number in start.game.interaction.pieces(start)]
    names = start.game.presentation.cell_names(start)
    cells = [cell for cell, fill in enumerate(scene.fills.tolist()) if fill in set(pieces)]
    return {
        "board": encoder.board(start),
        "picture": encoder.picture(scene),
        "pieces": pieces,
        "cells": [[cell, names.get(cell, str(cell))] for cell in cells],
    }


async def take(request: Request) -> Response:
    """Receive a position from the editor; answer with the address to play or analyze it."""
    declared = known(request)
    sent: PositionMessage = await sent_data(request, PositionMessage)
    try:
        own = own_board(request, declared, sent.fields)
        return json_response(await run_in_threadpool(keep, request, declared, sent, own))
    except InvalidInput as error:
        text = str(error).removeprefix(f"{declared.name}: ")
        return error_response(request, f"{text[:1].upper()}{text[1:]}.", 400)


def keep(request: Request, declared: Declaration, sent: PositionMessage, own: Board | None) -> Data:
    """Begin a match from a position, or store it for a while for analysis."""
    match_manager = context_of(request).match_manager
    chosen = forms.read(declared, sent.fields, own, match_manager.offered)
    position = arranged(chosen.start, sent.fills)
    start = position.game.restore(position.board, position.game.describe(position))
    if not sent.play:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "position.jsonl"
            write_beginning(path, start, position.history, chosen.players, MatchOptions())
            number = context_of(request).replays.open(path.read_bytes())
        return {"url": f"/replay/file/{number}#{position.ply}"}
    match = match_manager.begin(
        start,
        chosen.players,
        own=chosen.own,
        moves=position.history,
        clock=chosen.clock,
        form=sent.fields,
        person=request.state.person,
    )
    return {"url": match.address}


def arranged(start: Position, fills: list[int]) -> Position:
    """Return the position with these fills; raise InvalidInput if there is none."""
    before = start.scene().in_cells.fills.tolist()
    pieces = set(start.game.interaction.pieces(start))
    if len(fills) != len(before):
        raise InvalidInput(f"the board has {len(before)} cells, not {len(fills)}")
    for cell, (old, new) in enumerate(zip(before, fills, strict=True)):
        if old != new and not (old in pieces and new in pieces):
            raise InvalidInput(f"cell {cell} cannot have this piece")
    position: Position = start.game.interaction.arranged(start, fills)
    return position
