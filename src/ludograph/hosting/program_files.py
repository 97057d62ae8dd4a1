"""Files of programs and libraries: their processors, whether they run here, their functions."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NamedTuple

from ludograph.errors import InvalidInput

HEAD = struct.Struct("<4s14xH")
"""The beginning of an ELF file: its magic number, and the kind of processor."""

PROCESSORS = {3: "i386", 40: "arm", 62: "x86_64", 183: "aarch64", 243: "riscv64"}
"""The names of ``uname -m`` by the numbers of ELF."""

OBJECT = 1
"""ELF's number for an object file, which is not linked."""

MAGIC = b"\x7fELF\x02\x01"
"""ELF of 64 bits with the least significant byte first: what Linux on amd64 and arm64 loads."""

HEADER = struct.Struct("<QQQIHHHHHH")
"""The end of the file's header from byte 24 on."""

SECTION = struct.Struct("<IIQQQQIIQQ")
SYMBOL = struct.Struct("<IBBHQQ")

DYNAMIC_SYMBOLS = 11
"""The type of the section with the symbols that other files see."""

FUNCTIONS, LOCAL = (2, 10), 0
UNDEFINED = 0


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


class _Section(NamedTuple):
    name: int
    type: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    entry: int


def check_functions(name: str, data: bytes, wanted: Sequence[str]) -> None:
    """Raise InvalidInput if a file is no shared library, or lacks one of some functions.

    Parameters
    ----------
    name
        The name of its file, for the sentence.
    """
    found = defined(data, wanted)
    if found is None:
        raise InvalidInput("it is not a shared library with a table of its functions")
    for function in wanted:
        if function not in found:
            raise InvalidInput(f"{name} has no function {function!r}")


def defined(data: bytes, wanted: Sequence[str]) -> frozenset[str] | None:
    """Return those of some functions that a library defines; None if it is no library.

    The layout is that of the System V ABI, chapters 4 and 5. Names are compared where they are:
    those of a hostile library overlap, and take thousands of times its size together.
    """
    if not data.startswith(MAGIC):
        return None
    texts = {f"{function}\0".encode(): function for function in wanted}
    try:
        _, _, at, _, _, _, _, size, count, _ = HEADER.unpack_from(data, 24)
        sections = [_Section(*SECTION.unpack_from(data, at + size * n)) for n in range(count)]
        symbols = next(one for one in sections if one.type == DYNAMIC_SYMBOLS)
        strings = sections[symbols.link]
        names = data[strings.offset : strings.offset + strings.size]
        table = data[symbols.offset : symbols.offset + symbols.size]
        rows = SYMBOL.iter_unpack(table[: len(table) // SYMBOL.size * SYMBOL.size])
        return frozenset(
            function
            for name, info, _, section, _, _ in rows
            if info & 15 in FUNCTIONS and info >> 4 != LOCAL and section != UNDEFINED
            for text, function in texts.items()
            if names.startswith(text, name)
        )
    except (struct.error, StopIteration, IndexError, OverflowError):
        return None
