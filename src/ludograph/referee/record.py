"""Records: a game as JSON Lines that opens without the code which generated its board.

The first line is the header, then comes a line per event, the last line holds the outcome. A
record of a game that was interrupted lacks the last line and is read up to where it is sound.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Self

import msgspec

from ludograph.boards import from_data, to_data
from ludograph.errors import IllegalMove, InvalidInput, LudographError
from ludograph.games import Position, game
from ludograph.referee.clock import Clock
from ludograph.version import VERSION

if TYPE_CHECKING:
    from ludograph.referee.match import Fault, MatchResult, PlayedMove

FORMAT = 1
LINE_LIMIT = 1 << 30


class RecordWriter:
    """Writes a record line by line, so that an interrupted game leaves a readable one."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self._file: IO[bytes] = self.path.open("wb")
        except OSError as error:
            raise InvalidInput(f"record {self.path}: {error.strerror}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def _write(self, line: Mapping[str, Any]) -> None:
        self._file.write(msgspec.json.encode(line) + b"\n")
        self._file.flush()

    def header(
        self, position: Position, players: Sequence[str], clock: Clock | None, seed: int
    ) -> None:
        """Write all that is needed to play the same match again."""
        self._write(
            {
                "record": "ludograph",
                "format": FORMAT,
                "game": position.game.name,
                "game_version": position.game.version,
                "ludograph": VERSION,
                "python": platform.python_version(),
                "created": datetime.now(UTC).isoformat(timespec="seconds"),
                "players": list(players),
                "clock": str(clock) if clock is not None else None,
                "seed": seed,
                "setup": position.game.describe(position),
                "board": to_data(position.board),
            }
        )

    def move(self, position: Position, played: PlayedMove) -> None:
        """Write a move; ``position`` is the one after it."""
        line: dict[str, Any] = {"ply": position.ply - 1, "seat": played.seat}
        line["move"] = position.text(played.move)
        line["time"] = round(played.seconds, 6)
        self._write(line)

    def fault(self, fault: Fault) -> None:
        """Write that a player dropped out, and why."""
        line = {
            "ply": fault.ply,
            "drop": fault.seat,
            "reason": str(fault.reason),
            "message": fault.message,
        }
        self._write({**line, "log": fault.log} if fault.log else line)

    def remark(self, text: str) -> None:
        """Write something that has no influence on the game."""
        self._write({"remark": text})

    def end(self, result: MatchResult) -> None:
        """Write the outcome."""
        self._write(
            {
                "end": result.reason,
                "ranks": list(result.outcome.ranks),
                "scores": list(result.outcome.scores),
                "names": list(result.names),
                "sentence": result.sentence,
            }
        )


@dataclass(slots=True)
class Event:
    """A line of a record: a move of a seat or of chance, or a seat that dropped out."""

    move: int | None = None
    seat: int | None = None
    seconds: float = 0.0
    drop: int | None = None
    reason: str = ""
    message: str = ""


@dataclass(slots=True)
class Record:
    """A record, read and checked: every move in it is legal.

    Attributes
    ----------
    start
        The position before the first move.
    events
        What happened, in order.
    end
        The last line, or None for a game that was interrupted.
    warning
        What was left out, or an empty text.
    """

    header: dict[str, Any]
    start: Position
    events: list[Event] = field(default_factory=list)
    end: dict[str, Any] | None = None
    warning: str = ""

    @property
    def names(self) -> list[str]:
        """The players by seat."""
        names = (self.end or {}).get("names") or self.header["players"]
        return [str(name) for name in names]

    @property
    def plies(self) -> int:
        """The number of moves."""
        return sum(event.move is not None for event in self.events)

    def positions(self) -> Iterator[tuple[Position, Event | None]]:
        """Yield the board at the start and after each event, the same object each time."""
        position = self.start.copy()
        yield position, None
        for event in self.events:
            _apply(position, event)
            yield position, event

    def position_at(self, ply: int) -> Position:
        """Return the board after a number of moves.

        Raises
        ------
        InvalidInput
            If the game has fewer.
        """
        if not 0 <= ply <= self.plies:
            raise InvalidInput(f"ply {ply}: the record has plies 0 to {self.plies}")
        for position, _ in self.positions():
            if position.ply == ply:
                return position
        raise InvalidInput(f"ply {ply}: the record does not reach it")


def read_record(path: str | Path) -> Record:
    """Read and check a record.

    A last line that is cut off, and nothing else, is left out with a warning.

    Raises
    ------
    InvalidInput
        With file, line and what is wrong.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            lines = _lines(file, path)
            record = _header(next(lines, None), path)
            board = record.start.copy()
            for number, line, complete in lines:
                try:
                    _event(record, board, line)
                except msgspec.DecodeError:
                    if complete:
                        raise InvalidInput(f"{path}: line {number} is not JSON") from None
                    record.warning = f"{path}: line {number} is cut off and left out"
                except (IllegalMove, InvalidInput) as error:
                    raise InvalidInput(f"{path}: line {number}: {error}") from None
    except OSError as error:
        raise InvalidInput(f"{path}: {error.strerror}") from None
    if record.end is None and not record.warning:
        record.warning = f"{path}: the game has no end, it was interrupted"
    return record


def _lines(file: IO[bytes], path: Path) -> Iterator[tuple[int, bytes, bool]]:
    """Yield the number and the bytes of each line, and whether it ends with a line feed."""
    number = 0
    while line := file.readline(LINE_LIMIT):
        number += 1
        if len(line) >= LINE_LIMIT:
            raise InvalidInput(f"{path}: line {number} has more than {LINE_LIMIT} bytes")
        if line.strip():
            yield number, line, line.endswith(b"\n")


def _header(first: tuple[int, bytes, bool] | None, path: Path) -> Record:
    if first is None:
        raise InvalidInput(f"{path}: the file is empty, a record begins with a header")
    try:
        header = msgspec.json.decode(first[1], type=dict[str, Any])
    except msgspec.DecodeError:
        raise InvalidInput(f"{path}: line 1 is not a record's header") from None
    if header.get("record") != "ludograph":
        raise InvalidInput(f"{path}: line 1 is not a record's header")
    if header.get("format") != FORMAT:
        raise InvalidInput(
            f"{path}: the record has format {header.get('format')!r}, "
            f"this version of ludograph reads format {FORMAT}"
        )
    try:
        players = msgspec.convert(header.get("players"), list[str])
        board = from_data(msgspec.convert(header.get("board"), dict[str, Any]), source="board")
        setup = msgspec.convert(header.get("setup"), dict[str, Any])
        start = game(str(header.get("game"))).restore(board, setup)
        if header.get("game_version") != start.game.version:
            raise InvalidInput(
                f"{start.game.name} has version {header.get('game_version')!r} in the record, "
                f"{start.game.version} here"
            )
        if len(players) != start.seats:
            raise InvalidInput(f"{len(players)} players for {start.seats} seats")
    except (LudographError, msgspec.ValidationError) as error:
        raise InvalidInput(f"{path}: line 1: {error}") from None
    return Record(header, start)


class _Line(msgspec.Struct):
    """The fields that a line may have."""

    ply: int | None = None
    seat: int | None = None
    move: str | None = None
    time: float = 0.0
    drop: int | None = None
    reason: str = ""
    message: str = ""
    remark: str | None = None
    end: str | None = None


def _event(record: Record, board: Position, text: bytes) -> None:
    """Check one line on the board and add it to the record."""
    try:
        line = msgspec.json.decode(text, type=_Line)
    except msgspec.ValidationError as error:
        raise InvalidInput(str(error)) from None
    if record.end is not None:
        raise InvalidInput("something follows the end of the game")
    if line.end is not None:
        record.end = msgspec.json.decode(text)
    elif line.drop is not None:
        if not 0 <= line.drop < board.seats:
            raise InvalidInput(f"seat {line.drop} drops out, the game has {board.seats} seats")
        event = Event(drop=line.drop, reason=line.reason, message=line.message)
        _apply(board, event)
        record.events.append(event)
    elif line.move is not None:
        if line.seat != board.turn:
            raise InvalidInput(f"seat {line.seat} moves, but it is the turn of seat {board.turn}")
        if line.ply != board.ply:
            raise InvalidInput(f"ply {line.ply} where ply {board.ply} should be")
        code = board.parse(line.move)
        board.play(code)
        record.events.append(Event(move=code, seat=line.seat, seconds=line.time))
    elif line.remark is None:
        raise InvalidInput("neither a move nor a drop nor the end")


def _apply(position: Position, event: Event) -> None:
    from ludograph import rules

    if event.move is not None:
        rules.play(position.setup, position.state, event.move)
    elif event.drop is not None and not position.is_over:
        position.drop(event.drop)
