"""Pages of tournaments: forms, tables, and the games of two players."""

from __future__ import annotations

import pickle
import time
from base64 import b64encode
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ludograph.analysis.advice import has_time
from ludograph.arena.ladder.people import Role
from ludograph.arena.openings import DRAWN
from ludograph.arena.overtime import MOST, OVERTIME
from ludograph.arena.store import Store
from ludograph.errors import LudographError, NotFound
from ludograph.formatting import duration
from ludograph.games import Declaration, Position
from ludograph.games.registry import declarations
from ludograph.referee.record_reader import parse_record
from ludograph.web.games import forms
from ludograph.web.games.forms import fields
from ludograph.web.games.game_pages import UNREADABLE, known, offered_names, read_form
from ludograph.web.games.offered_players import OFFERED
from ludograph.web.games.opponent_levels import levels_of
from ludograph.web.match.match_manager import ServerFull
from ludograph.web.positions.wording import titled
from ludograph.web.server import limits
from ludograph.web.server.context import AppContext, context_of
from ludograph.web.server.responses import error_response, json_response, page, sentence_for
from ludograph.web.server.tokens import may
from ludograph.web.server.work_pools import Overloaded
from ludograph.web.tournament.tournament_tables import (
    FORMATS_CALLED,
    GAMES_SHOWN,
    People,
    pairing,
    tables_of,
    version_of,
)
from ludograph.web.tournament.tournaments import (
    ENTERS,
    FORMATS,
    NO_OPENINGS,
    latest_game,
    tournaments,
    usual_openings,
)
from ludograph.workers import TooLong

ROWS_ON_SCREEN = 10
"""The most players in the standings on a big screen."""

TABLES_KEPT = 20
"""The tournaments whose last tables are shown while the server is too busy for new ones."""


async def every(request: Request) -> Response:
    """Answer with the tournaments of the store."""
    running = context_of(request).tournament_runner.running
    return page(
        request,
        "tournaments.html",
        tournaments=await run_in_threadpool(tournaments, context_of(request).store, running),
        games=[declared.name for declared in declarations() if declared.seats[1] > 1],
        called=FORMATS_CALLED,
        may_run=may(request, Role.OPERATE),
    )


async def new(request: Request) -> Response:
    """Answer with the form of a tournament."""
    declared = known(request)
    if declared.seats[1] < 2:
        raise NotFound("there is no such game")
    return await form(request, declared, {}, "")


async def form(
    request: Request,
    declared: Declaration,
    given: dict[str, str],
    complaint: str,
    status: int = 200,
) -> Response:
    """Answer with a form, and the fault in it."""
    opponents = await run_in_threadpool(forms.opponents, declared)
    seats = max(2, declared.seats[0])
    fitting = [each for each in opponents if each.seats[0] <= seats <= each.seats[1]]
    return page(
        request,
        "new_tournament.html",
        status,
        game=declared,
        fields=fields(declared, given),
        opponents=fitting,
        has_time=has_time,
        offered=await run_in_threadpool(offered_names, request, declared),
        prefix=OFFERED,
        levels=levels_of(declared),
        formats=FORMATS,
        called=FORMATS_CALLED,
        overtime=OVERTIME,
        most_overtime=MOST,
        enters=ENTERS,
        openings=given.get("openings") or await run_in_threadpool(usual_openings, declared),
        drawn=DRAWN,
        suites=declared.openings,
        no_openings=NO_OPENINGS,
        time=given.get("time", forms.USUAL_TIME),
        longest=limits.SECONDS,
        games=limits.GAMES,
        given=given,
        complaint=complaint,
    )


async def begin(request: Request) -> Response:
    """Begin the tournament of a form."""
    declared = known(request)
    if declared.seats[1] < 2:
        raise NotFound("there is no such game")
    given = read_form(await request.body())
    if given is None:
        return await form(request, declared, {}, UNREADABLE, 400)
    run = context_of(request).tournament_runner
    try:
        number = await run_in_threadpool(run.begin, declared.name, given)
    except ServerFull as error:
        return await form(request, declared, given, f"{error}.", 429)
    except LudographError as error:
        return await form(request, declared, given, sentence_for(request, error), 400)
    return RedirectResponse(f"/tournaments/{number}", 303)


async def stop(request: Request) -> Response:
    """Stop the running tournament."""
    number, run = request.path_params["number"], context_of(request).tournament_runner
    if run.running != number:  # it may just have ended
        return await one(request)
    run.stop()
    return RedirectResponse(f"/tournaments/{number}", 303)


async def go_on(request: Request) -> Response:
    """Go on with a tournament that was stopped."""
    number, run = request.path_params["number"], context_of(request).tournament_runner
    form = await run_in_threadpool(run.unfinished, number)
    if form is not None:
        await run_in_threadpool(run.begin, form.game, form.given)
    if form is None and run.running != number:
        return error_response(request, "This tournament cannot continue here.", 409)
    return RedirectResponse(f"/tournaments/{number}", 303)


async def one(request: Request) -> Response:
    """Answer with the tables of a tournament."""
    return page(request, "tournament.html", **await shown_tables(request))


async def screen(request: Request) -> Response:
    """Answer with bracket or standings and the board of a game, as large as the screen.

    It is the game under way if this server plays the tournament, else the last one that has ended.
    """
    values, context = await shown_tables(request), context_of(request)
    now = context.tournament_runner.now if values["running"] else None
    drawn: tuple[Any, ...] = (last_board, context.store, request.path_params["number"])
    if now is not None:
        drawn = (board_of, now[1])
    board = ""
    if now is not None or values["games"]:
        with suppress(Overloaded, TooLong):  # the last one stays for a moment
            board = await context.pools.drawing.result(request, *drawn)
    return page(
        request,
        "tournament_screen.html",
        **values,
        most=ROWS_ON_SCREEN,
        board=board,
        playing=() if now is None else [values["called"].get(name, name) for name in now[0]],
        moves=0 if now is None else now[1].ply,
    )


def board_of(position: Position) -> str:
    """Return the address of a picture of a position, which holds it, without texts around it."""
    drawn = b64encode(position.svg(title=False).encode()).decode()
    return f"data:image/svg+xml;base64,{drawn}"


def last_board(store: str | Path | None, number: int) -> str:
    """Return the same of the end of the last finished game of a tournament."""
    game = latest_game(store, number)
    with Store(store, must_exist=True) as opened:
        record = parse_record(opened.record(game or 0))
    return board_of(record.position_at(record.plies))


async def shown_tables(request: Request) -> dict[str, Any]:
    """Return the tables of a tournament for its pages: the last ones if the server is too busy."""
    context, number = context_of(request), request.path_params["number"]
    run, people = context.tournament_runner, await run_in_threadpool(people_of, context)
    running = run.running == number  # asked first: tables computed after its end are the last ones
    unfinished = await run_in_threadpool(run.unfinished, number)
    version = version_of(context.store, time.time(), running=running)
    age = ""
    try:
        values = await context.pools.reading.result(
            request, tables_of, context.store, number, people, version
        )
    except (Overloaded, TooLong):
        if number not in context.tables:
            raise
        values, when = context.tables[number]
        age = duration(time.monotonic() - when)
    else:
        context.tables.pop(number, None)
        context.tables[number] = values, time.monotonic()
        if len(context.tables) > TABLES_KEPT:
            del context.tables[next(iter(context.tables))]
    tables: dict[str, Any] = pickle.loads(values)
    return {
        **tables,
        "age": age,
        "unfinished": unfinished is not None,
        "running": running,
        "elsewhere": tables["progress"]["moves_on"] and not running and unfinished is None,
        "trouble": run.trouble(number) if may(request, Role.OPERATE) else "",
        "may_run": may(request, Role.OPERATE),
    }


def people_of(context: AppContext) -> People:
    """Return the people of players' files, by all ladders that show names to everybody.

    A file name that people of several ladders have says nothing about its author.
    """
    found: dict[str, set[str]] = {}
    for ladder in context.ladders:
        for file, name in ladder.names().items():
            found.setdefault(file, set()).add(name)
    return tuple((file, min(own)) for file, own in sorted(found.items()) if len(own) == 1)


async def latest(request: Request) -> Response:
    """Answer with the number of the last finished game, for pages that follow a tournament."""
    context, number = context_of(request), request.path_params["number"]
    game = await run_in_threadpool(latest_game, context.store, number)
    return json_response({"game": game})


async def follow(request: Request) -> Response:
    """Redirect to the last finished game, on a page that goes on to later games."""
    context, number = context_of(request), request.path_params["number"]
    game = await run_in_threadpool(latest_game, context.store, number)
    if game is None:
        return error_response(request, "No game of this tournament has ended yet.", 404)
    return RedirectResponse(f"/replay/store/{game}?follow={number}", 303)


async def games(request: Request) -> Response:
    """Answer with the games of two players of a tournament."""
    context, number = context_of(request), request.path_params["number"]
    names = (request.query_params.get("player", ""), request.query_params.get("opponent", ""))
    people = await run_in_threadpool(people_of, context)
    kept, found, numbers = await run_in_threadpool(pairing, context.store, number, people, *names)
    return page(
        request,
        "pairing.html",
        names=names,
        games=found,
        numbers=numbers,
        above=f"/tournaments/{number}",
        above_title=f"Tournament {number}: {titled(kept.declaration['title'])}",
        record="/replay/store",
        kept={game.number for game in found},
        shown_at_most=GAMES_SHOWN,
    )
