"""``ludograph results``: tables, games and ratings of tournaments; whether a store is damaged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludograph.cli.option_types import RECORD_FILE, OutputFile
from ludograph.cli.program import Group, argument, option, options
from ludograph.cli.shared_options import FORMAT_OPTIONS, STORE, format_of
from ludograph.cli.texts import show_tables
from ludograph.documents import replacing
from ludograph.errors import InvalidInput
from ludograph.formatting import counted
from ludograph.games.options import OptionType, Whole, Word
from ludograph.views.table import Columns, Table, left

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from ludograph.arena.store import GameFilter, Store

NUMBER = Whole(1, 2**31)
SHOWN = 20

TABLES_EXAMPLES = """\
Examples:
  ludograph results                   the tables of the last tournament
  ludograph results 3 --markdown      the tables of tournament 3, for a page
  ludograph results --list            all tournaments
"""

GAMES_EXAMPLES = """\
Examples:
  ludograph results games --player my.py --reason timeout     which games did my.py lose on time?
  ludograph results games --game 17 --record game.jsonl       then: ludograph replay game.jsonl
  ludograph results games 3 --export games.csv                all games of tournament 3
"""

RATE_EXAMPLES = """\
Examples:
  ludograph results rate --anchor greedy=1000          the rating of greedy is 1000
  ludograph results rate 3 4 --forfeits left-out       two tournaments, without the forfeits
"""

CHECK_EXAMPLES = """\
Examples:
  ludograph results check course.db           is it damaged?
  ludograph results check course/games.db     the store of a ladder
"""


class ResultsGroup(Group):
    """The group; the name of its first command may be left out.

    Attributes
    ----------
    default
        The name that may be left out.
    """

    default = "tables"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words before the name of a command."""
        named = args and (args[0] in ctx.help_option_names or args[0].isidentifier())
        if not named and (args or not ctx.resilient_parsing):
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the completions of a word: of an option, those of the command left out."""
        if incomplete.startswith("-"):
            return self.commands[self.default].shell_complete(ctx, incomplete)
        return super().shell_complete(ctx, incomplete)


@click.group(
    "results",
    cls=ResultsGroup,
    short_help="Show tables, games and ratings of tournaments.",
    options_metavar="",
    subcommand_metavar="[COMMAND] ...",
    epilog=TABLES_EXAMPLES,
)
def results() -> None:
    """Show what is kept of tournaments, series and ladders.

    Without the name of a command, 'ludograph results' shows tables.
    """


@results.command("tables", epilog=TABLES_EXAMPLES, short_help="Show the tables of a tournament.")
@argument("number", type=NUMBER, required=False, metavar="[TOURNAMENT]")
@STORE
@option("Output", "--list", "lists", is_flag=True, help="List the tournaments instead.")
@options(FORMAT_OPTIONS)
def tables(number: int | None, store: str | None, lists: bool, **forms: bool) -> None:
    """Show the tables of a tournament (default: of the last one).

    The tournament may still be running.
    """
    from ludograph.cli.tournament.report import write_list, write_results

    form = format_of(**forms)
    if lists:
        write_list(store, form)
    else:
        write_results(number, store, form)


@results.command("games", epilog=GAMES_EXAMPLES, short_help="List games, or save them.")
@argument("numbers", type=NUMBER, nargs=-1, metavar="[TOURNAMENT]...")
@option(
    "Games", "--player", metavar="NAME", help="Games of this player, by its name in the tables."
)
@option("Games", "--opponent", metavar="NAME", help="Games against this player.")
@option(
    "Games", "--reason", metavar="REASON", help="Why the games ended: finished, timeout, crash ..."
)
@option("Games", "--board", metavar="NAME", help="Games on the board of this name.")
@option("Games", "--game", type=NUMBER, help="Only the game with this number.")
@option("Games", "--last", type=Whole(1, 10**9), help="List only the latest N games (default: 20).")
@STORE
@option("Output", "--record", type=RECORD_FILE, help="Write the record of --game, for 'replay'.")
@option(
    "Output",
    "--export",
    type=OutputFile(".jsonl", ".csv"),
    help="Write the games to a file; .jsonl holds their records too.",
)
@option("Output", "--json", "as_json", is_flag=True, help="Write a JSON object per game.")
def games(
    numbers: tuple[int, ...],
    game: int | None,
    last: int | None,
    store: str | None,
    record: Path | None,
    export: Path | None,
    as_json: bool,
    **names: str | None,
) -> None:
    """List the games of some tournaments (default: of all tournaments in the store).

    Each game has a number: '--game N --record FILE' writes the record of game N.
    """
    from ludograph.arena.game_files import game_data
    from ludograph.arena.store import GameFilter, Store

    wanted = GameFilter(tournaments=numbers, game=game, **names)
    if record is not None and game is None:
        raise click.UsageError("--record is for one game, so it needs --game")
    with Store(store, must_exist=True) as opened:
        if record is not None and game is not None:
            data = opened.record(game)
            with replacing(record) as part:
                part.write_bytes(data)
            return
        if export is not None:
            count = _export(opened, wanted, export)
            click.echo(f"{export}: {counted(count, 'game')}")
            return
        found = list(opened.games(wanted))
    shown = found[-(last or SHOWN) :] if last or not as_json else found
    if as_json:
        for one in shown:
            click.echo(json.dumps(game_data(one), ensure_ascii=False))
        return
    if not found:
        click.echo("There is no such game.")
        return
    columns: Columns = ["game", "tournament", "start", "moves", left("ended"), left("result")]
    rows = [
        [one.number, one.tournament, one.start, one.move_count, one.reason, one.sentence]
        for one in shown
    ]
    show_tables(Table(columns, rows))
    if len(shown) < len(found):
        click.echo(
            f"\nThese are the last {len(shown)} of {counted(len(found), 'game')}; see --last."
        )


def _export(store: Store, wanted: GameFilter, path: Path) -> int:
    """Write games to a file, which appears when it is complete; return the number of games."""
    from ludograph.arena.game_files import first_line, lines_of

    games = list(store.games(wanted))
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        file.write(first_line(path.suffix))
        for game in games:
            record = store.record(game.number) if path.suffix == ".jsonl" else b""
            file.write(lines_of(game, path.suffix, record))
    return len(games)


@results.command("rate", epilog=RATE_EXAMPLES, short_help="Rate the players of tournaments.")
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
    help="Whether games that ended by a forfeit count.",
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


@results.command("check", epilog=CHECK_EXAMPLES, short_help="Check a store for damage.")
@argument("file", type=StoreFile(), metavar="FILE")
def check(file: Path) -> None:
    """Check a store for damage: its structure, and whether each game and each record can be read.

    This command reads the whole file. If something is wrong, it says what, and the exit code is 2.
    Values have no checksums: a changed score is not noticed.
    """
    from ludograph.arena.solved.store import SolvedStore, holds_solved_moves
    from ludograph.arena.store import Store

    if holds_solved_moves(file):
        with SolvedStore(file, None) as moves:
            content = f"{moves.title}, {len(moves.known().values)} solved moves"
    else:
        with Store(file, must_exist=True) as kept:
            counts = kept.check_everything()
        content = ", ".join(counted(number, what) for what, number in counts.items())
    click.echo(f"{file}: no damage found: {content}")
