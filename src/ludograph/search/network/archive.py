"""Archives of NumPy arrays from untrusted sources: a damaged one raises one kind of error."""

from __future__ import annotations

import lzma
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Container
from pathlib import Path
from typing import IO, Any

import numpy as np

from ludograph.formatting import one_line

MESSAGE = 100
"""The most characters of the reason in a message."""

DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    tokenize.TokenError,  # NumPy's parser of an array's header
    ValueError,
    OverflowError,
    EOFError,
    RuntimeError,  # encrypted, or of a later version of the format
    MemoryError,  # a header that declares more entries than a memory holds
)
"""What NumPy and zipfile raise for the bytes of a damaged archive."""


class DamagedArchive(Exception):
    """A file is no archive of arrays, or a part of it is damaged."""


def read_arrays(
    file: Path | IO[bytes], names: Container[str] | None = None
) -> dict[str, np.ndarray[Any, Any]]:
    """Return the arrays of an archive by name; none is unpickled.

    Parameters
    ----------
    names
        Arrays with other names are left out; None: all are read.

    Raises
    ------
    DamagedArchive
        If it is not complete, or contains anything but plain arrays.
    OSError
        If the file cannot be read.
    """
    try:
        with np.load(file, allow_pickle=False) as archive:
            arrays = {
                name: archive[name] for name in archive.files if names is None or name in names
            }
    except DAMAGED as error:
        raise DamagedArchive(one_line(str(error), MESSAGE)) from None  # some quote its bytes
    for name, array in arrays.items():
        if not isinstance(array, np.ndarray):
            raise DamagedArchive(f"{name} is not an array")
    return arrays
