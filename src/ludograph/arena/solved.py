"""Solving the first moves of a game in several processes, with each proof stored in a file.

A store of solved moves is a JSON Lines file for one game and board.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import msgspec

from ludograph.arena.executor import local_executor, play_all
from ludograph.errors import HostFailure, InvalidInput
from ludograph.games.solution import FirstMoves, SolvedMove

VERSION = 4
"""It rises with each change of the lines; a store of another version is refused."""


class Header(msgspec.Struct, forbid_unknown_fields=True):
    """The first line of the file.

    Attributes
    ----------
    ludograph_solved
        The version of the lines.
    title
        The game that the moves begin.
    """

    ludograph_solved: int
    title: str


BEGINNING = b'{"ludograph_solved":'


@dataclass(slots=True)
class Known:
    """The known values of first moves.

    Attributes
    ----------
    values
        The value of each move.
    nodes, seconds
        The positions and the seconds of processor time of all proofs together.
    """

    values: dict[str, str] = field(default_factory=dict)
    nodes: int = 0
    seconds: float = 0.0

    def add(self, solved: SolvedMove) -> None:
        """Add the values of a proof."""
        self.values = {**solved.values, **self.values}
        self.nodes += solved.nodes
        self.seconds += solved.seconds


class SolvedStore:
    """Solved first moves in a file; a context manager that closes it.

    Each proof is a line, which is on the disk before the next search begins: a run that is stopped,
    at any instant, loses only proofs that are not finished. A line that was cut short is removed.
    Only one process opens the file at a time.

    Parameters
    ----------
    where
        The file; it is made if there is none.
    title
        The game of the moves, see :class:`~ludograph.games.solution.FirstMoves`; None: that of
        the store, which must exist and is only read.

    Raises
    ------
    InvalidInput
        If it is no store of solved moves, one of another game, has a line that cannot be read, or
        another process works on it.
    HostFailure
        If it cannot be written.
    """

    def __init__(self, where: str | Path, title: str | None) -> None:
        path = Path(where).expanduser()
        self._name = str(where)
        if path.is_dir():
            raise InvalidInput(f"store {where}: a store is a file")
        try:
            self._file = path.open("rb" if title is None else "ab+", buffering=0)
        except OSError as error:
            raise InvalidInput(f"{where}: cannot be opened: {error.strerror}") from None
        try:
            self._lock(shared=title is None)
            self._read(title)
        except BaseException:
            self._file.close()
            raise

    def _lock(self, *, shared: bool) -> None:
        kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        try:
            fcntl.lockf(self._file, kind | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            raise InvalidInput(f"{self._name}: another process is solving for this store") from None

    def _read(self, title: str | None) -> None:
        """Read all lines; write the first one into a new file."""
        self._file.seek(0)
        data = self._file.read()
        first, *lines = data.split(b"\n")
        if title is not None and not lines:
            header = msgspec.json.encode(Header(VERSION, title))
            if not header.startswith(first):  # nor the beginning of it, after a kill
                raise InvalidInput(f"{self._name}: this is not a store of solved moves")
            self._write(header + b"\n", 0)
            first, lines = header, [b""]
        elif lines and lines[-1] and title is not None:
            self._write(b"", len(data) - len(lines[-1]))
        self.title = self._title_of(first)
        if title not in (None, self.title):
            raise InvalidInput(f"{self._name}: this store is of {self.title}, not of {title}")
        self._known = Known()
        for number, line in enumerate(lines[:-1], 2):
            try:
                self._known.add(msgspec.json.decode(line, type=SolvedMove))
            except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
                raise InvalidInput(
                    f"{self._name}: line {number} is damaged ({error}); remove it, and its move is "
                    "solved again"
                ) from None

    def _title_of(self, first: bytes) -> str:
        """Return the game in the first line."""
        if not first.startswith(BEGINNING):
            raise InvalidInput(f"{self._name}: this is not a store of solved moves")
        try:
            header = msgspec.json.decode(first, type=Header)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise InvalidInput(f"{self._name}: line 1 is damaged ({error})") from None
        if header.ludograph_solved != VERSION:
            raise InvalidInput(
                f"{self._name}: a store of version {header.ludograph_solved}, this Ludograph reads "
                f"version {VERSION} only"
            )
        return header.title

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._file.close()

    def known(self) -> Known:
        """Return all known values."""
        return Known(dict(self._known.values), self._known.nodes, self._known.seconds)

    def keep(self, solved: SolvedMove) -> None:
        """Write the values of a proof; those that were known before stay.

        Raises
        ------
        HostFailure
            If the disk is full, or cannot be written.
        """
        self._write(msgspec.json.encode(solved) + b"\n")
        self._known.add(solved)

    def _write(self, data: bytes, size: int | None = None) -> None:
        """Append to the file, after cutting it to a size; wait until it is on the disk."""
        try:
            if size is not None:
                self._file.truncate(size)
            while data:
                data = data[self._file.write(data) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            raise HostFailure(f"{self._name}: {error.strerror}") from None


def holds_solved_moves(path: Path) -> bool:
    """Tell whether a file is a store of solved moves."""
    try:
        with path.open("rb") as file:
            return file.read(len(BEGINNING)) == BEGINNING
    except OSError:
        return False  # what reads it next says why it cannot


def solve_moves(
    first: FirstMoves,
    known: Known,
    *,
    store: str | Path | None = None,
    jobs: int = 1,
    deadline: float | None = None,
) -> Generator[SolvedMove]:
    """Solve the moves that are not known; store and yield each proof, and add it to ``known``.

    The search for a move stops when another proof has decided that move meanwhile.

    Parameters
    ----------
    store
        The file of proofs; processes are forked before it is opened.
    jobs
        The number of moves at a time; a single one is solved in this process.
    deadline
        A reading of ``time.perf_counter`` at which the search ends; None: no limit.

    Raises
    ------
    InvalidInput
        If another process works on the store.
    HostFailure
        If one of the processes dies twice on a move.
    """
    first.prepare()

    def prove(move: str, _: object) -> SolvedMove | None:
        return first.solve(move, deadline)

    with contextlib.ExitStack() as stack:
        executor = stack.enter_context(local_executor(prove, jobs, lambda: None))
        kept = None if store is None else stack.enter_context(SolvedStore(store, first.title))
        for _, solved in play_all(executor, UnsolvedMoves(first, known)):
            if solved is None:
                continue
            if kept is not None:
                kept.keep(solved)
            known.add(solved)
            yield solved


class UnsolvedMoves:
    """A queue of the unknown moves, with one of each group of symmetric moves."""

    def __init__(self, first: FirstMoves, known: Known) -> None:
        self._first, self._known = first, known
        self._under_way: set[str] = set()
        self._in_time = True

    def needs(self, move: str) -> bool:
        """Tell whether a move has not become known by the proof of another one."""
        return move not in self._known.values

    def next(self) -> list[str]:
        """Return a list of the next move to solve; an empty one if there is none."""
        if not self._in_time:
            return []
        known = self._known.values
        taken = {same for move in self._under_way for same in self._first.same(move)}
        for move in self._first.moves:
            if move not in known and move not in taken:
                self._under_way.add(move)
                return [move]
        return []

    def end(self, move: str, solved: SolvedMove | None) -> None:
        """Record that a search has ended; if its time was over, no other one begins."""
        self._under_way.discard(move)
        self._in_time = self._in_time and solved is not None
