"""The games of a series in a file, a line each, from which a series that was stopped goes on.

A line is written at once when its game has ended, so a game is in the file or it is not; half a
line at the end is what a kill has left, and goes.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import msgspec

from ludograph.errors import InvalidInput
from ludograph.referee.game_row import GameRow
from ludograph.referee.row_formats import RowFormat, row_format

FORMAT = 1

FILES = "files"
"""What a header calls the digests of players' files, by their names."""


class Ledger:
    """A file of games that only one process writes to.

    Parameters
    ----------
    path
        Ends in ``.csv`` or ``.jsonl``.
    header
        What tells this series from others: a file of another one is refused.

    Attributes
    ----------
    rows
        The games in it, by number.

    Raises
    ------
    InvalidInput
        If the file is no such file, of another series, or being written to.
    """

    def __init__(self, path: Path, header: Mapping[str, Any]) -> None:
        self.path = path
        self.rows: dict[int, GameRow] = {}
        self._format: RowFormat = row_format(path, len(header["players"]))
        self._head = self._format.head({"series": "ludograph", "format": FORMAT, **header})
        try:
            self._file = path.open("a+b", buffering=0)
        except OSError as error:
            raise InvalidInput(f"{path}: {error.strerror}") from None
        try:
            self._lock()
            self._read(header)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        try:
            if list(self.rows) != sorted(self.rows):
                self._sort()
        finally:
            self._file.close()

    def add(self, row: GameRow) -> None:
        """Write a game that has ended."""
        self._write(self._format.encode(row))
        self.rows[row.game] = row

    def _lock(self) -> None:
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InvalidInput(f"{self.path}: another series is writing to it now") from None

    def _read(self, header: Mapping[str, Any]) -> None:
        """Take what is there; begin the file if there is nothing."""
        self._file.seek(0)
        text = self._file.read()
        if len(text) < len(self._head) and self._head.startswith(text):
            self._file.truncate(0)
            self._write(self._head)
            return
        if not text.startswith(self._head):
            raise InvalidInput(f"{self.path}: {difference(first_line(text), header)}")
        whole, newline, _ = text.rpartition(b"\n")
        for number, line in enumerate(filter(None, whole[len(self._head) :].split(b"\n"))):
            place = f"{self.path}, line {number + len(self._head.splitlines()) + 1}"
            try:
                row = self._format.decode(line)
            except (ValueError, msgspec.ValidationError, LookupError) as error:
                raise InvalidInput(f"{place}: {error}") from None
            if row.game in self.rows:
                raise InvalidInput(f"{place}: game {row.game} is there already")
            self.rows[row.game] = row
        self._file.truncate(len(whole) + len(newline))

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[os.write(self._file.fileno(), rest) :]
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self.path)) from None

    def _sort(self) -> None:
        """Put the games in their order, as if one process had played them."""
        self.rows = dict(sorted(self.rows.items()))
        sorted_file = self.path.with_name(f".{self.path.name}.sorted")
        sorted_file.write_bytes(
            self._head + b"".join(self._format.encode(row) for row in self.rows.values())
        )
        os.replace(sorted_file, self.path)


def first_line(text: bytes) -> dict[str, Any] | None:
    """Return what the first line of a file says of its series; None if it is none."""
    try:
        found = msgspec.json.decode(text.split(b"\n", 1)[0].removeprefix(b"# "))
    except msgspec.DecodeError:
        return None
    ours = isinstance(found, dict) and found.get("series") == "ludograph"
    return found if ours else None


def header_in(path: Path) -> dict[str, Any] | None:
    """Return what a file says of the series whose games it holds; None if there is none."""
    try:
        with path.open("rb") as file:
            return first_line(file.readline())
    except OSError:
        return None


def difference(found: Mapping[str, Any] | None, header: Mapping[str, Any]) -> str:
    """Return in what a file is not of the series that is to be played."""
    if found is None:
        return "the file exists and is no list of games of a series"
    if found.get("format") != FORMAT:
        return f"its format is {found.get('format')}, this version knows {FORMAT}"
    for key, value in header.items():
        if key == FILES and isinstance(found.get(key), dict):
            for name, digest in value.items():
                if found[key].get(name, digest) != digest:
                    return f"its games were played by another {name}, which has changed since"
        if found.get(key) != value:
            there, here = _short(found.get(key)), _short(value)
            return f"it holds another series: {key} {there}, and not {here}"
    return "it holds another series"


def _short(value: Any) -> str:
    text = str(value) if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= 100 else f"{text[:99]}…"
