"""The files of a series: a row for each game, from which a stopped series goes on; its records."""

from __future__ import annotations

import csv
import fcntl
import os
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import msgspec

from ludograph.arena.series.game_rows import (
    GameRow,
    RowFormat,
    check_row,
    header_of,
    row_format,
)
from ludograph.errors import InvalidInput
from ludograph.hosting.sandbox.readable_paths import withheld

FORMAT = 1

FILES = "files"
"""The field of a header with the digests of players' files, by their names."""


class Ledger:
    """A file of games that only one process writes to.

    Parameters
    ----------
    path
        Ends in ``.csv`` or ``.jsonl``.
    header
        The data that identifies this series: a file of another one is refused.

    Attributes
    ----------
    rows
        The games in it, by number.

    Raises
    ------
    InvalidInput
        If it is no file of games, of another series, or another process writes to it.
    """

    def __init__(self, path: Path, header: Mapping[str, Any]) -> None:
        self.path = path
        self.rows: dict[int, GameRow] = {}
        self._players = len(header["players"])
        self._format: RowFormat = row_format(path, self._players)
        self._head = self._format.head({"series": "ludograph", "format": FORMAT, **header})
        if path.exists() and not path.is_file():  # a pipe would block, a device never ends
            raise InvalidInput(f"{path}: this is not a file")
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
        """Read the file; begin it if it is empty."""
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
                check_row(row, self._players)
            except (ValueError, csv.Error, RecursionError) as error:
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
        """Sort the games by their numbers."""
        self.rows = dict(sorted(self.rows.items()))
        sorted_file = self.path.with_name(f".{self.path.name}.sorted")
        sorted_file.write_bytes(
            self._head + b"".join(self._format.encode(row) for row in self.rows.values())
        )
        os.replace(sorted_file, self.path)


def first_line(text: bytes) -> dict[str, Any] | None:
    """Return the series in the first line of a file; None if there is none."""
    try:
        found = header_of(text.split(b"\n", 1)[0])
    except (ValueError, RecursionError):
        return None
    ours = isinstance(found, dict) and found.get("series") == "ludograph"
    return found if ours else None


def header_in(path: Path) -> dict[str, Any] | None:
    """Return the header of the series in a file; None if there is none."""
    try:
        if not path.is_file():  # a pipe would block, a device never ends
            return None
        with path.open("rb") as file:
            return first_line(file.readline())
    except OSError:
        return None


def difference(found: Mapping[str, Any] | None, header: Mapping[str, Any]) -> str:
    """Return the difference between the series of a file and the one to play."""
    if found is None:
        return "the file exists but is not a list of games of a series"
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
    return "its first lines were changed after Ludograph wrote them"


def _short(value: Any) -> str:
    text = str(value) if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= 100 else f"{text[:99]}…"


LIST = "games.jsonl"
"""The name of the file of games in a folder of records."""


class SeriesFiles:
    """The files to which the games of a series are written, and the games already in them.

    Parameters
    ----------
    header
        The data that identifies this series.
    games
        A file of games, ``.csv`` or ``.jsonl``.
    records
        A folder of records; it is made if it does not exist.

    Attributes
    ----------
    rows
        The games that need not be played again, by number.
    """

    def __init__(self, header: Mapping[str, Any], games: Path | None, records: Path | None) -> None:
        self.games, self.records = games, records
        self._ledgers: list[Ledger] = []
        self.rows: dict[int, GameRow] = {}
        with ExitStack() as stack:
            stack.enter_context(withheld(*filter(None, [games, records])))
            if records is not None:
                _make_folder(records)
                self._ledgers.append(stack.enter_context(Ledger(records / LIST, header)))
            if games is not None:
                self._ledgers.append(stack.enter_context(Ledger(games, header)))
            self._agree()
            self._open = stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._open.close()

    def record_of(self, number: int) -> Path | None:
        """Return the path of a game's record while the game is played."""
        return self.records and self.records / f"game-{number:06}.part.jsonl"

    def add(self, row: GameRow) -> None:
        """Write a game that has ended; from now on it is never played again."""
        for ledger in self._ledgers:
            ledger.add(row)
        self.rows[row.game] = row
        self._name(row.game)

    def drop_unfinished(self) -> None:
        """Remove the records of unfinished games; no game may be running."""
        for part in [] if self.records is None else self.records.glob("game-*.part.jsonl"):
            part.unlink()

    def _agree(self) -> None:
        """Compare both files: the process may have been killed between two writes."""
        if not self._ledgers:
            return
        first, *others = self._ledgers
        self.rows = dict(sorted(first.rows.items()))
        for other in others:
            if not other.rows.keys() <= first.rows.keys():
                raise InvalidInput(
                    f"{other.path}: it lists games without records in {self.records}"
                )
            for number in self.rows.keys() - other.rows.keys():
                other.add(self.rows[number])
        for number in self.rows:
            self._name(number)

    def _name(self, number: int) -> None:
        """Give the record of a finished game its final name."""
        part = self.record_of(number)
        if part is not None and part.exists():
            os.replace(part, part.with_name(f"game-{number:06}.jsonl"))


def kept_header(games: Path | None, records: Path | None) -> dict[str, Any] | None:
    """Return the header of the series in these files; None if there is none."""
    for path in (records and records / LIST, games):
        found = path and header_in(path)
        if found:
            return found
    return None


def _make_folder(folder: Path) -> None:
    """Make a folder for records, or check that it is one."""
    try:
        folder.mkdir(exist_ok=True)
        if not (folder / LIST).exists() and any(folder.iterdir()):
            raise InvalidInput(f"{folder}: the folder holds other files than records of a series")
    except OSError as error:
        raise InvalidInput(f"{folder}: {error.strerror}") from None
