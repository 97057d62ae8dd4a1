"""``ludograph doctor``: a check of this machine for missing tools, each by trying it."""

from __future__ import annotations

import ctypes
import json
import os
import platform
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import click

from ludograph.cli.program import Command, option
from ludograph.players.isolation import control_group, unix_sockets
from ludograph.version import VERSION

EPILOG = """\
Examples:
  ludograph doctor          what there is, and what is missing
  ludograph doctor --json   the same for programs
"""


@click.command("doctor", cls=Command, epilog=EPILOG, short_help="Tell what this machine lacks.")
@option("Output", "--json", "as_json", is_flag=True, help="Write one JSON object.")
def doctor(as_json: bool) -> None:
    """Try what Ludograph can use of this machine, and tell what would give more.

    How far players' files can be isolated, the C compiler and the GNU Scientific Library, the
    folder of compiled rules, a GPU.
    """
    found = findings()
    if as_json:
        each = {
            one.name: {"found": bool(one.state), "state": one.state, "advice": one.advice}
            for one in found
        }
        click.echo(json.dumps(each, ensure_ascii=False))
        return
    size = max(len(one.name) for one in found)
    for one in found:
        click.echo(f"{one.name:<{size}}  {one.state or 'not found'}")
        if one.advice:
            click.echo(f"{'':<{size}}  -> {one.advice}")


SECONDS = 10.0
"""For a program that is asked what it is."""


class Check(NamedTuple):
    """One thing that was looked at.

    Attributes
    ----------
    state
        What there is; an empty text if it is not there.
    advice
        What would give more; empty if nothing is missing.
    """

    name: str
    state: str
    advice: str = ""


def findings() -> list[Check]:
    """Look at all."""
    return [python(), isolation(), control_groups(), memory(), compiler(), gsl(), kernels(), gpu()]


def python() -> Check:
    """Return which Python runs, on how many cores."""
    cores = len(os.sched_getaffinity(0))
    return Check(
        "ludograph", f"{VERSION}, Python {platform.python_version()}, {cores} cores for it"
    )


def isolation() -> Check:
    """Return the strongest level of isolation that holds, and what stands against a better one."""
    from ludograph.players.isolation.trial import strongest

    level, reasons = strongest()
    told = "; ".join(f"no {lacking}: {reason}" for lacking, reason in reasons.items())
    state = "" if level is None else f"{level}" + (f" ({told})" if told else "")
    advice = "; ".join(obstacles()) if reasons else ""
    if reasons and not advice:
        advice = told + "; in a container the one who starts it must allow user namespaces"
    return Check("isolation", state, advice)


def control_groups() -> Check:
    """Return what the kernel does for the isolation of players where they have control groups."""
    folder = control_group.place()
    name, how = "control groups", "in a unit with Delegate=yes and DelegateSubgroup=main"
    if not folder:
        return Check(name, "", f"the kernel freezes players between their moves {how}")
    if control_group.hands_memory_on(folder):
        return Check(name, f"players are frozen, their memory limited, in {folder}")
    return Check(
        name,
        f"players are frozen, their memory watched, in {folder}",
        f"the kernel limits their memory {how}, if it is not in the tree of version 1",
    )


def memory() -> Check:
    """Return how the memory of players is bounded, and what is not."""
    folder = control_group.place()
    if folder and control_group.hands_memory_on(folder):
        return Check("memory", "the kernel limits all that a player holds")
    counted = ["pages", "page tables", "open files", "locks"]
    not_counted = ["mappings without pages", "waiting events (epoll, inotify)"]
    sockets = "data in local sockets"
    (counted if unix_sockets.works() else not_counted).append(sockets)
    return Check(
        "memory",
        f"what players hold is counted: {', '.join(counted)}",
        f"the kernel's memory for {', '.join(not_counted)} is not counted: "
        "only a control group with a memory controller limits it",
    )


SWITCHES = {
    "kernel/unprivileged_userns_clone": "0",
    "kernel/apparmor_restrict_unprivileged_userns": "1",
    "user/max_user_namespaces": "0",
}
"""Settings of the system that forbid user namespaces, with the value that does."""


def obstacles(settings: Path = Path("/proc/sys")) -> list[str]:
    """Return what is known to forbid isolation, each with how to change it."""
    found = []
    for name, value in SWITCHES.items():
        path = settings / name
        if path.is_file() and path.read_text(encoding="ascii").strip() == value:
            wanted = {"0": "1", "1": "0"}[value] if "max" not in name else "10000"
            found.append(f"sudo sysctl {name.replace('/', '.')}={wanted}")
    try:
        ctypes.CDLL("libseccomp.so.2")
    except OSError:
        found.append("install libseccomp (Debian package libseccomp2)")
    return found


def compiler() -> Check:
    """Return the C compiler, which players in C are made by."""
    name = os.environ.get("CC", "gcc")
    path = shutil.which(name)
    said = said_by(path, "--version").partition("\n")[0] if path else ""
    advice = "" if said else "to write players in C: apt-get install gcc libc6-dev"
    return Check("C compiler", said, advice)


def gsl() -> Check:
    """Return whether the library is there that graphs of the courses' C players are made with."""
    try:
        version = ctypes.c_char_p.in_dll(ctypes.CDLL(_gsl_name()), "gsl_version").value or b""
    except (OSError, ValueError):
        return Check("GSL", "", "for C players of the courses: apt-get install libgsl-dev")
    headers = shutil.which("gsl-config") is not None
    advice = "" if headers else "to compile such players: apt-get install libgsl-dev"
    return Check("GSL", version.decode() + ("" if headers else ", without headers"), advice)


def _gsl_name() -> str:
    for name in ("libgsl.so.27", "libgsl.so.28", "libgsl.so.25", "libgsl.so"):
        try:
            ctypes.CDLL("libgslcblas.so.0", mode=ctypes.RTLD_GLOBAL)
            ctypes.CDLL(name)
        except OSError:
            continue
        return name
    raise OSError("libgsl is not there")


def kernels() -> Check:
    """Return the folder of compiled rules, and whether it can be written to."""
    from ludograph.rules import cache

    folder = cache.folder()
    if not cache.can_keep():
        advice = f"all rules are compiled anew each time: {cache.VARIABLE} names another folder"
        return Check("compiled rules", "", f"{folder} cannot be written to; {advice}")
    files = list(folder.glob(f"*{cache.SUFFIX}"))
    size = sum(file.stat().st_size for file in files) / (1 << 20)
    return Check(
        "compiled rules",
        f"{len(files)} kernels, {size:.0f} MiB, in {folder}",
        "" if files else "'ludograph warm-up' compiles all of them now",
    )


def gpu() -> Check:
    """Return the GPUs; nothing of Ludograph needs one."""
    path = shutil.which("nvidia-smi")
    said = said_by(path, "-L") if path else ""
    names = [line.partition(": ")[2].partition(" (")[0] for line in said.splitlines()]
    return Check("GPU", ", ".join(filter(None, names)) or "none; nothing needs one")


def said_by(program: str, *arguments: str) -> str:
    """Return what a program writes; nothing if it fails."""
    try:
        done = subprocess.run(
            [program, *arguments],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
