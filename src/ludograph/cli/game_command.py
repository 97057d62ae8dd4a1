"""The command that plays a game, one match or many: made from what the game declares."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from ludograph.cli.declared import chosen, declared_options, split
from ludograph.cli.frames import Lettering
from ludograph.cli.isolating import isolation_for
from ludograph.cli.match_options import MATCH_OPTIONS
from ludograph.cli.outputs import check_shown
from ludograph.cli.program import Command
from ludograph.cli.values import NO_CLOCK
from ludograph.games.declaration import Declaration, Values
from ludograph.players.spec import check_name

if TYPE_CHECKING:
    from ludograph.referee.seed import Seed

PLAYERS = """
Players are strategies ('ludograph strategies @'), Python files (my.py, my.py:Name), C libraries
(./my.so), programs ('cmd: ./my'), and you: human. The first one has place 0; seat 0 is the one that
moves first.
"""

SERIES_CLOCK = "2s"
"""Of players in processes of their own, in series without a clock."""


def game_command(game: Declaration) -> click.Command:
    """Return ``ludograph NAME`` for a game."""

    def command(players: tuple[str, ...], **options: Any) -> None:
        given, match = split(game, options)
        given, seated = game.leading(players, given)
        run(game, given, tuple(seated), **match)

    command.__doc__ = f"{game.summary[0].upper()}{game.summary[1:]}.\n\n    {game.help.text}\n"
    for add in reversed(MATCH_OPTIONS):
        command = add(command)
    command = declared_options(game)(command)
    command = click.argument("players", nargs=-1, metavar=f"{game.leading_metavar}PLAYER...")(
        command
    )
    return click.command(
        game.name,
        cls=Command,
        short_help=f"Play {game.name.capitalize()}, one game or many.",
        epilog=f"Examples:\n{game.help.examples}{PLAYERS.replace('@', game.name)}",
        options_metavar="[OPTIONS]",
    )(command)


def run(
    game: Declaration,
    given: Values,
    players: tuple[str, ...],
    *,
    repeat: int | None,
    jobs: int,
    list_file: Path | None,
    records: Path | None,
    seed: Seed | None,
    starter: int | str | None,
    clock: str | None,
    record: Path | None,
    quiet: bool,
    as_json: bool,
    delay: float | Literal["step"] | None,
    outputs: tuple[int | str, ...],
    isolation: str | None,
    memory: int | None,
    numbers: bool,
    names: bool,
    resume: str | None,
    thoughts: bool,
    margin: float,
    opening: str | None,
) -> None:
    """Check what the options say together, then play."""
    lettering = Lettering(numbers=numbers, names=names)
    if resume is not None:
        from ludograph.cli.resuming import go_on

        fixed = {
            "players": players or None,
            "-r": repeat,
            "--seed": seed,
            "--starter": starter,
            "--record": record,
            "--opening": opening,
            **given,
        }
        go_on(
            game,
            resume,
            [name for name, value in fixed.items() if value is not None],
            clock,
            (isolation, memory),
            {
                "quiet": quiet,
                "as_json": as_json,
                "delay": delay,
                "outputs": outputs,
                "lettering": lettering,
            },
            thoughts=thoughts,
            margin=margin,
        )
        return
    check(game, players, repeat, starter, record)
    check_series(repeat, jobs, list_file, records)
    if thoughts and repeat is not None and records is None:
        raise click.UsageError("--thoughts of many games go into their records: add --records")
    check_shown(outputs, len(players))
    for text in players:  # a wrong name is told before the rules are loaded
        check_name(text, game)
    from ludograph.cli.playing import MatchPlan, play
    from ludograph.players.factory import is_foreign
    from ludograph.players.spec import parse_player
    from ludograph.referee.seed import as_seed

    rules = game.game()
    specs = [parse_player(text, rules, len(players)) for text in players]
    libraries = any(spec.kind == "library" for spec in specs)
    people = any(spec.kind == "human" for spec in specs)
    defaults = {**((game.with_people or {}) if people else {})}
    defaults |= (game.with_libraries or {}) if libraries else {}
    values = chosen(game, given, defaults)
    if repeat is not None and people:
        raise click.UsageError("a human plays one game at a time, so not with -r")
    if repeat is not None and seed is None:
        seed = kept_seed(list_file, records)
    foreign_clock = None
    if clock == NO_CLOCK:
        clock = None
    elif clock is None and repeat is not None and any(map(is_foreign, specs)):
        foreign_clock = SERIES_CLOCK
    plan = MatchPlan(
        game=rules,
        make_position=lambda number: rules.position(seats=len(players), seed=number, **values),
        players=specs,
        seed=as_seed("seed", seed),
        starter=starter,
        clock=clock,
        details=game.title(values),
        foreign_clock=foreign_clock,
        isolation=isolation_for(specs, isolation, memory, quiet=quiet or as_json),
        thoughts=thoughts,
        margin=margin,
        opening=opening_texts(opening),
    )
    if repeat is None:
        play(
            plan,
            record=record,
            quiet=quiet,
            as_json=as_json,
            delay=delay,
            outputs=outputs,
            lettering=lettering,
        )
        return
    from ludograph.cli.series import SeriesOptions, play_many

    play_many(
        plan,
        SeriesOptions(
            repeat, jobs, list_file, records, quiet=quiet, as_json=as_json, outputs=outputs
        ),
    )


def opening_texts(text: str | None) -> list[str]:
    """Return the moves of an opening: words, or what stands between semicolons."""
    if text is None:
        return []
    parts = text.split(";") if ";" in text else text.split()
    return [part.strip() for part in parts if part.strip()]


def kept_seed(list_file: Path | None, records: Path | None) -> Seed | None:
    """Return the seed of the series that is kept there already, which goes on."""
    from ludograph.referee.keeping import kept_header
    from ludograph.referee.seed import as_seed

    header = kept_header(list_file, records) or {}
    return as_seed(str(list_file or records), header["seed"]) if "seed" in header else None


def check_series(
    repeat: int | None, jobs: int, list_file: Path | None, records: Path | None
) -> None:
    """Raise UsageError where an option of series stands with a single game."""
    given = {"--jobs": jobs != 1, "--games-file": list_file is not None, "--records": records}
    for name, value in given.items():
        if repeat is None and value:
            raise click.UsageError(f"{name} is for many games, so it needs -r")


def check(
    game: Declaration,
    players: tuple[str, ...],
    games: int | None,
    starter: int | str | None,
    record: Path | None,
) -> None:
    """Raise UsageError where options and players do not go together."""
    name, count, (low, high) = game.name, len(players), game.seats
    if not players:
        raise click.UsageError(f"name the players, as in 'ludograph {name} random random'")
    if not low <= count <= high:
        wanted = f"{low}" if low == high else f"{low} to {high}"
        raise click.UsageError(f"{name} is a game for {wanted} players, got {count}")
    if isinstance(starter, int) and starter >= count:
        raise click.UsageError(f"--starter must be 0 to {count - 1} or random, got {starter}")
    if record is not None and games is not None:
        raise click.UsageError("--record keeps one game, so it cannot be used with -r")
