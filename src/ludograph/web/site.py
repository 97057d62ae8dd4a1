"""What all pages share: the hall, the records, the store, the templates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from ludograph.version import VERSION
from ludograph.web.competitions import Competitions
from ludograph.web.hall import Hall
from ludograph.web.ladders import LadderPages
from ludograph.web.pools import Pools
from ludograph.web.replays import Replays
from ludograph.web.surfaces import Surfaces
from ludograph.web.words import in_cells, spoken

HERE = Path(__file__).parent
STATIC = HERE / "static"


@dataclass
class Site:
    """One server."""

    hall: Hall
    replays: Replays
    store: str | None
    templates: Environment
    competitions: Competitions
    ladders: Sequence[LadderPages] = ()
    pools: Pools = field(default_factory=Pools)
    surfaces: Surfaces = field(default_factory=Surfaces)
    listeners: int = 0
    closing: bool = False

    def let_go(self) -> None:
        """Answer all who look at matches or wait for costly work: the server ends."""
        self.closing = True
        self.pools.stop()
        for match in self.hall.running():
            match.audience.wake()


def templates() -> Environment:
    """Return the pages' templates; whatever they are given is escaped."""
    found = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals["version"] = VERSION
    found.filters["spoken"] = spoken
    found.filters["in_cells"] = in_cells
    return found


def site_of(request: Request) -> Site:
    """Return the server that a request has come to."""
    site: Site = request.app.state.site
    return site


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a page."""
    text = site_of(request).templates.get_template(template).render(**values)
    return HTMLResponse(text, status)
