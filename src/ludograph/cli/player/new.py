"""``ludograph player new`` and ``ludograph header``: the first files of a player."""

from __future__ import annotations

import keyword
import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludograph.cli.games import GameName
from ludograph.cli.program import Command, argument, output
from ludograph.errors import InvalidInput
from ludograph.games.player_templates import opponents, template
from ludograph.games.registry import game, name_of

if TYPE_CHECKING:
    from ludograph.games.library import LibraryInterface

EPILOG = """\
Examples:
  ludograph player new flood my_bot.py       one file; it plays at once
  ludograph player new hex my_bot.py --compiled    a search with your own evaluation
  ludograph player new hex c/my_bot.c        my_bot.c, player.h and a Makefile
  ludograph player new hex my_bot.c --bare   only what every player must have
  ludograph player new hex my_bot.js         a program: .js, .java
  ludograph player new hex my_bot.c --program    a program in C (also: .py)
"""

SUFFIXES = (".py", ".c", ".js", ".java")
ONLY_PROGRAMS = (".js", ".java")
"""The suffixes of players that are always programs."""

INTERPRETERS = {".py": "python3", ".js": "node", ".java": "java"}
"""The interpreter of a program's file, by suffix."""

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,59}")


@click.command("new", cls=Command, epilog=EPILOG)
@argument("game_name", metavar="GAME", type=GameName())
@argument("file", metavar="FILE")
@output("--bare", is_flag=True, help="Write a skeleton that plays the first legal move.")
@output(
    "--compiled",
    is_flag=True,
    help="Write an alpha-beta search with your own evaluation, which is compiled; only .py.",
)
@output(
    "--program",
    is_flag=True,
    help="Write a program that reads the game line by line; .js and .java files are always such "
    "programs.",
)
def new_player(game_name: str, file: str, bare: bool, compiled: bool, program: bool) -> None:
    """Write a small, complete player of a game: .py, .c, .js or .java.

    Existing files are not changed.
    """
    path, name = checked_path(file), name_of(game_name)
    program = program or path.suffix in ONLY_PROGRAMS
    if program and bare:
        raise InvalidInput("--bare: there is no skeleton of a program")
    if compiled and (program or bare or path.suffix != ".py"):
        raise InvalidInput("--compiled: goes with a .py file, and neither --bare nor --program")
    kind = "program" if program else "compiled" if compiled else "bare" if bare else "player"
    beside = c_files(name, path) if path.suffix == ".c" and not program else {}
    texts = {path: template(name, f"{kind}{path.suffix}.txt", path), **beside}
    kept = [target for target, text in texts.items() if target != path and holds(target, text)]
    there = [str(target) for target in texts if os.path.lexists(target) and target not in kept]
    if there:
        raise InvalidInput(f"{' and '.join(there)}: there already, so nothing was written")
    for target, text in texts.items():
        if target not in kept:
            with target.open("x", encoding="utf-8") as stream:
                stream.write(text)
        click.echo(f"{'kept' if target in kept else 'wrote'} {target}")
    click.echo("Next:")
    for command in program_commands(game_name, path) if program else next_commands(game_name, path):
        click.echo(f"  {command}")


@click.command("header", cls=Command)
@argument("game_name", metavar="GAME", type=GameName())
def header(game_name: str) -> None:
    """Print the C header of a game, which C players include.

    Write it to a file: 'ludograph header flood > player.h'.
    """
    click.echo(interface_of(name_of(game_name)).header, nl=False)


def checked_path(file: str) -> Path:
    """Return the path of a player to write.

    Raises
    ------
    InvalidInput
        Unless it is a plain name with one of the suffixes, in a folder that exists.
    """
    path = Path(file)
    if path.suffix not in SUFFIXES:
        *most, last = SUFFIXES
        known = f"{', '.join(most)} or {last}"
        raise InvalidInput(f"a new player's file ends with {known}, got {file[:80]!r}")
    if not NAME.fullmatch(path.stem) or keyword.iskeyword(path.stem):
        raise InvalidInput(
            "a new player's name is made of letters, digits and _, and begins with no digit, "
            f"got {path.stem[:80]!r}"
        )
    if not path.parent.is_dir():
        raise InvalidInput(f"the folder {str(path.parent)!r} does not exist")
    return path


def c_files(game_name: str, path: Path) -> dict[Path, str]:
    """Return the files beside a player in C; raise InvalidInput without a C interface."""
    advice = ": add --program for a program in C that reads the game"
    interface = interface_of(game_name, advice)
    folder = path.parent
    makefile = template(game_name, "Makefile.txt", path)
    return {
        folder / "player.h": interface.header,
        folder / "Makefile": makefile.replace("@LDLIBS@", linked(interface)),
    }


def linked(interface: LibraryInterface) -> str:
    """Return the arguments by which a player is linked with the libraries that its header needs."""
    names = [files[0].partition(".")[0].removeprefix("lib") for files in interface.needs]
    return " ".join(f"-l{name}" for name in [*reversed(names), "m"])


def holds(target: Path, text: str) -> bool:
    """Tell whether a file with exactly this text exists, for example another player's header."""
    return target.is_file() and target.read_bytes() == text.encode()


def interface_of(game_name: str, advice: str = "") -> LibraryInterface:
    """Return a game's C interface; raise InvalidInput, with advice, if it has none."""
    interface = game(game_name).interop.library
    if interface is None:
        raise InvalidInput(f"{game_name} has no C interface{advice}")
    return interface


def next_commands(game_name: str, path: Path) -> list[str]:
    """Return the commands to run next."""
    command = f"ludograph {game_name}"
    if path.suffix == ".py":
        return [f"{command} {path} {opponents(game_name)}"]
    folder = "" if path.parent == Path() else f" -C {path.parent}"
    play = f"{command} {path.with_suffix('.so')} {opponents(game_name)}"
    return [f"make{folder}", play, f"make{folder} check"]


def program_commands(game_name: str, path: Path) -> list[str]:
    """Return the commands to run next with a program."""
    place = shlex.quote(str(path))
    if path.suffix == ".c":
        built = path.with_suffix("")
        runs = shlex.quote(str(built) if built.parent != Path() else f"./{built}")
        made = shlex.quote(str(built))
        build = [f"gcc -O2 -Wall -Wextra {place} -o {made}"]
    else:
        runs, build = f"{INTERPRETERS[path.suffix]} {place}", []
    play = f"ludograph {game_name} {shlex.quote(f'cmd: {runs}')} {opponents(game_name)}"
    return [*build, play]
