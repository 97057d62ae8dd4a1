"""How a game is played by C shared libraries: what the host process asks of a game.

Only the host that runs a library uses these classes, in a process of its own; see
:mod:`ludograph.players.library_host`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from ludograph.errors import InvalidInput

if TYPE_CHECKING:  # the host process has no boards
    from ludograph.boards import Board
    from ludograph.games.position import Position


class AnswerFault(Exception):
    """An answer of a library that is no legal move code.

    Attributes
    ----------
    illegal
        True for a move that the interface can express and the game has not, False for garbage.
    """

    def __init__(self, text: str, *, illegal: bool) -> None:
        super().__init__(text)
        self.illegal = illegal


class LibraryInterface(ABC):
    """The C interface of a game.

    Attributes
    ----------
    header
        The text of the C header that a player includes.
    declarations
        The same for cffi: no preprocessor, types of other libraries spelled out.
    symbols
        The functions that a library must have.
    needs
        Shared libraries to load globally beforehand, as tuples of names to try.
    wants
        Likewise, but players do without those that are not there.
    """

    header: ClassVar[str]
    declarations: ClassVar[str]
    symbols: ClassVar[tuple[str, ...]]
    needs: ClassVar[tuple[tuple[str, ...], ...]] = (
        ("libgslcblas.so.0", "libgslcblas.so"),
        ("libgsl.so", "libgsl.so.28", "libgsl.so.27", "libgsl.so.25"),
    )
    wants: ClassVar[tuple[tuple[str, ...], ...]] = ()

    @abstractmethod
    def check(self, description: Mapping[str, Any]) -> None:
        """Raise InvalidInput if the interface cannot express a game (too many seats, colors)."""

    def check_board(self, board: Board) -> None:  # noqa: B027
        """Raise InvalidInput if the interface cannot express a board; any will do by default."""

    def board_data(self, position: Position) -> dict[str, Any]:
        """Return what the host needs of a start beside ``Game.describe``, as JSON-able data."""
        return graph_data(position.board)

    @abstractmethod
    def bind(self, ffi: Any, library: Any, globals_: Mapping[str, Any]) -> LibraryGame:
        """Return the game's side of a loaded library.

        Parameters
        ----------
        ffi, library
            cffi's, with ``declarations`` known and all ``symbols`` present.
        globals_
            The libraries of ``needs`` by the first of their names; ``"libc"`` too.
        """


class LibraryGame(ABC):
    """One game played by one library; every call runs foreign code."""

    def __init__(self, ffi: Any, library: Any, globals_: Mapping[str, Any]) -> None:
        self.ffi = ffi
        self.library = library
        self.gsl: Any = globals_.get("libgsl.so")
        self.libc = globals_["libc"]

    def name(self) -> str | None:
        """Return what the player calls itself, as bytes were: unchecked, or None."""
        text = self.library.get_player_name()
        if text == self.ffi.NULL:
            return None
        raw: bytes = self.ffi.string(text, 4096)
        return raw.decode("utf-8", "replace")

    def allocate(self, kind: str, count: int = 1) -> Any:
        """Return zeroed memory of the C allocator, for the player to free."""
        size = max(1, count * self.ffi.sizeof(kind))
        memory = self.libc.malloc(size)
        if memory == self.ffi.NULL:
            raise MemoryError(f"the C allocator has no {size} bytes")
        self.ffi.memmove(memory, bytes(size), size)
        return self.ffi.cast(f"{kind} *", memory)

    @abstractmethod
    def start(self, board: Mapping[str, Any], description: Mapping[str, Any], seat: int) -> None:
        """Hand the game over to the library.

        Parameters
        ----------
        board
            ``LibraryInterface.board_data`` of the start.
        description
            ``Game.describe`` of the start.
        """

    @abstractmethod
    def play(self, moves: list[int]) -> int:
        """Tell the moves since its own last one; return the code of its move.

        Raises
        ------
        AnswerFault
            If what the library answers is no move code.
        """

    @abstractmethod
    def finish(self) -> None:
        """Tell the library that the game has ended."""


def graph_data(board: Board) -> dict[str, Any]:
    """Return a board's graph: ``offsets`` and ``neighbors``, as lists.

    The neighbors of ``v`` are ``neighbors[offsets[v]:offsets[v + 1]]``, ascending.
    """
    return {"offsets": board.offsets.tolist(), "neighbors": board.neighbors.tolist()}


def require(condition: bool, message: str) -> None:
    """Raise InvalidInput with a message unless a condition holds."""
    if not condition:
        raise InvalidInput(message)
