"""A record for its reader: what authors of players wrote is left out, except for their own seats.

Exceptions, prints and thoughts may quote the source of a player. So a line of a seat that is not
the reader's keeps only the fields of :data:`PUBLIC`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec

from ludograph.errors import InvalidInput
from ludograph.games.registry import game
from ludograph.players.spec import FILE, HUMAN, program_kind
from ludograph.referee.sentences import public_sentence

PUBLIC = {
    *("ply", "seat", "move", "time", "drop", "reason", "remark", "spent", "usage"),
    *("end", "ranks", "scores", "names", "sentence", "seed", "chance_seed"),
}
"""What everybody may read of a line after the header. A field that is not here is private."""


class _Header(msgspec.Struct):
    game: str
    specs: list[str | None] | None = None


def record_for(data: bytes, seats: Collection[int] | None) -> bytes:
    """Return a record for a reader.

    Built-in players are everybody's. A remark of a seat stays only if it is about time.

    Parameters
    ----------
    data
        A record that this program has written, perhaps of a running game.
    seats
        The seats whose authors' texts the reader may read; None: of all seats.
    """
    if seats is None:
        return data
    header, _, lines = data.partition(b"\n")
    read = {*seats, *built_in_seats(header)}
    cut = (_line_for(line, read) for line in lines.splitlines(keepends=True))
    return b"".join([header, b"\n", *cut])


def built_in_seats(header: bytes) -> list[int]:
    """Return the seats of built-in players and of people; none of a header that is damaged."""
    try:
        found = msgspec.json.decode(header, type=_Header)
        known = {*game(found.game).strategies, HUMAN}
    except (msgspec.MsgspecError, InvalidInput):
        return []
    return [
        seat
        for seat, spec in enumerate(found.specs or ())
        if spec is not None and is_built_in(spec, known)
    ]


def is_built_in(spec: str, known: Collection[str]) -> bool:
    """Tell whether a player's name is that of one of the known strategies, with its options."""
    if FILE.fullmatch(spec) or program_kind(spec) is not None:
        return False
    return spec.partition(":")[0] in known


def _line_for(line: bytes, seats: Collection[int]) -> bytes:
    """Return a line for a reader of some seats; empty if nothing in it is for the reader."""
    try:
        public = {name: value for name, value in decoded(line).items() if name in PUBLIC}
    except msgspec.MsgspecError:  # the last line of a running game, which is being written
        return b""
    if "end" not in public and public.get("drop", public.get("seat")) in seats:
        return line
    if "sentence" in public:
        public["sentence"] = public_sentence(public["sentence"])
    if "remark" in public:
        if "spent" not in public:
            return b""
        public["remark"] = "time without a move that stands"
    return msgspec.json.encode(public) + b"\n"


decoded = msgspec.json.Decoder(dict[str, Any]).decode


def fault_of(data: bytes, seat: int) -> tuple[str, int | None]:
    """Return the output of a seat in a record, and the number of the event at which it dropped out.

    Events count from 1, as the steps of a replay do; None if it did not drop out.
    """
    step, dropped, logs = 0, None, []
    for line in data.splitlines()[1:]:
        event = decoded(line)
        step += "move" in event or "drop" in event
        if event.get("drop") == seat:
            dropped = step
        if event.get("log") and seat in (event.get("seat"), event.get("drop")):
            logs.append(event["log"])
    return "\n".join(logs), dropped
