"""Checks of an uploaded player's file, while the person waits at the page.

The file is compiled and loaded in the sandbox, so that its author sees errors at once.
"""

from __future__ import annotations

import os
import tempfile
import threading
from pathlib import Path

from ludograph.arena.ladder import Ladder
from ludograph.arena.ladder.folder import PROGRAM
from ludograph.arena.ladder.state import Spent
from ludograph.arena.ladder.submission import no_c_interface
from ludograph.errors import HostFailure
from ludograph.games.library import LibraryInterface
from ludograph.hosting.compiler import HEADER, compilation, first_errors, load_trouble, loading
from ludograph.hosting.program_files import unrunnable
from ludograph.hosting.sandboxed_command import SYNTAX, Build, SandboxedCommand
from ludograph.players.isolation import MEMORY, Isolation, Level
from ludograph.players.parameters import has_no_player
from ludograph.players.protocol import NO_PLAYER

CHECKS = 2
"""The most files compiled at a time for people who wait at their pages."""

CHECK_SECONDS = 8.0
"""Seconds for one of them; afterwards the ladder's own compiler decides."""


class SourceChecks:
    """Compiles uploaded files, a few at a time."""

    def __init__(self) -> None:
        self._free = threading.BoundedSemaphore(CHECKS)
        self._spent = Spent()

    def wrong(
        self, ladder: Ladder, level: Level | None, name: str, data: bytes, who: str
    ) -> str | None:
        """Return the fault in a source; an empty text if there is none, None if unknown.

        It is unknown if the compiler is busy or takes long, or if the author's time is used up.
        """
        interface = ladder.game.interop.library
        if name.endswith((".c", ".so")) and interface is None:
            return no_c_interface(ladder.game.name)
        if name.endswith(PROGRAM):
            lack = unrunnable(data)
            return lack and f"{name}: {lack}"
        unknown = "" if name.endswith(".so") else None
        if self._spent.today(who) >= ladder.compile_seconds:
            return unknown
        if not self._free.acquire(timeout=CHECK_SECONDS / 2):
            return unknown
        try:
            with tempfile.TemporaryDirectory(prefix="ludograph-") as made:
                os.chmod(made, 0o755)
                file = Path(made) / name
                file.write_bytes(data)
                memory = ladder.isolation.memory if ladder.isolation is not None else MEMORY
                fault = self._checked(interface, file, Isolation(level, memory), who)
        except HostFailure:
            return unknown
        finally:
            self._free.release()
        return unknown if fault is None else fault

    def _checked(
        self, interface: LibraryInterface | None, file: Path, isolation: Isolation, who: str
    ) -> str | None:
        """Return the fault in a source or a library, as :meth:`wrong` does."""
        name = file.name
        build = Build(check(file, interface), isolation)
        if not build.is_done(CHECK_SECONDS):
            self._spent.add(who, build.elapsed)
            build.cancel()
            return None
        built = build.result()
        self._spent.add(who, built.seconds)
        if built.refused:
            return None
        if name.endswith(".so"):
            return load_trouble(name, built)
        if built.file is None:
            return None if built.seconds >= CHECK_SECONDS else first_errors(name, built.said)
        if name.endswith(".py"):
            return f"{name} {NO_PLAYER}" if has_no_player(file.read_bytes()) else ""
        return load_trouble(name, built)


def check(file: Path, interface: LibraryInterface | None) -> SandboxedCommand:
    """Return the command that compiles or loads a file in its own folder."""
    name, place = file.name, file.parent
    if name.endswith(".py"):
        return SandboxedCommand([SYNTAX, f"./{name}"], str(place), CHECK_SECONDS)
    assert interface is not None  # otherwise C players are refused
    if name.endswith(".so"):
        return loading(file, interface, CHECK_SECONDS)
    (place / HEADER).write_text(interface.header, encoding="utf-8")
    return compilation([name], place, interface, seconds=CHECK_SECONDS)
