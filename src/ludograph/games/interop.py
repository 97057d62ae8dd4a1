"""A game for foreign programs: libraries in C, programs that speak a protocol, and their files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Protocol

from ludograph.games.played import P

if TYPE_CHECKING:
    from ludograph.games.dialogue import ProgramInterface
    from ludograph.games.library import LibraryInterface


@dataclass(slots=True)
class ForeignGame(Generic[P]):
    """A game in a file of another program.

    Attributes
    ----------
    start
        The position before the first move.
    moves
        The codes of the moves.
    names
        The players by seat.
    left
        The seat that has given up, if one has.
    how
        ``resign`` or ``forfeit`` then.
    result
        The result in the words of the file.
    remarks
        Sentences about what was left out of the file.
    """

    start: P
    moves: list[int] = field(default_factory=list)
    names: tuple[str, ...] = ()
    left: int | None = None
    how: str = ""
    result: str = ""
    remarks: list[str] = field(default_factory=list)


class FileFormat(Protocol):
    """A format of files in which other programs keep a game."""

    def read(self, content: bytes, source: str) -> ForeignGame[Any]:
        """Return the game of a file, all of whose moves are legal.

        Raises
        ------
        InvalidInput
            With the source and the fault.
        """
        ...

    def write(self, game: ForeignGame[Any]) -> str:
        """Return a game as the text of a file.

        Raises
        ------
        InvalidInput
            If the format cannot express it.
        """
        ...


class Refused(Exception):
    """A command that an engine cannot obey; the message is its answer."""


class Engine(Protocol):
    """A player that other programs use.

    Attributes
    ----------
    commands
        The functions for the commands of the game, by name. They take the words of a command, and
        return the text of the answer or raise :class:`Refused`.
    """

    commands: Mapping[str, Callable[..., str]]


@dataclass(frozen=True)
class Interop:
    """The interfaces of a game to programs; by default it has none.

    Attributes
    ----------
    library
        The interface for C libraries.
    programs
        The interfaces for programs, by protocol: those of ``speaks`` in the declaration.
    engines
        Makers of engines for other programs, by the protocol that these speak. A maker is called
        with a function that returns a fresh player, and the options of the command.
    formats
        The formats of other programs' files, by their suffix: those of ``formats`` in the
        declaration.
    """

    library: LibraryInterface | None = None
    programs: Mapping[str, ProgramInterface] = field(default_factory=dict)
    engines: Mapping[str, Callable[..., Engine]] = field(default_factory=dict)
    formats: Mapping[str, FileFormat] = field(default_factory=dict)
