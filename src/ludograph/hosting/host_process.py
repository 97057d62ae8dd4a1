"""The process of a host: its start, its answers, and the end of all its descendants.

The referee communicates with three processes: the *fork server*, which forks hosts; the
*supervisor* of one host, which ends all its descendants; and the *host*, which becomes the player's
process.
"""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from typing import Any

from ludograph.errors import HostFailure, InvalidInput
from ludograph.formatting import printable
from ludograph.games import AnyGame
from ludograph.games.registry import home
from ludograph.hosting import crash_report, script
from ludograph.hosting.channel import (
    ANSWER_LIMIT,
    Answer,
    Channel,
    ChannelClosed,
    ChannelGarbage,
    ends,
)
from ludograph.hosting.dialogues import needed
from ludograph.hosting.forkserver_client import FORK_SERVERS, ForkServerProcess
from ludograph.hosting.output_log import Log
from ludograph.hosting.process_tree import kill_all
from ludograph.hosting.sandbox import control_group
from ludograph.hosting.sandbox.control_group import ControlGroup
from ludograph.hosting.sandbox.readable_paths import (
    kernel_folder,
    modules_of,
    own_kernel_folder,
    place,
    readable_paths,
    system,
)
from ludograph.hosting.supervisor import (
    LEFTOVER_SECONDS,
    REPORT,
    STATUS,
    SUPERVISOR_SECONDS,
    VERDICT,
    Report,
    end,
    number_of,
    received,
    received_with_descriptors,
)
from ludograph.players.forfeit import LOG_LIMIT
from ludograph.players.isolation import Isolation, Level
from ludograph.players.spec import PlayerSpec

READY_SECONDS = 60.0
"""Seconds for the host to start, before the player is loaded: no fault of the player."""

REPORT_BYTES = VERDICT.size + REPORT.size + crash_report.PAGE


class HostProcess:
    """A host process with its supervisor, from its start to its end.

    Attributes
    ----------
    listener
        Called with each line that the player prints; set it before the launch.
    level
        The level of its isolation, once its host has started.
    kernels
        The folder of the kernels compiled only for this player, which it may read; empty if there
        is none.
    report
        The time and memory that it used, once it has ended, if its supervisor has reported them.
    too_much
        Whether its supervisor has ended it because it used too much memory.
    launched
        Whether it has been started.
    token
        A text in the environment of all its processes, which identifies them.
    channel
        The channel for requests and answers, once it is launched.
    output
        The log of its output, once it is launched.
    lifeline
        Its supervisor's socket, once it is launched; the supervisor closes it when all have ended.
    supervisor
        A descriptor of the supervisor's process; -1 until it has started.
    group
        The number of its process group in this process's namespace; 0 until it has started.
    control
        The control group of its processes, if there is one.
    """

    def __init__(
        self,
        spec: PlayerSpec,
        isolation: Isolation | None,
        answer_limit: int = ANSWER_LIMIT,
        command: Sequence[str] = (),
    ) -> None:
        """Make a host that is not launched yet.

        Parameters
        ----------
        answer_limit
            The size of the longest frame that it may send, in bytes.
        command
            The words of a program that runs the host of a C player; by default it is a fork.
        """
        self.spec = spec
        self.command = command
        self.answer_limit = answer_limit
        self.kernels = own_kernel_folder(spec)
        self.isolation = isolation or Isolation.chosen()
        self.level: Level | None = None
        self.report: Report | None = None
        self.too_much = False
        self._reported = b""
        self.listener: Callable[[str], None] | None = None
        self.token = secrets.token_hex(16)
        self.launched = False
        self._game: AnyGame
        self._launched: tuple[str, Mapping[str, Any]]
        self._fork_server: ForkServerProcess
        self.supervisor = -1
        self.channel: Channel
        self.lifeline: socket.socket
        self.output: Log
        self.group = 0
        self.control: ControlGroup | None = None
        self._number = 0  # of its first process, in that process's namespace
        self._lost = False

    @property
    def runs(self) -> bool:
        """Whether it has been started and not ended."""
        return self.launched and not self._lost

    def launch(self, game: AnyGame) -> None:
        """Start the host of a player without waiting for it, so that several start together."""
        self._game = game
        cache = kernel_folder()
        others = [*system(), *modules_of(home(game.name)), *filter(None, [cache, self.kernels])]
        paths = readable_paths(self.spec, others)
        self.launch_with(needed(self.spec.kind, game), {"paths": paths, "cache": cache})

    def launch_with(self, needed: str, seen: Mapping[str, Any]) -> None:
        """Start the host process without waiting for it.

        Parameters
        ----------
        needed
            The data for its runner, see ``host.Runner``.
        seen
            Fields of its sandbox: the paths and the folders that it sees.
        """
        self._launched = needed, seen
        request = {
            "token": self.token,
            "memory": self.isolation.memory,
            "groups": control_group.place(),
            "command": [*self.command, *script("library_host", needed)] if self.command else [],
            "seen": seen,
        }
        with ExitStack() as ours, ExitStack() as theirs:
            channel, their_channel = ends()
            lifeline, their_lifeline = socket.socketpair()
            ours.callback(channel.close)
            ours.callback(lifeline.close)
            theirs.callback(their_channel.close)
            theirs.callback(their_lifeline.close)
            read_end, write_end = os.pipe()
            theirs.callback(os.close, write_end)
            self.output = Log(read_end)
            self.output.listener = self.listener
            ours.callback(self.output.close)
            self._fork_server = FORK_SERVERS.fork(
                (self.spec.kind, needed, self.isolation.wish),
                request,
                [their_channel.fileno(), their_lifeline.fileno(), write_end],
            )
            self.launched, self._lost = True, False
            self.report, self.too_much, self._reported = None, False, b""
            self.channel = Channel(channel, self.answer_limit, Answer, self.output)
            self.lifeline = lifeline
            ours.pop_all()

    def await_host(self, seconds: float = READY_SECONDS) -> None:
        """Wait until the host has started, at most some seconds.

        Raises
        ------
        HostFailure
            If it does not start up.
        InvalidInput
            If this machine lacks something that it needs.
        """
        try:
            self._greet_host(seconds)
        except HostFailure:
            self._fork_server.ends_within(SUPERVISOR_SECONDS)
            self.supervisor = -1  # it was ended, or the fork server was before the fork
            self.launch_with(*self._launched)
            self._greet_host(seconds)

    def _greet_host(self, seconds: float) -> None:
        why = ""
        try:
            answer = self.channel.receive(seconds)
            self._meet_supervisor()
            if answer.ready:
                self.level = Level(answer.isolation)
                return
            why = answer.broken
        except (TimeoutError, ChannelClosed, ChannelGarbage) as error:
            self.kill()
            printed = self.log() + self._fork_server.printed()
            raise HostFailure(
                f"the host of {self.spec.label} did not start ({error}); it printed: {printed}"
            ) from None
        self.kill()
        raise InvalidInput(why)

    def _meet_supervisor(self) -> None:
        """Receive the supervisor's data of itself and of the player's process."""
        data, descriptors = received_with_descriptors(self.lifeline, STATUS.size, 3)
        if len(data) != STATUS.size or len(descriptors) < 2:
            raise ChannelClosed("its supervisor is gone")
        self._number, self.supervisor = STATUS.unpack(data)[0], descriptors[0]
        self.group = number_of(descriptors[1])
        os.close(descriptors[1])
        if len(descriptors) > 2:
            self.control = ControlGroup.given(descriptors[2])

    def hang_up(self) -> None:
        """Make the supervisor end the host and all its descendants, then itself."""
        with suppress(OSError):
            self.lifeline.shutdown(socket.SHUT_WR)

    def kill(self) -> None:
        """End the host and all its descendants; safe to call again."""
        if not self.runs:
            return
        self.hang_up()
        self._lost = True
        try:
            self._fork_server.resume()
            if self.supervisor >= 0:
                end(self.supervisor, SUPERVISOR_SECONDS)
                os.close(self.supervisor)
            self.hear_report(SUPERVISOR_SECONDS)
        finally:
            self._end_orphans()
            self.output.close()
            self.channel.close()
            self.lifeline.close()
            if self.control is not None:
                self.control.close()

    def _end_orphans(self) -> None:
        """End the processes left by a killed supervisor; one without a report was killed."""
        if self.report is None:
            if self.control is not None:
                self.control.kill()
            received(self.lifeline, REPORT_BYTES, LEFTOVER_SECONDS)  # until the fork server is done
            kill_all(self.token)
            if self.control is not None:
                self.control.remove()

    def hear_report(self, seconds: float) -> bytes:
        """Receive the supervisor's report; return the page that it shared with the player.

        Parameters
        ----------
        seconds
            The time to wait for the missing parts.
        """
        missing = REPORT_BYTES - len(self._reported)
        self._reported += received(self.lifeline, missing, seconds)
        verdict, rest = self._reported[: VERDICT.size], self._reported[VERDICT.size :]
        self.too_much = verdict == VERDICT.pack(True)
        if len(rest) >= REPORT.size:
            self.report = Report(*REPORT.unpack(rest[: REPORT.size]))
        return rest[REPORT.size :]

    def log(self) -> str:
        """Return the head and the tail of the player's output, safe to show and to store."""
        if not self.launched:
            return ""
        return printable(crash_report.without_ours(self.named(self.output.text())), LOG_LIMIT)

    def named(self, text: str) -> str:
        """Return a text with the player's C source in place of the library made from it."""
        library = self.spec.library
        return text.replace(os.path.abspath(place(library)), self.spec.target) if library else text

    def noted(self, page: bytes) -> crash_report.Crash:
        """Return the crash report of the shared page."""
        library = self._game.interop.library if self.spec.kind == "library" else None
        if library is None:
            return crash_report.NOTHING
        names = (*library.symbols, library.names, library.finishes)
        path = os.path.abspath(self.spec.loaded_file)
        return crash_report.read(page, path, names, self._number)
