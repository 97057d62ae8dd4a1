"""The calls of C libraries that play a game, as data.

A host process that does not know the game makes the calls, see
:mod:`ludograph.hosting.library_host`. An argument is a number; a list, for a struct or an array; or
a result of the functions here, for memory that C code gets as a pointer.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.errors import InvalidInput
from ludograph.games.dialogue import AnswerFault, Dialogue, ProgramInterface

Argument = int | list[Any] | Mapping[str, Any]
Numbers = Sequence[int] | npt.NDArray[np.integer[Any]]


class Call(NamedTuple):
    """A call of a function of the library."""

    function: str
    arguments: Sequence[Argument] = ()


class LibraryInterface(ProgramInterface):
    """The C interface of a game.

    Attributes
    ----------
    header
        The text of the C header that a player includes.
    declarations
        The declarations for cffi: without preprocessor, with the types of other libraries.
    symbols
        The functions that a library must have.
    names
        The function that returns the player's own name; empty if there is none.
    finishes
        The function that ends a game.
    needs
        Shared libraries to load globally before the player, as tuples of names to try.
    wants
        The same, but missing ones are ignored.
    """

    header: ClassVar[str]
    declarations: ClassVar[str]
    symbols: ClassVar[tuple[str, ...]]
    names: ClassVar[str] = "get_player_name"
    finishes: ClassVar[str] = "finalize"
    needs: ClassVar[tuple[tuple[str, ...], ...]] = (
        ("libgslcblas.so.0", "libgslcblas.so"),
        ("libgsl.so", "libgsl.so.28", "libgsl.so.27", "libgsl.so.25"),
    )
    wants: ClassVar[tuple[tuple[str, ...], ...]] = ()

    def description(self) -> dict[str, Any]:
        """Return the data of the interface that a host needs before any game begins."""
        return {
            "declarations": self.declarations,
            "symbols": self.symbols,
            "names": self.names,
            "finishes": self.finishes,
            "needs": self.needs,
            "wants": self.wants,
        }

    @abstractmethod
    def dialogue(self, position: Any, seat: int) -> LibraryDialogue:
        """Return the dialogue of the game from this position for the library on a seat."""


class LibraryDialogue(Dialogue):
    """One game with one library: lists of calls; the last one returns the answer."""

    def order(self) -> Mapping[str, Any]:
        """Return the calls that hand the game over."""
        return {"calls": self.opening()}

    @abstractmethod
    def opening(self) -> list[Call]:
        """Return the calls that hand the game over; lent memory exists as long as the game."""


def lent(values: Numbers, kind: str = "int32") -> Argument:
    """Return an array of numbers that stays owned by the caller."""
    return {"lent": np.asarray(values, kind).tobytes()}


def given(kind: str, value: Argument) -> Argument:
    """Return memory of the C allocator that the player will own: a value of a C type.

    For an array of numbers the value is :func:`lent`.
    """
    return {"given": [kind, value]}


def csr_matrix(offsets: Numbers, neighbors: Numbers) -> Argument:
    """Return a ``gsl_spmatrix_uint`` that the player will own: a graph in compressed rows."""
    return {"csr": [lent(offsets), lent(neighbors)]}


def triplet_matrix(rows: int, columns: int, entries: Numbers, capacity: int) -> Argument:
    """Return a ``gsl_spmatrix`` of triplets that the player will own, 1 at the entries.

    Parameters
    ----------
    entries
        Row and column of each, one after the other.
    capacity
        The number of entries to allocate.
    """
    return {"triplets": [rows, columns, lent(entries), capacity]}


def returned(said: Any, count: int) -> list[int]:
    """Return the numbers that a function returned; raise AnswerFault if there are not ``count``."""
    if isinstance(said, list) and len(said) == count:
        return said
    raise AnswerFault("protocol", "answered what its function cannot return")


def illegal(text: str) -> AnswerFault:
    """Return the fault of an answer that is no move of the game, shown as a text."""
    return AnswerFault("illegal-move", f"answered {text}", text)


def require(condition: bool, message: str) -> None:
    """Raise InvalidInput with a message unless a condition holds."""
    if not condition:
        raise InvalidInput(message)
