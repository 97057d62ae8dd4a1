"""The process of a host: its start, its answers, and the end of all its descendants.

The referee speaks with three: the *fork server* that forks hosts, the *supervisor* of one host,
which ends all that comes out of it, and the *host*, which becomes the player's.
"""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Any

from ludograph.errors import HostFailure, InvalidInput
from ludograph.games import AnyGame
from ludograph.hosting import crash_report, timeout_traceback
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
from ludograph.hosting.leftover_processes import kill_all, kill_orphans
from ludograph.hosting.output_log import Log
from ludograph.hosting.sandbox import control_group
from ludograph.hosting.sandbox.control_group import ControlGroup
from ludograph.hosting.sandbox.readable_paths import (
    kernel_folder,
    own_kernel_folder,
    readable_paths,
)
from ludograph.hosting.supervisor import REPORT, STATUS, VERDICT, Report
from ludograph.hosting.waiting import end, number_of, received, received_with_descriptors
from ludograph.players.forfeit import LOG_LIMIT
from ludograph.players.isolation import Isolation, Level
from ludograph.players.spec import PlayerSpec
from ludograph.quoting import printable

READY_SECONDS = 60.0
"""For the host to come up, before the player is loaded: no fault of the player."""

SUPERVISOR_SECONDS = 0.25
"""For the supervisor to end all processes of the player before the referee does it itself."""

REPORT_BYTES = VERDICT.size + REPORT.size + crash_report.PAGE


class HostProcess:
    """A host process with its supervisor, from its start to its end.

    Attributes
    ----------
    listener
        Called with each line that the player prints; to be set before it is launched.
    level
        How far it is isolated, once its host is up.
    kernels
        The folder of the kernels compiled for this player alone, which it may read; empty if there
        is none.
    report
        What it has used, once it has ended and if its supervisor could tell.
    too_much
        Whether its supervisor has ended it because it held too much memory.
    launched
        Whether it has been started.
    token
        In the environment of all its processes.
    channel
        Where requests go to and answers come from, once it is launched.
    output
        What it prints, once it is launched.
    lifeline
        Its supervisor's socket, once it is launched: closed there when all has ended.
    supervisor
        A descriptor of the supervisor's process; -1 until it is up.
    group
        The number of the group of its processes, as this process knows it; 0 until it is up.
    control
        The control group of its processes, if they are in one.
    """

    def __init__(
        self,
        spec: PlayerSpec,
        isolation: Isolation | None = None,
        answer_limit: int = ANSWER_LIMIT,
    ) -> None:
        """Make a host that is not launched yet.

        Parameters
        ----------
        answer_limit
            Bytes of the longest frame that it may send.
        """
        self.spec = spec
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
        self._fork_server: ForkServerProcess
        self.supervisor = -1
        self.channel: Channel
        self.lifeline: socket.socket
        self.output: Log
        self.group = 0
        self.control: ControlGroup | None = None
        self._number = 0  # of its first process, as that process knows it
        self._lost = False

    @property
    def runs(self) -> bool:
        """Whether it has been started, and nobody has ended it."""
        return self.launched and not self._lost

    def launch(self, game: AnyGame) -> None:
        """Start the host process without waiting for it, so that several start together."""
        self._game = game
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
                (self.spec.kind, needed(self.spec.kind, game), self.isolation.wish),
                self._request(),
                [their_channel.fileno(), their_lifeline.fileno(), write_end],
            )
            self.launched, self._lost = True, False
            self.report, self.too_much, self._reported = None, False, b""
            self.channel = Channel(channel, self.answer_limit, Answer, self.output)
            self.lifeline = lifeline
            ours.pop_all()

    def _request(self) -> dict[str, Any]:
        """Return what the fork server has to know of this player."""
        return {
            "token": self.token,
            "memory": self.isolation.memory,
            "paths": [*readable_paths(self.spec), *filter(None, [self.kernels])],
            "cache": kernel_folder(),
            "groups": control_group.place(),
        }

    def await_host(self) -> None:
        """Wait until the host is up.

        Raises
        ------
        HostFailure
            If it does not come up.
        InvalidInput
            If something that it needs is missing on this machine.
        """
        try:
            self._greet_host()
        except HostFailure:
            self._fork_server.ends_within(SUPERVISOR_SECONDS)
            self.supervisor = -1  # somebody has ended it, or the fork server before it was forked
            self.launch(self._game)
            self._greet_host()

    def _greet_host(self) -> None:
        why = ""
        try:
            answer = self.channel.receive(READY_SECONDS)
            self._meet_supervisor()
            if answer.ready:
                self.level = Level(answer.isolation)
                return
            why = answer.broken
        except (TimeoutError, ChannelClosed, ChannelGarbage) as error:
            self.kill()
            printed = self.log() + self._fork_server.printed()
            raise HostFailure(
                f"the host of {self.spec.label} did not come up ({error}); it printed: {printed}"
            ) from None
        self.kill()
        raise InvalidInput(why)

    def _meet_supervisor(self) -> None:
        """Take what the supervisor tells of itself and of the player's process."""
        data, descriptors = received_with_descriptors(self.lifeline, STATUS.size, 3)
        if len(data) != STATUS.size or len(descriptors) < 2:
            raise ChannelClosed("its supervisor is gone")
        self._number, self.supervisor = STATUS.unpack(data)[0], descriptors[0]
        self.group = number_of(descriptors[1])
        os.close(descriptors[1])
        if len(descriptors) > 2:
            self.control = ControlGroup.given(descriptors[2])

    def hang_up(self) -> None:
        """Have the supervisor end the host and all that came out of it, then itself."""
        with suppress(OSError):
            self.lifeline.shutdown(socket.SHUT_WR)

    def kill(self) -> None:
        """End the host and all that came out of it; safe to call again."""
        if not self.runs:
            return
        self.hang_up()
        self._lost = True
        try:
            self._end_supervisor()
            self.hear_report(SUPERVISOR_SECONDS)
        finally:
            self._end_orphans()
            self.output.close()
            self.channel.close()
            self.lifeline.close()
            if self.control is not None:
                self.control.close()

    def _end_supervisor(self) -> None:
        """Wait for the supervisor's end, and bring it about should it not come."""
        if self.supervisor >= 0:
            end(self.supervisor, SUPERVISOR_SECONDS)
            os.close(self.supervisor)

    def _end_orphans(self) -> None:
        """End the processes that a killed supervisor has left; without a report it was killed."""
        if self.report is None:
            if self.control is not None:
                self.control.kill()
            kill_orphans(self._fork_server.process.pid, self.token)
            kill_all(self.token)
            if self.control is not None:
                self.control.remove()

    def hear_report(self, seconds: float) -> bytes:
        """Take what the supervisor has reported; return the page that it shared with the player.

        Parameters
        ----------
        seconds
            How long to wait for what is missing.
        """
        missing = REPORT_BYTES - len(self._reported)
        self._reported += received(self.lifeline, missing, seconds)
        verdict, rest = self._reported[: VERDICT.size], self._reported[VERDICT.size :]
        self.too_much = verdict == VERDICT.pack(True)
        if len(rest) >= REPORT.size:
            self.report = Report(*REPORT.unpack(rest[: REPORT.size]))
        return rest[REPORT.size :]

    def log(self) -> str:
        """Return the head and the tail of what the player printed, safe to show and to store."""
        if not self.launched:
            return ""
        return printable(timeout_traceback.without_ours(self.output.text()), LOG_LIMIT)

    def noted(self, page: bytes) -> crash_report.Crash:
        """Return what the crash report tells, of the page that it shared."""
        library = self._game.interop.library if self.spec.kind == "library" else None
        if library is None:
            return crash_report.NOTHING
        names = (*library.symbols, library.names, library.finishes)
        path = os.path.abspath(self.spec.loaded_file)
        return crash_report.read(page, path, names, self._number)
