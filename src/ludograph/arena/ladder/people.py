"""The people of a ladder: participants with a token each, with which they submit their players.

They are listed in ``people.json`` in the ladder's folder. Only the SHA-256 digest of a token is
stored: a token has 118 random bits, so it cannot be found from its digest.
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import secrets
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import msgspec
from msgspec.structs import replace

from ludograph.arena.ladder.folder import SUFFIXES, LadderFolder, unusable, write_whole
from ludograph.arena.ladder.lookalikes import INVISIBLE
from ludograph.documents import read_bytes, read_text
from ludograph.errors import InvalidInput, did_you_mean
from ludograph.formatting import described
from ludograph.views.table import Table

COLUMNS = ("name", "id", "team", "role", "players", "mail")
"""The columns of a file of people; only the first must be there."""

KEPT = {"name", "team", "role", "players"}
"""The columns that become a person's. The address is for the list of tokens alone."""

SPELLINGS = {"e-mail": "mail", "email": "mail"}
"""Other names of columns."""

SIZE_LIMIT = 1 << 20
"""Bytes of a file of people, at most."""

MOST = 10_000
"""People of a ladder, at most."""

LETTERS = 100
"""Characters of a name, an identifier or a team, at most."""

USUAL_ROLE = "upload"

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Characters of tokens: people type them from paper, so none looks like another."""

TOKEN_LENGTH = 24


class Role(IntEnum):
    """What a person may do on the pages of a server; each role includes the roles before it."""

    NOTHING = 0
    LOOK = 1
    PLAY = 2
    UPLOAD = 3
    OPERATE = 4


ROLES = {role.name.lower(): role for role in Role if role}


class Person(msgspec.Struct, frozen=True):
    """A participant.

    Attributes
    ----------
    id
        The identifier, such as a student number; unique in a ladder.
    name
        The name, shown to the person and to operators, and to everybody if the ladder has
        ``show_names``.
    digest
        The SHA-256 digest of the token, in hexadecimal; empty once the token is revoked.
    team
        The team, whose members share their players; empty for none.
    role
        A name of :class:`~ludograph.arena.ladder.people.Role`.
    players
        Files in the players' folder that are the person's, although they were not submitted with a
        token.
    """

    id: str
    name: str
    digest: str = ""
    team: str = ""
    role: str = USUAL_ROLE
    players: tuple[str, ...] = ()

    @property
    def owner(self) -> str:
        """The owner of a player that the person submits: the team, or the person."""
        return f"team {self.team}" if self.team else f"person {self.id}"

    @property
    def owners(self) -> tuple[str, ...]:
        """The owners of all the person's players: the team, and, before the team, the person."""
        return (f"person {self.id}", self.owner)

    def owns(self, player: str, owners: Mapping[str, str]) -> bool:
        """Tell whether a player is the person's or the team's.

        Parameters
        ----------
        owners
            The owners of the players that were brought on pages, by the players' names.
        """
        return player in self.players or owners.get(player) in self.owners

    def owned(self, owners: Mapping[str, str]) -> list[str]:
        """Return the names of all players of the person and of the team, in order."""
        return sorted({*self.players, *(name for name in owners if self.owns(name, owners))})


class PeopleFile(NamedTuple):
    """The content of a CSV file of people.

    Attributes
    ----------
    columns
        The columns that the file has.
    rows
        The number of each line, and its person without a token.
    mail
        The addresses of people, by their identifiers.
    """

    columns: frozenset[str]
    rows: list[tuple[int, Person]]
    mail: dict[str, str]


class NewToken(NamedTuple):
    """A new token: it can be shown only now, with the person's address if it is known."""

    person: Person
    token: str
    mail: str = ""


def digest_of(token: str) -> str:
    """Return the stored digest of a token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def with_new_token(person: Person) -> NewToken:
    """Return a person with a new token; an earlier one is not valid any more."""
    token = "".join(secrets.choice(ALPHABET) for _ in range(TOKEN_LENGTH))
    return NewToken(replace(person, digest=digest_of(token)), token)


def read_people(folder: LadderFolder) -> list[Person]:
    """Return the people of a ladder, in the order in which they were added.

    Raises
    ------
    InvalidInput
        If the file is not what was written.
    """
    if not folder.people.exists():
        return []
    data = read_bytes(folder.people, "file of people", 16 * SIZE_LIMIT)
    try:
        people = msgspec.json.decode(data, type=list[Person])
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise InvalidInput(f"{folder.people}: {error}") from None
    for person in people:
        if person.role not in ROLES:
            raise InvalidInput(f"{folder.people}: {person.id}: there is no role {person.role!r}")
    return people


@contextlib.contextmanager
def changed_people(folder: LadderFolder) -> Iterator[dict[str, Person]]:
    """Yield the people of a ladder by their identifiers; at the end changes are written.

    If an error is raised before, nothing is written. Others wait who change people or owners.
    """
    folder.check()
    with folder.people_locked():
        people = {person.id: person for person in read_people(folder)}
        yield people
        text = msgspec.json.format(msgspec.json.encode(list(people.values())))
        write_whole(folder.people, text, mode=0o600)


def add_people(folder: LadderFolder, listed: Path) -> list[NewToken]:
    """Add the people of a CSV file; return those that are new, with their tokens.

    People that are there already keep their tokens. Their names, and what the other columns of the
    file hold, become those of the file. If all people of a team get another team together, or one
    person leaves a team of one, the players of the team go with them.

    Raises
    ------
    InvalidInput
        With the line, if something in the file is wrong; then nobody is added.
    """
    columns, rows, mail = people_in(listed)
    new = []
    with changed_people(folder) as people:
        before, owners = dict(people), folder.read_owners()
        for _, row in rows:
            known = people.get(row.id)
            if known is None:
                made = with_new_token(row)
                new.append(made._replace(mail=mail.get(row.id, "")))
                people[row.id] = made.person
            else:
                given = {column: getattr(row, column) for column in KEPT & columns}
                people[row.id] = replace(known, **given)
        moved = _moved(before, people, owners)
        for line, row in rows:
            for player in row.players:
                _check_unowned(f"{listed}, line {line}", player, people, people[row.id], moved)
        if len(people) > MOST:
            raise InvalidInput(f"{listed}: a ladder has {MOST} people at most")
        if moved != owners:
            write_whole(folder.owners, msgspec.json.encode(moved))
    return new


def _moved(
    before: Mapping[str, Person], people: Mapping[str, Person], owners: Mapping[str, str]
) -> dict[str, str]:
    """Return the owners of players after a change of teams.

    If all members of a team have the same new owner, its players are of this owner.
    """
    present = {person.owner for person in people.values()}
    heirs: dict[str, set[str]] = {}
    for person in before.values():
        if person.team:
            heirs.setdefault(person.owner, set()).add(people[person.id].owner)
    new = {old: min(own) for old, own in heirs.items() if old not in present and len(own) == 1}
    return {player: new.get(owner, owner) for player, owner in owners.items()}


def left_behind(people: Sequence[Person], owners: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the players of teams in which nobody is any more, by team."""
    left: dict[str, list[str]] = {}
    for player, owner in sorted(owners.items()):
        kind, _, team = owner.partition(" ")
        if kind == "team" and not any(person.owns(player, owners) for person in people):
            left.setdefault(team, []).append(player)
    return left


def _check_unowned(
    where: str, player: str, people: Mapping[str, Person], own: Person, owners: Mapping[str, str]
) -> None:
    """Raise InvalidInput if a player belongs to another person, outside the person's team.

    A player that was brought with a token of the server's file becomes the person's.
    """
    for other in people.values():
        if other.owner != own.owner and other.owns(player, owners):
            raise InvalidInput(f"{where}: players: {player} is the player of {other.id}")


def people_in(file: Path) -> PeopleFile:
    """Return the people of a CSV file, without tokens, and the line of each.

    The first line names the columns, of `COLUMNS`; commas, semicolons or tabs separate them.

    Raises
    ------
    InvalidInput
        With the line, if something is wrong.
    """
    text = read_text(file, "file of people", SIZE_LIMIT)
    head = text.partition("\n")[0]
    separator = max(",;\t", key=head.count)
    reader = csv.reader(text.splitlines(keepends=True), delimiter=separator, strict=True)
    found: list[tuple[int, Person]] = []
    seen: dict[str, int] = {}
    mail: dict[str, str] = {}
    try:
        heads = [name.strip().lower() for name in next(reader, [])]
        columns = [SPELLINGS.get(name, name) for name in heads]
        _check_columns(file, columns)
        for row in reader:
            if not any(cell.strip() for cell in row):
                continue
            where = f"{file}, line {reader.line_num}"
            if len(row) != len(columns):
                raise InvalidInput(f"{where}: {len(row)} cells, and {len(columns)} columns")
            cells = dict(zip(columns, map(str.strip, row), strict=True))
            person = _person(where, cells)
            if person.id in seen:
                raise InvalidInput(f"{where}: {person.id} is in line {seen[person.id]} already")
            seen[person.id] = reader.line_num
            found.append((reader.line_num, person))
            mail[person.id] = cells.get("mail", "")
    except csv.Error as error:
        raise InvalidInput(f"{file}, line {reader.line_num}: {error}") from None
    if not found:
        raise InvalidInput(f"{file}: there is nobody in it")
    return PeopleFile(frozenset(columns), found, mail)


def _check_columns(file: Path, columns: Sequence[str]) -> None:
    """Raise InvalidInput if the first line does not name columns as it should."""
    for name in columns:
        if name not in COLUMNS:
            meant = did_you_mean(name, COLUMNS)
            raise InvalidInput(
                f"{file}, line 1: there is no column {described(name)}; choose "
                f"{', '.join(COLUMNS)}{meant}"
            )
        if columns.count(name) > 1:
            raise InvalidInput(f"{file}, line 1: the column {name} is there twice")
    if "name" not in columns:
        raise InvalidInput(f"{file}, line 1: the column name is missing")


def _person(where: str, cells: Mapping[str, str]) -> Person:
    """Return the person of a line; raise InvalidInput if something in it is wrong."""
    for column, cell in cells.items():
        if not cell.isprintable() or len(cell) > (20 if column == "players" else 1) * LETTERS:
            raise InvalidInput(
                f"{where}: {column}: at most {LETTERS} characters that can be printed"
            )
    name = _composed(cells["name"])
    if not name:
        raise InvalidInput(f"{where}: the name is missing")
    role = cells.get("role", "").lower() or USUAL_ROLE
    if role not in ROLES:
        meant = did_you_mean(role, ROLES)
        raise InvalidInput(
            f"{where}: there is no role {described(role)}; choose {', '.join(ROLES)}{meant}"
        )
    players = tuple(cells.get("players", "").split())
    for player in players:
        if not player.endswith(SUFFIXES) or unusable(player):
            kinds = ", ".join(SUFFIXES)
            raise InvalidInput(f"{where}: players: {player} is not a player's file ({kinds})")
    team = _composed(cells.get("team", ""))
    return Person(_composed(cells.get("id", "")) or name, name, "", team, role, players)


def _composed(text: str) -> str:
    """Return a text in which everything has its usual characters, and only what is drawn.

    An accent can also be a character of its own, and a letter a wide one, which look the same.
    """
    return unicodedata.normalize("NFKC", INVISIBLE.sub("", text)).strip()


def the_person(people: Mapping[str, Person], given: str) -> Person:
    """Return a person by identifier, or by a unique name.

    Raises
    ------
    InvalidInput
        If there is no such person, or there are several.
    """
    given = given if given in people else _composed(given)
    if given in people:
        return people[given]
    alike = [person for person in people.values() if person.name == given]
    if len(alike) == 1:
        return alike[0]
    if alike:
        raise InvalidInput(
            f"{len(alike)} people have this name; choose {', '.join(one.id for one in alike)}"
        )
    raise InvalidInput(f"there is no person {described(given)}{did_you_mean(given, people)}")


def renew_token(folder: LadderFolder, given: str) -> NewToken:
    """Give a person a new token in place of the earlier one, which may be lost or revoked."""
    with changed_people(folder) as people:
        made = with_new_token(the_person(people, given))
        people[made.person.id] = made.person
    return made


def revoke_token(folder: LadderFolder, given: str) -> Person:
    """Revoke a person's token; the person's players stay."""
    with changed_people(folder) as people:
        person = replace(the_person(people, given), digest="")
        people[person.id] = person
    return person


def tokens_sheet(made: Sequence[NewToken], address: str, ladder: str) -> Table:
    """Return new tokens as a table, with a link for each.

    Parameters
    ----------
    address
        Scheme and host of the pages; empty if unknown: then links are to be put behind it.
    ladder
        The name of the ladder on them.
    """
    has_mail = any(new.mail for new in made)
    heads = ["id", "name", "team", "token", *["mail"] * has_mail, "link"]
    rows = []
    for person, token, mail in made:
        link = f"{address}/enter?token={token}&next=/ladders/{quote(ladder)}/me"
        own = [person.id, person.name, person.team, token]
        rows.append([*own, *[mail] * has_mail, link])
    return Table(heads, rows)
