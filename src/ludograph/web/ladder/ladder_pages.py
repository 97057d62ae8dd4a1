"""Pages of ladders: tables, players, participants, and uploads of players."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from anyio import from_thread, to_thread
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from ludograph.arena.ladder import orders
from ludograph.arena.ladder.folder import SUFFIXES
from ludograph.arena.ladder.people import Person, Role
from ludograph.arena.ladder.submission_list import accepted, events_today, limits_text
from ludograph.arena.playing import play_unrecorded
from ludograph.errors import NotFound
from ludograph.web.ladder import ladders
from ludograph.web.ladder.ladders import LadderPages, without_start
from ludograph.web.ladder.shown_ladders import LATEST, PlayerGames, player_games, shown_ladder
from ludograph.web.ladder.uploads import NotYours, Play, may_read_output
from ludograph.web.server.context import context_of
from ludograph.web.server.responses import attached, error_response, json_response, page
from ludograph.web.server.tokens import WRONG, Visitor, visitor_of
from ludograph.web.server.work_pools import Overloaded
from ludograph.workers import TooLong

SUBMISSIONS = 300
"""The most submissions on a page: in a year there are thousands."""

SHOWN = LATEST // 3
"""The number of listed games for each of several players."""


async def every(request: Request) -> Response:
    """Answer with all ladders."""
    return page(request, "ladders.html", ladders=context_of(request).ladders)


async def one(request: Request) -> Response:
    """Answer with the page of a ladder: table, ratings over time, pairings, the next games."""
    ladder_pages = await up_to_date(request)
    visitor = visitor_of(request)
    role = visitor.role_in(ladder_pages.name)
    overview = await run_in_threadpool(ladder_pages.overview, role)
    return page(
        request,
        "ladder.html",
        **overview,
        closed=ladder_pages.uploads.closed(ladder_pages.ladder, role),
        limits=limits_text(ladder_pages.ladder.uploads),
        is_member=visitor.person_in(ladder_pages.name) is not None,
        may_upload=role >= Role.UPLOAD,
    )


async def ratings(request: Request) -> Response:
    """Answer with the ratings over time, as a picture."""
    ladder_pages = await up_to_date(request)
    drawn = await run_in_threadpool(ladder_pages.plot)
    return Response(drawn, media_type="image/svg+xml")


async def player(request: Request) -> Response:
    """Answer with the page of a player."""
    ladder_pages = await up_to_date(request)
    name = request.path_params["player"]
    found = await games_of_player(request, ladder_pages, name)
    values = await run_in_threadpool(ladder_pages.player, name, visitor_of(request), found)
    return page(request, "ladder_player.html", **values)


async def games(request: Request) -> Response:
    """Answer with the games of two players."""
    names = (request.query_params.get("player", ""), request.query_params.get("opponent", ""))
    ladder_pages = await up_to_date(request)
    values = await run_in_threadpool(ladder_pages.pairing, *names)
    return page(request, "pairing.html", **values)


async def me(request: Request) -> Response:
    """Answer with the page of the participant whose token a request has."""
    visitor = visitor_of(request)
    pages = await up_to_date(request)
    person = visitor.person_in(pages.name)
    if person is None:
        needed = "This page shows your own players, so it needs your token of this ladder."
        return error_response(request, WRONG if visitor.is_wrong else needed, 403)
    owned = person.owned(await run_in_threadpool(pages.ladder.folder.read_owners))
    names = [line.player for line in pages.now.table.lines if line.player in owned]
    games = {name: await games_of_player(request, pages, name) for name in names}
    values = await run_in_threadpool(of_person, pages, visitor, person, owned, games)
    return page(request, "ladder_me.html", **values)


async def bring(request: Request) -> Response:
    """Receive a player's file."""
    name, visitor = request.path_params["player"], visitor_of(request)
    pages, data, arrived = ladder_of(request), await request.body(), time.time()
    uploads, play, anyway = pages.uploads, play_for(request), "anyway" in request.query_params

    def take() -> str:
        ladder = pages.read_again()
        return uploads.take(ladder, name, data, visitor, play, anyway=anyway, arrived=arrived)

    with uploads.turn(visitor.owner):
        message = await to_thread.run_sync(take, limiter=uploads.threads)
    return json_response({"message": message})


def play_for(request: Request) -> Play:
    """Return a function that plays a game in a process, for a thread of a request."""
    pool = context_of(request).pools.playing
    return lambda plan: from_thread.run(pool.result, request, play_unrecorded, plan)


async def compare(request: Request) -> Response:
    """Compare two versions of a player for a while."""
    pages, visitor = await up_to_date(request), visitor_of(request)
    file, asked = request.path_params["player"], request.query_params
    if not file.endswith(SUFFIXES):
        raise NotFound("a built-in player has no versions")
    if not await run_in_threadpool(may_read_output, pages.register, file, visitor):
        raise NotYours(f"only its author, the team or an operator can compare versions of {file}")
    names = [f"{file}@{asked.get(which, '')}" for which in ("first", "second")]
    play, ladder, state = play_for(request), pages.ladder, pages.now.state
    with pages.uploads.turn(visitor.owner):
        message = await to_thread.run_sync(
            lambda: pages.uploads.compare(ladder, state, names, visitor, play),
            limiter=pages.uploads.comparing,
        )
    return json_response({"message": message})


async def submissions(request: Request) -> Response:
    """Answer with the submissions of the visitor, for operators with all: the last, or as CSV."""
    pages, visitor = ladder_of(request), visitor_of(request)
    ladder = await run_in_threadpool(pages.read_again)
    sheet = await run_in_threadpool(pages.submissions, visitor)
    if "csv" in request.query_params:
        return attached(sheet.csv(), "text/csv", "submissions.csv")
    heads = [column.head for column in sheet.columns]
    return page(
        request,
        "submissions.html",
        ladder=pages,
        rows=[dict(zip(heads, row, strict=True)) for row in sheet.rows[:SUBMISSIONS]],
        count=len(sheet.rows),
        suffixes=SUFFIXES,
        is_operator=visitor.role_in(pages.name) >= Role.OPERATE,
        zone=f"{datetime.now(ladder.zone):%Z}",
        deadline=ladder.uploads.deadline,
    )


async def source(request: Request) -> Response:
    """Answer with the file of a version, as text if it is one."""
    pages, name = ladder_of(request), request.path_params["player"]
    version, visitor = request.path_params["version"], visitor_of(request)
    data = await run_in_threadpool(pages.uploads.source, pages.ladder, name, version, visitor)
    if b"\0" in data:
        return attached(data, "application/octet-stream", name)
    return attached(data, "text/plain", name, "inline")


async def withdraw(request: Request) -> Response:
    """Withdraw a player."""
    name, visitor, pages = request.path_params["player"], visitor_of(request), ladder_of(request)
    ladder = await run_in_threadpool(pages.read_again)
    message = await run_in_threadpool(pages.uploads.withdraw, ladder, name, visitor)
    return json_response({"message": message})


async def suspend(request: Request) -> Response:
    """Suspend a player; the body is the reason, which everybody may read."""
    reason = (await request.body()).decode("utf-8", "replace")
    name, folder = request.path_params["player"], ladder_of(request).ladder.folder
    await run_in_threadpool(orders.suspend, folder, name, reason)
    return json_response({"message": f"{name} is to be suspended; {orders.IN_SECONDS}."})


async def reinstate(request: Request) -> Response:
    """Let a suspended player play again."""
    name, folder = request.path_params["player"], ladder_of(request).ladder.folder
    await run_in_threadpool(orders.reinstate, folder, name)
    return json_response({"message": f"{name} is to be reinstated; {orders.IN_SECONDS}."})


def ladder_of(request: Request) -> LadderPages:
    """Return the ladder of a path; raise NotFound if there is none."""
    name = request.path_params["ladder"]
    for each in context_of(request).ladders:
        if each.name == name:
            return each
    raise NotFound("there is no such ladder")


async def up_to_date(request: Request) -> LadderPages:
    """Return the present ladder of a path, or the last one if the server is too busy.

    Raises
    ------
    NotFound
        If there is none.
    """
    ladder_pages = ladder_of(request)
    if ladder_pages.age > ladders.FRESH:  # ratings take time to compute
        await run_in_threadpool(ladder_pages.read_again)
        ladder = ladder_pages.ladder
        key = await run_in_threadpool(lambda: ladder.key)
        try:
            ladder_pages.now = await context_of(request).pools.reading.result(
                request, shown_ladder, without_start(ladder), key
            )
        except (Overloaded, TooLong):
            if math.isinf(ladder_pages.age):
                raise
    return ladder_pages


async def games_of_player(request: Request, pages: LadderPages, name: str) -> PlayerGames:
    """Return the games of a player; raise NotFound if there is none of that name."""
    now = pages.now
    is_listed = any(line.player == name for line in now.table.lines)
    is_own = await run_in_threadpool(may_read_output, pages.register, name, visitor_of(request))
    return await context_of(request).pools.reading.result(
        request, player_games, without_start(pages.ladder), now.state, name, is_listed, is_own
    )


def of_person(
    pages: LadderPages,
    visitor: Visitor,
    person: Person,
    owned: Sequence[str],
    games: Mapping[str, PlayerGames],
) -> dict[str, Any]:
    """Return the values of the page of a participant, who is also the visitor.

    Parameters
    ----------
    owned
        The players of the participant, and of the team.
    games
        The games of those that are in the table.

    Raises
    ------
    InvalidInput
        If a file of the ladder is not what was written.
    """
    folder = pages.ladder.folder
    waiting = [name for name in owned if name not in games and (folder.players / name).exists()]
    return {
        "ladder": pages,
        "name": person.name,
        "team": person.team,
        "team_mates": [
            other.name
            for other in pages.register.people
            if person.team and other.team == person.team and other.id != person.id
        ],
        "players": [pages.player(name, visitor, own) for name, own in games.items()],
        "waiting": waiting,
        "limits": limits_text(pages.ladder.uploads),
        "closed": pages.uploads.closed(pages.ladder, visitor.role_in(pages.name)),
        "brought": accepted(events_today(pages.ladder, person.owner)),
        "shown": SHOWN,
    }
