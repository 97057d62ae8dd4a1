"""What stays of a series: a file of its games, a folder of their records, either, or both.

A game is played when its line is written. Its record lies beside the others as ``.part.jsonl``
until then, so a record under its own name is whole, and its game counted. Players that are isolated
see none of these files while games are played.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from ludograph.errors import InvalidInput
from ludograph.players.isolation.belongings import withheld
from ludograph.referee.game_row import GameRow
from ludograph.referee.ledger import Ledger, header_in

LIST = "games.jsonl"
"""In a folder of records, the file of its games."""


class Keeping:
    """Where the games of a series are written to, and those that are there already.

    Parameters
    ----------
    header
        What tells this series from others.
    games
        A file of games, ``.csv`` or ``.jsonl``.
    records
        A folder of records; it is made if it is not there.

    Attributes
    ----------
    rows
        The games that need not be played again, by number.
    """

    def __init__(
        self, header: Mapping[str, Any], games: Path | None = None, records: Path | None = None
    ) -> None:
        self.games, self.records = games, records
        self._ledgers: list[Ledger] = []
        self.rows: dict[int, GameRow] = {}
        with ExitStack() as stack:
            stack.enter_context(withheld(*filter(None, [games, records])))
            if records is not None:
                _make_folder(records)
                self._ledgers.append(stack.enter_context(Ledger(records / LIST, header)))
            if games is not None:
                self._ledgers.append(stack.enter_context(Ledger(games, header)))
            self._agree()
            self._open = stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._open.close()

    def record_of(self, number: int) -> Path | None:
        """Return where the record of a game is written while it is played."""
        return self.records and self.records / f"game-{number:06}.part.jsonl"

    def add(self, row: GameRow) -> None:
        """Write a game that has ended; from now on it is never played again."""
        for ledger in self._ledgers:
            ledger.add(row)
        self.rows[row.game] = row
        self._name(row.game)

    def _agree(self) -> None:
        """Find what is there: a kill may have come between two files."""
        if not self._ledgers:
            return
        first, *others = self._ledgers
        self.rows = dict(sorted(first.rows.items()))
        for other in others:
            if not other.rows.keys() <= first.rows.keys():
                raise InvalidInput(
                    f"{other.path}: it holds games of which {self.records} has no records"
                )
            for number in self.rows.keys() - other.rows.keys():
                other.add(self.rows[number])
        for number in self.rows:
            self._name(number)

    def _name(self, number: int) -> None:
        """Give the record of a game that counts its own name."""
        part = self.record_of(number)
        if part is not None and part.exists():
            os.replace(part, part.with_name(f"game-{number:06}.jsonl"))


def kept_header(games: Path | None, records: Path | None) -> dict[str, Any] | None:
    """Return what is said of the series that is kept there; None if there is none."""
    for path in (records and records / LIST, games):
        found = path and header_in(path)
        if found:
            return found
    return None


def _make_folder(folder: Path) -> None:
    """Make a folder for records, or see that it is one."""
    try:
        folder.mkdir(exist_ok=True)
        if not (folder / LIST).exists() and any(folder.iterdir()):
            raise InvalidInput(f"{folder}: the folder holds other files than records of a series")
    except OSError as error:
        raise InvalidInput(f"{folder}: {error.strerror}") from None
