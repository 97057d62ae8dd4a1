"""A command under its own supervisor, which ends it with the process that started it.

A checker of memory runs a player's code beside the program that the user has started. Its parent is
this module as a script, ``ASKER COMMAND...``, which waits for the command and
for the process that asked for it. When either has ended, it kills all descendants of the command,
daemons in their own sessions included, and ends as the command did. It ignores Ctrl-C, which a
terminal sends to all of these processes.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import FrameType
from typing import Any

from ludograph.hosting import script

NO_VARIABLES: Mapping[str, str] = {}
ASKED_TO_END = (signal.SIGTERM, signal.SIGHUP)
FROM_TERMINAL = (signal.SIGINT, signal.SIGQUIT)
NOT_RUN = 127
"""The exit code for a command that cannot be run, as in a shell."""


def started(
    command: Sequence[str], variables: Mapping[str, str] = NO_VARIABLES, **settings: Any
) -> subprocess.Popen[Any]:
    """Start a command under supervision; SIGTERM ends it.

    Parameters
    ----------
    variables
        Variables of the command's environment, beside the inherited ones.
    settings
        As for ``subprocess.Popen``.
    """
    assigned = [f"{name}={value}" for name, value in variables.items()]
    words = script("supervised_command", str(os.getpid()))
    words += ["env", *assigned, *command] if assigned else command
    # The script receives a signal only after its handlers are set.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (*FROM_TERMINAL, *ASKED_TO_END))
    try:
        return subprocess.Popen(words, **settings)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def main(asker: str, *command: str) -> None:
    """Run the command to its end, or to that of the process that started it."""
    from ludograph.hosting.sandbox.syscalls import PR_SET_CHILD_SUBREAPER, prctl
    from ludograph.hosting.supervisor import end_all

    prctl(PR_SET_CHILD_SUBREAPER, 1)
    for number in ASKED_TO_END:
        signal.signal(number, _end)
    kept = {number: signal.signal(number, signal.SIG_IGN) for number in FROM_TERMINAL}
    own = os.getpid()
    child = os.fork()
    if child == 0:
        for number in (*ASKED_TO_END, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        for number, before in kept.items():  # a background shell's ignored signals stay ignored
            signal.signal(number, signal.SIG_IGN if before is signal.SIG_IGN else signal.SIG_DFL)
        _become(own, command)
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        for name in os.listdir("/proc/self/fd"):  # channels are for the command only
            if int(name) > 2:
                with suppress(OSError):  # that of the list itself
                    os.close(int(name))
        ends = select.poll()
        ends.register(os.pidfd_open(child), select.POLLIN)
        ends.register(os.pidfd_open(int(asker)), select.POLLIN)
        if os.getppid() == int(asker):
            ends.poll()
    except (ProcessLookupError, _Asked):
        pass
    for number in ASKED_TO_END:
        signal.signal(number, signal.SIG_IGN)
    code = os.waitstatus_to_exitcode(end_all(child))
    if code < 0:  # end by the same signal, without a second core dump
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(-code, signal.SIG_DFL) if -code != signal.SIGKILL else None
        os.kill(own, -code)
    os._exit(code)


class _Asked(Exception):
    """A signal to end this process."""


def _end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    raise _Asked


def _become(supervisor: int, command: Sequence[str]) -> None:
    """Become the command, which ends with its supervisor."""
    from ludograph.hosting.sandbox.privileges import lower_limit_of_files
    from ludograph.hosting.sandbox.syscalls import PR_SET_PDEATHSIG, prctl

    try:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() == supervisor:
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            lower_limit_of_files()
            os.execvp(command[0], list(command))
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
    finally:
        os._exit(NOT_RUN)
