"""The C compiler, in a sandbox: for a match, a ladder, a page, or debugging.

A library can then be loaded in a trial, which finds functions that are missing before the player
plays. Hosts load a player lazily: a function is looked up when it is called for the first time, so
that a missing one ends a game in the middle. A trial looks up all of them at once, after the same
libraries that a host loads.

``flood ./bot.c greedy`` needs no ``gcc``: the source is compiled before the match. The library is
stored in the user's cache, in its own folder, whose name is a digest of all that it is made from:
the source, the files that it includes by name from its own folder, the game's header, the
compiler's version and flags. So an unchanged source is compiled once, in whatever folder it is, and
a changed one is compiled again. The compiler reads copies in a temporary folder; nothing is written
beside the source. A source can include only files of its own folder and the system's headers.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from ludograph.documents import write_bytes
from ludograph.errors import HostFailure, InvalidInput
from ludograph.formatting import one_line
from ludograph.games import AnyGame
from ludograph.games.library import LibraryInterface
from ludograph.hosting.exit_status import advised, undefined_symbol
from ludograph.hosting.library_host import NO_FUNCTION
from ludograph.hosting.player_kernels import announced, locked, remove_oldest
from ludograph.hosting.sandboxed_command import SECONDS, Build, Built, SandboxedCommand
from ludograph.players.c_sources import included, laid_out
from ludograph.players.isolation import Isolation
from ludograph.players.spec import PlayerSpec

HEADER = "player.h"

LIBRARY = ("-g", "-Wall", "-fPIC", "-shared")
PLAIN = ("-O2", *LIBRARY)
DEBUG = ("-O0", *LIBRARY)
ASAN = (
    *DEBUG,
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=undefined",
    "-fno-omit-frame-pointer",
)
"""Flags of AddressSanitizer and UndefinedBehaviorSanitizer."""

TRIAL_SECONDS = 10.0
"""The time limit of a trial load."""

TROUBLE_LIMIT = 250
"""The greatest length of a compiler's error, in characters."""


def compiler_here() -> str:
    """Return the C compiler: the one in ``CC``, or gcc."""
    return installed(os.environ.get("CC", "gcc"), "gcc")


def installed(program: str, package: str) -> str:
    """Return the path of a program; raise InvalidInput with the package to install if none."""
    path = shutil.which(program)
    if path is None:
        raise InvalidInput(f"{program} is not installed here: apt-get install {package}")
    return path


def compilation(
    sources: Sequence[str],
    folder: Path,
    interface: LibraryInterface | None = None,
    *,
    flags: Sequence[str] = PLAIN,
    headers: str = ".",
    seconds: float = SECONDS,
) -> SandboxedCommand:
    """Return the command that compiles sources to one library.

    Parameters
    ----------
    sources
        Their paths in the folder.
    folder
        The working folder of the compiler.
    interface
        Of the game, for a trial load; None: there is none.
    headers
        The folder with ``player.h``, from the working folder.

    Raises
    ------
    InvalidInput
        If there is no compiler.
    """
    places = [f"./{each}" if each.startswith(("-", "@")) else each for each in sources]
    command = [compiler_here(), *flags, f"-I{headers}", *places, "-o", "{}"]
    trial = ("{}", description(interface)) if interface is not None else None
    return SandboxedCommand(command, str(folder.absolute()), seconds, trial)


def loading(
    library: Path, interface: LibraryInterface, seconds: float = TRIAL_SECONDS
) -> SandboxedCommand:
    """Return the command that loads a library in a trial."""
    trial = (f"./{library.name}", description(interface))
    return SandboxedCommand((), str(library.parent.absolute()), seconds, trial)


def description(interface: LibraryInterface) -> str:
    """Return an interface as JSON."""
    return json.dumps(interface.description())


def loaded_once(spec: PlayerSpec, game: AnyGame, isolation: Isolation | None) -> str:
    """Try to load a player's library now; return why it cannot be loaded, in one sentence.

    It is empty if :func:`load_trouble` is, and for a player without a library.

    Parameters
    ----------
    isolation
        None: the strongest that works here.
    """
    interface, library = game.interop.library, spec.loaded_file
    if spec.kind != "library" or interface is None or not os.path.isfile(library):
        return ""
    command = loading(Path(os.path.realpath(library)), interface)
    try:
        built = Build(command, isolation or Isolation.chosen()).awaited()
    except HostFailure:
        return ""
    trouble = load_trouble(built)
    return trouble and f"{os.path.basename(library)} {trouble}"


def load_trouble(built: Built) -> str:
    """Return why a library cannot be loaded, as a predicate.

    The text is empty if it can be loaded, and if the trial could not decide: then the player is
    judged in its games.
    """
    words = one_line(built.unloadable, TROUBLE_LIMIT)  # names in the library are a stranger's text
    if symbol := undefined_symbol(words):
        return f"needs {symbol}, which no library has{advised(words).removeprefix(words)}"
    if words.startswith(NO_FUNCTION):
        return words
    return words and f"cannot be loaded: {words}"


def library_of(name: str, built: Built) -> bytes:
    """Return the library that was compiled from sources of this name.

    Raises
    ------
    InvalidInput
        If they do not compile, with the first of the compiler's errors, or cannot be compiled here.
    """
    if built.refused:
        raise InvalidInput(f"it cannot be compiled here: {built.refused}")
    if built.file is None:
        raise InvalidInput(f"it does not compile: {first_errors(name, built.said)}")
    return built.file


def first_errors(name: str, said: str, most: int = 3) -> str:
    """Return the first errors of a compiler in one line, each with file and line.

    Parameters
    ----------
    said
        All that the compiler has written about a source of this name.
    """
    lines = said.replace(f"./{name}", name).splitlines()
    errors = [line for line in lines if "error" in line.lower()] or lines or ["no library was made"]
    return "; ".join(one_line(line, TROUBLE_LIMIT) for line in errors[:most])


ALL_BYTES = 256 << 20
"""The greatest size of all stored libraries, in bytes; the least recently used ones are removed."""

CHECKSUM_BYTES = hashlib.sha256().digest_size


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
            if is_undamaged(library):
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
    from ludograph.rules.cache import folder

    return Path(f"{folder()}-of-c-sources")


@cache
def compiler_version(compiler: str) -> str:
    """Return a compiler's description of its version."""
    asked = [compiler, "--version"]
    said = subprocess.run(asked, capture_output=True, check=False).stdout
    return said.decode(errors="replace")


def is_undamaged(library: Path) -> bool:
    """Tell whether a stored library is there, as it was written: it ends with its checksum."""
    content = library.read_bytes() if library.is_file() else b""
    return hashlib.sha256(content[:-CHECKSUM_BYTES]).digest() == content[-CHECKSUM_BYTES:]


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
    content = library_of(own, built)
    write_bytes(library, content + hashlib.sha256(content).digest())
    remove_oldest(library.parent, ALL_BYTES)
