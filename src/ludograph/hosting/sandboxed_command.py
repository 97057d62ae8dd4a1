"""A command that makes a file, such as a compiler, in a sandbox like a player's.

Its input is untrusted: a source can include any file of the machine, or use a compiler's time and
memory without end. So it has a host as players have, which returns only its file and its messages,
see :mod:`ludograph.hosting.build_host`.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from ludograph.errors import HostFailure, InvalidInput
from ludograph.hosting.build_host import MADE_BYTES
from ludograph.hosting.channel import Answer, ChannelClosed, ChannelGarbage
from ludograph.hosting.host_process import READY_SECONDS, HostProcess
from ludograph.hosting.sandbox.readable_paths import system, without_all_withheld
from ludograph.hosting.supervisor import readable
from ludograph.players.isolation import Isolation
from ludograph.players.spec import PlayerSpec

SECONDS = 30.0

POLL = 0.01
"""The least seconds for which :meth:`Build.is_done` waits, so that large files come, too."""

ANSWER_BYTES = 2 * MADE_BYTES
"""The size of the longest answer in bytes: a file as JSON."""

LEAST_MEMORY = 1 << 30
"""The memory limit of a compiler in bytes, independent of that of players."""


class Built(msgspec.Struct):
    """The result of a command.

    Attributes
    ----------
    file
        The contents of the file; None if there is none.
    said
        The output of the program, or a sentence on why it failed.
    unloadable
        The loader's words on a library that cannot be loaded; empty if it can be, and if the trial
        cannot decide: a library that crashes or takes long when it is loaded.
    seconds
        Its processor time, or its whole limit if it was not finished in time.
    refused
        Why this machine cannot do it; empty if it can.
    """

    file: bytes | None = None
    said: str = ""
    unloadable: str = ""
    seconds: float = 0.0
    refused: str = ""


@dataclass(frozen=True, slots=True)
class SandboxedCommand:
    """A program to run in a sandbox.

    Attributes
    ----------
    command
        The words of the command; ``{}`` stands for the file to make. With ``python-syntax`` and a
        file, this interpreter checks the syntax of the file; without words, nothing is run.
    folder
        Its working folder, the only one that it sees beside the system.
    seconds
        The time limit of the command and of the trial load.
    trial
        A library that is loaded afterwards, ``{}`` for the file that was made, and its interface as
        JSON; None: none.
    """

    command: Sequence[str]
    folder: str
    seconds: float = SECONDS
    trial: tuple[str, str] | None = None

    @property
    def name(self) -> str:
        """What is run, for messages."""
        return os.path.basename(self.command[0]) if self.command else "the trial load"

    def readable_paths(self) -> list[str]:
        """Return the folders and files that it sees, without those that this process withholds."""
        paths = [*system(), os.path.realpath(self.folder)]
        return without_all_withheld(paths, self.name)


class Build:
    """A sandboxed program in its own process, which ends with the one that started it."""

    def __init__(self, command: SandboxedCommand, isolation: Isolation) -> None:
        self._command = command
        self._began = self._asked = time.monotonic()
        self._workspace = tempfile.TemporaryDirectory(prefix="ludograph-")
        os.chmod(self._workspace.name, 0o777)
        limits = Isolation(isolation.level, max(isolation.memory, LEAST_MEMORY))
        builder = PlayerSpec(command.name, "build", command.name)
        self._host = HostProcess(builder, limits, ANSWER_BYTES)
        self._made: Answer | None = None
        self._built: Built | HostFailure | None = None
        interface = command.trial[1] if command.trial else ""
        seen = {"paths": command.readable_paths(), "workspace": self._workspace.name}
        self._host.launch_with(interface, seen)

    @property
    def elapsed(self) -> float:
        """The seconds since it was started."""
        return time.monotonic() - self._began

    def is_done(self, seconds: float = 0.0) -> bool:
        """Tell whether it has ended, waiting at most about this time; end it if it takes long."""
        until = time.monotonic() + seconds
        while self._built is None:
            limit = READY_SECONDS if self._host.level is None else self._command.seconds
            now, end = time.monotonic(), self._asked + limit
            try:
                self._go_on(max(POLL, min(until, end) - now))
            except TimeoutError:
                if now > end:
                    self._close(f"was not done after {limit:g} s")
                elif now > until:
                    return False
            except (ChannelClosed, ChannelGarbage):
                self._close("could not be run in its isolation")
            except InvalidInput as error:
                self._close("", refused=str(error))
            except HostFailure as error:
                self.cancel()
                self._built = error
        return True

    def _go_on(self, seconds: float) -> None:
        """Wait for the next answer of the host; raise TimeoutError if none comes in time."""
        host, command = self._host, self._command
        if host.level is None:
            if not readable(host.channel.connection.fileno(), seconds):
                raise TimeoutError
            host.await_host()
            self._asked = time.monotonic()
            order = {"command": list(command.command), "folder": command.folder}
            host.channel.send({"id": 1, "start": {**order, "workspace": self._workspace.name}})
            host.channel.send({"id": 2, "play": command.trial[0] if command.trial else ""})
        answer = host.channel.receive(seconds)
        if self._made is not None:
            self._close("", answer.text)
        self._made = answer

    def _close(self, trouble: str, unloadable: str = "", refused: str = "") -> None:
        """End the host, and note the result."""
        self.cancel()
        name, limit, host, made = self._command.name, self._command.seconds, self._host, self._made
        late = time.monotonic() - self._asked >= limit
        used = limit if late or host.report is None else host.report.seconds
        if made is None:
            said = f"{name} {'took too much memory' if host.too_much else trouble}"
            self._built = Built(None, said, seconds=used, refused=refused)
            return
        said = made.kernels.get("said", made.text.encode()).decode("utf-8", "replace")
        self._built = Built(made.kernels.get("made"), said, unloadable.strip(), used)

    def result(self) -> Built:
        """Wait for its result, and return it.

        Raises
        ------
        HostFailure
            If its process could not be started.
        """
        while not self.is_done(1.0):
            pass
        if isinstance(self._built, HostFailure):
            raise self._built
        assert self._built is not None
        return self._built

    def awaited(self) -> Built:
        """Wait for its result, and return it; end it if the wait is interrupted."""
        try:
            return self.result()
        finally:
            self.cancel()

    def cancel(self) -> None:
        """End it in any state; safe to call again."""
        self._host.kill()
        self._workspace.cleanup()
