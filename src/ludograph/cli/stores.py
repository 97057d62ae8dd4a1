"""Which store a command reads or writes, and which of its tournaments."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from ludograph.cli.program import option
from ludograph.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ludograph.arena.store import KeptTournament, Results

STORE = option(
    "Store",
    "--store",
    metavar="FILE|URL",
    help="Where tournaments are kept; one of your own if not given.",
)

FORMAT_OPTIONS = (
    option("Output", "--json", "as_json", is_flag=True, help="Write one JSON object."),
    option("Output", "--csv", "as_csv", is_flag=True, help="Write the table as CSV."),
    option("Output", "--markdown", is_flag=True, help="Write the tables as Markdown."),
)


def with_formats(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the forms in which tables can be written to a command."""
    for add in reversed(FORMAT_OPTIONS):
        command = add(command)
    return command


def format_of(as_json: bool, as_csv: bool, markdown: bool) -> str:
    """Return in which form a table is wanted; raise UsageError if in several."""
    given = {"json": as_json, "csv": as_csv, "markdown": markdown}
    chosen = [name for name, value in given.items() if value]
    if len(chosen) > 1:
        raise click.UsageError(f"--{chosen[0]} and --{chosen[1]} exclude each other")
    return chosen[0] if chosen else "text"


def chosen_tournaments(store: Results, numbers: Sequence[int]) -> list[KeptTournament]:
    """Return the tournaments of some numbers, or the one that began last.

    Raises
    ------
    InvalidInput
        If there are none, or one is not there.
    """
    known = {found.number: found for found in store.tournaments()}
    if not known:
        raise InvalidInput(f"{store.name}: the store has no tournaments yet")
    for number in numbers:
        if number not in known:
            raise InvalidInput(
                f"{store.name}: there is no tournament {number}; 'ludograph results --list' "
                "shows those there are"
            )
    return [known[number] for number in numbers] or [known[max(known)]]
