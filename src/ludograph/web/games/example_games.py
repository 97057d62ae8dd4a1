"""The pictures of a game on the first page: a still one, and a recorded game that plays by itself.

They are the files ``picture.svg`` and ``example.svg`` in the game's package, which
``scripts/draw-pictures`` draws from the record in ``example.jsonl``. A game may have none of them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from importlib.resources import files

from ludograph.games import Declaration
from ludograph.referee import Record
from ludograph.referee.record_reader import parse_record
from ludograph.views import animation
from ludograph.web.positions.serializers import labels
from ludograph.web.server.prepared_answers import PreparedAnswer, drawing

RECORD, PICTURE, ANIMATION = "example.jsonl", "picture.svg", "example.svg"


@lru_cache
def kept_picture(package: str, name: str = PICTURE) -> PreparedAnswer | None:
    """Return the answer with a picture in a package; None if there is none."""
    try:
        return drawing((files(package) / name).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None


def example(declared: Declaration) -> Record | None:
    """Return the recorded game in a game's package; None if there is none."""
    try:
        data = (files(declared.package) / RECORD).read_bytes()
    except FileNotFoundError:
        return None
    return parse_record(data, f"the example of {declared.name}")


def animated(record: Record) -> str:
    """Return a recorded game that plays by itself, as SVG."""
    scenes = [position.scene() for position, _ in record.positions()]
    return animation.render(
        [replace(scene, labels=labels(scene)) for scene in scenes], seconds_per_frame=1.0, size=480
    )
