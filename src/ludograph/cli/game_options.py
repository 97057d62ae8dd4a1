"""One command for each game: options from its declaration, and starts that they or records give."""

from __future__ import annotations

import inspect
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from ludograph.cli.program import Command, Group, option
from ludograph.cli.texts import safe
from ludograph.games.declaration import Declaration, Values
from ludograph.games.options import Flag, Option
from ludograph.games.registry import declaration, is_game, load, name_of, names

if TYPE_CHECKING:
    from ludograph.games import Position
    from ludograph.referee import Record

Start = tuple["Position", list[str], Values]
"""A position, the details of its heading, and these details as JSON-able data."""

SECTION = "Game"
ALIASES = "Options as courses write them"


class GamesGroup(Group):
    """A group with a command for every game, or for the games that it takes.

    Parameters
    ----------
    make
        Returns the command of a game.
    takes
        Returns whether a game has a command; None: all games have one.
    lacks
        Why other games have none, as in ``has no solver``.
    """

    def __init__(
        self,
        *args: Any,
        make: Callable[[Declaration], click.Command],
        takes: Callable[[Declaration], bool] | None = None,
        lacks: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.make, self.takes, self.lacks = make, takes, lacks

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words before the game's name; explain the place of a game's options."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            names = self.list_commands(ctx)
            command = self.get_command(ctx, names[0]) if names else None
            known = [name for each in command.params for name in each.opts] if command else []
            if error.option_name not in known:
                raise
            arguments = [
                each.make_metavar(ctx) for each in self.params if isinstance(each, click.Argument)
            ]
            path = " ".join([ctx.command_path, *arguments, "GAME"])
            raise click.UsageError(
                f"{error.option_name} stands after the name of a game, as in "
                f"'{path} {error.option_name} ...'"
            ) from None

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a game; raise UsageError if the group does not take the game."""
        name = name_of(cmd_name)
        if not is_game(name):
            return None
        game = declaration(name)
        if self.takes is None or self.takes(game):
            return self.make(game)
        if ctx.resilient_parsing:
            return None
        command, others = ctx.command_path.partition(" ")[2], ", ".join(self.list_commands(ctx))
        raise click.UsageError(f"{command}: {name} {self.lacks}; choose {others}")

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of the games."""
        takes = self.takes
        if takes is None:  # reading each declaration would import it
            return list(names())
        return [name for name in names() if takes(declaration(name))]


def game_subcommand(
    game: Declaration,
    run: Callable[..., int | None],
    options: Sequence[Callable[..., Any]],
    *,
    about: str,
    examples: str,
    short_help: str | None = None,
    no_players: str = "",
    several: Collection[str] = (),
    defaults: Mapping[str, Any] | None = None,
) -> click.Command:
    """Return a command that takes a game's options, its leading words, and ``options``.

    Parameters
    ----------
    run
        Called with the game, the given options of it, the words after the leading ones (unless
        ``no_players``), and by name the arguments of the group and ``options``. It returns the exit
        code; None is 0.
    about
        The help, without examples.
    examples
        Examples for the help, with ``{name}`` in place of the game's name.
    no_players
        The error for words after the leading ones; empty if such words are allowed.
    several
        The options of the game that can be given several times: their values are tuples.
    defaults
        The defaults that the help shows, where they are not those of the game.
    """
    shown = defaults or {}

    @click.pass_context
    def command(context: click.Context, /, words: tuple[str, ...], **values: Any) -> None:
        given, rest = split(game, values)
        given, left = game.leading(words, given)
        if left and no_players:
            raise click.UsageError(f"{no_players}, got {left[0][:80]!r}")
        group = context.parent.params if context.parent else {}
        code = run(game, given, *(() if no_players else (left,)), **group, **rest)
        if code:
            context.exit(code)

    command.__doc__ = about
    players = "" if no_players else "PLAYER..."
    argument = click.argument("words", nargs=-1, metavar=f"{game.leading_metavar}{players}".strip())
    # They have no defaults: the command gets only the given ones, and passes them to `chosen`.
    own = [
        _click_option(
            each, section, shown.get(each.name, each.default), several=each.name in several
        )
        for section, declared in ((SECTION, game.options), (ALIASES, game.aliases))
        for each in declared
    ]
    for add in reversed([argument, *own, *options]):
        command = add(command)
    return click.command(
        game.name,
        cls=Command,
        short_help=short_help,
        epilog=f"Examples:\n{examples.replace('{name}', game.name)}",
        options_metavar="[OPTIONS]",
    )(command)


def games_group(
    name: str,
    options: Sequence[Callable[..., Any]],
    *,
    about: str,
    examples: str,
    no_players: str = "",
    several: Collection[str] = (),
    defaults: Callable[[Declaration], Mapping[str, Any] | None] = lambda _: None,
    **settings: Any,
) -> Callable[[Callable[..., int | None]], GamesGroup]:
    """Return a decorator that makes a group of a function: a command for every game.

    The function is called with the game, the given options of the game, the players (unless
    ``no_players``), and by name the arguments of the group and ``options``. Its docstring is the
    help of the group.

    Parameters
    ----------
    about
        The help of a game's command, with ``{game}`` in place of its name.
    examples, no_players, several
        As of :func:`game_subcommand`.
    defaults
        Returns those of a game, as of :func:`game_subcommand`.
    settings
        Of :class:`GamesGroup`.
    """

    def decorate(run: Callable[..., int | None]) -> GamesGroup:
        def make(game: Declaration) -> click.Command:
            return game_subcommand(
                game,
                run,
                options,
                about=about.format(game=game.name.capitalize()),
                examples=examples,
                no_players=no_players,
                several=several,
                defaults=defaults(game),
            )

        shown = {
            "cls": GamesGroup,
            "epilog": f"Examples:\n{examples.replace('{name}', 'hex')}",
            "options_metavar": "",
            "subcommand_metavar": f"GAME [OPTIONS]{'' if no_players else ' PLAYER...'}",
            **settings,
        }
        made: GamesGroup = shown.pop("cls")(name, make=make, help=inspect.getdoc(run), **shown)
        return made

    return decorate


def _click_option(
    declared: Option, section: str, shown: Any, *, several: bool
) -> Callable[..., Any]:
    of = declared.type
    settings: dict[str, Any]
    if not isinstance(of, Flag):
        metavar = of.metavar if len(of.metavar) < 30 else "WORD"
        settings = {"type": of, "multiple": several, "metavar": metavar}
    elif of.both:
        settings = {"default": None, "is_flag": True}
    else:
        settings = {"default": None, "flag_value": not declared.default, "type": click.UNPROCESSED}
    default = "" if shown is None or isinstance(of, Flag) else f" (default: {shown})"
    text = f"{declared.summary[0].upper()}{declared.summary[1:]}{default}."
    return option(section, *declared.flags, declared.name, help=text, **settings)


def chosen(game: Declaration, given: Values, defaults: Mapping[str, Any] | None = None) -> Values:
    """Return the values of all options of a game, from the given ones and the defaults.

    Parameters
    ----------
    defaults
        Texts that replace the defaults of the game.
    """
    by_name = {each.name: each for each in (*game.options, *game.aliases)}
    complete = game.values({**(defaults or {}), **game.resolve(given)})
    for name, value in given.items():
        needs = by_name[name].only_with
        if value is not None and needs is not None and complete[needs[0]] != needs[1]:
            raise click.UsageError(f"--{name} is for --{needs[0]} {needs[1]}")
    return complete


def split(game: Declaration, options: dict[str, Any]) -> tuple[Values, dict[str, Any]]:
    """Split a command's options into the given options of a game, and all others."""
    own = {each.name for each in (*game.options, *game.aliases)}
    given = {
        name: value for name, value in options.items() if name in own and value not in (None, ())
    }
    return given, {name: value for name, value in options.items() if name not in own}


def start_of(
    game: Declaration,
    given: Values,
    *,
    seats: int | None,
    seed: int | None,
    record: str | None,
    ply: int | None,
    defaults: Mapping[str, Any] | None = None,
) -> Start:
    """Return the start that options describe, or the position of a record after some moves.

    Parameters
    ----------
    defaults
        As of :func:`chosen`.
    """
    if record is None:
        if ply is not None:
            raise click.UsageError("--ply is for a recorded game, so it needs --record")
        return new_game(game, chosen(game, given, defaults), seats, seed)
    if given or seats is not None:
        raise click.UsageError(OWN_GAME)
    found, ply = recorded_game(game, record), ply or 0
    if ply > found.plies:
        raise click.UsageError(f"--ply must be 0 to {found.plies} in this game, got {ply}")
    *_, position = (each.copy() for each, _ in found.positions() if each.ply == ply)
    return position, [f"ply {ply} of {safe(record)}"], {"record": record, "ply": ply}


OWN_GAME = "--record has its own game, so leave out the options of games"


def new_game(game: Declaration, values: Values, seats: int | None, seed: int | None) -> Start:
    """Return the start of a new game."""
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    position = load(game).position(seats=seats, seed=seed, **values)
    return position, [*game.title(values), f"seed {seed}"], {"seed": seed}


def recorded_game(game: Declaration, file: str) -> Record:
    """Return the record in a file; raise UsageError if it is a record of another game."""
    from ludograph.protocols.formats import read_game

    record = read_game(file)
    name = record.start.game.name
    if name != game.name:
        raise click.UsageError(f"{file} is a game of {name}, not of {game.name}")
    return record
