"""The functions that a shared library defines, read from its file without loading it."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NamedTuple

from ludograph.errors import InvalidInput

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
