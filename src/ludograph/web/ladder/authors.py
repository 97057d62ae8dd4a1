"""The authors of a ladder's players: their files, and the readers of what players print."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from starlette.requests import Request

from ludograph.arena.ladder.grades import file_in
from ludograph.arena.ladder.people import digest_of
from ludograph.arena.ladder.roles import Role
from ludograph.web.server.register import Member, Register


class Sender(NamedTuple):
    """The person who sends a request, for example one with a player's file.

    Attributes
    ----------
    role
        The role on the server.
    member
        The person, if a ladder knows the token.
    granted
        The role in other ladders than that of the person.
    """

    token: str
    role: Role
    member: Member | None = None
    granted: Role = Role.LOOK

    def role_in(self, ladder: str) -> Role:
        """Return the role in a ladder: people have theirs in their own one."""
        return self.role if self.member is None or self.member.ladder == ladder else self.granted

    @property
    def owner(self) -> str:
        """The owner of the player."""
        return digest_of(self.token) if self.member is None else self.member.person.owner

    @property
    def owners(self) -> tuple[str, ...]:
        """The owners whose players the sender may replace."""
        return (self.owner,) if self.member is None else self.member.person.owners


def sender_of(request: Request) -> Sender:
    """Return the person who sent a request."""
    state = request.state
    return Sender(state.token, state.role, state.member, state.granted)


def assigned(register: Register) -> set[str]:
    """Return the files that the list of people names."""
    return {file for person in register.people for file in person.players}


def owned(register: Register, sender: Sender, owners: Mapping[str, str]) -> set[str]:
    """Return the files of a sender; none with a token of another ladder.

    Parameters
    ----------
    owners
        The owners of the players that were submitted on pages, by the players' names.
    """
    if sender.member is None:
        own = {file for file, owner in owners.items() if owner in sender.owners}
        return own - assigned(register)
    if sender.member.ladder != register.folder.name:
        return set()
    return set(sender.member.person.owned(owners))


def may_read_output(register: Register, player: str, visitor: Sender) -> bool:
    """Tell whether a visitor may read what a player has printed, and the report for its author.

    Both may show parts of the source. Operators may read them, and the author with the author's
    team; if the author is not known, everybody may.
    """
    if visitor.role_in(register.folder.name) >= Role.OPERATE:
        return True
    if register.trouble:  # the authors cannot be read
        return False
    owners = register.folder.read_owners()
    if visitor.token and file_in(player, [*owned(register, visitor, owners)]):
        return True
    return not file_in(player, [*owners, *assigned(register)])
