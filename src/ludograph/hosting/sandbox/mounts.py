"""The mounts of an isolated player: the system, Python, and its own folder.

Everything is read-only. Under ``strict`` other files do not exist in the player's own mount
namespace; under ``basic`` Landlock allows it to open only the same list.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from ludograph.hosting.sandbox.syscalls import MOUNT_SETATTR, call, system_call

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
MNT_DETACH = 2
AT_FDCWD, AT_RECURSIVE = -100, 0x8000
ATTRIBUTES = struct.Struct("<QQQQ")  # struct mount_attr: set, clear, propagation, userns

DEVICES = ("/dev/null", "/dev/full", "/dev/random", "/dev/urandom")
ZEROS = "/dev/zero"
"""A device that a player may only read: a writable shared mapping of it would be memory that is
resident in no process after it is unmapped."""

MASKED = (
    "config.gz",
    "iomem",
    "ioports",
    "kallsyms",
    "kcore",
    "key-users",
    "keys",
    "kmsg",
    "kpagecgroup",
    "kpagecount",
    "kpageflags",
    "modules",
    "pagetypeinfo",
    "sched_debug",
    "slabinfo",
    "sysrq-trigger",
    "timer_list",
    "vmallocinfo",
)
"""Files of ``/proc`` that are empty for a player: they show or change the kernel's internals."""

OLD = "/.old-root-of-the-machine"
"""The place of the machine's root while the new one is made."""

SCRATCH = ("/tmp", "/dev/shm")
SCRATCH_BYTES = 64 << 20
SCRATCH_FILES = 1 << 14


@dataclass(frozen=True, slots=True)
class Mounts:
    """The files that a player sees.

    Attributes
    ----------
    paths
        Folders and files, none inside another, without symbolic links on the way. A folder with a
        slash at its end contains only the other paths below it.
    folder
        Its working folder, which may be missing in ``paths``.
    """

    paths: Sequence[str]
    folder: str = "/"

    def make(self) -> None:
        """Make these files the root of this process, which has its own mount namespace."""
        os.umask(0o022)
        call("mount", None, b"/", None, ctypes.c_ulong(MS_REC | MS_PRIVATE), None)
        mount("tmpfs", "/tmp", MS_NOSUID | MS_NODEV, "mode=755,size=1m")
        os.chdir("/tmp")
        os.mkdir(f".{OLD}")
        call("pivot_root", b".", f".{OLD}".encode())
        os.chdir("/")
        os.makedirs("/proc")
        mount("proc", "/proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
        for path in DEVICES:
            show(path, device=True)
        show("/dev/full", ZEROS, device=True)  # the same to a reader, and it cannot be mapped
        for name in MASKED:
            if os.path.exists(f"/proc/{name}"):
                show("/dev/null", f"/proc/{name}", device=True)
        for path in SCRATCH:
            os.makedirs(path, exist_ok=True)
            limits = f"size={SCRATCH_BYTES},nr_inodes={SCRATCH_FILES}"
            mount("tmpfs", path, MS_NOSUID | MS_NODEV, f"mode=1777,{limits}")
        for name, target in (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")):
            os.symlink(f"/proc/self/fd{target}", f"/dev/{name}")
        for path in self.paths:
            show(path)
        with suppress(OSError):  # it cannot be made there, or cannot be entered
            os.makedirs(self.folder, exist_ok=True)
        call("umount2", OLD.encode(), MNT_DETACH)
        os.rmdir(OLD)
        set_attributes("/", MS_RDONLY, recursive=False)
        with suppress(OSError):
            os.chdir(self.folder)


def freeze_proc() -> None:
    """Make ``/proc`` read-only in this mount namespace, for the player too.

    Otherwise a player could tell the kernel to end other processes before its own.
    """
    set_attributes("/proc", MS_RDONLY, recursive=False)


def show(source: str, path: str = "", *, device: bool = False) -> None:
    """Mount a file or folder of the old root in the new one, read-only; copy a link.

    Parameters
    ----------
    path
        Its path in the new root, if it differs.
    """
    old = f"{OLD}{source}"
    path = path or source
    if source.endswith("/"):
        os.makedirs(path, exist_ok=True)
        return
    if os.path.islink(old):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.symlink(os.readlink(old), path)
        return
    if os.path.isdir(old):
        os.makedirs(path, exist_ok=True)
    elif os.path.exists(old):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
    else:
        return
    flags = ctypes.c_ulong(MS_BIND | MS_REC)
    call("mount", os.fsencode(old), os.fsencode(path), None, flags, None)
    if not device:
        set_attributes(path, MS_RDONLY | MS_NOSUID | MS_NODEV)


def mount(kind: str, path: str, flags: int, data: str = "") -> None:
    """Mount a file system of a kind."""
    name = kind.encode()
    call("mount", name, os.fsencode(path), name, ctypes.c_ulong(flags), data.encode())


def set_attributes(path: str, attributes: int, *, recursive: bool = True) -> None:
    """Add attributes to the mount at a path, and to those below."""
    wanted = ATTRIBUTES.pack(attributes, 0, 0, 0)
    flags = AT_RECURSIVE if recursive else 0
    place = ctypes.c_char_p(os.fsencode(path))
    size = ATTRIBUTES.size
    system_call("mount_setattr", MOUNT_SETATTR, AT_FDCWD, place, flags, wanted, size)
