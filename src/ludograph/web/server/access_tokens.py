"""Access tokens of a shared server: a role for each token, in a file."""

from __future__ import annotations

import hmac
import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ludograph.arena.ladder.roles import ROLES, Role
from ludograph.documents import read_text, toml
from ludograph.errors import InvalidInput, did_you_mean

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


DOING = {
    Role.LOOK: "look at pages",
    Role.PLAY: "begin games and ask strategies",
    Role.UPLOAD: "upload players to ladders",
    Role.OPERATE: "start tournaments",
}


@dataclass(frozen=True)
class Tokens:
    """The roles of tokens, and of visitors without one.

    Attributes
    ----------
    anybody
        The role without a token.
    roles
        By token.
    """

    anybody: Role = Role.PLAY
    roles: Mapping[str, Role] = field(default_factory=dict)

    def role_of(self, token: str) -> Role:
        """Return the role of a token."""
        given = token.encode("utf-8", "replace")
        role = self.anybody
        for known, granted in self.roles.items():  # all, so that the time reveals nothing
            if hmac.compare_digest(known.encode(), given):
                role = max(role, granted)
        return role


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
