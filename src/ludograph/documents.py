"""Files in the project's own JSON formats: read, checked and written, with errors of one sentence.

A document is an object with a ``format`` and a ``version``; see ``docs/boards.md`` and
``docs/carcassonne.md`` for the formats.
"""

from __future__ import annotations

import codecs
import contextlib
import json
import math
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from ludograph.errors import InvalidInput

T = TypeVar("T")

Decode = Callable[[Any], Any]
"""Returns the document as the given type; raises msgspec's errors if it is not one."""


IN_MEMORY = 40
"""Bytes of memory that a byte of a file may need while it is read: a list of many short edges."""


WIDE = re.compile(rb"\xff\xfe|\xfe\xff|\0\0\xfe\xff|[\t\n\r -~]\0|\0[\t\n\r -~]")
"""The first bytes of a text in UTF-16 or UTF-32, with a byte-order mark or a letter of ASCII."""


class _Header(msgspec.Struct):
    format: str | None = None
    version: int | None = None


def decoded(decode: Decode, kind: type[T], format: str, version: int) -> T:
    """Return a document as a type, or raise InvalidInput with the place as ``edges[7][1]``."""
    try:
        data: T = decode(kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        _refuse_others(decode, format, version)
        reason, _, place = str(error).partition(" - at `$")
        if not reason.startswith("JSON"):
            reason = reason[:1].lower() + reason[1:]
        place = place.rstrip("`").removeprefix(".")
        raise InvalidInput(f"{place}: {reason}" if place else reason) from None
    return data


def _refuse_others(decode: Decode, format: str, version: int) -> None:
    """Raise InvalidInput if the document says that it is something else: other faults follow."""
    try:
        header: _Header = decode(_Header)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return
    if header.format not in {None, format}:
        raise InvalidInput(f"format: expected {format}, got {str(header.format)[:40]!r}")
    if header.version not in {None, version}:
        raise InvalidInput(f"version: this program reads version {version}, got {header.version}")


def read_bytes(file: Path, what: str, most: int) -> bytes:
    """Return the content of a regular file of ``most`` bytes at most; errors call it ``what``.

    Raises
    ------
    InvalidInput
        When there is no such file, or it is too large, for the free memory too, or cannot be read.
    """
    try:
        if not file.exists():
            raise InvalidInput(f"{file}: there is no such file")
        if not file.is_file():  # a pipe would block, a device never ends
            raise InvalidInput(f"{file}: this is not a file")
        size = file.stat().st_size
        if size <= most:
            check_room(file, size)
            with file.open("rb") as opened:
                data = opened.read(most + 1)  # it may grow meanwhile
            size = len(data)
        if size > most:
            raise InvalidInput(f"{file}: {size} bytes is more than a {what} may have ({most})")
        return data
    except InvalidInput:
        raise
    except (OSError, ValueError) as error:  # a ValueError is a path with a zero byte
        raise InvalidInput(f"{file}: cannot be read ({_reason(error)})") from None


def read_text(file: Path, what: str, most: int) -> str:
    """Return the text in a file, which is UTF-8; the rest as for :func:`read_bytes`."""
    data = read_bytes(file, what, most)
    try:
        return utf8(data)
    except InvalidInput as error:
        raise InvalidInput(f"{file}: {error}") from None


def utf8(data: bytes) -> str:
    """Return the text of bytes in UTF-8; raise InvalidInput if they are in another encoding."""
    try:
        return without_mark(data).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"byte {error.start}: the text is not UTF-8: save it as UTF-8") from None


def without_mark(data: bytes, source: Path | str = "") -> bytes:
    """Return the bytes of a text without a byte-order mark, which editors may put before it.

    Parameters
    ----------
    source
        Where the text is from, for messages; empty if the caller adds it.

    Raises
    ------
    InvalidInput
        If the text is in UTF-16 or UTF-32.
    """
    if WIDE.match(data):
        where = f"{source}: " if source else ""
        raise InvalidInput(f"{where}the text is in UTF-16 or UTF-32: save it as UTF-8")
    return data.removeprefix(codecs.BOM_UTF8)


def toml(file: Path, text: str) -> dict[str, Any]:
    """Return the data of a text in TOML; raise InvalidInput, with the file, if it is invalid."""
    import tomllib

    try:
        return tomllib.loads(text)  # a ValueError is a number of thousands of digits, too
    except ValueError as error:
        raise InvalidInput(f"{file}: {error}") from None
    except RecursionError:
        raise InvalidInput(f"{file}: brackets are nested too deeply") from None


def check_room(file: Path, size: int) -> None:
    """Raise InvalidInput if a file of this size in bytes may need more memory than is free.

    Notes
    -----
    The kernel reports the available memory; without its report, nothing is refused.
    """
    check_memory(f"{file}: reading {size} bytes", size * IN_MEMORY)


def check_memory(what: str, needed: int) -> None:
    """Raise InvalidInput if a task may need more memory than is free."""
    free = free_memory()
    if needed > free:
        raise InvalidInput(
            f"{what} may take {needed / 2**30:.1f} GiB of memory, {free / 2**30:.1f} GiB are free"
        )


def free_memory() -> float:
    """Return the bytes that programs can use without swapping; infinity if unknown."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:  # not Linux
        return math.inf
    known = dict(line.split(":", 1) for line in lines if ":" in line)
    return float(known["MemAvailable"].split()[0]) * 1024 if "MemAvailable" in known else math.inf


def write_bytes(file: Path, data: bytes) -> None:
    """Write a file as a whole or not at all.

    Raises
    ------
    InvalidInput
        When it cannot be written there.
    OSError
        With the path, when the machine fails: a full disk, say.
    """
    try:
        if file.exists() and not file.is_file():  # a device, which cannot be replaced
            file.write_bytes(data)
            return
        with replacing(file, concurrent=True) as part:
            part.write_bytes(data)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError) as error:
        raise InvalidInput(f"{file}: cannot be written ({_reason(error)})") from None
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from None
    except ValueError as error:  # a path with a zero byte
        raise InvalidInput(f"{file}: cannot be written ({_reason(error)})") from None


@contextlib.contextmanager
def replacing(file: Path, *, concurrent: bool = False) -> Iterator[Path]:
    """Yield the path for writing a new file; at the end it replaces the old one.

    After an error the new file is removed, and the old one stays. The next process overwrites a new
    file left by a killed one.

    Parameters
    ----------
    concurrent
        Whether several processes may write the file at the same time, each at a path of its own.
    """
    own = f".{os.getpid()}" if concurrent else ""
    part = file.with_name(f".{file.name[:100]}{own}.part")
    part.unlink(missing_ok=True)
    try:
        yield part
        os.replace(part, file)
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def declare_folder(file: Path, kind: str, version: int, declared: Mapping[str, Any]) -> None:
    """Make a folder with a file that declares its content; an existing file must declare the same.

    Parameters
    ----------
    kind, version
        The first entry of the file, as in ``"selfplay": 1``.
    declared
        The other entries.

    Raises
    ------
    InvalidInput
        With the first difference, if it declares something else; or if the folder has other files
        and no declaration, or cannot be made.
    """
    folder, wanted = file.parent, json.loads(json.dumps({kind: version, **declared}))
    try:
        folder.mkdir(exist_ok=True)
        if file.exists():
            found = read_declaration(file, kind, version)
            for key, value in wanted.items():
                if found.get(key) != value:
                    there, here = (json.dumps(each)[:100] for each in (found.get(key), value))
                    raise InvalidInput(
                        f"{folder}: it has other settings: {key} {there} there, and {here} here; "
                        "use the same ones, or another folder"
                    )
        elif any(not each.name.startswith(".") for each in folder.iterdir()):
            raise InvalidInput(f"{folder}: the folder has other files, and no {file.name}")
        else:
            with replacing(file) as part:
                text = json.dumps(wanted, indent=1, ensure_ascii=False)
                part.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise InvalidInput(f"{folder}: {error.strerror}") from None


def read_declaration(file: Path, kind: str, version: int) -> dict[str, Any]:
    """Return what :func:`declare_folder` has written; raise InvalidInput if it is not that."""
    try:
        found = json.loads(file.read_bytes())
    except OSError as error:
        raise InvalidInput(f"{file}: {error.strerror}") from None
    except ValueError as error:
        raise InvalidInput(f"{file}: {error}") from None
    if not isinstance(found, dict) or found.get(kind) != version:
        raise InvalidInput(f"{file}: this does not declare a {kind} of format {version}")
    return found


def _reason(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)
