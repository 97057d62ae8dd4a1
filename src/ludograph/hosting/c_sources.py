"""C sources of a player: several files named in one text, and compiled into one library."""

from __future__ import annotations

import ctypes
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ludograph.errors import InvalidInput

if TYPE_CHECKING:
    from ludograph.games import AnyGame


def joined_sources(words: list[str]) -> list[str]:
    """Return the words of a command line, with successive C sources joined into one word.

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


def compiler_here() -> str:
    """Return the C compiler: the one in ``CC``, or gcc."""
    return installed(os.environ.get("CC", "gcc"), "gcc")


def installed(program: str, package: str) -> str:
    """Return the path of a program; raise InvalidInput with the package to install if none."""
    path = shutil.which(program)
    if path is None:
        raise InvalidInput(f"{program} is not installed here: apt-get install {package}")
    return path


def compile_player(player: str, game: AnyGame, folder: Path, *, sanitized: bool) -> str:
    """Compile a player with debug information into a folder; return the path of the library.

    The libraries that players use are loaded before them, so none need be named.

    Parameters
    ----------
    player
        The names of its C sources, the first of which gives the library its name.
    sanitized
        Build it with AddressSanitizer and UndefinedBehaviorSanitizer.

    Raises
    ------
    InvalidInput
        If the game has no C interface; if a source does not exist, or does not compile, with the
        first of the compiler's errors; or if it calls a function that is in none of the sources.
    """
    from ludograph.hosting import supervised_command

    interface = game.interop.library
    if interface is None:
        raise InvalidInput(f"player {player!r}: {game.name} has no C interface")
    sources = sources_of(player)
    for source in sources:
        if not os.path.isfile(source):
            raise InvalidInput(f"player {player!r}: {source} does not exist")
    (folder / "player.h").write_text(interface.header)  # for a source without it in its folder
    library = folder / f"{Path(sources[0]).stem}.so"
    flags = ["-g", "-O0", "-Wall", "-fPIC", "-shared", f"-I{folder}"]
    if sanitized:
        flags += ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
        flags += ["-fno-omit-frame-pointer"]
    places = (f"./{one}" if one.startswith(("-", "@")) else one for one in sources)  # no options
    done = supervised_command.run([compiler_here(), *flags, *places, "-o", str(library)])
    sys.stderr.write(done.stderr)
    named = " ".join(sources)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if "error" in line]
        raise InvalidInput(f"{named} does not compile: {(errors or ['see above'])[0][:300]}")
    if missing := undefined(library, [*interface.needs, *interface.wants]):
        raise InvalidInput(
            f"{named} calls {', '.join(missing[:3])}, which is defined nowhere there: give all "
            f"sources of the player, as in '{named} other.c'"
        )
    return str(library)


def undefined(library: Path, known: Sequence[Sequence[str]]) -> list[str]:
    """Return the functions that a player's library calls and that no available library defines.

    None if ``nm``, which comes with compilers, is missing.
    """
    program = shutil.which("nm")
    if program is None:
        return []
    asked = [program, "-D", "--undefined-only", "--format=posix", str(library)]
    said = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
    wanted = [line.split()[0].partition("@")[0] for line in said.splitlines() if " U" in line]
    there = [ctypes.CDLL(None)]
    for names in (("libm.so.6",), *known):
        for name in names:
            with suppress(OSError):
                there.append(ctypes.CDLL(name))
                break
    return [
        name
        for name in wanted
        if not name.startswith("__") and not any(hasattr(one, name) for one in there)
    ]
