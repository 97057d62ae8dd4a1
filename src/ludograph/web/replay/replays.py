"""Records for pages: found by number, shown as frames, pictures, advice, variations and puzzles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ludograph.analysis.advice import advice_at, advisers, cells_of, position_at
from ludograph.analysis.evaluation import chances
from ludograph.analysis.puzzles import Puzzle, find_puzzles
from ludograph.arena.ladder.people import Role
from ludograph.errors import DamagedData, InvalidInput, NotFound
from ludograph.games import Position
from ludograph.games.board_option import boards_called
from ludograph.games.pictures import heading, titled
from ludograph.games.registry import declaration, names
from ludograph.referee import Record
from ludograph.referee.public_record import record_for
from ludograph.referee.record_reader import parse_record
from ludograph.referee.sentences import drop_text
from ludograph.rules import random_state
from ludograph.views import Scene, animation, bitmaps, svg
from ludograph.web.match.match_records import MatchRecords, RecordSummary
from ludograph.web.positions.move_input import choices, places_of, shown_line
from ludograph.web.positions.serializers import Data, SceneEncoder, frame, line_data, moved, view
from ludograph.web.positions.thoughts import SHOWN_PLIES, chance_of
from ludograph.web.positions.wording import display_names, spoken
from ludograph.web.replay.evaluations import evaluated
from ludograph.web.server import limits
from ludograph.web.server.latest_uploads import LatestUploads, number_of

if TYPE_CHECKING:  # a worker's first job waits for what is imported here
    from ludograph.web.ladder.ladders import LadderPages
    from ludograph.web.server.tokens import Visitor

HERE = "here"
"""The source of the records of games that were played on this server."""

LADDER = "ladder-"
"""The beginning of the source of a ladder's records; the ladder's name follows."""

MOST_FRAMES = 64
"""Frames in one answer."""

MOST_ANIMATED = 400
"""The most moves of a game in one animation."""

GIF_SIZE = 480
"""Pixels of the wider side of a GIF."""

MOST_DRAWN = 12_000_000
"""The most characters of all SVG pictures of a GIF together; these take half a minute."""


class Replays:
    """Finds records: of this server, of stores, and those that visitors have opened.

    Parameters
    ----------
    store
        The file of tournaments; None: the one of this user.
    ladders
        The pages of ladders, by their names.
    """

    def __init__(
        self,
        records: MatchRecords,
        store: str | Path | None,
        ladders: Mapping[str, LadderPages],
    ) -> None:
        self.records, self.store, self.ladders = records, store, ladders
        self._opened = LatestUploads[bytes](
            "the file is not kept any more; drop it on the page again"
        )

    def open(self, data: bytes) -> str:
        """Store a visitor's checked record for a while; return its number."""
        number = number_of(data)
        self._opened.keep(number, data)
        return number

    def data(self, source: str, number: str, visitor: Visitor) -> bytes:
        """Return the file of a record, as a visitor may read it; raise NotFound if there is none.

        What players' authors wrote is cut out, except for those players that are the visitor's.
        Operators read all, and a visitor who has opened a file.
        """
        data = self._whole(source, number)
        if source == "file":
            return data
        pages = self._pages(source)
        if pages is not None:
            return record_for(data, pages.open_seats(int(number), visitor))
        return record_for(data, None if visitor.role >= Role.OPERATE else ())

    def _whole(self, source: str, number: str) -> bytes:
        if source == "file":
            return self._opened[number]
        pages = self._pages(source)
        if source == "store" or pages is not None:
            from ludograph.arena.store import Store

            with (
                suppress(NotFound),  # its sentence has the path of the store
                pages.store() if pages else Store(self.store, must_exist=True) as kept,
            ):
                if kept is not None and number.isdecimal() and len(number) < 10:
                    return kept.record(int(number))
            raise NotFound("there is no such game in the store, or its record is not kept any more")
        if source != HERE:
            raise NotFound("there are no such games")
        return self.records.file(number).read_bytes()

    def _pages(self, source: str) -> LadderPages | None:
        """Return the pages of the ladder that is a source; None for another source."""
        is_ladder = source.startswith(LADDER)
        return self.ladders.get(source.removeprefix(LADDER)) if is_ladder else None

    def people(self, source: str, number: str) -> list[str]:
        """Return the names of the people in a game, by seat; no entries without a name.

        They are stored beside the records of this server, not for other records.
        """
        return self.records.seat_keys(number).names if source == HERE else []


@lru_cache(maxsize=4)
def read(data: bytes) -> Record:
    """Return a record of this server, or a checked one; raise DamagedData if it is invalid."""
    try:
        return parse_record(data, "the record")
    except InvalidInput as error:
        raise DamagedData(error) from None


def as_json(make: Callable[..., Data], data: bytes, *arguments: Any) -> bytes:
    """Return what a function makes of a record and of arguments, as JSON."""
    return msgspec.json.encode(make(read(data), *arguments))


def check(data: bytes) -> None:
    """Raise InvalidInput if a visitor's file is no record."""
    parse_record(data, "the file")


class Title(NamedTuple):
    """The title of a recorded game's page.

    Attributes
    ----------
    names
        The names of the players on pages.
    board
        The name of the board; empty for a game without one.
    ended
        Whether the game has ended.
    people
        By seat, the name of the person; no entries without a name.
    """

    game: str
    names: Sequence[str]
    board: str
    moves: int
    ended: bool
    people: Sequence[str]


def title(data: bytes, people: Sequence[str]) -> Title:
    """Return the title of a record's page; ``people`` are the names of people, by seat."""
    record = read(data)
    board = record.start.board
    named = board.name if board.n > 1 else ""
    game = record.start.game
    shown = display_names(record.names, chosen_players(record)[1], people)
    return Title(game.name, shown, named, record.move_count, record.end is not None, people)


class File(NamedTuple):
    """A file made from a record, with its name."""

    data: bytes
    name: str


def story(record: Record) -> Data:
    """Return the whole game without its pictures: a step for each frame."""
    steps: list[Data] = []
    thinks = any(event.thoughts is not None for event in record.events)
    opening = len(record.opening)
    before: Position | None = None
    for position, event in record.positions():
        step: Data = {"ply": position.ply, "moves": position.move_count}
        step |= {"scores": list(position.scores())}
        if event is not None and event.move is not None:
            step |= moved(position, event.seat, event.move, event.seconds)
            step.pop("code", None)  # nobody types moves on the page
            if len(steps) <= opening:
                step["opening"] = True
            if before is not None:
                step["view"] = view(event.thoughts, before)
        elif event is not None:
            step |= {
                "seat": event.drop,
                "text": f"out: {event.reason}",
                "announcement": drop_text(event.reason, event.message),
                "way": [],
            }
        steps.append(step)
        before = position.copy() if thinks else None
    return {
        "game": record.start.game.name,
        "title": heading(record.start),
        "names": record.names,
        "ranks": (record.end or {}).get("ranks"),
        "sentence": str((record.end or {}).get("sentence") or "The game was interrupted."),
        "board": SceneEncoder(record.start.scene()).board(record.start),
        "steps": steps,
        "evaluated": evaluated(record),
        "askable": advisers(record.start),
        "solvable": declaration(record.start.game.name).solving is not None,
    }


def chosen_players(record: Record) -> tuple[Sequence[str | None], Sequence[int]]:
    """Return the players of a record as written on the command line, and their levels, by seat."""
    return record.header.get("specs") or (), record.header.get("levels") or ()


def frames(record: Record, first: int, count: int) -> Data:
    """Return some frames of a game, with the shapes of their pictures."""
    encoder = SceneEncoder(record.start.scene())
    wanted = range(first, first + min(count, MOST_FRAMES))
    wanted_frames = [
        frame(position, encoder, record.names, *chosen_players(record))
        for number, (position, _) in enumerate(record.positions())
        if number in wanted
    ]
    return {"first": first, "shapes": encoder.shapes, "frames": wanted_frames}


def as_svg(data: bytes, ply: int | None) -> File:
    """Return a position of the game as an SVG file, by default the last one."""
    text, name = _picture(data, ply)
    return File(text.encode(), f"{name}.svg")


def as_png(data: bytes, ply: int | None) -> File:
    """Return a position of the game as a PNG file, by default the last one."""
    text, name = _picture(data, ply)
    return File(bitmaps.png_from_svg(text), f"{name}.png")


def _picture(data: bytes, ply: int | None) -> tuple[str, str]:
    record = read(data)
    ply = record.plies if ply is None else min(ply, record.plies)
    shown = display_names(record.names, chosen_players(record)[1])
    text = svg.render(scene_of(record.position_at(ply), shown), size=800)
    return text, f"{record.start.game.name}-{ply}"


def as_animation(data: bytes, _: None) -> File:
    """Return the whole game as one SVG file; raise InvalidInput if it is too long for that."""
    record = read(data)
    check_length(record.plies)
    return File(animation.render(list(scenes_of(record))).encode(), f"{record.start.game.name}.svg")


def as_gif(data: bytes, ply: int | None) -> File:
    """Return a game as one GIF file, perhaps up to a ply; raise InvalidInput if it is too long."""
    record = read(data)
    check_length(record.plies if ply is None else min(ply, record.plies))
    drawn = [svg.render(scene, size=GIF_SIZE) for scene in scenes_of(record, ply)]
    if sum(map(len, drawn)) > MOST_DRAWN:
        raise InvalidInput("the game is too long for a GIF on so large a board")
    pictures = bitmaps.gif_from_pngs(bitmaps.png_from_svg(text, sharpness=1) for text in drawn)
    return File(pictures, f"{record.start.game.name}.gif")


def scenes_of(record: Record, last: int | None = None) -> Iterator[Scene]:
    """Yield the pictures of all positions of a game, or up to a ply, with texts as on pages."""
    shown = display_names(record.names, chosen_players(record)[1])
    for position, _ in record.positions():
        if last is not None and position.ply > last:
            return
        yield scene_of(position, shown)


def scene_of(position: Position, shown: Sequence[str]) -> Scene:
    """Return the picture of a position, with texts as on pages."""
    scene = titled(position, shown)
    captions = tuple(spoken(text, shown) for text in scene.captions)
    return replace(scene, title=boards_called(scene.title), captions=captions)


def as_record(data: bytes, ply: int | None) -> File:
    """Return the record, or the one of the first moves, from which a game can be resumed."""
    if ply is None or ply >= read(data).plies:
        return File(data, "game.jsonl")
    lines = data.splitlines(keepends=True)
    moves = (each for each, line in enumerate(lines) if "move" in msgspec.json.decode(line))
    end = next(islice(moves, ply, None))
    return File(b"".join(lines[:end]), f"game-{ply}.jsonl")


def check_length(plies: int) -> None:
    """Raise InvalidInput if a game is too long for one picture."""
    if plies > MOST_ANIMATED:
        raise InvalidInput("the game is too long for one picture")


def advice_in(record: Record, step: int, moves: Sequence[str], name: str | None) -> Data:
    """Return the advice of a strategy in a variation of a record; see :func:`ask`."""
    return ask(position_at(record, step, moves), name)


def ask(position: Position, name: str | None) -> Data:
    """Return the advice of a strategy in a position, or of the solver without a name.

    Its fields are ``text``; ``seconds`` of a strategy's search; ``cells``, ``places`` of the move
    (see :func:`~ludograph.web.positions.move_input.places_of`), ``view``; ``chance``: the
    strategy's value for the seat to move, as a short text, empty if unknown; ``line``, its expected
    moves (see :func:`~ludograph.web.positions.move_input.shown_line`).

    Raises
    ------
    InvalidInput
        If no seat is to move there, or there is no such strategy.
    """
    advice = advice_at(
        position,
        name,
        strategy_seconds=limits.ASKED_SECONDS,
        solver_seconds=limits.SOLVED_SECONDS,
    )
    shown = view(advice.info, position)
    if advice.detail:
        more = advice.detail.removeprefix(advice.text).strip()
        shown = {"text": more, "overlays": shown["overlays"] if shown else []}
    info, move = advice.info, advice.move
    line = info.line[:SHOWN_PLIES] if info is not None else ()
    return {
        "text": advice.text,
        "seconds": None if name is None else limits.ASKED_SECONDS,
        "cells": advice.cells,
        "places": None if move is None else places_of(position, move),
        "view": shown,
        "chance": chance_of(info, position) if info is not None else "",
        "line": shown_line(position, line),
    }


LONGEST = 200
"""The most moves of a variation."""


def variation_data(
    record: Record, step: int, moves: Sequence[str], seed: int | None = None
) -> Data:
    """Return the position after some moves of seats and of chance that follow a step of a game.

    Its fields are ``line``, the moves that lead there (see
    :func:`~ludograph.web.positions.serializers.line_data`), each with its ``way``, the cells on its
    path; ``now``, a frame; ``shapes`` of its picture; ``ask``, the legal moves, None if no seat is
    to move; ``outcomes`` of chance, empty if it is not to move.

    Parameters
    ----------
    seed
        The seed of chance after the moves; None: nothing is drawn.

    Raises
    ------
    InvalidInput
        If the game has no such step, or there are too many moves.
    IllegalMove
        If a move is not legal.
    """
    drawn = seed is not None
    if len(moves) + drawn > LONGEST:
        raise InvalidInput(f"a variation has {LONGEST} moves at most")
    before = position_at(record, step)
    position = before.copy()
    for move in moves:
        position.play(move)
    if seed is not None:
        if not position.is_chance:
            raise InvalidInput("chance is not to move there")
        position.play_random(random_state(seed, position.ply))
    line = line_data(before, position.history[len(before.history) :])
    ways = list(position.game.presentation.ways(position))
    ways = ways[len(ways) - len(line) :]
    encoder = SceneEncoder(record.start.scene())
    now = frame(position, encoder, record.names, *chosen_players(record))
    asked = not position.is_over and not position.is_chance
    return {
        "line": [each | {"way": list(way)} for each, way in zip(line, ways, strict=True)],
        "now": now,
        "ask": choices(position, encoder) if asked else None,
        "shapes": encoder.shapes,
        "outcomes": outcomes(position) if position.is_chance else [],
    }


def outcomes(position: Position) -> list[Data]:
    """Return the outcomes of chance, the likeliest first: ``move``, ``text`` and ``share``.

    Equal texts are followed by the move.
    """
    found: list[Data] = []
    for code, share in chances(position):
        after = position.copy()
        after.push(code)
        text = position.game.presentation.label(after, code)
        found.append({"move": position.text(code), "text": text, "share": share})
    times = Counter(each["text"] for each in found)
    for each in found:
        if times[each["text"]] > 1:
            each["text"] += f": {each['move']}"
    return sorted(found, key=lambda each: (-each["share"], each["text"]))


MOST_PUZZLES = 20
"""The most puzzles of one game on its page."""


def fits(summary: RecordSummary) -> bool:
    """Tell whether a record may have puzzles: a finished game of two seats with a solver."""
    known = summary.game in names() and declaration(summary.game).solving is not None
    return known and len(summary.players) == 2 and bool(summary.sentence)


def puzzles_data(record: Record) -> Data:
    """Return the board of a game and its puzzles, the latest of them if there are many.

    Raises
    ------
    InvalidInput
        If such a game cannot have puzzles.
    """
    encoder = SceneEncoder(record.start.scene())
    puzzles = find_puzzles(record, limits.PUZZLE_SECONDS)[-MOST_PUZZLES:]
    shown = [puzzle_data(each, record, encoder) for each in puzzles]
    return {
        "board": encoder.board(record.start),
        "shapes": encoder.shapes,
        "puzzles": shown,
    }


def puzzle_data(puzzle: Puzzle, record: Record, encoder: SceneEncoder) -> Data:
    """Return a puzzle with its picture, its legal moves and its answer."""
    position = puzzle.position
    seat = position.turn or 0
    return {
        "ply": puzzle.ply,
        # people count seats from 1
        "question": puzzle.question.replace(f"Seat {seat} ", f"Player {seat + 1} "),
        "now": frame(position, encoder, record.names, *chosen_players(record)),
        "ask": choices(position, encoder),
        "move": puzzle.move,
        "cells": cells_of(position, puzzle.move),
        "line": puzzle.line,
    }
