"""A game for foreign programs: libraries in C, and programs that speak a protocol."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludograph.games.dialogue import ProgramInterface
    from ludograph.games.library import LibraryInterface


@dataclass(frozen=True)
class Interop:
    """The interfaces of a game to programs; by default it has none.

    Attributes
    ----------
    library
        The interface for C libraries.
    programs
        The interfaces for programs, by protocol: those of ``speaks`` in the declaration.
    """

    library: LibraryInterface | None = None
    programs: Mapping[str, ProgramInterface] = field(default_factory=dict)
