"""Reading of records: the lines of a match's file are checked and become a `Record`.

A record (JSON Lines) contains its board, so it opens without the code that generated the board. The
first line is the header, each further line an event, and the last line the outcome. The record of
an interrupted game lacks the last line.
"""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Annotated, Any, NamedTuple

import msgspec

from ludograph.boards import from_data
from ludograph.documents import check_room, without_mark
from ludograph.errors import IllegalMove, InvalidInput, LudographError
from ludograph.formatting import described, one_line, printable
from ludograph.games.analysis_info_validation import InvalidAnalysisInfo, validated
from ludograph.games.registry import game
from ludograph.players import Reason
from ludograph.referee.clock import Clock
from ludograph.referee.record import Event, Record, Replay
from ludograph.referee.record_writer import FORMAT
from ludograph.referee.result import Fault, MatchResult, ranked, reason_of
from ludograph.referee.seed import Seed
from ludograph.referee.sentences import is_shown_name, sentence_of

HEADER_LIMIT = 1 << 29
"""Bytes of a header; the board of a million vertices takes half of that."""

LINE_LIMIT = 1 << 21
"""Bytes of any other line: the largest analysis that a player may give takes three quarters."""

BROKEN = (msgspec.MsgspecError, UnicodeError, RecursionError)
"""Errors of decoding: no JSON, or JSON of another shape."""


def read_record(path: str | Path) -> Record:
    """Read and check a record.

    A last line that is cut off is left out, with a warning; any other error is raised.

    Raises
    ------
    InvalidInput
        With the file, the line and the problem.
    """
    path = Path(path)
    try:
        if path.exists() and not path.is_file():  # a pipe would block
            raise InvalidInput(f"{path}: this is not a file")
        check_room(path, min(path.stat().st_size, HEADER_LIMIT))
        with path.open("rb") as file:
            return _read(_lines(file, path), path)
    except OSError as error:
        raise InvalidInput(f"{path}: {error.strerror}") from None


def parse_record(data: bytes, name: str = "the record") -> Record:
    """Read and check a record that is not in a file, such as one from a store.

    Parameters
    ----------
    name
        The name of the record in messages.

    Raises
    ------
    InvalidInput
        With the name, the line and the problem.
    """
    with io.BufferedReader(io.BytesIO(data)) as file:
        return _read(_lines(file, name), name)


class _Text(NamedTuple):
    """A line of a file: its number, its bytes, and whether it ends with a line feed."""

    number: int
    text: bytes
    whole: bool


def _lines(file: IO[bytes], path: Path | str) -> Iterator[_Text]:
    """Yield the lines that are not blank."""
    number, limit = 0, HEADER_LIMIT
    first = file.peek(4)[:4]  # type: ignore[attr-defined]
    if first.removeprefix(codecs.BOM_UTF8)[:1] != b"{":  # do not read a disk image
        limit = LINE_LIMIT
    while line := file.readline(limit + 1):
        number += 1
        if len(line) > limit:
            raise InvalidInput(f"{path}: line {number} has more than {limit} bytes")
        if number == 1:
            line = without_mark(line, path)
        limit = LINE_LIMIT
        if line.strip():
            yield _Text(number, line, line.endswith(b"\n"))


def _read(lines: Iterator[_Text], path: Path | str) -> Record:
    first = next(lines, None)
    if first is None:
        raise InvalidInput(f"{path}: the file is empty, a record begins with a header")
    try:
        record = _header(first)
    except (LudographError, msgspec.ValidationError, RecursionError) as error:
        raise InvalidInput(f"{path}: line {first.number}: {error}") from None
    board = Replay(record.start)
    for line in lines:
        try:
            _event(record, board, line.text)
        except (IllegalMove, InvalidInput) as error:
            raise InvalidInput(f"{path}: line {line.number}: {error}") from None
        except BROKEN as error:
            if line.whole:
                problem = f"not a line of a record ({_reason(error)})"
                raise InvalidInput(f"{path}: line {line.number}: {problem}") from None
            record.warning = f"{path}: line {line.number} is cut off and left out"
    if record.end is None and not record.warning:
        record.warning = f"{path}: the game has no end, it was interrupted"
    return record


def _reason(error: Exception) -> str:
    return "it is not a text" if isinstance(error, UnicodeError) else one_line(str(error), 200)


class _Header(msgspec.Struct):
    """The fields of a header that reading it needs."""

    game: str
    game_version: int
    players: list[str]
    setup: dict[str, Any]
    board: dict[str, Any]
    seed: int | None = None
    chance_seed: int | None = None
    clock: str | None = None
    foreign_clock: str | None = None
    specs: list[str | None] | None = None
    levels: list[Annotated[int, msgspec.Meta(ge=0)]] | None = None
    opening: list[str] = []


def _header(line: _Text) -> Record:
    try:
        header = msgspec.json.decode(line.text)
    except BROKEN:
        cut = "" if line.whole else ", or it is cut off"
        raise InvalidInput(f"this is not the header of a record{cut}") from None
    if not isinstance(header, dict) or header.get("record") != "ludograph":
        raise InvalidInput("this is not the header of a record")
    if type(header.get("format")) is not int or header["format"] != FORMAT:
        raise InvalidInput(
            f"the record has format {described(header.get('format'))}, "
            f"this version of ludograph reads format {FORMAT}"
        )
    fields = msgspec.convert(header, _Header)
    rules_of = game(fields.game)
    if fields.game_version != rules_of.version:
        raise InvalidInput(
            f"{fields.game} has version {fields.game_version} in the record, "
            f"{rules_of.version} here"
        )
    start = rules_of.restore(from_data(fields.board, source="board"), fields.setup)
    by_seat = {"players": fields.players, "specs": fields.specs, "levels": fields.levels}
    for name, values in by_seat.items():
        if values is not None and len(values) != start.seats:
            raise InvalidInput(f"{len(values)} {name} for {start.seats} seats")
    for clock in (fields.clock, fields.foreign_clock):
        if clock is not None:
            Clock.parse(clock)
    own = {key: value for key, value in header.items() if key not in ("board", "setup")}
    return Record({**header, **_shown(own)}, start)


def _shown(value: Any) -> Any:
    """Return JSON data whose texts have no control characters and no direction marks.

    Those of a record that this program has written had none before.
    """
    if isinstance(value, str):
        return printable(value, len(value))
    if isinstance(value, list):
        return [_shown(each) for each in value]
    if isinstance(value, dict):
        return {key: _shown(each) for key, each in value.items()}
    return value


class _Line(msgspec.Struct):
    """The fields that a line may have."""

    ply: int | None = None
    seat: int | None = None
    move: str | None = None
    time: float = 0.0
    drop: int | None = None
    reason: str = ""
    message: str = ""
    answer: str = ""
    log: str = ""
    thoughts: Any = None
    remark: str | None = None
    spent: float = 0.0
    end: str | None = None
    ranks: list[int] = []
    scores: list[float] = []
    names: list[str] = []
    sentence: str = ""
    seed: str | None = None
    chance_seed: str | None = None


def _event(record: Record, board: Replay, text: bytes) -> None:
    """Check one line on the board and add it to the record."""
    if b"\\" not in text and text.isascii():  # each character is shown as it is
        line = msgspec.json.decode(text, type=_Line)
    else:
        line = msgspec.convert(_shown(msgspec.json.decode(text)), _Line)
    position = board.position
    if line.remark is not None:
        _remark(record, line)
        return
    if record.end is not None:
        raise InvalidInput("something follows the end of the game")
    if line.end is not None:
        for key in filter(None, (line.seed, line.chance_seed)):
            Seed.parse(key)
        record.end = _shown(msgspec.json.decode(text)) | {
            "sentence": _checked_end(line, board, record)
        }
        return
    if line.ply is not None and line.ply != position.ply:
        raise InvalidInput(f"ply {line.ply} where ply {position.ply} should be")
    if line.drop is not None:
        event = _drop(line, board)
        if line.log:
            record.logs[line.drop] = line.log
    elif line.move is not None:
        event = _move(line, board)
        try:
            event.thoughts = None if line.thoughts is None else validated(line.thoughts, position)
        except InvalidAnalysisInfo as error:
            raise InvalidInput(f"thoughts: {error}") from None
    else:
        raise InvalidInput("neither a move nor a drop nor the end")
    board.apply(event)
    record.events.append(event)


def _drop(line: _Line, board: Replay) -> Event:
    """Return the event of a seat that drops out; raise InvalidInput if it cannot."""
    seats = board.position.seats
    if line.drop is None or not 0 <= line.drop < seats:
        raise InvalidInput(f"seat {line.drop} drops out, the game has {seats} seats")
    if line.reason not in list(Reason):
        raise InvalidInput(f"a seat cannot drop out by {described(line.reason)}")
    if line.drop in board.left:
        raise InvalidInput(f"seat {line.drop} drops out for the second time")
    if board.decided and line.reason != Reason.NO_START:  # several may fail to start
        raise InvalidInput(f"seat {line.drop} drops out after the game was decided")
    return Event(
        drop=line.drop,
        reason=line.reason,
        message=line.message,
        answer=line.answer,
        log=line.log,
    )


def _move(line: _Line, board: Replay) -> Event:
    """Return a move that is legal on the board."""
    position = board.position
    if board.decided:
        raise InvalidInput("a move after the game was decided")
    if line.seat != position.turn:
        raise InvalidInput(f"seat {line.seat} moves, but it is the turn of seat {position.turn}")
    if line.time < 0:
        raise InvalidInput(f"a move cannot take {line.time:g} s")
    code = position.parse(line.move or "")
    if not position.is_legal(code):
        raise IllegalMove(position.why_not(code))
    return Event(move=code, seat=line.seat, seconds=line.time)


def _remark(record: Record, line: _Line) -> None:
    """Add a remark about a seat: its output, time without a move, or its fault at the end."""
    seat = line.seat
    if seat is None or not 0 <= seat < record.start.seats:
        return
    if line.log:
        record.logs[seat] = line.log
    if line.spent < 0:
        raise InvalidInput(f"a seat cannot have used {line.spent:g} s")
    if line.spent:
        record.spent[seat] = line.spent
    if line.reason:
        event = Event(seat=seat, reason=line.reason, message=line.message)
        record.finish_faults.append(event)


def _checked_end(line: _Line, board: Replay, record: Record) -> str:
    """Return the result in one sentence, made from the game and not from the file."""
    position = board.position
    if not board.decided:
        raise InvalidInput(f"the end, but the game is not decided at ply {position.ply}")
    for name, values in (("ranks", line.ranks), ("scores", line.scores), ("names", line.names)):
        if len(values) != position.seats:
            raise InvalidInput(f"{len(values)} {name} for {position.seats} seats")
    outcome = ranked(position.scores(), board.left)
    if tuple(line.scores) != outcome.scores:
        raise InvalidInput(f"the scores are not those of the board: {list(outcome.scores)}")
    if tuple(line.ranks) != outcome.ranks:
        raise InvalidInput(f"the ranks are not those of the game: {list(outcome.ranks)}")
    for seat, (given, name) in enumerate(zip(record.header["players"], line.names, strict=True)):
        if not is_shown_name(given, name):
            raise InvalidInput(f"seat {seat} is {described(given)}, not {described(name)}")
    faults = [
        Fault(event.drop, Reason(event.reason), event.message, board.left[event.drop])
        for event in record.events
        if event.drop is not None
    ]
    reason = reason_of(position, board.left, faults)
    if line.end != reason:
        raise InvalidInput(f"the game ended by {reason!r}, not by {line.end!r:.40}")
    names = tuple(line.names)
    return sentence_of(MatchResult(outcome, reason, names, position, faults=faults))
