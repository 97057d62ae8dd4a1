"""``ludograph debug``: one player alone in a process, ready for a debugger."""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ludograph.cli.game_options import GamesGroup, game_subcommand, split
from ludograph.cli.option_types import SEED, Whole
from ludograph.cli.player.debugging import Order, fresh, play, recorded
from ludograph.cli.program import option
from ludograph.cli.progress import waiting
from ludograph.cli.texts import safe
from ludograph.errors import InvalidInput
from ludograph.games.declaration import Declaration, Values

if TYPE_CHECKING:
    from ludograph.games import AnyGame
    from ludograph.players.spec import PlayerSpec
    from ludograph.players.tools import Tool

EXAMPLES = """\
  ludograph debug ./my_bot.so {name}                     play a game and say what happens
  ludograph debug my_bot.c {name} --asan                 compile it with AddressSanitizer
  ludograph debug my_bot.c list.c {name} --asan          the same, of several sources
  ludograph debug ./my_bot.so {name} --gdb --break play  stop where it is asked for a move
  ludograph debug ./my_bot.so {name} --valgrind          check every access to memory
  ludograph debug my_bot.py {name} --pdb                 look around where it raises
  ludograph debug ./my_bot.so {name} --record game.jsonl go again where it failed

The exit code is 1 where the player did something wrong.
"""


class Games(GamesGroup):
    """A command for every game."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take several C sources, one after the other, for one player."""
        return super().parse_args(ctx, joined_sources(args))

    def subcommand(self, game: Declaration) -> click.Command:
        """Return the command of a game."""
        return debug_command(game)


@click.group(
    "debug",
    cls=Games,
    short_help="Run one player in a debugger.",
    subcommand_metavar="GAME [OPTIONS]...",
)
@click.argument("player", metavar="PLAYER")
@click.pass_context
def debug(context: click.Context, player: str) -> None:
    """Run one player alone in a process, without clocks, against a built-in one.

    PLAYER is a Python file, a C library or its sources, which are compiled for it. Everything that
    it prints is seen at once; 'ludograph debug PLAYER GAME --help' lists the options.
    """
    context.obj = player


OPTIONS = (
    option("Match", "--against", multiple=True, help="A built-in player, for each other seat."),
    option("Match", "--seat", type=Whole(0, 63), help="The player's own; 0 if not given."),
    option("Match", "--seed", type=SEED, help="Fixes the start and all luck; 0 if not given."),
    option("Match", "--record", metavar="FILE", help="Go again through a recorded game."),
    option("Tools", "--gdb", "tool", flag_value="gdb", help="Run a C player in gdb."),
    option("Tools", "--break", "places", multiple=True, help="Where gdb stops: play, my_bot.c:40."),
    option("Tools", "--valgrind", "tool", flag_value="valgrind", help="Run it in valgrind."),
    option("Tools", "--asan", "tool", flag_value="asan", help="Run it with AddressSanitizer."),
    option("Tools", "--pdb", "tool", flag_value="pdb", help="Stop where a Python player raises."),
    option("Output", "-q", "--quiet", is_flag=True, help="Write no moves."),
)


def debug_command(game: Declaration) -> click.Command:
    """Return ``ludograph debug PLAYER NAME``."""

    @click.pass_context
    def command(context: click.Context, /, words: tuple[str, ...], **options: Any) -> None:
        given, rest = split(game, options)
        given, left = game.leading(words, given)
        if left:
            raise click.UsageError(f"nothing can follow the board, got {left[0][:80]!r}")
        context.exit(run(game, given, str(context.obj), Order(**rest)))

    command.__doc__ = f"""Run one player of {game.name.capitalize()} alone in a process.

    No clock runs, and all that it prints is seen at once. With --record the other seats play as
    they did then, as long as the game goes as it went.
    """
    return game_subcommand(
        game,
        command,
        OPTIONS,
        short_help=f"Run a player of {game.name.capitalize()}.",
        examples=EXAMPLES,
    )


def run(game: Declaration, given: Values, player: str, order: Order) -> int:
    """Play a game with a player under examination; return the exit code."""
    if order.places and order.tool != "gdb":
        raise click.UsageError("--break is for --gdb")
    rules = game.game()
    with tempfile.TemporaryDirectory(prefix="ludograph-debug-") as folder:
        spec = understood(player, rules, order, Path(folder))
        case = recorded(rules, given, order, player) if order.record else fresh(game, given, order)
        tool = tool_of(spec, order, Path(folder))
        return play(case, spec, order, tool, Path(folder))


def understood(player: str, game: AnyGame, order: Order, folder: Path) -> PlayerSpec:
    """Return a player's file; a C source is compiled first."""
    from ludograph.players.spec import parse_player

    given = player
    if sources_of(player):
        sanitized = order.tool == "asan"
        player = from_source(player, game, folder, sanitized=sanitized, quiet=order.quiet)
    spec = parse_player(player, game)
    if spec.kind not in ("python", "library"):
        raise InvalidInput(f"{spec.label} is no file: debug runs Python files and C players")
    if order.tool not in (None, "pdb") and spec.kind != "library":
        raise click.UsageError(
            f"--{order.tool} is for C players; write breakpoint() where {spec.label} should stop"
        )
    if order.tool == "pdb" and spec.kind != "python":
        raise click.UsageError("--pdb is for Python players; C players have --gdb")
    if spec.kind == "library" and player == given:
        tell_unresolved(spec, game)
    return spec


def tell_unresolved(spec: PlayerSpec, game: AnyGame) -> None:
    """Say which function a library needs and does not find: a call of it ends the process."""
    from ludograph.players.tools import unresolved

    library = game.library_interface()
    if library is not None and os.path.isfile(spec.target):
        missing = unresolved(Path(spec.target), [*library.needs, *library.wants])
        if missing:
            click.echo(
                safe(
                    f"{spec.label} needs the function {missing}, which neither it nor a library "
                    "has: build it from all of its sources"
                ),
                err=True,
            )


def joined_sources(words: list[str]) -> list[str]:
    """Return words of a command line, where C sources that follow each other are one word.

    Examples
    --------
    >>> joined_sources(["player.c", "my list.c", "flood", "bot.c"])
    ["player.c 'my list.c'", 'flood', 'bot.c']
    >>> joined_sources(["my bot.c", "flood"])
    ['my bot.c', 'flood']
    """
    found: list[list[str]] = []
    for word in words:
        if found and is_source(word) and is_source(found[-1][-1]):
            found[-1].append(word)
        else:
            found.append([word])
    return [each[0] if len(each) == 1 else shlex.join(each) for each in found]


def is_source(word: str) -> bool:
    """Tell whether a word names a C source."""
    return word.endswith(".c") and not word.startswith("-")


def sources_of(player: str) -> list[str]:
    """Return the files that a player is compiled from; nothing if it is no C source."""
    if not player.endswith((".c", ".c'")):
        return []
    return [player] if os.path.isfile(player) else shlex.split(player)


def from_source(player: str, game: AnyGame, folder: Path, *, sanitized: bool, quiet: bool) -> str:
    """Compile a player's C source into a folder; return the library's path."""
    from ludograph.players import tools

    library = game.library_interface()
    if library is None:
        raise InvalidInput(f"player {player!r}: {game.name} has no C interface")
    sources = sources_of(player)
    for source in sources:
        if not os.path.isfile(source):
            raise InvalidInput(f"player {player!r}: {source} does not exist")
    paths, usable = [Path(source) for source in sources], [*library.needs, *library.wants]
    with waiting(f"compiling {safe(player)}", shown=not quiet):
        made = tools.compiled(paths, library.header, folder, usable, sanitized=sanitized)
    return str(made)


def tool_of(spec: PlayerSpec, order: Order, folder: Path) -> Tool | None:
    """Return the program in which a C player runs; None for this process itself."""
    from ludograph.players import tools

    if order.tool == "gdb":
        return tools.gdb(order.places, sys.stdin.isatty())
    if order.tool == "valgrind":
        return tools.valgrind(folder)
    return tools.asan(spec) if order.tool == "asan" else None
