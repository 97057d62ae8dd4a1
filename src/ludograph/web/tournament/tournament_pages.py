"""Pages of tournaments: forms, tables, and the games of two players."""

from __future__ import annotations

import pickle
import time
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ludograph.arena.ladder.people import Role
from ludograph.arena.overtime import OVERTIME, UNTIL_DECIDED
from ludograph.arena.tournament.openings import DRAWN
from ludograph.errors import LudographError, NotFound
from ludograph.games import Declaration
from ludograph.games.registry import declaration, names
from ludograph.web.games import forms
from ludograph.web.games.forms import fields
from ludograph.web.games.game_pages import UNREADABLE, known, offered_names, read_form
from ludograph.web.games.offered_players import OFFERED
from ludograph.web.games.opponent_levels import levels_of
from ludograph.web.match.match_manager import ServerFull
from ludograph.web.positions.wording import titled
from ludograph.web.server import limits
from ludograph.web.server.context import context_of
from ludograph.web.server.responses import error_page, json_response, page, sentence_for
from ludograph.web.server.tokens import may
from ludograph.web.tournament.tournament_tables import (
    FORMATS_CALLED,
    GAMES_SHOWN,
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

ROWS_ON_SCREEN = 10
"""The most players in the standings on a big screen."""


async def every(request: Request) -> Response:
    """Answer with the tournaments of the store."""
    kept = await run_in_threadpool(tournaments, context_of(request).store)
    playing = [name for name in names() if declaration(name).seats[1] > 1]
    run = context_of(request).tournament_runner
    return page(
        request,
        "tournaments.html",
        tournaments=kept,
        running=run.running,
        games=playing,
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
        offered=await run_in_threadpool(offered_names, request, declared),
        prefix=OFFERED,
        levels=levels_of(declared),
        formats=FORMATS,
        called=FORMATS_CALLED,
        overtime=OVERTIME,
        until_decided=UNTIL_DECIDED,
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
        return error_page(request, "This tournament cannot continue here.", 409)
    return RedirectResponse(f"/tournaments/{number}", 303)


async def one(request: Request) -> Response:
    """Answer with the tables of a tournament."""
    return await _tables(request, "tournament.html")


async def screen(request: Request) -> Response:
    """Answer with the bracket or the standings of a tournament, as large as the screen."""
    return await _tables(request, "tournament_screen.html")


async def _tables(request: Request, template: str) -> Response:
    context, number = context_of(request), request.path_params["number"]
    run = context.tournament_runner
    running = run.running == number  # asked first: tables computed after its end are the last ones
    unfinished = await run_in_threadpool(run.unfinished, number)
    version = version_of(context.store, time.time(), running=running)
    tables: dict[str, Any] = pickle.loads(
        await context.pools.reading.result(request, tables_of, context.store, number, version)
    )
    return page(
        request,
        template,
        **tables,
        most=ROWS_ON_SCREEN,
        unfinished=unfinished is not None,
        running=running,
        elsewhere=tables["progress"]["moves_on"] and not running and unfinished is None,
        trouble=run.trouble(number) if may(request, Role.OPERATE) else "",
        may_run=may(request, Role.OPERATE),
    )


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
        return error_page(request, "No game of this tournament has ended yet.")
    return RedirectResponse(f"/replay/store/{game}?follow={number}", 303)


async def games(request: Request) -> Response:
    """Answer with the games of two players of a tournament."""
    context, number = context_of(request), request.path_params["number"]
    names = (request.query_params.get("player", ""), request.query_params.get("opponent", ""))
    kept, found = await run_in_threadpool(pairing, context.store, number, *names)
    return page(
        request,
        "pairing.html",
        names=names,
        games=found,
        above=f"/tournaments/{number}",
        above_title=f"Tournament {number}: {titled(kept.declaration['title'])}",
        record="/replay/store",
        kept={game.number for game in found},
        shown_at_most=GAMES_SHOWN,
    )
