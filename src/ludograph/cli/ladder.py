"""``ludograph ladder``: the commands that make and run a ladder, show its table, explain a rank."""

from __future__ import annotations

import math
import re
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludograph.cli.game_options import games_group
from ludograph.cli.ladder_people import make_private, people
from ludograph.cli.option_types import GAMES, PICTURE_FILE, Folder, LadderPath, OutputFile
from ludograph.cli.program import Group, Interrupted, argument, option, options, output
from ludograph.cli.progress import LiveStanding, live
from ludograph.cli.shared_options import AS_JSON, EXECUTOR_OPTIONS, RUN_AGAIN, format_of
from ludograph.cli.texts import safe, show_json, show_tables
from ludograph.errors import InvalidInput
from ludograph.formatting import counted
from ludograph.games.declaration import Declaration, Values
from ludograph.games.options import OptionType, Unexpected, Whole, decimal_number

if TYPE_CHECKING:
    from ludograph.arena.executor import Executor
    from ludograph.arena.finished_game import FinishedGame
    from ludograph.arena.ladder import Ladder, LadderFolder
    from ludograph.arena.playing import GamePlan

INIT_EXAMPLES = """\
  ludograph ladder init course {name}     a new ladder in the folder course
  ludograph ladder run course            play it until you stop it
"""

RUN_EXAMPLES = """\
Examples:
  ludograph ladder run course                 play until you stop it
  ludograph ladder run course --for 8h        play for 8 hours
  ludograph ladder run course --once          play one round, for example from a timer
  ludograph ladder run course --cluster tcp://host:8786    on the machines of a cluster
"""

SECRET_EXAMPLES = """\
Examples:
  ludograph ladder secret course                the secret of all games
  ludograph ladder secret course --game 170     the seed to play game 170 again
"""

TABLE_EXAMPLES = """\
Examples:
  ludograph ladder table course                       rank, rating, 95 % interval
  ludograph ladder table course --csv > grades.csv    for a grade sheet
  ludograph ladder table course --html ladder.html --force   a page to put on a server
"""

WHY_EXAMPLES = """\
Examples:
  ludograph ladder why course alice.py                     faults and lost games
  ludograph ladder why course alice.py --records lost      write these games to files
"""

SUBMISSIONS_EXAMPLES = """\
Examples:
  ludograph ladder submissions course                     who handed in what and when
  ludograph ladder submissions course --csv > all.csv     with whole digests
"""

COMPARE_EXAMPLES = """\
Examples:
  ludograph ladder compare course fay.py@5 fay.py@2       is the fifth version better?
  ludograph ladder compare course fay.py greedy           the last version and a built-in player
"""

WIDE = ("id", "digest", "team")
"""Columns that only the CSV and the JSON have."""

PAGE_FILE = OutputFile(".html")

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


class Duration(OptionType):
    """A time to play, as in ``90s``, ``30m``, ``8h`` and ``2d``."""

    metavar = "DURATION"
    expected = "a time, as in 30m, 8h or 2d"

    def parse(self, text: str) -> float:
        """Return the seconds."""
        number, unit = text[:-1], UNITS.get(text[-1:], 0)
        try:
            seconds = decimal_number(number) * unit
        except ValueError:
            seconds = 0.0
        if not 0 < seconds <= 366 * 86_400:
            raise Unexpected(self.expected)
        return seconds


@click.group(
    "ladder",
    cls=Group,
    options_metavar="",
    subcommand_metavar="COMMAND FOLDER ...",
)
def ladder() -> None:
    """Run a ladder, a tournament that never ends.

    Players are files in a folder. Add, change and remove them at any time.
    """


INIT_OPTIONS = (
    option(
        "Ladder",
        "--seats",
        type=Whole(2, 64),
        help="Number of seats (default: the fewest that the game allows).",
    ),
    option("Ladder", "--clock", metavar="CLOCK", help="Time limit: 1s, 60s+1s, start=10s."),
    option(
        "Ladder",
        "--store",
        metavar="URL",
        help="Database of a PostgreSQL server for the games (default: games.db in the folder).",
    ),
)


@games_group(
    "init",
    INIT_OPTIONS,
    about="""Make a ladder of {game}.

        The options are written to the file ladder.toml in the folder. You can change them there.
        """,
    examples=INIT_EXAMPLES,
    no_players="players are put into the folder, so nothing can follow",
    params=[click.Argument(["folder"], metavar="FOLDER")],
    takes=lambda game: game.seats[1] >= 2,
    lacks="is a game for one player",
)
def init(
    game: Declaration,
    given: Values,
    *,
    folder: str,
    seats: int | None,
    clock: str | None,
    store: str | None,
) -> None:
    """Make a ladder: a folder with a file of settings and a folder for players."""
    from ludograph.arena.ladder import LadderFolder
    from ludograph.arena.ladder.ladder import check_new_store
    from ludograph.cli.declared_files import CLOCK, file_text

    path, place = Path(folder), LadderFolder(Path(folder))
    if place.declaration.exists():
        raise InvalidInput(f"{place.declaration}: there is a ladder already")
    settings = {**(game.with_libraries or {}), **game.resolve(given)}  # C players may join
    text = file_text(
        path,
        game,
        settings,
        clock=clock or CLOCK,
        seats=seats or max(2, game.seats[0]),
        store=store or "",
    )
    new = not path.exists()
    place.players.mkdir(parents=True, exist_ok=True)
    place.declaration.write_text(text, encoding="utf-8")
    try:
        made = _read_new(place)
        check_new_store(made)
    except BaseException:  # an option is wrong
        place.declaration.unlink()
        if new:
            place.players.rmdir()
            path.rmdir()
        raise
    click.echo(f"{place.declaration}: {made.title}")
    click.echo(f"put players into {place.players}, then: ludograph ladder run {path}")


ladder.add_command(init)


@ladder.command("run", epilog=RUN_EXAMPLES)
@argument("folder", type=LadderPath(), metavar="FOLDER")
@option("Run", "--games", type=GAMES, help="Stop after this number of games.")
@option("Run", "--for", "duration", type=Duration(), help="Stop after 30m, 8h or 2d.")
@option("Run", "--once", is_flag=True, help="Stop after one round.")
@options(EXECUTOR_OPTIONS)
@output("-q", "--quiet", is_flag=True, help="Show no messages.")
def run(
    folder: LadderFolder,
    *,
    games: int | None,
    duration: float | None,
    once: bool,
    jobs: int | None,
    cluster: str | None,
    quiet: bool,
) -> None:
    """Play the games of a ladder, the most informative ones first.

    You may add, change and remove players at any time. You may stop or kill the command. To
    continue, run the same command again.
    """
    from ludograph.arena.executor import LocalProcesses
    from ludograph.arena.ladder import LadderRun, RunLimits
    from ludograph.arena.ladder.running import Journal
    from ludograph.arena.playing import play_plan
    from ludograph.arena.results import NO_RESULTS
    from ludograph.cli.declared_files import read_ladder
    from ludograph.cli.executors import Machines, holding, jobs_here
    from ludograph.players.isolation import Isolation
    from ludograph.rules.announcer import announcer

    if sum((games is not None, duration is not None, once)) > 1:
        raise click.UsageError("--games, --for and --once exclude each other")
    machines, ladder = Machines(jobs, cluster, quiet), read_ladder(folder)
    announcer.prepare(f"the built-in players of {ladder.game.name}")
    count = jobs_here(jobs, games)
    with folder.locked():
        journal = Journal(folder.log, zone=ladder.zone)
        standing = LiveStanding(games, NO_RESULTS)

        def say(line: str) -> None:
            journal.add(safe(line))
            if not quiet:
                click.echo(safe(line), err=True)

        def ended(game: FinishedGame) -> None:
            standing.add(game)
            draw()

        def make_executor(drawn: Ladder) -> Executor[GamePlan, FinishedGame]:
            if cluster is not None:
                return machines.on_cluster(play_plan, tell=say)
            return LocalProcesses(play_plan, count, drawn.prepare)

        until = None if duration is None else time.monotonic() + duration
        if not quiet:
            click.echo(safe(f"ladder {folder.path}: {ladder.title}"), err=True)
        isolation = ladder.isolation or Isolation.chosen()
        if cluster is None:  # workers of a cluster check their own isolation
            isolation = holding(isolation, quiet=quiet)
        ladder = replace(ladder, isolation=isolation)
        try:
            with live(standing, shown=not quiet) as draw:
                workers = count if cluster is None else 0
                LadderRun(ladder, make_executor, say, ended, workers).run(
                    RunLimits(games, until, once)
                )
        except KeyboardInterrupt:
            done = counted(standing.count, "game")
            raise Interrupted(f"stopped after {done}; {RUN_AGAIN}") from None
    if not quiet:
        click.echo(counted(standing.count, "game"), err=True)


@ladder.command("secret", epilog=SECRET_EXAMPLES)
@argument("folder", type=LadderPath(), metavar="FOLDER")
@option("Secret", "--game", type=Whole(1, 2**63 - 1), help="Show the seed of chance in this game.")
def secret(folder: LadderFolder, *, game: int | None) -> None:
    """Show the secret of a ladder, or the seed of the chance moves in one game.

    A person who knows the secret can compute all chance moves of later games. Show it to nobody
    while the ladder runs. Records of a ladder do not contain it, because students read them. It is
    computed from the store and from the file 'secret' in the folder, which only the operator may
    read. The seed of a game repeats the chance moves of this game, and of the other games between
    the same versions on the same start.
    """
    from ludograph.arena.finished_game import GameKey
    from ludograph.arena.ladder import read_state
    from ludograph.arena.ladder.ladder import kept_store
    from ludograph.arena.store import GameFilter
    from ludograph.arena.store.history import label_of
    from ludograph.cli.declared_files import read_ladder

    ladder = read_ladder(folder)
    with kept_store(ladder, read_state(folder)) as store:
        if store is None:
            raise InvalidInput(f"{folder.path}: no game has been played yet")
        games = () if game is None else tuple(store.games(GameFilter(game=game)))
        if game is not None and not games:
            raise InvalidInput(f"{store.name}: there is no game {game}")
        number = games[0].tournament if games else store.number_of(ladder.key)
        kept = None if number is None else store.kept_secret(number)
    if kept is None:
        raise InvalidInput(f"{store.name}: no secret is kept: no game was played with one yet")
    luck = folder.luck(kept)
    make_private(sys.stdout)
    for one in games:
        labels = (label_of(s.player, v) for s, v in zip(one.seats, one.versions, strict=True))
        luck = replace(ladder, secret=luck).chance_seed(GameKey(one.start, tuple(labels)))
    click.echo(str(luck))


@ladder.command("table", epilog=TABLE_EXAMPLES)
@argument("folder", type=LadderPath(), metavar="FOLDER")
@AS_JSON
@output("--csv", "as_csv", is_flag=True, help="Write the table as CSV.")
@output("--html", "page", type=PAGE_FILE, help="Write a page with table and plot.")
@output("--svg", "picture", type=PICTURE_FILE, help="Write a plot of ratings over time.")
def table(
    folder: LadderFolder,
    *,
    as_json: bool,
    as_csv: bool,
    page: Path | None,
    picture: Path | None,
) -> None:
    """Show the table of a ladder: rank, player, version, rating, 95 % interval, games, forfeits.

    The ladder may be running.
    """
    from ludograph.cli.ladder_report import write_table

    write_table(folder, page, picture, format_of(as_json, as_csv, markdown=False))


@ladder.command("why", epilog=WHY_EXAMPLES)
@argument("folder", type=LadderPath(), metavar="FOLDER")
@argument("player", metavar="PLAYER")
@output("--records", type=Folder(), help="Write the records of these games to this folder.")
def why(folder: LadderFolder, player: str, records: Path | None) -> None:
    """Explain the rank of a player: its forfeits, its worst and its closest losses.

    The report is about the present version of the player, or about the last one if the player has
    left the ladder.
    """
    from ludograph.cli.ladder_report import write_reasons

    write_reasons(folder, player, records)


@ladder.command("withdraw")
@argument("folder", type=LadderPath(), metavar="FOLDER")
@argument("player", metavar="PLAYER")
def withdraw(folder: LadderFolder, player: str) -> None:
    """Withdraw a player: move its file from the folder of players to the folder 'withdrawn'.

    Its games stay in the history. To replace a player, overwrite its file.
    """
    from ludograph.arena.ladder import orders

    folder.check()
    orders.withdraw(folder, player)
    click.echo(safe(f"{player} is withdrawn; its file is in {folder.withdrawn}"))


@ladder.command("suspend")
@argument("folder", type=LadderPath(), metavar="FOLDER")
@argument("player", metavar="PLAYER")
@option("Order", "--reason", default="", metavar="TEXT", help="Reason, which everybody may read.")
def suspend(folder: LadderFolder, player: str, reason: str) -> None:
    """Suspend a player and its later versions until you reinstate it."""
    from ludograph.arena.ladder import orders

    folder.check()
    orders.suspend(folder, player, reason)
    click.echo(safe(f"{player} is to be suspended; {orders.IN_SECONDS}"))


@ladder.command("reinstate")
@argument("folder", type=LadderPath(), metavar="FOLDER")
@argument("player", metavar="PLAYER")
def reinstate(folder: LadderFolder, player: str) -> None:
    """Let a player play again that you or the ladder has suspended; its faults are forgotten."""
    from ludograph.arena.ladder import orders

    folder.check()
    orders.reinstate(folder, player)
    click.echo(safe(f"{player} is to be reinstated; {orders.IN_SECONDS}"))


@ladder.command("submissions", epilog=SUBMISSIONS_EXAMPLES)
@argument("folder", type=LadderPath(), metavar="FOLDER")
@AS_JSON
@output("--csv", "as_csv", is_flag=True, help="Write the list as CSV.")
def submissions(folder: LadderFolder, *, as_json: bool, as_csv: bool) -> None:
    """List all submissions, refused ones too: time, person, version, status.

    Times are in the time zone of ladder.toml. 'counts' marks the versions that counted at the
    deadline. 'alike' names players of others whose sources differ only in blanks, comments, names
    and texts.
    """
    from ludograph.arena.ladder import read_state
    from ludograph.arena.ladder.people import read_people
    from ludograph.arena.ladder.submission_list import submission_sheet
    from ludograph.arena.ladder.submission_list import submissions as all_submissions
    from ludograph.cli.declared_files import read_ladder

    ladder, form = read_ladder(folder), format_of(as_json, as_csv, markdown=False)
    rows = all_submissions(ladder, read_state(folder))
    sheet = submission_sheet(rows, read_people(folder), folder.read_owners(), ladder.zone)
    if form == "json":
        heads = [column.head for column in sheet.columns]
        data = [dict(zip(heads, row, strict=True)) for row in sheet.rows]
        show_json({"submissions": data})
    elif form == "csv":
        click.echo(sheet.csv(), nl=False)
    elif sheet.rows:
        show_tables(sheet.without(*WIDE))
    else:
        click.echo("Nothing has been submitted yet.")


@ladder.command("compare", epilog=COMPARE_EXAMPLES)
@argument("folder", type=LadderPath(), metavar="FOLDER")
@argument("new", metavar="NEW")
@argument("old", metavar="OLD")
@AS_JSON
def compare(folder: LadderFolder, new: str, old: str, *, as_json: bool) -> None:
    """Compare two versions of players, with the starts and the clock of the ladder.

    fay.py@2 is the second version of fay.py, fay.py@9f86d081 that of a digest, fay.py the last one.
    As in 'ludograph compare', pairs of games are played until the answer is certain, 1000 games at
    most; they do not count for the ladder.
    """
    from ludograph.arena.executor import cores, local_executor
    from ludograph.arena.ladder import read_state
    from ludograph.arena.ladder.trials import compared, series_of_two, version_called
    from ludograph.arena.playing import play_unrecorded
    from ludograph.cli.declared_files import read_ladder
    from ludograph.cli.executors import holding
    from ludograph.cli.progress import progress
    from ludograph.players.isolation import Isolation

    ladder, state = read_ladder(folder), read_state(folder)
    players = [version_called(ladder, state, name) for name in (new, old)]
    isolation = holding(ladder.isolation or Isolation.chosen(), quiet=as_json)
    series = series_of_two(ladder, players, isolation)
    with (
        progress(series.games, "games at most", shown=not as_json) as advance,
        local_executor(play_unrecorded, cores(), series.prepare) as executor,
    ):
        comparison = compared(series, executor, math.inf, partial(advance, ""))
    if as_json:
        show_json(comparison.to_data())
    else:
        click.echo(safe(comparison.sentence))


ladder.add_command(people)


def _read_new(folder: LadderFolder) -> Ladder:
    """Return the ladder of a file that was just written; errors name the option, not the file."""
    from ludograph.cli.declared_files import read_ladder

    try:
        return read_ladder(folder)
    except InvalidInput as error:
        place = rf"{re.escape(str(folder.declaration))}, line [0-9]+: "
        raise InvalidInput(re.sub(place, "", str(error), count=1)) from None
