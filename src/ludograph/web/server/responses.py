"""Answers to requests: pages, data, and errors as a page or as data."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from ludograph.arena.ladder.people import Role
from ludograph.errors import DamagedData, InvalidInput, LudographError, SourceFault
from ludograph.formatting import without_folders
from ludograph.games.registry import declarations
from ludograph.web.server.context import context_of
from ludograph.web.server.tokens import may


def page(request: Request, template: str, status: int = 200, /, **values: Any) -> HTMLResponse:
    """Return the page that a template makes of values."""
    text = context_of(request).templates.get_template(template).render(**values)
    return HTMLResponse(text, status)


async def sent_data(request: Request, kind: Any) -> Any:
    """Return the data that a page has sent; raise InvalidInput if they are not of this type."""
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except (msgspec.MsgspecError, RecursionError):
        raise InvalidInput("The message of the page cannot be read") from None


def json_response(data: Any, status: int = 200) -> Response:
    """Answer with data as JSON."""
    return Response(msgspec.json.encode(data), status, media_type="application/json")


def attached(data: str | bytes, kind: str, name: str, shown: str = "attachment") -> Response:
    """Answer with a file to download, or, with ``inline``, to show."""
    plain = name.isascii() and not {'"', "\\"} & set(name)
    written = f'filename="{name}"' if plain else f"filename*=UTF-8''{quote(name, safe='')}"
    return Response(data, media_type=kind, headers={"content-disposition": f"{shown}; {written}"})


def error_response(request: Request, error: str | LudographError, status: int) -> Response:
    """Answer with an error: a page if the request accepts pages, else data.

    The sentence names files without their folders on the server. The status is 500 if the server's
    own data is wrong.
    """
    sentence = without_folders(error if isinstance(error, str) else sentence_for(request, error))
    status = 500 if isinstance(error, DamagedData) else status
    if "text/html" not in wanted(request):
        return json_response({"error": sentence}, status)
    game = declarations()[0].name  # for its picture
    return page(request, "error.html", status, sentence=sentence, status=status, game=game)


def sentence_for(request: Request, error: LudographError) -> str:
    """Return the sentence of an error; what it quotes of a player's source is for operators."""
    if isinstance(error, SourceFault) and not may(request, Role.OPERATE):
        return f"{error.public}."
    return f"{error}."


def wanted(request: Request) -> str:
    """Return the media types that a request accepts."""
    return request.headers.get("accept", "")
