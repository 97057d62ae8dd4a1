"""``ludograph doctor``: a check of this machine for missing tools, each by trying it."""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import shutil
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import click

from ludograph.cli.program import Command
from ludograph.cli.shared_options import AS_JSON
from ludograph.cli.texts import show_json
from ludograph.hosting.sandbox import control_group
from ludograph.version import VERSION

EPILOG = """\
Examples:
  ludograph doctor          tools that are installed, and tools that are missing
  ludograph doctor --json   the same for programs
"""


@click.command("doctor", cls=Command, epilog=EPILOG)
@AS_JSON
def doctor(as_json: bool) -> None:
    """Check this machine for missing tools, and say how to get them.

    It checks the isolation of players' files, the C compiler, the GNU Scientific Library, and the
    folder of compiled rules.
    """
    checks = findings()
    if as_json:
        each = {
            one.name: {"found": bool(one.state), "state": one.state, "advice": one.advice}
            for one in checks
        }
        show_json(each)
        return
    size = max(len(one.name) for one in checks)
    for one in checks:
        click.echo(f"{one.name:<{size}}  {one.state or 'not found'}")
        if one.advice:
            click.echo(f"{'':<{size}}  -> {one.advice}")


class Check(NamedTuple):
    """The result of one check.

    Attributes
    ----------
    state
        The version or the state of the tool; empty if it is missing.
    advice
        How to get what is missing; empty if nothing is missing.
    """

    name: str
    state: str
    advice: str = ""


def findings() -> list[Check]:
    """Make all checks."""
    return [
        python(),
        isolation(),
        control_groups(),
        memory(),
        shared_limits(),
        compiler(),
        gsl(),
        kernels(),
    ]


def python() -> Check:
    """Return the versions of Ludograph and Python, and the number of cores."""
    cores = len(os.sched_getaffinity(0))
    return Check(
        "ludograph", f"{VERSION}, Python {platform.python_version()}, {cores} cores available"
    )


def isolation() -> Check:
    """Return the strongest level of isolation on this machine, and why stronger ones fail."""
    from ludograph.hosting.sandbox.sandbox import strongest

    level, reasons = strongest()
    missing = "; ".join(f"no {lacking}: {reason}" for lacking, reason in reasons.items())
    state = "" if level is None else f"{level}" + (f" ({missing})" if missing else "")
    advice = "; ".join(obstacles()) if reasons else ""
    if reasons and not advice:
        advice = missing + "; a container must be started with user namespaces allowed"
    return Check("isolation", state, advice)


def control_groups() -> Check:
    """Return whether players have control groups, and how the kernel limits them there."""
    folder = control_group.place()
    name, how = "control groups", "in a unit with Delegate=yes and DelegateSubgroup=main"
    if not folder:
        return Check(
            name, "", f"to let the kernel freeze players between their moves, start Ludograph {how}"
        )
    if control_group.hands_memory_on(folder):
        return Check(name, f"players are frozen and their memory is limited, in {folder}")
    return Check(
        name,
        f"players are frozen and their memory is measured, in {folder}",
        f"to let the kernel limit their memory, start Ludograph {how}, with control groups of "
        "version 2",
    )


def memory() -> Check:
    """Return the limits on the memory of players, and the memory that they do not cover."""
    folder = control_group.place()
    if folder and control_group.hands_memory_on(folder):
        return Check("memory", "the kernel limits the whole memory of a player")
    counted = "pages, page tables, mappings, open files, sockets, waiting events (epoll)"
    return Check(
        "memory",
        f"counted for each player: {counted}",
        "the first 64 MiB in pipes and, without isolation, all other memory of the kernel are not "
        "counted: only a control group with a memory controller limits them",
    )


def shared_limits() -> Check:
    """Return what the kernel limits for all players of a user together.

    A player may use up what another one needs. The referee needs none of it but processes, and a
    game for which there are none is void.
    """
    limits = {
        "processes": resource.getrlimit(resource.RLIMIT_NPROC)[0],
        "waiting signals and timers": resource.getrlimit(resource.RLIMIT_SIGPENDING)[0],
    }
    for name, path in {
        "waiting events (epoll)": "fs/epoll/max_user_watches",
        "pages of full pipes": "fs/pipe-user-pages-soft",
    }.items():
        with suppress(OSError):  # a kernel may lack it
            limits[name] = int(Path("/proc/sys", path).read_text(encoding="ascii"))
    most = {name: most for name, most in limits.items() if most != resource.RLIM_INFINITY}
    shared = ", ".join(f"{count} {name}" for name, count in most.items())
    return Check("shared limits", f"all players of a user together may have {shared}")


SWITCHES = {
    "kernel/unprivileged_userns_clone": "0",
    "kernel/apparmor_restrict_unprivileged_userns": "1",
    "user/max_user_namespaces": "0",
}
"""Settings of the system, each with the value that forbids user namespaces."""


def obstacles(settings: Path = Path("/proc/sys")) -> list[str]:
    """Return the commands that remove known obstacles to isolation."""
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
    """Return the C compiler, for players in C."""
    from ludograph.hosting.compiler import compiler_version

    name = os.environ.get("CC", "gcc")
    path = shutil.which(name)
    version = compiler_version(path).partition("\n")[0] if path else ""
    advice = "" if version else "to write players in C: apt-get install gcc libc6-dev"
    return Check("C compiler", version, advice)


def gsl() -> Check:
    """Return the GNU Scientific Library, which C players of the courses use."""
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
    raise OSError("libgsl is not installed")


NOT_FOR_THIS = (
    "those in the package are for another processor, or for other versions of Python, Numba, "
    "llvmlite and NumPy: rules are compiled instead"
)


def kernels() -> Check:
    """Return the folder of compiled rules, and whether it can be written to."""
    from ludograph.rules import cache, precompiled
    from ludograph.rules._numba.compiler import can_use_precompiled

    folder = cache.folder()
    if not cache.can_keep():
        advice = f"all rules are compiled again each time: {cache.VARIABLE} names another folder"
        return Check("compiled rules", "", f"{folder} cannot be written to; {advice}")
    sizes = cache.sizes()
    found = f"{len(sizes)} kernels, {sum(sizes) / (1 << 20):.0f} MiB, in {folder}"
    advice = "" if sizes else "'ludograph warm-up' compiles all of them now"
    if came := len(list(precompiled.FOLDER.glob(f"*{cache.SUFFIX}"))):
        found += f"; {came} in the package"
        advice = "" if can_use_precompiled() else NOT_FOR_THIS
    return Check("compiled rules", found, advice)
