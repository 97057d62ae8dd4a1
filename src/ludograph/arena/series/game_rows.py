"""A game of a series as one row, and rows as JSON Lines and CSV."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, Protocol

import msgspec

from ludograph.arena.finished_game import FinishedGame, SeatFault, points_of
from ludograph.quoting import former, inert
from ludograph.referee.result import FINISHED
from ludograph.referee.seed import Seed
from ludograph.views.table import csv_text


class FaultRow(msgspec.Struct, frozen=True):
    """A fault of a player; a player's place is its position in the list of players, from 0."""

    player: int
    seat: int
    reason: str
    message: str
    log: str = ""


class GameRow(msgspec.Struct, frozen=True, kw_only=True):
    """A game of a series; lists have an entry per player, in the order of the players' places.

    Attributes
    ----------
    game
        Its number, from 0.
    seed
        The seed of the players' own choices: a key, or a number in lists of older versions.
    start
        The whole number by which its start was drawn, shared by all seatings.
    seating
        The player on each seat.
    winner
        The place of the winner; None for a draw, or if no player wins.
    drawn
        The players that share the first rank.
    reason
        ``finished``, or the reason of the fault that ended the game.
    solved
        Whether a single player has solved its task.
    names
        The names as given, with the players' own names.
    moves, seconds
        The number of their moves, and the total time of these.
    """

    game: int
    seed: int | str
    start: int
    seating: list[int]
    winner: int | None
    drawn: list[int]
    reason: str
    plies: int
    solved: bool
    names: list[str]
    scores: list[float]
    ranks: list[int]
    moves: list[int]
    seconds: list[float]
    faults: list[FaultRow]
    finish_faults: list[FaultRow]

    @property
    def points(self) -> list[float]:
        """Points by player: the share of the others that it beat, ties counting half."""
        if len(self.ranks) == 1 or {fault.player for fault in self.faults} >= set(self.seating):
            return [0.0] * len(self.ranks)
        return list(points_of(tuple(self.ranks)))


def row_of(number: int, seed: Seed, seating: Sequence[int], game: FinishedGame) -> GameRow:
    """Return a game of a series as a row.

    Parameters
    ----------
    seed
        The seed of the players' own choices.
    seating
        The player on each seat.
    """
    by_player = [game.seats[seating.index(player)] for player in range(len(seating))]
    alone = len(seating) == 1
    first = [seating[seat] for seat, found in enumerate(game.seats) if found.rank == 1]
    is_won = len(first) == 1 and not alone and by_player[first[0]].forfeit is None

    def rows(faults: Sequence[SeatFault]) -> list[FaultRow]:
        return [FaultRow(seating[f.seat], f.seat, f.reason, f.message, f.log) for f in faults]

    return GameRow(
        game=number,
        seed=seed.data,
        start=game.seed,
        seating=list(seating),
        winner=first[0] if is_won else None,
        drawn=first if len(first) > 1 else [],
        reason=game.reason,
        plies=game.plies,
        solved=alone and game.reason == FINISHED and by_player[0].score >= -game.plies,
        names=[game.names[seating.index(player)] for player in range(len(seating))],
        scores=[found.score for found in by_player],
        ranks=[found.rank for found in by_player],
        moves=[found.moves for found in by_player],
        seconds=[found.seconds for found in by_player],
        faults=rows(game.faults),
        finish_faults=rows(game.finish_faults),
    )


BY_PLAYER = ("names", "scores", "ranks", "moves", "seconds")

SINGULAR = {"names": "name", "scores": "score", "ranks": "rank"}

WHOLE = ("game", "seed", "start", "winner", "reason", "plies")


def check_row(row: GameRow, players: int) -> None:
    """Raise ValueError if a row cannot be of a series of this number of players.

    Somebody has edited it, or it is damaged.
    """
    if sorted(row.seating) != list(range(players)):
        raise ValueError(f"the seating {row.seating} is not each of {players} players once")
    for name in BY_PLAYER:
        count = len(getattr(row, name))
        if count != players:
            raise ValueError(f"{count} {name} for {players} players")
    faulty = [fault.player for fault in (*row.faults, *row.finish_faults)]
    for place in (row.winner, *row.drawn, *faulty):
        if place is not None and place not in row.seating:
            raise ValueError(
                f"there is no player {place}; the series has players 0 to {players - 1}"
            )
    if min(row.game, row.plies, *row.moves) < 0 or not all(
        map(isfinite, (*row.scores, *row.seconds))
    ):
        raise ValueError("a number of the game is negative or not finite")


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
    """Return the format of a file from its suffix."""
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


REMARK = "# "


def header_of(line: bytes) -> Any:
    """Return the series in the first line of a file; raise ValueError if it is none."""
    text = line.decode()
    if text.startswith(REMARK):
        text = former(text.removeprefix(REMARK))
    return msgspec.json.decode(text)


class CsvRows:
    """Columns; those of a player have its place after their names. The first line is a remark.

    Spreadsheets find no formulas in it.
    """

    def __init__(self, players: int) -> None:
        self._places = range(players)
        self._own = [(n, f"{SINGULAR.get(n, n)}_{p}", p) for n in BY_PLAYER for p in self._places]
        seats = [f"seat_{seat}" for seat in self._places]
        last = ["drawn", "solved", "faults", "finish_faults"]
        self._columns = [*WHOLE[:3], *seats, *WHOLE[3:], *(column for _, column, _ in self._own)]
        self._columns += last

    def head(self, header: Mapping[str, Any]) -> bytes:
        """Return the series as a remark, and the names of the columns."""
        said = inert(msgspec.json.encode(header).decode())
        return f"{REMARK}{said}\n".encode() + self._line(self._columns)

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
        found = [former(cell) for cell in next(csv.reader([line.decode()]))]
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
        return csv_text([cells], exact=True).encode()
