"""``ludograph serve``: the web server, on which games are played and watched in a browser."""

from __future__ import annotations

import os
import socket as sockets
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludograph.cli.option_types import LadderPath, PublicAddress
from ludograph.cli.program import Command, NoResult, argument, complain, option
from ludograph.cli.shared_options import STORE
from ludograph.errors import InvalidInput
from ludograph.games.options import Whole
from ludograph.hosting.sandbox.privileges import raise_limit_of_files

if TYPE_CHECKING:
    from collections.abc import Sequence
    from socket import socket

    from ludograph.arena.ladder import LadderFolder
    from ludograph.web.games.offered_players import OfferedPlayers
    from ludograph.web.ladder.ladders import LadderPages
    from ludograph.web.server.tokens import Tokens

server = partial(option, "Server")

EPILOG = """\
Examples:
  ludograph serve                    then open http://127.0.0.1:8000
  ludograph serve --open             the same, in your browser
  ludograph serve --store course.db  with the tournaments of a store
  ludograph serve --ladder course    with a ladder
  ludograph serve --players course/players   with players' files to choose and watch
  ludograph serve --host 0.0.0.0 --tokens tokens.toml   for others, with a token for each role
  ludograph serve --public-url https://games.example --tokens tokens.toml   behind a proxy

Ctrl-C stops the server. Games in progress are kept; continue them after the next start.
"""

LOOPBACK = ("localhost", "127.0.0.1", "::1")


@click.command("serve", cls=Command, epilog=EPILOG)
@argument("words", nargs=-1, metavar="")
@server(
    "--host",
    default="127.0.0.1",
    help="Address to listen on (default: 127.0.0.1, for this machine alone).",
)
@server(
    "--port",
    type=Whole(0, 65535),
    default=8000,
    help="Port to listen on (default: 8000); 0 for any free one.",
)
@server(
    "--public-url",
    "public",
    type=PublicAddress(),
    default="",
    help="Address of a proxy in front of this server, as in https://games.example.",
)
@server(
    "--embed-from",
    "embedders",
    type=PublicAddress(),
    multiple=True,
    help="Site that may show games of this server within its pages; may be repeated.",
)
@server("--matches", type=Whole(1, 1000), default=12, help="Matches played at a time, at most.")
@server(
    "--tokens",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File of access tokens, one for each role; created if it does not exist.",
)
@server(
    "--players",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="Folder of players (files, programs) that visitors may choose; each runs in isolation.",
)
@server("--open", "opens", is_flag=True, help="Show the first page in your browser.")
@option(
    "Store",
    "--records",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the games that are played here (default: one in your home folder).",
)
@STORE
@option(
    "Store",
    "--ladder",
    "ladders",
    type=LadderPath(),
    multiple=True,
    help="Folder of a ladder to show; may be repeated.",
)
def serve(
    words: tuple[str, ...],
    host: str,
    port: int,
    public: str,
    embedders: tuple[str, ...],
    matches: int,
    tokens: Path | None,
    players: Path | None,
    opens: bool,
    records: Path | None,
    store: str | None,
    ladders: tuple[LadderFolder, ...],
) -> None:
    """Play, watch and replay games in a browser: run a web server, which needs ludograph[web].

    Without --tokens, anybody who can reach the address can start and play matches: do not open it
    to a network that you do not trust.
    """
    if words:
        raise click.UsageError(f"--players FOLDER offers the players of a folder, got {words[0]!r}")
    try:
        from ludograph.web.app import LOCAL, Server, application
    except ModuleNotFoundError as error:
        if error.name not in ("uvicorn", "starlette", "jinja2"):
            raise
        raise NoResult(
            f"{error.name} is not installed, which comes with 'pip install ludograph[web]'"
        ) from None
    folder = own_folder() if records is None else records
    hosts = LOCAL if host in LOOPBACK else ()
    shown = pages_of(ladders)
    granted = granted_by(tokens)
    app = application(
        folder,
        store,
        matches=matches,
        hosts=hosts,
        ladders=shown,
        tokens=granted,
        public=public,
        embedders=tuple(filter(None, embedders)),
        offered=None if players is None else offered_in(players),
    )
    raise_limit_of_files()
    listening = listen(host, port)
    name = f"[{host}]" if ":" in host else host
    address = f"http://{name}:{listening.getsockname()[1]}"
    click.echo(f"Ludograph is at {address}; Ctrl-C stops it.")
    if public:
        click.echo(f"Visitors reach it by {public}.")
    if (public or not hosts) and granted is None:
        complain("other machines can reach these pages, and begin matches on this one")
    if opens:
        click.launch(address)
    Server(app, proxied=bool(public)).run(sockets=[listening])


def pages_of(folders: Sequence[LadderFolder]) -> list[LadderPages]:
    """Return the pages of ladders. Their isolation level is determined once, here."""
    if not folders:
        return []
    from ludograph.arena.ladder.people import read_people
    from ludograph.cli.declared_files import read_ladder
    from ludograph.hosting.sandbox.sandbox import no_isolation, strongest
    from ludograph.web.ladder.ladders import LadderPages

    for folder in folders:
        read_people(folder)  # refused here if it is damaged
    level, reasons = strongest()
    missing = "" if level is not None else no_isolation(reasons)
    found = [
        LadderPages(read_ladder(folder), level, missing, reread=read_ladder) for folder in folders
    ]
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            raise InvalidInput(f"two ladders are called {name}: their folders need other names")
    return found


def offered_in(folder: Path) -> OfferedPlayers:
    """Return the players of a folder; raise InvalidInput if they cannot be isolated."""
    from ludograph.cli.executors import holding
    from ludograph.players.isolation import Isolation
    from ludograph.web.games.offered_players import OfferedPlayers

    return OfferedPlayers(folder, holding(Isolation.chosen(), quiet=True))


def granted_by(path: Path | None) -> Tokens | None:
    """Return the access tokens of a file; a missing file is created with new tokens."""
    if path is None:
        return None
    from ludograph.web.server.tokens import read_tokens, write_tokens

    if not path.exists():
        write_tokens(path)
        click.echo(f"{path}: new tokens, one for each role")
    return read_tokens(path)


def listen(host: str, port: int) -> socket:
    """Return a socket that listens; raise InvalidInput if it cannot."""
    family = sockets.AF_INET6 if ":" in host else sockets.AF_INET
    try:
        return sockets.create_server((host, port), family=family)
    except OSError as error:
        raise InvalidInput(f"{host}:{port}: {error.strerror or error}") from None


def own_folder() -> Path:
    """Return the folder of the games of this user: ``$XDG_DATA_HOME/ludograph/games``."""
    home = os.environ.get("XDG_DATA_HOME") or ""
    base = Path(home) if Path(home).is_absolute() else Path.home() / ".local" / "share"
    return base / "ludograph" / "games"
