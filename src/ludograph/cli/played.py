"""``ludograph played``: games of tournaments, listed, opened, exported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludograph.cli.option_types import RECORD_FILE, OutputFile
from ludograph.cli.program import Command, argument, option
from ludograph.cli.results import NUMBER
from ludograph.cli.shared_options import STORE
from ludograph.cli.texts import show_tables
from ludograph.counting import counted
from ludograph.documents import replacing
from ludograph.games.options import Whole
from ludograph.views.table import Columns, Table, left

if TYPE_CHECKING:
    from ludograph.arena.store import GameFilter, Store

SHOWN = 20

EXAMPLES = """\
Examples:
  ludograph played --player my.py --reason timeout     which games did my.py lose on time?
  ludograph played --game 17 --record game.jsonl       then: ludograph replay game.jsonl
  ludograph played 3 --export games.csv                all games of tournament 3
"""


@click.command("played", cls=Command, short_help="List the games of tournaments, or save one.")
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
@option(
    "Games",
    "--last",
    type=Whole(1, 10**9),
    help="List only the latest N games (default: 20).",
)
@STORE
@option("Output", "--record", type=RECORD_FILE, help="Write the record of --game, for 'replay'.")
@option(
    "Output",
    "--export",
    type=OutputFile(".jsonl", ".csv"),
    help="Write the games to a file; .jsonl holds their records too.",
)
@option("Output", "--json", "as_json", is_flag=True, help="Write a JSON object per game.")
def played(
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
        games = list(opened.games(wanted))
    shown = games[-(last or SHOWN) :] if last or not as_json else games
    if as_json:
        for one in shown:
            click.echo(json.dumps(game_data(one), ensure_ascii=False))
        return
    if not games:
        click.echo("There is no such game.")
        return
    columns: Columns = ["game", "tournament", "start", "moves", left("ended"), left("result")]
    rows = [
        [one.number, one.tournament, one.start, one.move_count, one.reason, one.sentence]
        for one in shown
    ]
    show_tables(Table(columns, rows))
    if len(shown) < len(games):
        click.echo(
            f"\nThese are the last {len(shown)} of {counted(len(games), 'game')}; see --last."
        )


played.epilog = EXAMPLES


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
