"""All matches of a server: those that are played now, and the records of those that were."""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ludograph.errors import InvalidInput, LudographError
from ludograph.games import Position
from ludograph.players import PlayerSpec, parse_player
from ludograph.referee import Clock, Record, read_record
from ludograph.web.kept import Kept, summary, write_beginning
from ludograph.web.live import LiveMatch, Plan

NUMBER = re.compile(r"[0-9]{8}-[0-9a-f]{10}", re.ASCII)

FINISHED = 64
"""So many matches that are over stay in memory, for those who still look at them."""

LISTED = 30


class Full(LudographError):
    """There is no room for another match."""


class Hall:
    """Keeps matches; their records are files in one folder.

    Parameters
    ----------
    most
        How many matches may be played at a time.
    """

    def __init__(self, folder: Path, most: int) -> None:
        self.folder = folder
        self.most = most
        self._lock = threading.Lock()
        self._going_on = threading.Lock()
        self._matches: OrderedDict[str, LiveMatch] = OrderedDict()

    def begin(
        self,
        start: Position,
        players: list[PlayerSpec],
        *,
        own: Sequence[int],
        seed: int = 0,
        clock: Clock | None = None,
        pause: float = 0.0,
        form: Mapping[str, str] | None = None,
    ) -> LiveMatch:
        """Begin a match.

        Parameters
        ----------
        own
            The seats of who begins it; none if it only watches.
        form
            The fields that have asked for it.

        Raises
        ------
        Full
            If too many are played already.
        """
        number, keys = self._opened(players, own, form)
        people = any(keys)
        plan = Plan(
            number,
            start,
            players,
            keys,
            self.path(number),
            seed,
            clock,
            pause=0.0 if people else pause,
            form=self.form_of(number),
        )
        return self._seat(plan)

    def go_on_from(
        self,
        start: Position,
        moves: Sequence[int],
        players: list[PlayerSpec],
        *,
        own: Sequence[int],
        form: Mapping[str, str],
    ) -> tuple[str, str | None]:
        """Begin a match behind some moves; return its number, and the key of who begins it.

        Raises
        ------
        Full
            If too many are played already.
        """
        number, keys = self._opened(players, own, form)
        write_beginning(self.path(number), start, moves, players)
        try:
            self.go_on(number)
        except Full:
            for file in (self.path(number), self._keys_file(number)):
                file.unlink()
            raise
        return number, keys[own[0]] if own else None

    def _opened(
        self, players: Sequence[PlayerSpec], own: Sequence[int], form: Mapping[str, str] | None
    ) -> tuple[str, list[str | None]]:
        """Return the number of a new match, and by seat the keys of people."""
        self.folder.mkdir(parents=True, exist_ok=True)
        number = f"{time.strftime('%Y%m%d')}-{secrets.token_hex(5)}"
        keys = [secrets.token_urlsafe(9) if each.kind == "human" else None for each in players]
        keys = [keys[own[0]] if seat in own else key for seat, key in enumerate(keys)]
        self._keys_file(number).touch(mode=0o600)
        self._keys_file(number).write_bytes(
            msgspec.json.encode({"keys": keys, "own": own[0] if own else None, "form": form or {}})
        )
        return number, keys

    def go_on(self, number: str) -> LiveMatch:
        """Go on with a match that was laid aside, perhaps by another server.

        Raises
        ------
        InvalidInput
            If there is none of this number, or it has ended.
        """
        with self._going_on:  # two at a time would write the same record
            found = self.match(number)
            return found if found is not None and found.running else self._gone_on(number)

    def _gone_on(self, number: str) -> LiveMatch:
        record = self.record(number)
        start = record.start
        specs = [
            parse_player(str(text), start.game, start.seats) for text in record.header["specs"]
        ]
        if strangers := [spec.text for spec in specs if spec.kind not in ("strategy", "human")]:
            raise InvalidInput(f"{strangers[0]} is not played on pages")
        earlier = record.earlier() if record.events else []
        clock = record.header.get("clock")
        plan = Plan(
            number,
            start,
            specs,
            self._keys(number, len(specs)),
            self.path(number),
            int(record.header.get("seed", 0)),
            Clock.parse(clock) if clock else None,
            earlier,
            form=self.form_of(number),
        )
        if record.end is not None:
            raise InvalidInput("this game has ended")
        return self._seat(plan)

    def _seat(self, plan: Plan) -> LiveMatch:
        match = LiveMatch(plan, self._ended)
        with self._lock:
            if sum(other.running for other in self._matches.values()) >= self.most:
                raise Full(
                    f"{self.most} matches are played here already; one of them must end first"
                )
            self._matches[plan.number] = match
            self._matches.move_to_end(plan.number)
        match.start()
        return match

    def _ended(self, _: LiveMatch) -> None:
        """Forget the oldest matches that are over."""
        with self._lock:
            over = [number for number, each in self._matches.items() if not each.running]
            for number in over[:-FINISHED]:
                del self._matches[number]

    def match(self, number: str) -> LiveMatch | None:
        """Return a match that is played now or has just been."""
        return self._matches.get(number)

    def running(self) -> list[LiveMatch]:
        """Return the matches that are played now, the latest first."""
        with self._lock:
            return [match for match in reversed(self._matches.values()) if match.running]

    def say(self, text: str) -> None:
        """Tell all who look that something takes its time."""
        for match in self.running():
            match.say(text)

    def close(self) -> None:
        """Lay all matches aside."""
        running = self.running()
        for match in running:
            match.stop()
        for match in running:
            match.join(1.0)

    def path(self, number: str) -> Path:
        """Return the file of a record; raise InvalidInput if none can have this number."""
        if not NUMBER.fullmatch(number):
            raise InvalidInput("there is no such game here")
        return self.folder / f"{number}.jsonl"

    def record(self, number: str) -> Record:
        """Return a record; raise InvalidInput if there is none."""
        path = self.path(number)
        if not path.is_file():
            raise InvalidInput("there is no such game here")
        return read_record(path)

    def key_of_owner(self, number: str) -> str:
        """Return the key of the seat of who has begun a match; empty if it only watches."""
        kept = self._kept(number)
        own = kept.get("own")
        return str(kept["keys"][own]) if own is not None else ""

    def form_of(self, number: str) -> dict[str, str]:
        """Return the fields that have begun a match, but its seed; none if they are not known."""
        kept = self._kept(number).get("form") if NUMBER.fullmatch(number) else None
        fields = kept if isinstance(kept, dict) else {}
        return {str(name): str(value) for name, value in fields.items() if name != "seed"}

    def is_known(self, number: str, key: str) -> bool:
        """Tell whether a key is one of a match; of one that has none, anybody's is."""
        if not NUMBER.fullmatch(number):
            return False
        keys = [own for own in self._kept(number).get("keys", []) if own]
        return key in keys or not keys

    def latest(self) -> list[Kept]:
        """Return the latest records that are not played now."""
        if not self.folder.is_dir():
            return []
        files = sorted(
            self.folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns, reverse=True
        )
        running = {match.plan.number for match in self.running()}
        found = (summary(path) for path in files[: 2 * LISTED] if path.stem not in running)
        return [each for each in found if each is not None][:LISTED]

    def _keys_file(self, number: str) -> Path:
        return self.folder / f"{number}.keys.json"

    def _kept(self, number: str) -> dict[str, Any]:
        try:
            kept = msgspec.json.decode(self._keys_file(number).read_bytes())
        except (OSError, msgspec.DecodeError):
            return {}
        return kept if isinstance(kept, dict) else {}

    def _keys(self, number: str, seats: int) -> list[str | None]:
        keys = self._kept(number).get("keys", [])
        return keys if len(keys) == seats else [None] * seats
