"""A command under a supervisor of its own, which ends it with the process that started it.

A debugger, a checker of memory or a compiler runs a player's code, or reads it, beside the program
that the user has started. Its parent is this module as a script, ``ASKER [NAME=VALUE]... --
COMMAND...``, which waits for the command and for the process that asked for it. When either has
ended, it kills all that came out of the command, daemons in sessions of their own included, and
ends as the command did. Ctrl-C, which a terminal sends to all of them, is for the others.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

NO_VARIABLES: Mapping[str, str] = {}
ASKED_TO_END = (signal.SIGTERM, signal.SIGHUP)
FROM_TERMINAL = (signal.SIGINT, signal.SIGQUIT)
NOT_RUN = 127
"""The exit code of a command that could not be run, as in a shell."""


def started(
    command: Sequence[str], variables: Mapping[str, str] = NO_VARIABLES, **settings: Any
) -> subprocess.Popen[Any]:
    """Start a command under supervision; `end` ends it.

    Parameters
    ----------
    variables
        Of the command's environment, beside those that are inherited.
    settings
        As for ``subprocess.Popen``.
    """
    assigned = [f"{name}={value}" for name, value in variables.items()]
    script = [sys.executable, "-P", __file__, str(os.getpid()), *assigned, "--", *command]
    # The script sees a signal when it can tell what to do with it.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (*FROM_TERMINAL, *ASKED_TO_END))
    try:
        return subprocess.Popen(script, **settings)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end(process: subprocess.Popen[Any]) -> int:
    """End a command that was started under supervision, should it still run."""
    process.terminate()
    return process.wait()


def run(
    command: Sequence[str], *, seconds: float | None = None, **settings: Any
) -> subprocess.CompletedProcess[str]:
    """Run a command under supervision to its end; return its exit code and what it has written.

    Raises
    ------
    subprocess.TimeoutExpired
        If it takes longer than these seconds.
    """
    pipe = subprocess.PIPE
    with started(
        command, stdout=pipe, stderr=pipe, text=True, errors="replace", **settings
    ) as process:
        try:
            output, errors = process.communicate(timeout=seconds)
        finally:
            end(process)
    return subprocess.CompletedProcess(command, process.returncode, output, errors)


def main() -> None:
    """Run the command to its end, or to that of the process that asked for it."""
    asker, *words = sys.argv[1:]
    assigned, command = words[: words.index("--")], words[words.index("--") + 1 :]
    sys.path.append(str(Path(__file__).parents[2]))
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
        for number, before in kept.items():  # what a shell in the background ignores stays so
            signal.signal(number, signal.SIG_IGN if before is signal.SIG_IGN else signal.SIG_DFL)
        _become(own, assigned, command)
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))  # a channel of the command is its own
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
    if code < 0:  # by the same signal, of which no core is dumped twice
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(-code, signal.SIG_DFL) if -code != signal.SIGKILL else None
        os.kill(own, -code)
    os._exit(code)


class _Asked(Exception):
    """Somebody has asked this process to end."""


def _end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    raise _Asked


def _become(supervisor: int, assigned: Sequence[str], command: Sequence[str]) -> None:
    """Become the command, which dies with its supervisor."""
    from ludograph.hosting.sandbox.syscalls import PR_SET_PDEATHSIG, prctl

    try:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() == supervisor:
            for each in assigned:
                name, _, value = each.partition("=")
                os.environ[name] = value
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            os.execvp(command[0], list(command))
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
    finally:
        os._exit(NOT_RUN)


if __name__ == "__main__":
    main()
