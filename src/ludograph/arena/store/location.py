"""The location of a store: the user's own file, another file, or a database on a server."""

from __future__ import annotations

import os
from pathlib import Path

from ludograph.errors import InvalidInput

FILE_NAME = "tournaments.db"

SERVERS = ("postgresql", "postgres", "postgresql+psycopg")


def default_store() -> Path:
    """Return the store of this user: ``$XDG_DATA_HOME/ludograph/tournaments.db``."""
    home = os.environ.get("XDG_DATA_HOME") or ""
    base = Path(home) if Path(home).is_absolute() else Path.home() / ".local" / "share"
    return base / "ludograph" / FILE_NAME


def file_of(where: str | Path | None) -> Path | None:
    """Return the file of a store; None if it is on a server.

    Parameters
    ----------
    where
        A path, a ``sqlite:///`` or ``postgresql://`` URL; None: the store of this user.

    Raises
    ------
    InvalidInput
        If it is another URL, or a folder.
    """
    text = str(where) if where is not None else str(default_store())
    if text.startswith("sqlite:///"):
        text = text.removeprefix("sqlite:///")
    elif "://" in text:
        scheme = text.partition("://")[0]
        if scheme in SERVERS:
            return None
        raise InvalidInput(
            f"store {scheme}://...: a store is a file, sqlite:///FILE, or "
            "postgresql://HOST/DATABASE"
        )
    path = Path(text).expanduser()
    if not text or path.is_dir():
        raise InvalidInput(f"store {text or 'without a name'}: a store is a file")
    return path
