"""The context of all page handlers: the parts of the server, templates, kinds of answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from ludograph.arena.store.integrity import DamagedStore
from ludograph.errors import LudographError
from ludograph.games.board_option import board_called, boards_called
from ludograph.version import VERSION

if TYPE_CHECKING:
    from ludograph.web.home_page import HomePage
    from ludograph.web.ladders import LadderPages
    from ludograph.web.match_manager import MatchManager
    from ludograph.web.prepared_answers import PreparedAnswers
    from ludograph.web.replays import Replays
    from ludograph.web.tournaments import TournamentRunner
    from ludograph.web.uploaded_boards import UploadedBoards
    from ludograph.web.work_pools import Pools

PACKAGE = Path(__file__).parent
STATIC = PACKAGE / "static"


@dataclass
class AppContext:
    """The parts of one server."""

    match_manager: MatchManager
    home_page: HomePage
    pictures: PreparedAnswers
    replays: Replays
    store: str | None
    templates: Environment
    tournament_runner: TournamentRunner
    pools: Pools
    uploaded_boards: UploadedBoards
    ladders: Sequence[LadderPages] = ()
    listeners: int = 0
    closing: bool = False

    def let_go(self) -> None:
        """Wake all spectators and stop all work pools, when the server ends."""
        self.closing = True
        self.pools.stop()
        self.match_manager.wake()


def templates() -> Environment:
    """Return the templates of pages, which escape all values."""
    environment = Environment(
        loader=FileSystemLoader(PACKAGE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["version"] = VERSION
    environment.filters["spoken"] = spoken
    environment.filters["in_cells"] = in_cells
    environment.filters["for_people"] = for_people
    environment.filters["ordinal"] = ordinal
    environment.filters["board_called"] = board_called
    environment.filters["titled"] = titled
    return environment


def context_of(request: Request) -> AppContext:
    """Return the context of the server that received a request."""
    context: AppContext = request.app.state.context
    return context


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a page."""
    text = context_of(request).templates.get_template(template).render(**values)
    return HTMLResponse(text, status)


def in_moves(sentence: str) -> str:
    """Return a sentence with moves in place of plies, where a number follows: a name stays.

    Examples
    --------
    >>> in_moves("line 3: ply 4 where ply 2 should be")
    'line 3: move 4 where move 2 should be'
    >>> in_moves("the record has plies 0 to 9")
    'the record has moves 0 to 9'
    >>> in_moves("ply.py: crash at ply 3")
    'ply.py: crash at move 3'
    """
    return re.sub(r"\bplies(?= \d)", "moves", re.sub(r"\bply(?= \d)", "move", sentence))


def in_cells(sentence: str) -> str:
    """Return a sentence with cells in place of vertices and moves in place of plies."""
    said = re.sub(r"\bvertices\b", "cells", re.sub(r"\bvertex\b", "cell", sentence))
    return in_moves(said)


ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def ordinal(seat: int) -> str:
    """Return the name of the player on a seat in a form.

    Examples
    --------
    >>> ordinal(1), ordinal(8)
    ('second', '9th')
    """
    return ORDINALS[seat] if seat < len(ORDINALS) else f"{seat + 1}th"


def for_people(sentence: str) -> str:
    """Return an error sentence on a form, with cells and with the form's names of players.

    Examples
    --------
    >>> for_people("seat 1 starts on vertex 24")
    'the second player starts on cell 24'
    """
    return re.sub(
        r"\bseat (\d+)\b", lambda found: f"the {ordinal(int(found[1]))} player", in_cells(sentence)
    )


def spoken(sentence: str, players: Sequence[str]) -> str:
    """Return a game's result for a page: with cells, and seat numbers only for equal names.

    Examples
    --------
    >>> spoken("greedy (seat 1) wins, 20 vertices to 16.", ["human", "greedy"])
    'greedy wins, 20 cells to 16.'
    >>> spoken("mcts (seat 1) wins.", ["mcts", "mcts"])
    'mcts (player 2) wins.'
    >>> spoken("bot.py (seat 1) forfeits: crash at ply 7.", ["greedy", "bot.py"])
    'bot.py forfeits: crash at move 7.'
    """
    said = in_cells(sentence)
    if len(set(players)) < len(players):
        return re.sub(r"\(seat (\d+)", lambda found: f"(player {int(found[1]) + 1}", said)
    return re.sub(r" \(seat \d+(?:, [^)]*)?\)", "", said)


def titled(title: str) -> str:
    """Return the title of games as a heading, with the names of boards in forms.

    Examples
    --------
    >>> titled("hex on hexagonal:5, seed 3")
    'Hex on 5 × 5 hexagons, seed 3'
    """
    said = boards_called(title)
    return said[:1].upper() + said[1:]


def json_response(data: Any, status: int = 200) -> Response:
    """Answer with data."""
    return Response(msgspec.json.encode(data), status, media_type="application/json")


def json_error(error: str | LudographError, status: int) -> Response:
    """Answer a script of a page with an error."""
    sentence, status = sentence_and_status(error, status)
    return json_response({"error": sentence}, status)


def error_page(request: Request, error: str | LudographError, status: int = 404) -> Response:
    """Answer with a page about an error."""
    sentence, status = sentence_and_status(error, status)
    return page(request, "error.html", status, sentence=sentence)


def sentence_and_status(error: str | LudographError, status: int) -> tuple[str, int]:
    """Return the sentence of an error and its status: 500 if the server's own data is wrong."""
    sentence = in_moves(error if isinstance(error, str) else f"{error}.")
    return sentence, 500 if isinstance(error, DamagedStore) else status


def wanted(request: Request) -> str:
    """Return the media types that a request accepts."""
    return request.headers.get("accept", "")


def error_response(request: Request, error: str | LudographError, status: int) -> Response:
    """Answer with an error: a page if the request accepts pages, else data."""
    if "text/html" in wanted(request) and context_of(request):
        return error_page(request, error, status)
    return json_error(error, status)
