"""``ludograph store``: checks a store for damage, and writes a repaired copy."""

from __future__ import annotations

from pathlib import Path

import click

from ludograph.cli.option_types import OutputFile
from ludograph.cli.program import Group, argument, option
from ludograph.errors import InvalidInput
from ludograph.games.options import OptionType

CHECK_EXAMPLES = """\
Examples:
  ludograph store check course.db           is it damaged?
  ludograph store check course/games.db     the store of a ladder
"""

REPAIR_EXAMPLES = """\
Examples:
  ludograph store repair course.db                writes course.repaired.db
  ludograph store repair course.db --to new.db    writes new.db
"""


class StoreFile(OptionType):
    """The file of a store, which must exist."""

    metavar = "FILE"
    expected = "a file that is there"

    def parse(self, text: str) -> Path:
        """Return the path; raise InvalidInput if there is no such file."""
        path = Path(text)
        if not path.is_file():
            raise InvalidInput(f"{text[:200]}: there is no such file")
        return path


@click.group(
    "store",
    cls=Group,
    short_help="Check a store for damage, or repair it.",
    options_metavar="",
    subcommand_metavar="check|repair FILE",
)
def store() -> None:
    """Check the file in which tournaments, a ladder or solved moves are kept, and repair it."""


@store.command("check", epilog=CHECK_EXAMPLES, short_help="Check a store for damage.")
@argument("file", type=StoreFile(), metavar="FILE")
def check(file: Path) -> None:
    """Check a store for damage: its structure, each result and each record.

    This command reads the whole file. If something is wrong, it says what is lost, and the exit
    code is 2.
    """
    from ludograph.arena.solved import store as solved
    from ludograph.arena.store import salvage

    check_file = solved.check_file if solved.holds_solved_moves(file) else salvage.check_file
    click.echo(f"{file}: no damage found: {check_file(file).kept}")


@store.command("repair", epilog=REPAIR_EXAMPLES, short_help="Write a repaired copy of a store.")
@argument("file", type=StoreFile(), metavar="FILE")
@option(
    "Output",
    "--to",
    "copy",
    type=OutputFile(".db"),
    help="File of the copy (default: NAME.repaired.db).",
)
def repair(file: Path, copy: Path | None) -> None:
    """Write a repaired copy of a damaged store, with everything that can still be read.

    The damaged file stays as it is. If you continue a tournament with the copy, the lost games
    are played again.
    """
    if copy is None:
        copy = file.with_name(f"{file.stem}.repaired.db")
        if copy.exists():
            raise click.UsageError(f"{copy} exists already; choose another file with --to")
    if copy.resolve() == file.resolve():
        raise click.UsageError(f"--to: {copy} is the damaged store itself")
    from ludograph.arena.solved import store as solved
    from ludograph.arena.store import salvage

    found: salvage.Salvaged | solved.SalvagedProofs
    if solved.holds_solved_moves(file):
        found = solved.salvaged(file)
        solved.write_copy(found, copy)
    else:
        found = salvage.salvaged(file)
        salvage.write_copy(found, copy)
    click.echo(f"{copy}: {found.kept}; {found.lost}")
