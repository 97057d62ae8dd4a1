"""The participants of ladders on a server, by the tokens of their requests."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ludograph.arena.ladder import LadderFolder
from ludograph.arena.ladder.people import Person, digest_of, read_people
from ludograph.arena.ladder.roles import ROLES, Role
from ludograph.errors import InvalidInput


@dataclass
class Register:
    """The people of a ladder on a server: their file is read again when it changes."""

    folder: LadderFolder
    _known: tuple[Sequence[Person], str] = ((), "")
    _stamp: tuple[int, int, int] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def people(self) -> Sequence[Person]:
        """All people in the present file; none while the file cannot be read."""
        return self._read()[0]

    @property
    def trouble(self) -> str:
        """Why the file cannot be read; empty if it can."""
        return self._read()[1]

    def person(self, token: str) -> Person | None:
        """Return the person of a token; None if it is not valid."""
        digest = digest_of(token) if token else ""
        return next((one for one in self.people if digest and one.digest == digest), None)

    def _read(self) -> tuple[Sequence[Person], str]:
        try:
            status = self.folder.people.stat()
            stamp = (status.st_mtime_ns, status.st_ino, status.st_size)
        except FileNotFoundError:
            stamp = None
        with self._lock:
            if stamp != self._stamp:
                self._stamp = stamp
                try:
                    self._known = read_people(self.folder), ""
                except InvalidInput as error:
                    self._known = (), str(error)
            return self._known


class Member(NamedTuple):
    """The person behind a request, and the name of the ladder with the token."""

    person: Person
    ladder: str

    @property
    def role(self) -> Role:
        """The role of the person."""
        return ROLES[self.person.role]
