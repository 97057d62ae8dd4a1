"""The matches of a server: live ones, and the records of suspended and finished ones."""

from __future__ import annotations

import os
import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ludograph.errors import InvalidInput, LudographError
from ludograph.games import Position
from ludograph.players import PlayerSpec, parse_player
from ludograph.players.spec import FILE, program_kind
from ludograph.referee import Clock, PlayedMove, Record, read_record
from ludograph.referee.options import SERIES_CLOCK, MatchOptions
from ludograph.referee.player_factory import is_foreign
from ludograph.referee.record_writer import RecordWriter
from ludograph.referee.seed import Seed, as_seed
from ludograph.web.games.offered_players import OFFERED, OfferedPlayers
from ludograph.web.match.live_match import LiveMatch, LiveMatchPlan
from ludograph.web.match.people_names import checked_name, unique
from ludograph.web.match.rematch import NextMatch, exchanged, exchanged_form
from ludograph.web.match.seat_links import SeatKeys
from ludograph.web.positions.display_names import display_names, named
from ludograph.web.server.limits import ANYBODY, Identity

NUMBER = re.compile(r"[0-9]{8}-[0-9a-f]{10}", re.ASCII)

FINISHED = 64
"""The most finished matches in memory, for pages that still show them."""

LISTED = 30

ALONE = 30.0
"""Seconds without a spectator after which a match may be suspended in favor of another."""


class ServerFull(LudographError):
    """There is no room for another match."""


class MatchManager:
    """The matches of a server, with their records as files in one folder.

    Parameters
    ----------
    most
        The most matches at a time; a third of them for one person, and two thirds for all people
        of one address without tokens.
    offered
        The players' files that may be chosen; None for none.
    """

    def __init__(self, folder: Path, most: int, offered: OfferedPlayers | None = None) -> None:
        self.folder = folder
        self.most = most
        self.offered = offered
        self._lock = threading.Lock()
        self._going_on, self._naming = threading.Lock(), threading.Lock()
        self._matches: OrderedDict[str, LiveMatch] = OrderedDict()
        self._persons: dict[str, Identity] = {}
        self._leaving: set[str] = set()
        self._private: dict[str, bool] = {}  # of the records that were listed last, or left out

    @property
    def _each(self) -> int:
        """The most matches of one person."""
        return -(-self.most // 3)

    @property
    def _together(self) -> int:
        """The most matches of all people of one address without tokens."""
        return max(self.most - self._each, self._each)

    def begin(
        self,
        start: Position,
        players: list[PlayerSpec],
        *,
        own: Sequence[int],
        seed: Seed | None = None,
        clock: Clock | None = None,
        pause: float = 0.0,
        form: Mapping[str, str] | None = None,
        person: Identity = ANYBODY,
    ) -> LiveMatch:
        """Begin a match.

        Parameters
        ----------
        own
            The seats of the person who begins it; none for a spectator.
        form
            The fields of the form.
        person
            The person who begins it, for the limits of each person and address.

        Raises
        ------
        ServerFull
            If too many matches are running, each with a spectator.
        """
        number, seat_keys = self._opened(players, own, form)
        try:
            plan = LiveMatchPlan(
                number,
                start,
                players,
                seat_keys.keys,
                self._options(players, clock, number, seed=seed),
                pause=0.0 if seat_keys.people else pause,
                form=self.form_of(number),
                owner=seat_keys.owner,
            )
            return self._seat(plan, person)
        except LudographError:
            self._keys_file(number).unlink()
            raise

    def challenges(self) -> list[LiveMatch]:
        """Return the matches in the lobby, the latest first."""
        return [match for match in self.running() if match.is_challenge]

    def join(self, number: str, person: Identity) -> str:
        """Give a visitor a free seat of a match in the lobby; return its key.

        Raises
        ------
        InvalidInput
            If it has no free seat.
        ServerFull
            If the visitor has taken seats in as many matches as one person may play.
        """
        with self._lock:
            match = self._matches.get(number)
            running = [other for other in self._matches.values() if other.running]
            taken = [other for other in running if other.open_seats.is_taken_by(person)]
            if person.is_limited and len(taken) >= self._each:
                raise self._busy()
            address = person.address
            near = [other for other in running if other.open_seats.is_taken_from(address)]
            if address and len(near) >= self._together:
                raise self._crowded()
            seats = match.open_seats.take(person) if match is not None and match.running else None
            if match is None or seats is None:
                raise InvalidInput("this game has no free seat left")
            return str(match.plan.keys[min(seats)])

    def begin_rematch(self, match: LiveMatch, person: Identity = ANYBODY) -> NextMatch:
        """Begin the rematch of a match: the same start, each on the seat before its own.

        Raises
        ------
        ServerFull
            If there is no room for it.
        """
        old, owner = match.plan, self.seat_keys(match.plan.number).owner
        seats, players = len(old.players), exchanged(old.players)
        own = [seat for seat, key in enumerate(exchanged(old.keys)) if owner and key == owner]
        form, names = exchanged_form(old.form, seats), exchanged(match.people_names)
        number, seat_keys = self._opened(players, own, form, names)
        plan = LiveMatchPlan(
            number,
            old.start,
            players,
            seat_keys.keys,
            self._options(players, old.options.clock, number),
            form=form,
            people_names=names,
        )
        try:
            self._seat(plan, person)
        except ServerFull:
            self._keys_file(number).unlink()
            raise
        keys = {(seat + 1) % seats: key for seat, key in enumerate(plan.keys) if key}
        return NextMatch(number, keys)

    def name_person(self, number: str, key: str, text: str) -> str:
        """Give the person with a key a unique name in its match; return the name.

        Raises
        ------
        InvalidInput
            If there is no such match or key, or the text is not a valid name.
        """
        match, name = self.match(number), checked_name(text)
        with self._naming:  # pages do not wait for the disk
            seat_keys = self.seat_keys(number)
            seats = seat_keys.seats_of(key)
            if match is None or not seats:
                raise InvalidInput("there is no such seat here")
            before = seat_keys.names_of(len(seat_keys.keys))
            name = unique(name, match.names_beside(seats)) if name else ""
            names = [name if seat in seats else other for seat, other in enumerate(before)]
            msgspec.structs.replace(seat_keys, names=names).write(self._keys_file(number))
            match.name_person(seats, name)
        return name

    def go_on_from(
        self,
        start: Position,
        moves: Sequence[int],
        players: list[PlayerSpec],
        *,
        own: Sequence[int],
        form: Mapping[str, str],
        person: Identity = ANYBODY,
    ) -> tuple[str, str | None]:
        """Begin a match after some moves; return its number, and the key of its owner.

        Raises
        ------
        ServerFull
            If too many matches are running.
        """
        number, seat_keys = self._opened(players, own, form)
        write_beginning(self.path(number), start, moves, players)
        try:
            self.go_on(number, person)
        except ServerFull:
            for file in (self.path(number), self._keys_file(number)):
                file.unlink()
            raise
        return number, seat_keys.owner or None

    def _opened(
        self,
        players: Sequence[PlayerSpec],
        own: Sequence[int],
        form: Mapping[str, str] | None,
        names: Sequence[str] = (),
    ) -> tuple[str, SeatKeys]:
        """Return the number of a new match, and the keys of its seats."""
        self.folder.mkdir(parents=True, exist_ok=True)
        number = f"{time.strftime('%Y%m%d')}-{secrets.token_hex(5)}"
        seat_keys = SeatKeys.drawn(players, own, form or {}, names)
        seat_keys.write(self._keys_file(number))
        return number, seat_keys

    def go_on(self, number: str, person: Identity = ANYBODY) -> LiveMatch:
        """Go on with a suspended match, perhaps of an earlier server process.

        Raises
        ------
        InvalidInput
            If there is no match of this number, or it has ended.
        """
        with self._going_on:  # two threads would write the same record
            match = self.match(number)
            return match if match is not None and match.running else self._gone_on(number, person)

    def _gone_on(self, number: str, person: Identity) -> LiveMatch:
        record = self.record(number)
        start = record.start
        texts = record.header["specs"]
        levels = record.header.get("levels") or [0] * len(texts)
        specs = [
            replace(self._player(str(text), start), level=level)
            for text, level in zip(texts, levels, strict=True)
        ]
        earlier = record.earlier() if record.events else []
        clock, seed = record.header.get("clock"), record.seed_of("seed")
        plan = LiveMatchPlan(
            number,
            start,
            specs,
            self._keys(number, len(specs)),
            self._options(
                specs,
                clock or None,
                number,
                seed=as_seed(number, seed),
                earlier=earlier,
                spent=record.spent,
            ),
            form=self.form_of(number),
            people_names=self.seat_keys(number).names_of(len(specs)),
        )
        if record.end is not None:
            raise InvalidInput("this game has ended")
        return self._seat(plan, person)

    def _player(self, text: str, start: Position) -> PlayerSpec:
        """Return a player of a record; raise InvalidInput if these pages do not offer it."""
        if self.offered is not None and text.startswith(OFFERED):
            return self.offered.player(text, start.game)
        if FILE.fullmatch(text) or program_kind(text) is not None:
            raise InvalidInput(f"{text} is not played on pages")
        return parse_player(text, start.game, start.seats)

    def _options(
        self,
        players: Sequence[PlayerSpec],
        clock: Clock | str | None,
        number: str,
        **others: Any,
    ) -> MatchOptions:
        """Return the options of a match; files always have a clock and the server's isolation."""
        foreign = SERIES_CLOCK if clock is None and any(map(is_foreign, players)) else None
        return MatchOptions.checked(
            clock=clock,
            foreign_clock=foreign,
            isolation=None if self.offered is None else self.offered.isolation,
            thoughts=True,
            record=self.path(number),
            **others,
        )

    def _seat(self, plan: LiveMatchPlan, person: Identity) -> LiveMatch:
        match = LiveMatch(plan, self._ended)
        with self._lock:
            self._make_room(person)
            self._matches[plan.number] = match
            self._matches.move_to_end(plan.number)
            self._persons[plan.number] = person
        match.start()
        return match

    def _make_room(self, person: Identity) -> None:
        """Make room for one more match by suspending one without spectators; else raise ServerFull.

        For a person at the limit of one person, only that person's matches count; and for people at
        the limit of their address, only the matches of that address.
        """
        playing = {
            number: match
            for number, match in self._matches.items()
            if match.running and number not in self._leaving
        }

        def make_room(group: Collection[str], most: int, full: ServerFull) -> None:
            if len(group) >= most:
                left = self._suspend_one([playing[number] for number in group])
                if left is None:
                    raise full
                del playing[left.plan.number]

        if person.is_limited:
            own = [number for number in playing if self._persons[number] == person]
            make_room(own, self._each, self._busy())
        if address := person.address:
            near = [one for one in playing if self._persons[one].address == address]
            make_room(near, self._together, self._crowded())
        full = f"{self.most} matches are played here already; one of them must end first"
        make_room(list(playing), self.most, ServerFull(full))

    def _busy(self) -> ServerFull:
        """Return the error for a person at the limit of one person."""
        return ServerFull(f"you play {self._each} matches here already; end one of them first")

    def _crowded(self) -> ServerFull:
        """Return the error for people at the limit of their address."""
        return ServerFull(
            f"{self._together} matches are played from your address already; one of them must end "
            "first"
        )

    def _suspend_one(self, matches: Sequence[LiveMatch]) -> LiveMatch | None:
        """Suspend the match that has been without spectators for longest; return it, or None."""
        since = [(match.spectators.alone_since, match) for match in matches]
        alone = [(then, match) for then, match in since if then is not None]
        then, match = min(alone, key=lambda each: each[0], default=(time.monotonic(), None))
        if match is None or time.monotonic() - then < ALONE:
            return None
        self._leaving.add(match.plan.number)
        match.stop()
        return match

    def _ended(self, match: LiveMatch) -> None:
        """Forget the oldest finished matches."""
        with self._lock:
            if self._matches.get(match.plan.number) is match:
                self._leaving.discard(match.plan.number)
                self._persons.pop(match.plan.number, None)
            over = [number for number, each in self._matches.items() if not each.running]
            for number in over[:-FINISHED]:
                del self._matches[number]

    def match(self, number: str) -> LiveMatch | None:
        """Return a match that is running or has just ended."""
        return self._matches.get(number)

    def running(self) -> list[LiveMatch]:
        """Return the running matches, the latest first."""
        with self._lock:
            return [match for match in reversed(self._matches.values()) if match.running]

    def public(self) -> list[LiveMatch]:
        """Return the running public matches, the latest first."""
        return [each for each in self.running() if not self.seat_keys(each.plan.number).is_private]

    def wake(self) -> None:
        """Wake the spectators of all matches, when the server ends."""
        with self._lock:
            matches = list(self._matches.values())
        for match in matches:
            match.spectators.wake()

    def say(self, text: str) -> None:
        """Send a text to the pages of all running matches."""
        for match in self.running():
            match.say(text)

    def close(self) -> None:
        """Suspend all matches."""
        running = self.running()
        for match in running:
            match.stop()
        until = time.monotonic() + 1.0
        for match in running:
            match.join(max(until - time.monotonic(), 0.0))

    def path(self, number: str) -> Path:
        """Return the file of a match; raise InvalidInput if none can have this number."""
        if not NUMBER.fullmatch(number):
            raise InvalidInput("there is no such game here")
        return self.folder / f"{number}.jsonl"

    def file(self, name: str) -> Path:
        """Return the file of a record: of a match, or one with another name in the folder.

        Raises
        ------
        InvalidInput
            If there is no such record; another kind of file counts as none.
        """
        path = self.folder / f"{name}.jsonl"
        if not is_name(name) or summary(path) is None:
            raise InvalidInput("there is no such game here")
        return path

    def record(self, number: str) -> Record:
        """Return the record of a match; raise InvalidInput if there is none."""
        self.path(number)
        return read_record(self.file(number))

    def seat_keys(self, number: str) -> SeatKeys:
        """Return the keys of a match's seats; none if there is no such match."""
        return SeatKeys.read(self._keys_file(number)) if NUMBER.fullmatch(number) else SeatKeys()

    def form_of(self, number: str) -> dict[str, str]:
        """Return the form of a match without its seed; no fields if it is not known."""
        fields = self.seat_keys(number).form
        return {str(name): str(value) for name, value in fields.items() if name != "seed"}

    def may_play(self, number: str, key: str) -> bool:
        """Tell whether this key has a seat in a match, or whether the match needs no key."""
        return bool(NUMBER.fullmatch(number)) and self.seat_keys(number).opens(key)

    def latest(self) -> list[RecordSummary]:
        """Return the latest records of matches that are not running, without private ones."""
        if not self.folder.is_dir():
            return []
        running = {match.plan.number for match in self.running()}
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
        found = summary(self.folder / f"{name}.jsonl")
        return found and found._replace(
            can_go_on=not found.sentence and bool(NUMBER.fullmatch(name)),
            people=self.seat_keys(name).names,
        )

    def _keys_file(self, number: str) -> Path:
        return self.folder / f"{number}.keys.json"

    def _keys(self, number: str, seats: int) -> list[str | None]:
        keys = self.seat_keys(number).keys
        return keys if len(keys) == seats else [None] * seats


RECORD = ".jsonl"
"""The suffix of a record's file."""

TAIL = 1 << 16
"""The bytes at the end of a record that contain its last line."""

LONGEST_NAME = 200
"""Characters of a record's name, without the end ``.jsonl``."""


class RecordSummary(NamedTuple):
    """A record in the folder: its name, the game, who played, how it ended, and when.

    Attributes
    ----------
    can_go_on
        Whether it is the record of a suspended match of this server.
    specs
        By seat, the player as written on the command line, or None if unknown.
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
    specs: Sequence[str | None] = ()
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
    specs: list[str | None] | None = None
    levels: list[int] = []


class _End(msgspec.Struct):
    end: str
    sentence: str = ""


def write_beginning(
    path: Path, start: Position, moves: Sequence[int], players: Sequence[PlayerSpec]
) -> None:
    """Write the record of a game that is suspended after some moves."""
    position = start.copy()
    with RecordWriter(path) as record:
        record.header(start, players, MatchOptions())
        for move in moves:
            seat = position.turn
            position.play(move)
            record.move(position, PlayedMove(seat, move, 0.0))


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
    sentence = end.sentence if end else ""
    return RecordSummary(
        path.stem,
        header.game,
        header.players,
        sentence,
        when,
        specs=header.specs or (),
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
