"""The pages of tournaments: all of them, one, the form that begins one."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ludograph.errors import LudographError
from ludograph.games import Declaration
from ludograph.games.registry import declaration, names
from ludograph.web import competitions, forms, limits, results
from ludograph.web.doors import may
from ludograph.web.fields import fields
from ludograph.web.hall import Full
from ludograph.web.levels import levels_of
from ludograph.web.pages import UNREADABLE, known, missing, read_form
from ludograph.web.site import page, site_of
from ludograph.web.tokens import Role


async def every(request: Request) -> Response:
    """Answer with the tournaments of the store."""
    try:
        found = await run_in_threadpool(results.tournaments, site_of(request).store)
    except LudographError as error:
        return missing(request, f"{error}.")
    playing = [name for name in names() if declaration(name).seats[1] > 1]
    run = site_of(request).competitions
    return page(
        request,
        "tournaments.html",
        tournaments=found,
        running=run.running,
        games=playing,
        may_run=may(request, Role.RUN),
    )


async def new(request: Request) -> Response:
    """Answer with the form of a tournament."""
    declared = known(request)
    if declared is None or declared.seats[1] < 2:
        return missing(request, "There is no such game.")
    return await form(request, declared, {}, "")


async def form(
    request: Request,
    declared: Declaration,
    given: dict[str, str],
    complaint: str,
    status: int = 200,
) -> Response:
    """Answer with a form, and what was wrong in it."""
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
        levels=levels_of(declared),
        formats=competitions.FORMATS,
        enters=competitions.ENTERS,
        time=given.get("time", forms.USUAL_TIME),
        longest=limits.SECONDS,
        games=limits.GAMES,
        given=given,
        complaint=complaint,
    )


async def begin(request: Request) -> Response:
    """Begin the tournament that a form asks for."""
    declared = known(request)
    if declared is None or declared.seats[1] < 2:
        return missing(request, "There is no such game.")
    given = read_form(await request.body())
    if given is None:
        return await form(request, declared, {}, UNREADABLE, 400)
    run = site_of(request).competitions
    try:
        number = await run_in_threadpool(run.begin, declared.name, given)
    except Full as error:
        return await form(request, declared, given, f"{error}.", 429)
    except LudographError as error:
        return await form(request, declared, given, f"{error}.", 400)
    return RedirectResponse(f"/tournaments/{number}", 303)


async def stop(request: Request) -> Response:
    """Stop the tournament that is played now."""
    number, run = request.path_params["number"], site_of(request).competitions
    if run.running != number:  # it may just have ended
        return await one(request)
    run.stop()
    return RedirectResponse(f"/tournaments/{number}", 303)


async def go_on(request: Request) -> Response:
    """Go on with a tournament that was stopped."""
    number, run = request.path_params["number"], site_of(request).competitions
    try:
        asked = await run_in_threadpool(run.unfinished, number)
        if asked is not None:
            await run_in_threadpool(run.begin, asked.game, asked.given)
    except Full as error:
        return missing(request, f"{error}.", 429)
    except LudographError as error:
        return missing(request, f"{error}.")
    if asked is None and run.running != number:
        return missing(request, "This tournament cannot be gone on with here.", 409)
    return RedirectResponse(f"/tournaments/{number}", 303)


async def one(request: Request) -> Response:
    """Answer with the tables of a tournament."""
    site, number = site_of(request), request.path_params["number"]
    try:
        found = await site.pools.reading.result(request, results.tournament, site.store, number)
    except LudographError as error:
        return missing(request, f"{error}.")
    run = site.competitions
    unfinished = await run_in_threadpool(run.unfinished, number)
    return page(
        request,
        "tournament.html",
        **found,
        unfinished=unfinished is not None,
        running=run.running == number,
        trouble=run.trouble,
        may_run=may(request, Role.RUN),
    )
