"""``ludograph serve``: the pages, for a browser."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludograph.cli.program import Command, NoResult, complain, option
from ludograph.cli.storing import STORE
from ludograph.cli.values import Whole
from ludograph.errors import InvalidInput

if TYPE_CHECKING:
    from socket import socket

EPILOG = """\
Examples:
  ludograph serve                    then open http://127.0.0.1:8000
  ludograph serve --open             the same, in your browser
  ludograph serve --store course.db  with the tournaments of a store

Ctrl-C stops it. Games that are played then are laid aside, and can go on when it is started again.
"""

LOOPBACK = ("localhost", "127.0.0.1", "::1")


@click.command("serve", cls=Command, short_help="Play, watch and replay in a browser.")
@option(
    "Server", "--host", default="127.0.0.1", help="Where to listen; only this machine: 127.0.0.1."
)
@option("Server", "--port", type=Whole(0, 65535), default=8000, help="8000; 0: any that is free.")
@option(
    "Server", "--matches", type=Whole(1, 1000), default=12, help="Played at a time, at most; 12."
)
@option("Server", "--open", "opens", is_flag=True, help="Show the first page in your browser.")
@option(
    "Store",
    "--records",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder for games that are played here; one of your own if not given.",
)
@STORE
def serve(
    host: str, port: int, matches: int, opens: bool, records: Path | None, store: str | None
) -> None:
    """Serve pages on which games are played, watched and stepped through; it needs ludograph[web].

    Whoever can reach the address can play and begin matches: do not open it to a network that you
    do not trust.
    """
    try:
        from ludograph.web.app import LOCAL, application
        from ludograph.web.serving import Server
    except ModuleNotFoundError as error:
        if error.name not in ("uvicorn", "starlette", "jinja2"):
            raise
        raise NoResult(
            f"{error.name} is not installed, which comes with 'pip install ludograph[web]'"
        ) from None
    folder = own_folder() if records is None else records
    hosts = LOCAL if host in LOOPBACK else ()
    app = application(folder, store, matches=matches, hosts=hosts)
    listening = listen(host, port)
    name = f"[{host}]" if ":" in host else host
    address = f"http://{name}:{listening.getsockname()[1]}"
    click.echo(f"Ludograph is at {address}; Ctrl-C stops it.")
    if not hosts:
        complain("other machines can reach these pages, and begin matches on this one")
    if opens:
        click.launch(address)
    Server(app).run(sockets=[listening])


serve.epilog = EPILOG


def listen(host: str, port: int) -> socket:
    """Return a socket that listens; raise InvalidInput if it cannot."""
    import socket as sockets

    family = sockets.AF_INET6 if ":" in host else sockets.AF_INET
    try:
        return sockets.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        raise InvalidInput(f"{host}:{port}: {error.strerror or error}") from None


def own_folder() -> Path:
    """Return where the games of this user are kept: ``$XDG_DATA_HOME/ludograph/games``."""
    home = os.environ.get("XDG_DATA_HOME") or ""
    base = Path(home) if Path(home).is_absolute() else Path.home() / ".local" / "share"
    return base / "ludograph" / "games"
