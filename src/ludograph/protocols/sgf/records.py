"""Conversion of records of Hex to SGF files of other programs, and back."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from ludograph.documents import read_bytes, without_mark
from ludograph.errors import InvalidInput
from ludograph.games.hex import HexPosition
from ludograph.players import Reason
from ludograph.protocols.sgf.game import FORFEIT, RESIGN, SgfGame, read_sgf, write_sgf
from ludograph.quoting import one_line
from ludograph.referee.record import Event, Record

FILE_LIMIT = 1 << 24
"""The greatest size of a file in bytes."""

NOBODY = "?"

CHARSET = re.compile(rb";|(\bCA\s*)?\[((?:[^\]\\]|\\.)*)", re.DOTALL)
"""The beginning of a node; or a value, in which there may be others, perhaps of ``CA``."""

ASCII = bytes(n for n in range(32, 127) if n != ord("\\")) + rb"\x41 \u0041 +AEE-"
"""A text that an encoding must leave as it is: it encodes texts, and has no escapes."""


def write(record: Record) -> str:
    """Return a record of Hex as SGF.

    Raises
    ------
    InvalidInput
        If it is another game, or a board that SGF cannot express.
    """
    start = record.start
    if not isinstance(start, HexPosition) or start.is_variant:
        raise InvalidInput(f"only games of hex can be written as SGF, not of {start.game.name}")
    names = record.names
    drops = [event for event in record.events if event.drop is not None]
    nobody = len(drops) > 1
    last = None if nobody or not drops else drops[0]
    game = SgfGame(
        start,
        moves=[event.move for event in record.events if event.move is not None],
        names=(names[0], names[1]),
        left=None if last is None else last.drop,
        how="" if last is None else RESIGN if last.reason == Reason.RESIGN else FORFEIT,
        result="Void" if nobody else "",
    )
    return write_sgf(game)


def read(path: str | Path) -> Record:
    """Read an SGF file of Hex.

    Raises
    ------
    InvalidInput
        With the file and the fault.
    """
    path = Path(path)
    raw = read_bytes(path, "file in SGF", FILE_LIMIT)
    text, remark = text_of(without_mark(raw, path), str(path))
    game = read_sgf(text, str(path))
    names = [name or NOBODY for name in game.names]
    record = Record({"players": names}, game.start)
    for ply, move in enumerate(game.moves):
        record.events.append(Event(move=move, seat=ply % 2))
    if game.left is not None:
        record.events.append(Event(drop=game.left, reason=game.how))
    record.end = end_of(record, game, names)
    remarks = [remark] if remark else []
    remarks += [*game.remarks, *(["the game has no end"] if record.end is None else [])]
    if remarks:
        record.warning = f"{path}: {'; '.join(remarks)}"
    return record


def text_of(raw: bytes, source: str) -> tuple[str, str]:
    """Return the text of a file in the encoding that ``CA`` names, else in UTF-8, else in Latin-1.

    Returns
    -------
    text
        The text.
    remark
        A sentence if ``CA`` names no encoding that is known here; else empty.

    Raises
    ------
    InvalidInput
        If ASCII means something else in the encoding, or it has escapes.
    """
    name = charset(raw)
    remark = ""
    if name:
        try:
            codecs.lookup(name)
        except (LookupError, ValueError):  # a ValueError is a name with a zero byte
            remark = f"the encoding CA[{one_line(name)}] is unknown"
    if name and not remark:
        try:
            usual = ASCII.decode(name, "replace") == ASCII.decode("ascii")
        except (LookupError, ValueError):  # it does not encode texts, or only some
            usual = False
        if not usual:
            raise InvalidInput(f"{source}: CA[{one_line(name)}] cannot be read: save it as UTF-8")
        return raw.decode(name, "replace"), ""
    try:
        return raw.decode(), remark
    except UnicodeDecodeError:
        return raw.decode("latin-1"), remark


def charset(raw: bytes) -> str:
    """Return the value of ``CA`` in the first node; empty if it has none."""
    nodes = 0
    for found in CHARSET.finditer(raw):
        nodes += found[0] == b";"
        if nodes > 1:
            break
        if found[1] is not None:
            return found[2].decode("latin-1").strip()
    return ""


def end_of(record: Record, game: SgfGame, names: list[str]) -> dict[str, object] | None:
    """Return the end of a game by its moves and RE; None if it has not ended."""
    position = record.position_at(record.plies)
    outcome = position.outcome()
    if outcome is not None:
        sentence = position.game.presentation.result(position, outcome, names)
        end = "finished"
    elif game.left is not None:
        winner = 1 - game.left
        sentence = f"{names[winner]} (seat {winner}) wins, the other player gives up: {game.how}."
        end = game.how
    elif game.result:
        sentence, end = f"The game ends after {record.plies} moves: {game.result}.", "adjudicated"
    else:
        return None
    return {"end": end, "names": names, "sentence": sentence}
