"""``ludograph ladder submissions`` and ``compare``: who handed in what, which version is better."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import click

from ludograph.cli.option_types import LadderPath
from ludograph.cli.program import Command, argument, output
from ludograph.cli.shared_options import AS_JSON, format_of
from ludograph.cli.texts import safe, show_tables

if TYPE_CHECKING:
    from ludograph.arena.ladder import LadderFolder

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


@click.command(
    "submissions",
    cls=Command,
    epilog=SUBMISSIONS_EXAMPLES,
)
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
        click.echo(json.dumps({"submissions": data}, ensure_ascii=False))
    elif form == "csv":
        click.echo(sheet.csv(), nl=False)
    elif sheet.rows:
        show_tables(sheet.without(*WIDE))
    else:
        click.echo("Nothing has been submitted yet.")


@click.command(
    "compare",
    cls=Command,
    epilog=COMPARE_EXAMPLES,
)
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
    from ludograph.cli.progress import waiting
    from ludograph.players.isolation import Isolation

    ladder, state = read_ladder(folder), read_state(folder)
    players = [version_called(ladder, state, name) for name in (new, old)]
    isolation = holding(ladder.isolation or Isolation.chosen(), quiet=as_json)
    series = series_of_two(ladder, players, isolation)
    with (
        waiting("the versions play", shown=not as_json),
        local_executor(play_unrecorded, cores(), series.prepare) as executor,
    ):
        comparison = compared(series, executor, math.inf)
    if as_json:
        click.echo(json.dumps(comparison.to_data(), ensure_ascii=False))
    else:
        click.echo(safe(comparison.sentence))
