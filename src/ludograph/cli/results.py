"""``ludograph results`` and ``rate``: the commands for the tables of tournaments."""

from __future__ import annotations

import click

from ludograph.cli.program import Command, argument, option, options
from ludograph.cli.shared_options import FORMAT_OPTIONS, STORE, format_of
from ludograph.games.options import Whole, Word

NUMBER = Whole(1, 2**31)

RESULTS_EXAMPLES = """\
Examples:
  ludograph results                   the tables of the last tournament
  ludograph results 3 --markdown      the tables of tournament 3, for a page
  ludograph results --list            all tournaments
"""

RATE_EXAMPLES = """\
Examples:
  ludograph rate --anchor greedy=1000          the rating of greedy is 1000
  ludograph rate 3 4 --forfeits left-out       two tournaments, without the forfeits
"""


@click.command("results", cls=Command, short_help="Show the tables of a tournament.")
@argument("number", type=NUMBER, required=False, metavar="[TOURNAMENT]")
@STORE
@option("Output", "--list", "lists", is_flag=True, help="List the tournaments instead.")
@options(FORMAT_OPTIONS)
def results(number: int | None, store: str | None, lists: bool, **forms: bool) -> None:
    """Show the tables of a tournament (default: of the last one).

    The tournament may still be running.
    """
    from ludograph.cli.tournament.report import write_list, write_results

    form = format_of(**forms)
    if lists:
        write_list(store, form)
    else:
        write_results(number, store, form)


@click.command("rate", cls=Command, short_help="Rate the players of tournaments.")
@argument("numbers", type=NUMBER, nargs=-1, metavar="[TOURNAMENT]...")
@option(
    "Ratings",
    "--anchor",
    metavar="PLAYER[=ELO]",
    help="Player with a fixed rating; ELO is this rating (default: 0).",
)
@option(
    "Ratings",
    "--forfeits",
    type=Word(("counted", "left-out")),
    default="counted",
    help="Whether games that ended by a forfeit count (default: counted).",
)
@STORE
@options(FORMAT_OPTIONS)
def rate(
    numbers: tuple[int, ...],
    anchor: str | None,
    forfeits: str,
    store: str | None,
    **forms: bool,
) -> None:
    """Rate the players of one tournament or several of the same game, with 95 % intervals.

    If the file of a player changed between tournaments, each version has a rating of its own.
    """
    from ludograph.cli.tournament.report import write_ratings

    write_ratings(numbers, store, format_of(**forms), anchor, counted=forfeits == "counted")


results.epilog, rate.epilog = RESULTS_EXAMPLES, RATE_EXAMPLES
