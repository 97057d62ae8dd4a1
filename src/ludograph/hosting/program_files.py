"""Files of programs: whether this machine can run them."""

from __future__ import annotations

import struct

from ludograph.hosting.loader_errors import other_processor, processor_in

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
