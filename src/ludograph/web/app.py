"""The application that a server runs: its routes, and what stands before them."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from ludograph.rules.announcer import announcer
from ludograph.web import (
    arranging,
    calls,
    ladder_pages,
    limits,
    pages,
    surface_pages,
    tournament_pages,
)
from ludograph.web.competitions import Competitions
from ludograph.web.doors import USUAL, Doors, Rate, said
from ludograph.web.guard import Guard
from ludograph.web.hall import Hall
from ludograph.web.ladders import LadderPages
from ludograph.web.pools import Overloaded, TooLong
from ludograph.web.replays import Replays
from ludograph.web.site import STATIC, Site, templates
from ludograph.web.tokens import ALONE, OPEN, Tokens

LARGEST = {
    "/": limits.BODY,
    "/open": limits.RECORD,
    "/boards": limits.SURFACE,
    "/ladders/": limits.PLAYER,
}
"""Bytes of what is sent, by the beginning of the path."""

LOCAL = ("localhost", "127.0.0.1", "[::1]")
"""Names of this machine, seen from itself."""


def application(
    records: str | Path,
    store: str | None = None,
    *,
    matches: int = limits.MATCHES,
    hosts: Collection[str] = LOCAL,
    ladders: Sequence[LadderPages] = (),
    tokens: Tokens | None = None,
    rates: dict[str, Rate] | None = None,
    public: str = "",
) -> Starlette:
    """Return the pages as an ASGI application.

    Parameters
    ----------
    records
        The folder in which the games that are played here are kept.
    store
        The file of tournaments; None: that of this user.
    matches
        How many may be played at a time.
    hosts
        The names under which it is reached; empty: any.
    ladders
        Those that are shown.
    tokens
        Who may do what; None: who is at this machine everything, others what does no harm. Where
        there is a public address, all are others.
    rates
        How often a visitor may ask; None: as pages need it.
    public
        Scheme and host of a proxy by which visitors come, as in ``https://games.example``.
    """
    if public and hosts:
        hosts = (*hosts, urlsplit(public).hostname or "")
    hall, running = Hall(Path(records), matches), Competitions(store, Path(records) / "tournaments")

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:  # noqa: ARG001
        before, announcer.line = announcer.line, hall.say
        loading = threading.Thread(target=load, args=(site,), name="loading", daemon=True)
        loading.start()
        yield
        site.let_go()
        running.stop()
        hall.close()
        running.join(1.0)
        loading.join()
        site.pools.close()
        announcer.line = before

    app = Starlette(
        routes=routes(),
        lifespan=lifespan,
        middleware=[
            Middleware(Guard, hosts=hosts, largest=LARGEST, public=public),
            Middleware(
                Doors,
                tokens=tokens or (ALONE if hosts and not public else OPEN),
                rates=rates or USUAL,
            ),
        ],
        exception_handlers={HTTPException: complain, Overloaded: put_off, TooLong: put_off},
    )
    stores = {each.name: each.ladder.folder.store for each in ladders}
    site = Site(hall, Replays(hall, store, stores), store, templates(), running, ladders)
    app.state.site = site
    return app


def routes() -> list[Route | Mount]:
    """Return which path leads where."""
    record = "/replay/{source}/{number}"
    return [
        Route("/", pages.home),
        Route("/games/{game}", pages.game, methods=["GET"]),
        Route("/games/{game}", pages.begin, methods=["POST"]),
        Route("/games/{game}/picture.svg", pages.picture),
        Route("/games/{game}/set-up", arranging.editor, methods=["GET"]),
        Route("/games/{game}/set-up", arranging.take, methods=["POST"]),
        Route("/games/{game}/set-up/board", arranging.board),
        Route("/match/{number}", pages.match),
        Route("/match/{number}/events", calls.match_events),
        Route("/match/{number}/wish", calls.wish, methods=["POST"]),
        Route("/match/{number}/go-on", calls.go_on, methods=["POST"]),
        Route("/open", calls.open_record, methods=["POST"]),
        Route(record, pages.replay),
        Route(f"{record}/story", calls.story),
        Route(f"{record}/frames", calls.frames),
        Route(f"{record}/picture.svg", calls.as_svg),
        Route(f"{record}/picture.png", calls.as_png),
        Route(f"{record}/animation.svg", calls.as_animation),
        Route(f"{record}/animation.gif", calls.as_gif),
        Route(f"{record}/thoughts", calls.thoughts, methods=["POST"]),
        Route(f"{record}/record.jsonl", calls.as_file),
        Route("/boards/new", surface_pages.new),
        Route("/boards", surface_pages.keep, methods=["POST"]),
        Route("/boards/{number}", surface_pages.one),
        Route("/boards/{number}/picture.svg", surface_pages.picture),
        Route("/ladders", ladder_pages.every),
        Route("/ladders/{ladder}", ladder_pages.one),
        Route("/ladders/{ladder}/ratings.svg", ladder_pages.ratings),
        Route("/ladders/{ladder}/players/{player}", ladder_pages.player, methods=["GET"]),
        Route("/ladders/{ladder}/players/{player:path}", ladder_pages.bring, methods=["POST"]),
        Route("/tournaments", tournament_pages.every),
        Route("/tournaments/{number:int}", tournament_pages.one),
        Route("/tournaments/{number:int}/stop", tournament_pages.stop, methods=["POST"]),
        Route("/tournaments/{number:int}/go-on", tournament_pages.go_on, methods=["POST"]),
        Route("/tournaments/new/{game}", tournament_pages.new, methods=["GET"]),
        Route("/tournaments/new/{game}", tournament_pages.begin, methods=["POST"]),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]


def load(site: Site) -> None:
    """Import all games, here and where costly work is done, so that nobody waits for that."""
    from ludograph.games.registry import declaration, names

    for name in names():
        declaration(name).game().strategies  # noqa: B018
    if not site.closing:
        site.pools.forks.start()


async def complain(request: Request, error: Exception) -> Response:
    """Answer a request that leads nowhere."""
    assert isinstance(error, HTTPException)
    sentence = "There is no such page." if error.status_code == 404 else f"{error.detail}."
    answer = said(request, sentence, error.status_code)
    for name, value in (error.headers or {}).items():
        answer.headers[name] = value
    return answer


async def put_off(request: Request, error: Exception) -> Response:
    """Answer a request for which the server has no time."""
    answer = said(request, f"{str(error)[:1].upper()}{str(error)[1:]}.", 503)
    if isinstance(error, Overloaded):
        answer.headers["retry-after"] = str(error.retry_after)
    return answer
