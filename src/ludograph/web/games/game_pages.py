"""The first page, and the page of a game: its form and its pictures."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ludograph.analysis.advice import has_time
from ludograph.boards import Board
from ludograph.errors import InvalidInput, LudographError, NotFound
from ludograph.games import Declaration
from ludograph.games.player_templates import template
from ludograph.games.registry import declaration, load, names
from ludograph.referee.seed import Seed
from ludograph.web.boards.uploaded_boards import OWN, option_of
from ludograph.web.games import forms, game_pictures
from ludograph.web.games.forms import fields
from ludograph.web.games.offered_players import OFFERED
from ludograph.web.games.opponent_levels import levels_of
from ludograph.web.match.match_manager import ServerFull
from ludograph.web.positions.serializers import seat_data
from ludograph.web.server import limits
from ludograph.web.server.context import context_of
from ludograph.web.server.prepared_answers import drawing
from ludograph.web.server.responses import attached, page, sentence_for


async def home(request: Request) -> Response:
    """Answer with the home page: games to play, matches, records."""
    return (await context_of(request).home_page.answer()).response(request)


FIELDS = 100
"""The most fields of a form."""

UNREADABLE = "The form could not be read."


def known(request: Request) -> Declaration:
    """Return the game of a path; raise NotFound if there is none."""
    name = request.path_params["game"]
    if name not in names():
        raise NotFound("there is no such game")
    return declaration(name)


async def game(request: Request) -> Response:
    """Answer with the form of a game."""
    declared = known(request)
    own, like = (request.query_params.get(name, "") for name in ("on", "like"))
    given = context_of(request).match_manager.records.seat_keys(like).settings
    return await form(request, declared, given or ({OWN: own} if own else {}), "")


def own_board(request: Request, declared: Declaration, given: dict[str, str]) -> Board | None:
    """Return the visitor's own board of a form; None if it has none.

    Raises
    ------
    NotFound
        If it is no longer stored.
    """
    number = given.get(OWN, "")
    if not number or option_of(declared) is None:
        return None
    return context_of(request).uploaded_boards[number]


async def form(
    request: Request,
    declared: Declaration,
    given: dict[str, str],
    complaint: str,
    status: int = 200,
) -> Response:
    """Answer with a form, and the fault in it."""
    low, high = forms.seats_of(declared)
    wanted = given.get("seats", "")
    is_possible = wanted in map(str, range(low, high + 1))
    own = None
    try:
        own = own_board(request, declared, given)
    except InvalidInput as error:
        complaint, status = complaint or f"{error}.", 404
    shown = {} if set(given) == {OWN} else given

    def seats() -> list[dict[str, str]]:
        return [
            {
                "player": given.get(f"player{seat}") or forms.usual_player(declared, seat),
                "time": given.get(f"time{seat}") or forms.USUAL_TIME,
                **color,
            }
            for seat, color in enumerate(seat_colors(declared.name))
        ]

    return page(
        request,
        "game.html",
        status,
        game=declared,
        fields=fields(declared, shown),
        own=own,
        own_field=OWN,
        opponents=await run_in_threadpool(forms.opponents, declared),
        has_time=has_time,
        offered=await run_in_threadpool(offered_names, request, declared),
        prefix=OFFERED,
        levels=levels_of(declared),
        seats=await run_in_threadpool(seats),
        low=low,
        high=high,
        count=int(wanted) if is_possible else forms.usual_seats(declared),
        given=given,
        complaint=complaint,
        longest=limits.SECONDS,
        pictured=limits.PREVIEWED,
        arranged=await run_in_threadpool(arranges, declared.name),
    )


def offered_names(request: Request, declared: Declaration) -> list[str]:
    """Return the names of the offered players' files that can play a game."""
    offered = context_of(request).match_manager.offered
    return [] if offered is None else offered.names(load(declared))


@lru_cache
def arranges(name: str) -> bool:
    """Tell whether positions of a game are set up piece by piece."""
    game = load(declaration(name))
    return len(game.interaction.pieces(next(iter(game.samples())))) > 1


@lru_cache
def seat_colors(name: str) -> list[dict[str, str]]:
    """Return the ``color`` of each seat, empty without one, and its ``chip``, a ``#rrggbb``.

    Seats beyond those of the usual start have no color.
    """
    declared = declaration(name)
    _, most = forms.seats_of(declared)
    shown: dict[str, Any] = {
        each.name: each.form.value for each in declared.options if each.form.value
    }
    try:
        start = load(declared).position(seats=most, **shown)
    except InvalidInput:  # the usual board is too small for this number of seats
        start = load(declared).position(seats=forms.usual_seats(declared), **shown)
    scene = start.scene()
    data = [seat_data(start, scene, seat, "") for seat in range(start.seats)]
    colors = [{"color": each["color"], "chip": each["chip"]} for each in data]
    return colors + [{"color": "", "chip": ""}] * (most - start.seats)


async def begin(request: Request) -> Response:
    """Begin the match of a form."""
    declared = known(request)
    given = read_form(await request.body())
    if given is None or not forms.is_ours(declared, given):
        return await form(request, declared, {}, UNREADABLE, 400)
    match_manager = context_of(request).match_manager
    try:
        own = own_board(request, declared, given)
        offered = match_manager.offered
        chosen = await run_in_threadpool(forms.read, declared, given, own, offered)
        match = await run_in_threadpool(
            lambda: match_manager.begin(
                chosen.start,
                chosen.players,
                own=chosen.own,
                seed=Seed(chosen.seed) if given.get("seed", "").strip() else None,
                clock=chosen.clock,
                form=given,
                person=request.state.person,
            )
        )
    except ServerFull as error:
        return await form(request, declared, {}, f"{error}.", 429)
    except LudographError as error:
        return await form(request, declared, given, sentence_for(request, error), 400)
    return RedirectResponse(match.address, 303)


def read_form(body: bytes) -> dict[str, str] | None:
    """Return the fields of a form; None if it is not valid."""
    try:
        pairs = parse_qsl(body.decode("ascii"), max_num_fields=FIELDS, errors="strict")
    except ValueError:
        return None
    return dict(pairs)


async def player_file(request: Request) -> Response:
    """Answer with a small, complete player to keep, or with the header of players in C.

    They are those that ``ludograph player new`` and ``ludograph header`` write.
    """
    declared, file = known(request), Path(request.url.path)
    library = load(declared).interop.library
    if file.suffix != ".h":
        text = template(declared.name, f"player{file.suffix}.txt", Path(file.name))
    elif library is not None:
        text = library.header
    else:
        raise NotFound(f"{declared.name} has no C interface")
    return attached(text, "text/plain", file.name)


async def picture(request: Request) -> Response:
    """Answer with a small picture of a running game."""
    declared = known(request)
    given = dict(request.query_params)
    if not given:
        kept = game_pictures.kept_picture(declared.package)
        if kept is not None:
            return kept.response(request)
    reading = context_of(request).pools.reading
    own = own_board(request, declared, given)
    text = await reading.result(request, game_pictures.start_picture, declared.name, given, own)
    return drawing(text).response(request)


async def example(request: Request) -> Response:
    """Answer with a game's recorded example as a picture that plays by itself."""
    kept = game_pictures.kept_picture(known(request).package, game_pictures.ANIMATION)
    if kept is None:
        raise NotFound("there is no such picture")
    return kept.response(request)
