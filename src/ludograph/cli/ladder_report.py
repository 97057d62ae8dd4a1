"""Reports of a ladder: its table, as text, data or a page; and on one player, for its author."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import click

from ludograph.arena.finished_game import FinishedGame
from ludograph.arena.ladder import LadderFolder, State, read_state
from ludograph.arena.ladder.folder import write_whole
from ludograph.arena.ladder.ladder import kept_store
from ludograph.arena.ladder.rating_history import ratings_chart
from ludograph.arena.ladder.reasons import Reasons, reasons_of
from ludograph.arena.ladder.table import (
    VERSION_SHOWN,
    LadderLine,
    LadderTable,
    ladder_now,
    sheet_of,
    table_data,
    texts_of,
)
from ludograph.arena.ladder.table import page as made_page
from ludograph.arena.rendering import interval_text
from ludograph.arena.store import GameFilter, Store
from ludograph.arena.store.history import games_of, names_there, records_there, versions_of
from ludograph.arena.store.postgresql import without_password
from ludograph.cli.declared_files import read_ladder
from ludograph.cli.texts import safe, show_json, show_tables
from ludograph.errors import InvalidInput, did_you_mean
from ludograph.formatting import counted
from ludograph.referee.public_record import record_for
from ludograph.views.table import Table, left


def write_table(folder: LadderFolder, page: Path | None, picture: Path | None, form: str) -> None:
    """Write the table of a ladder: ``text``, ``csv`` or ``json``."""
    ladder = read_ladder(folder)
    now = ladder_now(ladder)
    standings = now.table
    drawn = ratings_chart(ladder, now.state.number, standings.lines) if page or picture else ""
    if picture is not None:
        write_whole(picture, drawn.encode())
    if page is not None:
        when = datetime.now(ladder.zone).strftime("%Y-%m-%d %H:%M %Z")
        write_whole(page, made_page(standings, drawn, when).encode())
    if form == "json":
        show_json(table_data(standings))
    elif form == "csv":
        click.echo(sheet_of(standings).csv(), nl=False)
    elif page is None and picture is None:
        write(standings)


def write(standings: LadderTable) -> None:
    """Write a table for people."""
    click.echo(safe(f"{standings.title}, {counted(standings.games, 'game')}"))
    if standings.remark:
        click.echo(standings.remark)
    if not standings.lines:
        click.echo("No player has joined yet.")
        return
    show_tables(texts_of(standings))
    click.echo(
        f"\nRatings are measured from {standings.anchor}, fixed at {standings.anchor_elo:g}."
    )
    if standings.doubt:
        click.echo(standings.doubt)
    repeated = standings.games - standings.distinct
    if repeated > 0:
        click.echo(
            f"{counted(repeated, 'game')} repeated earlier ones move by move; "
            f"ratings use the other {standings.distinct}."
        )


def write_reasons(folder: LadderFolder, player: str, records: Path | None) -> None:
    """Write the report on a player, and the records of its games into a folder."""
    ladder = read_ladder(folder)
    state = read_state(folder)
    with kept_store(ladder, state) as store:
        if store is None:
            raise InvalidInput(f"{folder.path}: no game has been played yet")
        name = found_name(store, state, player)
        known = versions_of(store, state.number, name)
        entrant = state.named(name)
        version = entrant.version if entrant is not None else known[-1].version if known else ""
        reasons = reasons_of(games_of(store, state.number, name, version), name)
        kept = records_there(store, reasons.numbers)
        if records is not None:
            write_records(store, kept, records, name)
    line = next((one for one in ladder_now(ladder).table.lines if one.player == name), None)
    for text in heading(name, version, line, reasons):
        click.echo(safe(text))
    if report := folder.read_report(name):
        click.echo()
        for text in report.rstrip("\n").splitlines():
            click.echo(safe(text.expandtabs()))
    if len(known) > 1:
        click.echo("\nVersions, the last one last")
        rows = [[one.version[:VERSION_SHOWN], one.games, one.forfeits] for one in known]
        show_tables(Table([left("version"), "games", "forfeits"], rows))
    write_games(reasons)
    if reasons.numbers:
        click.echo("\nTo see them again")
    for number in reasons.numbers:
        file = f"game-{number}.jsonl"
        if number not in kept:
            text = f"game {number}: its record is not kept any more; see 'records' in ladder.toml"
        elif records is not None:
            text = f"ludograph replay {shlex.quote(str(records / file))}"
        else:
            url = ladder.store_url
            store_there = shlex.quote(without_password(url) if url else str(ladder.store))
            text = f"ludograph results games --game {number} --record {file} --store {store_there}"
            text += f" && ludograph replay {file}"
        click.echo(f"  {safe(text)}")


def found_name(store: Store, state: State, player: str) -> str:
    """Return the full name of a player; the part before the suffix is enough if it is unique.

    Raises
    ------
    InvalidInput
        If there is no such player.
    """
    known = {one.name for one in state.entrants} | set(state.troubles)
    known |= names_there(store)
    if player in known:
        return player
    alike = [one for one in known if one.rpartition(".")[0] == player]
    if len(alike) == 1:
        return alike[0]
    raise InvalidInput(f"there is no player {player[:60]!r}{did_you_mean(player, known)}")


def heading(name: str, version: str, line: LadderLine | None, reasons: Reasons) -> list[str]:
    """Return the lines with the player's name, version, rank, rating and results."""
    own = f"{name}, version {version[:VERSION_SHOWN]}" if version else name
    facts = []
    if line is not None and line.rank is not None:
        facts.append(f"rank {line.rank}")
    if line is not None and line.rating is not None and line.rating.elo is not None:
        interval = interval_text(line.rating).replace("+", "")
        facts.append(f"rating {line.rating.elo:z.0f} ({interval})")
    wins = f"{counted(reasons.wins, 'win')}, {counted(reasons.draws, 'draw')}"
    lost = f"{reasons.losses} lost when played out, {reasons.forfeits.total()} forfeited"
    facts.append(f"{counted(reasons.games, 'game')}: {wins}, {lost}")
    lines = [f"{own}: {', '.join(facts)}"]
    if line is None:
        lines.append("It has left the ladder.")
    elif line.note:
        lines.append(f"{line.note[0].upper()}{line.note[1:]}.")
    return lines


def write_games(reasons: Reasons) -> None:
    """Write tables of the forfeits, the worst losses and the closest losses."""

    def show(title: str, games: Sequence[FinishedGame]) -> None:
        if not games:
            return
        click.echo(f"\n{title}")
        rows = [
            [one.number, ", ".join(reasons.opponents(one)), one.move_count, reasons.told(one)]
            for one in games
        ]
        show_tables(Table(["game", left("against"), "moves", left("what happened")], rows))

    for reason, games in reasons.failed.items():
        count = reasons.forfeits[reason]
        last = f", the last {len(games)}" if len(games) < count else ""
        show(f"Forfeits by {reason}: {count}{last}", games)
    show("Worst losses", reasons.worst)
    show("Closest losses", reasons.closest)


def write_records(store: Store, numbers: set[int], folder: Path, player: str) -> None:
    """Write the records of some games into a folder, as the author of a player may read them."""
    folder.mkdir(exist_ok=True)
    for number in sorted(numbers):
        (game,) = store.games(GameFilter(game=number))
        own = [seat for seat, result in enumerate(game.seats) if result.player == player]
        text = record_for(store.record(number), own)
        (folder / f"game-{number}.jsonl").write_bytes(text)
