"""Submitted players' files: copied under the digest of their content, checked and compiled."""

from __future__ import annotations

import hashlib
import os
import re
import stat
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ludograph.arena.ladder.folder import PROGRAM, LadderFolder, State, remove_tree, write_whole
from ludograph.arena.ladder.ladder import Ladder
from ludograph.arena.ladder.lookalikes import source_form
from ludograph.arena.store.history import LABEL_LETTERS
from ludograph.errors import HostFailure, InvalidInput
from ludograph.formatting import one_line
from ludograph.games import AnyGame
from ludograph.games.library import LibraryInterface
from ludograph.hosting.compiler import (
    HEADER,
    TRIAL_SECONDS,
    TROUBLE_LIMIT,
    compilation,
    first_errors,
    load_trouble,
    loading,
)
from ludograph.hosting.exit_status import unrunnable
from ludograph.hosting.sandboxed_command import SECONDS, Build, Built, SandboxedCommand
from ludograph.players.isolation import Isolation
from ludograph.referee.player_factory import check_seating

SIZE_LIMIT = 16 << 20

COMPILED = (".c", ".so")
"""The suffixes of players in C."""


class Stamp(NamedTuple):
    """The status of a file, which differs when the file was changed."""

    size: int
    modified: int
    changed: int
    inode: int

    @classmethod
    def of(cls, status: os.stat_result) -> Stamp:
        """Return the stamp of a file."""
        return cls(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


class Changing(Exception):
    """A file was changed while it was read; the next check of the folder reads it again."""


class Submission(NamedTuple):
    """The outcome of a submission, or of its compilation.

    Attributes
    ----------
    name
        The name of the file.
    version
        The digest of the file's content; empty if it could not be read.
    trouble
        Why the file cannot play, in one sentence for everybody; empty if it can.
    detail
        The rest of this sentence, which may quote the file: for the author and operators.
    report
        A text for the author.
    is_source
        Whether the file is still to be compiled, or is a library still to be loaded in a trial.
    is_known
        Whether the file is a source that has failed to compile before.
    final
        Whether the same file would be refused again; False if it waits, or the machine is at fault.
    form
        See :func:`~ludograph.arena.ladder.lookalikes.source_form`.
    """

    name: str
    version: str
    trouble: str = ""
    detail: str = ""
    report: str = ""
    is_source: bool = False
    is_known: bool = False
    final: bool = True
    form: str = ""


def submit(ladder: Ladder, name: str, stamp: Stamp, broken: str = "") -> Submission:
    """Copy and check a file of the players' folder.

    Parameters
    ----------
    broken
        The version of this player that does not compile, if there is one.

    Raises
    ------
    Changing
        If the file has changed since the folder was read.
    OSError
        If the copy cannot be written.
    """
    try:
        data = read(ladder.folder.players / name, stamp)
    except OSError as error:
        return Submission(name, "", f"it cannot be read: {error.strerror}")
    except InvalidInput as error:
        return Submission(name, "", str(error))
    version, form = hashlib.sha256(data).hexdigest(), source_form(name, data)
    if version == broken:
        return Submission(name, version, is_known=True, form=form)
    if fault := fault_at_sight(name, data, ladder.game):
        return Submission(name, version, "it cannot play here", fault, form=form)
    place = ladder.folder.place(name, version)
    files = files_of(name, data, ladder.game.interop.library)
    is_kept = ladder.folder.played_file(name, version).is_file()
    if not is_kept or not all(_holds(place / other, text) for other, text in files.items()):
        keep(place, files)
        if name.endswith(COMPILED):
            return Submission(name, version, is_source=True, form=form)
    return checked(ladder, name, version)._replace(form=form)


def fault_at_sight(name: str, data: bytes, game: AnyGame) -> str:
    """Return why a file can be no player of a game, in a sentence; empty if it may be one.

    Only a compiler, a trial load or a game show more.
    """
    if name.endswith(COMPILED) and game.interop.library is None:
        return f"{game.name} has no C interface: write a .py file, or a program in C ({PROGRAM})"
    return unrunnable(data) if name.endswith(PROGRAM) else ""


def files_of(name: str, data: bytes, interface: LibraryInterface | None) -> dict[str, bytes]:
    """Return the files from which a player is made: its own, and for a C source the header."""
    if name.endswith(".c") and interface is not None:
        return {name: data, HEADER: interface.header.encode()}
    return {name: data}


def building(
    file: Path, interface: LibraryInterface | None, seconds: float | None = None
) -> SandboxedCommand:
    """Return the command that compiles a C source, or loads a library in a trial."""
    assert interface is not None  # else no C player is taken
    if file.suffix == ".so":
        return loading(file, interface, seconds or TRIAL_SECONDS)
    return compilation([file.name], file.parent, interface, seconds=seconds or SECONDS)


def _holds(path: Path, data: bytes) -> bool:
    """Tell whether a file has this content: the header of an earlier game has another one."""
    return path.is_file() and path.read_bytes() == data


def checked(ladder: Ladder, name: str, version: str) -> Submission:
    """Return the outcome for the copy of a version: whether it can play."""
    try:
        check_seating([ladder.copied_player(name, version)], ladder.start(0))
    except InvalidInput as error:
        return Submission(
            name, version, "it cannot play this game", str(error), f"{name}: {error}\n"
        )
    os.utime(ladder.folder.place(name, version))  # the newest copy is the one submitted last
    return Submission(name, version)


def read(path: Path, stamp: Stamp) -> bytes:
    """Return the content of a file that must not have changed since the folder was read.

    Raises
    ------
    Changing
        If it has changed.
    InvalidInput
        If it is empty or too large.
    OSError
        If it cannot be read.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode) or Stamp.of(before) != stamp:
            raise Changing
        if before.st_size > SIZE_LIMIT:
            raise InvalidInput(f"it has more than {SIZE_LIMIT >> 20} MiB")
        data = file.read(SIZE_LIMIT + 1)
        if len(data) != before.st_size or Stamp.of(os.fstat(descriptor)) != stamp:
            raise Changing
    if not data:
        raise InvalidInput("it is empty")
    return data


def keep(place: Path, files: dict[str, bytes]) -> None:
    """Make a folder with files in it, as a whole or not at all."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=".") as made:
        for name, data in files.items():
            write_whole(Path(made) / name, data)
            if name.endswith(PROGRAM):
                os.chmod(Path(made) / name, 0o755)  # as the folder, whatever the process's mask
        remove_tree(place)  # of a run that was killed
        os.chmod(made, 0o755)
        os.rename(made, place)
        os.mkdir(made)  # which the context is to remove


def drop_versions(folder: LadderFolder, in_use: Iterable[tuple[str, str]], most: int) -> None:
    """Remove copies of old versions.

    Parameters
    ----------
    in_use
        Files and versions that stay: they play, or are being compiled.
    most
        The number of stored versions of each player.
    """
    used = {(name, version[:LABEL_LETTERS]) for name, version in in_use}
    for own in folder.versions.glob("*"):
        places = sorted(own.iterdir(), key=lambda place: place.stat().st_mtime_ns)
        old = [place for place in places if (own.name, place.name) not in used]
        for place in old[: max(0, len(places) - most)]:
            remove_tree(place)


class WaitingSource(NamedTuple):
    """A source that is being compiled, or waits for it."""

    name: str
    version: str
    author: str


class SourceCompiler:
    """Compiles the sources of a ladder in the sandbox of players, while games go on.

    Libraries, compiled or brought, are then loaded in a trial, so that no game begins with a player
    that calls an undefined function.

    The author whose sources have taken the least time today goes first.

    Parameters
    ----------
    state
        Holds the time that each author has used today.
    """

    def __init__(self, ladder: Ladder, state: State) -> None:
        self._ladder, self._state = ladder, state
        self._sources: dict[str, WaitingSource] = {}  # by name
        self._under_way: tuple[WaitingSource, Build] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a source is being compiled, or waits and is within its author's budget."""
        return self._under_way is not None or bool(self._allowed())

    @property
    def sources(self) -> list[tuple[str, str]]:
        """The names and versions of sources that are being compiled or wait for it."""
        return [(one.name, one.version) for one in self._sources.values()]

    def add(self, name: str, version: str) -> str:
        """Add a source that was copied; return why it must wait until tomorrow, if it must."""
        source = WaitingSource(name, version, self._ladder.folder.author(name))
        return self._over_budget(self._sources.setdefault(name, source))

    def drop(self, name: str, version: str = "") -> None:
        """Drop the source of a player, unless it is that of a version."""
        source = self._sources.get(name)
        if source is None or source.version == version:
            return
        if self._under_way is not None and self._under_way[0] == source:
            self._state.compiling.add(source.author, self._under_way[1].elapsed)
            self.close()
        del self._sources[name]
        remove_tree(self._ladder.folder.place(name, source.version))

    def look(self) -> Submission | None:
        """Return the compilation that has ended, if one has, and begin the next one."""
        outcome = None
        if self._under_way is not None and self._under_way[1].is_done():
            outcome = self._finish(*self._under_way)
            self._under_way = None
            del self._sources[outcome.name]
        if self._under_way is None and (allowed := self._allowed()):
            source = allowed[0]
            place = self._ladder.folder.place(source.name, source.version)
            try:
                command = building(place / source.name, self._ladder.game.interop.library)
                build = Build(command, self._ladder.isolation or Isolation.chosen())
            except InvalidInput as error:  # there is no compiler
                del self._sources[source.name]
                return self._failed(source, str(error))
            self._under_way = source, build
        return outcome

    def close(self) -> None:
        """Cancel the compilation under way."""
        if self._under_way is not None:
            self._under_way[1].cancel()
        self._under_way = None

    def _allowed(self) -> list[WaitingSource]:
        """Return the sources that may be compiled now, in order."""
        sources = [one for one in self._sources.values() if not self._over_budget(one)]
        return sorted(sources, key=lambda one: (self._state.compiling.today(one.author), one.name))

    def _finish(self, source: WaitingSource, build: Build) -> Submission:
        try:
            built = build.result()
        except HostFailure as error:
            built = Built(refused=str(error))
        folder, name, version = self._ladder.folder, source.name, source.version
        if name.endswith(".so"):  # it is only loaded
            trouble, detail, report = load_verdict(name, built)
        else:
            self._state.compiling.add(source.author, built.seconds)
            if built.refused:
                return self._failed(source, built.refused)
            trouble, detail, report = verdict(name, built)
        if trouble:
            remove_tree(folder.place(name, version))
        elif built.file is not None:
            write_whole(folder.played_file(name, version), built.file)
        return Submission(name, version, trouble, detail, report)

    def _failed(self, source: WaitingSource, why: str) -> Submission:
        """Return the outcome for a source that this machine could not compile."""
        remove_tree(self._ladder.folder.place(source.name, source.version))
        trouble, detail = "it cannot be compiled here", one_line(why, TROUBLE_LIMIT)
        report = f"{source.name}: {trouble}: {detail}\n"
        return Submission(source.name, source.version, trouble, detail, report, final=False)

    def _over_budget(self, source: WaitingSource) -> str:
        """Return why a source is not compiled today; an empty text if it can be."""
        budget, spent = self._ladder.compile_seconds, self._state.compiling.today(source.author)
        if source.name.endswith(".so") or spent < budget:
            return ""
        return (
            f"it is compiled tomorrow (UTC): the sources of its author have taken {budget} s of "
            "compiling today"
        )


def verdict(name: str, built: Built) -> tuple[str, str, str]:
    """Return what is wrong with a source, for everybody and in detail, and a report."""
    said = built.said.replace(f"./{name}", name)
    report = said and f"{name}: the compiler says\n\n{said.rstrip()}\n"
    if built.file is None:
        if advice := one_file_advice(said):
            report = f"{report}\n{advice}\n"
        return "it does not compile", first_errors(name, built.said, 1), report
    trouble, detail, also = load_verdict(name, built)
    return trouble, detail, "\n".join(filter(None, [also, report]))


def load_verdict(name: str, built: Built) -> tuple[str, str, str]:
    """Return that a library cannot be loaded, why in detail, and a report; empty if it can."""
    detail = load_trouble(built)
    return ("it cannot be loaded", detail, f"{name} {detail}\n") if detail else ("", "", "")


MODULE = re.compile(r"No module named '([\w.]+)'")
FILE = re.compile(r"No such file or directory|cannot open shared object file")


def one_file_advice(fault: str) -> str:
    """Return what to do about a fault, in sentences; empty unless a file or a module is missing.

    Examples
    --------
    >>> one_file_advice("fatal error: list.h: No such file or directory")[-32:]
    'ours: put into it what it needs.'
    >>> one_file_advice("ModuleNotFoundError: No module named 'torch'")[-56:]
    "If 'torch' is a package, ask the operator to install it."
    >>> one_file_advice("ZeroDivisionError: division by zero")
    ''
    """
    module = MODULE.search(fault)
    if not module and not FILE.search(fault):
        return ""
    advice = (
        "A player of a ladder is one file, which sees no other files of yours: "
        "put into it what it needs."
    )
    if module:
        advice += f" If {module[1]!r} is a package, ask the operator to install it."
    return advice
