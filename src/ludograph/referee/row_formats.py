"""How games of a series are written line by line: JSON Lines, and CSV for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import msgspec

from ludograph.referee.game_row import FaultRow, GameRow

BY_PLAYER = ("names", "scores", "ranks", "moves", "seconds")
SINGULAR = {"names": "name", "scores": "score", "ranks": "rank"}
WHOLE = ("game", "seed", "start", "winner", "reason", "plies")


class RowFormat(Protocol):
    """A way to write games as lines without line breaks in them."""

    def head(self, header: Mapping[str, Any]) -> bytes:
        """Return the lines before the games."""
        ...

    def encode(self, row: GameRow) -> bytes:
        """Return the line of a game."""
        ...

    def decode(self, line: bytes) -> GameRow:
        """Return the game of a line; raise ValueError if it is none."""
        ...


def row_format(path: Path, players: int) -> RowFormat:
    """Return how a file is written, from its suffix."""
    return CsvRows(players) if path.suffix == ".csv" else JsonRows()


class JsonRows:
    """A JSON object per line."""

    def head(self, header: Mapping[str, Any]) -> bytes:
        """Return the series as an object of its own."""
        return msgspec.json.encode(header) + b"\n"

    def encode(self, row: GameRow) -> bytes:
        """Return the object of a game."""
        return msgspec.json.encode(row) + b"\n"

    def decode(self, line: bytes) -> GameRow:
        """Return the game of a line."""
        return msgspec.json.decode(line, type=GameRow)


class CsvRows:
    """Columns, those of each player with its place behind their names; the first line a remark."""

    def __init__(self, players: int) -> None:
        self._places = range(players)
        self._own = [(n, f"{SINGULAR.get(n, n)}_{p}", p) for n in BY_PLAYER for p in self._places]
        seats = [f"seat_{seat}" for seat in self._places]
        last = ["drawn", "solved", "faults", "finish_faults"]
        self._columns = [*WHOLE[:3], *seats, *WHOLE[3:], *(column for _, column, _ in self._own)]
        self._columns += last

    def head(self, header: Mapping[str, Any]) -> bytes:
        """Return the series as a remark, and the names of the columns."""
        return b"# " + msgspec.json.encode(header) + b"\n" + self._line(self._columns)

    def encode(self, row: GameRow) -> bytes:
        """Return the cells of a game."""
        cells: dict[str, Any] = {name: getattr(row, name) for name in WHOLE}
        cells |= {f"seat_{seat}": player for seat, player in enumerate(row.seating)}
        cells |= {column: getattr(row, name)[place] for name, column, place in self._own}
        cells |= {"drawn": " ".join(map(str, row.drawn)), "solved": int(row.solved)}
        for name in ("faults", "finish_faults"):
            faults = getattr(row, name)
            cells[name] = msgspec.json.encode(faults).decode() if faults else ""
        cells["winner"] = "" if row.winner is None else row.winner
        return self._line([cells[column] for column in self._columns])

    def decode(self, line: bytes) -> GameRow:
        """Return the game of a line."""
        found = next(csv.reader([line.decode()]))
        if len(found) != len(self._columns):
            raise ValueError(f"{len(found)} cells where {len(self._columns)} should be")
        cells = dict(zip(self._columns, found, strict=True))
        own = {name: [cells[c] for n, c, _ in self._own if n == name] for name in BY_PLAYER}
        faults = {
            name: msgspec.json.decode(cells[name] or "[]", type=list[FaultRow])
            for name in ("faults", "finish_faults")
        }
        return msgspec.convert(
            {
                **{name: cells[name] for name in WHOLE},
                **own,
                **faults,
                "winner": cells["winner"] or None,
                "seating": [cells[f"seat_{seat}"] for seat in self._places],
                "drawn": cells["drawn"].split(),
                "solved": cells["solved"] == "1",
            },
            GameRow,
            strict=False,
        )

    def _line(self, cells: list[Any]) -> bytes:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow(cells)
        return text.getvalue().encode()
