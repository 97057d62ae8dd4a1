"""A trial load of a C player: it finds functions that are missing before the player plays.

Hosts load a player lazily: a function is looked up when it is called for the first time, so that a
missing one ends a game in the middle. A trial load looks up all of them at once, after the same
libraries that a host loads. It runs in a sandbox, since a library may run code when it is loaded.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from ludograph.errors import HostFailure
from ludograph.games.library import LibraryInterface
from ludograph.hosting.loader_errors import advised, undefined_symbol
from ludograph.hosting.sandboxed_command import LOADING, UNLOADABLE, Build, Built, SandboxedCommand
from ludograph.players.isolation import Isolation

SECONDS = 10.0
"""The time limit of a trial load."""


def trial_load(library: Path, interface: LibraryInterface, seconds: float) -> SandboxedCommand:
    """Return the command that loads a library as a host does, but looks all functions up."""
    described = json.dumps(interface.description())
    command = [LOADING, f"./{library.name}", described]
    return SandboxedCommand(command, str(library.parent.absolute()), seconds)


def load_trouble(name: str, built: Built) -> str:
    """Return why a library cannot be loaded, in one sentence, from the result of a trial load.

    The text is empty if it can be loaded, and if the trial cannot decide: a library that crashes or
    takes long when it is loaded is judged in its games.

    Parameters
    ----------
    name
        The name of the player, for the sentence.
    """
    _, found, words = built.said.rpartition(UNLOADABLE)
    if built.file is not None or built.refused or not found:
        return ""
    words = words.strip()
    if symbol := undefined_symbol(words):
        return f"{name} needs {symbol}, which no library has{advised(words).removeprefix(words)}"
    return f"{name} cannot be loaded: {words}"


def loaded_once(library: str, interface: LibraryInterface, isolation: Isolation | None) -> str:
    """Try to load a library now; return the sentence of :func:`load_trouble`.

    Parameters
    ----------
    isolation
        None: the strongest that works here.
    """
    path = Path(os.path.realpath(library))
    command = trial_load(path, interface, SECONDS)
    try:
        built = Build(command, isolation or Isolation.chosen()).awaited()
    except HostFailure:
        return ""
    return load_trouble(os.path.basename(library), built)
