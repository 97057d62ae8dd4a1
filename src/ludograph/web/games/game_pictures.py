"""The pictures of a game: a still one, a recorded game that plays by itself, the start of a form.

The first two are the files ``picture.svg`` and ``example.svg`` in the game's package, which
``scripts/draw-pictures`` draws from the record in ``example.jsonl``. A game may have none of them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from importlib.resources import files

from ludograph.boards import Board
from ludograph.games import Declaration
from ludograph.games.registry import declaration, load
from ludograph.games.search_players import RandomMoves
from ludograph.referee import Record
from ludograph.referee.record_reader import parse_record
from ludograph.views import animation
from ludograph.web.games import forms
from ludograph.web.positions.serializers import labels, small_svg
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


MIDDLE = 0.6
"""The number of moves of a game before its small picture."""


def start_picture(name: str, given: dict[str, str], own: Board | None) -> str:
    """Return the start of a form's game as SVG; the usual picture if it is large, or without one.

    Raises
    ------
    InvalidInput
        If something is wrong in the form.
    """
    declared = declaration(name)
    if not given or not forms.is_small(declared, given, own):
        return small_picture(declared.name)
    seed = given.get("seed", "").strip() or "3"
    start, _ = forms.read_start(declared, {**given, "seed": seed}, own)
    return small_svg(start.scene())


def small_picture(name: str) -> str:
    """Return a position of a game as SVG, always the same.

    It is the middle of the recorded game of its package; without one, the position after random
    moves from the usual start.
    """
    declared = declaration(name)
    if record := example(declared):
        return small_svg(record.position_at(record.plies // 2).scene())
    start = load(declared).position(seed=3)
    position, player = start.copy(), RandomMoves(7)
    moves: list[int] = []
    while not position.is_over and len(moves) < 400:
        move = player.choose(position)
        position.push(move)
        moves.append(move)
    for move in moves[: int(MIDDLE * len(moves))]:
        start.push(move)
    return small_svg(start.scene())
