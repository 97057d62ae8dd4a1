"""``ludograph solve hex``: the winning openings of a board."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from ludograph.cli.program import Command, option
from ludograph.cli.texts import amount, seconds
from ludograph.cli.values import Seconds, Whole

if TYPE_CHECKING:
    from ludograph.games.hex.solving import OpeningMap

LARGEST = 7
"""As in ``games/hex/solving/grid.py``; not imported, so that ``--help`` stays quick."""
NO_ANSWER = 1
"""The exit code where the time was over first."""

EPILOG = """\
Example:
  ludograph solve hex --size 6                 which first moves of black win?

W wins, L loses, ? the time was over first: the exit code is 1 then.
"""


@click.command("hex", cls=Command, short_help="Map the winning openings of Hex.", epilog=EPILOG)
@option("Search", "--size", type=Whole(1, LARGEST), default=5, help="Cells in a row; 5.")
@option(
    "Search", "--time", "limit", type=Seconds(0.01, 1e6), default=60.0, help="Seconds at most; 60."
)
@option("Output", "-q", "--quiet", is_flag=True, help="Write the map only.")
@option("Output", "--json", "as_json", is_flag=True, help="Write one JSON object.")
def solve_hex(size: int, limit: float, quiet: bool, as_json: bool) -> None:
    """Tell for each first move of black whether it wins, without the pie rule."""
    from ludograph.games.hex.solving import HexSolver, solve_openings

    found = solve_openings(HexSolver(size, time=limit))
    if as_json:
        data = {
            "size": size,
            "map": list(found.rows),
            "complete": found.complete,
            "nodes": found.nodes,
            "seconds": round(found.seconds, 6),
        }
        click.echo(json.dumps(data))
    else:
        click.echo(picture(found))
        if not quiet:
            positions = amount(found.nodes, "position")
            click.echo(f"({positions} searched in {seconds(found.seconds)})")
    if not found.complete:
        click.get_current_context().exit(NO_ANSWER)


def picture(found: OpeningMap) -> str:
    """Return the map as the board lies: each row half a cell further to the right."""
    columns = " ".join(chr(ord("a") + column) for column in range(len(found.rows)))
    lines = [f"  {columns}"]
    for row, letters in enumerate(found.rows):
        lines.append(f"{' ' * row}{row + 1} {' '.join(letters)}")
    return "\n".join(lines)
