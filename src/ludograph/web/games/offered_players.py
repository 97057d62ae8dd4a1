"""Players' files and programs of one folder, which the operator offers on the pages.

Matches use copies, in a folder that exists as long as the server runs. So a file can be overwritten
during a match. A name is only compared with those of the files in the folder, and never used as a
path. So no name leads out of the folder; symbolic links are not offered.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from ludograph.arena.ladder.folder import PROGRAM, SUFFIXES, unusable, write_whole
from ludograph.arena.ladder.submission import Changing, Stamp, fault_at_sight, read
from ludograph.errors import HostFailure, InvalidInput, SourceFault
from ludograph.games import AnyGame
from ludograph.players import PlayerSpec
from ludograph.players.isolation import Isolation
from ludograph.referee.player_factory import built

OFFERED = "players/"
"""The beginning of the names of offered players, in forms and in records."""

MOST = 200
"""The most players in a form."""

NO_PLAYERS = (".o", ".a", ".dll", ".dylib", ".js", ".java", ".class", ".jar", ".run")
"""The suffixes of files that are no programs, even if their mode says that they can be run."""

TRIES = 3
"""The most attempts to read a file that changes meanwhile."""

Kind = Literal["python", "library", "cmd"]


@dataclass(frozen=True)
class OfferedPlayers:
    """The players of a folder.

    Attributes
    ----------
    folder
        The folder of their files; subfolders are ignored.
    isolation
        The isolation of all of them, and of the compiler of C sources.
    """

    folder: Path
    isolation: Isolation
    _copies: tempfile.TemporaryDirectory[str] = field(
        default_factory=lambda: tempfile.TemporaryDirectory(prefix="ludograph-players-"),
        repr=False,
    )
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def names(self, game: AnyGame) -> list[str]:
        """Return the names of the files that can play a game, in order; none without the folder."""
        try:
            with os.scandir(self.folder) as entries:
                found = [entry.name for entry in entries if self._kind(entry, game) is not None]
        except OSError:
            return []
        return sorted(found)[:MOST]

    def player(self, name: str, game: AnyGame) -> PlayerSpec:
        """Return a player that can be started: its file is copied, a C source is compiled.

        Parameters
        ----------
        name
            The name of its file, after ``players/``.

        Raises
        ------
        InvalidInput
            If there is no such player.
        SourceFault
            If it does not compile; the sentence has the line.
        """
        bare = name.removeprefix(OFFERED)
        for _ in range(TRIES):
            entry = self._entry(bare)
            kind = None if entry is None else self._kind(entry, game)
            if entry is None or kind is None:
                raise InvalidInput(f"there is no player {bare[:60]!r} for {game.name}")
            try:
                data = read(Path(entry.path), Stamp.of(entry.stat(follow_symlinks=False)))
            except Changing:
                continue
            except OSError as error:
                raise InvalidInput(f"{entry.name} cannot be read: {error.strerror}") from None
            except InvalidInput as error:
                raise InvalidInput(f"{entry.name}: {error}") from None
            public = f"{entry.name} does not compile, or cannot run here"
            if fault := fault_at_sight(entry.name, data, game):
                raise SourceFault(f"{entry.name}: {fault}", public)
            try:
                return self._copied(entry.name, kind, data, game)
            except InvalidInput as error:
                raise SourceFault(error, public) from None
        raise InvalidInput(f"{bare} is being written now; choose it again in a moment")

    def close(self) -> None:
        """Remove all copies."""
        self._copies.cleanup()

    def _entry(self, name: str) -> os.DirEntry[str] | None:
        """Return the entry of the folder with a name; None if there is none."""
        try:
            with os.scandir(self.folder) as entries:
                return next((entry for entry in entries if entry.name == name), None)
        except OSError:
            return None

    def _kind(self, entry: os.DirEntry[str], game: AnyGame) -> Kind | None:
        """Return the kind of a player's file; None for other files and for other games' players."""
        name = entry.name
        if name.startswith(".") or unusable(name) or not entry.is_file(follow_symlinks=False):
            return None
        if name.endswith(PROGRAM):
            return "cmd"
        if name.endswith(SUFFIXES):
            if name.endswith(".py"):
                return "python"
            return None if game.interop.library is None else "library"
        if name.endswith(NO_PLAYERS) or not os.access(entry.path, os.X_OK):
            return None
        return "cmd"

    def _copied(self, name: str, kind: Kind, data: bytes, game: AnyGame) -> PlayerSpec:
        """Return the player of a copy."""
        base = Path(self._copies.name)
        place = base / hashlib.sha256(data).hexdigest()[:16] / name
        try:
            with self._lock:
                os.chmod(base, 0o755)  # for players that run as another user
                if not place.is_file():
                    place.parent.mkdir(exist_ok=True)
                    write_whole(place, data)
                    os.chmod(place, 0o755)  # whatever the process's mask
        except OSError as error:
            raise HostFailure(f"{place}: {error.strerror}") from None
        target = shlex.quote(str(place)) if kind == "cmd" else str(place)
        spec = PlayerSpec(OFFERED + name, kind, target, known_as=name)
        return built(spec, game, self.isolation)
