"""The seats of a match: the keys with which browsers play for them, and free seats for visitors.

The keys are stored beside the match's record.
"""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from ludograph.arena.ladder.folder import write_whole
from ludograph.players import PlayerSpec
from ludograph.web.server.limits import Identity

KEY_BYTES = 9


class SeatKeys(msgspec.Struct, frozen=True):
    """The keys of a match's seats: a browser that knows a key, from its link, plays that seat.

    Attributes
    ----------
    keys
        By seat; None for a strategy. Seats of one person have one key.
    own
        The first seat of the person who began the match; None for a spectator.
    form
        The fields of the form that began the match.
    names
        The names of the people by seat, an empty text for a strategy; no entries without a name.
    """

    keys: list[str | None] = []
    own: int | None = None
    form: dict[str, Any] = {}
    names: list[str] = []

    @classmethod
    def drawn(
        cls,
        players: Sequence[PlayerSpec],
        own: Sequence[int],
        form: Mapping[str, str],
        names: Sequence[str],
    ) -> SeatKeys:
        """Return new keys for the people among the players; ``own`` are the seats of the owner."""
        keys = [
            secrets.token_urlsafe(KEY_BYTES) if each.kind == "human" else None for each in players
        ]
        keys = [keys[own[0]] if seat in own else key for seat, key in enumerate(keys)]
        return cls(keys, own[0] if own else None, dict(form), list(names))

    @classmethod
    def read(cls, path: Path) -> SeatKeys:
        """Return the keys in a file; no keys if the file is missing or invalid."""
        try:
            return msgspec.json.decode(path.read_bytes(), type=cls)
        except (OSError, msgspec.DecodeError):
            return cls()

    def write(self, path: Path) -> None:
        """Write them into a file that only this user can read, as a whole or not at all.

        A file without keys would make the match one that anybody may continue.
        """
        write_whole(path, msgspec.json.encode(self), mode=0o600)

    @property
    def settings(self) -> dict[str, str]:
        """The fields of the form without the seed, for another game like it."""
        return {str(name): str(value) for name, value in self.form.items() if name != "seed"}

    @property
    def owner(self) -> str:
        """The key of the person who began the match; empty for a spectator."""
        return "" if self.own is None else str(self.keys[self.own])

    @property
    def people(self) -> int:
        """The number of people who play, counted by their keys."""
        return len({key for key in self.keys if key})

    @property
    def is_private(self) -> bool:
        """Whether lists leave the match out: it is between people, and not listed by its form."""
        return self.people > 1 and self.form.get("listed") != "true"

    def seats_of(self, key: str) -> frozenset[int]:
        """Return the seats that a key opens."""
        return frozenset(seat for seat, own in enumerate(self.keys) if own and own == key)

    def names_of(self, seats: int) -> list[str]:
        """Return the names of people by seat, of a match with that number of seats."""
        return self.names if len(self.names) == seats else [""] * seats

    def opens(self, key: str) -> bool:
        """Tell whether a key is one of these; a match without people needs no key."""
        return key in self.keys if self.people else True

    def links(self, url: str, key: str) -> list[dict[str, Any]]:
        """Return the links for the seats of other people; the owner sends the links to them.

        Each has ``seat``, ``url``, and ``code``, a picture of it.
        """
        if not key or key != self.owner:
            return []
        return [
            {"seat": seat, "url": f"{url}?key={own}", "code": qr_code(f"{url}?key={own}")}
            for seat, own in enumerate(self.keys)
            if own and own != key
        ]


def qr_code(text: str) -> str:
    """Return a QR code as a data URL of its picture."""
    import segno

    code = segno.make(text, error="l", micro=False)
    return str(code.svg_data_uri(dark="#000", light="#fff", border=4))


RESERVED = 60.0
"""Seconds for which a seat is reserved for a visitor who has not opened the page yet."""


@dataclass
class OpenSeats:
    """The seats of other people in one listed match.

    Only one thread at a time may call :meth:`take`.

    Parameters
    ----------
    people
        The seats of each person except the owner; none for a match that is not listed.
    """

    people: Sequence[frozenset[int]] = ()
    _until: dict[frozenset[int], float] = field(default_factory=dict)
    _takers: dict[frozenset[int], Identity] = field(default_factory=dict)

    def see(self, seats: Collection[int]) -> None:
        """Note the seats whose pages are connected: these are no longer free."""
        for person in self.people:
            if person <= set(seats):
                self._until[person] = math.inf

    def free(self) -> list[frozenset[int]]:
        """Return the seats that can be taken, by person."""
        now = time.monotonic()
        return [person for person in self.people if self._until.get(person, now) <= now]

    def take(self, visitor: Identity) -> frozenset[int] | None:
        """Reserve and return the first free seats for this visitor; None if none are free."""
        free = self.free()
        if not free:
            return None
        self._until[free[0]] = time.monotonic() + RESERVED
        self._takers[free[0]] = visitor
        return free[0]

    def takers(self) -> Collection[Identity]:
        """Return the visitors who have taken seats here."""
        return self._takers.values()
