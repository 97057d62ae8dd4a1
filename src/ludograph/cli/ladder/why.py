"""``ludograph ladder why``: what a player's author should look at, ready to be replayed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludograph.cli.ladder.table import LadderPath
from ludograph.cli.option_types import Folder
from ludograph.cli.program import Command, argument, option

EXAMPLES = """\
Examples:
  ludograph ladder why course alice.py                     what went wrong, where
  ludograph ladder why course alice.py --records lost      and these games as files
"""

if TYPE_CHECKING:
    from ludograph.arena.ladder import LadderFolder


@click.command("why", cls=Command, epilog=EXAMPLES, short_help="Tell why a player stands there.")
@argument("folder", type=LadderPath(), metavar="FOLDER")
@argument("player", metavar="PLAYER")
@option("Output", "--records", type=Folder(), help="Write the records of these games there.")
def why(folder: LadderFolder, player: str, records: Path | None) -> None:
    """Tell why a player stands where it does: its forfeits, its worst and its closest losses.

    Of its present version, or its last one if it has left.
    """
    from ludograph.cli.ladder.why_report import write_reasons

    write_reasons(folder, player, records)
