"""The web application: its routes, its middleware, and the server that runs it."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import selectors
import socket
import threading
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ludograph.arena.ladder.people import Role
from ludograph.arena.ladder.submission_list import LimitReached
from ludograph.errors import OF_MACHINE, HostFailure, LudographError, NotFound
from ludograph.rules.announcer import announcer
from ludograph.web.boards import board_pages, position_editor
from ludograph.web.games import game_pages
from ludograph.web.games.home_page import HomePage
from ludograph.web.games.offered_players import OfferedPlayers
from ludograph.web.ladder import ladder_pages
from ludograph.web.ladder.ladders import LadderPages
from ludograph.web.ladder.uploads import NotYours
from ludograph.web.match import match_pages
from ludograph.web.match.consent import RequestRefused
from ludograph.web.match.match_manager import MatchManager, ServerFull
from ludograph.web.replay import replay_pages
from ludograph.web.replay.replay_pages import TooEarly
from ludograph.web.replay.replays import Replays
from ludograph.web.server import limits
from ludograph.web.server.access import AccessControl
from ludograph.web.server.connections import Connection
from ludograph.web.server.context import STATIC, AppContext, templates
from ludograph.web.server.latest_uploads import LatestUploads
from ludograph.web.server.limits import USUAL, RateLimit
from ludograph.web.server.middleware import RequestChecks
from ludograph.web.server.prepared_answers import StaticFiles
from ludograph.web.server.responses import error_response
from ludograph.web.server.tokens import ALONE, OPEN, Tokens
from ludograph.web.server.work_pools import Overloaded, Pools
from ludograph.web.tournament import tournament_pages
from ludograph.web.tournament.tournaments import TournamentRunner
from ludograph.workers import TooLong, import_games

log = logging.getLogger(__name__)

LARGEST = {
    "/": limits.BODY,
    "/open": limits.RECORD,
    "/boards": limits.SURFACE,
    "/ladders/": limits.PLAYER,
}
"""The most bytes of a request body, by the beginning of the path."""

LOCAL = ("localhost", "127.0.0.1", "[::1]")
"""Names of this machine for itself."""


def application(  # noqa: PLR0913  (keywords, each with a default)
    records: str | Path,
    store: str | None = None,
    *,
    matches: int = limits.MATCHES,
    hosts: Collection[str] = LOCAL,
    ladders: Sequence[LadderPages] = (),
    tokens: Tokens | None = None,
    rates: dict[str, RateLimit] | None = None,
    public: str = "",
    offered: OfferedPlayers | None = None,
    embedders: Collection[str] = (),
) -> Starlette:
    """Return the pages as an ASGI application.

    Parameters
    ----------
    records
        The folder for the records of the games played on this server.
    store
        The file of tournaments; None: the one of this user.
    matches
        The most matches at a time.
    hosts
        The names under which the server is reached; empty: any.
    ladders
        The ladders that pages show.
    tokens
        The roles of visitors; None: all roles on this machine, and the role ``play`` for others.
        With a public address all visitors count as others.
    rates
        Rate limits of a visitor, by kind of request; None: those that pages need.
    public
        Scheme and host of a reverse proxy, as in ``https://games.example``.
    offered
        The players' files that visitors may choose; None for none.
    embedders
        Scheme and host of the sites that may show games within their pages.
    """
    if public and hosts:
        hosts = (*hosts, urlsplit(public).hostname or "")
    tokens = tokens or (ALONE if hosts and not public else OPEN)
    app = Starlette(
        routes=routes(),
        lifespan=lifespan,
        middleware=[
            Middleware(
                RequestChecks, hosts=hosts, largest=LARGEST, public=public, embedders=embedders
            ),
            Middleware(
                AccessControl,
                tokens=tokens,
                rates=rates or USUAL,
                registers=[each.register for each in ladders],
            ),
        ],
        exception_handlers={
            HTTPException: complain,
            LudographError: refuse,
            **dict.fromkeys((Overloaded, TooLong, HostFailure), put_off),
            OSError: out_of_resources,
        },
    )
    match_manager = MatchManager(
        Path(records), matches, offered, reads_all=tokens.anybody >= Role.OPERATE
    )
    pages = templates()
    app.state.context = AppContext(
        match_manager=match_manager,
        home_page=HomePage(match_manager, pages),
        replays=Replays(match_manager.records, store, {each.name: each for each in ladders}),
        store=store,
        templates=pages,
        tournament_runner=TournamentRunner(store, Path(records) / "tournaments", offered),
        pools=Pools(),
        uploaded_boards=LatestUploads("the board is not kept any more; draw or upload it again"),
        ladders=ladders,
    )
    return app


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    """Import the games when the server starts; end its matches and processes when it stops."""
    context: AppContext = app.state.context
    loading = threading.Thread(target=load, args=(context,), name="loading", daemon=True)
    with announcer.shown_by(context.match_manager.say_preparing):
        loading.start()
        yield
        context.let_go()
        context.tournament_runner.stop()
        context.match_manager.close()
        context.tournament_runner.join(1.0)
        loading.join()
        context.pools.close()
        if context.match_manager.offered is not None:
            context.match_manager.offered.close()


class NumberConvertor(IntegerConvertor):
    """The whole numbers in paths: those that a store can have, and Python reads."""

    regex = "[0-9]{1,18}"


register_url_convertor("number", NumberConvertor())

COMPRESSED = [Middleware(GZipMiddleware, minimum_size=1000, compresslevel=6)]
"""The compressed answers: large ones without a key of a seat, which the length would help to
guess."""


def routes() -> list[Route]:
    """Return the routes: the handler of each path."""
    record, player = "/replay/{source}/{number}", "/ladders/{ladder}/players/{player}"
    return [
        Route("/", game_pages.home),
        Route("/lobby", match_pages.lobby),
        Route("/mine", match_pages.mine, methods=["POST"]),
        Route("/games/{game}", game_pages.game, methods=["GET"]),
        Route("/games/{game}", game_pages.begin, methods=["POST"]),
        Route("/games/{game}/picture.svg", game_pages.picture),
        Route("/games/{game}/my_player.py", game_pages.player_file),
        Route("/games/{game}/my_player.c", game_pages.player_file),
        Route("/games/{game}/player.h", game_pages.player_file),
        Route("/games/{game}/example.svg", game_pages.example),
        Route("/games/{game}/set-up", position_editor.editor, methods=["GET"]),
        Route("/games/{game}/set-up", position_editor.take, methods=["POST"]),
        Route("/games/{game}/set-up/board", position_editor.board),
        Route("/match/{number}", match_pages.match),
        Route("/match/{number}/events", match_pages.match_events),
        Route("/match/{number}/join", match_pages.invitation, methods=["GET"]),
        Route("/match/{number}/join", match_pages.join, methods=["POST"]),
        Route("/match/{number}/state", match_pages.state),
        Route("/match/{number}/wish", match_pages.wish, methods=["POST"]),
        Route("/match/{number}/go-on", match_pages.go_on, methods=["POST"]),
        Route("/open", replay_pages.open_record, methods=["POST"]),
        Route(record, replay_pages.replay),
        Route("/embed/{source}/{number}", replay_pages.embedded),
        Route(f"{record}/story", replay_pages.story, middleware=COMPRESSED),
        Route(f"{record}/frames", replay_pages.frames, middleware=COMPRESSED),
        Route(f"{record}/picture.svg", replay_pages.as_svg),
        Route(f"{record}/picture.png", replay_pages.as_png),
        Route(f"{record}/animation.svg", replay_pages.as_animation, middleware=COMPRESSED),
        Route(f"{record}/animation.gif", replay_pages.as_gif),
        Route(f"{record}/variation", replay_pages.variation),
        Route(f"{record}/evaluation", replay_pages.evaluation),
        Route(f"{record}/variation/value", replay_pages.value),
        Route(f"{record}/thoughts", replay_pages.thoughts, methods=["POST"]),
        Route(f"{record}/record.jsonl", replay_pages.as_record),
        Route("/puzzles", replay_pages.games_with_puzzles),
        Route("/puzzles/{source}/{number}", replay_pages.puzzle),
        Route("/puzzles/{source}/{number}/found", replay_pages.puzzles),
        Route("/boards/new", board_pages.new_board),
        Route("/boards/pattern", board_pages.pattern),
        Route("/boards", board_pages.take_board, methods=["POST"]),
        Route("/boards/{number}", board_pages.board_page),
        Route("/boards/{number}/picture.svg", board_pages.board_picture),
        Route("/ladders", ladder_pages.every),
        Route("/ladders/{ladder}", ladder_pages.one),
        Route("/ladders/{ladder}/games", ladder_pages.games),
        Route("/ladders/{ladder}/ratings.svg", ladder_pages.ratings),
        Route("/ladders/{ladder}/me", ladder_pages.me),
        Route("/ladders/{ladder}/submissions", ladder_pages.submissions),
        Route(player, ladder_pages.player, methods=["GET"]),
        Route(player, ladder_pages.withdraw, methods=["DELETE"]),
        Route(f"{player}/versions/{{version}}", ladder_pages.source),
        Route(f"{player}/compare", ladder_pages.compare, methods=["POST"]),
        Route(f"{player}/suspend", ladder_pages.suspend, methods=["POST"]),
        Route(f"{player}/reinstate", ladder_pages.reinstate, methods=["POST"]),
        Route("/ladders/{ladder}/players/{player:path}", ladder_pages.bring, methods=["POST"]),
        Route("/tournaments", tournament_pages.every),
        Route("/tournaments/{number:number}", tournament_pages.one),
        Route("/tournaments/{number:number}/screen", tournament_pages.screen),
        Route("/tournaments/{number:number}/games", tournament_pages.games),
        Route("/tournaments/{number:number}/latest", tournament_pages.latest),
        Route("/tournaments/{number:number}/follow", tournament_pages.follow),
        Route("/tournaments/{number:number}/stop", tournament_pages.stop, methods=["POST"]),
        Route("/tournaments/{number:number}/go-on", tournament_pages.go_on, methods=["POST"]),
        Route("/tournaments/new/{game}", tournament_pages.new, methods=["GET"]),
        Route("/tournaments/new/{game}", tournament_pages.begin, methods=["POST"]),
        Route("/static/{name}", StaticFiles(STATIC).file),
    ]


def load(context: AppContext) -> None:
    """Import all games, here and in the fork server of the work pools, before a page needs them."""
    import_games()
    gc.freeze()  # a full collection would otherwise stop all requests for a tenth of a second
    if not context.closing:
        context.pools.forks.start()


async def complain(request: Request, error: Exception) -> Response:
    """Answer a request that no handler accepts, such as one for an unknown path."""
    assert isinstance(error, HTTPException)
    sentence = "There is no such page." if error.status_code == 404 else f"{error.detail}."
    answer = error_response(request, sentence, error.status_code)
    for name, value in (error.headers or {}).items():
        answer.headers[name] = value
    return answer


STATUSES = {
    NotFound: 404,
    ServerFull: 429,
    LimitReached: 429,
    NotYours: 403,
    TooEarly: 403,
    RequestRefused: 409,
}
"""The status of the answer, by the kind of an error; 400 for others, which are faults in what was
sent."""


async def refuse(request: Request, error: Exception) -> Response:
    """Answer a request that cannot be granted, with the reason."""
    assert isinstance(error, LudographError)
    status = next((own for kind, own in STATUSES.items() if isinstance(error, kind)), 400)
    return error_response(request, error, status)


async def put_off(request: Request, error: Exception) -> Response:
    """Answer a request that the server is too busy for, or whose store cannot be reached."""
    answer = error_response(request, f"{str(error)[:1].upper()}{str(error)[1:]}.", 503)
    if isinstance(error, Overloaded):
        answer.headers["retry-after"] = str(error.retry_after)
    return answer


async def out_of_resources(request: Request, error: Exception) -> Response:
    """Answer a request that fails since the machine lacks something, and log the error."""
    assert isinstance(error, OSError)
    if error.errno not in OF_MACHINE:
        raise error
    log.error("%s %s: %s", request.method, request.url.path, error)
    return error_response(request, f"The server cannot do that now: {error.strerror}.", 503)


GRACE = 1
"""Seconds for the end of running requests when the server stops."""

LARGEST_HEAD = 1 << 16
"""The most bytes of the head of a request."""

ACCEPTED = 8
"""The connections accepted before the earlier ones are counted."""

QUEUE = 512
"""The connections that wait to be accepted."""


class Server(uvicorn.Server):
    """Serves the pages of one application.

    Parameters
    ----------
    proxied
        Whether there is a proxy on this machine, whose headers tell the addresses of visitors.
        The environment variable FORWARDED_ALLOW_IPS names other proxies.
    """

    def __init__(self, app: Starlette, *, proxied: bool = False) -> None:
        self.context: AppContext = app.state.context
        super().__init__(
            uvicorn.Config(
                app,
                http=Connection,
                ws="none",
                log_level="warning",
                proxy_headers=proxied or "FORWARDED_ALLOW_IPS" in os.environ,
                backlog=ACCEPTED,
                timeout_graceful_shutdown=GRACE,
                server_header=False,
                h11_max_incomplete_event_size=LARGEST_HEAD,
            )
        )

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until the process is asked to end.

        With ``poll``: the kernel counts what ``epoll`` waits for by users, and players are such.
        """
        with asyncio.Runner(
            loop_factory=lambda: asyncio.SelectorEventLoop(selectors.PollSelector())
        ) as runner:
            runner.run(self.serve(sockets=sockets))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen."""
        await super().startup(sockets)
        for each in sockets or ():
            each.listen(QUEUE)  # asyncio's queue has the size of what it accepts at once

    async def on_tick(self, counter: int) -> bool:
        """End the connections of clients that have not kept a deadline."""
        if counter % 10 == 0:
            for each in list(self.server_state.connections):
                if isinstance(each, Connection):
                    each.end_if_late()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the event streams and the work pools, then everything else."""
        self.context.let_go()
        await super().shutdown(sockets)
