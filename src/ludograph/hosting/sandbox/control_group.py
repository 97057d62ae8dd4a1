"""Control groups: the kernel freezes, ends and limits all of a player's processes.

All processes that a player starts stay in the player's group, in any session and below any parent,
so no search is needed. A group is made where this process may write in the tree of version 2: below
its own group, or beside it if systemd has delegated the one above. Only in the second case can
memory be limited, and the processors be shared by groups, too: the kernel gives controllers only to
the children of groups without processes.

See the kernel's documentation, "Control Group v2", and systemd's on delegation.
"""

from __future__ import annotations

import errno
import functools
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from ludograph.hosting.sandbox.syscalls import fork_into

VARIABLE = "LUDOGRAPH_CONTROL_GROUP"
"""The variable with the folder of the group below which players' are made, ``none`` for none."""

NAME = "ludograph-"
ORDINARY_WEIGHT, HIGHEST_WEIGHT = 100, 10_000
"""Shares of the processors: that of a new group, and the greatest one."""

GONE = (errno.ENODEV, errno.ENOENT)
STALE_SECONDS = 60.0
"""Seconds after which an empty group counts as left over."""

PAGE = 4096
"""The bytes of one reading from the kernel: the numbers of five hundred threads and more."""

REMOVALS = 20
"""The number of tries to remove a group, whose last process may be about to leave it."""


def place() -> str:
    """Return the folder in which groups can be made; empty if there is none."""
    return _place(os.environ.get(VARIABLE, ""))


@functools.cache
def _place(wanted: str) -> str:
    if wanted == "none":
        return ""
    usable = [folder for folder in ([wanted] if wanted else candidates()) if can_hold(folder)]
    found = ""
    for folder in usable:
        remove_stale(folder)
        found = found or folder
        if hands_memory_on(folder):
            found = folder
            break
    if found:
        share_processors(found, next(candidates(), ""))
    return found


def candidates() -> Iterator[str]:
    """Yield this process's own group, and the one above it if that is delegated."""
    own = lines_of("/proc/self/cgroup", "0::")
    if not own:
        return
    group = own[0][len("0::") :].strip()
    for line in lines_of("/proc/self/mountinfo"):
        fields, _, system = line.partition(" - ")
        root, point = fields.split()[3:5]
        inside = os.path.relpath(group, root)
        outside = any(path.startswith(("/..", "..")) for path in (group, root, inside))
        if system.startswith("cgroup2 ") and not outside:
            folder = os.path.normpath(os.path.join(point, inside))
            yield folder
            if folder != point and is_delegated(os.path.dirname(folder)):
                yield os.path.dirname(folder)
            return


def lines_of(path: str, prefix: str = "") -> list[str]:
    """Return the lines of a file that begin with ``prefix``; none if it cannot be read."""
    try:
        lines = Path(path).read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return []
    return [line for line in lines if line.startswith(prefix)]


def is_delegated(folder: str) -> bool:
    """Tell whether systemd has delegated a group, and all below, to its processes."""
    try:
        return os.getxattr(folder, "user.delegate") == b"1"
    except OSError:
        return False


def can_hold(folder: str) -> bool:
    """Tell whether groups can be made in a folder, frozen, and processes put into them."""
    trial = f"{folder}/{NAME}{secrets.token_hex(8)}"
    try:
        os.mkdir(trial)
    except OSError:
        return False
    there = os.path.exists(f"{trial}/cgroup.freeze") and os.access(
        f"{folder}/cgroup.procs", os.W_OK
    )
    os.rmdir(trial)
    return there


def hands_memory_on(folder: str) -> bool:
    """Tell whether the memory of groups in a folder can be limited; enable that if needed."""
    switch = f"{folder}/cgroup.subtree_control"
    if "memory" not in words_of(switch) and "memory" in words_of(f"{folder}/cgroup.controllers"):
        with suppress(OSError):  # fails if this group itself has processes
            Path(switch).write_text("+memory", encoding="ascii")
    return "memory" in words_of(switch)


def share_processors(folder: str, own: str) -> None:
    """Give all groups in a folder an equal share of the processors, whatever they start.

    Without that a player with many threads would slow down other games: within a group the kernel
    shares the processors by threads.

    Parameters
    ----------
    own
        The folder of this process's own group. If it is one of them, or below one, that one gets
        the share of one thread on each processor, for the games in this process and its workers.
    """
    switch = f"{folder}/cgroup.subtree_control"
    if "cpu" not in words_of(switch):
        is_root = not os.path.exists(f"{folder}/cgroup.type")  # its children are not ours
        if is_root or "cpu" not in words_of(f"{folder}/cgroup.controllers"):
            return
        try:
            Path(switch).write_text("+cpu", encoding="ascii")
        except OSError:  # this group itself has processes, or there are real-time ones
            return
    first, _, _ = own.removeprefix(f"{os.path.normpath(folder)}/").partition("/")
    if first:  # an absolute path begins with a slash
        share = min(HIGHEST_WEIGHT, ORDINARY_WEIGHT * len(os.sched_getaffinity(0)))
        try:
            Path(folder, first, "cpu.weight").write_text(str(share), encoding="ascii")
        except OSError:  # then it would have as little as one player
            with suppress(OSError):
                Path(switch).write_text("-cpu", encoding="ascii")


def words_of(path: str) -> list[str]:
    """Return the words of a file; none if it cannot be read."""
    return " ".join(lines_of(path)).split()


def remove_stale(folder: str) -> None:
    """Remove the groups left by processes that were killed."""
    with suppress(OSError):
        for entry in list(os.scandir(folder)):
            if entry.name.startswith(NAME):
                with suppress(OSError):  # it has processes, or another owner
                    if time.time() - entry.stat().st_mtime > STALE_SECONDS:
                        os.rmdir(entry.path)


class ControlGroup:
    """A group, for the process that has made it or has received its folder.

    Parameters
    ----------
    folder
        A descriptor of its folder, closed by :meth:`close`.
    name
        The name of the folder.
    """

    def __init__(self, folder: int, name: str) -> None:
        self.folder, self.name = folder, name
        self._switch = self._count = self._members = -1

    @classmethod
    def make(cls, place: str) -> ControlGroup | None:
        """Make a group in a folder; None if that fails, or if there is no folder."""
        name = NAME + secrets.token_hex(8)
        try:
            if not place:
                return None
            os.mkdir(f"{place}/{name}")
            return cls(
                os.open(f"{place}/{name}", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC), name
            )
        except OSError:
            return None

    @classmethod
    def given(cls, folder: int) -> ControlGroup:
        """Return the group of a descriptor that came from another process."""
        return cls(folder, os.path.basename(os.readlink(f"/proc/self/fd/{folder}")))

    def fork(self) -> int:
        """Fork a process in the group; raise OSError, without a fork, if that fails."""
        return fork_into(self.folder)

    def admit(self, process: int) -> bool:
        """Put a process into the group; return False if that fails."""
        return self._write("cgroup.procs", str(process))

    def limit(self, memory: int) -> bool:
        """Make the kernel end all processes when they use more bytes; False if it cannot."""
        self._write("memory.oom.group", "1")
        self._write("memory.swap.max", "0")
        return self._write("memory.max", str(memory))

    def ran_out(self) -> bool:
        """Tell whether the kernel has ended a process because of the memory limit."""
        counts = dict(zip(*[iter(self._read("memory.events").split())] * 2, strict=False))
        return int(counts.get("oom_kill", 0)) > 0

    def most(self) -> int:
        """Return the most bytes in use at a time; 0 if this kernel does not report it."""
        return int(self._read("memory.peak") or 0)

    def ran(self) -> float | None:
        """Return the processor seconds of all, the dead included; None if not reported: cheap.

        It is the kernel's first line, and does not depend on controllers.
        """
        try:
            if self._count < 0:
                self._count = self._open("cpu.stat", os.O_RDONLY)
            name, microseconds = os.pread(self._count, 64, 0).split(None, 2)[:2]
        except (OSError, ValueError):
            return None
        return int(microseconds) * 1e-6 if name == b"usage_usec" else None

    def threads(self) -> bytes:
        """Return the numbers of its living threads in this namespace: cheap.

        There may be more of them if the result fills half a :data:`PAGE` or more.
        """
        try:
            if self._members < 0:
                self._members = self._open("cgroup.threads", os.O_RDONLY)
            return os.pread(self._members, PAGE, 0)
        except OSError:
            return b""

    def freeze(self) -> None:
        """Stop all of its processes, and those that they are about to start."""
        self._switch_to(b"1")

    def thaw(self) -> None:
        """Let them run again."""
        self._switch_to(b"0")

    def _switch_to(self, state: bytes) -> None:
        try:
            if self._switch < 0:
                self._switch = self._open("cgroup.freeze", os.O_WRONLY)
            os.pwrite(self._switch, state, 0)
        except OSError as error:
            if error.errno not in GONE:  # the group is gone with its processes
                raise

    def kill(self) -> bool:
        """Kill all of its processes at once; return False if this kernel cannot."""
        return self._write("cgroup.kill", "1")

    def remove(self) -> None:
        """Remove the group, whose processes are dead."""
        for _ in range(REMOVALS):
            try:
                os.rmdir(f"../{self.name}", dir_fd=self.folder)
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(0.001)
            else:
                return

    def close(self) -> None:
        """Close the descriptors; safe to call again."""
        for descriptor in (self.folder, self._switch, self._count, self._members):
            if descriptor >= 0:
                os.close(descriptor)
        self.folder = self._switch = self._count = self._members = -1

    def _open(self, name: str, flags: int) -> int:
        return os.open(name, flags | os.O_CLOEXEC, dir_fd=self.folder)

    def _write(self, name: str, text: str) -> bool:
        try:
            descriptor = self._open(name, os.O_WRONLY)
        except OSError:
            return False
        try:
            os.write(descriptor, text.encode())
        except OSError:
            return False
        finally:
            os.close(descriptor)
        return True

    def _read(self, name: str) -> str:
        try:
            descriptor = self._open(name, os.O_RDONLY)
        except OSError:
            return ""
        with open(descriptor, encoding="ascii") as file:
            return file.read()
