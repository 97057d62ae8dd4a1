"""C sources given as players: compiled in a sandbox before the first match, and kept.

``flood ./bot.c greedy`` needs no ``gcc``. The library is stored in the user's cache, in its own
folder, whose name is a digest of all that it is made from: the source, the files that it includes
by name from its own folder, the game's header, the compiler's version and flags. So an unchanged
source is compiled once, in whatever folder it is, and a changed one is compiled again. The compiler
reads copies in a temporary folder; nothing is written beside the source. A source can include only
files of its own folder and the system's headers.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from ludograph.documents import write_bytes
from ludograph.errors import HostFailure, InvalidInput
from ludograph.games import AnyGame
from ludograph.hosting.compiler import HEADER, PLAIN, compilation, compiler_here, library_of
from ludograph.hosting.player_kernels import announced, locked, remove_oldest
from ludograph.hosting.sandboxed_command import Build
from ludograph.players.c_sources import included, laid_out
from ludograph.players.isolation import Isolation
from ludograph.players.spec import PlayerSpec

ALL_BYTES = 256 << 20
"""The greatest size of all stored libraries, in bytes; the least recently used ones are removed."""


def with_library(spec: PlayerSpec, game: AnyGame, isolation: Isolation | None) -> PlayerSpec:
    """Return a player with the library of its C source, compiled if it is not stored yet.

    Parameters
    ----------
    isolation
        The isolation of the compiler, which reads untrusted source; by default the strongest that
        works here.

    Raises
    ------
    InvalidInput
        If the source does not compile, with the first of the compiler's errors; if there is no
        compiler, or the library cannot be stored.
    """
    interface = game.interop.library
    if interface is None:
        raise InvalidInput(f"player {spec.text!r}: {game.name} has no C interface")
    if os.path.isfile(spec.library):
        return spec
    source = Path(spec.target)
    try:
        files = {HEADER: interface.header.encode(), **included(source)}
        folder = kept_folder(source.name, files)
        library = folder / f"{source.stem}.so"
        with locked(folder):
            if library.is_file():
                os.utime(library)  # it is in use: do not remove it
            else:
                with announced(f"{spec.label} for {game.name}"):
                    _compile(source, files, library, isolation or Isolation.chosen())
    except OSError as error:
        raise InvalidInput(f"player {spec.text!r}: {error.filename}: {error.strerror}") from None
    except (InvalidInput, HostFailure) as error:
        raise InvalidInput(f"player {spec.text!r}: {error}") from None
    return replace(spec, library=str(library))


def kept_folder(source: str, files: Mapping[str, bytes]) -> Path:
    """Return the folder for the library of a source; it may not exist yet.

    Parameters
    ----------
    source
        Its name among the files that the library is made from.
    """
    compiler = compiler_here()
    digest = hashlib.sha256(repr((compiler, compiler_version(compiler), PLAIN, source)).encode())
    for name, content in sorted(files.items()):
        digest.update(hashlib.sha256(os.fsencode(name)).digest())
        digest.update(hashlib.sha256(content).digest())
    return all_folders() / digest.hexdigest()[:32]


def all_folders() -> Path:
    """Return the folder with a folder for each library, beside that of compiled rules."""
    from ludograph.rules.cache import folder  # needs Numba, loaded with the rules

    return Path(f"{folder()}-of-c-sources")


@cache
def compiler_version(compiler: str) -> str:
    """Return a compiler's description of its version."""
    asked = [compiler, "--version"]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout


def _compile(source: Path, files: Mapping[str, bytes], library: Path, isolation: Isolation) -> None:
    """Compile copies of a source's files, and write the library."""
    places = laid_out(source, files)
    own = places[source.name]
    with tempfile.TemporaryDirectory(prefix="ludograph-") as made:
        os.chmod(made, 0o755)  # a sandbox may read it as another user
        for name, place in places.items():
            copy = Path(made, place)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(files[name])
        command = compilation([own], Path(made), headers=os.path.dirname(own) or ".")
        built = Build(command, isolation).awaited()
    library.parent.chmod(0o755)
    write_bytes(library, library_of(own, built))
    remove_oldest(library.parent, ALL_BYTES)
