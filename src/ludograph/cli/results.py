"""``ludograph results``: tables, games and ratings of tournaments; whether a store is damaged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ludograph.cli.option_types import RECORD_FILE, OutputFile
from ludograph.cli.program import DefaultGroup, argument, option, options, output
from ludograph.cli.shared_options import FORMAT_OPTIONS, STORE, format_of
from ludograph.cli.texts import safe, show_json, show_tables
from ludograph.documents import replacing
from ludograph.errors import InvalidInput
from ludograph.formatting import counted
from ludograph.games.options import Whole, Word, decimal_number
from ludograph.players.forfeit import Reason
from ludograph.views.table import Columns, Table, left

if TYPE_CHECKING:
    from ludograph.arena.report import TournamentReport
    from ludograph.arena.results import Results
    from ludograph.arena.store import GameFilter, KeptTournament, Store

filtering = partial(option, "Games")

NUMBER = Whole(1, 2**31)
REASON = Word(("finished", *Reason))
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
  ludograph results rate 3 4                           two tournaments together
"""

CHECK_EXAMPLES = """\
Examples:
  ludograph results check course.db           is it damaged?
  ludograph results check course/games.db     the store of a ladder
"""


@click.group(
    "results",
    cls=DefaultGroup,
    options_metavar="",
    subcommand_metavar="[COMMAND] ...",
    epilog=TABLES_EXAMPLES,
)
def results() -> None:
    """Show tables, games and ratings of tournaments, series and ladders.

    Without the name of a command, 'ludograph results' shows tables.
    """


@results.command("tables", epilog=TABLES_EXAMPLES)
@argument("number", type=NUMBER, required=False, metavar="[TOURNAMENT]")
@STORE
@output("--list", "lists", is_flag=True, help="List the tournaments instead.")
@options(FORMAT_OPTIONS)
def tables(number: int | None, store: str | None, lists: bool, **forms: bool) -> None:
    """Show the tables of a tournament (default: of the last one).

    The tournament may still be running.
    """
    from ludograph.arena.store import Store

    form = format_of(**forms)
    with Store(store, must_exist=True) as opened:
        if lists:
            write_list(opened.tournaments(), form)
            return
        (found,), games = tournaments_of(opened, () if number is None else (number,))
        report = report_of(opened, found.number, found.declaration, games)
    write(report, form)


@results.command("games", epilog=GAMES_EXAMPLES)
@argument("numbers", type=NUMBER, nargs=-1, metavar="[TOURNAMENT]...")
@filtering("--player", metavar="NAME", help="Games of this player, by its name in the tables.")
@filtering("--opponent", metavar="NAME", help="Games against this player.")
@filtering("--reason", metavar="REASON", type=REASON, help="Why they ended: finished, timeout ...")
@filtering("--board", metavar="NAME", help="Games on the board of this name.")
@filtering("--game", type=NUMBER, help="Only the game with this number.")
@filtering("--last", type=Whole(1, 10**9), help="List only the latest N games (default: 20).")
@STORE
@output("--record", type=RECORD_FILE, help="Write the record of --game, for 'replay'.")
@output(
    "--export",
    type=OutputFile(".jsonl", ".csv"),
    help="Write the games to a file; .jsonl holds their records too.",
)
@output("--json", "as_json", is_flag=True, help="Write a JSON object per game.")
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
            show_json(game_data(one))
        return
    if not found:
        click.echo("There is no such game.")
        return
    columns: Columns = ["game", "tournament", "start", "moves", left("ended"), left("result")]
    rows = [
        [one.number, one.tournament, one.start, one.move_count, one.reason, one.told]
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


@results.command("rate", epilog=RATE_EXAMPLES)
@argument("numbers", type=NUMBER, nargs=-1, metavar="[TOURNAMENT]...")
@option(
    "Ratings",
    "--anchor",
    metavar="PLAYER[=ELO]",
    help="Player with a fixed rating; ELO is this rating (default: 0).",
)
@STORE
@options(FORMAT_OPTIONS)
def rate(
    numbers: tuple[int, ...],
    anchor: str | None,
    store: str | None,
    **forms: bool,
) -> None:
    """Rate the players of tournaments: of one, or of several of the same game.

    If the file of a player changed between tournaments, each version has a rating of its own.
    """
    from ludograph.arena.report import TournamentReport, rated, title_of
    from ludograph.arena.store import Store

    form = format_of(**forms)
    with Store(store, must_exist=True) as opened:
        found, games = tournaments_of(opened, numbers)
    fixed = {} if anchor is None else anchor_of(anchor, games.names)
    report = TournamentReport(
        title="; ".join(title_of(one.number, one.declaration) for one in found),
        games=games.sorted(),
        players=games.names,
        data={"tournaments": [one.number for one in found]},
        ratings=rated(games, games.names, **fixed),
    )
    write(report, form, cross=False)


@results.command("check", epilog=CHECK_EXAMPLES)
@argument("file", type=click.Path(path_type=Path))
def check(file: Path) -> None:
    """Check a store for damage: its structure, and whether each game and each record can be read.

    This command reads the whole file. If something is wrong, it says what, and the exit code is 2.
    Values have no checksums: a changed score is not noticed.
    """
    from ludograph.arena.solved import SolvedStore, holds_solved_moves
    from ludograph.arena.store import Store

    if not file.is_file():
        raise InvalidInput(f"{file}: there is no such file")
    if holds_solved_moves(file):
        with SolvedStore(file, None) as moves:
            content = f"{moves.title}, {len(moves.known().values)} solved moves"
    else:
        with Store(file, must_exist=True) as kept:
            counts = kept.check_everything()
        content = ", ".join(counted(number, what) for what, number in counts.items())
    click.echo(f"{file}: no damage found: {content}")


def write(report: TournamentReport, form: str, *, cross: bool = True) -> None:
    """Write a report to standard output: ``text``, ``markdown``, ``csv`` or ``json``.

    Parameters
    ----------
    cross
        Whether the cross table, with each player's results against each other one, is written.
    """
    from ludograph.arena.rendering import WIDE, bracket_table

    if form == "json":
        show_json(report.to_data())
    elif form == "csv":
        click.echo(report.csv(), nl=False)
    elif form == "markdown":
        click.echo(report.markdown(cross=cross), nl=False)
    else:
        click.echo(f"{safe(report.title)}, {counted(len(report.games), 'game')}")
        standings, *others = report.tables(cross=cross)
        show_tables(standings.without(*WIDE), *others)
        if report.bracket:
            click.echo()
            show_tables(bracket_table(report.bracket))
        for note in report.notes:
            click.echo(f"\n{safe(note)}")


def report_of(
    store: Store, number: int, declaration: Mapping[str, Any], games: Results
) -> TournamentReport:
    """Return the report of some games of a tournament, with the counts of a pairing."""
    from ludograph.arena.report import is_pairing, tournament_report
    from ludograph.arena.store import GameFilter

    played = None
    if len(games) and is_pairing(declaration):
        last, kept = games.starts.max(), store.games(GameFilter(tournaments=(number,)))
        played = (game for game in kept if game.start <= last)
    return tournament_report(number, declaration, games, played)


def tournaments_of(store: Store, numbers: Sequence[int]) -> tuple[list[KeptTournament], Results]:
    """Return tournaments by number, or the last one that began if none is given, with their games.

    Raises
    ------
    InvalidInput
        If the store has no tournaments, or not all of these.
    UsageError
        If they are not all of one game.
    """
    known = {found.number: found for found in store.tournaments()}
    if not known:
        raise InvalidInput(f"{store.name}: the store has no tournaments yet")
    for number in numbers:
        if number not in known:
            raise InvalidInput(
                f"{store.name}: there is no tournament {number}; 'ludograph results --list' "
                "lists them all"
            )
    found = [known[number] for number in numbers] or [known[max(known)]]
    kinds = {(one.game, one.declaration["seats"]) for one in found}
    if len(kinds) > 1:
        kinds_text = " and ".join(f"{game} with {seats} seats" for game, seats in sorted(kinds))
        raise click.UsageError(f"games of {kinds_text} cannot be rated together")
    return found, store.played(*(one.number for one in found))


def anchor_of(text: str, players: Sequence[str]) -> dict[str, Any]:
    """Return the anchor and, if given, its rating, as arguments of :func:`rated`."""
    name, _, elo = text.rpartition("=")
    if text in players or not name:
        return {"anchor": text}
    try:
        return {"anchor": name, "anchor_elo": decimal_number(elo)}
    except ValueError:
        raise click.UsageError(f"--anchor must be as in greedy=1000, got {text[:80]!r}") from None


def write_list(found: Sequence[KeptTournament], form: str) -> None:
    """Write a line for each tournament of a store."""
    if form == "json":
        data = [
            {"tournament": one.number, "created": one.created, "games": one.games, "of": one.game}
            for one in found
        ]
        show_json(data)
        return
    if form != "text":
        raise click.UsageError(f"--list has no --{form}")
    columns: Columns = ["number", left("began"), "games", "players", left("what")]
    rows = []
    for one in found:
        told = one.declaration
        what = f"{told['format']}: {told['title']}"
        rows.append([one.number, one.created, one.games, len(told["names"]), what])
    show_tables(Table(columns, rows))
