"""Where a player's process was when it crashed, or when its time was over.

A C player has a page that outlives its process: the supervisor shares it. The host writes there the
name of each function of the interface that it calls; when a signal is about to end the process, a
handler adds the signal and the addresses on the stack. The referee gets the page from the
supervisor and looks the addresses up, only after a crash. The report contains only observed facts.
The host of a C player imports this module: valgrind blames the player for what OpenSSL never frees.

A player whose time is over is asked by the signal ``ASK``, which ends its process: a C player notes
its active calls in its page first, a Python player prints them (``faulthandler``). The referee
waits for that at most ``ASK_SECONDS``, and no verdict depends on it. A fatal signal, such as
``SIGSEGV`` in the machine code of a Python player, does the same.
"""

from __future__ import annotations

import ctypes
import faulthandler
import mmap
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

from ludograph.formatting import one_line

ASK = signal.SIGUSR2
"""A signal that ends a process without a handler, and leaves no core file."""

ASK_SECONDS = 0.008
"""The seconds by which the question may delay the end of a process."""

FRAMES = 160
"""The number of stored addresses, from the innermost on: an endless recursion has more."""

HANDLER_STACK = 1 << 18
"""The size of the handler's own stack in bytes, needed after a stack overflow."""

HANDLER_SECONDS = 1
"""The time limit of the handler in seconds: the memory of its process may be damaged."""

LOOKUP_SECONDS = 3.0
"""The time limit of the look-up of addresses: most take a hundredth of it."""

FATAL = (signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGABRT)

ENDING = (*FATAL, ASK)

NOTED = (*ENDING, signal.SIGINT)

TRAMPOLINES = (
    bytes.fromhex("48c7c00f0000000f05"),  # x86-64: mov $15, %rax; syscall
    bytes.fromhex("681180d2010000d4"),  # AArch64: mov x8, #139; svc #0
)
"""The code that a signal's handler returns to: the next address on the stack was interrupted."""

SA_ONSTACK = 0x08000000

PAGE = mmap.PAGESIZE


class Page(ctypes.Structure):
    """The contents of the page.

    Attributes
    ----------
    function
        The function of the interface that is running.
    signal
        The signal received, 0 if none.
    process
        The process that received it: forked processes of the player share the page.
    low, high
        The addresses of the player's library in memory.
    modified, size
        The time and the size of its file when it was loaded.
    interrupted
        The index of the frame of the failed instruction.
    ply
        The ply of the present question, if the caller of the player notes it.
    """

    _fields_ = (
        ("function", ctypes.c_char * 64),
        ("signal", ctypes.c_int),
        ("process", ctypes.c_int),
        ("count", ctypes.c_int),
        ("interrupted", ctypes.c_int),
        ("ply", ctypes.c_int),
        ("low", ctypes.c_uint64),
        ("high", ctypes.c_uint64),
        ("modified", ctypes.c_int64),
        ("size", ctypes.c_int64),
        ("frames", ctypes.c_uint64 * FRAMES),
    )


class _Stack(ctypes.Structure):
    """``stack_t``."""

    _fields_ = (("sp", ctypes.c_void_p), ("flags", ctypes.c_int), ("size", ctypes.c_size_t))


class _Action(ctypes.Structure):
    """``struct sigaction``, as glibc and musl have it on 64-bit machines."""

    _fields_ = (
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_ubyte * 128),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


class CrashReporter:
    """The page, written by the player's process.

    Attributes
    ----------
    interruptible
        Whether Ctrl-C ends the process at once while a function runs, as a fatal signal does: the
        interpreter would wait for its return.
    """

    def __init__(self) -> None:
        self.interruptible = self._watching = False
        self.share(mmap.mmap(-1, PAGE))
        self._handler: Any = None
        self._libc: Any = None

    def share(self, memory: Any) -> None:
        """Use memory from now on that is shared with another process."""
        self.memory = memory
        self.page = Page.from_buffer(memory)

    def prepare(self) -> None:
        """Load the handler's code now: later the memory may be damaged."""
        self._libc = libc = ctypes.CDLL(None)
        if ctypes.sizeof(ctypes.c_void_p) != 8 or not hasattr(libc, "backtrace"):
            return
        libc.backtrace.argtypes = [ctypes.c_void_p, ctypes.c_int]
        libc.signal.argtypes = [ctypes.c_int, ctypes.c_void_p]
        libc.signal.restype = ctypes.c_void_p
        self.page.count = libc.backtrace(ctypes.addressof(self.page.frames), FRAMES)
        self.page.count = 0
        self._stack = ctypes.create_string_buffer(HANDLER_STACK)
        try:
            self._handler = ctypes.CFUNCTYPE(None, ctypes.c_int)(self._note)
        except MemoryError:
            self._handler = None  # a system without executable memory: only the signal is reported

    def watch(self, path: str) -> None:
        """Note the addresses of a loaded library, and wait for fatal signals."""
        page = self.page
        status = os.stat(path)
        page.modified, page.size = status.st_mtime_ns, status.st_size
        page.low, page.high = mapped(path)
        if self._handler is None or hasattr(self._libc, "__asan_init"):
            return  # AddressSanitizer reports more than this handler
        place = ctypes.addressof(self._stack)
        self._libc.sigaltstack(ctypes.byref(_Stack(place, 0, HANDLER_STACK)), None)
        address = ctypes.cast(self._handler, ctypes.c_void_p).value
        self._action = _Action(handler=address, flags=SA_ONSTACK)
        for number in ENDING:
            self._libc.sigaction(int(number), ctypes.byref(self._action), None)
        self._watching = True

    def enter(self, function: str) -> None:
        """Note that a function is called."""
        self.page.function = function.encode()[:63]
        if self.interruptible and self._watching:
            self._python = _Action()
            python = ctypes.byref(self._python)
            self._libc.sigaction(int(signal.SIGINT), ctypes.byref(self._action), python)

    def leave(self) -> None:
        """Note that it has returned."""
        self.page.function = b""
        if self.interruptible and self._watching:
            self._libc.sigaction(int(signal.SIGINT), ctypes.byref(self._python), None)

    def _note(self, number: int) -> None:
        """Note a signal and the addresses on the stack; then let the signal end the process."""
        page, libc = self.page, self._libc
        page.signal, page.process = number, libc.getpid()
        libc.signal(int(signal.SIGALRM), None)
        libc.alarm(HANDLER_SECONDS)
        for each in NOTED:
            libc.signal(int(each), None)
        page.interrupted = -1
        count = libc.backtrace(ctypes.addressof(page.frames), FRAMES)
        for place in range(count - 1):
            address = page.frames[place]
            if page.low <= address < page.high:
                break  # only the interrupted code can be in the library
            if any(ctypes.string_at(address, len(code)) == code for code in TRAMPOLINES):
                page.interrupted = place + 1
                break
        page.count = count
        libc.alarm(0)
        libc["raise"](number)  # it comes when this handler returns, even if another process sent it


def mapped(path: str) -> tuple[int, int]:
    """Return the addresses of a file in this process's memory; zeros if it is not mapped."""
    real = os.path.realpath(path)
    places = []
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        for line in maps:
            fields = line.split(maxsplit=5)
            if len(fields) == 6 and fields[5].rstrip("\n") == real:
                places += [int(end, 16) for end in fields[0].split("-")]
    return (min(places), max(places)) if places else (0, 0)


class Crash(NamedTuple):
    """The contents of a crash report.

    Attributes
    ----------
    function
        The function of the interface; empty if none was called.
    signal
        0 if none was noted.
    line
        The line as in ``bot.c:12``, and its C function; empty if unknown.
    """

    function: str
    signal: int
    line: str
    inside: str
    ply: int = 0
    deep: bool = False
    """Whether more than DEEP calls within the library were active: an endless recursion."""


NOTHING = Crash("", 0, "", "")

DEEP = 100


def read(page: bytes, path: str, names: tuple[str, ...], process: int) -> Crash:
    """Return the report on a player's end in the page of its process.

    The player's process wrote the page, so its contents are not trusted.

    Parameters
    ----------
    path
        The player's library.
    names
        The functions of the interface.
    process
        The player's process; the end of one that it has forked is not its end.
    """
    if len(page) < ctypes.sizeof(Page):
        return NOTHING
    found = Page.from_buffer_copy(page)
    function = found.function.decode("utf-8", "replace")
    function = function if function in names else ""
    noted = found.process == process and found.signal in list(map(int, NOTED))
    number = found.signal if noted else 0
    address = failed_at(found) if number else None
    line, inside = source_line(path, address, found) if address is not None else ("", "")
    frames = list(found.frames)[max(0, found.interrupted) : min(found.count, FRAMES)]
    deep = bool(line) and sum(found.low <= frame < found.high for frame in frames) > DEEP
    return Crash(function, number, line, inside, max(0, found.ply), deep)


def failed_at(page: Page) -> int | None:
    """Return the innermost address within the library, relative to it; None if it is not known.

    It is the address of the failed instruction, or of a call: the stack has the address behind the
    call, so the result is one less, within the call.
    """
    if not 0 < page.interrupted < min(page.count, FRAMES):
        return None
    for place in range(page.interrupted, min(page.count, FRAMES)):
        address = page.frames[place]
        if page.low <= address < page.high:
            return int(address - page.low - (place > page.interrupted))
    return None


FOUND = re.compile(r"(?P<file>.+):(?P<line>[1-9][0-9]*)(?: \(discriminator \d+\))?")


def source_line(path: str, address: int, page: Page) -> tuple[str, str]:
    """Return the line of an address as in ``bot.c:12``, and its function.

    Both are empty if the library has no debug information, has been built again meanwhile, or if
    there is no ``addr2line``.
    """
    program = shutil.which("addr2line")
    try:
        status = os.stat(path)
        if program is None or (status.st_mtime_ns, status.st_size) != (page.modified, page.size):
            return "", ""
        said = subprocess.run(
            [program, "-f", "-e", path, hex(address)],
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=LOOKUP_SECONDS,
        ).stdout.splitlines()
    except (OSError, subprocess.TimeoutExpired):
        return "", ""
    found = FOUND.fullmatch(said[1]) if len(said) == 2 else None
    if found is None or found["file"] == "??":
        return "", ""
    return f"{Path(found['file']).name}:{found['line']}", said[0]


STACK = "Stack (most recent call first):"
HERE = os.path.dirname(__file__)
OURS = (f"{HERE}/", f"{os.path.dirname(HERE)}/players/", "<frozen ")
"""The beginnings of the names of files whose frames are left out of a player's traceback."""

LEFT_OUT = (*(f'  File "{name}' for name in OURS), "Extension modules: ")
FRAME = re.compile(r'  File "(?P<file>.*)", line (?P<line>\d+) in (?P<function>.*)')


def answer_with_stack() -> None:
    """Make a Python process print its calls at ``ASK`` and at fatal signals, and end."""
    faulthandler.enable(file=2, all_threads=False)
    faulthandler.register(ASK, file=2, all_threads=False, chain=True)


def place_in(log: str, path: str) -> str:
    r"""Return a Python player's place, as in `` in think (bot.py, line 12)``; empty if unknown.

    It is the innermost call in the player's own folder.

    Examples
    --------
    >>> place_in('hm\\n' + STACK + '\\n  File "/x/bot.py", line 3 in think\\n', "/x/bot.py")
    ' in think (bot.py, line 3)'
    """
    folder = os.path.dirname(os.path.abspath(path)).encode("ascii", "backslashreplace").decode()
    for line in log.rpartition(STACK)[2].splitlines() if STACK in log else ():
        found = FRAME.fullmatch(line)
        if found and os.path.dirname(found["file"]) == folder:
            file = one_line(os.path.basename(found["file"]))
            return f" in {one_line(found['function'])} ({file}, line {found['line']})"
    return ""


def without_ours(log: str) -> str:
    """Return a player's output without Ludograph's frames and modules in its traceback."""
    lines = log.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(LEFT_OUT))
