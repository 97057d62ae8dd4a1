"""The sandbox of a player's process, which its supervisor enters first.

Three processes take part. The *supervisor* enters first: under ``strict`` it becomes the first
process of its namespaces, so that its end always ends all processes in them. It forks the
*player's* process and admits it: only the supervisor can define the users of the player's own user
namespace. Then the player's process gives up its rights and is confined.

:func:`strongest` tries which level of isolation works on this machine.
"""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from ludograph.errors import InvalidInput
from ludograph.hosting.process_tree import lists_children
from ludograph.hosting.sandbox import landlock, privileges, seccomp
from ludograph.hosting.sandbox.control_group import ControlGroup
from ludograph.hosting.sandbox.mounts import (
    DEVICES,
    SCRATCH,
    ZEROS,
    Mounts,
    freeze_proc,
)
from ludograph.hosting.sandbox.readable_paths import system
from ludograph.hosting.sandbox.syscalls import (
    CLONE_NEWCGROUP,
    CLONE_NEWIPC,
    CLONE_NEWNET,
    CLONE_NEWNS,
    CLONE_NEWPID,
    CLONE_NEWUSER,
    CLONE_NEWUTS,
    call,
    write,
)
from ludograph.players.isolation import STRONGEST_FIRST, Level, own

SPACES = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP
HOST_NAME = b"player"

MACHINE = (
    "/proc/self",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/kernel",
    "/proc/sys/vm",
)
"""The files of ``/proc`` that a player may read if it has no own view: its own, not others'."""


@dataclass(slots=True)
class Sandbox:
    """The sandbox of one player.

    Attributes
    ----------
    level
        The level of isolation.
    paths
        The folders and files that it sees, see
        :func:`~ludograph.hosting.sandbox.readable_paths.readable_paths`.
    cache
        The folder of compiled rules, one of these; empty if it needs none.
    instructions
        The filter of system calls, made before.
    workspace
        A folder in which it may make files; if empty, there is only the memory of ``strict``.
    group
        The control group of its processes, without the supervisor, if there is one.
    """

    level: Level = Level.NONE
    paths: Sequence[str] = ()
    cache: str = ""
    instructions: bytes = b""
    workspace: str = ""
    group: ControlGroup | None = None
    root: bool = field(default_factory=privileges.is_root)
    _gate: tuple[socket.socket, socket.socket] | None = None
    _outside: bool = True

    def enter(self) -> None:
        """Become the supervisor in the sandbox; the caller goes on in another process."""
        if self.level is Level.NONE:
            return
        variables = own(os.environ, self.cache)
        os.environ.clear()
        os.environ.update(variables)
        if self.level is Level.STRICT:
            self._enter_namespaces()

    def _enter_namespaces(self) -> None:
        try:
            folder = os.getcwd()
        except OSError:
            folder = "/"  # it is gone
        mounts = Mounts(self.paths, folder)
        user, group = os.geteuid(), os.getegid()
        call("unshare", SPACES | (0 if self.root else CLONE_NEWUSER))
        if not self.root:
            write("/proc/self/setgroups", "deny")
            write("/proc/self/uid_map", f"{user} {user} 1")
            write("/proc/self/gid_map", f"{group} {group} 1")
        if os.fork():
            os._exit(0)
        os.setsid()
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # the first process would ignore it
        call("sethostname", HOST_NAME, len(HOST_NAME))
        mounts.make()

    def fork(self) -> int:
        """Fork the player's process, in its control group if the kernel can do that."""
        if self.level is Level.STRICT:
            self._gate = socket.socketpair()
        if self.group is not None:
            with suppress(OSError):  # it is moved there later
                player = self.group.fork()
                self._outside = False
                return player
        return os.fork()

    def admit(self, player: int) -> None:
        """Admit the player's process; called by its supervisor."""
        if self.group is not None and self._outside and not self.group.admit(player):
            self.clear()
            self.group = None
        if self._gate is None:
            return
        ours, theirs = self._gate
        theirs.close()
        with ours:
            if not ours.recv(1):
                return  # it has failed, and reports it itself
            for kind, name in (("uid", "st_uid"), ("gid", "st_gid")):
                mapped = {getattr(os, f"gete{kind}")()}
                if self.root:  # it may read the files of these users
                    mapped |= {privileges.NOBODY, 0, *owners(self.paths, name)}
                lines = "".join(f"{one} {one} 1\n" for one in sorted(mapped))
                write(f"/proc/{player}/{kind}_map", lines)
            privileges.end_first(player)
            freeze_proc()
            ours.sendall(b"+")

    @property
    def scratch(self) -> list[str]:
        """The player's own folders in memory, for the supervisor.

        A player that lies directly in such a folder sees that of the machine instead.
        """
        own = SCRATCH if self.level is Level.STRICT else ()
        return [folder for folder in own if folder not in self.paths]

    def clear(self) -> None:
        """Remove the empty control group; called by the supervisor."""
        if self.group is not None:
            self.group.remove()
            self.group.close()

    def confine(self) -> None:
        """Give up all rights that a player does not need; called by the player's process.

        Raises
        ------
        OSError
            If a step fails: then no player may run.
        """
        if self.group is not None:
            self.group.close()  # its descriptor opens the group's files
        if self.level is Level.NONE:
            privileges.lower_limit_of_files()
            return
        if self._gate is not None:
            ours, theirs = self._gate
            ours.close()
            with theirs:
                call("unshare", CLONE_NEWUSER)
                theirs.sendall(b"+")
                if not theirs.recv(1):
                    raise OSError("the supervisor has not let it in")
        processes = privileges.PROCESSES
        if self.level is Level.BASIC:
            processes += running(privileges.NOBODY if self.root else os.getuid())
            privileges.end_first(os.getpid())  # Landlock keeps it from changing this
        privileges.limit(processes)
        privileges.drop(root=self.root)
        if self.level is Level.BASIC:
            landlock.restrict([*self.paths, *MACHINE, ZEROS], DEVICES, self.workspace)
            if landlock.version() < landlock.SIGNALS_SINCE:
                self.instructions = seccomp.program(self.level, os.getpid())
        seccomp.install(self.instructions)


def owners(paths: Sequence[str], name: str) -> set[int]:
    """Return the users, or groups, to which files and folders belong."""
    return {getattr(os.stat(path), name) for path in paths if os.path.exists(path)}


def running(user: int) -> int:
    """Return the number of a user's threads, which a limit counts too."""
    count = 0
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                if os.stat(f"/proc/{entry}").st_uid == user:
                    count += len(os.listdir(f"/proc/{entry}/task"))
            except OSError:
                continue  # it ended meanwhile
    return count


REASON_BYTES = 1000

OUTSIDE = "/etc/passwd"
"""A file that every process can read, except isolated players."""


def strongest(levels: Sequence[Level] = STRONGEST_FIRST) -> tuple[Level | None, dict[Level, str]]:
    """Return the first level that works here, and the reasons against those before it."""
    reasons: dict[Level, str] = {}
    for level in levels:
        reason = why_not(level)
        if not reason:
            return level, reasons
        reasons[level] = reason
    return None, reasons


def check_isolation(level: Level | None) -> Level:
    """Return the level that works here: the requested one, or else the strongest.

    Raises
    ------
    InvalidInput
        If it does not work here.
    """
    found, reasons = strongest(STRONGEST_FIRST if level is None else [level])
    if found is None:
        raise InvalidInput(no_isolation(reasons))
    return found


def no_isolation(reasons: Mapping[Level, str]) -> str:
    """Return the sentence on why other people's players cannot run here."""
    told = "; ".join(f"{level}: {reason}" for level, reason in reasons.items())
    return (
        f"players' files cannot be isolated here ({told}): 'ludograph doctor' tells what helps, "
        "and --isolation none runs those that you trust"
    )


def why_not(level: Level) -> str:
    """Return why a level does not work here; an empty text if it does.

    A forked process enters an empty sandbox, and then tries all actions that must fail there.
    """
    if not lists_children():
        return "this kernel does not list the children of processes, so players cannot be ended"
    if level is Level.NONE:
        return ""
    try:
        instructions = seccomp.program(level)
    except OSError as error:
        return str(error)
    if level is Level.BASIC and not landlock.version():
        return "this kernel has no Landlock, or it is switched off"
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        _say(write_end, lambda: _supervisor(level, instructions, write_end))
    os.close(write_end)
    with suppress(ChildProcessError):  # if children are reaped automatically
        os.waitpid(child, 0)
    with open(read_end, "rb") as file:  # it ends when all processes have ended
        said = file.read(REASON_BYTES).decode()
    return "" if said == "+" else said or "the process that tried it died"


def _say(descriptor: int, action: Callable[[], str]) -> None:
    """Write what an action returns or raises, and end this process."""
    try:
        told = action()
    except BaseException as error:  # noqa: BLE001  (it is the answer)
        told = str(error) or type(error).__name__
    os.write(descriptor, told.encode()[:REASON_BYTES])
    os._exit(0)


def _supervisor(level: Level, instructions: bytes, descriptor: int) -> str:
    sandbox = Sandbox(level, system(), instructions=instructions)
    sandbox.enter()
    child = sandbox.fork()
    if child == 0:
        _say(descriptor, lambda: _player(sandbox))
    sandbox.admit(child)
    os.waitpid(child, 0)
    return ""


def _player(sandbox: Sandbox) -> str:
    """Confine this process; return ``+`` if all forbidden actions fail."""
    sandbox.confine()
    with suppress(OSError), socket.socket():
        return "a socket can be opened"
    with suppress(OSError):
        os.close(os.open(OUTSIDE, os.O_RDONLY))
        return f"{OUTSIDE} can be read"
    with suppress(OSError):
        os.mkdir("/ludograph-trial")
        return "a folder can be made"
    return "+"
