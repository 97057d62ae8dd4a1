"""The context of all page handlers: the parts of the server, and the templates of pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request

from ludograph.formatting import points_text, visible
from ludograph.games.board_option import boards_called
from ludograph.version import VERSION
from ludograph.web.positions.wording import ordinal, spoken, titled
from ludograph.web.server.latest_uploads import LatestUploads
from ludograph.web.server.limits import Identity

if TYPE_CHECKING:  # a worker's first job waits for what is imported here
    from ludograph.boards import Board
    from ludograph.web.games.home_page import HomePage
    from ludograph.web.ladder.ladders import LadderPages
    from ludograph.web.match.match_manager import MatchManager
    from ludograph.web.replay.replays import Replays
    from ludograph.web.server.work_pools import Pools
    from ludograph.web.tournament.tournaments import TournamentRunner

PACKAGE = Path(__file__).parents[1]
STATIC = PACKAGE / "static"


@dataclass
class AppContext:
    """The parts of one server.

    Attributes
    ----------
    tables
        The last tables of tournaments, pickled, and when they were computed, by number.
    listeners
        The people whose pages are connected to matches, once for each page.
    """

    match_manager: MatchManager
    home_page: HomePage
    replays: Replays
    store: str | None
    templates: Environment
    tournament_runner: TournamentRunner
    pools: Pools
    uploaded_boards: LatestUploads[Board]
    ladders: Sequence[LadderPages] = ()
    tables: dict[int, tuple[bytes, float]] = field(default_factory=dict)
    listeners: list[Identity] = field(default_factory=list)
    closing: bool = False

    def let_go(self) -> None:
        """Wake all spectators and stop all work pools, when the server ends."""
        self.closing = True
        self.pools.stop()
        self.match_manager.wake()


def templates() -> Environment:
    """Return the templates of pages, which escape all values and show hidden characters."""
    environment = Environment(
        loader=FileSystemLoader(PACKAGE / "templates"),
        autoescape=True,
        finalize=shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["version"] = VERSION
    environment.globals["modules"] = {file.name: modules(file.name) for file in STATIC.glob("*.js")}
    filters = (points_text, spoken, ordinal, boards_called, titled)
    environment.filters.update({each.__name__: each for each in filters})
    return environment


IMPORTED = re.compile(r'^import .* from "\./([a-z_]+\.js)";$', re.MULTILINE)


def modules(name: str) -> list[str]:
    """Return a module of pages and all that it imports, which a browser then loads at once."""
    found = [name]
    for each in found:
        imported = IMPORTED.findall((STATIC / each).read_text(encoding="utf-8"))
        found += [other for other in dict.fromkeys(imported) if other not in found]
    return found


def shown(value: Any) -> Any:
    """Return a value for a page, in which each character can be seen."""
    return type(value)(visible(value)) if isinstance(value, str) else value


def context_of(request: Request) -> AppContext:
    """Return the context of the server that received a request."""
    context: AppContext = request.app.state.context
    return context
