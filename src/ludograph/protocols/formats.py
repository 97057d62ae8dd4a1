"""Files of games in the formats of other programs, found by their suffix.

A format is a module here with ``read(path)``, which returns a record, and ``write(record)``, which
returns the text of the file; both raise InvalidInput with the fault.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ludograph.referee import Record


class Format(NamedTuple):
    """A format that other programs read and write; it is imported when it is used.

    Attributes
    ----------
    name
        Its suffix without the dot.
    module
        The module with ``read`` and ``write``.
    help
        Its content, in a sentence.
    """

    name: str
    module: str
    help: str

    @property
    def suffix(self) -> str:
        """The suffix of its files."""
        return f".{self.name}"

    def read(self, path: str | Path) -> Record:
        """Return the game of a file; raise InvalidInput if there is none."""
        found: Record = self._module().read(path)
        return found

    def write(self, record: Record) -> str:
        """Return a game as the text of a file; raise InvalidInput if that is not possible."""
        text: str = self._module().write(record)
        return text

    def _module(self) -> Any:
        return importlib.import_module(self.module)


FORMATS = (Format("sgf", "ludograph.protocols.sgf", "Write a game of Hex for other programs."),)
"""All formats beside Ludograph's own records."""


def format_of(path: str | Path) -> Format | None:
    """Return the format that a file's suffix names, in any case, or None."""
    suffix = Path(path).suffix.lower()
    return next((one for one in FORMATS if one.suffix == suffix), None)


def read_game(path: str | Path) -> Record:
    """Return the game of a file: a record of Ludograph, or a file of another format."""
    form = format_of(path)
    if form is not None:
        return form.read(path)
    from ludograph.referee import read_record

    return read_record(path)
