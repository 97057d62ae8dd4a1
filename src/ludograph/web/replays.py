"""Recorded games as pages show them: those of this server, of its store, of visitors' disks."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path

from ludograph.errors import InvalidInput
from ludograph.games import Position
from ludograph.games.pictures import heading, titled
from ludograph.games.registry import declaration
from ludograph.referee import Record
from ludograph.referee.reading import parse_record
from ludograph.views import Scene, animation, gif, png
from ludograph.web import limits
from ludograph.web.encoding import Data, Encoder
from ludograph.web.hall import Hall
from ludograph.web.telling import moment, moved
from ludograph.web.thinking import askable, view

LADDER = "ladder-"
"""What the source of a ladder's records begins with; its name follows."""

MOST_FRAMES = 64
"""Moments that are told in one answer."""

MOST_ANIMATED = 400
"""Moves of a game that is drawn as one picture."""


GIF_SIZE = 480
"""Pixels of its wider side."""


class Replays:
    """Finds and reads records; what was read is kept for a while.

    Parameters
    ----------
    store
        The file of tournaments; None: that of this user.
    ladders
        The stores of ladders, by their names.
    """

    def __init__(
        self, hall: Hall, store: str | Path | None, ladders: Mapping[str, Path] | None = None
    ) -> None:
        self.hall, self.store, self.ladders = hall, store, ladders or {}
        self._lock = threading.Lock()
        self._opened: OrderedDict[str, bytes] = OrderedDict()
        self._read: OrderedDict[tuple[str, str], tuple[bytes, Record]] = OrderedDict()

    def open(self, data: bytes) -> str:
        """Keep a visitor's record for a while; return its number.

        Raises
        ------
        InvalidInput
            If it is none.
        """
        record = parse_record(data, "the file")
        number = hashlib.blake2s(data, digest_size=10).hexdigest()
        with self._lock:
            self._opened[number] = data
            self._opened.move_to_end(number)
            while len(self._opened) > limits.OPENED:
                self._opened.popitem(last=False)
            self._keep(("file", number), data, record)
        return number

    def data(self, source: str, number: str) -> bytes:
        """Return the file of a record; raise InvalidInput if there is none."""
        if source == "file":
            with self._lock:
                found = self._opened.get(number)
            if found is None:
                raise InvalidInput("the file is here no more; drop it on the page once again")
            return found
        if source == "store" or source.removeprefix(LADDER) in self.ladders:
            from ludograph.arena.store import Store

            if not number.isdecimal() or len(number) > 9:
                raise InvalidInput("there is no such game in the store")
            kept = self.store if source == "store" else self.ladders[source.removeprefix(LADDER)]
            with Store(kept, must_exist=True) as store:
                return store.record(int(number))
        if source != "here":
            raise InvalidInput("there are no such games")
        path = self.hall.path(number)
        if not path.is_file():
            raise InvalidInput("there is no such game here")
        return path.read_bytes()

    def record(self, source: str, number: str) -> Record:
        """Return a record; raise InvalidInput if there is none, or something is wrong in it."""
        data = self.data(source, number)
        with self._lock:
            kept = self._read.get((source, number))
        if kept is not None and kept[0] == data:
            return kept[1]
        record = parse_record(data, "the record")
        with self._lock:
            self._keep((source, number), data, record)
        return record

    def _keep(self, key: tuple[str, str], data: bytes, record: Record) -> None:
        self._read[key] = (data, record)
        self._read.move_to_end(key)
        while len(self._read) > limits.OPENED:
            self._read.popitem(last=False)


def story(record: Record) -> Data:
    """Return the whole game but its pictures: a step for each moment."""
    steps: list[Data] = []
    thinks = any(event.thoughts is not None for event in record.events)
    before: Position | None = None
    for position, event in record.positions():
        step: Data = {"ply": position.ply, "scores": list(position.scores())}
        if event is not None and event.move is not None:
            step |= moved(position, event.seat, event.move, event.seconds)
            if before is not None:
                step["view"] = view(event.thoughts, before)
        elif event is not None:
            told = f"drops out: {event.reason}" + (f", {event.message}" if event.message else "")
            step |= {"seat": event.drop, "text": f"out: {event.reason}", "told": told, "way": []}
        steps.append(step)
        before = position.copy() if thinks else None
    scene = record.start.scene()
    return {
        "game": record.start.game.name,
        "title": heading(record.start),
        "names": record.names,
        "ranks": (record.end or {}).get("ranks"),
        "sentence": str((record.end or {}).get("sentence") or "The game was interrupted."),
        "board": Encoder(scene).board(scene),
        "steps": steps,
        "askable": askable(record.start),
        "solvable": declaration(record.start.game.name).solving is not None,
    }


def frames(record: Record, first: int, count: int) -> Data:
    """Return some moments of a game, with the shapes that their pictures name."""
    encoder = Encoder(record.start.scene())
    wanted = range(first, first + min(count, MOST_FRAMES))
    found = [
        moment(position, encoder, record.names, record.header.get("specs") or ())
        for number, (position, _) in enumerate(record.positions())
        if number in wanted
    ]
    return {"first": first, "shapes": encoder.shapes, "frames": found}


def picture(record: Record, ply: int) -> str:
    """Return a position of the game as an SVG file."""
    return record.svg(min(ply, record.plies), size=800)


def animated(record: Record) -> str:
    """Return the whole game as one SVG file; raise InvalidInput if it is too long for that."""
    check_length(record)
    scenes: list[Scene] = [titled(position, record.names) for position, _ in record.positions()]
    return animation.render(scenes)


def as_gif(record: Record) -> bytes:
    """Return the whole game as one GIF file; raise InvalidInput if it is too long for that."""
    check_length(record)
    drawn = (record.svg(number, size=GIF_SIZE) for number in range(record.plies + 1))
    return gif.from_pngs(png.from_svg(text) for text in drawn)


def check_length(record: Record) -> None:
    """Raise InvalidInput if a game is too long for one picture."""
    if record.plies > MOST_ANIMATED:
        raise InvalidInput(f"a game of {record.plies} moves is too long for one picture")
