"""Files of programs and libraries: their processors, and whether they run here."""

from __future__ import annotations

import struct

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
