"""``ludograph ladder people``: tokens for the participants of a ladder, and their grade sheet."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from ludograph.cli.option_types import LadderPath, OutputFile, PublicAddress
from ludograph.cli.program import Group, argument, option, output
from ludograph.cli.texts import safe, show_tables
from ludograph.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ludograph.arena.ladder import LadderFolder
    from ludograph.arena.ladder.people import NewToken

ADD_EXAMPLES = """\
Examples:
  ludograph ladder people add course students.csv --out tokens.csv
  ludograph ladder people add course students.csv --url https://games.example --out tokens.csv

Example of FILE:
  name,id,team
  Anna Alder,s1001,
  Bela Birk,s1002,Red
  Cora Cole,s1003,Red
"""

GRADES_EXAMPLES = """\
Examples:
  ludograph ladder people grades course > grades.csv
"""

REMOVE_EXAMPLES = """\
Examples:
  ludograph ladder people remove course s1002
  ludograph ladder people remove course s1002 --store tournaments.db    from a final, too
"""

PRIVATE = 0o600
"""The permissions of a file with tokens."""

URL = output(
    "--url",
    type=PublicAddress(),
    default="",
    help="Address of the pages, as in https://games.example, for the link with each token "
    "(default: the link begins behind the address).",
)

OUT = output(
    "--out",
    type=OutputFile(".csv"),
    help="File for the tokens, which only you can read (default: standard output).",
)


@click.group(
    "people",
    cls=Group,
    options_metavar="",
    subcommand_metavar="add|list|grades|renew|revoke|remove FOLDER ...",
)
def people() -> None:
    """Give each participant of a ladder a token, to upload players on the pages."""


@people.command("add", epilog=ADD_EXAMPLES)
@argument("folder", type=LadderPath(), metavar="FOLDER")
@argument("listed", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE")
@URL
@OUT
def add(folder: LadderFolder, listed: Path, *, url: str, out: Path | None) -> None:
    """Add the people of a CSV file, and write a new token for each as CSV.

    Each token is shown only once: the ladder keeps only its digest. People who are already in the
    ladder keep their tokens; what the columns of the file hold becomes theirs. The file needs the
    column 'name'. It may have 'id', 'team', 'role', 'players' (files that belong to the person) and
    'mail' (an address, which only the written CSV has).
    """
    from ludograph.arena.ladder.people import add_people

    check_writable(out)
    write_tokens(folder, add_people(folder, listed), url, out)
    say_odd_players(folder)


@people.command("list")
@argument("folder", type=LadderPath(), metavar="FOLDER")
def list_people(folder: LadderFolder) -> None:
    """List the people of a ladder, their players and whether their tokens are valid."""
    from ludograph.arena.ladder.people import read_people
    from ludograph.views.table import Table, left

    folder.check()
    owners = folder.read_owners()
    rows = [
        [
            *(one.id, one.name, one.team, one.role, "valid" if one.digest else "revoked"),
            ", ".join(one.owned(owners)),
        ]
        for one in read_people(folder)
    ]
    if not rows:
        click.echo("No people yet; 'ludograph ladder people add' adds some.")
        return
    heads = ["id", "name", "team", "role", "token", "players"]
    show_tables(Table(list(map(left, heads)), rows))
    say_odd_players(folder)


@people.command("grades", epilog=GRADES_EXAMPLES)
@argument("folder", type=LadderPath(), metavar="FOLDER")
def grades(folder: LadderFolder) -> None:
    """Write the grade sheet: a line of CSV for each person, with the best player and its grade.

    The table [grades] in ladder.toml turns the lower limit of the 95 % interval into a grade; the
    column 'rule' has the comparison.
    """
    from datetime import datetime

    from ludograph.arena.ladder.people import read_people
    from ludograph.arena.ladder.table import grades as grades_of
    from ludograph.arena.ladder.table import ladder_now
    from ludograph.cli.declared_files import read_ladder

    ladder = read_ladder(folder)
    date = datetime.now(ladder.zone).isoformat(" ", "seconds")
    found, owners, table = read_people(folder), folder.read_owners(), ladder_now(ladder).table
    click.echo(grades_of(found, owners, table, ladder.grades, date).csv(), nl=False)


@people.command("renew")
@argument("folder", type=LadderPath(), metavar="FOLDER")
@argument("person", metavar="PERSON")
@URL
@OUT
def renew(folder: LadderFolder, person: str, *, url: str, out: Path | None) -> None:
    """Replace the token of a person, by id or name, and write the new one as CSV.

    The earlier token is not valid any more; the players stay.
    """
    from ludograph.arena.ladder.people import renew_token

    check_writable(out)
    write_tokens(folder, [renew_token(folder, person)], url, out)


@people.command("revoke")
@argument("folder", type=LadderPath(), metavar="FOLDER")
@argument("person", metavar="PERSON")
def revoke(folder: LadderFolder, person: str) -> None:
    """Make the token of a person, by id or name, invalid.

    The players stay; remove their files from the folder to take them out of the ladder.
    """
    from ludograph.arena.ladder.people import revoke_token

    revoked = revoke_token(folder, person)
    click.echo(safe(f"the token of {revoked.name} ({revoked.id}) is not valid any more"))


@people.command("remove", epilog=REMOVE_EXAMPLES)
@argument("folder", type=LadderPath(), metavar="FOLDER")
@argument("person", metavar="PERSON")
@option(
    "Stores",
    "--store",
    "stores",
    multiple=True,
    metavar="STORE",
    help="Store of tournaments with the person's players; may be repeated.",
)
def remove(folder: LadderFolder, person: str, *, stores: tuple[str, ...]) -> None:
    """Delete a person's data: the name, the token, the sources and the logs; by id or name.

    The games of the person's players stay under a pseudonym, without what the players said. A
    player of a team stays while others are in the team. The ladder must not be running.
    """
    from ludograph.arena.ladder.leaving import remove_person
    from ludograph.cli.declared_files import read_ladder
    from ludograph.formatting import counted

    removed = remove_person(read_ladder(folder), person, stores)
    games = counted(removed.games, "game")
    click.echo(safe(f"{removed.person.name} ({removed.person.id}) is removed from {folder.path}"))
    for file, name in removed.players.items():
        click.echo(safe(f"{file} is '{name}' now"))
    for file in removed.shared:
        click.echo(safe(f"{file} stays, because it belongs to others in the team, too"))
    click.echo(
        f"{games} renamed; copies in back-ups, in system logs and in files that were exported stay"
    )
    declared = folder.declaration.read_text(encoding="utf-8")
    for name in (removed.person.name, *removed.players):
        if name in declared:
            click.echo(safe(f"{folder.declaration} still has {name}: change it"), err=True)


def check_writable(out: Path | None) -> None:
    """Raise InvalidInput if a file cannot be written: tokens are made only once."""
    if out is not None and not os.access(out.parent, os.W_OK):
        raise InvalidInput(f"{out}: nothing can be written in this folder")


def write_tokens(
    folder: LadderFolder, made: Sequence[NewToken], url: str, out: Path | None
) -> None:
    """Write new tokens as CSV to a file or standard output, and their number to standard error."""
    from ludograph.arena.ladder.folder import write_whole
    from ludograph.arena.ladder.people import tokens_sheet
    from ludograph.formatting import counted

    if not made:
        click.echo("nobody is new: all keep their tokens", err=True)
        return
    text = tokens_sheet(made, url, folder.name).csv()
    if out is not None:
        write_whole(out, text.encode(), mode=PRIVATE)
    else:
        make_private(sys.stdout)
        click.echo(text, nl=False)
    click.echo(f"{counted(len(made), 'token')}, shown this once", err=True)


def make_private(stream: TextIO) -> None:
    """Let nobody else read the file that a stream is redirected to, if it is this user's."""
    try:
        status = os.fstat(stream.fileno())
    except OSError:  # no file at all, as in a test
        return
    if stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid():
        os.fchmod(stream.fileno(), PRIVATE)


def say_odd_players(folder: LadderFolder) -> None:
    """Write to standard error which players of people were never there, or nobody can upload."""
    from ludograph.arena.ladder.people import left_behind, read_people

    found = read_people(folder)
    for person in found:
        for file in person.players:
            places = (folder.players / file, folder.versions / file, folder.withdrawn / file)
            if not any(place.exists() for place in places):
                click.echo(safe(f"{file} of {person.id} is not in {folder.players}"), err=True)
    for team, players in left_behind(found, folder.read_owners()).items():
        click.echo(
            safe(
                f"nobody is in team {team} any more, so {', '.join(players)} cannot be uploaded "
                "again: add the authors once more, with their players in the column 'players'"
            ),
            err=True,
        )
