"""Ladders on pages: who is where, how a player got there, and taking its next version in."""

from __future__ import annotations

import hashlib
import re
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from ludograph.arena import cross_table
from ludograph.arena.ladder import Ladder
from ludograph.arena.ladder.folder import SUFFIXES, unusable, write_whole
from ludograph.arena.ladder.now import Now, ladder_now, schedule
from ludograph.arena.ladder.plot import plot
from ludograph.arena.ladder.reasons import reasons_of
from ludograph.arena.ladder.snapshots import read_snapshots
from ludograph.arena.ladder.state import parted
from ludograph.arena.ladder.table import FIXED, VERSION_SHOWN, Line
from ludograph.arena.played import PlayedGame
from ludograph.arena.rendering import elo_text, interval_text
from ludograph.arena.store import Store
from ludograph.arena.store.history import games_of, names_there, records_there, versions_of
from ludograph.errors import InvalidInput
from ludograph.players.isolation.levels import Level

FRESH = 3.0
"""Seconds for which a table is good: ratings take their time."""

CROSSED = 40
"""Players in a cross table, at most."""

LATEST = 30
"""Games of a player that are listed."""

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", re.ASCII)
OWNERS = ".owners.json"


class NotYours(InvalidInput):
    """Somebody else has brought the player of that name."""


@dataclass
class LadderPages:
    """A ladder whose folder is on this machine.

    Attributes
    ----------
    granted
        The strongest level of isolation that holds here; None if none does.
    missing
        The sentence that says why, then.
    """

    ladder: Ladder
    granted: Level | None = None
    missing: str = "players' files cannot be isolated here"
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _now: tuple[float, Now] | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """What it is called in addresses: the name of its folder."""
        return self.ladder.folder.path.resolve().name

    @property
    def now(self) -> Now:
        """The ladder as it was a moment ago."""
        with self._lock:
            if self._now is None or time.monotonic() - self._now[0] > FRESH:
                self._now = time.monotonic(), ladder_now(self.ladder)
            return self._now[1]

    def overview(self) -> dict[str, Any]:
        """Return all that the page of the ladder tells."""
        now = self.now
        lines = now.table.lines
        order = [line.player for line in lines if line.games][:CROSSED]
        meetings = cross_table([by_name(game) for game in now.games], order)
        return {
            "ladder": self,
            "table": now.table,
            "rows": [row(line) for line in lines],
            "order": order,
            "cross": meetings,
            "next": [
                [parted(label)[0] for label in pairing.players]
                for pairing in schedule(self.ladder, now)
            ],
            "closed": self.closed(),
        }

    def plot(self) -> str:
        """Return the ratings over time as SVG."""
        players = [line.player for line in self.now.table.lines if line.rating is not None]
        return plot(read_snapshots(self.ladder.folder), players, "Ratings over time")

    def player(self, name: str) -> dict[str, Any]:
        """Return all that the page of a player tells.

        Raises
        ------
        InvalidInput
            If there is none of that name.
        """
        now, folder = self.now, self.ladder.folder
        line = next((one for one in now.table.lines if one.player == name), None)
        entrant = now.state.named(name)
        versions, games, kept = [], [], set[int]()
        if folder.store.exists():
            with Store(folder.store, must_exist=True) as store:
                if line is None and name not in names_there(store):
                    raise InvalidInput("there is no such player")
                versions = versions_of(store, now.state.number, name)
                last = versions[-1].version if versions else ""
                version = entrant.version if entrant is not None else last
                games = games_of(store, now.state.number, name, version)
                reasons = reasons_of(games, name)
                latest = games[::-1][:LATEST]
                told = [*reasons.told, *(game.number for game in latest)]
                kept = records_there(store, told)
        elif line is None:
            raise InvalidInput("there is no such player")
        else:
            version, latest, reasons = "", [], reasons_of([], name)
        mine = [one for one in (by_name(game) for game in now.games) if name in one.seating]
        return {
            "ladder": self,
            "name": name,
            "version": version[:VERSION_SHOWN],
            "line": None if line is None else row(line),
            "versions": versions[::-1],
            "shown": VERSION_SHOWN,
            "against": sorted(cross_table(mine).get(name, {}).items()),
            "reasons": reasons,
            "latest": latest,
            "kept": kept,
            "report": folder.read_report(name) if entrant is None or entrant.version else "",
        }

    def closed(self) -> str:
        """Return why no player can be brought here; an empty text if one can."""
        wanted = self.ladder.isolation
        if self.granted is None:
            return self.missing
        if wanted is not None and wanted.level not in (None, self.granted):
            return (
                f"this ladder asks for the isolation {wanted.level}, and players that are brought "
                f"by pages run only in the strictest that holds here, which is {self.granted}"
            )
        return ""

    def bring(self, name: str, data: bytes, token: str) -> None:
        """Put a player's file into the folder of the ladder, which then takes it in.

        Raises
        ------
        NotYours
            If the player of that name was brought with another token, or by hand.
        InvalidInput
            If it cannot be a player, or none can be brought.
        OSError
            If the disk is full.
        """
        if closed := self.closed():
            raise InvalidInput(closed)
        if not name.endswith(SUFFIXES) or not NAME.fullmatch(name) or unusable(name):
            kinds = ", ".join(SUFFIXES)
            raise InvalidInput(
                f"a player is a file of ASCII letters, digits and ._- that ends with {kinds}"
            )
        if not data:
            raise InvalidInput("the file is empty")
        folder = self.ladder.folder
        if not folder.players.is_dir():
            raise InvalidInput("the folder of the players is gone")
        with self._lock:
            file, owners = folder.path / OWNERS, self._owners()
            who = hashlib.sha256(token.encode()).hexdigest()
            free = name not in owners and not (folder.players / name).exists()
            if not free and owners.get(name) != who:
                raise NotYours(f"{name} was brought by somebody else; choose another name")
            if free:
                write_whole(file, msgspec.json.encode({**owners, name: who}))
            write_whole(folder.players / name, data)

    def _owners(self) -> dict[str, str]:
        """Return who has brought which player: digests of tokens, by name."""
        try:
            data = (self.ladder.folder.path / OWNERS).read_bytes()
        except FileNotFoundError:
            return {}
        return msgspec.json.decode(data, type=dict[str, str])


def by_name(game: PlayedGame) -> PlayedGame:
    """Return a game with the names of its players instead of their labels."""
    return game._replace(seating=tuple(parted(label)[0] for label in game.seating))


def row(line: Line) -> Mapping[str, Any]:
    """Return a line of the table as texts."""
    rating = line.rating
    fixed = line.note == FIXED
    return {
        "line": line,
        "version": line.version[:VERSION_SHOWN],
        "elo": "" if rating is None else elo_text(rating).lstrip("+"),
        "interval": ("" if rating is None or fixed else interval_text(rating).replace("+", "")),
    }


def named(ladders: Sequence[LadderPages], name: str) -> LadderPages:
    """Return a ladder by its name; raise InvalidInput if there is none."""
    for one in ladders:
        if one.name == name:
            return one
    raise InvalidInput("there is no such ladder")
