"""The files that a player is given to read: its own folder, and compiled rules."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from typing import Any

from ludograph.players.spec import PROGRAMS, PlayerSpec


def belongings(spec: PlayerSpec) -> list[str]:
    """Return the folders and files of a player, without symbolic links on the way.

    Of a file it is its folder, and the file itself where it is a link to elsewhere. Of a program
    they are the folder that it is in, and those of the files that its command line names.
    """
    if spec.kind not in PROGRAMS:
        return around(spec.target)
    program, *arguments = shlex.split(spec.target)
    found = around(shutil.which(program) or program)
    for argument in filter(os.path.exists, arguments):
        is_folder = os.path.isdir(argument)
        found += [os.path.realpath(argument)] if is_folder else around(argument)
    return sorted(set(found))


def around(file: str) -> list[str]:
    """Return a file's folder, and the file if it is elsewhere.

    The user's home is no player's own folder, nor is one that holds it: of a file in there it is
    the file alone.
    """
    folder = os.path.realpath(os.path.dirname(os.path.abspath(file)))
    real = os.path.realpath(file)
    home = os.path.realpath(os.path.expanduser("~"))
    if os.path.commonpath([folder, home]) == folder:
        return [real]
    return [folder] if os.path.dirname(real) == folder else [folder, real]


def kernel_folder() -> str:
    """Return the folder of compiled rules where this process has loaded any; else nothing."""
    cache: Any = sys.modules.get("ludograph.rules.cache")
    if cache is None:
        return ""
    folder = os.path.realpath(cache.folder())
    return folder if os.path.isdir(folder) else ""


def place(file: str) -> str:
    """Return where a player finds its file: as it was given, unless a link is on the way there."""
    folder, name = os.path.split(os.path.abspath(file))
    real = os.path.realpath(folder)
    return file if folder == real else os.path.join(real, name)
