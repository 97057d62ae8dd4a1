"""Tokens: who sends a request, and with which role.

A token is one of the server's file, which gives a role, or that of a person in a ladder, who has a
role there. Only digests are compared, so that the time of an answer reveals nothing.
"""

from __future__ import annotations

import os
import re
import secrets
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request

from ludograph.arena.ladder import LadderFolder
from ludograph.arena.ladder.folder import OPERATOR
from ludograph.arena.ladder.people import ROLES, Person, Role, digest_of, read_people
from ludograph.documents import read_text, toml
from ludograph.errors import InvalidInput, did_you_mean
from ludograph.formatting import without_folders

LEAST = 12
"""The least length of a token in characters: shorter ones can be guessed."""

PATTERN = re.compile(rf"[ -~]{{{LEAST},}}")
"""A token: cookies and headers have no other characters."""

SIZE_LIMIT = 1 << 20
"""The greatest size of a file of tokens in bytes."""

NEW = """\
# Roles on the pages of this server. Each role also has the rights of the roles above it.
# A role may have several tokens, as in upload = ["...", "..."]: only the token that
# uploaded a player can upload its next version.

look = "{look}"  # see matches, records, tables
play = "{play}"  # begin games, play them, ask strategies
upload = "{upload}"  # upload players to ladders
operate = "{operate}"  # start tournaments

anybody = "nothing"  # what may be done without a token: nothing, look or play
"""


WRONG = "This token is not valid here: it is mistyped, was revoked, or was replaced by a newer one."


class Visitor(NamedTuple):
    """The sender of a request.

    Attributes
    ----------
    role
        The role on the server.
    owner
        The owner of the players that the visitor uploads: a person, a team, the operator, or the
        digest of the token.
    is_known
        Whether the token is valid.
    person
        The person, if a ladder knows the token.
    ladder
        The name of that ladder.
    elsewhere
        The role in other ladders than that of the person.
    is_wrong
        Whether there is a token, but none that is valid.
    """

    role: Role
    owner: str = ""
    is_known: bool = False
    person: Person | None = None
    ladder: str = ""
    elsewhere: Role = Role.LOOK
    is_wrong: bool = False

    @property
    def owners(self) -> tuple[str, ...]:
        """The owners whose players the visitor may replace."""
        return (self.owner,) if self.person is None else self.person.owners

    def person_in(self, ladder: str) -> Person | None:
        """Return the person; None if the ladder is not the person's own."""
        return self.person if self.ladder == ladder else None

    def role_in(self, ladder: str) -> Role:
        """Return the role in a ladder: people upload and operate only in their own one."""
        if self.person is None or self.ladder == ladder:
            return self.role
        return max(self.elsewhere, min(self.role, Role.PLAY))


def visitor_of(request: Request) -> Visitor:
    """Return the sender of a request, as ``AccessControl`` has found it by the token."""
    visitor: Visitor = request.state.visitor
    return visitor


def may(request: Request, role: Role) -> bool:
    """Tell whether the sender of a request has a role."""
    return visitor_of(request).role >= role


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
        digest = digest_of(token)  # never empty, as that of a revoked token is
        return next((one for one in self.people if one.digest == digest), None)

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
                    self._known = (), without_folders(str(error))
            return self._known


@dataclass(frozen=True)
class Tokens:
    """The roles of the server's tokens, and of visitors without one.

    Attributes
    ----------
    anybody
        The role without a token.
    roles
        By token.
    """

    anybody: Role = Role.PLAY
    roles: Mapping[str, Role] = field(default_factory=dict)

    @cached_property
    def _by_digest(self) -> Mapping[str, Role]:
        return {digest_of(token): role for token, role in self.roles.items()}

    def visitor(self, token: str, registers: Iterable[Register]) -> Visitor:
        """Return the sender of a request with a token, which may be empty or wrong.

        The token of a person has the person's role, also where visitors without one operate.

        Parameters
        ----------
        registers
            The people of the server's ladders.
        """
        digest = digest_of(token)
        known = self._by_digest.get(digest)
        role = max(self.anybody, known or Role.NOTHING)
        for register in registers:
            if (person := register.person(token)) is not None:
                elsewhere = max(min(self.anybody, Role.PLAY), known or Role.NOTHING)
                own = max(elsewhere, ROLES[person.role])
                return Visitor(own, person.owner, True, person, register.folder.name, elsewhere)
        owner = OPERATOR if role >= Role.OPERATE else digest
        is_wrong = bool(token) and known is None
        return Visitor(role, owner, known is not None, elsewhere=role, is_wrong=is_wrong)


ALONE = Tokens(Role.OPERATE)
"""The roles on a server that only this machine can reach."""

OPEN = Tokens(Role.PLAY)
"""The roles on a public server without tokens: no uploads of players, no tournaments."""


def write_tokens(path: Path) -> None:
    """Write a file with new tokens, which only this user can read.

    Raises
    ------
    InvalidInput
        If it cannot be written.
    """
    text = NEW.format(**{name: secrets.token_urlsafe(15) for name in ROLES})
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise InvalidInput(f"{path}: {error.strerror}") from None
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)


def read_tokens(path: Path) -> Tokens:
    """Return the tokens in a file.

    Raises
    ------
    InvalidInput
        If it cannot be read, or something in it is wrong.
    """
    data = toml(path, read_text(path, "file of tokens", SIZE_LIMIT))
    words = {"nothing": Role.NOTHING, "look": Role.LOOK, "play": Role.PLAY}
    anybody = data.pop("anybody", "nothing")
    if not isinstance(anybody, str) or anybody not in words:
        raise InvalidInput(f"{path}: anybody: choose {', '.join(words)}")
    roles: dict[str, Role] = {}
    for name, value in data.items():
        if name not in ROLES:
            meant = did_you_mean(name, [*ROLES, "anybody"])
            raise InvalidInput(f"{path}: there is no role {name!r}{meant}")
        for token in value if isinstance(value, list) else [value]:
            if not isinstance(token, str) or not PATTERN.fullmatch(token):
                raise InvalidInput(
                    f"{path}: {name}: a token has {LEAST} or more printable ASCII characters"
                )
            if token in roles:
                raise InvalidInput(f"{path}: {name}: a token is there twice")
            roles[token] = ROLES[name]
    return Tokens(words[anybody], roles)
