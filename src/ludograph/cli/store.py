"""``ludograph store``: checks a store for damage."""

from __future__ import annotations

from pathlib import Path

import click

from ludograph.cli.program import Group, argument
from ludograph.errors import InvalidInput
from ludograph.games.options import OptionType

CHECK_EXAMPLES = """\
Examples:
  ludograph store check course.db           is it damaged?
  ludograph store check course/games.db     the store of a ladder
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
    short_help="Check a store for damage.",
    options_metavar="",
    subcommand_metavar="check FILE",
)
def store() -> None:
    """Check the file in which tournaments, a ladder or solved moves are kept."""


@store.command("check", epilog=CHECK_EXAMPLES, short_help="Check a store for damage.")
@argument("file", type=StoreFile(), metavar="FILE")
def check(file: Path) -> None:
    """Check a store for damage: its structure, and whether each game and each record can be read.

    This command reads the whole file. If something is wrong, it says what, and the exit code is 2.
    Values have no checksums: a changed score is not noticed.
    """
    from ludograph.arena.solved.store import SolvedStore, holds_solved_moves
    from ludograph.arena.store import Store
    from ludograph.counting import counted

    if holds_solved_moves(file):
        with SolvedStore(file, None) as moves:
            content = f"{moves.title}, {len(moves.known().values)} solved moves"
    else:
        with Store(file, must_exist=True) as games:
            counts = games.check_everything()
        content = ", ".join(counted(number, what) for what, number in counts.items())
    click.echo(f"{file}: no damage found: {content}")
