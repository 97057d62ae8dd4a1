"""The command of each game: a match, a series, an interrupted match that goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from ludograph.cli.game_options import chosen, declared_options, split
from ludograph.cli.isolation import isolation_for
from ludograph.cli.option_types import NO_CLOCK
from ludograph.cli.play.frames import Lettering
from ludograph.cli.play.match import MatchPlan, play
from ludograph.cli.play.options import MATCH_OPTIONS
from ludograph.cli.player_output import OutputOptions, check_shown
from ludograph.cli.program import Command
from ludograph.errors import InvalidInput
from ludograph.games.declaration import Declaration, Values
from ludograph.players.spec import check_name

if TYPE_CHECKING:
    from ludograph.cli.play.match import MatchPlan
    from ludograph.referee import Record
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
        run(game, given, tuple(seated), GameArguments(**match))

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


@dataclass(frozen=True, slots=True)
class GameArguments:
    """What the command line says beside the game's own options and the players.

    Its fields are the options of :mod:`ludograph.cli.play.options`, checked one by one.
    """

    repeat: int | None
    jobs: int
    list_file: Path | None
    records: Path | None
    seed: Seed | None
    starter: int | str | None
    clock: str | None
    record: Path | None
    quiet: bool
    as_json: bool
    delay: float | Literal["step"] | None
    outputs: tuple[int | str, ...]
    isolation: str | None
    memory: int | None
    numbers: bool
    names: bool
    resume: str | None
    thoughts: bool
    margin: float
    opening: str | None

    @property
    def output(self) -> OutputOptions:
        """What is written to the terminal."""
        lettering = Lettering(numbers=self.numbers, names=self.names)
        return OutputOptions(self.quiet, self.as_json, self.delay, self.outputs, lettering)


def run(game: Declaration, given: Values, players: tuple[str, ...], asked: GameArguments) -> None:
    """Check what the arguments say together, then play."""
    if asked.resume is not None:
        resume(game, given, players, asked, asked.resume)
        return
    check(game, players, asked)
    check_shown(asked.outputs, len(players))
    for text in players:  # a wrong name is told before the rules are loaded
        check_name(text, game)
    from ludograph.cli.play.match import play

    plan = plan_of(game, given, players, asked)
    if asked.repeat is None:
        play(plan, asked.output)
        return
    from ludograph.cli.series import SeriesOptions, play_many

    series = SeriesOptions(asked.repeat, asked.jobs, asked.list_file, asked.records)
    play_many(plan, series, asked.output)


def plan_of(
    game: Declaration, given: Values, players: tuple[str, ...], asked: GameArguments
) -> MatchPlan:
    """Return the game that the arguments ask for, or each game of the series."""
    from ludograph.cli.play.match import MatchPlan
    from ludograph.players.factory import is_foreign
    from ludograph.players.spec import parse_player
    from ludograph.referee.options import MatchOptions

    rules = game.game()
    specs = [parse_player(text, rules, len(players)) for text in players]
    libraries = any(spec.kind == "library" for spec in specs)
    people = any(spec.kind == "human" for spec in specs)
    defaults = {**((game.with_people or {}) if people else {})}
    defaults |= (game.with_libraries or {}) if libraries else {}
    values = chosen(game, given, defaults)
    many = asked.repeat is not None
    if many and people:
        raise click.UsageError("a human plays one game at a time, so not with -r")
    seed, clock, foreign_clock = asked.seed, asked.clock, None
    if many and seed is None:
        seed = kept_seed(asked.list_file, asked.records)
    if clock == NO_CLOCK:
        clock = None
    elif clock is None and many and any(map(is_foreign, specs)):
        foreign_clock = SERIES_CLOCK
    return MatchPlan(
        game=rules,
        make_position=lambda number: rules.position(seats=len(players), seed=number, **values),
        players=specs,
        starter=asked.starter,
        details=game.title(values),
        options=MatchOptions.checked(
            clock=clock,
            foreign_clock=foreign_clock,
            seed=seed,
            isolation=isolation_for(
                specs, asked.isolation, asked.memory, quiet=asked.quiet or asked.as_json
            ),
            thoughts=asked.thoughts,
            margin=asked.margin,
            opening=opening_texts(asked.opening),
            record=asked.record,
        ),
    )


def resume(
    game: Declaration, given: Values, players: tuple[str, ...], asked: GameArguments, file: str
) -> None:
    """Go on with the game of a record, which brings what the command line need not say."""
    fixed = {
        "players": players or None,
        "-r": asked.repeat,
        "--seed": asked.seed,
        "--starter": asked.starter,
        "--record": asked.record,
        "--opening": asked.opening,
        **given,
    }
    go_on(
        game,
        file,
        [name for name, value in fixed.items() if value is not None],
        asked.clock,
        (asked.isolation, asked.memory),
        asked.output,
        thoughts=asked.thoughts,
        margin=asked.margin,
    )


def opening_texts(text: str | None) -> list[str]:
    """Return the moves of an opening: words, or what stands between semicolons."""
    if text is None:
        return []
    parts = text.split(";") if ";" in text else text.split()
    return [part.strip() for part in parts if part.strip()]


def kept_seed(list_file: Path | None, records: Path | None) -> Seed | None:
    """Return the seed of the series that is kept there already, which goes on."""
    from ludograph.arena.series.files import kept_header
    from ludograph.referee.seed import as_seed

    header = kept_header(list_file, records) or {}
    return as_seed(str(list_file or records), header["seed"]) if "seed" in header else None


def check(game: Declaration, players: tuple[str, ...], asked: GameArguments) -> None:
    """Raise UsageError where options and players do not go together."""
    name, count, (low, high) = game.name, len(players), game.seats
    if not players:
        raise click.UsageError(f"name the players, as in 'ludograph {name} random random'")
    if not low <= count <= high:
        wanted = f"{low}" if low == high else f"{low} to {high}"
        raise click.UsageError(f"{name} is a game for {wanted} players, got {count}")
    if isinstance(asked.starter, int) and asked.starter >= count:
        raise click.UsageError(f"--starter must be 0 to {count - 1} or random, got {asked.starter}")
    if asked.repeat is not None:
        if asked.record is not None:
            raise click.UsageError("--record keeps one game, so it cannot be used with -r")
        if asked.thoughts and asked.records is None:
            raise click.UsageError("--thoughts of many games go into their records: add --records")
        return
    many = {"--jobs": asked.jobs != 1, "--games-file": asked.list_file, "--records": asked.records}
    for option, value in many.items():
        if value:
            raise click.UsageError(f"{option} is for many games, so it needs -r")


def go_on(
    game: Declaration,
    file: str,
    given: Sequence[str],
    clock: str | None,
    isolation: tuple[str | None, int | None],
    output: OutputOptions,
    *,
    thoughts: bool = False,
    margin: float = 0.0,
) -> None:
    """Play an interrupted game to its end, in its own record.

    Parameters
    ----------
    given
        The names of options that the record has settled.
    isolation
        The level and the memory, where the command line names them.
    thoughts
        Whether players are asked what they think.
    margin
        Seconds by which moves may be late, if that is more than before.
    """
    from ludograph.players.spec import parse_player
    from ludograph.referee import read_record
    from ludograph.referee.options import MatchOptions
    from ludograph.referee.seed import as_seed

    if given:
        named = given[0] if given[0].startswith("-") or given[0] == "players" else f"--{given[0]}"
        raise click.UsageError(f"--resume brings its own game, so it stands without {named}")
    record = read_record(file)
    start = record.start
    if start.game.name != game.name:
        raise click.UsageError(f"{file} is a game of {start.game.name}, not of {game.name}")
    texts = names_in(record, file)
    check_shown(output.outputs, len(texts))
    try:
        earlier = record.earlier()
    except InvalidInput as error:
        raise InvalidInput(f"{file}: {error}") from None
    if clock is None:
        clock = record.header.get("clock")
    luck = record.seed_of("chance_seed")
    players = [parse_player(text, start.game, start.seats) for text in texts]
    plan = MatchPlan(
        game=start.game,
        make_position=lambda _: start.copy(),
        players=players,
        starter=0,
        details=[f"ply {len(earlier)} of {file}"],
        options=MatchOptions.checked(
            clock=None if clock == NO_CLOCK else clock,
            foreign_clock=record.header.get("foreign_clock"),
            seed=as_seed(file, record.seed_of("seed")),
            chance_seed=None if luck is None else as_seed(file, luck),
            earlier=earlier,
            isolation=isolation_for(players, *isolation, quiet=output.silent),
            thoughts=thoughts,
            margin=max(margin, record.header.get("margin", 0.0)),
            record=file,
        ),
    )
    play(plan, output)


def names_in(record: Record, file: str) -> list[str]:
    """Return the players of a record by which they can be found."""
    specs = record.header.get("specs") or [None]
    if None in specs:
        raise click.UsageError(f"{file}: a player in it has no name by which it could be found")
    return [str(spec) for spec in specs]
