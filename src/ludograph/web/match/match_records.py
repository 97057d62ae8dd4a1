"""The files of a server's matches: their records, the keys of their seats, and lists of them."""

from __future__ import annotations

import os
import re
import secrets
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from ludograph.errors import DamagedData, InvalidInput, NotFound
from ludograph.games import Position
from ludograph.players import PlayerSpec
from ludograph.referee import PlayedMove, Record, read_record
from ludograph.referee.options import MatchOptions
from ludograph.referee.record_writer import RecordWriter
from ludograph.referee.sentences import public_sentence
from ludograph.web.match.seats import SeatKeys
from ludograph.web.positions.wording import display_names, named

NUMBER = re.compile(r"[0-9]{8}-[0-9a-f]{10}", re.ASCII)

LISTED = 30

RECORD = ".jsonl"
"""The suffix of a record's file."""

TAIL = 1 << 16
"""The bytes at the end of a record that contain its last line."""

LONGEST_NAME = 200
"""Characters of a record's name, without the end ``.jsonl``."""


class MatchRecords:
    """The folder with the records of a server's matches, and the keys of their seats."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._private: dict[str, bool] = {}  # of the records that were listed last, or left out

    def new(
        self,
        players: Sequence[PlayerSpec],
        own: Sequence[int],
        form: Mapping[str, str],
        names: Sequence[str] = (),
    ) -> tuple[str, SeatKeys]:
        """Return the number of a new match, and the keys of its seats, which have a file now."""
        self.folder.mkdir(parents=True, exist_ok=True)
        number = f"{time.strftime('%Y%m%d')}-{secrets.token_hex(5)}"
        seat_keys = SeatKeys.drawn(players, own, form, names)
        self.write_keys(number, seat_keys)
        return number, seat_keys

    def forget(self, number: str) -> None:
        """Remove the files of a match that has not begun."""
        for file in (self.path(number), self._keys_file(number)):
            file.unlink(missing_ok=True)

    def path(self, number: str) -> Path:
        """Return the file of a match; raise NotFound if none can have this number."""
        if not NUMBER.fullmatch(number):
            raise NotFound("there is no such game here")
        return self.folder / f"{number}{RECORD}"

    def file(self, name: str) -> Path:
        """Return the file of a record: of a match, or one with another name in the folder.

        Raises
        ------
        NotFound
            If there is no such record; another kind of file counts as none.
        """
        path = self.folder / f"{name}{RECORD}"
        if not is_name(name) or summary(path) is None:
            raise NotFound("there is no such game here")
        return path

    def record(self, number: str) -> Record:
        """Return the record of a match; raise NotFound or DamagedData if it cannot be read."""
        self.path(number)
        try:
            return read_record(self.file(number))
        except NotFound:
            raise
        except InvalidInput as error:
            raise DamagedData(error) from None

    def seat_keys(self, number: str) -> SeatKeys:
        """Return the keys of a match's seats; none if there is no such match."""
        return SeatKeys.read(self._keys_file(number)) if NUMBER.fullmatch(number) else SeatKeys()

    def write_keys(self, number: str, seat_keys: SeatKeys) -> None:
        """Write the keys of a match's seats."""
        seat_keys.write(self._keys_file(number))

    def _keys_file(self, number: str) -> Path:
        return self.folder / f"{number}.keys.json"

    def latest(self, running: Collection[str]) -> list[RecordSummary]:
        """Return the latest records without private ones, and without those of running matches."""
        if not self.folder.is_dir():
            return []
        before, self._private = self._private, {}
        found: list[RecordSummary] = []
        for name in latest_names(self.folder):
            if len(found) == LISTED:
                break
            if not is_name(name) or name in running:
                continue
            known = before.get(name)  # the keys say it, which do not change
            is_private = self.seat_keys(name).is_private if known is None else known
            self._private[name] = is_private
            public = None if is_private else self.summary(name)
            if public is not None:
                found.append(public)
        return found

    def summary(self, name: str) -> RecordSummary | None:
        """Return the summary of a record in the folder; None if there is none."""
        found = summary(self.folder / f"{name}{RECORD}")
        return found and found._replace(
            can_go_on=not found.sentence and bool(NUMBER.fullmatch(name)),
            people=self.seat_keys(name).names,
        )


class RecordSummary(NamedTuple):
    """A record in the folder: its name, the game, who played, how it ended, and when.

    Attributes
    ----------
    can_go_on
        Whether it is the record of a suspended match of this server.
    levels
        By seat, the number of the player's level; 0 if it was not chosen as a level.
    people
        By seat, the name of the person, of a match of this server.
    """

    number: str
    game: str
    players: list[str]
    sentence: str
    when: datetime
    can_go_on: bool = False
    levels: Sequence[int] = ()
    people: Sequence[str] = ()

    @property
    def shown_names(self) -> list[str]:
        """How pages name the players."""
        return display_names(self.players, self.levels, self.people)

    @property
    def shown_sentence(self) -> str:
        """The sentence on its result, with these names; empty without a result."""
        return named(self.sentence, self.players, self.shown_names)


class _SummaryHeader(msgspec.Struct):
    game: str
    players: list[str]
    levels: list[int] = []


class _End(msgspec.Struct):
    end: str
    sentence: str = ""


def write_beginning(
    path: Path,
    start: Position,
    moves: Sequence[int],
    players: Sequence[PlayerSpec],
    options: MatchOptions,
) -> list[PlayedMove]:
    """Write the record of a game that is suspended after some moves; return them."""
    position, played = start.copy(), []
    with RecordWriter(path) as record:
        record.header(start, players, options)
        for move in moves:
            played.append(PlayedMove(position.turn, move, 0.0))
            position.play(move)
            record.move(position, played[-1])
    return played


def is_name(name: str) -> bool:
    """Tell whether a text can be the name of a record: one part of a path, readable as text."""
    written = name.isprintable() and 0 < len(name) <= LONGEST_NAME
    return written and not {"/", "\\"} & set(name)


def latest_names(folder: Path) -> list[str]:
    """Return the names of the records in a folder, the latest change first."""
    dated = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(RECORD):
                with suppress(FileNotFoundError):  # it was removed meanwhile
                    dated.append((entry.stat().st_mtime_ns, entry.name.removesuffix(RECORD)))
    return [name for _, name in sorted(dated, reverse=True)]


def summary(path: Path) -> RecordSummary | None:
    """Return the summary of a record, from its first and last line; None if it is not one."""
    try:
        if not path.is_file():  # a pipe would block
            return None
        with path.open("rb") as file:
            header = msgspec.json.decode(file.readline(), type=_SummaryHeader)
            file.seek(max(0, path.stat().st_size - TAIL))
            when = datetime.fromtimestamp(path.stat().st_mtime, UTC)
            last = file.read().rstrip(b"\n").rpartition(b"\n")[2]
    except (OSError, msgspec.DecodeError):
        return None
    end = _end_in(last)
    sentence = public_sentence(end.sentence) if end else ""
    return RecordSummary(
        path.stem,
        header.game,
        header.players,
        sentence,
        when,
        levels=header.levels,
    )


def has_ended(data: bytes) -> bool:
    """Tell whether a record contains the end of its game."""
    return _end_in(data.rstrip(b"\n").rpartition(b"\n")[2]) is not None


def _end_in(line: bytes) -> _End | None:
    """Return the end of a game in a line; None for another line."""
    try:
        return msgspec.json.decode(line, type=_End)
    except msgspec.DecodeError:
        return None
