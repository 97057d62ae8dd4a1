"""The authors of a ladder's players: their files, and the readers of what players print."""

from __future__ import annotations

from collections.abc import Mapping

from ludograph.arena.ladder.grades import file_in
from ludograph.arena.ladder.people import Role
from ludograph.web.server.tokens import Register, Visitor


def assigned(register: Register) -> set[str]:
    """Return the files that the list of people names."""
    return {file for person in register.people for file in person.players}


def owned(register: Register, visitor: Visitor, owners: Mapping[str, str]) -> set[str]:
    """Return the files of a visitor; none with a token of another ladder.

    Parameters
    ----------
    owners
        The owners of the players that were submitted on pages, by the players' names.
    """
    if visitor.person is None:
        own = {file for file, owner in owners.items() if owner in visitor.owners}
        return own - assigned(register)
    person = visitor.person_in(register.folder.name)
    return set() if person is None else set(person.owned(owners))


def may_read_output(register: Register, player: str, visitor: Visitor) -> bool:
    """Tell whether a visitor may read what a player has printed, and the report for its author.

    Both may show parts of the source. Operators may read them, and the author with the author's
    team; if the author is not known, everybody may.
    """
    if visitor.role_in(register.folder.name) >= Role.OPERATE:
        return True
    if register.trouble:  # the authors cannot be read
        return False
    owners = register.folder.read_owners()
    if visitor.is_known and file_in(player, [*owned(register, visitor, owners)]):
        return True
    return not file_in(player, [*owners, *assigned(register)])
