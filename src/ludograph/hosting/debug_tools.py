"""A C player compiled for debugging, alone in a process under valgrind or AddressSanitizer.

The referee stays outside, so that the tool sees only the player and an interpreter that calls it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from ludograph.errors import InvalidInput
from ludograph.games import AnyGame, Outcome, Position
from ludograph.hosting.channel import Answer
from ludograph.hosting.compiler import (
    ASAN,
    DEBUG,
    HEADER,
    compilation,
    compiler_here,
    installed,
    library_of,
)
from ludograph.hosting.direct_player import DirectPlayer
from ludograph.hosting.foreign_player import HostConnection
from ludograph.hosting.host_process import HostProcess
from ludograph.hosting.sandboxed_command import Build
from ludograph.players.c_sources import sources_of
from ludograph.players.forfeit import PlayerFault, Reason
from ludograph.players.isolation import Isolation, Level
from ludograph.players.spec import PlayerSpec, parse_player

FOUND = 97
"""The exit code of a tool that has found something."""

UNLIMITED = 1e6
"""The seconds of a game without a limit."""

INTERPRETER = ("*/python*", "*/libpython*", "*cpython-*.so", "*/ld-*.so*", "*/libffi*")
"""Objects of the interpreter and of the code that loads and calls players."""

KINDS = (
    "Cond",
    *(f"{kind}{n}" for kind in ("Value", "Addr") for n in (1, 2, 4, 8)),
)

CALL = re.compile(r"(==\d+==)? +(at|by|#\d+) 0x")
"""The beginning of a line with a call, in a stack of a tool."""

CALLER = re.compile(r"_cffi_backend|libffi")
"""The innermost call of the interpreter, below those of the player."""


def own_player(
    player: str, game: AnyGame, folder: Path, tool: str | None = None, *, quiet: bool = False
) -> PlayerSpec:
    """Return the player of a name; its C sources are compiled into a folder first.

    The sources are one's own and may include files of all folders, so the compiler is not isolated
    from them. The first source gives the library its name.

    Parameters
    ----------
    tool
        ``asan``: they are compiled for AddressSanitizer.
    quiet
        Write no warnings of the compiler to standard error.

    Raises
    ------
    InvalidInput
        If the name is wrong; if the sources do not compile, with the first of the errors.
    """
    sources = sources_of(player)
    if not sources:
        return parse_player(player, game)
    interface = game.interop.library
    if interface is None:
        raise InvalidInput(f"player {player!r}: {game.name} has no C interface")
    for source in sources:
        if not os.path.isfile(source):
            raise InvalidInput(f"player {player!r}: {source} does not exist")
    # For a source without it in its folder.
    (folder / HEADER).write_text(interface.header, encoding="utf-8")
    flags = ASAN if tool == "asan" else DEBUG
    command = compilation(sources, Path.cwd(), flags=flags, headers=str(folder))
    built = Build(command, Isolation(Level.NONE)).awaited()
    if not quiet:
        sys.stderr.write(built.said)
    try:
        data = library_of(" ".join(sources), built)
    except InvalidInput as error:
        raise InvalidInput(f"player {player!r}: {error}") from None
    library = folder / f"{Path(sources[0]).stem}.so"
    library.write_bytes(data)
    return parse_player(str(library), game)


class Tool(NamedTuple):
    """A program that runs a player's process.

    Attributes
    ----------
    command
        The words before the process's own command.
    report
        The file to which it writes its report; None: it writes to standard error.
    """

    name: str
    command: tuple[str, ...]
    report: Path | None = None


def tool_for(name: str, spec: PlayerSpec, folder: Path) -> Tool:
    """Return the tool ``valgrind`` or ``asan`` for a C player."""
    return valgrind(folder) if name == "valgrind" else asan(spec)


def valgrind(folder: Path) -> Tool:
    """Return valgrind, which checks every access to memory, and finds memory that was never freed.

    Parameters
    ----------
    folder
        For a file that valgrind reads, and its report.

    Raises
    ------
    InvalidInput
        If it is not installed.
    """
    program = installed("valgrind", "valgrind")
    passed_over, report = folder / "valgrind.supp", folder / "valgrind.report"
    passed_over.write_text(suppressions(), encoding="utf-8")
    words = ["-q", "--leak-check=full", "--show-leak-kinds=all", "--num-callers=16"]
    words += ["--errors-for-leak-kinds=all", f"--error-exitcode={FOUND}"]
    words += [f"--suppressions={passed_over}", f"--log-file={report}"]
    return Tool("valgrind", ("env", "PYTHONMALLOC=malloc", program, *words), report)


def suppressions() -> str:
    """Return valgrind's suppressions: the interpreter's own errors, and its unfreed memory.

    An error is its own if it happens in its code; a loss, if it has asked for the memory.
    """
    parts = [
        f"{{\n  {kind}\n  Memcheck:{kind}\n  obj:{place}\n}}\n"
        for kind in KINDS
        for place in INTERPRETER
    ]
    parts += [
        f"{{\n  {function}\n  Memcheck:Leak\n  fun:{function}\n  obj:{place}\n}}\n"
        for function in ("malloc", "calloc", "realloc", "strdup")
        for place in (*INTERPRETER, "*/libc.so*")
    ]
    return "".join(parts)


def asan(spec: PlayerSpec) -> Tool:
    """Return AddressSanitizer, loaded first, for a player that is built with it.

    Raises
    ------
    InvalidInput
        If the player is not built with it, or it is not installed.
    """
    if b"__asan_init" not in Path(spec.target).read_bytes():
        raise InvalidInput(
            f"{spec.label} is not built with AddressSanitizer: give its .c file instead, or build "
            "it with -g -fsanitize=address"
        )
    compiler = compiler_here()
    asked = [compiler, "-print-file-name=libasan.so"]
    said = os.fsdecode(subprocess.run(asked, capture_output=True, check=False).stdout.strip())
    if not os.path.isabs(said):
        raise InvalidInput(f"{compiler} has no libasan.so (Debian package libasan8)")
    options = f"ASAN_OPTIONS=detect_leaks=0:print_legend=0:exitcode={FOUND}"
    of_undefined = f"UBSAN_OPTIONS=print_stacktrace=1:exitcode={FOUND}"
    return Tool("AddressSanitizer", ("env", options, of_undefined, f"LD_PRELOAD={said}"))


def without_interpreter(tell: Callable[[str], None]) -> Callable[[str], None]:
    """Return a function that passes lines on, without the interpreter's calls in each stack."""
    inside = False

    def hear(line: str) -> None:
        nonlocal inside
        before, call = inside, CALL.match(line)
        inside = call is not None and (inside or CALLER.search(line) is not None)
        if call is None or not inside:
            tell(line)
        elif not before:
            tell(f"{line[: call.start(2)]}   calls of the interpreter")

    return hear


class ToolPlayer(DirectPlayer):
    """A C library in a process under a tool.

    Parameters
    ----------
    seconds
        The time limit of the whole game.
    tell
        Called with each line that the player and the tool print; None: they are dropped.
    """

    def __init__(
        self,
        spec: PlayerSpec,
        seed: int,
        tool: Tool,
        seconds: float = UNLIMITED,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(spec, seed)
        self.tool = tool
        self._end = time.monotonic() + seconds
        self._host = HostProcess(spec, Isolation(Level.NONE, sys.maxsize), command=tool.command)
        self._host.listener = tell and without_interpreter(tell)
        self._connection = HostConnection(self._host)

    def prepare(self, needed: str, position: Position) -> None:  # noqa: ARG002
        """Start the process."""
        self._host.launch(position.game)
        self._host.await_host(self._left())

    def begin(self, order: dict[str, Any]) -> str | None:
        """Start the player."""
        return self._told({"start": order}, Reason.NO_START).name

    def ask(self, question: Any) -> Answer:
        """Ask the player."""
        return self._told({"play": question}, Reason.CRASH)

    def note(self) -> None:
        """Do nothing: the tool sees a crash itself."""

    def finish(self, outcome: Outcome | None) -> None:
        """End the game and the process; raise PlayerFault for what the tool has found."""
        if not self._host.runs:
            return
        try:
            self._told({"finish": self._dialogue.ending(outcome)}, Reason.CRASH)
            self._host.channel.close()  # then its process ends, and the tool reports
            self._host.hear_report(self._left())
        finally:
            self.kill()
        if self._has_found():
            raise PlayerFault(Reason.CRASH, f"{self.tool.name} has found errors")

    def _told(self, message: dict[str, Any], otherwise: Reason) -> Answer:
        try:
            return self._connection.ask(message, self._left(), otherwise)
        except PlayerFault as fault:
            found = f"{self.tool.name} has found an error"
            told = found if self._has_found() else fault.message
            raise PlayerFault(fault.reason, told, answer=fault.answer) from None

    def _has_found(self) -> bool:
        report = self._host.report
        return report is not None and os.waitstatus_to_exitcode(report.status) == FOUND

    def report(self) -> str:
        """Return what the tool has written, after the end of the process."""
        file = self.tool.report
        if file is None:
            return self._host.log()
        kept: list[str] = []
        hear = without_interpreter(kept.append)
        for line in file.read_text("utf-8", "replace").splitlines() if file.exists() else ():
            hear(line)
        return "".join(f"{line}\n" for line in kept)

    def _left(self) -> float:
        return max(0.0, self._end - time.monotonic())

    def kill(self) -> None:
        """End the process, if it still runs."""
        self._connection.kill()
