"""The fork server: it has imported the modules for one kind of player, and forks the hosts.

A course's interface stores a game in file-scope variables, so each game needs a fresh process, but
not a fresh interpreter. The referee has one fork server for each kind of player, see
:mod:`ludograph.hosting.forkserver_client`. No player's code runs in it. It ends with the referee in
any case; its supervisors end by themselves.
"""

from __future__ import annotations

import ctypes
import gc
import json
import mmap
import os
import resource
import select
import signal
import socket
import time
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, NoReturn

from ludograph.errors import InvalidInput
from ludograph.hosting.host import Runner, prepare
from ludograph.hosting.host import serve as serve_referee
from ludograph.hosting.process_tree import TOKEN, children, descendants, send
from ludograph.hosting.sandbox import seccomp
from ludograph.hosting.sandbox.control_group import ControlGroup
from ludograph.hosting.sandbox.sandbox import Sandbox, check_isolation
from ludograph.hosting.sandbox.syscalls import PR_SET_CHILD_SUBREAPER, prctl
from ludograph.hosting.supervisor import (
    LEFTOVER_SECONDS,
    SUPERVISOR_SECONDS,
    become,
    end,
    received_with_descriptors,
    supervise,
)
from ludograph.players.isolation import Level

REQUEST_BYTES = 1 << 16

DESCRIPTORS = 4
"""With each request: channel, lifeline, the log to write to, the working folder."""


def main(control: str, parent: str, kind: str, needed: str, wish: str) -> NoReturn:
    """Fork a supervisor with its player for every request, until the referee is gone.

    Parameters
    ----------
    control
        The descriptor of a socket of whole messages.
    parent
        The number of the referee's process.
    kind, needed
        The kind of player, and the data that its runner needs before any game begins.
    wish
        The level of isolation; empty for the strongest that works here.
    """
    os.set_inheritable(int(control), False)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        referee = os.pidfd_open(int(parent))
    except OSError:
        os._exit(1)
    if os.getppid() != int(parent):  # it died before this process watched it
        os._exit(1)
    player, level = runner(kind), Level.NONE
    missing = prepare(player, needed)
    if not missing:  # otherwise no player's code runs, so no supervisor enters a sandbox
        try:
            level = check_isolation(Level(wish) if wish else None)
        except InvalidInput as error:
            missing = str(error)
    instructions = b"" if level is Level.NONE else seccomp.program(level)
    model = Sandbox(level, instructions=instructions)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # supervisors are not waited for
    prctl(PR_SET_CHILD_SUBREAPER, 1)  # supervisors in namespaces are forked by one that ends
    with socket.socket(fileno=int(control)) as line:
        server = ForkServer(line, referee, player, missing, model)
        gc.freeze()  # the collector does not write to shared pages
        _be_silent()
        server.serve()
    os._exit(0)


def runner(kind: str) -> Runner:
    """Return the runner of a kind; import its modules only when needed."""
    if kind == "library":
        from ludograph.hosting.library_host import LibraryRunner

        return LibraryRunner()
    if kind in ("cmd", "htp"):
        from ludograph.hosting.program_host import CmdRunner, HtpRunner

        return CmdRunner() if kind == "cmd" else HtpRunner()
    if kind == "build":
        from ludograph.hosting.build_host import BuildRunner

        return BuildRunner()
    from ludograph.hosting.python_host import PythonRunner

    return PythonRunner()


class Supervisor(NamedTuple):
    """A forked supervisor.

    Attributes
    ----------
    process
        The number of its process.
    lifeline
        A copy of its socket to the referee, which so closes only after all leftovers have ended.
    """

    process: int
    lifeline: int


class ForkServer:
    """Forks a supervisor with its host for every request.

    Parameters
    ----------
    line
        The socket to the referee.
    referee
        A descriptor of the referee's process.
    missing
        What this machine lacks for the player, in a sentence; empty if nothing.
    model
        The sandbox of a player without files of its own.
    """

    def __init__(
        self, line: socket.socket, referee: int, player: Runner, missing: str, model: Sandbox
    ) -> None:
        self.line, self.referee = line, referee
        self.player, self.missing, self.model = player, missing, model
        self.token = TokenInEnvironment()
        # Under ``strict`` the kernel ends all processes of a player when its supervisor ends.
        self._inherits = model.level is not Level.STRICT
        self._supervisors: dict[int, Supervisor] = {}  # by the descriptor of its process
        self._poll = select.poll()

    def serve(self) -> None:
        """Serve requests until the referee closes the socket or ends, and all supervisors have."""
        listens = True
        self._poll.register(self.line, select.POLLIN)
        self._poll.register(self.referee, select.POLLIN)
        while listens or self._supervisors:
            ready = [each for each, _ in self._poll.poll()]
            for ended in self._supervisors.keys() & ready:
                self._end_leftovers(ended)
            if self.referee in ready:
                self._poll.unregister(self.referee)
                for process in list(self._supervisors):
                    end(process, SUPERVISOR_SECONDS)  # a player may have stopped it
            if listens and not {self.line.fileno(), self.referee}.isdisjoint(ready):
                listens = self.referee not in ready and self._has_served()
                if not listens:
                    self._poll.unregister(self.line)

    def _has_served(self) -> bool:
        """Serve a request; return False if the referee has closed the socket."""
        request, descriptors = received_with_descriptors(self.line, REQUEST_BYTES, DESCRIPTORS)
        if not request:
            return False
        if len(descriptors) == DESCRIPTORS:  # otherwise this process has too many open files
            try:
                self._fork(request, descriptors)
            except OSError as error:
                os.write(descriptors[2], f"a fork server cannot fork: {error.strerror}\n".encode())
        for descriptor in descriptors:
            os.close(descriptor)
        return True

    def _fork(self, request: bytes, descriptors: list[int]) -> None:
        child = os.fork()
        if child == 0:
            become("supervisor", partial(self._supervise, json.loads(request), descriptors))
        if not self._inherits:
            return
        process = -1
        try:
            process = os.pidfd_open(child)
            lifeline = os.dup(descriptors[1])
        except OSError:
            if process >= 0:
                os.close(process)
            os.kill(child, signal.SIGKILL)
            raise
        self._supervisors[process] = Supervisor(child, lifeline)
        self._poll.register(process, select.POLLIN)

    def _end_leftovers(self, process: int) -> None:
        """End the processes that an ended supervisor has left; then close its lifeline."""
        self._poll.unregister(process)
        os.close(process)
        ended = self._supervisors.pop(process)
        self._end_inherited()
        os.close(ended.lifeline)

    def _end_inherited(self) -> None:
        """End the processes that this one has inherited.

        A chain of processes, each of which starts the next and ends, is always one step ahead of
        the search: so there is no pause while new ones are found. The search gives up on what
        cannot be ended: a process that has become another user's.
        """
        supervisors = {supervisor.process for supervisor in self._supervisors.values()}
        until = time.monotonic() + LEFTOVER_SECONDS
        known: set[int] = set()
        while found := {*children(os.getpid())} - supervisors:
            for process in found:
                for each in (process, *descendants(process)):
                    send(each, signal.SIGKILL)
            if time.monotonic() > until:
                return
            if found <= known:
                time.sleep(0.0005)  # all are about to end
            known |= found

    def _supervise(self, request: dict[str, Any], descriptors: list[int]) -> NoReturn:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        self.line.close()
        for process, other in self._supervisors.items():
            os.close(process)
            os.close(other.lifeline)
        channel, lifeline, log, folder = descriptors
        for stream in (1, 2):
            os.dup2(log, stream)
        os.fchdir(folder)
        os.close(log)
        os.close(folder)
        self.token.replace(request["token"])
        group = ControlGroup.make(request["groups"])
        sandbox = replace(self.model, **request["seen"], group=group)
        sandbox.enter()
        command = request["command"]

        def host(page: mmap.mmap) -> int:
            if command:
                os.set_inheritable(channel, True)
                os.execvp(command[0], [*command, str(channel)])
            level = str(sandbox.level)
            return serve_referee(channel, self.player, self.missing, page, level)

        supervise(channel, lifeline, self.referee, request["memory"], host, sandbox)


class TokenInEnvironment:
    """The token in the environment of this process at its start, and of all that it forks.

    ``/proc`` shows this environment; a variable set later is stored elsewhere, where only started
    programs find it. The place is found once: other variables may move.
    """

    def __init__(self) -> None:
        getenv = ctypes.CDLL(None).getenv
        getenv.restype = ctypes.c_void_p
        self._place = getenv(TOKEN.encode())

    def replace(self, token: str) -> None:
        """Write another token there; all have the same length."""
        ctypes.memmove(self._place, token.encode(), len(token))
        os.environ[TOKEN] = token


def _be_silent() -> None:
    """Close the pipe for this process's messages at its start, which is over."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)
