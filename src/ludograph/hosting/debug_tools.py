"""A C player alone in a process under a debugger or a checker of memory.

The referee stays outside, so that the tool sees only the player and an interpreter that calls it.
If the tool is missing, a sentence names the package to install.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

from ludograph.errors import InvalidInput
from ludograph.games import Outcome, Position
from ludograph.hosting import script, supervised_command
from ludograph.hosting.c_sources import compiler_here, installed
from ludograph.hosting.channel import (
    ANSWER_LIMIT,
    Answer,
    Channel,
    ChannelClosed,
    ChannelGarbage,
    ends,
)
from ludograph.hosting.direct_player import DirectPlayer
from ludograph.hosting.exit_status import ending
from ludograph.players.forfeit import PlayerFault, Reason
from ludograph.players.spec import PlayerSpec

FOUND = 97
"""The exit code of a tool that has found something."""

PLAYER_FRAMES = Path(__file__).with_name("player_frames.gdb")
"""Makes gdb count the calls below those of the player; without Python, gdb shows them all."""

REPORT_SECONDS = 10.0
"""The time limit for the rest of a tool's report when its process has ended."""

INTERPRETER = ("*/python*", "*/libpython*", "*cpython-*.so", "*/ld-*.so*", "*/libffi*")
"""Objects of the interpreter and of the code that loads and calls players."""

KINDS = (
    "Cond",
    *(f"{kind}{n}" for kind in ("Value", "Addr") for n in (1, 2, 4, 8)),
)


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


class Tool(NamedTuple):
    """A program that runs a player's process.

    Attributes
    ----------
    command
        The words before the process's own command.
    environment
        Variables of the process.
    foreground
        Whether the tool uses the terminal: then only the tool gets Ctrl-C.
    report_option
        The option that takes the descriptor to which it writes its report; empty: it has none.
    """

    name: str
    command: tuple[str, ...] = ()
    environment: Mapping[str, str] = {}
    foreground: bool = False
    report_option: str = ""


def gdb(breakpoints: Sequence[str], interactive: bool) -> Tool:
    """Return gdb, which runs to the first breakpoint or crash and shows the active calls.

    Raises
    ------
    InvalidInput
        If it is not installed.
    """
    program = installed("gdb", "gdb")
    batch = () if interactive else ("-batch", "-return-child-result")
    told = [f"break {place}" for place in breakpoints]
    commands = ["set breakpoint pending on", "set confirm off", *told, "run", "backtrace 40"]
    words = ["-iex", "set auto-load python-scripts off", "-x", str(PLAYER_FRAMES)]
    words += [word for command in commands for word in ("-ex", command)]
    return Tool("gdb", (program, "-q", *batch, *words, "--args"), {}, interactive)


def valgrind(folder: Path) -> Tool:
    """Return valgrind, which checks every access to memory, and finds memory that was never freed.

    Parameters
    ----------
    folder
        For a file that valgrind reads.

    Raises
    ------
    InvalidInput
        If it is not installed.
    """
    program = installed("valgrind", "valgrind")
    passed_over = folder / "valgrind.supp"
    passed_over.write_text(suppressions())
    words = ["-q", "--leak-check=full", "--show-leak-kinds=all", "--num-callers=16"]
    words += ["--errors-for-leak-kinds=all", f"--error-exitcode={FOUND}"]
    words += [f"--suppressions={passed_over}"]
    variables = {"PYTHONMALLOC": "malloc"}
    return Tool("valgrind", (program, *words), variables, report_option="--log-fd")


CALL = re.compile(r"(==\d+==) +(at|by) 0x")
CALLS_PLAYERS = re.compile(r"_cffi_backend|libffi")


def without_interpreter(report: Iterable[str]) -> Iterator[str]:
    """Yield the lines of valgrind's report; calls below those of the player are left out.

    Examples
    --------
    >>> calls = ["==7==    at 0x1: play (bot.c:3)", "==7==    by 0x2: call (in /lib/libffi.so.8)"]
    >>> list(without_interpreter([*calls, "==7==    by 0x3: main (main.c:1)"]))[1:]
    ['==7==    (2 lines of calls of the interpreter are left out)\\n']
    """
    count, process = 0, ""
    for line in chain(report, [""]):
        call = CALL.match(line)
        if call and (count or CALLS_PLAYERS.search(line)):
            count, process = count + 1, call[1]
            continue
        if count:
            yield f"{process}    ({count} lines of calls of the interpreter are left out)\n"
            count = 0
        if line:
            yield line


def relay(reading: int) -> None:
    """Write a report that comes on a descriptor to this process's errors, until it ends."""
    with os.fdopen(reading, errors="replace") as report:
        for line in without_interpreter(report):
            sys.stderr.write(line)
            sys.stderr.flush()


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
    said = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    if not os.path.isabs(said):
        raise InvalidInput(f"{compiler} has no libasan.so (Debian package libasan8)")
    options = {"ASAN_OPTIONS": f"detect_leaks=0:print_legend=0:exitcode={FOUND}"}
    options |= {"UBSAN_OPTIONS": f"print_stacktrace=1:exitcode={FOUND}", "LD_PRELOAD": said}
    return Tool("AddressSanitizer", (), options)


class ToolPlayer(DirectPlayer):
    """A C library in a process under a tool, with the terminal of this one."""

    def __init__(self, spec: PlayerSpec, seed: int, tool: Tool) -> None:
        super().__init__(spec, seed)
        self.tool = tool
        self._process: subprocess.Popen[bytes] | None = None
        self._relay: Thread | None = None
        self._channel: Channel
        self._asked = 0
        self._over = False

    def prepare(self, needed: str, position: Position) -> None:  # noqa: ARG002
        """Start the process."""
        ours, theirs = ends()
        command = script("host", str(theirs.fileno()), needed)
        sys.stdout.flush()
        variables = {"PYTHONUNBUFFERED": "1", **self.tool.environment}
        self._process = self._started(command, variables, theirs.fileno())
        if self.tool.foreground:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        theirs.close()
        self._channel = Channel(ours, ANSWER_LIMIT, Answer)
        ready = self._received()
        if ready.broken:
            raise InvalidInput(ready.broken)

    def _started(
        self, command: Sequence[str], variables: Mapping[str, str], channel: int
    ) -> subprocess.Popen[bytes]:
        words = list(self.tool.command)
        if not self.tool.report_option:
            return supervised_command.started([*words, *command], variables, pass_fds=[channel])
        reading, writing = os.pipe()
        words.append(f"{self.tool.report_option}={writing}")
        try:
            process = supervised_command.started(
                [*words, *command], variables, pass_fds=[channel, writing]
            )
        finally:
            os.close(writing)
        self._relay = Thread(target=relay, args=[reading], daemon=True)
        self._relay.start()
        return process

    def _wait(self) -> int:
        """Return the exit code of the process, after all of the tool's report is written."""
        assert self._process is not None
        code = self._process.wait()
        if self._relay is not None:
            self._relay.join(REPORT_SECONDS)
        return code

    def begin(self, order: dict[str, Any]) -> str | None:
        """Start the player."""
        return self._told({"start": order}).name

    def ask(self, question: Any) -> Answer:
        """Ask the player."""
        return self._told({"play": question})

    def note(self) -> None:
        """Do nothing: the tool sees a crash itself."""

    def finish(self, outcome: Outcome | None) -> None:
        """End the game and the process; raise PlayerFault for what the tool has found."""
        process = self._process
        if self._over or process is None:
            return
        try:
            if process.poll() is None:
                self._told({"finish": self._dialogue.ending(outcome)})
        finally:
            self._channel.close()
            code = self._wait()
        if code == FOUND:
            raise PlayerFault(Reason.CRASH, f"{self.tool.name} has found errors")

    def _told(self, message: dict[str, Any]) -> Answer:
        self._asked += 1
        try:
            self._channel.send({"id": self._asked, **message})
        except ChannelClosed:
            raise self._ended() from None
        answer = self._received()
        if answer.fault:
            raise PlayerFault(Reason(answer.fault), answer.text, answer=answer.illegal)
        return answer

    def _received(self) -> Answer:
        try:
            answer: Answer = self._channel.receive()
        except ChannelClosed:
            raise self._ended() from None
        except ChannelGarbage as error:
            raise PlayerFault(Reason.PROTOCOL, str(error)) from None
        return answer

    def _ended(self) -> PlayerFault:
        self._over = True
        code = self._wait()
        if code == FOUND:
            return PlayerFault(Reason.CRASH, f"{self.tool.name} has found an error")
        if self.tool.name == "gdb":
            return PlayerFault(Reason.CRASH, "its process has ended in gdb")
        return PlayerFault(Reason.CRASH, f"its process {ending(code)}")

    def kill(self) -> None:
        """End the process, if it still runs."""
        if self._process is not None and self._process.poll() is None:
            supervised_command.end(self._process)
