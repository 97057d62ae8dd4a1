"""Finished games in files: a line for each game as CSV or JSON Lines, a record for each game."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from contextlib import ExitStack
from io import FileIO
from pathlib import Path
from typing import Any, Self

from msgspec.structs import replace

from ludograph.arena.finished_game import FinishedGame
from ludograph.documents import write_bytes
from ludograph.errors import InvalidInput
from ludograph.hosting.sandbox.readable_paths import withheld
from ludograph.views.table import csv_text

OF_GAME = ("number", "tournament", "start", "seed", "board", "reason", "plies", "played")
OF_SEAT = ("player", "version", "rank", "score", "moves", "seconds", "forfeit", "message")


def game_data(game: FinishedGame) -> dict[str, Any]:
    """Return a game as JSON-able data, without its record."""
    own = ("start", "seed", "board", "reason", "plies", "sentence")
    seats = [
        {**{name: getattr(seat, name) for name in seat.__struct_fields__}, "version": version}
        for seat, version in zip(game.seats, game.versions, strict=True)
    ]
    return {
        "number": game.number,
        "tournament": game.tournament or None,
        **{name: getattr(game, name) for name in own},
        "played": game.ended or None,
        "seats": seats,
    }


def first_line(suffix: str) -> str:
    """Return the names of the columns for a ``.csv`` file; nothing for a ``.jsonl`` file."""
    return csv_text([[*OF_GAME, "seat", *OF_SEAT]]) if suffix == ".csv" else ""


def lines_of(game: FinishedGame, suffix: str, record: bytes = b"") -> str:
    """Return the lines of a game.

    In a ``.csv`` file each seat has a line, so that games with any number of seats have the same
    columns, and no spreadsheet finds a formula.

    Parameters
    ----------
    record
        The file of the game, which ``.jsonl`` holds, too; empty: it does not.
    """
    data = game_data(game)
    if suffix == ".csv":
        whole = [data[name] for name in OF_GAME]
        return csv_text(
            [*whole, number, *(seat[name] for name in OF_SEAT)]
            for number, seat in enumerate(data["seats"])
        )
    if record:
        data["record"] = [json.loads(line) for line in record.splitlines()]
    return f"{json.dumps(data, ensure_ascii=False)}\n"


class GameFiles:
    """The files of a series, which are written as its games end: no player can read them.

    Parameters
    ----------
    games
        A file with the lines of each game, in the order of their numbers.
    records
        A folder of records; it is made if it does not exist.
    versions
        By the name of a player: the digest of its files.

    Raises
    ------
    InvalidInput
        If ``games`` is a pipe or a device.
    OSError
        If a file cannot be written.
    """

    def __init__(
        self, games: Path | None, records: Path | None, versions: Mapping[str, str]
    ) -> None:
        self._games, self._records, self._versions = games, records, versions
        self._waiting: dict[int, str] = {}  # lines of games that ended before an earlier one
        self._next = 0
        self._file: FileIO | None = None
        self._open = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(withheld(*filter(None, [self._games, self._records])))
            if self._records is not None:
                self._records.mkdir(exist_ok=True)
            if self._games is not None:
                if self._games.exists() and not self._games.is_file():  # a pipe would block
                    raise InvalidInput(f"{self._games}: this is not a file")
                self._file = stack.enter_context(self._games.open("wb", buffering=0))
                self._write(first_line(self._games.suffix))
            self._open = stack.pop_all()
        return self

    def __exit__(self, *raised: object) -> None:
        with self._open:
            for number in sorted(self._waiting):
                self._write(self._waiting[number])

    def add(self, number: int, game: FinishedGame) -> None:
        """Write a game by its number in the series, from 0."""
        if self._records is not None:
            path = self._records / f"game-{number:06}.jsonl"
            write_bytes(path, zlib.decompress(game.record))
        if self._games is not None:
            versions = tuple(self._versions.get(seat.player, "") for seat in game.seats)
            of_series = replace(game, number=number, tournament=0, ended="", versions=versions)
            self._waiting[number] = lines_of(of_series, self._games.suffix)
            while self._next in self._waiting:
                self._write(self._waiting.pop(self._next))
                self._next += 1

    def _write(self, lines: str) -> None:
        assert self._file is not None
        rest = memoryview(lines.encode())
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self._games)) from None
