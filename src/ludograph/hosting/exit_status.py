"""How a player's process ended, or why its file cannot run here, in words.

They come from exit codes, from messages of the loader and the C library, and from ELF files.
"""

from __future__ import annotations

import re
import signal
import struct
from typing import NamedTuple

from ludograph.formatting import one_line
from ludograph.hosting.crash_report import DEEP, Crash

LOADER_EXIT = 127
"""The exit code of a process that the loader ends because a called function is missing."""

SPOKEN = re.compile(r"(?:^|: )(symbol lookup error: .+)$", re.MULTILINE)
ABORTED = re.compile(
    r"^(?:\*\*\* .+ \*\*\*: terminated|.*Assertion `.+' failed\.?|terminate called .+"
    r"|(?:free|malloc|realloc|calloc|munmap_chunk|corrupted|double free|malloc_consolidate)\b.*)$",
    re.MULTILINE,
)
"""The C library's message before it ends a process."""

SANITIZED = "ASan runtime does not come first"
"""AddressSanitizer's message if a library needs it and the process was started without it."""

SYMBOL = re.compile(r"undefined symbol: (\w+)")
FILE = re.compile(r"\b(lib\w+)\.so(?:\.\d+)*: cannot open shared object file")


class KnownLibrary(NamedTuple):
    """A library that players of the courses use, often without listing it."""

    name: str
    prefix: str
    """The beginning of the names of its functions."""
    packages: str
    """Its packages in Debian."""


KNOWN = (
    KnownLibrary("libigraph", "igraph_", "libigraph3 and libigraph-dev"),
    KnownLibrary("libgsl", "gsl_", "libgsl27 and libgsl-dev"),
    KnownLibrary("libgslcblas", "cblas_", "libgslcblas0 and libgsl-dev"),
)


def last_words(log: str) -> str:
    r"""Return the loader's last message when it ended a process; empty if there is none.

    Examples
    --------
    >>> last_words("hello\npython: symbol lookup error: ./p.so: undefined symbol: gsl_new\n")
    'symbol lookup error: ./p.so: undefined symbol: gsl_new'
    """
    found = SPOKEN.findall(log)
    return found[-1].strip() if found else ""


def undefined_symbol(words: str) -> str:
    """Return the name of the function that the loader did not find; empty for other messages."""
    found = SYMBOL.search(words)
    return found[1] if found else ""


def abort_words(log: str) -> str:
    """Return the C library's last message before it ended a process; empty if there is none.

    Examples
    --------
    >>> abort_words("my move 3\\nfree(): double free detected in tcache 2\\n")
    'free(): double free detected in tcache 2'
    """
    found = ABORTED.findall(log)
    return found[-1].strip() if found else ""


def advised(words: str) -> str:
    """Return the loader's words, followed by the missing library and its package.

    Examples
    --------
    >>> advised("undefined symbol: gsl_a")
    'undefined symbol: gsl_a; it is of libgsl, Debian packages libgsl27 and libgsl-dev'
    >>> advised("undefined symbol: my_own")
    'undefined symbol: my_own'
    """
    symbol, file = SYMBOL.search(words), FILE.search(words)
    for library in KNOWN:
        if symbol and symbol[1].startswith(library.prefix):
            return f"{words}; it is of {library.name}, Debian packages {library.packages}"
        if file and file[1] == library.name:
            return f"{words}; Debian packages {library.packages}"
    return words


def how_ended(code: int, crash: Crash, log: str, place: str = "") -> str:
    """Return how a process ended, its place in the code, and the messages about it.

    Parameters
    ----------
    code
        A return code; that of a signal is negative.
    crash
        Its crash report.
    log
        The output of the process.
    place
        The place in the code that a Python player was killed at, as :func:`whereabouts` writes it.
    """
    if code >= 0:
        crash = crash._replace(line="", deep=False)
    elif crash.signal:
        code = -crash.signal  # the handler may have ended by another signal
    text = ending(code) + place if code < 0 else f"exited with code {code}"
    text += whereabouts(crash)
    words = ""
    if code == LOADER_EXIT and last_words(log):
        words = advised(last_words(log))
        if undefined_symbol(words):
            text = f"needs {undefined_symbol(words)}{whereabouts(crash)}, which no library has"
    elif code == -signal.SIGABRT:
        words = abort_words(log)
    elif SANITIZED in log:
        words = (
            "it is built with AddressSanitizer, so play it by 'ludograph player debug ... --asan'"
        )
    return f"{text}, {words}" if words else text


def whereabouts(crash: Crash) -> str:
    """Return the place of a process, as in `` in play (helper, bot.c:12)``; empty if unknown."""
    text = f" in {crash.function}" if crash.function else ""
    if crash.line:
        inside = one_line(crash.inside)
        known = inside in ("", "??", crash.function)
        text += f" ({one_line(crash.line)})" if known else f" ({inside}, {one_line(crash.line)})"
    if crash.deep:
        text += f", more than {DEEP} calls deep"
    return text


def ending(code: int) -> str:
    """Return how a program ended, from its return code.

    Examples
    --------
    >>> ending(-11)
    'was killed by SIGSEGV'
    >>> ending(-37)
    'was killed by SIGRTMIN+3'
    >>> ending(3)
    'exited with code 3'
    >>> ending(127)
    'exited with code 127: a program or a library that it needs was not found'
    >>> ending(139)
    'exited with code 139: a program that it ran was killed by SIGSEGV'
    """
    if code < 0:
        return f"was killed by {signal_name(-code)}"
    text = f"exited with code {code}"
    if code in MEANINGS:
        return f"{text}: {MEANINGS[code]}"
    if SHELL < code <= SHELL + signal.SIGRTMAX:
        return f"{text}: a program that it ran was killed by {signal_name(code - SHELL)}"
    return text


SHELL = 128
"""Shells add this to the number of the signal that killed a program."""

MEANINGS = {
    126: "a program that it runs cannot be executed",
    LOADER_EXIT: "a program or a library that it needs was not found",
}
"""The meanings of exit codes of shells and loaders."""


def signal_name(number: int) -> str:
    """Return the name of a signal, whatever its number."""
    try:
        return signal.Signals(number).name
    except ValueError:  # Python names the first and the last real-time signal only
        if signal.SIGRTMIN < number < signal.SIGRTMAX:
            return f"SIGRTMIN+{number - signal.SIGRTMIN}"
        return f"signal {number}"


HEAD = struct.Struct("<4s14xH")
"""The beginning of an ELF file: its magic number, and the kind of processor."""

PROCESSORS = {3: "i386", 40: "arm", 62: "x86_64", 183: "aarch64", 243: "riscv64"}
"""The names of ``uname -m`` by the numbers of ELF."""

OBJECT = 1
"""ELF's number for an object file, which is not linked."""


def unrunnable(data: bytes) -> str:
    r"""Return why a file cannot be run here, as the end of a sentence; empty if it can.

    Examples
    --------
    >>> unrunnable(b"#!/usr/bin/env node\nconsole.log(1);\n")
    ''
    >>> unrunnable(b"print(1)\n")
    'it is no program for Linux: neither a binary nor a script that begins with #!'
    """
    if data.startswith(b"#!"):
        if data.partition(b"\n")[0].endswith(b"\r"):
            return "its lines end with the line ends of Windows: save it with those of Linux"
        return ""
    processor = processor_in(data)
    if not processor:
        return "it is no program for Linux: neither a binary nor a script that begins with #!"
    if struct.unpack_from("<H", data, 16)[0] == OBJECT:
        return "it is an object file: link it to a program"
    return other_processor(processor)


def other_processor(found: int) -> str:
    """Return that a file is for other processors than this process, as the end of a sentence.

    The text is empty if that is not so, or if the number of the processors is 0.
    """
    own = processor_of("/proc/self/exe")
    if found in {own, 0}:
        return ""
    name = PROCESSORS.get(found, "other")
    here = PROCESSORS.get(own, "other")
    return f"it is compiled for {name} processors, but this machine has {here}: compile it here"


def processor_of(path: str) -> int:
    """Return ELF's number of the processors that a file is for; 0 if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return processor_in(file.read(HEAD.size))
    except OSError:
        return 0


def processor_in(data: bytes) -> int:
    """Return ELF's number of the processors that a file's content is for; 0 if it is not ELF."""
    if len(data) < HEAD.size:
        return 0
    magic, number = HEAD.unpack_from(data)
    return int(number) if magic == b"\x7fELF" else 0
